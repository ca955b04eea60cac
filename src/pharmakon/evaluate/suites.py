"""The suites there are, and how one of them is run from its folder to its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from pharmakon.evaluate.asking import geriatric, retrieval
from pharmakon.evaluate.asking.cases import build, read_asked, write_asked
from pharmakon.evaluate.asking.medquad import read_wordings
from pharmakon.evaluate.cases import EvalCase
from pharmakon.evaluate.extraction import ddi, rules
from pharmakon.evaluate.extraction.baselines.asking import Baselines
from pharmakon.evaluate.extraction.rules_gold import read_rules
from pharmakon.evaluate.redteam.generate import coverage, generate, reasons
from pharmakon.evaluate.redteam.world import read_world
from pharmakon.evaluate.report import result, survey_result
from pharmakon.evaluate.runner import Reader, System, run
from pharmakon.evaluate.spec import Spec, load_cases, load_text, read_spec
from pharmakon.evaluate.surveys import names, pairs, wards
from pharmakon.evaluate.systems import ablations, audit
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Prescription
from pharmakon.ports.knowledge import KnowledgeBase

#: Every suite by name; its folder is `evals/<name>/`.
SUITES = ("audit-redteam", "audit-labels")
#: What is counted in a way of its own, by name; folders beside those of the suites.
SURVEYS = (
    "drug-names",
    "onc-pairs",
    "inpatient-orders",
    "extract-rules",
    "extract-ddi",
    "ask-retrieval",
    "ask-geriatric",
)
#: Those that read labels.
LABELS = ("extract-rules",)
#: Those that search passages by vectors.
SEARCHING = ("ask-retrieval",)
#: Those whose cases are made from the knowledge base, by a seed.
SEEDED = ("ask-geriatric",)
#: Those that a language model is held beside.
COMPARED = ("extract-rules", "extract-ddi")
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A result in the shape of DESIGN, with its spec and the cases it is about."""

    result: Mapping[str, Any]
    spec: Spec
    cases: tuple[EvalCase, ...]
    questions: str = ""  #: cases of another form, as a file holds them


def evaluate(
    name: str, folder: Path, knowledge: KnowledgeBase, empty: KnowledgeBase, read: Reader, *,
    data: Path | None = None, seed: int | None = None, progress: Progress,
) -> Evaluated:  # fmt: skip
    """Run a suite on `knowledge`.

    Args:
        folder: the suite's own folder.
        empty: a knowledge base without statements, for the ablation that takes knowledge away.
        read: the plain form → prescription.
        data: another folder of the same form; its own spec.yaml counts where it has one, else the suite's.
        seed: for suites whose cases are generated; the spec's where None.
    """
    if name not in SUITES:
        raise BadInput(f"there is no suite {name!r}", expected=" or ".join(SUITES))
    spec, place = _spec(folder, data)
    number = spec.seed if seed is None else seed
    notes: dict[str, Any] = {}
    if spec.generator:
        progress("making prescriptions from the knowledge base")
        world = read_world(knowledge)
        made = generate(world, number)
        cases = list(made.cases)
        notes = {"coverage": coverage(made, world), "rules_without_cases": reasons(made)}
    else:
        cases = load_cases(spec, place)
    progress(f"{len(cases)} cases")
    main = run(cases, audit(knowledge), read)
    others: dict[str, System] = {
        k: system for k, system in ablations(knowledge, empty).items() if k in spec.ablations
    }  # fmt: skip
    runs = {}
    for system, under_test in others.items():
        progress(f"without a part: {system}")
        runs[system] = run(cases, under_test, read)
    shaped = result(spec, main, seed=number, knowledge_version=knowledge.version(), ablations=runs, notes=notes)
    return Evaluated(shaped, spec, tuple(cases))


