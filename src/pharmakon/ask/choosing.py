"""What to take for something, by somebody who takes or has something else: every choice held against that.

"I take warfarin, what can I take for pain?" asks for a choice among what is named for pain, "A or B for itching?" for
one among two. What is sought and what is held are told apart by the words before a name. An option is clear only where
the question about it alone would find nothing at all: what is milder than a warning is told, and never passed over.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

from pharmakon.ask import compose
from pharmakon.ask.agents.agent import Tools
from pharmakon.ask.directness import Named, named
from pharmakon.ask.effects import worsening
from pharmakon.ask.risks import texts
from pharmakon.ask.sentinel import cues, sought, taken_beside
from pharmakon.ask.stated import Thing, of_other_routes, silent, things
from pharmakon.model.answer import Said
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.documents import Evidence
from pharmakon.model.finding import Finding, Gap
from pharmakon.model.question import Link, Question
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import Tier
from pharmakon.retrieve.facts import Fact, between, facts, of_members, of_person, ruled_out, tying
from pharmakon.retrieve.people import implied, is_known
from pharmakon.verify.together import Group, Told, together

#: Choices that are checked; those covered in depth come first.
_MOST = 60
#: Findings that are told in full, cautions that are quoted beside an option, sentences about each of two drugs.
_TOLD, _QUOTED, _EACH = 2, 6, 3
#: Drugs that are named as not assessed for one thing; of more the number is.
_UNASSESSED = 8
_DRUGS = frozenset({"ingredient", "drug"})
_CLASSES, _FOODS = frozenset({"class"}), frozenset({"lifestyle"})
_CONDITIONS = frozenset({"disease", "symptom"})
#: Relations that speak for a drug, and not against it.
_USES = frozenset({"treats", "used_for", "recommended_for"})
_PUNCTUATION = re.compile(r"[^\w\s-]")


@dataclass(frozen=True, slots=True)
class Choice:
    """`sought`: a condition that something is wanted for, or a class that one of is wanted; None where no name is."""

    sought: ConceptId | None
    drugs: tuple[ConceptId, ...] = ()  #: that are taken
    conditions: tuple[ConceptId, ...] = ()  #: that are had besides
    named: tuple[ConceptId, ...] = ()  #: the choice is among these: "A or B"
    purpose: str = ""  #: what one of them is wanted for, in words that name nothing: "arthritis"
    kind: ConceptId | None = None  #: a class that the question wants one of: "which antibiotic for …"
    classes: tuple[ConceptId, ...] = ()  #: of which one is taken
    foods: tuple[ConceptId, ...] = ()


@dataclass(slots=True)
class _Option:
    """One drug of a choice, and all that was found of it with this person."""

    concept: ConceptId
    fact: Fact | None  #: says that it is one
    findings: list[Finding] = field(default_factory=list)
    rules: list[Fact] = field(default_factory=list)  #: stated, though more than is known decides
    grave: list[Fact] = field(default_factory=list)  #: stated against it with a class that one is taken of
    waiting: list[Gap] = field(default_factory=list)
    covered: bool = True
    silent: tuple[Thing, ...] = ()  #: what is stated and nothing is held about: not assessed
    narrow: bool = False  #: named for what is sought in some cases alone

    @property
    def worst(self) -> Finding | None:
        return max(self.findings, key=lambda f: f.tier, default=None)

    @property
    def against(self) -> bool:
        return bool(self.grave) or (self.worst is not None and self.worst.tier >= Tier.WARNING)

    @property
    def told(self) -> tuple[Evidence, ...]:
        """Where what is milder than a warning stands, the gravest first."""
        graver_first = sorted(self.findings, key=lambda f: -f.tier)
        rules = sorted(self.rules, key=lambda f: -f.statement.tier)
        same = [f for f in rules if f.statement.relation == "has_effect"]  # of the very thing, not of what is above it
        found = (*(f.statement.evidence for f in same), *(f.evidence for f in graver_first),
                 *(f.statement.evidence for f in rules),
                 *(g.evidence for g in self.waiting))  # fmt: skip
        return tuple(evidence[0] for evidence in found if evidence)


def choice(question: Question) -> Choice | None:
    """The choice that a question asks for; None where it asks for none, or nothing stands against it."""
    compared = _compared(question)
    if compared is not None:
        return compared
    wanted = sought(question)
    wanted = tuple(k for k in wanted if k.wanted) or wanted  # "kidney failure, which painkiller": one is had
    if not wanted:
        return None
    rest = [k for k in (*question.links, *question.carried) if k not in wanted]
    return held(question, wanted[0].concepts[0], rest)


def held(question: Question, wanted: ConceptId, rest: Sequence[Link]) -> Choice | None:
    """A choice of something for `wanted`, held against what is said besides; None where nothing is."""
    drugs, foods = _first(rest, _DRUGS), _first(rest, _FOODS)
    had = dict.fromkeys((*_first(rest, _CONDITIONS), *implied(question.patient, texts(question))))
    conditions = tuple(c for c in had if c != wanted)
    classes = _first([k for k in rest if k in question.carried or taken_beside(question, k)], _CLASSES)
    if not (drugs or classes or conditions or foods or is_known(question.patient)):
        return None
    return Choice(wanted, drugs, conditions, kind=wanted_class(question, wanted), classes=classes, foods=foods)


def wanted_class(question: Question, wanted: ConceptId) -> ConceptId | None:
    """The class of which one is wanted for a condition: "which antibiotic for …"."""
    if kind_of(wanted) not in _CONDITIONS:
        return None
    named = _first([k for k in question.links if not taken_beside(question, k)], _CLASSES)
    return named[0] if named else None


def answer(asked: Choice, question: Question, tools: Tools) -> list[Said]:
    """What is spoken against, worst first, what is milder, what nothing was found against; empty without a choice."""
    if asked.named:
        return list(_of_named(asked, question, tools))
    asked = _besides(asked, tools)
    found = _candidates(asked, question, tools)
    narrow = {f.statement.subject for f in found.narrow}
    states = things(question.patient, (*asked.conditions, *asked.foods), tools)
    options = [
        _held(f.statement.subject, f, asked, question, states, tools, narrow=f.statement.subject in narrow)
        for f in found.all[:_MOST]
    ]
    said = list(_said(asked, options, tools))
    if said and len(found.all) > _MOST:
        said.append(Said(tools.words("choice_rest", count=len(found.all) - _MOST), role="frame"))
    return said


def _besides(asked: Choice, tools: Tools) -> Choice:
    """`asked` without conditions that are a kind of what is sought: a painkiller for a headache is for the headache."""
    kinds = tools.knowledge.descendants(asked.sought) if asked.sought else frozenset()
    return replace(asked, conditions=tuple(c for c in asked.conditions if c not in kinds))


# ── one option ─────────────────────────────────────────────────────────────────────────────────────


def _held(
    concept: ConceptId, fact: Fact | None, asked: Choice, question: Question, states: Sequence[Thing], tools: Tools,
    *, narrow: bool = False,
) -> _Option:  # fmt: skip
    """The same question about this drug alone: checks, rules that may apply, values that are waited for."""
    parts = tools.parts(concept)
    names = {tools.drug_name(c) for c in parts}
    told = _checked(concept, asked, question, tools)
    # what is named by its use through a needle is not taken by mouth
    elsewhere = frozenset[str]() if narrow else of_other_routes(parts, question, tools)
    return _Option(
        concept, fact,
        findings=[
            f for f in told.findings if names & set(f.drugs) and not elsewhere.issuperset(e.quote for e in f.evidence)
        ],
        rules=[f for f in _rules(parts, asked, question, tools) if f.statement.evidence[0].quote not in elsewhere],
        grave=[f for part in parts for g in asked.classes for f in _with_class(part, g, tools) if _is_grave(f)],
        waiting=[g for g in told.waiting if not g.drugs or names & set(g.drugs)],
        covered=names.isdisjoint(told.not_covered),
        silent=(*silent(concept, states, tools), *_groups(parts, asked, tools)),
        narrow=narrow,
    )  # fmt: skip


def _checked(concept: ConceptId, asked: Choice, question: Question, tools: Tools) -> Told:
    group = Group(
        drugs=tuple(tools.drug_name(d) for d in (*asked.drugs, concept)),
        conditions=tuple(tools.drug_name(c) for c in asked.conditions),
        foods=asked.foods,
        patient=question.patient,
    )
    return together(tools.auditor, group, tools.words.lang)


def _groups(parts: Sequence[ConceptId], asked: Choice, tools: Tools) -> Iterator[Thing]:
    """Classes that one is taken of and nothing is stated of with this drug: no member was checked by itself."""
    for group in asked.classes:
        if not any(_with_class(part, group, tools) for part in parts):
            yield Thing(tools.name(group))


def _with_class(part: ConceptId, group: ConceptId, tools: Tools) -> list[Fact]:
    """What is stated of a drug and a class: of both, of what is above, and of the members."""
    found = between(tools.knowledge, [part, group])
    above = frozenset(tools.knowledge.ancestors([part])[part])
    of_group = (f for f in of_members(tools.knowledge, group, "drug_interaction") if f.statement.object in above)
    return [*(f for f in found if f.by == part or part in (f.statement.subject, f.statement.object)), *of_group]


def _rules(parts: Sequence[ConceptId], asked: Choice, question: Question, tools: Tools) -> list[Fact]:
    """What is stated of the drug with this person, condition or drug, though more that is not known decides."""
    found: list[Fact] = []
    if is_known(question.patient):
        for intent in ("contraindication", "dose"):
            found += of_person(facts(tools.knowledge, parts, intent), question.patient)
    for other in (*asked.conditions, *asked.drugs, *asked.foods):
        for part in parts:
            stated = between(tools.knowledge, [part, other])
            found += (f for f in stated if f.by == part or part in (f.statement.subject, f.statement.object))
    found += (f for group in asked.classes for part in parts for f in _with_class(part, group, tools))
    found += (f for condition in asked.conditions for f in worsening(tools.knowledge, parts, condition))
    against = (f for f in found if f.statement.relation not in _USES and not ruled_out(f.statement, question.patient))
    return list({f.statement.id: f for f in against}.values())


def _is_grave(fact: Fact) -> bool:
    """Whether what is stated of a class speaks against a drug, whatever else is so."""
    return fact.statement.tier >= Tier.WARNING and not fact.statement.when


# ── what is said ───────────────────────────────────────────────────────────────────────────────────


def _said(asked: Choice, options: Sequence[_Option], tools: Tools) -> Iterator[Said]:
    words, what = tools.words, tools.name(asked.sought) if asked.sought else ""
    against = sorted((o for o in options if o.against), key=lambda o: -(o.worst.tier if o.worst else 0))
    milder = [o for o in options if not o.against and o.told]
    rest = [o for o in options if not o.against and not o.told and o.covered]
    clear = [o for o in rest if not o.silent]
    uncovered = [o for o in options if not o.against and not o.told and not o.covered]
    tools.note(
        "choice", sought=asked.sought, against=[o.concept for o in against], milder=[o.concept for o in milder],
        clear=[o.concept for o in clear], not_assessed=[o.concept for o in rest if o.silent],
    )  # fmt: skip
    if against:
        worst = [o.worst for o in against if o.worst is not None and o.worst.tier >= Tier.WARNING]
        grave = [o.grave[0].statement.evidence[0] for o in against if o.grave]
        yield _list("choice_against", what, against, dict.fromkeys((*(f.evidence[0] for f in worst), *grave)), tools)
        wording = tools.wording([*asked.drugs, *asked.conditions, *(o.concept for o in against)])
        yield from compose.found(worst[:_TOLD], words, wording, quotations=2)
        yield from compose.quoted(grave, _TOLD)
    if milder:
        yield _list("choice_milder", what, milder, dict.fromkeys(o.told[0] for o in milder), tools)
        yield from compose.quoted([e for o in milder for e in o.told[:1]], _QUOTED)
        if needs := dict.fromkeys(words.factor(g.needs) for o in milder for g in o.waiting):
            yield Said(words("missing", what=words.listed(list(needs))), role="frame")
    for key, found in (("choice_clear", False), ("choice_narrow", True)):
        if chosen := [o for o in clear if o.narrow is found]:
            names = words.either([tools.name(o.concept) for o in chosen])
            evidence = tuple(o.fact.statement.evidence[0] for o in chosen if o.fact is not None)
            yield Said(words(key, what=what, items=names), evidence, role="list")
    yield from _not_assessed([*rest, *milder], tools)
    if uncovered:
        yield Said(words("not_covered", names=words.listed([tools.name(o.concept) for o in uncovered])), role="frame")


def _not_assessed(options: Sequence[_Option], tools: Tools) -> Iterator[Said]:
    """Of what is stated, what nothing is held about, with the drugs of which that is so."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for option in options:
        if option.silent:
            groups.setdefault(tuple(t.name for t in option.silent), []).append(tools.name(option.concept))
    for missing, names in groups.items():
        more = len(names) - _UNASSESSED
        shown = tools.words.either(names[:_UNASSESSED])
        key = "not_held_more" if more > 0 else "not_held"
        yield Said(tools.words(key, what=tools.words.listed(missing), names=shown, count=more), role="frame")


