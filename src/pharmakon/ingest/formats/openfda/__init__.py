"""FDA labels as openFDA gives them out: records of named texts, one label each, with a block of harmonised codes."""

from pharmakon.ingest.formats.openfda.records import read_openfda

__all__ = ["read_openfda"]