def survey(
    folder: Path, knowledge: KnowledgeBase, read: Reader, stays: Callable[[str], Iterable[tuple[str, Prescription]]], *,
    data: Path | None = None, labels: rules.Reading | None = None, baselines: Baselines, development: bool = False,
    searching: retrieval.Searching | None = None, asking: geriatric.Asking | None = None, seed: int | None = None,
) -> Evaluated:  # fmt: skip
    """Run the survey of `folder` on `knowledge`.

    Args:
        stays: the name of a mapping → stays of the data as prescriptions, for the survey that needs them.
        data: the folder that holds what is not ours to ship; for `drug-names` another gold of the same form.
        labels: a label's file → what is read out of it, for the survey of that.
        baselines: the language model that the surveys of extraction are held beside.
        development: leave the held-out part of `extract-ddi` closed.
        asking: the systems that questions are put to, for the survey of answers.
        seed: for the survey whose questions are made from the knowledge base; the spec's where None.
        searching: an embedder, and stores of documents with vectors by it, for the survey of retrieval.
    """
    spec = read_spec(folder)
    if spec.survey == "names":
        place = folder if data is None else data
        own = spec if data is None else replace(spec, sha256="")
        found = names.survey(names.read_gold(load_text(own, place), str(place / spec.cases)), knowledge)
    elif spec.survey == "pairs":
        listed = yaml.safe_load(load_text(spec, folder))
        high = [*pairs.read_pairs(_needed(data, "onc-high-priority-members.tsv"), "onc-high-priority-members.tsv")]
        high += [(a, b) for a, b in listed["also"]]
        low = [(a, b) for a, b in listed["low_priority"]]
        groups = pairs.read_groups(listed["groups"])
        found = pairs.survey(pairs.Pairs(high, low, groups), knowledge, audit(knowledge), read)
    elif spec.survey == "rules":
        gold = read_rules(load_text(spec, folder), str(folder / spec.cases))
        if data is None or labels is None:
            raise BadInput(
                "the survey is about files of others", expected="--data with the folder that holds the labels"
            )
        found = rules.survey(gold, data, labels, knowledge, baselines)
    elif spec.survey == "ddi":
        if data is None:
            raise BadInput("the survey is about files of others", expected="--data with the folder of the corpus")
        split = yaml.safe_load(load_text(spec, folder))
        found = ddi.survey(split, data, knowledge, baselines, development=development)
    elif spec.survey == "retrieval":
        if data is None or searching is None:
            raise BadInput("the survey is about files of others", expected="--data with a folder in MedQuAD's shape")
        wordings = read_wordings(load_text(spec, folder), str(folder / spec.cases))
        found = retrieval.survey(wordings, data, searching, spec.seed)
    elif spec.survey == "geriatric":
        if asking is None:
            raise BadInput("there is nothing to ask", expected="a system under test")
        if data is None:
            spec = replace(spec, seed=spec.seed if seed is None else seed)
            questions = build(knowledge, yaml.safe_load(load_text(spec, folder)), spec.seed)
        else:
            questions = read_asked(_needed(data, "cases.jsonl"), str(data / "cases.jsonl"))
        found = geriatric.survey(questions, asking, knowledge)
        shaped = survey_result(spec, found, knowledge_version=knowledge.version())
        return Evaluated(shaped, spec, (), write_asked(questions))
    else:
        problems = wards.read_problems(load_text(spec, folder), str(folder / spec.cases))
        _needed(data, "orders.csv")
        found = wards.survey(stays(spec.mapping), problems, audit(knowledge), knowledge)
    return Evaluated(survey_result(spec, found, knowledge_version=knowledge.version()), spec, ())


def _needed(data: Path | None, name: str) -> str:
    """The text of a file of others that the survey is about."""
    if data is None:
        raise BadInput("the survey is about files of others", expected=f"--data with the folder that holds {name}")
    try:
        return (data / name).read_text("utf-8")
    except OSError as error:
        raise BadInput(f"{name} can't be read: {error.strerror}", where=str(data), expected=name) from None


def _spec(folder: Path, data: Path | None) -> tuple[Spec, Path]:
    """The spec that counts, and where its cases are. Foreign cases without a spec are judged by the suite's rules."""
    if data is None:
        return read_spec(folder), folder
    if not data.is_dir():
        raise BadInput("there is no such folder", where=str(data), expected="a folder of the suite's form")
    if (data / "spec.yaml").exists():
        return read_spec(data), data
    return replace(read_spec(folder), cases="cases.jsonl", sha256="", generator=""), data
