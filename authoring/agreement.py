"""The formulary against what is read out of all labels by machine: agreement, silence, contradiction.

Agreement: both say it. Silence: one of the two says it, in a relation that both could. Contradiction: one says what the
other denies, or both give a figure for the same thing under the same conditions and the figures differ. A label may be
right and the machine wrong, or both right for different products; `explained.toml` says which, one line for each
contradiction that was looked at.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Statement
from pharmakon.model.vocabulary import Tier

#: What both sides say in so many words; arrangement (classes, effects, routes) is compared by nobody.
COMPARED = (
    "treats", "contraindicated_in", "requires_caution_with", "interacts_with", "dose_limit", "dose_adjustment",
    "causes", "cross_reacts_with",
)  # fmt: skip
_WARNS = frozenset({"contraindicated_in", "requires_caution_with"})
LIMIT, THRESHOLD = "another limit", "another threshold"
_SAME = 0.01  #: figures that differ by less are one figure, rounded twice


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`key` is what `explained.toml` names it by."""

    kind: str
    ours: Statement
    theirs: Statement

    @property
    def key(self) -> str:
        return f"{self.theirs.subject} {self.kind} {self.ours.id} {self.theirs.id}"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts by relation and by what was found; every contradiction."""

    counts: Mapping[tuple[str, str], int]
    contradictions: Sequence[Contradiction]
    subjects: int


def compare(change: ChangeSet, extracted: Iterable[Statement]) -> Agreement:
    """`extracted` are statements of labels; only drugs that the formulary covers in depth are compared."""
    deep = {c.id for c in change.concepts if c.covered == "deep"}
    above = _above(change.statements)
    ours = _by_subject(s for s in change.statements if s.relation in COMPARED)
    theirs = _by_subject(s for s in extracted if s.subject in deep)
    counts: Counter[tuple[str, str]] = Counter()
    found: list[Contradiction] = []
    for subject, said in theirs.items():
        held = [s for one in (subject, *sorted(above.get(subject, ()))) for s in ours.get(one, ())]
        matched: set[str] = set()
        for statement in said:
            if statement.relation not in COMPARED:
                continue
            alike = [s for s in held if _alike(s, statement, above)]
            clashes = [] if alike else _clashes(held, statement)
            found += clashes
            matched.update(s.id for s in alike)
            fate = "contradiction" if clashes else "agreement" if alike else "only the label"
            counts[statement.relation, fate] += 1
        silent = Counter(s.relation for s in ours.get(subject, ()) if s.id not in matched)
        counts.update({(relation, "only the formulary"): n for relation, n in silent.items()})
    return Agreement(dict(counts), found, len(theirs))


def explained(file: Path) -> dict[str, str]:
    """Contradiction → why it is none, or which side is right."""
    return {str(key): str(why) for key, why in tomllib.loads(file.read_text("utf-8")).items()}


def _alike(ours: Statement, theirs: Statement, above: Mapping[ConceptId, frozenset[ConceptId]]) -> bool:
    """Whether both say the same, of a class or a kind too; a caution and a contraindication speak of one thing."""
    same_relation = ours.relation == theirs.relation or {ours.relation, theirs.relation} <= _WARNS
    if not same_relation or ours.negative != theirs.negative:
        return False
    if ours.relation in ("dose_limit", "dose_adjustment") or ours.object is None or theirs.object is None:
        return _factors(ours.when) == _factors(theirs.when) and _near(ours, theirs)
    related = above.get(theirs.object, frozenset()) | {theirs.object}
    return ours.object in related or theirs.object in above.get(ours.object, frozenset())


def _clashes(held: Sequence[Statement], theirs: Statement) -> list[Contradiction]:
    """What the label contradicts: of several figures of ours the nearest, since a drug may have many."""
    found = [Contradiction(kind, s, theirs) for s in held if (kind := _clash(s, theirs))]
    figures = [c for c in found if c.kind in (LIMIT, THRESHOLD)]
    return [c for c in found if c not in figures] + sorted(figures, key=lambda c: _distance(c.ours, theirs))[:1]


def _distance(ours: Statement, theirs: Statement) -> float:
    if ours.limit and theirs.limit:
        return abs(ours.limit.value - theirs.limit.value)
    a, b = _figures(ours.when), _figures(theirs.when)
    return min((abs(a[k] - b[k]) for k in a.keys() & b.keys()), default=float("inf"))


def _clash(ours: Statement, theirs: Statement) -> str:
    """How the two contradict each other; "" where they do not."""
    if theirs.object is not None and ours.object == theirs.object:
        if ours.relation == theirs.relation and ours.negative != theirs.negative:
            return "denied"
        opposed = {ours.relation, theirs.relation} == {"treats", "contraindicated_in"}
        if opposed and not (ours.when or theirs.when) and theirs.tier in (Tier.CRITICAL, ours.tier):
            return "treats what it must not be given in"
    if ours.relation == theirs.relation == "dose_limit" and ours.limit and theirs.limit:
        same_place = (ours.limit.unit, ours.limit.per, ours.object) == (
            theirs.limit.unit, theirs.limit.per, theirs.object,
        )  # fmt: skip
        if same_place and _guard(ours.when) == _guard(theirs.when) and not _close(ours.limit.value, theirs.limit.value):
            return LIMIT
    if ours.relation == theirs.relation and ours.relation in _WARNS and ours.object is theirs.object is None:
        a, b = _figures(ours.when), _figures(theirs.when)
        if ours.relation == "requires_caution_with" and ("age", "<") in a:
            return ""  # cautions in children are about many things, each with an age of its own
        if len(a) == len(b) == 1 and a.keys() == b.keys() and not _near(ours, theirs):
            return THRESHOLD
    return ""


def _near(ours: Statement, theirs: Statement) -> bool:
    """Whether the figures of two rules about the same are the same."""
    limits = (ours.limit, theirs.limit)
    if all(limits) and not _close(*(x.value for x in limits if x)):
        return False
    a, b = _figures(ours.when), _figures(theirs.when)
    return all(_close(a[k], b[k]) for k in a.keys() & b.keys())


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b))


def _factors(when: Sequence[Clause]) -> frozenset[str]:
    """What a rule depends on, routes and indications aside, which labels leave to the heading."""
    return frozenset(c.factor for clause in when for c in clause if c.factor not in ("route", "indication", "form"))


def _figures(when: Sequence[Clause]) -> dict[tuple[str, str], float]:
    """(factor, direction) → figure, for rules of one clause."""
    if len(when) != 1:
        return {}
    return {(c.factor, c.op[0]): c.number for c in when[0] if c.op[0] in "<>"}


def _guard(when: Sequence[Clause]) -> frozenset[frozenset[tuple[str, str, float, tuple[str, ...], bool]]]:
    return frozenset(frozenset((c.factor, c.op, c.number, c.values, c.negated) for c in clause) for clause in when)


def _by_subject(statements: Iterable[Statement]) -> dict[ConceptId, list[Statement]]:
    found: dict[ConceptId, dict[str, Statement]] = {}
    for statement in statements:
        found.setdefault(statement.subject, {})[statement.id] = statement
    return {subject: list(rows.values()) for subject, rows in found.items()}


def _above(statements: Iterable[Statement]) -> dict[ConceptId, frozenset[ConceptId]]:
    """Concept → everything above it by what the formulary says."""
    parents: dict[ConceptId, set[ConceptId]] = {}
    for s in statements:
        if s.relation in ("belongs_to", "is_a") and s.object is not None and not s.negative:
            parents.setdefault(s.subject, set()).add(s.object)

    def climb(concept: ConceptId, seen: set[ConceptId]) -> Iterator[ConceptId]:
        for parent in parents.get(concept, ()):
            if parent not in seen:
                seen.add(parent)
                yield parent
                yield from climb(parent, seen)

    return {concept: frozenset(climb(concept, set())) for concept in parents}
