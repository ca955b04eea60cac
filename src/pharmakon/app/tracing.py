"""Traces: kept when asked for, read again, and drawn."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from pharmakon.adapters.interop.answer_json import answer_to_dict
from pharmakon.ask.pipeline import Answered
from pharmakon.model.errors import BadInput
from pharmakon.model.trace import Trace

FORMS = ("json", "mermaid", "dot")
_WIDEST = 60  #: characters of a box


def trace_of(answered: Answered, *, with_question: bool) -> Trace:
    """The trace of an answer, with a new id that the answer then carries."""
    answer = answered.answer
    steps = [json.loads(json.dumps(asdict(step))) for step in answer.steps]
    told = answer_to_dict(answer)
    if not with_question:
        steps, told = _without_words(steps, answered), _without_words(told, answered)
    return Trace(
        id=f"tr-{uuid.uuid4().hex[:12]}",
        at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        question=answered.question.text if with_question else "",
        lang=answer.lang,
        agent=answer.agent,
        knowledge_version=answer.knowledge_version,
        steps=tuple(steps),
        answer=told,
    )


def _without_words(value: Any, answered: Answered) -> Any:
    """`value` with a mark for each word of the question that was not read: it may be anybody's name."""
    hidden = sorted(answered.question.unread, key=len, reverse=True)
    if isinstance(value, str):
        for word in hidden:
            value = value.replace(word, "…")
        return value
    if isinstance(value, dict):
        return {key: _without_words(held, answered) for key, held in value.items()}
    return [_without_words(held, answered) for held in value] if isinstance(value, list) else value


def exported(trace: Trace, form: str) -> str:
    """JSON, or the steps as a graph in Mermaid or DOT: question, steps, claims, the places they rest on."""
    if form not in FORMS:
        raise BadInput(f"there is no form {form!r}", where="--as", expected=" or ".join(FORMS))
    if form == "json":
        return json.dumps(asdict(trace), ensure_ascii=False, indent=2) + "\n"
    nodes, edges = dict(_nodes(trace)), list(_edges(trace))
    if form == "mermaid":
        boxes = [f'  {id}["{_shown(text)}"]' for id, text in nodes.items()]
        return "\n".join(["flowchart TD", *boxes, *(f"  {a} --> {b}" for a, b in edges)]) + "\n"
    boxes = [f'  {id} [shape=box, label="{_shown(text)}"];' for id, text in nodes.items()]
    return "\n".join(["digraph trace {", *boxes, *(f"  {a} -> {b};" for a, b in edges), "}"]) + "\n"


def _nodes(trace: Trace) -> Iterator[tuple[str, str]]:
    yield "q", trace.question or "question (not kept)"
    for at, step in enumerate(trace.steps):
        yield f"s{at}", f"{step['name']}: {_brief(step['detail'])}"
    for at, sentence in enumerate(_claims(trace)):
        yield f"c{at}", sentence["text"]
    for at, cited in enumerate(trace.answer["citations"]):
        yield f"e{at}", f"{cited['title'] or cited['document']} · {cited['section']} {cited['start']}-{cited['end']}"


def _edges(trace: Trace) -> Iterator[tuple[str, str]]:
    chain = ["q", *(f"s{at}" for at in range(len(trace.steps)))]
    yield from pairwise(chain)
    for at, sentence in enumerate(_claims(trace)):
        yield chain[-1], f"c{at}"
        yield from ((f"c{at}", f"e{cited}") for cited in sentence["citations"])


def _claims(trace: Trace) -> list[Mapping[str, Any]]:
    return [s for s in trace.answer["sentences"] if s["role"] != "frame"]


def _brief(detail: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in detail.items() if value not in (None, "", [], {}))


def _shown(text: str) -> str:
    """What fits a box, without what the two languages would read as theirs."""
    short = text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
    return " ".join(short.replace('"', "'").replace("\\", "/").split())
