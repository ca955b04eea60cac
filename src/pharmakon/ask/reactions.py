"""What a drug does that nobody wants: all that is held, or the one thing that is asked about.

"Does amiodarone cause lung damage?" names no effect that a lexicon holds, and a list of other effects reads as a "no".
So what is asked about is looked for in the sentences themselves; where none speaks of it, that is said, and no more.
A general list says that it is what these sources hold, since labels name more than is stated here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from pharmakon.ask import compose
from pharmakon.ask.agents.agent import Tools
from pharmakon.ask.sentinel import DRUGS, cues
from pharmakon.model.answer import Draft, Said
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.question import Question
from pharmakon.model.tables import read_table
from pharmakon.retrieve.facts import Asked, Fact, facts

INTENT = "side_effect"
_LISTED, _QUOTED = 8, 4
#: Relations that may say what a drug brings about.
_EFFECTS = Asked(("causes", "has_effect", "increases_risk", "requires_caution_with"), ())
_EFFECT_KINDS = frozenset({"symptom", "disease", "outcome"})
#: How the sources say that a drug brings something about.
_BRINGS = re.compile(
    r"\b(?:causes?|caused|bring|brings|induces?|leads? to|followed|reported|raises?|damages?|injur|harms?|toxicity)\b"
)
_LATIN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
#: Letters of a word that a sentence is searched for.
_SEARCHED = 5


def draft(question: Question, tools: Tools) -> Draft | None:
    """The answer to a question about effects that names no effect which is known; None for any other."""
    drugs = [c for c in question.named() if kind_of(c) in DRUGS]
    named = [c for k in question.links if k.role == "asked" for c in k.concepts if kind_of(c) in _EFFECT_KINDS]
    if tools.intent != INTENT or not drugs or named or "micro" in tools.without:
        return None
    held = list(_body(question))
    words = [] if held else _left(question)
    found = facts(tools.knowledge, drugs, _EFFECTS)
    if not held and not words:
        return _general(drugs, question, tools)
    pattern = re.compile("|".join(held or map(re.escape, words)), re.IGNORECASE)
    about = [f for f in found if _says(f, pattern)]
    tools.note("effect asked", words=held or words, statements=[f.statement.id for f in about])
    if about:
        return Draft(tuple(compose.stated(about, _QUOTED)), tuple(drugs))
    names = tools.words.listed([tools.name(d) for d in dict.fromkeys(drugs)])
    return Draft((Said(tools.words("effect_not_held", drug=names), role="frame"),), tuple(drugs))


def _general(drugs: Sequence[ConceptId], question: Question, tools: Tools) -> Draft | None:
    found = facts(tools.knowledge, drugs, INTENT)
    if not found:
        return None
    ordered = sorted(found, key=_rank)
    tools.note("looked up", statements=[f.statement.id for f in ordered[:_LISTED]])
    said = compose.stated(ordered, _LISTED)
    return Draft((*said, Said(tools.words("effects_held"), role="frame")), question.named())


def _rank(fact: Fact) -> tuple[object, ...]:
    """What it brings about before what it needs care for; what stands in a boxed warning first."""
    evidence = fact.statement.evidence[0]
    brings = bool(_BRINGS.search(evidence.quote)) or fact.statement.relation != "requires_caution_with"
    return not brings, evidence.section != "boxed_warning"


def _says(fact: Fact, pattern: re.Pattern[str]) -> bool:
    """Whether a sentence says that the drug brings about what is asked: not that it needs care where it is there."""
    for sentence in re.split(r"(?<=[.;])\s", fact.statement.evidence[0].quote):
        if pattern.search(sentence) and (
            _BRINGS.search(sentence) or fact.statement.relation != "requires_caution_with"
        ):
            return True
    return False


def _body(question: Question) -> Iterator[str]:
    """How the sources speak of the part of the body that is asked about."""
    for row in _data()["body"].values():
        bound = ("", "") if question.lang == "zh" else (r"(?<!\w)", r"(?!\w)")
        if re.search(f"{bound[0]}(?:{'|'.join(row[question.lang])}){bound[1]}", _unnamed(question), re.IGNORECASE):
            yield from row["held"]


def _left(question: Question) -> list[str]:
    """Words of a question whether a drug does one thing, that are neither names nor of such questions."""
    if any(cue.group == "choosing" for cue in cues(question)):
        return []
    text = _unnamed(question)
    general = "|".join(sorted(_data()["general"][question.lang], key=len, reverse=True))
    if question.lang == "zh":
        return [w for w in re.split(rf"(?:{general}|[\W\d_])+", text) if len(w) > 1]
    known = re.compile(general, re.IGNORECASE)
    return [fold(w) for w in _LATIN.findall(text) if len(w) >= _SEARCHED and not known.fullmatch(w)]


def _unnamed(question: Question) -> str:
    """The text without what is named in it."""
    letters = list(question.text)
    for link in (*question.links, *question.aside):
        letters[link.start : link.end] = " " * (link.end - link.start)
    return "".join(letters)


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.ask", "reactions.toml")
