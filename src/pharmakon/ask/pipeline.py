"""link → sentinel → route → agent → guard → answer: the one way from a question to a reader.

What an agent drafts is never said before the guard has seen it, and a claim without evidence that supports it is never
said at all. Pure but for what the stores are asked.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pharmakon.ask import compose
from pharmakon.ask.agents import AGENTS
from pharmakon.ask.agents.agent import PassageSearch, Tools
from pharmakon.ask.agents.deep_search import risks
from pharmakon.ask.checking import Checker
from pharmakon.ask.choosing import choice
from pharmakon.ask.effects import asked_effect
from pharmakon.ask.risks import drying, texts, weekly
from pharmakon.ask.routing import RouteExplanation, Thresholds, route
from pharmakon.ask.safety import Caution, Medicine, caution, first
from pharmakon.ask.sentinel import DRUGS
from pharmakon.ask.session import Session, closes, lacks_purpose, leans_on_nothing
from pharmakon.ask.words import Words
from pharmakon.ask.writing import Written, facts_of, write
from pharmakon.audit.run import Auditor
from pharmakon.model.answer import Answer, Draft, Said, Step, Verification
from pharmakon.model.concepts import kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.question import Link, Question
from pharmakon.model.simplified import simplified
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import relations
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.ports.language_model import LanguageModel
from pharmakon.retrieve.facts import asked_relations, name_in
from pharmakon.retrieve.language import LANGUAGES, language_of
from pharmakon.retrieve.people import is_known, supposed
from pharmakon.retrieve.questions import Reader
from pharmakon.verify.guard import risk_answer, symbolic_guard
from pharmakon.verify.track import Context

#: Letters of a question that are read; what is longer is a document.
LONGEST = 2_000
#: What copying and terminals leave within words, and nobody sees: soft hyphens, joiners, escape sequences.
_UNSEEN = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
#: What is tried where an agent finds nothing, in order.
_NEXT = {
    "deep_search": ("dual_granularity", "naive"),
    "question_graph": ("dual_granularity", "naive"),
    "dual_granularity": ("naive",),
    "naive": ("dual_granularity",),
}
#: Intents that ask for what is unknown at one end of a relation.
_GRAPH_INTENTS = frozenset({"identification", "indication"})
#: What no source here is about: the price of a drug, its maker.
_UNHELD = "unheld"
#: Intents with a word of advice that holds whatever the sources say.
_ADVICE = frozenset({"stopping", "missed_dose", "crushing"})
#: Questions that speak of a thing without anybody who takes it; what else they name is no reason against it.
_OF_A_THING = frozenset({"identification", "definition", "side_effect", "symptoms", "general"})
#: Features of a question that asks whether a drug has brought on what somebody has.
_BLAMING = frozenset({"causing", "causing_it", "from_drug"})
#: Features of a question that asks what may be taken, or taken together.
_TAKING = frozenset({"permission", "joining"})


@dataclass(frozen=True, slots=True)
class Asking:
    """How a question is to be answered. `agent`: by name, or "" for the router's choice."""

    lang: str = ""
    agent: str = ""
    professional: bool = False
    thresholds: Thresholds | None = None
    model: bool = False  #: a language model writes the answer
    without: frozenset[str] = frozenset()  #: parts switched off, for measuring: micro, macro


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer, what it understood, why that agent, and the session that the next turn continues."""

    answer: Answer
    question: Question
    route: RouteExplanation
    session: Session


class Asker:
    """Answers against one state of a knowledge base; `version` says which."""

    def __init__(
        self, knowledge: KnowledgeBase, auditor: Auditor, passages: PassageSearch, model: LanguageModel | None = None
    ) -> None:
        self.version = knowledge.version()
        self._knowledge, self._auditor, self._passages = knowledge, auditor, passages
        self._reader = Reader(knowledge)
        self._guard = symbolic_guard(auditor, self._reader.scanner)
        self.checker = Checker(knowledge, self._reader.links_of)
        self._model = model

    def ask(self, text: str, asking: Asking | None = None, session: Session | None = None) -> Answered:
        """Raises `BadInput` for an empty or far too long question, an unknown agent or language."""
        asking, session = asking or Asking(), session or Session()
        text = _checked(text, asking, session)
        clock = _Clock()
        typed, text = text, simplified(text)
        if not any(kind_of(c) in DRUGS for link in self._reader.links_of(text) for c in link.concepts):
            self._passages.expect(text)  # of diseases and of other subjects passages tell
        question = session.before(self._reader.read(typed, lang=asking.lang), self._knowledge)
        words = Words(question.lang)
        clock.lap("link", links=[(k.words, list(k.concepts)) for k in question.links])
        session = session.heard(question)
        alarm = caution(text, "" if asking.professional else _medicine(question))
        why = route(question, asking.thresholds)
        chosen = asking.agent or self._chosen(why, question)
        clock.lap("route", intent=why.route.intent, agent=chosen)
        # what a drug goes up to would read as what this person may take: no dose is looked for
        refused = alarm.dose and why.route.intent == "dose" and not asking.professional
        tools = Tools(
            self._knowledge, self._auditor, self._passages, "contraindication" if refused else why.route.intent, words,
            lambda said: self.checker.supports(said, question.lang, text).supported,
            model=self._model if asking.model else None, without=asking.without,
        )  # fmt: skip
        too_often = None if alarm.alone else weekly(question, self._knowledge)
        if alarm.alone:
            draft, agent = Draft(()), "safety"
        elif too_often is not None:
            draft, agent = _weekly(*too_often, words, tools), "safety"
        elif closes(question):
            draft, agent = Draft((Said(words("closing"), role="frame"),)), "session"
        elif (drug := lacks_purpose(question)) is not None:
            draft, agent = Draft((Said(words("for_what", drug=drug.words), role="frame"),)), "session"
        elif leans_on_nothing(question):
            draft, agent = Draft((), abstained=True), "session"
        elif not question.asks and _only_tells(question):
            draft, agent = _noted(question, words, tools)
        elif why.route.intent == _UNHELD:
            draft, agent = Draft((), question.named(), abstained=True), chosen
        elif refused:
            found = AGENTS["deep_search"].draft(question, tools)
            draft, agent = found if any(s.evidence for s in found.sentences) else Draft(()), "deep_search"
        else:
            draft, agent = self._drafted(question, chosen, tools, why)
            if agent != "deep_search" or choice(question) is not None:
                draft = _with_risks(draft, question, tools)
        clock.steps += tools.steps
        clock.lap("draft", agent=agent, sentences=len(draft.sentences))
        written = self._written(question, draft, asking)
        if asking.model:
            dropped = [(d.text, d.why) for d in written.dropped]
            clock.lap("write", by_model=written.by_model, dropped=dropped, notes=list(written.notes))
        draft, verification = self._guarded(written, question, words)
        clock.lap("guard", status=verification.status, conflicts=[list(c.path) for c in verification.conflicts])
        risky = any(s.role == "finding" for s in draft.sentences)
        grave = risky or agent == "deep_search" or why.route.intent == "contraindication"
        referred = grave and verification.status != "intercepted"
        answer = Answer(
            sentences=tuple(
                self._sentences(draft, alarm, referred, question, words, asking, why, session, too_often is not None)
            ),
            lang=question.lang,
            agent=agent,
            route=replace(why.route, agent=agent),
            verification=verification,
            abstained=draft.abstained,
            knowledge_version=self.version,
            notes=(*self._notes(draft, question, words, why), *written.notes),
            dropped=len(written.dropped),
            steps=tuple(clock.steps),
        )
        return Answered(answer, question, why, session.after(question).alarmed(alarm.alarm))

    def route(self, text: str) -> RouteExplanation:
        """Why a question goes where it goes, without answering it."""
        return route(self._reader.read(text))

    def _chosen(self, why: RouteExplanation, question: Question) -> str:
        if choice(question) is not None:
            return "deep_search"
        if asked_effect(question) is not None:
            return "question_graph"
        if why.route.intent in _GRAPH_INTENTS and not why.judgement.early and (question.named() or question.carried):
            return "question_graph"
        return why.route.agent

    def _drafted(self, question: Question, chosen: str, tools: Tools, why: RouteExplanation) -> tuple[Draft, str]:
        if why.route.intent == "side_effect" and question.asks and _BLAMING.intersection(why.judgement.features):
            question = _with_complaints(question)
        taking = why.judgement.early or bool(_TAKING.intersection(why.judgement.features))
        if question.unread and (taking or why.route.intent == "side_effect"):
            # whatever else is said of the things that were read would pass for an answer about those that were not
            return AGENTS["deep_search"].draft(question, tools), "deep_search"
        if drying(question, self._knowledge, why.route.intent):  # what is held against it is looked for, and no more
            return AGENTS["deep_search"].draft(question, tools), "deep_search"
        if asked_relations(why.route.intent).says:  # the other agents do not look at what a sentence speaks of
            if not question.links:  # "can I just stop?" is asked of what was named before
                question = replace(question, links=tuple(k for k in question.carried if k.concepts))
            return AGENTS["naive"].draft(question, tools), "naive"
        draft, agent = AGENTS[chosen].draft(question, tools), chosen
        for other in _NEXT[chosen]:
            if not draft.abstained:
                break
            draft, agent = AGENTS[other].draft(question, tools), other
        return draft, agent

    def _written(self, question: Question, draft: Draft, asking: Asking) -> Written:
        """The draft in a model's words where one is to write and its sentences are supported; else as it is."""
        if not asking.model or self._model is None or draft.abstained or not draft.sentences:
            return Written(draft, by_model=False)
        background = [s.text for s in draft.sentences if s.role == "list"]
        facts = facts_of(self._read_from(draft, question), self._knowledge, question.lang)
        return write(question, draft, self._model, self.checker, background=background, facts=facts)

    def _read_from(self, draft: Draft, question: Question) -> list[Statement]:
        """The statements about what the question names, and its classes, that were read from what the draft quotes."""
        quotes = {e.quote for s in draft.sentences for e in s.evidence}
        chains = self._knowledge.ancestors(question.named())
        about = {c for above in chains.values() for c in above} | chains.keys()
        return [s for s in self._knowledge.about(about, relations()) if any(e.quote in quotes for e in s.evidence)]

    def unsupported(self, answer: Answer, given: str) -> list[str]:
        """The sentences that claim what their evidence does not support, by code; `given` is what the reader said."""
        return [s.text for s in answer.sentences if not self.checker.supports(s, answer.lang, given).supported]

    def _guarded(self, written: Written, question: Question, words: Words) -> tuple[Draft, Verification]:
        """The draft if the guard lets it pass, else what conflicts: there is no other way to a reader (FG-6, FG-7).

        A model's sentences are judged by themselves: a warning of ours beside them takes back no leave that they give.
        """
        draft = written.draft
        if draft.abstained or not draft.sentences:
            return draft, Verification("not_required")
        judged = replace(draft, sentences=written.own) if written.by_model else draft
        verification = self._guard.check(judged, question, Context(patient=question.patient))
        if verification.status == "intercepted":
            return risk_answer(verification, words.lang), verification
        return draft, verification

    def _sentences(
        self, draft: Draft, alarm: Caution, referred: bool, question: Question, words: Words, asking: Asking,
        why: RouteExplanation, session: Session, alone: bool,
    ) -> Iterator[Said]:  # fmt: skip
        yield from first(alarm, words)
        if alarm.alone:
            return
        if session.open:
            still = first(Caution(session.open, low_sugar=session.open == "low_sugar"), words)[0]
            yield Said(words("still", what=still.text), role="frame")
        intent = why.route.intent
        if intent == _UNHELD and "animal" in why.judgement.features:
            yield Said(words("animal"), role="frame")
            return
        if alone:
            yield from draft.sentences
            return
        dry = drying(question, self._knowledge, intent)
        yield from _before_answer(alarm, dry, words, asking)
        if question.unread:
            yield Said(words("unread", names=words.listed([f"“{name}”" for name in question.unread])), role="frame")
        for link in (*question.links, *question.carried):
            if link.part:
                meant = name_in(self._knowledge.concepts(set(link.concepts))[link.concepts[0]], words.lang)
                yield Said(words("part", written=link.words, meant=meant), role="frame")
        if intent in _ADVICE and not asking.professional and not (dry and intent == "stopping"):
            yield Said(words(intent), role="frame")
        if draft.abstained:
            names = list(dict.fromkeys(k.words for k in question.links))
            yield Said(words("abstain_about", names=words.listed(names)) if names else words("abstain"), role="frame")
        yield from draft.sentences
        # whoever is told nothing of something that is taken is told whom to ask
        since = intent == "side_effect" and not question.asks
        silent = draft.abstained or since
        untold = bool(question.unread) or (silent and intent != _UNHELD and _medicine(question) != "")
        if ((referred and draft.sentences) or (untold and intent != "stopping")) and not asking.professional:
            yield Said(words("ask"), role="frame")

    def _notes(self, draft: Draft, question: Question, words: Words, why: RouteExplanation) -> Iterator[str]:
        for link in (*question.links, *question.aside):
            if link.guessed:
                name = name_in(self._knowledge.concepts(set(link.concepts))[link.concepts[0]], words.lang)
                yield words("guessed", written=link.words, meant=name)
        if question.carried:
            yield words("carried", names=words.listed([k.words for k in question.carried]))
        dry = drying(question, self._knowledge, why.route.intent)
        for concept, said in supposed(texts(question)).items():
            name = name_in(self._knowledge.concepts({concept})[concept], words.lang)
            if dry or any(s.role == "finding" and name in s.text for s in draft.sentences):
                yield words("supposed", said=said, meant=name)
        langs = {language_of(e.quote) for s in draft.sentences for e in s.evidence} - {question.lang}
        for lang in sorted(langs):
            yield words("quoted_in", language=words.language(lang))


