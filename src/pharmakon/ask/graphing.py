"""A question graph by a language model: it proposes triples, and the code that checks the parser's checks them (CM-1).

Co-MedGraphRAG, sections 3.2 and 4: at temperature 0.7.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pharmakon.ask.checking import Dropped
from pharmakon.ask.triples import Triple, entities, misshapen, parse
from pharmakon.model.concepts import ConceptId
from pharmakon.model.question import Question
from pharmakon.model.vocabulary import relations
from pharmakon.ports.language_model import LanguageModel, ModelError, load_prompt

TEMPERATURE = 0.7
UNKNOWN = "?"
_TOKENS = 400
_TRIPLES = 8


@dataclass(frozen=True, slots=True)
class Graphed:
    """The triples, whether a model proposed them, what was refused, and why they are the parser's where they are."""

    triples: tuple[Triple, ...]
    by_model: bool
    dropped: tuple[Dropped, ...] = ()
    why: str = ""


def graph(question: Question, intent: str, model: LanguageModel) -> Graphed:
    """The triples that `model` proposes and that stand; the parser's where it fails or none stands."""
    parsed = tuple(parse(question, intent))
    named = entities(question)
    if not named:
        return Graphed(parsed, by_model=False, why="the question names nothing")
    material = {
        "entities": [{"id": c, "kind": c.partition(":")[0]} for c in named],
        "relations": [
            {"name": r.name, "head": sorted(r.domain), "tail": sorted(k for k in r.range if k)}
            for r in relations().values()
        ],
        "question": question.text,
    }
    values = {"most": str(_TRIPLES), "data": json.dumps(material, ensure_ascii=False)}
    prompt = load_prompt("pharmakon.ask", "question_graph.v1", values, temperature=TEMPERATURE, tokens=_TOKENS)
    try:
        answer = model.answer(prompt, schema(named))
    except ModelError as error:
        return Graphed(parsed, by_model=False, why=str(error))
    stands: list[Triple] = []
    dropped: list[Dropped] = []
    rows = answer.get("triples")
    for row in rows if isinstance(rows, list) else ():
        triple = _triple(row)
        wrong = misshapen(triple, question) if triple else "no triple"
        if wrong or triple is None:
            dropped.append(Dropped(json.dumps(row, ensure_ascii=False)[:200], wrong))
        elif triple not in stands:
            stands.append(triple)
    if not stands:
        return Graphed(parsed, by_model=False, dropped=tuple(dropped), why="none of what was proposed stands")
    return Graphed(tuple(stands[:_TRIPLES]), by_model=True, dropped=tuple(dropped))


def schema(named: tuple[ConceptId, ...]) -> Mapping[str, Any]:
    """The shape of an answer: ends and relations from closed lists."""
    end = {"enum": [*named, UNKNOWN]}
    row = {
        "type": "object",
        "properties": {"head": end, "relation": {"enum": sorted(relations())}, "tail": end},
        "required": ["head", "relation", "tail"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"triples": {"type": "array", "maxItems": _TRIPLES, "items": row}},
        "required": ["triples"],
        "additionalProperties": False,
    }


def _triple(row: object) -> Triple | None:
    """A row as it was given; None where it has another shape."""
    if not isinstance(row, dict):
        return None
    head, relation, tail = (row.get(key) for key in ("head", "relation", "tail"))
    if not (isinstance(head, str) and isinstance(relation, str) and isinstance(tail, str)):
        return None
    return Triple(_end(head), relation, _end(tail))


def _end(text: str) -> ConceptId | None:
    return None if text in (UNKNOWN, "⊥") else ConceptId(text)
