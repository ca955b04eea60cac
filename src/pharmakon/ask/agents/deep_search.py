"""Deep search: a grave question in atomic parts, answered by the audit's own checks (FG-5).

"May I take A and B with C, at 82?" is: A with B; each of them in somebody with C and of 82; each with the food that is
named. All are put to the checks at once. The worst that they find comes first, then rules that the person comes under
and that more decides, then what nothing was found about; what could not be checked is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from pharmakon.ask import choosing, compose
from pharmakon.ask.agents.agent import Tools
from pharmakon.ask.choosing import choice
from pharmakon.ask.effects import worsening
from pharmakon.ask.risks import drying, texts
from pharmakon.ask.stated import Thing, of_other_routes, silent, speaking
from pharmakon.ask.stated import things as states
from pharmakon.link.forms import is_patch
from pharmakon.model.answer import Draft, Said
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.prescription import Patient
from pharmakon.model.question import Link, Question
from pharmakon.model.vocabulary import Tier
from pharmakon.retrieve.facts import Fact, between, facts, in_order_of_doses, of_members, of_person, ruled_out, tying
from pharmakon.retrieve.people import filtration, implied, is_known, supposed
from pharmakon.verify.together import Group, Told, together

NAME = "deep_search"
#: Findings that are told in full, and rules that are quoted as they stand; of more the summary is.
_TOLD, _QUOTED, _SUMMED = 5, 4, 12
_DRUGS = ("ingredient", "drug")
_CONDITIONS = ("disease", "symptom")
_FOOD = ConceptId("lifestyle:food")
_PREGNANCY = ConceptId("disease:pregnancy")
_WITH_FOOD = "INTERACTION_FOOD"
#: A filtration from which on kidneys have not failed, and the disease that they have where they did.
_FAILING, _KIDNEY_FAILURE = 30.0, frozenset({ConceptId("disease:end-stage-renal-disease")})


@dataclass(frozen=True, slots=True)
class Things:
    """What a question names, of this turn and of those before; a drug written under two names stands there twice."""

    drugs: tuple[ConceptId, ...]
    classes: tuple[ConceptId, ...]
    conditions: tuple[ConceptId, ...]
    foods: tuple[ConceptId, ...]
    patient: Patient
    forms: Mapping[ConceptId, str]  #: drug → the form for the skin that is said of it

    def parts(self) -> Iterator[tuple[ConceptId, ...]]:
        """The atomic questions: pairs of drugs, and each drug with each other thing."""
        yield from combinations(self.drugs, 2)
        yield from ((d, other) for d in dict.fromkeys(self.drugs) for other in (*self.conditions, *self.foods))

    def by_class(self) -> Iterator[tuple[ConceptId, ...]]:
        """Those about a class: it can't be ordered, so its statements are asked for."""
        others = (*dict.fromkeys(self.drugs), *self.foods, *self.conditions)
        yield from ((group, other) for group in self.classes for other in others)
        yield from combinations(self.classes, 2)


class DeepSearch:
    name = NAME

    def draft(self, question: Question, tools: Tools) -> Draft:
        wanted = choice(question)
        if wanted is not None and (said := choosing.answer(wanted, question, tools)):
            return Draft(tuple(compose.unique(said)), wanted.drugs)
        said_so_far = texts(question)
        things = _things((*question.links, *question.carried), question.patient, said_so_far)
        own = _things(question.links, question.patient, said_so_far)
        tools.note("decompose", parts=[*things.parts(), *things.by_class()])
        said = [*_checked(things, own, question, tools), *_of_states(things, tools), *_of_classes(things, own, tools)]
        about = (*dict.fromkeys(things.drugs), *things.classes)
        # while fluid is lost the silence of the sources gives way to no other answer
        dry = drying(question, tools.knowledge, tools.intent)
        return Draft(tuple(compose.unique(said)), about, abstained=not said and not dry)


def _things(links: Sequence[Link], patient: Patient, said: Sequence[str] = ()) -> Things:
    """An ambiguous name counts as what it means first; "food" does not count beside a food.

    `said`: where complaints may be told that another condition is supposed from.
    """
    written: dict[tuple[ConceptId, str], ConceptId] = {}
    for link in links:
        if link.concepts and kind_of(link.concepts[0]) in _DRUGS:
            written.setdefault((link.concepts[0], link.words.casefold()), link.concepts[0])
    foods = _named(links, "lifestyle")
    return Things(
        drugs=tuple(written.values()),
        classes=_named(links, "class"),
        conditions=tuple(dict.fromkeys((*_named(links, *_CONDITIONS), *implied(patient, said)))),
        foods=tuple(f for f in foods if f != _FOOD or len(foods) == 1),
        patient=patient,
        forms=_forms(links),
    )


