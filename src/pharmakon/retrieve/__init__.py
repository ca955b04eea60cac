"""From a question to its evidence: aspects, ranking, retrieval."""
