"""The use cases, as one small object. The command line and every other face call nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, cast

from pharmakon.adapters.interop.against import compare
from pharmakon.adapters.interop.csv_mapping import CsvMapping, load_mapping
from pharmakon.adapters.interop.fhir_out import report_to_bundle
from pharmakon.adapters.interop.jsontext import decode, parse_json, read_capped
from pharmakon.adapters.interop.read import Result, read_batch, read_prescription
from pharmakon.adapters.interop.report_json import error_to_dict, report_from_dict, report_to_dict
from pharmakon.adapters.interop.schema import SHAPES, schema_of
from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge
from pharmakon.app.build import Progress, open_knowledge, silent
from pharmakon.app.settings import settings
from pharmakon.audit.run import Auditor
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Report
from pharmakon.model.prescription import Prescription

__all__ = [
    "SHAPES", "Audited", "CsvMapping", "Pharmakon", "Result", "as_dict", "as_fhir", "earlier_report", "error_as_dict",
    "read_batch", "read_input", "read_mapping", "schema_of",
]  # fmt: skip


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
        today: date | None = None, as_of: date | None = None, mapping: CsvMapping | None = None, lang: str = "en",
        explain: bool = False,
    ) -> Report:  # fmt: skip
        """The report on one prescription: a value, the plain form as a dict, or bytes of any form that can be read.

        `as_of` overrides the day that the input names. Raises `BadInput` with what was wrong, where, and what was
        expected.
        """
        if not isinstance(prescription, Prescription):
            data = prescription if isinstance(prescription, bytes) else json.dumps(prescription).encode()
            prescription = read_prescription(data, name=name, today=today or date.today(), mapping=mapping)
        try:
            return self._current().audit(_on(prescription, as_of), lang=lang, explain=explain)
        except BadInput as error:
            raise error.within(name) from None

    def audit_batch(
        self, lines: BinaryIO, *, name: str = "batch", today: date | None = None, as_of: date | None = None,
        mapping: CsvMapping | None = None, lang: str = "en", explain: bool = False,
    ) -> Iterator[Audited]:  # fmt: skip
        """One result per line, in order; a line that can't be read or audited is reported in its place."""
        for result in read_batch(lines, name=name, today=today or date.today(), mapping=mapping):
            yield self.audit_result(result, name=name, as_of=as_of, lang=lang, explain=explain)

    def audit_result(
        self, result: Result, *, name: str = "batch", as_of: date | None = None, lang: str = "en", explain: bool = False
    ) -> Audited:
        """One line that was read, or could not be, audited."""
        if isinstance(result.value, BadInput):
            return Audited(result.number, result.key, result.value)
        try:
            report = self._current().audit(_on(result.value, as_of), lang=lang, explain=explain)
        except BadInput as error:
            place = f"{name}, {result.key}" if result.key else f"{name}, line {result.number}"
            return Audited(result.number, result.key, error.within(place))
        return Audited(result.number, result.key, report)

    def _current(self) -> Auditor:
        """The auditor of the knowledge base as it is now."""
        if self._auditor is None or self._auditor.version != self.knowledge.version():
            self._auditor = Auditor(self.knowledge)
        return self._auditor


def _on(prescription: Prescription, as_of: date | None) -> Prescription:
    return replace(prescription, as_of=as_of) if as_of else prescription


def read_input(stream: BinaryIO, *, name: str) -> bytes:
    """All of `stream`; `BadInput` where it is larger than any prescription may be, without holding it."""
    return read_capped(stream, name=name)


def read_mapping(path: Path, *, beside: Path | None = None) -> CsvMapping:
    """The mapping file that says what the columns of a CSV file are; `beside` is the folder of the orders."""
    return load_mapping(path, beside=beside)


def earlier_report(data: bytes, *, name: str) -> Mapping[str, Any]:
    """An earlier report in the `audit` shape, for `as_dict(…, against=)`; `BadInput` where it is none."""
    value = parse_json(decode(data, name=name), name=name)
    report_from_dict(value, name=name)
    return cast("Mapping[str, Any]", value)


def error_as_dict(error: BadInput) -> dict[str, Any]:
    """The shape of a complaint (`schema-of error`)."""
    return error_to_dict(error)


def as_dict(report: Report, *, against: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The report in the shape other programs rely on (`schema-of audit`); `against` is an earlier such dict."""
    shaped = report_to_dict(report)
    if against is not None:
        shaped["against"] = compare(report, report_from_dict(against))
    return shaped


def as_fhir(report: Report) -> dict[str, Any]:
    """The findings as a FHIR R4 Bundle of DetectedIssue."""
    return report_to_bundle(report)
