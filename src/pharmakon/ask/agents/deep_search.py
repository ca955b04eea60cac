"""Deep search: a grave question in atomic parts, each answered by the audit's own checks (FG-5).

"May I take A and B with C, at 82?" is: A with B; each of them in somebody with C and of 82; each with the food that is
named. What the checks find comes first, then what the texts say of the same things; what could not be checked is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pharmakon.ask import compose
from pharmakon.ask.agents.agent import Tools
from pharmakon.model.answer import Draft, Said
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.prescription import Patient
from pharmakon.model.question import Link, Question
from pharmakon.retrieve.facts import Fact, facts, of_members, of_person, tying
from pharmakon.retrieve.people import is_known
from pharmakon.verify.together import Group, Told, together

NAME = "deep_search"
#: Sub-questions of one question; a list of eight drugs has 28 pairs.
_MOST_PARTS = 40
_SENTENCES = 12
_DRUGS = ("ingredient", "drug")
_CONDITIONS = ("disease", "symptom")


@dataclass(frozen=True, slots=True)
class Part:
    """One atomic question: drugs with each other, or one drug with a condition, a food or a person."""

    drugs: tuple[ConceptId, ...]
    classes: tuple[ConceptId, ...] = ()
    conditions: tuple[ConceptId, ...] = ()
    foods: tuple[ConceptId, ...] = ()
    patient: Patient | None = None


class DeepSearch:
    name = NAME

    def draft(self, question: Question, tools: Tools) -> Draft:
        parts = [part for part in decompose(question) if _new(part, question)][:_MOST_PARTS]
        tools.note("decompose", parts=[_shown(part) for part in parts])
        said: list[Said] = []
        for part in parts:
            said += _answer(part, tools)
        about = tuple(dict.fromkeys(c for part in parts for c in (*part.drugs, *part.classes)))
        if not said:
            return Draft((), about, abstained=True)
        return Draft(tuple(compose.unique(said))[:_SENTENCES], about)


def decompose(question: Question) -> Iterator[Part]:
    """The atomic parts of a question, pairs of drugs first. An ambiguous name counts as what it means first."""
    links = (*question.links, *question.carried)
    drugs, classes = _named(links, *_DRUGS), _named(links, "class")
    conditions, foods = _named(links, *_CONDITIONS), _foods(links)
    for twice in _written_twice(links):
        yield Part((twice, twice), patient=question.patient)
    for a, b in combinations(drugs, 2):
        yield Part((a, b), patient=question.patient)
    for drug in drugs:
        for other in classes:
            yield Part((drug,), classes=(other,))
        for food in foods:
            yield Part((drug,), foods=(food,))
        for condition in conditions:
            yield Part((drug,), conditions=(condition,), patient=question.patient)
        if not conditions and is_known(question.patient) and len(drugs) < 2:
            yield Part((drug,), patient=question.patient)
    for a, b in combinations(classes, 2):
        yield Part((), classes=(a, b))
    for other in classes:
        for thing in (*foods, *conditions):
            yield Part((), classes=(other,), foods=(thing,))


def _new(part: Part, question: Question) -> bool:
    """Whether a part is about anything this turn says: what was answered before is not answered again."""
    if not question.carried or not question.links:
        return True
    own = set(question.named())
    return not own.isdisjoint((*part.drugs, *part.classes, *part.conditions, *part.foods))


def _named(links: Sequence[Link], *kinds: str) -> list[ConceptId]:
    return list(dict.fromkeys(k.concepts[0] for k in links if k.concepts and kind_of(k.concepts[0]) in kinds))


def _written_twice(links: Sequence[Link]) -> list[ConceptId]:
    """Drugs that stand under two different names: nothing in the names says that they are the same."""
    names: dict[ConceptId, set[str]] = {}
    for link in links:
        if link.concepts and kind_of(link.concepts[0]) in _DRUGS:
            names.setdefault(link.concepts[0], set()).add(link.words.casefold())
    return [drug for drug, written in names.items() if len(written) > 1]


def _foods(links: Sequence[Link]) -> list[ConceptId]:
    """Without "food" where a food is named: "may I eat grapefruit"."""
    named = _named(links, "lifestyle")
    return [f for f in named if f != _FOOD or len(named) == 1]


_FOOD = ConceptId("lifestyle:food")


def _answer(part: Part, tools: Tools) -> list[Said]:
    if part.classes:
        return _by_statements(part, tools)
    group = Group(
        drugs=tuple(tools.drug_name(d) for d in part.drugs),
        conditions=tuple(tools.drug_name(c) for c in part.conditions),
        foods=part.foods,
        patient=part.patient or Patient(),
    )
    told = together(tools.auditor, group, tools.words.lang)
    tools.note("check", part=_shown(part), findings=[f.id for f in told.findings], not_covered=list(told.not_covered))
    concepts = (*part.drugs, *part.conditions, *part.foods)
    said = compose.found(told.findings, tools.words, tools.wording(concepts))
    said += _rules(part, tools)
    return [*(said or _nothing(part, told, tools)), *_waiting(told, tools)]


def _rules(part: Part, tools: Tools) -> list[Said]:
    """Rules that ask for what the person is, and for more that is not known: said as they stand."""
    if part.patient is None or not is_known(part.patient):
        return []
    found = facts(tools.knowledge, part.drugs, "contraindication")
    return compose.stated(of_person(found, part.patient), 4)


def _waiting(told: Told, tools: Tools) -> list[Said]:
    """What the person's state asks for and is not known, with the rules that wait for it."""
    said: list[Said] = []
    for gap in told.waiting:
        if gap.evidence:
            said += compose.quoted(gap.evidence, 2)
            said.append(Said(tools.words("missing", what=tools.words.factor(gap.needs)), role="frame"))
    return said