def _list(key: str, what: str, options: Sequence[_Option], told: Iterable[Evidence], tools: Tools) -> Said:
    """Options with what is said of them, and where each is named as one."""
    names = tools.words.listed([tools.name(o.concept) for o in options])
    named = (o.fact.statement.evidence[0] for o in options if o.fact is not None)
    return Said(tools.words(key, what=what, items=names), tuple(dict.fromkeys((*told, *named))), role="finding")


def _candidates(asked: Choice, question: Question, tools: Tools) -> Named:
    """What is named for a condition, or the members of a class, each with the statement that says so."""
    if asked.sought is None:
        return Named((), ())
    if kind_of(asked.sought) == "class":
        members = tools.knowledge.descendants(asked.sought)
        said = tools.knowledge.about(members, ("belongs_to",))
        found = [Fact(s, asked.sought, as_object=True) for s in said if s.object in members]
    else:
        uses = facts(tools.knowledge, [asked.sought], "indication")
        found = [f for f in uses if f.as_object and f.statement.object == asked.sought]
    of_kind = tools.knowledge.descendants(asked.kind) if asked.kind else None
    subjects = {f.statement.subject for f in found if kind_of(f.statement.subject) in _DRUGS} - set(asked.drugs)
    known = tools.knowledge.concepts(subjects)
    kept = [
        f for f in found
        if (c := f.statement.subject) in known and known[c].covered != "carrier"
        and (of_kind is None or any(part in of_kind for part in tools.parts(c)))
    ]  # fmt: skip
    if kind_of(asked.sought) == "class":
        rank = {c: (known[c].covered != "deep", kind_of(c) == "drug", c) for c in known}
        once = {f.statement.subject: f for f in sorted(kept, key=lambda f: rank[f.statement.subject])}
        return Named(tuple(once.values()), ())
    return named(kept, question, tools.knowledge)


