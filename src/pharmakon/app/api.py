"""The use cases, as one small object. The command line and every other face call nothing else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, cast

from pharmakon.adapters.interop.against import compare
from pharmakon.adapters.interop.answer_json import answer_to_dict
from pharmakon.adapters.interop.csv_mapping import CsvMapping, load_mapping
from pharmakon.adapters.interop.fhir_out import report_to_bundle
from pharmakon.adapters.interop.jsontext import decode, parse_json, read_capped
from pharmakon.adapters.interop.read import Result, read_batch, read_prescription
from pharmakon.adapters.interop.report_json import error_to_dict, report_from_dict, report_to_dict
from pharmakon.adapters.interop.schema import SHAPES, schema_of
from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge
from pharmakon.adapters.store.embedded.traces import Traces
from pharmakon.app.asking import Questions
from pharmakon.app.build import Progress, language_model, open_knowledge, silent
from pharmakon.app.build import begin_with_names as _begin_with_names
from pharmakon.app.deletion import delete
from pharmakon.app.embedding import Progress as EmbedProgress
from pharmakon.app.embedding import embed
from pharmakon.app.gathering import Progress as IngestProgress
from pharmakon.app.gathering import files
from pharmakon.app.gathering import silent as no_progress
from pharmakon.app.ingest import ingest, reader
from pharmakon.app.lint import lint
from pharmakon.app.settings import settings
from pharmakon.app.summary import Summary
from pharmakon.app.tracing import exported, trace_of
from pharmakon.ask.calibration import Calibration
from pharmakon.ask.pipeline import LONGEST, Answered, Asking
from pharmakon.ask.routing import RouteExplanation
from pharmakon.ask.session import Session
from pharmakon.audit.run import Auditor
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.answer import Answer
from pharmakon.model.changes import OpenDoubt
from pharmakon.model.concepts import concept_id
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Report
from pharmakon.model.prescription import Prescription
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import concept_kinds, relations
from pharmakon.ports.language_model import LanguageModel

__all__ = [
    "LONGEST_INPUT",
    "SHAPES",
    "Answered",
    "Audited",
    "CsvMapping",
    "Pharmakon",
    "Result",
    "answer_as_dict",
    "as_dict",
    "as_fhir",
    "begin_with_names",
    "earlier_report",
    "error_as_dict",
    "exported",
    "language_model",
    "lint",
    "read_batch",
    "read_input",
    "read_mapping",
    "read_prescription",
    "route_as_dict",
    "schema_of",
    "traces",
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
    >>> with Pharmakon(home) as pharmakon:
    ...     report = pharmakon.audit({"patient": {"age": 82}, "medications": [{"drug": "warfarin 5 mg"}]})
    ...     report.verdict
    'findings'
    """

    def __init__(self, home: Path | str | None = None, *, progress: Progress = silent) -> None:
        chosen = settings(home)
        self.home = chosen.home
        self.knowledge: EmbeddedKnowledge = open_knowledge(chosen, progress=progress)
        self._auditor: Auditor | None = None
        self._questions = Questions(self.knowledge, chosen)

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
            with self.knowledge.snapshot():
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
            with self.knowledge.snapshot():
                report = self._current().audit(_on(result.value, as_of), lang=lang, explain=explain)
        except BadInput as error:
            place = f"{name}, {result.key}" if result.key else f"{name}, line {result.number}"
            return Audited(result.number, result.key, error.within(place))
        return Audited(result.number, result.key, report)

    def ask(
        self, question: str, *, agent: str = "", lang: str = "", professional: bool = False,
        session: Session | None = None, model: bool = False, trace: bool = False, keep_text: bool = False,
    ) -> Answered:  # fmt: skip
        """The answer to a question, with the session that the next turn of a conversation continues.

        Args:
            agent: naive, dual_granularity, deep_search or question_graph; the router chooses where it is empty.
            lang: en, nl or zh; that of the question where it is empty.
            professional: leave out what is said to patients alone.
            model: let the language model of the environment write; what its evidence does not support is not said.
            trace: keep how the answer came about; `keep_text`, with the question, which may be about a person.
        """
        self._questions.prepare(self._current())  # it may write, which a snapshot would not see
        with self.knowledge.snapshot():
            answered = self._questions.ask(
                self._current(), question, Asking(lang, agent, professional, model=model), session
            )
        if not (trace or keep_text):
            return answered
        kept = trace_of(answered, with_question=keep_text)
        traces(self.home).keep(kept)
        return replace(answered, answer=replace(answered.answer, trace_id=kept.id))

    def phrase(self, report: Report, reader: str, *, lang: str = "en") -> Report:
        """`report` in words for a "pharmacist" or the "patient", by the language model of the environment.

        Findings, tiers and citations stay; a phrase that its finding's evidence does not support is dropped.
        """
        return self._questions.phrase(self._current(), report, reader, lang)

    def calibrate(self, questions: Sequence[str]) -> Calibration:
        """How the routing score is distributed over a sample of questions, and thresholds that follow from it."""
        return self._questions.calibrate(self._current(), questions)

    def embed(self, progress: EmbedProgress) -> tuple[int, int]:
        """Make the vectors that passages lack; how many were made, and how many passages there are.

        Raises `NoEmbedder` where there is nothing to make them with.
        """
        return embed(self.knowledge, self._questions.embedder(), progress)

    def stats(self) -> dict[str, Any]:
        """Concepts by kind, ingredients by depth of coverage, statements by relation, texts, capabilities."""
        ids = {kind: {concept for _, concept, _ in self.knowledge.names({kind})} for kind in concept_kinds()}
        everything = set().union(*ids.values())
        depths = Counter(c.covered for c in self.knowledge.concepts(ids["ingredient"]).values() if c.covered)
        said = Counter({relation: len(self.knowledge.about(everything, {relation})) for relation in relations()})
        counted = self.knowledge.stats()
        return {
            "knowledge_version": self.knowledge.version(),
            "home": str(self.home),
            "concepts": {kind: len(found) for kind, found in ids.items() if found},
            "coverage": {depth: depths[depth] for depth in ("deep", "thin", "carrier") if depths[depth]},
            "statements": {relation: n for relation, n in said.most_common() if n},
            "texts": {key: counted[key] for key in ("documents", "sections", "evidence")},
            "changes": counted["changes"],
            "capabilities": dict(self.knowledge.capabilities()),
        }

    def check(self) -> Sequence[str]:
        """Every inconsistency of the knowledge base, one line each; empty when it is sound."""
        return self.knowledge.check()

    def rebuild(self) -> None:
        """Work out anew all that follows from statements and texts: closure, word index, graph."""
        self.knowledge.rebuild()

    def cypher(self, text: str) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        """Columns and rows of one reading query over the graph; `BadInput` for anything else."""
        return self.knowledge.cypher(text)

    def documents(self) -> Sequence[tuple[str, str, str]]:
        """(id, version, title) of the live documents, in id order."""
        return self.knowledge.documents()

    def document(self, id: str) -> Document:
        """The live version; `BadInput` names the nearest where there is none."""
        found = self.knowledge.document(id)
        if found is None:
            near = get_close_matches(id, [known for known, _, _ in self.documents()], n=3, cutoff=0.4)
            raise BadInput(f"there is no document {id!r}", expected=" or ".join(near) or "an id from `doc list`")
        return found

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        progress: IngestProgress = no_progress,
        again: bool = False,
        model: LanguageModel | None = None,
        jobs: int = 1,
    ) -> Summary:
        """Bring in files and folders of labels and other documents; what can't be read is in the summary.

        With `again` what is stored already is read anew; a `model` reads beside the patterns. Many labels are read by
        up to `jobs` processes (one where a model reads: it is what takes the time). They are started anew, so a script
        that asks for more than one needs its `if __name__ == "__main__":`.
        """
        from pharmakon.extract.sentences import sentences_of
        from pharmakon.extract.specialists import ALL
        from pharmakon.extract.specialists.model import model_specialists

        specialists = (*ALL, *(model_specialists(model) if model else ()))

        return ingest(
            self.knowledge, files(paths), sentences_of, specialists, progress, again=again, jobs=1 if model else jobs
        )

    def extracted(self, paths: Sequence[Path]) -> Iterator[Statement]:
        """What labels of `paths` state, without storing it; what can't be read is passed over."""
        from pharmakon.extract.sentences import sentences_of
        from pharmakon.extract.specialists import ALL

        source = files(paths)
        look = reader(self.knowledge, source, sentences_of, ALL)
        for incoming in source():
            if isinstance(incoming, Incoming):
                yield from look(incoming)[1]

    def delete_document(
        self, id: str, *, actor: str, why: str, anyway: bool = False
    ) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """What was held of a document, and what is held now (nothing). `anyway`: though others rest on it."""
        if not any(self.knowledge.traces(id).values()):
            self.document(id)  # complains, with the ids that are near
        return delete(self.knowledge, id, actor, why, anyway=anyway)

    def traces(self, id: str) -> Mapping[str, int]:
        """How much is held of a document, whether it is there or not; all zero where nothing is."""
        return self.knowledge.traces(id)

    def doubts(self) -> Sequence[OpenDoubt]:
        """What documents left for a person to decide."""
        return self.knowledge.doubts()

    def decide(self, doubt: int, into: str | None, *, actor: str) -> str:
        """Close a doubt: the concept becomes one with `into`, or is kept apart. Says what was done."""
        found = next((d for d in self.doubts() if d.no == doubt), None)
        if found is None:
            raise BadInput(f"there is no open doubt {doubt}", expected="a number from `pharmakon kb doubts`")
        own = found.doubt.taken_as
        if into is not None and concept_id(into) not in found.doubt.candidates:
            expected = f"one of {', '.join(found.doubt.candidates)}, or that it is kept apart"
            raise BadInput(f"{into} is not what the doubt is about", where=f"doubt {doubt}", expected=expected)
        decision = f"{own} is kept apart" if into is None else f"{own} is {concept_id(into)}"
        if into is not None:
            self.knowledge.merge_concepts(own, concept_id(into), actor, found.doubt.why)
        self.knowledge.decide(doubt, decision, actor, found.doubt.why)
        return decision

    def _current(self) -> Auditor:
        """The auditor of the knowledge base as it is now."""
        if self._auditor is None or self._auditor.version != self.knowledge.version():
            self._auditor = Auditor(self.knowledge)
        return self._auditor


