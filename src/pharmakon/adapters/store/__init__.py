"""Backends of the knowledge base; each passes `tests/contract/`."""