# ── one of two ─────────────────────────────────────────────────────────────────────────────────────


def _compared(question: Question) -> Choice | None:
    """Names of which one is to be chosen, by what stands between and behind them."""
    groups = {cue.group for cue in cues(question)}
    drugs = [k for k in question.links if k.concepts and kind_of(k.concepts[0]) in _DRUGS and k.role != "taken"]
    row = _around_or(question, drugs) if sought(question) else _row(question, drugs, "between")
    one_of = len(row) > 1 and bool(sought(question))
    row = row if len(row) > 1 else _beside(drugs, groups)
    if len(row) < 2 or (groups & {"joining", "permission", "dose", "side_effect"} and not one_of):
        return None
    conditions = [k for k in question.links if k.concepts and kind_of(k.concepts[0]) in _CONDITIONS]
    behind = question.text[row[-1].end :]
    behind = behind.lstrip(" ,，")
    purposed = _pattern("for", question.lang).match(behind) if _row(question, drugs, "either") == row else None
    differ = "comparing" in groups
    if not differ and not purposed and not one_of:
        return None
    # "for someone with heart failure": it is had, and nothing is wanted for it
    wanted = next((k for k in conditions if k.start >= row[-1].end and k.role != "had"), None) if purposed else None
    rest = [k for k in (*question.links, *question.carried) if k not in row and k is not wanted and not k.wanted]
    conditions_had = tuple(c for c in _first(rest, _CONDITIONS) if wanted is None or c not in wanted.concepts)
    purpose = _PUNCTUATION.sub(" ", behind[purposed.end() :].lstrip()) if purposed and wanted is None else ""
    sought_for = wanted.concepts[0] if wanted else None
    return Choice(
        sought_for, _first(rest, _DRUGS), conditions_had, _first(row, _DRUGS), purpose.strip(),
        classes=_first(rest, _CLASSES), foods=_first(rest, _FOODS),
    )  # fmt: skip