def _on(prescription: Prescription, as_of: date | None) -> Prescription:
    return replace(prescription, as_of=as_of) if as_of else prescription


def begin_with_names(home: Path | str | None = None) -> Path:
    """A new knowledge base without the starter formulary's knowledge; says where."""
    chosen = settings(home)
    _begin_with_names(chosen)
    return chosen.home


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


def traces(home: Path | str | None = None) -> Traces:
    """The traces that were kept; no knowledge base need be there."""
    return Traces(settings(home).traces)


def answer_as_dict(answer: Answer) -> dict[str, Any]:
    """The answer in the `ask` shape."""
    return answer_to_dict(answer)


def route_as_dict(why: RouteExplanation) -> dict[str, Any]:
    """Why an agent was chosen, with every figure."""
    return asdict(why)


#: Bytes of standard input that are read as questions.
LONGEST_INPUT = 1000 * LONGEST


def error_as_dict(error: BadInput) -> dict[str, Any]:
    """The shape of a complaint (`schema-of error`)."""
    return error_to_dict(error)


def as_dict(report: Report, *, against: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The report in the shape other programs rely on (`schema-of audit`); `against` is an earlier such dict."""
    shaped = report_to_dict(report)
    if against is not None:
        shaped["against"] = compare(report, report_from_dict(against))
    return shaped


def as_fhir(report: Report, prescription: Prescription | None = None) -> dict[str, Any]:
    """The findings as a FHIR R4 Bundle of DetectedIssue.

    With the `prescription` that was audited they refer to the orders they are about, where those came with an id.
    """
    return report_to_bundle(report, prescription)