def _with_complaints(question: Question) -> Question:
    """`question` asking about what somebody has: "since I started amlodipine my ankles are swollen"."""
    kinds = ("symptom", "disease")
    links = [
        replace(k, role="asked") if k.role == "had" and k.concepts and kind_of(k.concepts[0]) in kinds else k
        for k in question.links
    ]
    return replace(question, links=tuple(links))


def _with_risks(draft: Draft, question: Question, tools: Tools) -> Draft:
    """What the checks find among all that is named stands before whatever was asked: nobody asks for it by name."""
    links = (*question.links, *question.carried)
    if tools.intent in _OF_A_THING:
        links = tuple(k for k in links if k.role in ("taken", "had"))
    said = {s.text for s in draft.sentences}
    found = risks(question, links, tools)
    if not any(s.role == "finding" and s.text not in said for s in found):
        return draft
    return replace(draft, sentences=tuple(compose.unique([*found, *draft.sentences])), abstained=False)


def _medicine(question: Question) -> Medicine:
    """How a medicine stands in the question and what holds of earlier turns."""
    drugs = [k for k in (*question.links, *question.carried) if k.concepts and kind_of(k.concepts[0]) in DRUGS]
    return "taken" if any(k.role == "taken" for k in drugs) else "named" if drugs else ""


