"""Turns of one conversation: what is known of the person holds on, what was asked only where a question leans on it.

"I take warfarin." holds for "can I take aspirin?" and is nothing to "what is gout?". "And paracetamol instead?" puts
another drug in the place of the one that was asked about; "and with kidney failure?" keeps it. Of two that were asked
about together, the one gives way that is taken for the same. A question that was not answered loses no topic, and
thanks ask nothing. Somebody else begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from pharmakon.ask.safety import Alarm, gravest
from pharmakon.ask.sentinel import CONDITIONS, DRUGS, FOOD, Judgement, judge, leans, sought
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.prescription import Patient
from pharmakon.model.question import Link, Question
from pharmakon.model.tables import read_table
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.facts import facts, name_in
from pharmakon.retrieve.people import SELF, is_known, said, whom
from pharmakon.retrieve.people import carried as person_so_far

_HELD = frozenset({"taken", "had"})
#: Features of a question that asks what may be taken or done, and not what something is.
_ASKING = frozenset({"permission", "joining", "forbidding", "unfit", "dose", "amount"})
#: Intents that may be anybody's, and features of a question that is about the thing alone.
_OPEN = frozenset({"general", "definition", "lifestyle"})
_IMPERSONAL = frozenset({"defining", "aspect", "comparing", "mechanism", "kind_of", "symptoms", "noticing"})
_TAKEN = frozenset({"drug", "ingredient"})
#: Share of what two drugs are taken for above which one stands for the other.
_THE_SAME = 0.5
_CLAUSE = re.compile(r"[,.;?!，。；？！\n]")


@dataclass(frozen=True, slots=True)
class Session:
    """`asked`: what the last question was about, the newest first; `held`: what the person takes and has.

    `patient` and `words` (factor → how it was said) hold for the person; `last` is what the last question was about,
    which may be nobody: "in pregnancy".
    """

    asked: tuple[Link, ...] = ()
    held: tuple[Link, ...] = ()
    patient: Patient = field(default_factory=Patient)
    last: Patient = field(default_factory=Patient)
    words: tuple[tuple[str, str], ...] = ()
    whom: str = ""
    using: bool = False  #: the last question asked what may be taken: a drug named next may be meant with it
    choosing: bool = False  #: the last question asked for something else, and not for what
    sought: tuple[Link, ...] = ()  #: what the last question sought something for: "that" is any that was named for it
    open: Alarm = ""  #: what may still be happening, until somebody says that it is seen to

    def before(self, question: Question, knowledge: KnowledgeBase) -> Question:
        """`question` with what holds for it of earlier turns; one about something else takes over nothing.

        `knowledge` says what drugs are taken for: which of two gives way to a third, and what else there is for it.
        """
        if closes(question):
            return question
        so_far = self._of(whom(question.text))
        leaning = so_far._is_leant_on(question)
        if (wanted := so_far._wanted_instead(question, knowledge)) is not None:
            question, leaning = replace(question, links=(wanted,)), True
            so_far = replace(so_far, asked=tuple(k for k in so_far.asked if _kind(k) not in _TAKEN))
        elif (wanted := so_far._sought_with(question)) is not None:
            question, leaning = replace(question, links=(wanted, *question.links)), True
        if not leaning and not _asks_for_somebody(question):
            return question
        named = {*question.named(), *_concepts(question.aside)}
        earlier = (*(so_far._still_asked(question, knowledge) if leaning else ()), *so_far.held)
        carried = tuple(_once(link for link in earlier if named.isdisjoint(link.concepts)))
        shown = {k.words.casefold() for k in carried}
        states = tuple(k for k in _states(so_far.words, said(question.text)) if k.words.casefold() not in shown)
        patient = person_so_far(so_far.last if leaning else so_far.patient, question.patient)
        return replace(question, carried=(*carried, *states), patient=patient)

    def after(self, question: Question) -> Session:
        """The session once `question` (as `before` gave it) is answered; a new subject replaces the old.

        One that names nothing is no new subject, answered or not: "its side effects?".
        """
        if closes(question):
            return self
        about = whom(question.text)
        so_far = self._of(about)
        ended = _concepts(k for k in question.aside if k.role != "allergen")
        held = (*(k for k in question.links if k.role in _HELD), *so_far.held)
        asked = (*question.links, *question.carried)
        personal = bool(about) or not question.asks
        words = dict(so_far.words)
        if personal:
            words |= said(question.text) | {
                f"allergy: {k.words}": _clause(question.text, k) for k in _allergens(question)
            }
        patient = person_so_far(so_far.patient, question.patient)
        if patient.trimester is None:
            words.pop("trimester", None)
        return Session(
            asked=tuple(k for k in asked if k.role not in (*_HELD, "person")) or so_far.asked,
            held=tuple(_once(k for k in held if ended.isdisjoint(k.concepts))),
            patient=patient if personal else so_far.patient,
            last=patient,
            words=tuple(words.items()),
            whom=about or so_far.whom,
            using=_asks_for_somebody(question),
            choosing=lacks_purpose(question) is not None,
            sought=_sought(question),
            open=self.open,
        )

    def alarmed(self, alarm: Alarm) -> Session:
        """The session once `alarm` was heard in it: the gravest stays open."""
        return replace(self, open=gravest(self.open, alarm))

    def heard(self, question: Question) -> Session:
        """The session as a question finds it: without an alarm that is said to be seen to."""
        return replace(self, open="") if self.open and _says("settled", question) else self

    def _of(self, about: str) -> Session:
        """What holds for the one that a question is about: nothing that was said of anybody else."""
        if not about or about == (self.whom or SELF):
            return self
        return Session(asked=self.asked, using=self.using)

    def _is_leant_on(self, question: Question) -> bool:
        if not self.asked:
            return leans(question)
        return (
            leans(question)
            or not question.asks
            or _says("instead", question)
            or _says("next", question)
            or _says("follows", question)
            or _has_no_object(question)
            or _joins(question)
            or _points_back(question)
            or (_is_of_food_alone(question) and any(_kind(k) in DRUGS for k in self.asked))
        )

    def _still_asked(self, question: Question, knowledge: KnowledgeBase) -> Iterator[Link]:
        """What was asked and stays: drugs give way to drugs, foods to foods.

        "And ibuprofen?" takes the place of a drug that was asked of somebody who takes or has something, or of which
        something else was asked; where nothing is known but drugs they may be meant together, and stay. Of several
        that were asked about together one gives way: "clarithromycin with colchicine?", "and azithromycin?".
        """
        own = {kind_of(c) for link in question.links if link.role not in _HELD for c in link.concepts[:1]}
        drugs = [k for k in self.asked if _kind(k) in DRUGS]
        giving_way: list[Link] = []
        of_food = len(drugs) == 1 and any(_kind(k) in FOOD for k in self.asked)
        if of_food and own & DRUGS and question.asks:  # "grapefruit with simvastatin?", "and with atorvastatin?"
            giving_way = _like(question, drugs, knowledge)
        if own & DRUGS and question.asks and not _with_drug(question) and not _joins(question):
            to_a_state = any(_kind(k) in CONDITIONS for k in self.asked)
            alone = not self.using or to_a_state or bool(self.held) or is_known(self.last)
            if len(drugs) > 1:
                giving_way = _like(question, drugs, knowledge)
            elif alone or _says("instead", question) or _says("next", question):
                giving_way = drugs
        for link in self.asked:
            # a drug that is named answers what something was wanted for, which is no condition to hold it against
            answered = link.wanted and _kind(link) in CONDITIONS and bool(own & DRUGS)
            if link not in giving_way and not answered and not (_kind(link) in FOOD and own & FOOD):
                yield link

    def _sought_with(self, question: Question) -> Link | None:
        """What the last question sought something for, where this one asks whether "that" goes with what it names."""
        drugs = [k for k in question.links if _kind(k) in DRUGS]
        if not (self.sought and drugs) or any(_kind(k) in DRUGS for k in self.asked) or not _says("goes", question):
            return None
        return replace(self.sought[0], start=0, end=0, role="asked", wanted=True)

    def _wanted_instead(self, question: Question, knowledge: KnowledgeBase) -> Link | None:
        """What something else is wanted for, where a question asks what to take instead of the drug asked about.

        It is what that drug is taken for: what was said of it, or all that there is; `lacks_purpose` where it is
        neither, and then the next turn may say it. Of two drugs it is not known which is to be replaced.
        """
        drugs = [k for k in self.asked if _kind(k) in _TAKEN]
        own = [k for k in question.links if _kind(k) in CONDITIONS]
        if len(drugs) != 1 or len(own) < len(question.links):
            return None
        if self.choosing and own:
            return replace(own[0], role="asked", wanted=True)
        if own or not _says("else", question):
            return None
        uses = _uses(drugs[0].concepts[0], knowledge)
        said = next((k for k in (*self.asked, *self.held) if uses.intersection(k.concepts[:1])), None)
        if said is None and len(uses) == 1:
            (only,) = uses
            said = Link(0, 0, (only,), name_in(knowledge.concepts({only})[only], question.lang))
        return None if said is None else replace(said, start=0, end=0, role="asked", wanted=True)


def lacks_purpose(question: Question) -> Link | None:
    """The drug that something else is wanted for, where nothing says what it is taken for."""
    drugs = [k for k in question.carried if _kind(k) in _TAKEN and k.role == "asked"]
    return drugs[0] if len(drugs) == 1 and not question.links and _says("else", question) else None


def leans_on_nothing(question: Question) -> bool:
    """Whether it asks for something else, and nothing was named that it could take the place of."""
    return not (question.links or question.carried or question.aside) and _says("else", question)


def closes(question: Question) -> bool:
    """Whether a turn only thanks or takes leave.

    >>> closes(Question("Thanks, that's all", "en")), closes(Question("Thanks. And with alcohol?", "en"))
    (True, False)
    """
    return _says("closing", question)


def _sought(question: Question) -> tuple[Link, ...]:
    """What something is sought for: "what helps gout?", and "which medicine for it?" of what was said before."""
    if wanted := sought(question):
        return wanted
    links = [*question.links, *question.carried]
    conditions = [k for k in links if _kind(k) in CONDITIONS]
    named = any(_kind(k) in DRUGS and k.role == "asked" for k in links)
    return tuple(conditions) if not named and len(conditions) == 1 and judge(question).intent == "indication" else ()


def _asks_for_somebody(question: Question) -> bool:
    """Whether what somebody takes and has matters to the question: it asks what may be taken or done."""
    if not question.asks or _sought(question) or _is_open(question):
        return True
    judged: Judgement = judge(replace(question, patient=Patient()))
    features = set(judged.features)
    if not features & {"drug", "food"}:
        return False
    return judged.early or bool(features & _ASKING) or (judged.intent in _OPEN and not features & _IMPERSONAL)


def _has_no_object(question: Question) -> bool:
    """Whether it asks what may be taken and names nothing to take: "eGFR 25能吃吗"."""
    features = set(judge(question).features)
    said_of_somebody = bool(features & {"population", "condition"}) or _says("nothing", question)
    return (
        "permission" in features
        and said_of_somebody
        and not features & {"drug", "food", "living", "consumed"}
        and not sought(question)
    )


def _joins(question: Question) -> bool:
    """Whether what it names is to be taken with what was asked before: "can I have aspirin with that?".

    Where the question itself names what "that" is, it joins nothing: "I take warfarin. Is aspirin ok with that?".
    """
    drugs = [k for k in question.links if _kind(k) in DRUGS]
    if len(drugs) > 1 or any(k.role == "taken" for k in question.links):
        return False
    return _says("with_it", question) or (
        (it := _pattern("it_with").search(question.text)) is not None and not any(k.end <= it.start() for k in drugs)
    )


def _points_back(question: Question) -> bool:
    """Whether it names no drug and asks something of one: "its side effects?", "any interactions?", "in pregnancy?"."""
    if any(_kind(k) in DRUGS for k in question.links):
        return False
    if _is_open(question):
        return True
    asked = "of_it" if question.links else "aspect"
    return any(_says(what, question) for what in ("of_it", "in_a_state", "else", asked))


def _is_open(question: Question) -> bool:
    """Whether it asks without a name what may be done or taken: "should I stop?", "which medicines are there?"."""
    judged = judge(question)
    return not question.links and ("may_stop" in judged.features or judged.intent == "indication")


def _is_of_food_alone(question: Question) -> bool:
    """Whether it asks leave for a food or drink and says of nothing else: "可以喝酒吗"."""
    features = set(judge(question).features)
    return bool(features & {"food", "consumed"} and features & {"permission", "joining", "bare"}) and not features & {
        "drug", "condition", "population",
    }  # fmt: skip


def _like(question: Question, drugs: Collection[Link], knowledge: KnowledgeBase) -> list[Link]:
    """Which of `drugs` is taken for the same as the drug that a question names; none if it is unclear.

    The same is more than half of all that either is taken for: many drugs prevent a stroke, and are no choice among
    themselves. Where the question says "instead", one of them gives way, and it is the one that has most in common.
    """
    named = [c for k in question.links if _kind(k) in DRUGS for c in k.concepts[:1]]
    own = frozenset().union(*(_uses(c, knowledge) for c in named))
    uses = {k.concepts[0]: _uses(k.concepts[0], knowledge) for k in drugs}
    shared = {c: len(own & theirs) / max(len(own | theirs), 1) for c, theirs in uses.items()}
    most = max(shared.values())
    alike = [k for k in drugs if shared[k.concepts[0]] == most]
    clear = most > (0 if _says("instead", question) else _THE_SAME)
    return alike if clear and len({k.concepts[0] for k in alike}) == 1 else []


def _uses(drug: ConceptId, knowledge: KnowledgeBase) -> frozenset[ConceptId]:
    """What a drug, or a class that it belongs to, is said to be taken for."""
    found = facts(knowledge, [drug], "indication")
    return frozenset(f.other for f in found if f.other is not None and not f.as_object)


def _with_drug(question: Question) -> bool:
    """Whether the first drug that a question names is one to be taken with another: "and with ibuprofen?"."""
    first = next((k for k in question.links if _kind(k) in DRUGS), None)
    return first is not None and bool(_pattern("beside").search(question.text[: first.start]))


def _states(words: Iterable[tuple[str, str]], now: Collection[str]) -> Iterator[Link]:
    """What earlier turns said of the person's state, as links without a concept: they are shown."""
    held = dict.fromkeys(text for factor, text in words if factor not in now)
    yield from (Link(0, 0, (), text, role="person") for text in held)


def _allergens(question: Question) -> Iterator[Link]:
    return (k for k in question.aside if k.role == "allergen")


def _clause(text: str, link: Link) -> str:
    """The words between the marks around a link."""
    start = max((m.end() for m in _CLAUSE.finditer(text, 0, link.start)), default=0)
    end = next((m.start() for m in _CLAUSE.finditer(text, link.end)), len(text))
    return text[start:end].strip()


def _kind(link: Link) -> str:
    return kind_of(link.concepts[0]) if link.concepts else ""


def _concepts(links: Iterable[Link]) -> set[ConceptId]:
    return {c for link in links for c in link.concepts}


def _once(links: Iterable[Link]) -> Iterator[Link]:
    """The first link of each thing."""
    seen: set[ConceptId] = set()
    for link in links:
        if seen.isdisjoint(link.concepts):
            seen.update(link.concepts)
            yield link


def _says(what: str, question: Question) -> bool:
    return _pattern(what).search(question.text) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    data = read_table("pharmakon.ask", "session.toml")
    return re.compile("|".join(data[name]["patterns"]), re.IGNORECASE)
