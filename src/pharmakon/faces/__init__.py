"""Thin ways in: no logic here."""
