"""SQLite as truth, Ladybug as a projection for Cypher."""
