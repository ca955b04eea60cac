"""Small graphs for communities: wards of drugs that belong and treat together."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pharmakon.model.communities import Edge
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Tier

Labels = dict[ConceptId, dict[str, str]]


def edge(subject: str, relation: str, object: str, *, tier: Tier = Tier.WARNING, conditional: bool = False) -> Edge:
    digest = hashlib.sha256(f"{subject} {relation} {object} {tier} {conditional}".encode()).hexdigest()
    return Edge(f"st-{digest[:16]}", ConceptId(subject), relation, ConceptId(object), tier, conditional)


def ward(name: str, drugs: int = 4) -> list[Edge]:
    """A class, a disease, and drugs of the one for the other."""
    return [
        made
        for n in range(drugs)
        for made in (
            edge(f"ingredient:{name}-drug-{n}", "belongs_to", f"class:{name}-class"),
            edge(f"ingredient:{name}-drug-{n}", "treats", f"disease:{name}-disease"),
        )
    ]


def labels_of(edges: Sequence[Edge]) -> Labels:
    ends = {end for one in edges for end in (one.subject, one.object)}
    return {end: {"en": end.partition(":")[2].replace("-", " ")} for end in ends}
