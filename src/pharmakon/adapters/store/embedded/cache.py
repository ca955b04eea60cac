"""What was read at one change. A later change brings a new cache, so that nothing in it can be stale."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pharmakon.adapters.store.embedded.vectors import Model
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import Step

_KEPT = 100_000  #: statements, links and ancestors a cache holds before it starts again; some 100 MB
Chains = Mapping[ConceptId, Sequence[Step]]
Links = Mapping[ConceptId, Sequence[str]]
"""Object → statement ids."""


@dataclass(slots=True)
class Cache:
    """Grows by use and starts again when it is full.

    `chains`: what is above a concept; `statements`: one by its id, None where it is not live; `bundles` and `links`: by
    the relations asked for, which are the same few sets all day, then by subject; empty where there is nothing.
    """

    change_no: int
    redirects: dict[ConceptId, ConceptId] = field(default_factory=dict)
    chains: dict[ConceptId, Chains] = field(default_factory=dict)
    statements: dict[str, Statement | None] = field(default_factory=dict)
    bundles: dict[frozenset[str], dict[ConceptId, tuple[Statement, ...]]] = field(default_factory=dict)
    links: dict[frozenset[str], dict[ConceptId, Links]] = field(default_factory=dict)
    size: int = 0
    terms: Mapping[str, int] | None = None  #: of the word index, with how many passages hold each; read once
    embedded: dict[Model | None, tuple[int, int]] = field(default_factory=dict)  #: passages, and those with a vector

    def target(self, concept: ConceptId) -> ConceptId:
        """What stands for `concept` where it was merged, else itself."""
        return self.redirects.get(concept, concept)

    def live(self, concepts: Collection[ConceptId]) -> Collection[ConceptId]:
        """`concepts` without repetition, merged ones replaced by what stands for them."""
        return frozenset(map(self.target, concepts)) if self.redirects else frozenset(concepts)

    def make_room(self, size: int) -> None:
        """Call before anything of `size` statements, links or ancestors is put in."""
        if self.size > _KEPT:
            # new ones, not emptied ones: another thread may be reading the old
            self.chains, self.bundles, self.statements, self.links, self.size = {}, {}, {}, {}, 0
        self.size += size
