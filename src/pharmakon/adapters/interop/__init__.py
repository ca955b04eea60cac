"""Other programs' shapes in and out: the plain form, FHIR, CDS Hooks, CSV, NDJSON."""
