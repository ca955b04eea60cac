"""`spec.yaml`: what a suite asks, of which cases, and how it counts. Read strictly: an unknown key is an error."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pharmakon.evaluate.cases import EvalCase, read_cases
from pharmakon.evaluate.metrics import METRICS
from pharmakon.evaluate.surveys.survey import MEASURES
from pharmakon.model.errors import BadInput

_KEYS = frozenset(
    ["name", "question", "source", "split", "metrics", "also_reported", "matching", "tables", "seed", "ablations"]
)
_NEEDED = ("name", "question", "source", "metrics", "matching", "seed")
_SOURCE = frozenset(["cases", "sha256", "licence", "generator", "violations_at_least", "survey", "mapping"])
_MATCHING = frozenset(
    ["expectation", "type_or", "tier", "precision", "precision_strict", "recall", "gap", "also_true", "f1"]
).union(["resolved", "held", "burden", "days", "problems", "low", "hit", "answered", "titles", "subsets"])
TABLES = frozenset(["by_type", "ablations", "coverage"])
ABLATIONS = ("no_pest", "full_text", "no_knowledge")


@dataclass(frozen=True, slots=True)
class Spec:
    """`cases` is a file beside the spec, with its hash, or empty where `generator` makes them from knowledge.

    A `survey` counts in a way of its own (`evaluate.surveys`); `cases` are then its gold.
    """

    name: str
    question: str
    cases: str
    sha256: str
    generator: str
    survey: str
    mapping: str  #: how a survey's table of orders is read
    violations_at_least: int
    metrics: tuple[str, ...]
    also_reported: tuple[str, ...]
    matching: Mapping[str, str]
    tables: tuple[str, ...]
    ablations: tuple[str, ...]
    seed: int

    @property
    def suite(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def version(self) -> str:
        return self.name.rpartition(".")[2]


def read_spec(folder: Path) -> Spec:
    """The spec of a suite's folder; raises `BadInput` with the file and what was wrong in it."""
    file = folder / "spec.yaml"
    try:
        data = yaml.safe_load(file.read_text("utf-8"))
    except FileNotFoundError:
        raise BadInput("there is no spec.yaml", where=str(folder), expected="a folder of a suite") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"spec.yaml can't be read: {error}", where=str(file), expected="YAML in UTF-8") from None
    try:
        return _spec(data)
    except BadInput as error:
        raise error.within(str(file)) from None


def load_cases(spec: Spec, folder: Path) -> list[EvalCase]:
    """The cases beside the spec."""
    return list(read_cases(load_text(spec, folder), str(folder / spec.cases)))


def load_text(spec: Spec, folder: Path) -> str:
    """The file of cases, its hash checked, so that no result speaks of other cases than it names."""
    file = folder / spec.cases
    try:
        data = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{spec.cases} can't be read: {error.strerror}", where=str(folder), expected="cases") from None
    found = hashlib.sha256(data).hexdigest()
    if spec.sha256 and found != spec.sha256:
        raise BadInput(f"the cases have sha256 {found}", where=str(file), expected=f"{spec.sha256}, as the spec says")
    return data.decode("utf-8")


def _spec(data: object) -> Spec:
    row = _mapping(data, "the spec", _KEYS)
    for key in _NEEDED:
        if row.get(key) in (None, "", {}, []):
            raise BadInput(f"{key!r} is missing", expected=", ".join(_NEEDED))
    source = _mapping(row["source"], "source", _SOURCE)
    cases, generator = str(source.get("cases") or ""), str(source.get("generator") or "")
    if bool(cases) == bool(generator):
        raise BadInput("source names both or neither of cases and generator", expected="one of the two")
    if cases and not source.get("sha256"):
        raise BadInput("source has no sha256", expected="the hash of the cases")
    name = str(row["name"])
    if not name.rpartition(".")[2].startswith("v") or "." not in name:
        raise BadInput(f"name {name!r}", expected="SUITE.vN")
    survey = str(source.get("survey") or "")
    if survey and survey not in MEASURES:
        raise BadInput(f"survey {survey!r}", expected=" or ".join(MEASURES))
    known = MEASURES[survey] if survey else METRICS
    metrics, more = _listed(row, "metrics", known), _listed(row, "also_reported", known)
    if both := sorted(set(metrics) & set(more)):
        raise BadInput(f"{both[0]!r} stands in metrics and in also_reported", expected="one of the two")
    if not isinstance(row["seed"], int):
        raise BadInput(f"seed {row['seed']!r}", expected="a whole number")
    return Spec(
        name=name,
        question=str(row["question"]),
        cases=cases,
        sha256=str(source.get("sha256") or ""),
        generator=generator,
        survey=survey,
        mapping=str(source.get("mapping") or ""),
        violations_at_least=int(source.get("violations_at_least") or 0),
        metrics=metrics,
        also_reported=more,
        matching={k: str(v) for k, v in _mapping(row["matching"], "matching", _MATCHING).items()},
        tables=_listed(row, "tables", TABLES),
        ablations=_listed(row, "ablations", ABLATIONS),
        seed=row["seed"],
    )


def _mapping(value: object, what: str, keys: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadInput(f"{what} is no mapping", expected=", ".join(sorted(keys)))
    if unknown := sorted(str(k) for k in value if k not in keys):
        raise BadInput(f"{what}: unknown key {unknown[0]!r}", expected=", ".join(sorted(keys)))
    return value


def _listed(row: Mapping[str, Any], key: str, known: object) -> tuple[str, ...]:
    value = row.get(key) or []
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise BadInput(f"{key} is no list", expected=f"{key}: [...]")
    for name in value:
        if name not in known:  # type: ignore[operator]
            raise BadInput(f"{key}: {name!r} is not known", expected=", ".join(sorted(known)))  # type: ignore[call-overload]
    return tuple(value)