def _beside(links: Sequence[Link], groups: Collection[str]) -> list[Link]:
    """Two names of which a question asks whether they are one: "is A another name of the same thing as B"."""
    return list(links) if len(links) == 2 and "naming" in groups and "comparing" in groups else []


def _around_or(question: Question, links: Sequence[Link]) -> list[Link]:
    """The two links with "or" between them, where something is sought besides: "which is safer, A or B"."""
    for one, other in pairwise(links):
        if _pattern("either", question.lang).fullmatch(question.text[one.end : other.start].strip(" ,，、")):
            return [one, other]
    return []


def _row(question: Question, links: Sequence[Link], part: str) -> list[Link]:
    """The first links with nothing between them but words of `part`, a comma with them or alone."""
    row: list[Link] = []
    for link in links:
        if row and not _pattern(part, question.lang).fullmatch(question.text[row[-1].end : link.start].strip(" ,，、")):
            break
        row.append(link)
    return row


def _of_named(asked: Choice, question: Question, tools: Tools) -> Iterator[Said]:
    """Which of the named the sources hold for what is sought, and what each is; then what stands against each."""
    words = tools.words
    uses = {c: [f for f in facts(tools.knowledge, [c], "indication") if not f.as_object] for c in asked.named}
    fits = {c: _fitting(found, asked, tools) for c, found in uses.items()}
    if asked.sought and not any(fits.values()):  # "bij hartfalen": neither is for it, so it is what somebody has
        asked = replace(asked, sought=None, conditions=(*asked.conditions, asked.sought))
    what = tools.name(asked.sought) if asked.sought else asked.purpose
    tools.note("compared", named=list(asked.named), sought=what, fits=[c for c in asked.named if fits[c]])
    if not asked.sought and not any(fits.values()) and (asked.drugs or asked.conditions or is_known(question.patient)):
        states = things(question.patient, (*asked.conditions, *asked.foods), tools)
        options = [_held(c, next(iter(uses[c]), None), asked, question, states, tools) for c in asked.named]
        yield from _one_by_one(asked, options, question, tools)
        return
    if not asked.sought and not any(fits.values()):  # what each is; what they are for says nothing of the difference
        yield from _what_they_are(asked, question, tools)
        return
    if asked.sought or any(fits.values()):
        held_for = [(tools.name(c), fits[c][0]) for c in asked.named if fits[c]]
        if held_for:
            yield compose.listed("treats", what, held_for, words)
        others = [tools.name(c) for c in asked.named if not fits[c]]
        if others:
            yield Said(words("not_named_for", what=what, names=words.listed(others)), role="frame")
    for concept in asked.named:
        kinds = [f for f in facts(tools.knowledge, [concept], "identification") if f.statement.subject == concept]
        what_it_is = [f for f in kinds if f.statement.relation not in _USES][:1]
        yield from compose.stated(fits[concept] or [*what_it_is, *uses[concept]], _EACH)
    if asked.sought and (asked.drugs or asked.conditions or is_known(question.patient)):
        asked = _besides(asked, tools)
        states = things(question.patient, (*asked.conditions, *asked.foods), tools)
        options = [_held(c, next(iter(fits[c] or uses[c]), None), asked, question, states, tools) for c in asked.named]
        yield from _said(asked, options, tools)


