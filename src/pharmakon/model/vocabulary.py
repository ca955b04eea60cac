"""The vocabulary as data: `schema/*.toml` read once, offered as plain look-ups.

Those files are the seed. What an opened knowledge base has accepted comes on top by `grow`, for the whole process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from typing import Any

from pharmakon.model.errors import BadInput, KnowledgeError
from pharmakon.model.tables import read_table


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


#: The shapes a factor may have.
SHAPES = ("number", "ordinal", "flag", "choice", "concept")


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
    return read_table("pharmakon.model", "schema", name)


@cache
def concept_kinds() -> frozenset[str]:
    return frozenset(read_schema("vocabulary.toml")["concept_kinds"])


@cache
def _seed_relations() -> dict[str, Relation]:
    return {name: relation_of(name, row) for name, row in read_schema("vocabulary.toml")["relations"].items()}


def relation_of(name: str, row: Mapping[str, Any]) -> Relation:
    """One row of `[relations]`."""
    return Relation(
        name,
        frozenset(row["domain"]),
        frozenset(row["range"]),
        in_graph=row["stratum"] == "G",
        symmetric=row.get("symmetric", False),
        transitive=row.get("transitive", False),
    )


@cache
def relations() -> dict[str, Relation]:
    """Name → relation: the seed's, and what was accepted since."""
    return _seed_relations() | {name: e for name, e in _grown.items() if isinstance(e, Relation)}


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
def _seed_factors() -> dict[str, Factor]:
    data = read_schema("factors.toml")
    return {name: factor_of(name, shape, row) for shape in SHAPES for name, row in data[shape].items()}


def factor_of(name: str, shape: str, row: Mapping[str, Any]) -> Factor:
    """One row of a table of `factors.toml`; the table is its shape."""
    listed = row.get("levels") or row.get("values") or ()
    return Factor(
        name,
        shape,
        row["label"],
        unit=row.get("unit", ""),
        levels=tuple(routes() if listed == "routes" else listed),
        kinds=frozenset(row.get("kinds", ())),
        of=row.get("of", "patient"),
    )


@cache
def factors() -> dict[str, Factor]:
    """Name → factor: the seed's, and what was accepted since."""
    return _seed_factors() | {name: e for name, e in _grown.items() if isinstance(e, Factor)}


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


# ── what came on top of the seed ───────────────────────────────────────────────────────────────────

#: What is worked out here from the seed and what came on top.
_DERIVED = (relations, factors, misfit)
#: Name → entry. A relation and a factor never share a name, so that one table holds both.
_grown: dict[str, Factor | Relation] = {}


def seeded(name: str) -> bool:
    """Whether the shipped vocabulary has a relation or a factor of this name."""
    return name in _seed_relations() or name in _seed_factors()


def seed_size() -> tuple[int, int]:
    """How many relations and factors the shipped vocabulary has."""
    return len(_seed_relations()), len(_seed_factors())


def grow(entries: Iterable[Factor | Relation]) -> bool:
    """Offer `entries` beside the seed from now on; says whether any was new.

    For the whole process and only ever wider: of two knowledge bases open in one process each accepts what the other
    has accepted, and one that is closed leaves its words behind. Whoever keeps something worked out from `relations()`
    or `factors()` works it out anew where this returns True. Raises `KnowledgeError` where a name means another thing
    already, by the seed of this release or by another knowledge base: a figure would be read in the wrong unit.
    """
    global _grown
    new: dict[str, Factor | Relation] = {}
    for entry in entries:
        known = factors().get(entry.name) or relations().get(entry.name)
        if known is None:
            new[entry.name] = entry
        elif not same_meaning(known, entry):
            raise KnowledgeError(
                f"{entry.name} was accepted in this knowledge base and means something else here already"
            )
    if new:
        _grown = _grown | new  # not changed in place: another thread may be reading it
        for derived in _DERIVED:
            derived.cache_clear()
    return bool(new)


def grown() -> tuple[Factor | Relation, ...]:
    """What this process has on top of the seed."""
    return tuple(_grown.values())


def same_meaning(a: Factor | Relation, b: Factor | Relation) -> bool:
    """Whether what is stored under the one can be read as the other: all but the label counts."""
    if isinstance(a, Factor) and isinstance(b, Factor):
        return replace(a, label="") == replace(b, label="")
    return a == b