def _before_answer(alarm: Caution, dry: tuple[Link, ...], words: Words, asking: Asking) -> Iterator[Said]:
    """What does not wait, though it is no alarm; a dose is referred after it."""
    if asking.professional:
        return
    if alarm.pen:
        yield Said(words("pen", number=words.emergency_number), role="frame")
    if alarm.unprotected:
        yield Said(words("unprotected"), role="frame")
    if dry:
        names = words.listed(list(dict.fromkeys(k.words for k in dry)))
        yield Said(words("drying", names=names), role="frame")
    if alarm.dose:
        yield Said(words("dose"), role="frame")


def _weekly(drug: Link, rule: Statement, words: Words, tools: Tools) -> Draft:
    """That a drug is taken once a week, whom to call where it was taken daily, and what the source says."""
    name = compose.capital(tools.name(drug.concepts[0]))
    called = words("taken_daily", number=words.emergency_number)
    first_said = Said(words("weekly", drug=name), rule.evidence, role="finding")
    return Draft((first_said, Said(called, role="frame"), *compose.quoted(rule.evidence)), drug.concepts[:1])


def _checked(text: str, asking: Asking, session: Session) -> str:
    """`text` without what nobody sees; raises `BadInput` for what is no question, or asks for what there is not."""
    if not isinstance(text, str):
        raise BadInput(f"the question is no text but {type(text).__name__}", expected="a question")
    if not isinstance(session, Session):
        raise BadInput(f"the session is {type(session).__name__}", expected="what an earlier answer gave")
    if asking.lang not in ("", *LANGUAGES):
        raise BadInput(f"language {asking.lang!r}", expected=" or ".join(LANGUAGES))
    if not any(c.isalnum() for c in text):
        raise BadInput("the question holds no word" if text.strip() else "the question is empty", expected="a question")
    seen = _UNSEEN.sub("", text)
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise BadInput("the question is no UTF-8", expected="text in UTF-8")
    if len(text) > LONGEST:
        raise BadInput(f"the question has {len(text)} characters", expected=f"at most {LONGEST}")
    if asking.agent and asking.agent not in AGENTS:
        raise BadInput(f"there is no agent {asking.agent!r}", expected=" or ".join(AGENTS))
    return seen


