"""Pharmakon: medication safety with the sentence behind every finding."""
