"""What was read at one change. A later change brings a new cache, so that nothing in it can be stale."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import Step

_KEPT = 50_000  #: statements a cache holds before it starts again; about 100 MB
Chains = Mapping[ConceptId, Sequence[Step]]


@dataclass(slots=True)
class Cache:
    """`chains` and `bundles` grow by use and start again when they are full."""

    change_no: int
    redirects: dict[ConceptId, ConceptId] = field(default_factory=dict)
    chains: dict[ConceptId, Chains] = field(default_factory=dict)
    bundles: dict[tuple[ConceptId, str], tuple[Statement, ...]] = field(default_factory=dict)
    size: int = 0

    def target(self, concept: ConceptId) -> ConceptId:
        """What stands for `concept` where it was merged, else itself."""
        return self.redirects.get(concept, concept)

    def live(self, concepts: Collection[ConceptId]) -> Collection[ConceptId]:
        """`concepts` without repetition, merged ones replaced by what stands for them."""
        return frozenset(map(self.target, concepts)) if self.redirects else frozenset(concepts)

    def add(self, key: tuple[ConceptId, str], bundle: tuple[Statement, ...]) -> None:
        self._make_room(len(bundle) + 1)
        self.bundles[key] = bundle

    def add_chains(self, concept: ConceptId, chains: Chains) -> None:
        self._make_room(len(chains))
        self.chains[concept] = chains

    def _make_room(self, size: int) -> None:
        if self.size > _KEPT:
            self.bundles, self.chains, self.size = {}, {}, 0
        self.size += size
