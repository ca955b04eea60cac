"""Two risks that lie in how something is taken, and that no check of names finds: a weekly drug taken every day, and a
drug that harms who loses fluid, taken on through vomiting or diarrhoea.

Which drugs are weekly is stated in the knowledge base; which ones may have to be paused, and how both are asked about,
is data (`risks.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from pharmakon.ask.sentinel import CONDITIONS, DRUGS, sought
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.question import Link, Question
from pharmakon.model.statements import Statement
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import Tier
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.people import supposed, whom

_LIMIT, _TOO_OFTEN, _WEEK = "dose_limit", "FREQUENCY_ERROR", "week"
_FOOD = ConceptId("lifestyle:food")


def texts(question: Question) -> tuple[str, ...]:
    """What was said in this question, and of earlier ones what still holds."""
    return (question.text, *(k.words for k in question.carried))


# ── a weekly drug taken every day ──────────────────────────────────────────────────────────────────


def weekly(question: Question, knowledge: KnowledgeBase) -> tuple[Link, Statement] | None:
    """The drug that a question takes to be taken daily, or asks whether it is, and the rule that says weekly."""
    for link in _daily(question):
        own = knowledge.about(link.concepts[:1], (_LIMIT,))
        rule = next((s for s in own if _is_weekly(s)), None)
        if rule is not None:
            return link, rule
    return None


def _is_weekly(statement: Statement) -> bool:
    """Once a week at most, whatever it is taken for, and grave."""
    limit = statement.limit
    return (
        statement.risk == _TOO_OFTEN
        and statement.object is None
        and statement.tier == Tier.CRITICAL
        and limit is not None
        and (limit.value, limit.per) == (1.0, _WEEK)
    )


def _daily(question: Question) -> Iterator[Link]:
    """The drugs that the words for "every day" are said of: the last thing named before them, else the first behind."""
    text = question.text
    for match in _pattern("daily").finditer(text):
        before, behind = text[: match.start()], text[match.end() :]
        alternative = _pattern("either").search(text)
        if not alternative and (_pattern("weekly").search(before) or _pattern("not_it").search(_clause(text, match))):
            continue
        named = sorted((*question.links, *question.aside), key=lambda k: k.start)
        earlier = [k for k in named if k.end <= match.start()]
        later = [k for k in named if k.start >= len(text) - len(behind)]
        nearest = earlier[-1:] or later[:1] or [k for k in question.carried if _is_drug(k)][:1]
        # what it is taken for, or with, may stand between: "methotrexate for my arthritis, daily"
        drugs = [k for k in earlier if _is_drug(k)][-1:] if nearest and _is_beside(nearest[0]) else nearest
        yield from (k for k in (drugs or later[:1]) if _is_drug(k))


def _clause(text: str, match: re.Match[str]) -> str:
    start = max((m.end() for m in _CUT.finditer(text, 0, match.start())), default=0)
    end = next((m.start() for m in _CUT.finditer(text, match.end())), len(text))
    return text[start:end]


_CUT = re.compile(r"[,.;:?!，。；：？！\n]")


# ── fluid that is lost ─────────────────────────────────────────────────────────────────────────────


def drying(question: Question, knowledge: KnowledgeBase, intent: str) -> tuple[Link, ...]:
    """The drugs of a question that may have to be paused by who vomits, has diarrhoea or drinks too little.

    None where it asks what a drug causes or is for, unless somebody is said to have it.
    """
    data = _data()["drying"]
    wanted = {c for k in sought(question) for c in k.concepts}
    links = (*question.links, *question.carried)
    complaints = [k for k in links if set(data["conditions"]) & (set(k.concepts) - wanted)]
    told = supposed(texts(question))
    if not complaints and not told:
        return ()
    somebodys = any(k.role == "had" for k in complaints) or (told and whom(question.text))
    if question.asks and intent not in data["intents"] and not somebodys:
        return ()
    drugs = [k for k in links if _is_drug(k)]
    return tuple(k for k in drugs if _harms_the_dry(k.concepts[0], knowledge))


def _harms_the_dry(drug: ConceptId, knowledge: KnowledgeBase) -> bool:
    parts = [drug, *(s.object for s in knowledge.about({drug}, ("has_ingredient",)) if s.object is not None)]
    above = {c for chain in knowledge.ancestors(parts).values() for c in chain} | set(parts)
    return not above.isdisjoint(_data()["drying"]["drugs"])


def _is_drug(link: Link) -> bool:
    return bool(link.concepts) and kind_of(link.concepts[0]) in DRUGS


def _is_beside(link: Link) -> bool:
    return bool(link.concepts) and (kind_of(link.concepts[0]) in CONDITIONS or link.concepts[0] == _FOOD)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    found: Sequence[str] = _data()["weekly"][name]
    return re.compile("|".join(found), re.IGNORECASE)


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.ask", "risks.toml")
