"""Prescription → report: plan, query, curate, check, report (PG-5)."""
