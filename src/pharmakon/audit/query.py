"""Step 2: the queries of a plan, named and bound, and what they bring back. No text is ever put into a query.

What is known about a drug, and what stands between two drugs, changes only with the knowledge base: both are asked
once for each state of it. A warm audit asks nothing twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from pharmakon.audit.specificity import Prepared, prepare
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Condition, Statement
from pharmakon.ports.knowledge import ConstraintStore, Step, TopologyStore

#: Relations between two concepts of one prescription.
PAIRED = ("interacts_with", "incompatible_with", "cross_reacts_with")
#: Relations about one drug. `interacts_with` is here for its objects that are no drugs (food).
ABOUT = (
    "belongs_to", "contraindicated_in", "dose_adjustment", "dose_limit", "given_by", "has_effect", "has_ingredient",
    "interacts_with", "morphine_equivalent", "requires_caution_with", "treats", "used_for",
)  # fmt: skip
_RENAL = ("contraindicated_in", "dose_adjustment", "dose_limit", "requires_caution_with")
_KEPT = 20_000  #: drugs or pairs remembered before a server starts again

Ancestors = Mapping[ConceptId, Sequence[Step]]
Key = tuple[ConceptId, ConceptId]
"""What was named (a product or an ingredient) and the ingredient in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """Everything known about one drug, up its hierarchy: relation → (statement, chain that leads to its subject).

    Statements that exclude the drug or a class of it are left out. `diseases` gives the ancestors of each indication
    and of each disease its rules ask for.
    """

    key: Key
    ancestors: Ancestors
    rules: Mapping[str, Sequence[tuple[Statement, Sequence[Step]]]]
    diseases: Mapping[ConceptId, frozenset[ConceptId]]
    cautions: Mapping[ConceptId | None, Sequence[tuple[Statement, Sequence[Step]]]]  #: by the disease they are about
    doses: Mapping[Dimension, Sequence[Prepared]]  #: rules of dose limits, one a clause
    renal: frozenset[tuple[str, float]]  #: cut-offs of its rules: (crcl or egfr, figure)
    by_child_pugh: bool  #: its rules speak of Child-Pugh classes
    order: Mapping[ConceptId, frozenset[ConceptId]]  #: each of the ancestors → what stands above it


@dataclass(frozen=True, slots=True)
class Asked:
    """One named query with its bound parameters and how many rows it brought."""

    query: str
    store: str
    concepts: frozenset[ConceptId]
    relations: tuple[str, ...]
    rows: int


@dataclass(slots=True)
class Gatherer:
    """Asks the stores, and remembers the answers for one state of the knowledge base."""

    constraints: ConstraintStore
    topology: TopologyStore
    _bundles: dict[Key, Bundle] = field(default_factory=dict)
    _pairs: dict[tuple[Key, Key], tuple[Statement, ...]] = field(default_factory=dict)
    _limits: dict[ConceptId, tuple[Statement, ...]] = field(default_factory=dict)

    def bundles(self, keys: Collection[Key]) -> Mapping[Key, Bundle]:
        missing = [key for key in dict.fromkeys(keys) if key not in self._bundles]
        if missing:
            if len(self._bundles) > _KEPT:
                self._bundles.clear()
                missing = list(dict.fromkeys(keys))
            self._ask_about(missing)
        return self._bundles

    def _ask_about(self, keys: Sequence[Key]) -> None:
        above = self.topology.ancestors({c for key in keys for c in key})
        merged = {key: {**above[key[0]], **above[key[1]]} for key in keys}
        subjects = frozenset(c for chains in merged.values() for c in chains)
        by_subject: dict[ConceptId, list[Statement]] = {}
        for statement in self.constraints.about(subjects, ABOUT):
            by_subject.setdefault(statement.subject, []).append(statement)
        named = {c for rows in by_subject.values() for s in rows for c in _diseases(s)}
        order = {c: frozenset(chains) for c, chains in self.topology.ancestors(subjects | named).items()}
        for key, ancestors in merged.items():
            rules: dict[str, list[tuple[Statement, Sequence[Step]]]] = {}
            for subject, chain in ancestors.items():
                for statement in by_subject.get(subject, ()):
                    if statement.excluded.isdisjoint(ancestors):
                        rules.setdefault(statement.relation, []).append((statement, chain))
            own = {c: order[c] for rows in rules.values() for s, _ in rows for c in _diseases(s)}
            placed = {c: order[c] for c in ancestors}
            self._bundles[key] = bundle(key, ancestors, rules, own, placed)

    def pairs(self, bundles: Sequence[Bundle]) -> tuple[Statement, ...]:
        """Statements between any two of the bundles, each once, in id order."""
        unique = list({b.key: b for b in bundles}.values())
        wanted = [(a, b) for a, b in combinations(unique, 2) if (a.key, b.key) not in self._pairs]
        if wanted:
            if len(self._pairs) > _KEPT:
                self._pairs.clear()
                wanted = list(combinations(unique, 2))
            self._ask_between(wanted)
        found = {s.id: s for a, b in combinations(unique, 2) for s in self._pairs[a.key, b.key]}
        return tuple(found[i] for i in sorted(found))

    def _ask_between(self, wanted: Sequence[tuple[Bundle, Bundle]]) -> None:
        everything = frozenset(c for pair in wanted for bundle in pair for c in bundle.ancestors)
        ids = self.topology.links(everything, everything, PAIRED)
        statements = self.constraints.statements(ids) if ids else ()
        for a, b in wanted:
            between = (s for s in statements if _between(s, a.ancestors, b.ancestors))
            self._pairs[a.key, b.key] = self._pairs[b.key, a.key] = tuple(between)

    def limits(self, effects: Iterable[ConceptId]) -> Mapping[ConceptId, Sequence[Statement]]:
        """`burden_limit` statements of each effect."""
        missing = [e for e in effects if e not in self._limits]
        if missing:
            self._limits.update(dict.fromkeys(missing, ()))
            for statement in self.constraints.about(missing, ("burden_limit",)):
                self._limits[statement.subject] += (statement,)
        return self._limits


