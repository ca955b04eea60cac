"""What the knowledge base states of the concepts a question names, as far as it bears on what is asked."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pharmakon.model.concepts import Concept, ConceptId, kind_of
from pharmakon.model.prescription import Patient
from pharmakon.model.question import Question
from pharmakon.model.statements import Condition, Statement
from pharmakon.model.tables import read_table
from pharmakon.ports.knowledge import KnowledgeBase

_DRUGS, _EFFECTS = ("ingredient", "drug", "class"), ("symptom", "disease", "outcome")
#: Kinds of a disease that are looked at when it is asked about.
_KINDS = 40


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement, the concept of the question it was found by, and whether that is its subject or its object."""

    statement: Statement
    by: ConceptId
    as_object: bool = False

    @property
    def other(self) -> ConceptId | None:
        """What stands at the other end."""
        return self.statement.subject if self.as_object else self.statement.object


def facts(knowledge: KnowledgeBase, concepts: Sequence[ConceptId], wanted: str | Asked) -> list[Fact]:
    """Positive statements about `concepts` and the classes above them that answer an intent, or have these relations.

    Those that tie two of the concepts together come first, then in the order of the relations, the gravest first, what
    is said of the concept itself before what is said of its class.
    """
    relations = asked_relations(wanted) if isinstance(wanted, str) else wanted
    chains = knowledge.ancestors(concepts)
    above = {c: frozenset(chains[c]) for c in concepts}
    found: dict[str, Fact] = {}
    for concept in concepts:
        for statement in knowledge.about(above[concept], relations.about):
            if statement.excluded.isdisjoint(above[concept]):
                found.setdefault(statement.id, Fact(statement, concept))
        if relations.of:
            for statement in knowledge.statements(_pointing_at(knowledge, concept, relations.of)):
                found.setdefault(statement.id, Fact(statement, concept, as_object=True))
    positive = [f for f in found.values() if not f.statement.negative and relations.bears(f.statement)]
    order = {relation: at for at, relation in enumerate((*relations.about, *relations.of))}
    everything = frozenset().union(*above.values()) if above else frozenset()
    last = tuple(_data()["last"])

    def rank(fact: Fact) -> tuple[object, ...]:
        s = fact.statement
        ties = fact.other is not None and fact.other != fact.by and fact.other in everything
        own = s.subject == fact.by or fact.as_object
        return not ties, (s.object or "").endswith(last), order[s.relation], not own, -int(s.tier), s.id

    return sorted(positive, key=rank)


def bearing(knowledge: KnowledgeBase, question: Question, intent: str) -> list[Fact]:
    """The facts of what a question names; where it asks whether a drug does a certain thing, those of both alone."""
    named = question.named()
    if not named:
        return []
    denied = {c for k in question.aside if k.role == "denied" for c in k.concepts}
    return [f for f in _bearing(knowledge, question, named, intent) if f.other not in denied]


def _bearing(knowledge: KnowledgeBase, question: Question, named: Sequence[ConceptId], intent: str) -> list[Fact]:
    if intent == "side_effect" and (effects := _effects(question)):
        drugs = [c for c in named if kind_of(c) in _DRUGS]
        return tying(facts(knowledge, drugs, intent), effects, knowledge) or between(knowledge, named)
    found = facts(knowledge, named, intent)
    return in_order_of_doses(found) if intent == "dose" else found


#: What a maximum is one of, in the order in which it is said: single doses are not to be added up to more than a day's.
_PER = ("day", "dose", "hour", "week", "course")


def in_order_of_doses(found: Sequence[Fact]) -> list[Fact]:
    """What holds for everyone before what holds for some; the most in a day, then in one dose, then how often."""

    def rank(fact: Fact) -> tuple[object, ...]:
        statement, limit = fact.statement, fact.statement.limit
        how_often = limit is not None and limit.unit in ("times", "days")
        per = limit.per if limit is not None else ""
        place = _PER.index(per) if per in _PER else len(_PER)
        return limit is None, bool(statement.when or statement.object), how_often, place

    return sorted(found, key=rank)


def _effects(question: Question) -> list[ConceptId]:
    """What a drug is asked to do, beside the drug; what somebody has already is none."""
    if not question.named(*_DRUGS):
        return []
    asked = (k for k in question.links if k.role == "asked")
    return [c for k in asked for c in k.concepts if kind_of(c) in _EFFECTS]


def of_person(found: Sequence[Fact], patient: Patient) -> list[Fact]:
    """Those whose rule asks for something that is so with this person, whatever else it asks; the gravest first."""
    said = [f for f in found if any(_holds(c, patient) for clause in f.statement.when for c in clause)]
    return sorted(said, key=lambda f: (f.statement.object is not None, -int(f.statement.tier), f.statement.id))


def ruled_out(statement: Statement, patient: Patient) -> bool:
    """Whether what is said of the person makes every clause of a rule false: an eGFR of 50 one of 30 to 45."""
    return bool(statement.when) and all(any(_fails(c, patient) for c in clause) for clause in statement.when)