def _what_they_are(asked: Choice, question: Question, tools: Tools) -> Iterator[Said]:
    """What each of the named is: which ingredient a name stands for, what that is made of, and its class."""
    words = tools.words
    for link in question.links:
        concept = next((c for c in link.concepts if c in asked.named), None)
        known = tools.knowledge.concepts({concept}).get(concept) if concept else None
        if known is not None and fold(link.words) not in {fold(tools.name(known.id)), fold(known.display)}:
            yield Said(words("stands_for", written=link.words, name=tools.name(known.id)), role="frame")
    for concept in asked.named:
        found = facts(tools.knowledge, [concept], "definition")
        is_what = [f for f in found if not f.as_object and f.statement.relation not in _USES]
        own = [f for f in is_what if f.statement.subject == concept and not _is_of_breakdown(f)]
        if own:
            yield from compose.stated(own, _TOLD)
        else:
            yield Said(words("not_described", name=tools.name(concept)), role="frame")
    if len(asked.named) > 1:
        yield Said(words("no_comparison"), role="frame")


def _is_of_breakdown(fact: Fact) -> bool:
    """Whether a class says how a drug is broken down or carried: nobody asks for that who asks what it is."""
    return (fact.statement.object or "").startswith(("class:cyp", "class:p-gp"))


