"""A lexicon together with concepts that are not stored yet: the names that labels bring while they are read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from pharmakon.model.concepts import Code, Concept, ConceptId, Name, fold, kind_of
from pharmakon.ports.knowledge import Lexicon


class Widened:
    """`ports.knowledge.Lexicon` over `lexicon` and what `add` has been given since.

    One for each run: what `lexicon` said of a concept is remembered, for every label asks about the same few.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._added: dict[ConceptId, Concept] = {}
        self._said: dict[ConceptId, Concept | None] = {}
        self._by_name: dict[str, dict[tuple[ConceptId, Name], None]] = {}
        self._by_code: dict[Code, dict[ConceptId, None]] = {}

    def add(self, concepts: Iterable[Concept]) -> None:
        """Names and codes add up. A `Finder` remembers what it was told: make a new one after this."""
        for concept in concepts:
            known = self._added.get(concept.id)
            self._added[concept.id] = joined(known, concept) if known else concept
            for name in concept.names:
                self._by_name.setdefault(fold(name.text), {})[concept.id, name] = None
            for code in concept.codes:
                self._by_code.setdefault(code, {})[concept.id] = None

    def by_name(self, folded: Collection[str]) -> Mapping[str, Sequence[tuple[ConceptId, Name]]]:
        found = dict(self._lexicon.by_name(folded))
        for text in folded:
            if more := self._by_name.get(text):
                found[text] = tuple(dict.fromkeys((*found.get(text, ()), *more)))
        return found

    def by_code(self, codes: Collection[Code]) -> Mapping[Code, Sequence[ConceptId]]:
        found = dict(self._lexicon.by_code(codes))
        for code in codes:
            if more := self._by_code.get(code):
                found[code] = tuple(dict.fromkeys((*found.get(code, ()), *more)))
        return found

    def names(self, kinds: Collection[str]) -> Sequence[tuple[str, ConceptId, Name]]:
        more = [
            (folded, concept, name)
            for folded, bearers in self._by_name.items()
            for concept, name in bearers
            if kind_of(concept) in kinds
        ]
        return sorted(dict.fromkeys((*self._lexicon.names(kinds), *more)), key=lambda row: row[0])

    def concepts(self, ids: Collection[ConceptId]) -> Mapping[ConceptId, Concept]:
        if asked := [id for id in ids if id not in self._said]:
            said = self._lexicon.concepts(asked)
            self._said.update((id, said.get(id)) for id in asked)
        found: dict[ConceptId, Concept] = {}
        for id in ids:
            known, more = self._said[id], self._added.get(id)
            if concept := joined(known, more) if known and more else known or more:
                found[id] = concept
        return found


def joined(known: Concept, more: Concept) -> Concept:
    """`known` with the names and codes of `more` behind its own."""
    names = tuple(dict.fromkeys((*known.names, *more.names)))
    return Concept(known.id, names, tuple(dict.fromkeys((*known.codes, *more.codes))), known.covered or more.covered)
