"""A draft in a model's words: it writes from the draft's evidence, and says what that supports or nothing.

The context goes from background to detail (FusionGraphRAG, section 3.3.3): instructions, community summaries, then
quotations with the facts that were read from them, numbered. The temperature is that of Co-MedGraphRAG: 0.3. What our
own checks found, and every frame, stays as it is: a model may not leave out a warning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pharmakon.ask.checking import Checker, Dropped
from pharmakon.ask.words import Words
from pharmakon.model.answer import Draft, Said
from pharmakon.model.concepts import ConceptId, fold
from pharmakon.model.documents import Evidence
from pharmakon.model.question import Question
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.ports.language_model import LanguageModel, ModelError, load_prompt
from pharmakon.retrieve.facts import name_in
from pharmakon.retrieve.supporting.reading import sentences

TEMPERATURE = 0.3
_TOKENS = 900
_SENTENCES = 8
#: Names of the languages as a prompt calls them.
LANGUAGES = {"en": "English", "nl": "Dutch", "zh": "Chinese"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "maxItems": _SENTENCES,
            "items": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "cites": {"type": "array", "items": {"type": "integer"}}},
                "required": ["text", "cites"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Written:
    """The draft to say, whether a model wrote any of it, what was dropped, and in a reader's words why it is ours."""

    draft: Draft
    by_model: bool
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    own: tuple[Said, ...] = ()  #: the model's sentences of the draft


def write(
    question: Question,
    draft: Draft,
    model: LanguageModel,
    checker: Checker,
    *,
    background: Sequence[str] = (),
    facts: Mapping[str, Sequence[str]] | None = None,
) -> Written:
    """`draft` in the words of `model`, sentence by sentence as far as its evidence supports them.

    `background`: summaries that may be read and not cited; `facts`: what was read from a quotation, by its text
    (`linearised`). Where the model fails, or nothing of what it says is supported, the draft stands and a note says so.
    """
    words = Words(question.lang)
    numbered = _numbered(draft)
    if draft.abstained or not numbered:
        return Written(draft, by_model=False)
    material = {
        "background": list(background),
        "evidence": [
            {"n": n, "quote": e.quote, "source": e.title, "facts": list((facts or {}).get(e.quote, ()))}
            for n, e in enumerate(numbered, 1)
        ],
        "question": question.text,
    }
    values = {
        "language": LANGUAGES[question.lang], "most": str(_SENTENCES),
        "data": json.dumps(material, ensure_ascii=False, indent=1),
    }  # fmt: skip
    prompt = load_prompt("pharmakon.ask", "answer.v1", values, temperature=TEMPERATURE, tokens=_TOKENS)
    try:
        answer = model.answer(prompt, SCHEMA)
    except ModelError as error:
        return Written(draft, by_model=False, notes=(words("model_failed", why=str(error)),))
    said, dropped = _supported(answer, numbered, checker, question.lang)
    notes = (words("model_dropped", count=len(dropped)),) if dropped else ()
    if not said:
        why = words("model_failed", why=words("model_unsupported"))
        return Written(draft, by_model=False, dropped=tuple(dropped), notes=(*notes, why))
    ours = [s for s in draft.sentences if not _is_quotation(s)]
    first = [s for s in ours if s.role != "frame"]
    frames = [s for s in ours if s.role == "frame"]
    rewritten = Draft((*first, *said, *frames), draft.concepts, by_model=True)
    return Written(rewritten, by_model=True, dropped=tuple(dropped), notes=notes, own=tuple(said))


def linearised(statement: Statement, knowledge: KnowledgeBase, lang: str = "en") -> str:
    """A statement as "head (kind) relation tail (kind)" (FusionGraphRAG, section 3.3.3)."""
    known = knowledge.concepts({c for c in (statement.subject, statement.object) if c})

    def end(concept: ConceptId) -> str:
        return f"{name_in(known[concept], lang)} ({concept.partition(':')[0]})" if concept in known else concept

    relation = ("not " if statement.negative else "") + statement.relation.replace("_", " ")
    limit = f" at most {statement.limit}" if statement.limit else ""
    tail = f" {end(statement.object)}" if statement.object else ""
    return f"{end(statement.subject)} {relation}{tail}{limit}"


def facts_of(statements: Sequence[Statement], knowledge: KnowledgeBase, lang: str = "en") -> dict[str, list[str]]:
    """The text of a quotation → what was read from it, as `write` takes it."""
    found: dict[str, list[str]] = {}
    for statement in statements:
        for evidence in statement.evidence:
            found.setdefault(evidence.quote, []).append(linearised(statement, knowledge, lang))
    return found


def _numbered(draft: Draft) -> list[Evidence]:
    """The evidence of the draft's claims, each quotation once."""
    once: dict[str, Evidence] = {}
    for said in draft.sentences:
        for one in said.evidence if said.role == "claim" else ():
            once.setdefault(one.quote, one)
    return list(once.values())


def _is_quotation(said: Said) -> bool:
    """Whether a claim is a source's own words, which a model may put otherwise."""
    return said.role == "claim" and any(fold(said.text) in fold(e.quote) for e in said.evidence)


def _supported(
    answer: Mapping[str, Any], numbered: Sequence[Evidence], checker: Checker, lang: str
) -> tuple[list[Said], list[Dropped]]:
    said: list[Said] = []
    dropped: list[Dropped] = []
    for text, cites in islice(_rows(answer), 4 * _SENTENCES):
        cited = tuple(numbered[n - 1] for n in dict.fromkeys(cites) if 0 < n <= len(numbered))
        verdict = checker.check(text, cited, lang)
        if not verdict.supported:
            dropped.append(Dropped(text, str(verdict)))
        elif all(text != other.text for other in said):
            said.append(Said(text, cited))
    return said[:_SENTENCES], dropped


def _rows(answer: Mapping[str, Any]) -> Iterator[tuple[str, list[int]]]:
    """(sentence, cited numbers); a text of several sentences is as many rows, and what has another shape none."""
    rows = answer.get("sentences")
    for row in rows if isinstance(rows, list) else ():
        text, cites = (row.get("text"), row.get("cites")) if isinstance(row, dict) else (None, None)
        if isinstance(text, str):
            numbers = (
                [n for n in cites if isinstance(n, int) and not isinstance(n, bool)] if isinstance(cites, list) else []
            )
            yield from ((sentence, numbers) for sentence in sentences(text))
