"""SQLite as truth, Ladybug as a projection for Cypher."""

from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge, open_embedded

__all__ = ["EmbeddedKnowledge", "open_embedded"]
