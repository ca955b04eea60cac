"""What a question states of a person, and whether anything is held of a drug about it.

Where nothing is held of a drug about pregnancy, no rule is broken in pregnancy, and that says nothing at all. So a
drug counts as looked at only where a statement about the thing is held, of the drug or of a class above it. Kidneys
are the exception: every monograph in depth answers for them, also by saying that its source is silent (decision 12).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from pharmakon.ask.agents.agent import Tools
from pharmakon.ask.directness import asks
from pharmakon.audit.checks.organ import RELATIONS as ORGAN_RULES
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.prescription import Patient
from pharmakon.model.question import Question
from pharmakon.model.statements import Condition, Statement
from pharmakon.model.vocabulary import relations
from pharmakon.retrieve.people import ADULT, ELDERLY, implied

_PREGNANCY, _KIDNEYS = ConceptId("disease:pregnancy"), ConceptId("disease:chronic-kidney-disease")
_KIDNEY_DISEASES = (_KIDNEYS, ConceptId("disease:acute-kidney-injury"))
_LIVER = ConceptId("disease:liver-disease")
_KIDNEY_FACTORS = frozenset({"crcl", "egfr", "creatinine", "dialysis"})
#: Relations whose object is a condition that somebody has: what is said of it for a drug, or against it.
_OF_CONDITION = frozenset({"contraindicated_in", "requires_caution_with", "treats", "used_for", "interacts_with"})
_USES = frozenset({"treats", "used_for"})


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that is stated: by concepts (it, what stands above and below it) and factors that rules ask for."""

    name: str  #: as the reader calls it
    concepts: frozenset[ConceptId] = frozenset()
    factors: frozenset[str] = frozenset()
    in_depth: bool = False  #: every monograph in depth answers for it


def things(patient: Patient, others: Sequence[ConceptId], tools: Tools) -> list[Thing]:
    """What is said of the person, and `others`: conditions and foods. Of ages those of children and of the old."""
    found: dict[str, Thing] = {}
    if patient.pregnant or _PREGNANCY in others:
        name = tools.words.person(Patient(pregnant=True))[0]
        found["pregnant"] = Thing(name, frozenset({_PREGNANCY}), frozenset({"pregnant", "trimester"}))
    if patient.lactating:
        name = tools.words.person(Patient(lactating=True))[0]
        found["lactating"] = Thing(name, factors=frozenset({"lactating"}))
    if patient.age is not None and (patient.age[0] < ADULT or patient.age[1] >= ELDERLY):
        name = tools.words.person(Patient(age=patient.age))[0]
        found["age"] = Thing(name, factors=frozenset({"age"}))
    for thing in _measured(patient, tools):
        found.setdefault("kidney" if thing.factors == _KIDNEY_FACTORS else thing.name, thing)
    for concept in dict.fromkeys(others):
        thing = _of(concept, tools)
        if concept != _PREGNANCY and not (thing.factors == _KIDNEY_FACTORS and _is_implied(concept, patient, found)):
            found.setdefault(concept, thing)
    return list(found.values())


def silent(concept: ConceptId, asked: Sequence[Thing], tools: Tools) -> tuple[Thing, ...]:
    """The things about which nothing is held of a drug; of a product, where nothing is of one of its ingredients."""
    if not asked:
        return ()
    whole, *ingredients = (_held_of(part, asked, tools) for part in tools.parts(concept))
    in_parts = set.intersection(*ingredients) if ingredients else set()
    return tuple(thing for thing in asked if thing not in whole | in_parts)


def of_other_routes(drugs: Sequence[ConceptId], question: Question, tools: Tools) -> frozenset[str]:
    """What is quoted for rules that hold by other routes alone, of a drug that is taken by mouth.

    A question that speaks of a needle, a patch or the like may mean these; any other means what is swallowed.
    """
    above = frozenset(c for chains in tools.knowledge.ancestors(drugs).values() for c in chains)
    given = tools.knowledge.about(above, ("given_by",))
    mouth = any("oral" in c.values for s in given for clause in s.when for c in clause if c.factor == "route")
    if not mouth or asks(question, "by_needle"):
        return frozenset()
    rules = tools.knowledge.about(above, ORGAN_RULES)
    return frozenset(e.quote for s in rules if _is_of_other_route(s) for e in s.evidence)


