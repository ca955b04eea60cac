"""Hierarchical Leiden (Traag, Waltman and van Eck 2019, doi:10.1038/s41598-019-41695-z) of graspologic-native."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import KnowledgeError

Weighted = Mapping[tuple[ConceptId, ConceptId], float]
"""(smaller id, larger id) → weight above 0, each pair once."""


def missing_engine() -> str:
    """Why there are no communities here; empty where there can be."""
    try:
        import graspologic_native  # noqa: F401 (of the extra `ask`)
    except ImportError as error:
        return f"graspologic-native is not installed ({error}); pip install 'pharmakon[ask]' brings it"
    return ""


def hierarchical_leiden(
    weights: Weighted, *, resolution: float, largest: int, iterations: int, seed: int
) -> Sequence[Mapping[ConceptId, int]]:
    """For each level, concept → number of its cluster; a cluster of over `largest` concepts is split on the next level.

    The same graph and seed give the same clusters, in whatever order the edges come. Raises `KnowledgeError` where the
    library is absent.
    """
    if reason := missing_engine():
        raise KnowledgeError(f"no communities can be found: {reason}")
    import graspologic_native

    if not weights:
        return ()
    found = graspologic_native.hierarchical_leiden(
        [(a, b, weight) for (a, b), weight in sorted(weights.items())],
        resolution=resolution, max_cluster_size=largest, iterations=iterations, seed=seed,
    )  # fmt: skip
    levels: list[dict[ConceptId, int]] = [{} for _ in range(1 + max(place.level for place in found))]
    for place in found:
        levels[place.level][ConceptId(place.node)] = place.cluster
    return levels
