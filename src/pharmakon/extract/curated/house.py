"""The rules of the house for monographs (docs/monographs.md): what a formulary must hold to, beyond its format.

Pure functions over the monographs and the statements made of them; each complaint names the file and line to look at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pharmakon.ingest.formats.monograph import TOPICS, Entry, Monograph
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import Tier

#: What needs a word on what to do.
_ADVISED = ("interacts_with", "contraindicated_in", "cross_reacts_with", "incompatible_with")


def entry_complaints(monographs: Iterable[Monograph]) -> Iterator[BadInput]:
    """A rule or a milder branch of one without advice, and a critical rule that nobody read where it is published."""
    for monograph in monographs:
        for entry in monograph.entries:
            tier = Tier.parse(str(entry.fields.get("tier", "warning")))
            if entry.relation in _ADVISED and tier >= Tier.WARNING and not _advice(entry):
                yield _complaint(entry.place, f"{entry.relation} without advice", "management: what to do")
            if any(not row.get("management") for row in _milder(entry, tier)):
                yield _complaint(
                    entry.place,
                    "a milder branch that keeps the advice of the stricter rule",
                    "management: in the branch",
                )
            if "critical" in _tiers(entry) and not any(c.read for c in entry.citations):
                yield _complaint(
                    entry.place, "a critical statement whose source was not read", "read: yes, or tier: warning"
                )


def depth_complaints(monographs: Iterable[Monograph], statements: Sequence[Statement]) -> Iterator[BadInput]:
    """A deep ingredient that answers not all of `TOPICS`, by itself, by its classes or by saying `states_none`."""
    parents = _parents(statements)
    for monograph in monographs:
        concept = monograph.concept
        if concept.covered != "deep" or kind_of(concept.id) != "ingredient":
            continue
        silent = {s.topic for s in monograph.silences}
        missing = [t for t in answers(concept.id, statements, parents) if t not in silent]
        if missing:
            expected = "the rule, or states_none: {" + f"{missing[0]}: SOURCE SECTION" + "}"
            yield _complaint(monograph.place, f"{concept.id} says nothing on {', '.join(missing)}", expected)


def answers(
    ingredient: ConceptId, statements: Iterable[Statement], parents: Mapping[ConceptId, frozenset[ConceptId]]
) -> list[str]:
    """The topics that neither the ingredient's own statements nor those of its classes answer."""
    line = {ingredient} | set(_up(ingredient, parents))
    open_topics = dict.fromkeys(TOPICS)
    for s in statements:
        if s.subject not in line and s.object not in line:
            continue
        if s.relation == "interacts_with":
            open_topics.pop("interactions", None)
        if s.subject not in line:
            continue
        if s.relation == "treats":
            open_topics.pop("indications", None)
        if s.limit is not None:
            open_topics.pop("dose", None)
        if s.risk == "RENAL_IMPAIRMENT":
            open_topics.pop("renal", None)
        if s.relation == "contraindicated_in":
            open_topics.pop("contraindications", None)
    return list(open_topics)


def contradictions(statements: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    """Interactions of the same two drugs or classes of which one is critical and the other of no weight.

    Conditions and modifiers may explain the difference, so only statements without any are held against each other.
    """
    plain: dict[frozenset[ConceptId], list[Statement]] = {}
    for s in statements:
        if s.relation == "interacts_with" and s.object and not s.when and not s.modifiers:
            plain.setdefault(frozenset((s.subject, s.object)), []).append(s)
    for group in plain.values():
        for i, a in enumerate(group):
            yield from ((a, b) for b in group[i + 1 :] if abs(a.tier - b.tier) > 1)


def not_excepted(statements: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    """(rule on a class, milder rule of the same drug on one member) where the class rule does not except the member."""
    parents = _parents(statements)
    own: dict[tuple[ConceptId, ConceptId], Statement] = {}
    for s in statements:
        if s.relation == "interacts_with" and s.object and kind_of(s.object) == "ingredient" and not s.when:
            own[s.subject, s.object] = s
    for rule in statements:
        if rule.relation != "interacts_with" or not rule.object or kind_of(rule.object) != "class" or rule.when:
            continue
        for (subject, member), milder in own.items():
            within = subject == rule.subject and rule.object in _up(member, parents)
            if within and milder.tier < rule.tier and not rule.modifiers and member not in rule.excluded:
                yield rule, milder


def _parents(statements: Iterable[Statement]) -> dict[ConceptId, frozenset[ConceptId]]:
    found: dict[ConceptId, set[ConceptId]] = {}
    for s in statements:
        if s.relation == "belongs_to" and s.object:
            found.setdefault(s.subject, set()).add(s.object)
    return {child: frozenset(classes) for child, classes in found.items()}


def _up(concept: ConceptId, parents: Mapping[ConceptId, frozenset[ConceptId]]) -> frozenset[ConceptId]:
    found: set[ConceptId] = set()
    waiting = list(parents.get(concept, ()))
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += parents.get(one, ())
    return frozenset(found)


def _advice(entry: Entry) -> bool:
    rows = [row for key in ("raise", "first_true") for row in _rows(entry, key)]
    return bool(entry.fields.get("management")) or any(row.get("management") for row in rows)


def _milder(entry: Entry, tier: Tier) -> list[Mapping[str, object]]:
    """Branches that lower a rule of some weight to less."""
    rows = [row for key in ("raise", "first_true") for row in _rows(entry, key)]
    return [row for row in rows if "tier" in row and Tier.parse(str(row["tier"])) < tier]


def _tiers(entry: Entry) -> list[str]:
    rows = [row for key in ("raise", "first_true") for row in _rows(entry, key)]
    return [str(entry.fields.get("tier", "warning")), *(str(row.get("tier", "")) for row in rows)]


def _rows(entry: Entry, key: str) -> list[Mapping[str, object]]:
    listed = entry.fields.get(key, [])
    return [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []


def _complaint(place: str, what: str, expected: str) -> BadInput:
    return BadInput(what, where=place, expected=expected)
