"""The knowledge base read once through its ports: statements, hierarchy and names, as plain look-ups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pharmakon.model.concepts import Concept, ConceptId, Name, fold, kind_of
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import concept_kinds, relations
from pharmakon.ports.knowledge import KnowledgeBase

#: Which kinds of concepts a text may mean, by where it stands in a prescription.
ROLES = {
    "drug": ("ingredient", "drug"),
    "condition": ("disease", "symptom"),
    "indication": ("disease", "symptom", "process"),
    "allergy": ("ingredient", "drug", "class", "allergen"),
}


@dataclass(frozen=True, slots=True)
class World:
    """`above` maps a concept to itself and everything it belongs to or is a kind of."""

    version: str
    statements: Mapping[str, tuple[Statement, ...]]  #: relation → statements, in id order
    by_subject: Mapping[tuple[str, ConceptId], tuple[Statement, ...]]
    concepts: Mapping[ConceptId, Concept]
    above: Mapping[ConceptId, frozenset[ConceptId]]
    bearers: Mapping[str, frozenset[ConceptId]]  #: folded name → who bears it
    parts: Mapping[ConceptId, tuple[ConceptId, ...]]  #: product → ingredients
    drugs: tuple[ConceptId, ...]  #: ingredients described in depth, in id order
    _about: dict[tuple[frozenset[ConceptId], str], tuple[Statement, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def name(self, concept: ConceptId) -> str:
        return self.concepts[concept].display if concept in self.concepts else concept.partition(":")[2]

    def about(self, what: frozenset[ConceptId], relation: str) -> tuple[Statement, ...]:
        """Statements on any of `what`, a drug with everything it is, that exclude none of it and deny nothing."""
        key = (what, relation)
        if key not in self._about:
            rows = (s for subject in sorted(what) for s in self.by_subject.get((relation, subject), ()))
            self._about[key] = tuple(s for s in rows if s.excluded.isdisjoint(what) and not s.negative)
        return self._about[key]

    def members(self, concept: ConceptId) -> tuple[ConceptId, ...]:
        """Ingredients that are `concept` or belong to it, those described in depth where there are any; in id order."""
        deep = tuple(c for c in self.drugs if concept in self.above[c])
        return deep or tuple(
            c for c in sorted(self.concepts) if kind_of(c) == "ingredient" and concept in self.above[c]
        )

    def plain_names(self, concept: ConceptId, role: str) -> tuple[Name, ...]:
        """Names that mean this concept and nothing else in a role (drug, condition, indication, allergy); the
        canonical English one first."""
        kinds = ROLES[role]
        names = self.concepts[concept].names
        alone = [n for n in names if {c for c in self.bearers[fold(n.text)] if kind_of(c) in kinds} <= {concept}]
        return tuple(sorted(alone, key=lambda n: (n.text != self.name(concept), n.lang, n.text)))


def read_world(knowledge: KnowledgeBase) -> World:
    """Everything a generator needs, from ports alone. Deterministic for one state of the knowledge base."""
    listed = knowledge.names(sorted(concept_kinds()))
    ids = sorted({concept for _, concept, _ in listed})
    concepts = dict(knowledge.concepts(ids))
    bearers: dict[str, set[ConceptId]] = {}
    for folded, concept, _ in listed:
        bearers.setdefault(folded, set()).add(concept)
    found = knowledge.about(ids, sorted(relations()))
    statements: dict[str, list[Statement]] = {}
    for statement in found:
        statements.setdefault(statement.relation, []).append(statement)
    parts: dict[ConceptId, tuple[ConceptId, ...]] = {}
    for s in statements.get("has_ingredient", ()):
        if s.object is not None:
            parts[s.subject] = (*parts.get(s.subject, ()), s.object)
    by_subject: dict[tuple[str, ConceptId], list[Statement]] = {}
    for statement in found:
        by_subject.setdefault((statement.relation, statement.subject), []).append(statement)
    return World(
        version=knowledge.version(),
        statements={r: tuple(rows) for r, rows in statements.items()},
        by_subject={k: tuple(rows) for k, rows in by_subject.items()},
        concepts=concepts,
        above={c: frozenset(chains) for c, chains in knowledge.ancestors(ids).items()},
        bearers={f: frozenset(c) for f, c in bearers.items()},
        parts=parts,
        drugs=tuple(sorted(c for c, k in concepts.items() if kind_of(c) == "ingredient" and k.covered == "deep")),
    )
