"""A small invented formulary: one drug for each thing an audit must get right. It shares no name with the shipped one.

It is read, extracted and stored the way every monograph is, so that a golden case runs the whole chain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from pharmakon.adapters.interop.read import read_prescription
from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from pharmakon.audit.run import Auditor
from pharmakon.extract.curated.monograph import change_set
from pharmakon.ingest.formats.monograph import read_monographs
from pharmakon.model.finding import Report

FORMULARY = Path(__file__).parent / "golden" / "world"
#: A man of 50 of whom everything is known and unremarkable.
PATIENT: Mapping[str, Any] = {
    "age": 50, "sex": "male", "weight_kg": 70, "height_cm": 175, "creatinine": {"value": 0.9, "unit": "mg/dL"},
    "conditions": [], "allergies": [],
}  # fmt: skip
AS_OF = "2026-03-02"


def store(folder: Path, *texts: str) -> EmbeddedKnowledge:
    """A knowledge base of the world's monographs, or of `texts` alone where any are given."""
    sources = [(f"text {i}", t.encode()) for i, t in enumerate(texts)] or [
        (f.name, f.read_bytes()) for f in sorted(FORMULARY.glob("*.yaml"))
    ]
    knowledge = open_embedded(folder)
    monographs = [m for name, data in sources for m in read_monographs(data, name)]
    applied = knowledge.apply(change_set(monographs, actor="test", why="golden cases"))
    assert applied.refused == ()
    return knowledge


def run(
    auditor: Auditor, orders: Sequence[str | Mapping[str, Any]], *, explain: bool = False, **changes: Any
) -> Report:
    """Audits orders for the unremarkable man; keywords change him, None makes a value unknown."""
    patient = {k: v for k, v in {**PATIENT, **changes}.items() if v is not None}
    data = json.dumps({"patient": patient, "medications": [order(o) for o in orders], "as_of": AS_OF}).encode()
    return auditor.audit(read_prescription(data, name="case", today=date(2026, 3, 2)), explain=explain)


def order(line: str | Mapping[str, Any]) -> dict[str, Any]:
    """`zorfan, 5 mg, once daily, oral` (`-` leaves one out) or a mapping of the plain form with a dose as text."""
    if isinstance(line, str):
        parts = zip(("drug", "dose", "frequency", "route"), (p.strip() for p in line.split(",")), strict=False)
        line = {key: value for key, value in parts if value != "-"}
    made = dict(line)
    if isinstance(made.get("dose"), str):
        value, _, unit = made["dose"].partition(" ")
        made["dose"] = {"value": float(value), "unit": unit}
    return made


def found(report: Report) -> list[list[str]]:
    """[type, tier, drug, ...] of each finding, sorted."""
    return sorted([f.type, str(f.tier), *f.drugs] for f in report.findings)
