"""Turns of one conversation: what is known of the person holds on, what was asked only where a question leans on it.

"I take warfarin." holds for "can I take aspirin?" and is nothing to "what is gout?". "And paracetamol instead?" puts
another drug in the place of the one that was asked about; "and with kidney failure?" keeps it. Somebody else begins
anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from pharmakon.ask.sentinel import CONDITIONS, DRUGS, FOOD, Judgement, judge, leans, sought
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.prescription import Patient
from pharmakon.model.question import Link, Question
from pharmakon.model.tables import read_table
from pharmakon.retrieve.people import SELF, is_known, said, whom
from pharmakon.retrieve.people import carried as person_so_far

_HELD = frozenset({"taken", "had"})
#: Features of a question that asks what may be taken or done, and not what something is.
_ASKING = frozenset({"permission", "joining", "forbidding", "unfit", "dose", "amount"})
#: Intents that may be anybody's, and features of a question that is about the thing alone.
_OPEN = frozenset({"general", "definition", "lifestyle"})
_IMPERSONAL = frozenset({"defining", "aspect", "comparing", "mechanism", "kind_of", "symptoms", "noticing"})
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

    def before(self, question: Question) -> Question:
        """`question` with what holds for it of earlier turns; one about something else takes over nothing."""
        so_far = self._of(whom(question.text))
        leaning = so_far._is_leant_on(question)
        if not leaning and not _asks_for_somebody(question):
            return question
        named = {*question.named(), *_concepts(question.aside)}
        earlier = (*(so_far._still_asked(question) if leaning else ()), *so_far.held)
        carried = tuple(_once(link for link in earlier if named.isdisjoint(link.concepts)))
        shown = {k.words.casefold() for k in carried}
        states = tuple(k for k in _states(so_far.words, said(question.text)) if k.words.casefold() not in shown)
        patient = person_so_far(so_far.last if leaning else so_far.patient, question.patient)
        return replace(question, carried=(*carried, *states), patient=patient)

    def after(self, question: Question) -> Session:
        """The session once `question` (as `before` gave it) is answered; a new subject replaces the old."""
        about = whom(question.text)
        so_far = self._of(about)
        ended = _concepts(k for k in question.aside if k.role != "allergen")
        held = (*(k for k in question.links if k.role in _HELD), *so_far.held)
        asked = (*question.links, *question.carried) if question.links or question.asks else so_far.asked
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
            asked=tuple(k for k in asked if k.role not in (*_HELD, "person"))
            or (() if question.asks else so_far.asked),
            held=tuple(_once(k for k in held if ended.isdisjoint(k.concepts))),
            patient=patient if personal else so_far.patient,
            last=patient,
            words=tuple(words.items()),
            whom=about or so_far.whom,
            using=_asks_for_somebody(question),
        )

    def _of(self, about: str) -> Session:
        """What holds for the one that a question is about: nothing that was said of anybody else."""
        if not about or about == (self.whom or SELF):
            return self
        return Session(asked=self.asked, using=self.using)

    def _is_leant_on(self, question: Question) -> bool:
        if not self.asked:
            return leans(question)
        return leans(question) or not question.asks or _follows(question) or _has_no_object(question)

    def _still_asked(self, question: Question) -> Iterator[Link]:
        """What was asked and stays: drugs give way to drugs, foods to foods.

        "And ibuprofen?" takes the place of a drug that was asked of somebody who takes or has something, or of which
        something else was asked; where nothing is known but drugs they may be meant together, and stay.
        """
        own = {kind_of(c) for link in question.links for c in link.concepts[:1]}
        drugs = [k for k in self.asked if _kind(k) in DRUGS]
        to_a_state = len(drugs) == 1 and any(_kind(k) in CONDITIONS for k in self.asked)
        alone = not self.using or to_a_state or bool(self.held) or is_known(self.last)
        instead = bool(_pattern("instead").search(question.text)) and len(drugs) == 1
        replaced = bool(own & DRUGS) and (alone or instead) and not _with_drug(question)
        for link in self.asked:
            gives_way = (link in drugs and replaced) or (_kind(link) in FOOD and bool(own & FOOD))
            if not gives_way:
                yield link


def _asks_for_somebody(question: Question) -> bool:
    """Whether what somebody takes and has matters to the question: it asks what may be taken or done."""
    if not question.asks or sought(question):
        return True
    judged: Judgement = judge(replace(question, patient=Patient()))
    features = set(judged.features)
    if not features & {"drug", "food"}:
        return False
    return judged.early or bool(features & _ASKING) or (judged.intent in _OPEN and not features & _IMPERSONAL)


def _has_no_object(question: Question) -> bool:
    """Whether it asks what may be taken and names nothing to take: "eGFR 25能吃吗"."""
    features = set(judge(question).features)
    said_of_somebody = bool(features & {"population", "condition"}) or bool(_pattern("nothing").search(question.text))
    return (
        "permission" in features
        and said_of_somebody
        and not features & {"drug", "food", "living", "consumed"}
        and not sought(question)
    )


def _follows(question: Question) -> bool:
    return bool(_pattern("instead").search(question.text) or _pattern("follows").search(question.text))


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


@cache
def _pattern(name: str) -> re.Pattern[str]:
    data = read_table("pharmakon.ask", "session.toml")
    return re.compile("|".join(data[name]["patterns"]), re.IGNORECASE)