def _is_of_other_route(statement: Statement) -> bool:
    return bool(statement.when) and all(
        any(c.factor == "route" and not c.negated and "oral" not in c.values for c in clause)
        for clause in statement.when
    )


def _held_of(concept: ConceptId, asked: Sequence[Thing], tools: Tools) -> set[Thing]:
    """Of `asked` those about which something is held of the drug itself or of a class above it."""
    known = tools.knowledge.concepts({concept}).get(concept)
    deep = known is not None and known.covered == "deep"
    above = frozenset(tools.knowledge.ancestors([concept])[concept])
    found = [s for s in tools.knowledge.about(above, relations()) if s.excluded.isdisjoint(above)]
    return {t for t in asked if (t.in_depth and deep) or any(_speaks_of(s, t) for s in found)}


def speaking(group: ConceptId, thing: Thing, tools: Tools) -> list[Statement]:
    """What is held of a class, of what stands above it and of its members, about a thing; its own first."""
    above = frozenset(tools.knowledge.ancestors([group])[group])
    members = tools.knowledge.descendants(group) - above
    own, theirs = (tools.knowledge.about(c, relations()) for c in (above, members))
    found = [s for s in (*own, *theirs) if not s.negative and _speaks_of(s, thing)]
    return [s for s in found if s.relation not in _USES]


def _speaks_of(statement: Statement, thing: Thing) -> bool:
    """Whether a statement is about a thing; what holds without it is not."""
    if statement.relation in _OF_CONDITION and statement.object in thing.concepts:
        return True
    return any(_asks_of(c, thing) for c in _conditions(statement))


def _asks_of(condition: Condition, thing: Thing) -> bool:
    if condition.factor in thing.factors:
        return True
    return not condition.negated and not thing.concepts.isdisjoint(map(ConceptId, condition.values))


def _conditions(statement: Statement) -> Iterator[Condition]:
    if statement.relation not in _USES:
        for clause in (*statement.when, *(m.clause for m in statement.modifiers)):
            yield from clause


def _measured(patient: Patient, tools: Tools) -> Iterator[Thing]:
    for factor, value in patient.labs:
        one = replace(Patient(), labs=((factor, value),))
        name = tools.words.person(one)[0]
        if factor in _KIDNEY_FACTORS:
            yield Thing(name, _kidneys(tools), _KIDNEY_FACTORS, in_depth=True)
        else:
            yield Thing(name, factors=frozenset({factor}))
    if patient.dialysis:
        yield Thing(tools.words.person(Patient(dialysis=True))[0], _kidneys(tools), _KIDNEY_FACTORS, in_depth=True)


def _of(concept: ConceptId, tools: Tools) -> Thing:
    below = tools.knowledge.descendants(concept)
    around = frozenset((*tools.knowledge.ancestors([concept])[concept], *below, concept))
    name = tools.name(concept)
    if kind_of(concept) == "disease" and concept in _kidneys(tools):
        return Thing(name, around, _KIDNEY_FACTORS, in_depth=True)
    if kind_of(concept) == "disease" and (concept == _LIVER or _LIVER in around):
        return Thing(name, around, frozenset({"child_pugh"}))
    return Thing(name, around)


def _kidneys(tools: Tools) -> frozenset[ConceptId]:
    return frozenset(k for disease in _KIDNEY_DISEASES for k in (disease, *tools.knowledge.descendants(disease)))


def _is_implied(concept: ConceptId, patient: Patient, found: Collection[str]) -> bool:
    """Whether a kidney disease is said already by a value, or follows from one."""
    return "kidney" in found or concept in implied(patient)
