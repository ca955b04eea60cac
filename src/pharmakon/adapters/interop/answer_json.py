"""Answer → the `ask` shape other programs rely on (`schema-of ask`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pharmakon.adapters.interop.report_json import evidence_to_dict
from pharmakon.model.answer import Answer, Conflict, Said
from pharmakon.model.documents import Evidence
from pharmakon.model.finding import SCHEMA_VERSION


def answer_to_dict(answer: Answer) -> dict[str, Any]:
    """The answer as plain data; `sentences` point into `citations` by place.

    Beyond the contract: `schema_version`, `lang`, `sentences`, `notes`, `dropped`, and of the route `agent` and `why`.
    """
    cited = citations(answer.sentences)
    places = {evidence: place for place, evidence in enumerate(cited)}
    return {
        "schema_version": SCHEMA_VERSION,
        "answer": text_of(answer),
        "lang": answer.lang,
        "sentences": [
            {"text": s.text, "role": s.role, "citations": sorted({places[e] for e in s.evidence})}
            for s in answer.sentences
        ],
        "notes": list(answer.notes),
        "agent": answer.agent,
        "route": {
            "intent": answer.route.intent, "v": answer.route.v, "d": answer.route.d, "z": answer.route.z,
            "agent": answer.route.agent, "why": answer.route.why,
        },
        "citations": [evidence_to_dict(e) for e in cited],
        "verification": {
            "status": answer.verification.status,
            "conflicts": [_conflict(c) for c in answer.verification.conflicts],
        },
        "abstained": answer.abstained,
        "dropped": answer.dropped,
        "trace_id": answer.trace_id,
        "knowledge_version": answer.knowledge_version,
    }  # fmt: skip


def citations(sentences: Sequence[Said]) -> tuple[Evidence, ...]:
    """Every piece of evidence once, in the order in which the answer needs it."""
    return tuple(dict.fromkeys(e for s in sentences for e in s.evidence))


def text_of(answer: Answer) -> str:
    """The answer as one text; Chinese sentences stand without a blank between them."""
    return ("" if answer.lang == "zh" else " ").join(s.text for s in answer.sentences)


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "type": conflict.type,
        "tier": str(conflict.tier),
        "drugs": list(conflict.drugs),
        "path": list(conflict.path),
        "summary": conflict.summary,
        "management": conflict.management,
        "evidence": [evidence_to_dict(e) for e in conflict.evidence],
    }
