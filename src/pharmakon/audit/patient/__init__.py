"""The patient as the checks see it: factors with units, dates and where each came from (PG-6)."""