def _forms(links: Sequence[Link]) -> dict[ConceptId, str]:
    """A drug that is named without a form as well may be meant in any."""
    plain = {k.concepts[0] for k in links if k.concepts and not k.form}
    return {k.concepts[0]: k.form for k in links if k.form and k.concepts[0] not in plain}


def _named(links: Sequence[Link], *kinds: str) -> tuple[ConceptId, ...]:
    return tuple(dict.fromkeys(k.concepts[0] for k in links if k.concepts and kind_of(k.concepts[0]) in kinds))


# ── by the checks ──────────────────────────────────────────────────────────────────────────────────


def risks(question: Question, links: Sequence[Link], tools: Tools) -> list[Said]:
    """Warnings and worse that the checks find among `links` and the person of a question that asks something else."""
    things = _things(links, question.patient, texts(question))
    if not _can_be_checked(things):
        return []
    told = _but_for(_by_mouth(_told(things, tools), things, question, tools), question, tools)
    grave = [f for f in told.findings if f.tier >= Tier.WARNING]
    tools.note("check beside", findings=[f.id for f in grave])
    return compose.found(grave[:_TOLD], tools.words, tools.wording([*things.drugs, *things.conditions, *things.foods]))


def _can_be_checked(things: Things) -> bool:
    besides = len(things.drugs) > 1 or things.conditions or things.foods or is_known(things.patient)
    return bool(things.drugs and besides)


def _but_for(told: Told, question: Question, tools: Tools) -> Told:
    """`told` without what was found of earlier turns alone, and so was answered before."""
    if not (question.carried and question.links):
        return told
    before = {f.id: f.tier for f in _told(_things(question.carried, Patient()), tools).findings}
    return replace(told, findings=tuple(f for f in told.findings if f.id not in before or f.tier > before[f.id]))


def _checked(things: Things, own: Things, question: Question, tools: Tools) -> Iterator[Said]:
    if not _can_be_checked(things):
        return
    whole = _by_mouth(_told(things, tools), things, question, tools)
    told = _but_for(whole, question, tools)
    tools.note("check", findings=[f.id for f in told.findings], not_covered=list(told.not_covered))
    wording = tools.wording([*things.drugs, *things.conditions, *things.foods])
    yield from compose.found(told.findings[:_TOLD], tools.words, wording)
    if rest := told.findings[_TOLD : _TOLD + _SUMMED]:
        evidence = tuple(dict.fromkeys(f.evidence[0] for f in rest))
        summaries = tools.words.listed([wording(f.summary) for f in rest])
        yield Said(tools.words("also", items=summaries, count=len(told.findings) - _TOLD), evidence, role="finding")
    rules = list(_rules(things, own, question, tools))
    yield from rules
    yield from _outside(things, rules, tools)
    yield from _waiting(told, tools)
    yield from _nothing(things, whole, bool(rules), question, tools)
    if whole.findings and not (told.findings or rules or told.waiting):
        named = list(dict.fromkeys(k.words for k in question.links))
        yield Said(tools.words("none_more", names=tools.words.listed(named)), role="frame")


def _told(things: Things, tools: Tools) -> Told:
    group = Group(
        drugs=tuple(_ordered(d, things, tools) for d in things.drugs),
        conditions=tuple(tools.drug_name(c) for c in things.conditions),
        foods=things.foods,
        patient=things.patient,
    )
    return together(tools.auditor, group, tools.words.lang) if things.drugs else Told((), (), (), ())


def _ordered(drug: ConceptId, things: Things, tools: Tools) -> str:
    """A drug as an order of it is written; of its forms those for the skin matter alone."""
    form = things.forms.get(drug)
    name = tools.drug_name(drug)
    return f"{name} {'patch' if is_patch(form) else 'cream'}" if form else name


def _by_mouth(told: Told, things: Things, question: Question, tools: Tools) -> Told:
    """Without what holds by a needle alone, where it is swallowed: nobody who asks of tablets asks of that."""
    parts = {p for d in things.drugs for p in tools.parts(d)}
    elsewhere = of_other_routes(tuple(parts), question, tools)
    kept = tuple(f for f in told.findings if not elsewhere.issuperset(e.quote for e in f.evidence))
    return replace(told, findings=kept)


