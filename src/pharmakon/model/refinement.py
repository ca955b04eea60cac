"""How the schema grows: what is proposed, what was decided, and an entry as data (PG-3).

A proposal is a gap that documents show: a boundary that no factor of R can hold (scenario A), or a connection that no
edge of G can say (scenario B). A person accepts, revises or rejects it; what is accepted is an entry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pharmakon.model.errors import BadInput
from pharmakon.model.units import is_unit
from pharmakon.model.vocabulary import (
    SHAPES,
    Factor,
    Relation,
    concept_kinds,
    factor_of,
    factors,
    relation_of,
    relations,
)

Entry = Factor | Relation
Status = Literal["open", "revised", "accepted", "rejected"]

_KEY = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_LONGEST = 40
#: Names that mean something where relations and factors stand: tables of the graph, fields of a monograph, words of the
#: language of conditions.
_TAKEN = frozenset(
    {
        *(
            "concept",
            "state",
            "says",
            "cite",
            "risk",
            "tier",
            "limit",
            "from",
            "strength",
            "when",
            "raise",
            "first_true",
        ),
        *("except", "mechanism", "effect", "management", "not", "and", "or", "lacks", "without", "subject", "object"),
    }
)
_FACTOR_FIELDS = frozenset({"shape", "label", "unit", "levels", "kinds", "of"})
_RELATION_FIELDS = frozenset({"domain", "range", "stratum", "symmetric"})  # the hierarchy is the seed's


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence that shows the gap. Offsets are those of the section, `end` exclusive; `quote` stands there."""

    document: str
    version: str
    ord: int
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What a proposer found: the entry that would close the gap, and where it shows.

    `pattern` is the words by which the same gap is known again, whatever an expert makes of the entry; `documents`
    counts all that show it, `quotations` are a few of them.
    """

    entry: Entry
    pattern: str
    why: str
    documents: int
    quotations: tuple[Quotation, ...]
    proposer: str = "pattern"  #: or a model's name

    @property
    def kind(self) -> str:
        return kind_of_entry(self.entry)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A draft as stored. `open` and `revised` ones wait for a decision."""

    no: int
    draft: Draft
    status: Status
    decided_in: int | None = None  #: the change of the decision
    decided_by: str = ""
    reason: str = ""

    @property
    def waits(self) -> bool:
        return self.status in ("open", "revised")


@dataclass(frozen=True, slots=True)
class Accepted:
    """One step of the schema beyond the seed, which is version 0."""

    version: int
    entry: Entry
    proposal: int
    decided_by: str
    change_no: int
    at: str  #: time of the change, ISO 8601, UTC


def kind_of_entry(entry: Entry) -> str:
    """ "factor" (scenario A) or "relation" (scenario B)."""
    return "factor" if isinstance(entry, Factor) else "relation"


def body_of(entry: Entry) -> dict[str, Any]:
    """An entry without its name, as a row of the vocabulary's files; what is empty is left out."""
    if isinstance(entry, Factor):
        row: dict[str, Any] = {"shape": entry.shape, "label": entry.label, "unit": entry.unit, "of": entry.of}
        row |= {"levels": list(entry.levels), "kinds": sorted(entry.kinds)}
        return {key: value for key, value in row.items() if value}
    row = {"domain": sorted(entry.domain), "range": sorted(entry.range), "stratum": "G" if entry.in_graph else "R"}
    return row | ({"symmetric": True} if entry.symmetric else {})


def entry_of(kind: str, key: str, body: Mapping[str, Any]) -> Entry:
    """The entry that such a row describes. Raises `BadInput` that names what the vocabulary could not take."""
    if kind not in ("factor", "relation"):
        raise BadInput(f"{kind!r} is no kind of entry", expected="factor or relation")
    if not _KEY.fullmatch(key) or len(key) > _LONGEST or key in _TAKEN:
        raise BadInput(
            f"{key!r} is no name for a {kind}",
            expected=f"at most {_LONGEST} small letters, digits and single _, and no word with another use",
        )
    if unknown := sorted(body.keys() - (_FACTOR_FIELDS if kind == "factor" else _RELATION_FIELDS)):
        raise BadInput(f"{kind} {key}: a {kind} has no {unknown[0]!r}")
    return _factor(key, body) if kind == "factor" else _relation(key, body)


def new_entry(entry: Entry) -> Entry:
    """`entry` if nothing in the vocabulary has its name; else `BadInput`."""
    if entry.name in factors() or entry.name in relations():
        raise BadInput(f"{entry.name} is in the schema already", expected="another --key, or to reject the proposal")
    return entry


def _factor(key: str, body: Mapping[str, Any]) -> Factor:
    where = f"factor {key}"
    shape, label, unit = _word(body, "shape", where), _word(body, "label", where), _word(body, "unit", where)
    if shape not in SHAPES:
        raise BadInput(f"shape {shape!r}", where=where, expected=", ".join(SHAPES))
    if not label.strip() or len(label) > 80 or not label.isprintable():
        raise BadInput(f"label {label[:80]!r}", where=where, expected="a few words for people")
    if (shape == "number") != bool(unit) or (unit and not is_unit(unit)):
        raise BadInput(
            f"unit {unit!r}", where=where, expected="a unit such as mg/min for a number, none for any other shape"
        )
    levels, kinds = _words(body, "levels", where), _words(body, "kinds", where)
    if (shape in ("ordinal", "choice")) != (len(levels) > 1):
        raise BadInput(f"{len(levels)} levels", where=where, expected="two or more for an ordinal or a choice")
    if (shape == "concept") != bool(kinds) or not concept_kinds().issuperset(kinds):
        raise BadInput(f"kinds {', '.join(kinds)}", where=where, expected="kinds of concepts, for the shape concept")
    if body.get("of", "patient") not in ("patient", "order", "pair"):
        raise BadInput(f"of {body['of']!r}", where=where, expected="patient, order or pair")
    return factor_of(key, shape, {"label": label, "unit": unit, "levels": levels, "kinds": kinds, **_of(body)})


def _relation(key: str, body: Mapping[str, Any]) -> Relation:
    where = f"relation {key}"
    domain, range_ = _words(body, "domain", where), _words(body, "range", where)
    if not domain or not concept_kinds().issuperset(domain):
        raise BadInput(f"domain {', '.join(domain)}", where=where, expected="kinds of concepts")
    if not range_ or not (concept_kinds() | {""}).issuperset(range_):
        raise BadInput(f"range {', '.join(range_)}", where=where, expected='kinds of concepts, "" for no object')
    if body.get("stratum") not in ("G", "R"):
        raise BadInput(f"stratum {body.get('stratum')!r}", where=where, expected="G or R")
    if not isinstance(body.get("symmetric", False), bool):
        raise BadInput(f"symmetric {body['symmetric']!r}", where=where, expected="true or false")
    return relation_of(key, body)


def _of(body: Mapping[str, Any]) -> dict[str, Any]:
    return {"of": body["of"]} if "of" in body else {}


def _word(body: Mapping[str, Any], field: str, where: str) -> str:
    value = body.get(field, "")
    if not isinstance(value, str):
        raise BadInput(f"{field} {value!r}", where=where, expected="text")
    return value.strip()


def _words(body: Mapping[str, Any], field: str, where: str) -> tuple[str, ...]:
    value = body.get(field, ())
    if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
        raise BadInput(f"{field} {value!r}", where=where, expected="a list of words")
    return tuple(value)
