"""Prescriptions that break one stated rule each, made from the knowledge base, with clean twins (PG-10)."""