def _fails(condition: Condition, patient: Patient) -> bool:
    """Whether a bound on a value, or on an age, is not met by what is said of the person."""
    if condition.op not in _BOUNDS:
        return False
    if condition.factor == "age":
        ages = patient.age or ()
        return bool(ages) and not any(_compared(condition.op, years, condition.number) for years in ages)
    labs = dict(patient.labs)
    value = labs.get(condition.factor)
    return value is not None and not _compared(condition.op, value.value, condition.number)


def _holds(condition: Condition, patient: Patient) -> bool:
    """Whether a condition is about what is said of the person, and true of it; trimesters are possible in pregnancy."""
    flags = {"pregnant": patient.pregnant, "lactating": patient.lactating, "dialysis": patient.dialysis}
    if condition.factor in flags:
        return bool(flags[condition.factor]) and ("true" in condition.values) != condition.negated
    if condition.factor == "trimester":
        return bool(patient.pregnant)
    if condition.factor == "age" and patient.age is not None:
        return all(_compared(condition.op, years, condition.number) for years in patient.age)
    labs = dict(patient.labs)
    for factor in _SAME_SCALE.get(condition.factor, (condition.factor,)):
        if factor in labs:
            return _compared(condition.op, labs[factor].value, condition.number)
    return False


#: Two measures of kidney function, close enough to find the rules one may come under; a rule says which it means.
_SAME_SCALE = {"egfr": ("egfr", "crcl"), "crcl": ("crcl", "egfr")}


def _compared(op: str, value: float, bound: float) -> bool:
    """Which way the bound is passed; other operators are no bounds."""
    return op in _BOUNDS and _BOUNDS[op](value, bound)


_BOUNDS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def of_members(knowledge: KnowledgeBase, group: ConceptId, intent: str) -> list[Fact]:
    """What is stated of the members of a class, each with the class as what it was found by."""
    relations = asked_relations(intent)
    members = knowledge.descendants(group) - {group}
    return [Fact(s, group) for s in knowledge.about(members, relations.about) if not s.negative]


def tying(found: Sequence[Fact], concepts: Collection[ConceptId], knowledge: KnowledgeBase) -> list[Fact]:
    """Those whose other end is one of `concepts`, or stands above or below one."""
    if not concepts:
        return list(found)
    chains = knowledge.ancestors(concepts)
    wanted = {c for concept in concepts for c in chains[concept]}
    wanted |= {below for concept in concepts for below in knowledge.descendants(concept)}
    return [f for f in found if f.other in wanted]


def _pointing_at(knowledge: KnowledgeBase, concept: ConceptId, relations: Collection[str]) -> list[str]:
    """Ids of statements whose object is `concept` or a kind of it: what treats open-angle glaucoma treats glaucoma."""
    found: list[str] = []
    for kind in sorted(knowledge.descendants(concept))[:_KINDS]:
        edges = knowledge.neighbours(kind)
        found += (id for subject, relation, _, id in edges if relation in relations and subject != kind)
    return found


def between(knowledge: KnowledgeBase, concepts: Sequence[ConceptId]) -> list[Fact]:
    """Whatever is stated from one of `concepts` to another, as an indication, a caution or an interaction."""
    found: dict[str, Fact] = {}
    for concept in concepts:
        others = [c for c in concepts if c != concept]
        for intent in ("indication", "contraindication", "drug_interaction", "side_effect"):
            for fact in tying(facts(knowledge, [concept], intent), others, knowledge):
                found.setdefault(fact.statement.id, fact)
    return sorted(found.values(), key=lambda f: (-int(f.statement.tier), f.statement.id))


@dataclass(frozen=True, slots=True)
class Asked:
    about: tuple[str, ...]
    of: tuple[str, ...]
    sections: Mapping[str, frozenset[str]] = field(default_factory=dict)  #: relation → where a statement of it answers
    says: re.Pattern[str] | None = None  #: what a sentence must speak of to answer

    def bears(self, statement: Statement) -> bool:
        kinds = self.sections.get(statement.relation)
        placed = kinds is None or any(e.section in kinds for e in statement.evidence)
        return placed and (self.says is None or any(self.says.search(e.quote) for e in statement.evidence))


def asked_relations(intent: str) -> Asked:
    """The relations that answer a question of `intent`."""
    return _asked()[intent]


@cache
def _asked() -> Mapping[str, Asked]:
    return {
        intent: Asked(
            tuple(row["about"]),
            tuple(row.get("of", ())),
            {relation: frozenset(kinds) for relation, kinds in row.get("sections", {}).items()},
            re.compile("|".join(row["says"]), re.IGNORECASE) if "says" in row else None,
        )
        for intent, row in _data()["intent"].items()
    }


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.retrieve", "facts.toml")


def name_in(concept: Concept, lang: str) -> str:
    """The preferred name in `lang`, else any of that language, else the canonical English one."""
    own = [n for n in concept.names if n.lang == lang]
    return next(
        (n.text for n in own if n.kind == "preferred"), own[0].text if own and lang != "en" else concept.display
    )