def _one_by_one(asked: Choice, options: Sequence[_Option], question: Question, tools: Tools) -> Iterator[Said]:
    """What stands against each of the named, where nothing is sought that they are choices for."""
    words = tools.words
    had = [*(tools.name(c) for c in (*asked.conditions, *asked.drugs)), *words.person(question.patient)]
    wording = tools.wording([*asked.drugs, *asked.conditions, *asked.named])
    for option in options:
        yield from compose.found(sorted(option.findings, key=lambda f: -f.tier)[:_TOLD], words, wording)
        yield from compose.quoted([e for f in option.rules for e in f.statement.evidence[:1]], _TOLD)
        if not option.covered:
            yield Said(words("not_covered", names=tools.name(option.concept)), role="frame")
        elif not (option.findings or option.rules or option.silent):
            said = words("none_condition", drug=tools.name(option.concept), condition=words.listed(had))
            yield Said(compose.capital(said), role="frame")
    yield from _not_assessed([o for o in options if o.covered], tools)


def _fitting(uses: Sequence[Fact], asked: Choice, tools: Tools) -> list[Fact]:
    """The uses that are for what is sought; where that names nothing, those whose condition has its words in a name."""
    if asked.sought:
        return tying(uses, [asked.sought], tools.knowledge)
    purpose = fold(asked.purpose)
    if not purpose:
        return []
    known = tools.knowledge.concepts({f.statement.object for f in uses if f.statement.object})
    fitting = {c for c, concept in known.items() if any(purpose in fold(n.text) for n in concept.names)}
    return [f for f in uses if f.statement.object in fitting]


def _first(links: Sequence[Link], kinds: frozenset[str]) -> tuple[ConceptId, ...]:
    return tuple(dict.fromkeys(k.concepts[0] for k in links if k.concepts and kind_of(k.concepts[0]) in kinds))


@cache
def _pattern(part: str, lang: str) -> re.Pattern[str]:
    words = sorted(read_table("pharmakon.ask", "choosing.toml")[part][lang], key=len, reverse=True)
    return re.compile(f"(?:{'|'.join(words)})" + ("" if lang == "zh" else r"(?!\w)"), re.IGNORECASE)
