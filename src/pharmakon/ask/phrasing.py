"""An audit's findings in words for a pharmacist or a patient (PG-5, stage 4).

The engine has found; a model may only say it otherwise. Type, tier, drugs and evidence are copied. A phrase is dropped
where the finding's own words and quotations do not support it, or where it leaves out what they forbid or measure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pharmakon.ask.checking import Checker, Dropped
from pharmakon.ask.writing import LANGUAGES, TEMPERATURE
from pharmakon.model.documents import Evidence
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Finding, Report
from pharmakon.ports.language_model import LanguageModel, ModelError, load_prompt
from pharmakon.retrieve.supporting.reading import Reading, read, sentences

Reader = Literal["pharmacist", "patient"]
MANNER: Mapping[str, str] = {
    "pharmacist": "Write for a colleague: terse, with mechanism and parameter where the evidence gives them.",
    "patient": "Write for a lay person: plain words, no abbreviations that are not explained in the evidence.",
}
_READERS = {"pharmacist": "a pharmacist", "patient": "the patient"}
#: Findings of one question: few enough for a small window.
_AT_ONCE = 4
_TOKENS = 1200
#: What a phrase may not leave out, by group of cues.
_KEPT = {"stance": {"against", "forbidden", "caution"}, "act": {"stop"}, "exception": {"unless"}}
_TEXT = {"type": "string"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "findings": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"id": _TEXT, "summary": _TEXT, "management": _TEXT},
                "required": ["id", "summary", "management"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["findings"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Phrased:
    """The report, how many phrases of a model it holds, what was dropped, and why a question failed."""

    report: Report
    phrases: int = 0
    dropped: tuple[Dropped, ...] = ()
    failed: tuple[str, ...] = ()


def phrase(report: Report, reader: str, model: LanguageModel, checker: Checker, lang: str = "en") -> Phrased:
    """`report` with summaries and management phrased for `reader` where a phrase stands. Raises `BadInput`."""
    if reader not in MANNER:
        raise BadInput(f"there is no reader {reader!r}", expected=" or ".join(MANNER))
    if lang not in LANGUAGES:
        raise BadInput(f"language {lang!r}", expected=", ".join(LANGUAGES))
    findings = list(report.findings)
    dropped: list[Dropped] = []
    failed: list[str] = []
    phrases = 0
    for start in range(0, len(findings), _AT_ONCE):
        part = findings[start : start + _AT_ONCE]
        try:
            answer = model.answer(_prompt(part, reader, lang), SCHEMA)
        except ModelError as error:
            failed.append(str(error))
            continue
        given = dict(_rows(answer))
        for at, finding in enumerate(part, start):
            for key in ("summary", "management"):
                text = given.get(finding.id, {}).get(key, "").strip()
                ours: str = getattr(finding, key)
                if not text or not ours or text == ours:
                    continue
                if why := objection(text, ours, finding, checker, lang):
                    dropped.append(Dropped(text, why))
                else:
                    findings[at] = _with(findings[at], key, text)
                    phrases += 1
    return Phrased(replace(report, findings=tuple(findings)), phrases, tuple(dropped), tuple(failed))


def _with(finding: Finding, key: str, text: str) -> Finding:
    return replace(finding, summary=text) if key == "summary" else replace(finding, management=text)


def objection(text: str, ours: str, finding: Finding, checker: Checker, lang: str) -> str:
    """Why `text` may not stand for `ours`; "" where it may."""
    evidence = (*_own_words(finding), *finding.evidence)
    for sentence in sentences(text):
        verdict = checker.check(sentence, evidence, lang)
        if not verdict.supported:
            return str(verdict)
    return left_out(read(text, checker.links, lang), read(ours, checker.links))


def left_out(phrase: Reading, ours: Reading) -> str:
    """What of our words a phrase leaves out and may not: a "not", a "stop", an exception, a figure; "" for nothing."""
    for group, members in _KEPT.items():
        for member in sorted((ours.members(group) & members) - phrase.members(group)):
            if member != "forbidden":  # "must not" may become "avoid", which stands in the evidence then
                return f"leaves out: {member}"
    missing = [str(f) for f in ours.figures if not any(q.same_as(f) for q in phrase.figures)]
    return f"leaves out: {', '.join(missing)}" if missing else ""


def _own_words(finding: Finding) -> Iterator[Evidence]:
    """The engine's own sentences, which are as true as what they were made from."""
    title = " ".join(finding.drugs)
    for text in (finding.summary, finding.management):
        if text:
            yield Evidence(f"finding {finding.id}", "", "finding", "", 0, 0, len(text), text, "engine", title=title)


def _prompt(findings: Sequence[Finding], reader: str, lang: str) -> Any:
    material = [
        {
            "id": f.id, "tier": str(f.tier), "drugs": list(f.drugs), "summary": f.summary, "management": f.management,
            "evidence": list(dict.fromkeys(e.quote for e in f.evidence)),
        }
        for f in findings
    ]  # fmt: skip
    values = {
        "reader": _READERS[reader], "language": LANGUAGES[lang], "manner": MANNER[reader],
        "data": json.dumps({"findings": material}, ensure_ascii=False, indent=1),
    }  # fmt: skip
    return load_prompt("pharmakon.ask", "phrase.v1", values, temperature=TEMPERATURE, tokens=_TOKENS)


def _rows(answer: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    rows = answer.get("findings")
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("id"), str):
            texts = {k: v for k, v in row.items() if k in ("summary", "management") and isinstance(v, str)}
            yield row["id"], texts