def _rules(things: Things, own: Things, question: Question, tools: Tools) -> Iterator[Said]:
    """What is stated of a drug and this person or thing, though more that is not known decides: as it stands."""
    drugs = tuple(dict.fromkeys(own.drugs or things.drugs))
    found: list[Fact] = []
    if is_known(things.patient):
        found += of_person(facts(tools.knowledge, drugs, "contraindication"), things.patient)
    if tools.intent == "dose":  # a limit that this person may just not come under is what was asked for, too
        limits = facts(tools.knowledge, drugs, "dose")
        factors = {*dict(things.patient.labs), *(("age",) if things.patient.age else ())}
        limits = in_order_of_doses(limits)
        found += of_person(limits, things.patient) or sorted(limits, key=lambda f: not _asks_of(f, factors))
    for other in (*things.conditions, *things.foods):
        for drug in drugs:
            found += (f for f in between(tools.knowledge, [drug, other]) if f.by == drug)
        found += worsening(tools.knowledge, drugs, other)
    if (value := filtration(things.patient)) is not None and value >= _FAILING:
        found = [f for f in found if f.statement.object not in _KIDNEY_FAILURE]
    elsewhere = of_other_routes(drugs, question, tools) if tools.intent != "dose" else frozenset()
    found = [f for f in found if f.statement.evidence[0].quote not in elsewhere]
    yield from compose.stated(found, _QUOTED)


def _asks_of(fact: Fact, factors: Collection[str]) -> bool:
    return any(condition.factor in factors for clause in fact.statement.when for condition in clause)


def _outside(things: Things, quoted: Sequence[Said], tools: Tools) -> Iterator[Said]:
    """A value that lies outside of what is quoted for another: "eGFR 50" beside a rule for 30 to 45."""
    drugs = tuple(dict.fromkeys(things.drugs))
    texts = {s.text for s in quoted}
    missed = dict.fromkeys(
        condition.factor
        for intent in ("contraindication", "dose")
        for fact in facts(tools.knowledge, drugs, intent)
        if fact.statement.evidence[0].quote in texts and ruled_out(fact.statement, things.patient)
        for clause in fact.statement.when
        for condition in clause
        if condition.factor in dict(things.patient.labs)
    )
    for factor in missed:
        value = next(lab for name, lab in things.patient.labs if name == factor)
        said = tools.words.person(Patient(labs=((factor, value),)))[0]
        yield Said(compose.capital(tools.words("outside", value=said)), role="frame")


def _waiting(told: Told, tools: Tools) -> Iterator[Said]:
    """What the person's state asks for and is not known, with the rules that wait for it."""
    for gap in told.waiting:
        if gap.evidence:
            yield from compose.quoted(gap.evidence, 2)
            yield Said(tools.words("missing", what=tools.words.factor(gap.needs)), role="frame")


def _nothing(things: Things, told: Told, rules: bool, question: Question, tools: Tools) -> Iterator[Said]:
    """Not assessed, or none found among what was checked: never more than that, and in one sentence for all."""
    words = tools.words
    if told.not_covered:
        names = words.listed([_reader_name(n, things, tools) for n in told.not_covered])
        yield Said(words("not_covered_else" if told.findings else "not_covered", names=names), role="frame")

    def name(drug: ConceptId) -> str:
        form = things.forms.get(drug)
        return f"{tools.name(drug)} ({form})" if form else tools.name(drug)

    if drying(question, tools.knowledge, tools.intent):
        return  # what nothing is held about is no reason to go on with it while fluid is lost
    parts = {d: frozenset(map(tools.drug_name, tools.parts(d))) for d in dict.fromkeys(things.drugs)}
    known = [d for d, names in parts.items() if names.isdisjoint(told.not_covered)]
    touched = {name for f in told.findings for name in f.drugs}
    clear = [d for d in known if parts[d].isdisjoint(touched)]
    stated = states(things.patient, things.conditions, tools)
    missing = {d: found for d in known if (found := silent(d, stated, tools))}
    yield from _not_held(missing, tools)
    if len(known) > 1 and things.foods:  # "A or B with milk": each with it, and not the two together
        fed = {name for f in told.findings if f.type == _WITH_FOOD for name in f.drugs}
        for drug in known:
            said = any(between(tools.knowledge, [drug, food]) for food in things.foods)
            if parts[drug].isdisjoint(fed) and not said:
                both = [name(drug), *(tools.name(c) for c in things.foods)]
                yield Said(words("none_food", names=words.listed(both)), role="frame")
    if len(things.drugs) > 1:
        if things.foods and not told.findings:
            return
        if not told.findings and len(known) > 1:
            yield Said(words("none_pair", names=words.listed([name(d) for d in known])), role="frame")
        elif told.findings and clear:
            yield Said(words("none_with", names=words.listed([name(d) for d in clear])), role="frame")
        return
    unsaid = {t.name for t in missing.get(known[0], ())} if known else set()
    guessed = supposed(texts(question)).keys() - set(question.named())
    named = [tools.name(c) for c in (*things.conditions, *things.foods) if c not in guessed]
    if unsaid and not (things.foods or things.patient.labs):
        named = [t.name for t in stated]
    else:
        named += words.person(things.patient)
    with_what = [w for w in dict.fromkeys(named) if w not in unsaid]
    if known and with_what and not (told.findings or told.waiting or rules):
        if things.foods and not (things.conditions or is_known(things.patient)):
            yield Said(words("none_food", names=words.listed([name(known[0]), *with_what])), role="frame")
            return
        frame = words("none_condition", drug=name(known[0]), condition=words.listed(with_what))
        yield Said(compose.capital(frame), role="frame")


