"""FDA labels as HL7 Structured Product Labeling (`urn:hl7-org:v3`), the form in which DailyMed gives them out."""

from pharmakon.ingest.formats.spl.label import read_spl

__all__ = ["read_spl"]
