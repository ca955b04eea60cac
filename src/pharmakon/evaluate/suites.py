"""The suites there are, and how one of them is run from its folder to its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pharmakon.evaluate.cases import EvalCase
from pharmakon.evaluate.redteam.generate import coverage, generate, reasons
from pharmakon.evaluate.redteam.world import read_world
from pharmakon.evaluate.report import result
from pharmakon.evaluate.runner import Reader, System, run
from pharmakon.evaluate.spec import Spec, load_cases, read_spec
from pharmakon.evaluate.systems import ablations, audit
from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import KnowledgeBase

#: Every suite by name; its folder is `evals/<name>/`.
SUITES = ("audit-redteam", "audit-labels")
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A result in the shape of DESIGN, with its spec and the cases it is about."""

    result: Mapping[str, Any]
    spec: Spec
    cases: tuple[EvalCase, ...]


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


def _spec(folder: Path, data: Path | None) -> tuple[Spec, Path]:
    """The spec that counts, and where its cases are. Foreign cases without a spec are judged by the suite's rules."""
    if data is None:
        return read_spec(folder), folder
    if not data.is_dir():
        raise BadInput("there is no such folder", where=str(data), expected="a folder of the suite's form")
    if (data / "spec.yaml").exists():
        return read_spec(data), data
    return replace(read_spec(folder), cases="cases.jsonl", sha256="", generator=""), data