def _nothing(part: Part, told: Told, tools: Tools) -> list[Said]:
    """Not assessed, or none found among what was checked: never more than that."""
    words = tools.words
    names = [tools.name(d) for d in part.drugs]
    said = _texts(part, tools)
    if told.not_covered:
        return [*said, Said(words("not_covered", names=words.listed(names)), role="frame")]
    if len(part.drugs) > 1:
        return [*said, Said(words("none_pair", names=words.listed(names)), role="frame")]
    with_what = [tools.name(c) for c in (*part.conditions, *part.foods)]
    with_what += tools.words.person(part.patient) if part.patient is not None else []
    if not with_what or told.waiting:
        return said
    frame = words("none_condition", drug=compose.capital(names[0]), condition=words.listed(with_what))
    return [*said, Said(frame, role="frame")]


def _texts(part: Part, tools: Tools) -> list[Said]:
    """What is stated of both ends though no check speaks of it: an indication, a caution without a tier."""
    if not (part.conditions and part.drugs):
        return []
    found = facts(tools.knowledge, part.drugs, "indication")
    return compose.stated(tying(found, part.conditions, tools.knowledge), 2)


def _by_statements(part: Part, tools: Tools) -> list[Said]:
    """Classes can't be ordered, so their statements are asked for: between both ends, or what stands above them."""
    ends = (*part.drugs, *part.classes, *part.foods)
    found = _between(ends, tools)
    tools.note("statements", part=_shown(part), statements=[f.statement.id for f in found])
    if found:
        return compose.stated(found, 4)
    names = tools.words.listed([tools.name(c) for c in ends])
    return [Said(tools.words("none_pair", names=names), role="frame")]


def _between(ends: Sequence[ConceptId], tools: Tools) -> list[Fact]:
    first, rest = ends[0], ends[1:]
    found: list[Fact] = []
    for intent in ("drug_interaction", "contraindication"):
        found += facts(tools.knowledge, [first], intent)
        for end, others in ((first, rest), *((e, [first]) for e in rest)):
            if kind_of(end) == "class":
                found += tying(of_members(tools.knowledge, end, intent), others, tools.knowledge)
    tied = {f.statement.id: f for f in tying(found, [*rest, first], tools.knowledge)}
    return sorted(tied.values(), key=lambda f: (-f.statement.tier, f.statement.id))


def _shown(part: Part) -> list[str]:
    person = ["person"] if part.patient is not None and is_known(part.patient) else []
    return [*part.drugs, *part.classes, *part.conditions, *part.foods, *person]
