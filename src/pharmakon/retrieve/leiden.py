"""Leiden (Traag, Waltman and van Eck 2019, doi:10.1038/s41598-019-41695-z) as graspologic-native has it."""

from __future__ import annotations

from collections.abc import Mapping

from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import KnowledgeError

Weights = Mapping[tuple[ConceptId, ConceptId], float]
"""(smaller id, larger id) → weight above 0, each pair once."""


def missing_engine() -> str:
    """Why there are no communities here; empty where there can be."""
    try:
        import graspologic_native  # noqa: F401 (of the extra `ask`)
    except ImportError as error:
        return f"graspologic-native is not installed ({error}); pip install 'pharmakon[ask]' brings it"
    return ""


def leiden(weights: Weights, *, resolution: float, iterations: int, seed: int) -> list[list[ConceptId]]:
    """The concepts of `weights` in clusters of greatest modularity, each sorted, in order.

    The same graph and seed give the same clusters, in whatever order the edges come. Raises `KnowledgeError` where the
    library is absent.
    """
    if reason := missing_engine():
        raise KnowledgeError(f"no communities can be found: {reason}")
    import graspologic_native

    if not weights:
        return []
    _, clusters = graspologic_native.leiden(
        [(a, b, weight) for (a, b), weight in sorted(weights.items())],
        resolution=resolution, iterations=iterations, seed=seed,
    )  # fmt: skip
    found: dict[int, list[ConceptId]] = {}
    for concept, cluster in clusters.items():
        found.setdefault(cluster, []).append(ConceptId(concept))
    return sorted(map(sorted, found.values()))
