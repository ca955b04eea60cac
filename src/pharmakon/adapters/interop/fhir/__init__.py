"""FHIR in: R4 as published, and DSTU2, STU3 and R5 as real systems still or already send them."""

from pharmakon.adapters.interop.fhir.bundle import read_fhir

__all__ = ["read_fhir"]