def _not_held(missing: Mapping[ConceptId, Sequence[Thing]], tools: Tools) -> Iterator[Said]:
    """What is stated of the person and nothing is held about, with the drugs of which that is so."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for drug, found in missing.items():
        groups.setdefault(tuple(t.name for t in found), []).append(tools.name(drug))
    for what, names in groups.items():
        said = tools.words("not_held", what=tools.words.listed(what), names=tools.words.listed(names))
        yield Said(said, role="frame")


def _reader_name(canonical: str, things: Things, tools: Tools) -> str:
    named = next((tools.name(d) for d in things.drugs if tools.drug_name(d) == canonical), None)
    return named or tools.wording(())(canonical)


# ── by statements ──────────────────────────────────────────────────────────────────────────────────


def _of_states(things: Things, tools: Tools) -> Iterator[Said]:
    """What is stated of a class for who is pregnant, breastfeeds or has a value: its own, then of its members."""
    asked = [t for t in states(things.patient, things.conditions, tools) if t.factors and not t.in_depth]
    for group in things.classes if not things.drugs else ():
        for thing in asked:
            found = speaking(group, thing, tools)
            if found:
                yield from compose.unique(s for f in found for s in compose.quoted(f.evidence[:1]))[:_QUOTED]
                yield Said(tools.words("some_members", name=tools.name(group), what=thing.name), role="frame")
            else:
                yield Said(tools.words("not_held", what=thing.name, names=tools.name(group)), role="frame")


def _of_classes(things: Things, own: Things, tools: Tools) -> Iterator[Said]:
    named = {*own.drugs, *own.classes, *own.conditions, *own.foods}
    pairs = [pair for pair in things.by_class() if not named or not named.isdisjoint(pair)]
    pairs = [pair for pair in pairs if things.drugs or _PREGNANCY not in pair]  # told as a state
    found: dict[str, Fact] = {}
    for pair in pairs:
        found |= {f.statement.id: f for f in _between(pair, tools)}
    tools.note("statements", pairs=pairs, statements=list(found))
    ordered = sorted(found.values(), key=lambda f: (-f.statement.tier, f.statement.id))
    yield from compose.stated(ordered, _QUOTED)
    if pairs and not found:
        names = tools.words.listed([tools.name(c) for c in dict.fromkeys(c for pair in pairs for c in pair)])
        yield Said(tools.words("none_group", names=names), role="frame")


def _between(ends: Sequence[ConceptId], tools: Tools) -> list[Fact]:
    """Statements between two things, at least one of them a class: of both, of what is above and of the members."""
    found: list[Fact] = []
    for end in ends:
        others = [kind for other in ends if other != end for kind in _kinds(other, tools)]
        for intent in ("drug_interaction", "contraindication"):
            own = facts(tools.knowledge, [end], intent)
            if kind_of(end) == "class":
                own += of_members(tools.knowledge, end, intent)
            found += tying(own, others, tools.knowledge)
    return found


def _kinds(concept: ConceptId, tools: Tools) -> list[ConceptId]:
    """A thing, and the classes within a class: what weakens an oestrogen weakens some hormonal contraceptives."""
    if kind_of(concept) != "class":
        return [concept]
    return [concept, *sorted(c for c in tools.knowledge.descendants(concept) - {concept} if kind_of(c) == "class")]
