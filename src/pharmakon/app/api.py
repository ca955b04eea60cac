"""The use cases, as one small object. The command line and every other face call nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from pharmakon.adapters.interop.against import compare
from pharmakon.adapters.interop.csv_mapping import CsvMapping
from pharmakon.adapters.interop.fhir_out import report_to_bundle
from pharmakon.adapters.interop.read import Result, read_batch, read_prescription
from pharmakon.adapters.interop.report_json import report_from_dict, report_to_dict
from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge
from pharmakon.app.build import Progress, open_knowledge, silent
from pharmakon.app.settings import settings
from pharmakon.audit.run import Auditor
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Report
from pharmakon.model.prescription import Prescription


@dataclass(frozen=True, slots=True)
class Audited:
    """One line of a batch: its number from 1, its key (CSV groups), and a report or what was wrong with it."""

    number: int
    key: str
    report: Report | BadInput


class Pharmakon(AbstractContextManager["Pharmakon"]):
    """An open knowledge base and what it can be asked.

    >>> from pharmakon.app.api import Pharmakon
    >>> with Pharmakon() as pharmakon:  # doctest: +SKIP
    ...     report = pharmakon.audit({"patient": {"age": 82}, "medications": [{"drug": "warfarin 5 mg"}]})
    ...     report.verdict
    'findings'
    """

    def __init__(self, home: Path | str | None = None, *, progress: Progress = silent) -> None:
        self.knowledge: EmbeddedKnowledge = open_knowledge(settings(home), progress=progress)
        self._auditor: Auditor | None = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.knowledge.close()

    def audit(
        self, prescription: Prescription | Mapping[str, Any] | bytes, *, name: str = "prescription",
        today: date | None = None, mapping: CsvMapping | None = None, lang: str = "en", explain: bool = False,
    ) -> Report:  # fmt: skip
        """The report on one prescription: a value, the plain form as a dict, or bytes of any form that can be read.

        Raises `BadInput` with what was wrong, where, and what was expected.
        """
        if not isinstance(prescription, Prescription):
            data = prescription if isinstance(prescription, bytes) else json.dumps(prescription).encode()
            prescription = read_prescription(data, name=name, today=today or date.today(), mapping=mapping)
        try:
            return self._current().audit(prescription, lang=lang, explain=explain)
        except BadInput as error:
            raise error.within(name) from None

    def audit_batch(
        self, lines: BinaryIO, *, name: str = "batch", today: date | None = None,
        mapping: CsvMapping | None = None, lang: str = "en",
    ) -> Iterator[Audited]:  # fmt: skip
        """One result per line, in order; a line that can't be read or audited is reported in its place."""
        for result in read_batch(lines, name=name, today=today or date.today(), mapping=mapping):
            yield Audited(result.number, result.key, self._one(result, f"{name}, line {result.number}", lang))

    def _one(self, result: Result, place: str, lang: str) -> Report | BadInput:
        if isinstance(result.value, BadInput):
            return result.value
        try:
            return self._current().audit(result.value, lang=lang)
        except BadInput as error:
            return error.within(place)

    def _current(self) -> Auditor:
        """The auditor of the knowledge base as it is now."""
        if self._auditor is None or self._auditor.version != self.knowledge.version():
            self._auditor = Auditor(self.knowledge)
        return self._auditor


def as_dict(report: Report, *, against: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The report in the shape other programs rely on (`schema-of audit`); `against` is an earlier such dict."""
    shaped = report_to_dict(report)
    if against is not None:
        shaped["against"] = compare(report, report_from_dict(against))
    return shaped


def as_fhir(report: Report) -> dict[str, Any]:
    """The findings as a FHIR R4 Bundle of DetectedIssue."""
    return report_to_bundle(report)
