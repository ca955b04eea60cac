"""Bytes → documents with typed sections."""
