"""Monographs → statements: the small language of conditions and limits, and the gate every sentence passes."""
