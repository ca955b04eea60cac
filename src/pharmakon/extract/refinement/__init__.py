"""Iterative Schema Refinement: what documents say and the schema can't hold becomes a proposal (PG-3)."""