def _only_tells(question: Question) -> bool:
    """Whether a turn without a question says something of the person that no earlier question waits for."""
    if any(k.role == "asked" for k in question.carried):
        return False
    held = [k for k in question.links if k.role != "asked"]
    return bool(held or question.aside or is_known(question.patient)) and len(held) == len(question.links)


def _noted(question: Question, words: Words, tools: Tools) -> tuple[Draft, str]:
    """What was told, as noted; but what the checks find among it is said, for who tells it may not know to ask."""
    draft = AGENTS["deep_search"].draft(question, tools)
    if any(s.role == "finding" for s in draft.sentences):
        return draft, "deep_search"
    said = _told(question, words)
    noted = words("noted", what=words.listed(said)) if said else words("ask_away")
    return Draft((Said(noted, role="frame"),)), "session"


def _told(question: Question, words: Words) -> list[str]:
    """What a turn that asks nothing has said."""
    named = [k.words for k in (*question.links, *question.aside)]
    return list(dict.fromkeys([*named, *words.person(question.patient)]))


class _Clock:
    """Steps of the trace with the time each took."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._last = time.perf_counter()

    def lap(self, name: str, **detail: object) -> None:
        now = time.perf_counter()
        self.steps.append(Step(name, detail, round((now - self._last) * 1000, 3)))
        self._last = now
