"""The vocabulary as data: `schema/*.toml` read once, offered as plain look-ups."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib import resources
from typing import Any

from pharmakon.model.errors import BadInput


class Tier(IntEnum):
    """How strongly a finding speaks (HL7 potential-DDI guide); the order is the order of a report."""

    INFO = 1  #: no special precaution
    WARNING = 2  #: assess the risk
    CRITICAL = 3  #: use only if the benefit outweighs the risk

    def __str__(self) -> str:
        return self.name.lower()

    @classmethod
    def parse(cls, text: str) -> Tier:
        try:
            return cls[text.strip().upper()]
        except KeyError:
            raise BadInput(f"tier {text!r}", expected="info, warning or critical") from None


@dataclass(frozen=True, slots=True)
class Relation:
    """One kind of statement. `range` holds "" where a statement may do without an object."""

    name: str
    domain: frozenset[str]
    range: frozenset[str]
    in_graph: bool
    symmetric: bool = False
    transitive: bool = False


@dataclass(frozen=True, slots=True)
class Factor:
    """Something a condition may ask about. `of` says whose it is: patient, order or pair."""

    name: str
    shape: str  #: number, ordinal, flag, choice or concept
    label: str
    unit: str = ""
    levels: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    of: str = "patient"


@dataclass(frozen=True, slots=True)
class Route:
    name: str
    local: bool
    within: str
    names: tuple[str, ...]
    snomed: tuple[str, ...]
    nci: tuple[str, ...]


def read_schema(name: str) -> dict[str, Any]:
    """One file of `model/schema/` as plain data."""
    return tomllib.loads(resources.files("pharmakon.model").joinpath("schema", name).read_text("utf-8"))


@cache
def concept_kinds() -> frozenset[str]:
    return frozenset(read_schema("vocabulary.toml")["concept_kinds"])


@cache
def relations() -> dict[str, Relation]:
    rows = read_schema("vocabulary.toml")["relations"]
    return {
        name: Relation(
            name,
            frozenset(row["domain"]),
            frozenset(row["range"]),
            in_graph=row["stratum"] == "G",
            symmetric=row.get("symmetric", False),
            transitive=row.get("transitive", False),
        )
        for name, row in rows.items()
    }


@cache
def misfit(relation: str, subject_kind: str, object_kind: str) -> tuple[str, str] | None:
    """What is wrong with a statement of these kinds, and what was expected; None where the vocabulary allows it.

    `object_kind` is "" where there is no object (KB-5).
    """
    known = relations().get(relation)
    if known is None:
        return f"unknown relation {relation!r}", "one of " + ", ".join(sorted(relations()))
    if subject_kind not in known.domain:
        return f"{relation} can't start at a {subject_kind}", "one of " + ", ".join(sorted(known.domain))
    if object_kind not in known.range:
        wanted = ", ".join(sorted(kind or "nothing" for kind in known.range))
        return f"{relation} can't end at {object_kind or 'nothing'}", f"one of {wanted}"
    return None


@cache
def risk_types() -> dict[str, dict[str, str]]:
    """Risk type → its short title and its v3-ActCode for FHIR DetectedIssue."""
    return dict(read_schema("vocabulary.toml")["risk_types"])


@dataclass(frozen=True, slots=True)
class SectionKind:
    """The topic of a section and how labels name it. `reader`: "" clinicians, "patient", or "none" (a repetition)."""

    name: str
    title: str
    loinc: tuple[str, ...] = ()
    smpc: tuple[str, ...] = ()
    openfda: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    reader: str = ""


@cache
def section_kinds() -> dict[str, SectionKind]:
    """Section kind → what is said of it."""
    rows = read_schema("vocabulary.toml")["section_kinds"]
    return {
        name: SectionKind(name, row["title"], reader=row.get("reader", ""), **{
            key: tuple(row.get(key, ())) for key in ("loinc", "smpc", "openfda", "headings")
        })
        for name, row in rows.items()
    }  # fmt: skip


@cache
def factors() -> dict[str, Factor]:
    data = read_schema("factors.toml")
    found: dict[str, Factor] = {}
    for shape in ("number", "ordinal", "flag", "choice", "concept"):
        for name, row in data[shape].items():
            listed = row.get("levels") or row.get("values") or ()
            levels = data["routes"] if listed == "routes" else listed
            found[name] = Factor(
                name,
                shape,
                row["label"],
                unit=row.get("unit", ""),
                levels=tuple(levels),
                kinds=frozenset(row.get("kinds", ())),
                of=row.get("of", "patient"),
            )
    return found


@cache
def routes() -> dict[str, Route]:
    return {
        name: Route(
            name,
            local=row["exposure"] == "local",
            within=row.get("within", ""),
            names=tuple(row["names"]),
            snomed=tuple(row["snomed"]),
            nci=tuple(row["nci"]),
        )
        for name, row in read_schema("factors.toml")["routes"].items()
    }