Dimension = tuple[str, str]
"""Per what, and of what: ("day", "mg"), also for mg/kg; ("week", "times"); ("course", "days")."""

_Rules = Mapping[str, Sequence[tuple[Statement, Sequence[Step]]]]


def bundle(
    key: Key,
    ancestors: Ancestors,
    rules: _Rules,
    diseases: Mapping[ConceptId, frozenset[ConceptId]],
    order: Mapping[ConceptId, frozenset[ConceptId]],
) -> Bundle:
    """A bundle with what every audit would otherwise work out again."""
    cautions: dict[ConceptId | None, list[tuple[Statement, Sequence[Step]]]] = {}
    for relation in ("contraindicated_in", "requires_caution_with"):
        for statement, chain in rules.get(relation, ()):
            if not statement.negative:
                cautions.setdefault(statement.object, []).append((statement, chain))
    doses: dict[Dimension, list[tuple[Statement, Clause, Sequence[Step]]]] = {}
    for statement, chain in rules.get("dose_limit", ()):
        if statement.limit is not None:
            dimension = (statement.limit.per, statement.limit.unit.partition("/")[0])
            doses.setdefault(dimension, []).extend((statement, clause, chain) for clause in dose_clauses(statement))
    prepared = {dimension: prepare(found, diseases) for dimension, found in sorted(doses.items())}
    asked = {c.factor for rows in rules.values() for s, _ in rows for clause in s.when for c in clause}
    return Bundle(
        key, ancestors, rules, diseases, cautions, prepared, _renal_cut_offs(rules),
        "child_pugh" in asked, order,
    )  # fmt: skip


def dose_clauses(statement: Statement) -> tuple[Clause, ...]:
    """The clauses of a dose limit; the indication it is for is one condition more."""
    extra: Clause = ()
    if statement.object is not None:
        extra = (Condition("indication", "in", values=(statement.object,), text=f"indication is {statement.object}"),)
    return tuple((*extra, *clause) for clause in statement.when or ((),))


def _diseases(statement: Statement) -> Iterator[ConceptId]:
    """The diseases, symptoms and uses that a statement is about or asks for."""
    if statement.object is not None and statement.relation in ("treats", "dose_limit"):
        yield statement.object
    for clause in statement.when:
        for condition in clause:
            if condition.factor in ("has", "had", "indication"):
                yield from map(ConceptId, condition.values)


def _renal_cut_offs(rules: _Rules) -> frozenset[tuple[str, float]]:
    statements = (s for relation in _RENAL for s, _ in rules.get(relation, ()))
    conditions = (c for s in statements for clause in s.when for c in clause)
    return frozenset((c.factor, c.number) for c in conditions if c.factor in ("crcl", "egfr"))


def _between(statement: Statement, a: Ancestors, b: Ancestors) -> bool:
    x, y = statement.subject, statement.object
    return (x in a and y in b) or (x in b and y in a)


def asked(bundles: Sequence[Bundle], pairs: Sequence[Statement]) -> tuple[Asked, ...]:
    """The queries behind a case: one about each drug, one between all of them."""
    about = [
        Asked("about", "constraints", frozenset(b.ancestors), ABOUT, sum(len(rows) for rows in b.rules.values()))
        for b in bundles
    ]
    everything = frozenset(c for b in bundles for c in b.ancestors)
    return (*about, Asked("links", "topology", everything, PAIRED, len(pairs)))
