"""Cases: what was ordered, what must be found, what must not. The form stands in `evals/README.md`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pharmakon.model.errors import BadInput
from pharmakon.model.vocabulary import Tier, risk_types

KINDS = ("violation", "near_miss", "gap")
_KEYS = frozenset(
    ["id", "type", "kind", "prescription", "expect", "forbid", "pair", "expect_gap", "gap_drugs", "why", "source"]
).union(["also_true", "statement", "evidence", "subset"])
_FINDING = frozenset(["type", "drugs", "tier_at_least", "type_or"])

Key = tuple[str, frozenset[str]]
"""A problem as suites compare it: risk type and ingredient names."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A finding that must come (or must not). `tier` is the least it may have; `type_or` are types as defensible."""

    type: str
    drugs: frozenset[str]
    tier: Tier = Tier.INFO
    type_or: frozenset[str] = frozenset()

    @property
    def key(self) -> Key:
        return self.type, self.drugs

    def as_dict(self) -> dict[str, Any]:
        shaped: dict[str, Any] = {"type": self.type, "drugs": sorted(self.drugs), "tier_at_least": str(self.tier)}
        return shaped | ({"type_or": sorted(self.type_or)} if self.type_or else {})


@dataclass(frozen=True, slots=True)
class EvalCase:
    """`also_true` are further rules that the prescription breaks; finding them is neither right nor a false alarm."""

    id: str
    kind: str
    type: str
    prescription: Mapping[str, Any]  #: the plain form
    expect: tuple[Expectation, ...] = ()
    forbid: tuple[Expectation, ...] = ()
    also_true: tuple[Expectation, ...] = ()
    pair: str | None = None
    subset: str = ""  #: cases of a kind of their own, measured apart
    expect_gap: tuple[str, ...] = ()
    gap_drugs: tuple[str, ...] = ()
    why: str = ""
    statement: str | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The case as one line of `cases.jsonl` holds it."""
        return {
            "id": self.id,
            "type": self.type or None,
            "kind": self.kind,
            "prescription": self.prescription,
            "expect": [e.as_dict() for e in self.expect],
            "forbid": [{"type": e.type, "drugs": sorted(e.drugs)} for e in self.forbid],
            "also_true": [e.as_dict() for e in self.also_true],
            "pair": self.pair,
            "subset": self.subset,
            "statement": self.statement,
            "evidence": self.evidence,
            "why": self.why,
        }


def read_cases(text: str, name: str) -> Iterator[EvalCase]:
    """Every case of a `cases.jsonl`; raises `BadInput` with the line and what was wrong."""
    seen: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        place = f"{name}, line {number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise BadInput(f"no JSON: {error.msg}", where=place, expected="one case as a JSON object") from None
        case = _case(row, place)
        if case.id in seen:
            raise BadInput(f"the id {case.id!r} stands twice", where=place, expected="ids of their own")
        seen.add(case.id)
        yield case


def write_cases(cases: Iterable[EvalCase]) -> str:
    """Cases as `read_cases` reads them."""
    return "".join(json.dumps(case.as_dict(), ensure_ascii=False) + "\n" for case in cases)


def _case(row: object, place: str) -> EvalCase:
    if not isinstance(row, dict):
        raise BadInput("a case is no object", where=place, expected="{...}")
    if unknown := sorted(row.keys() - _KEYS):
        raise BadInput(f"unknown key {unknown[0]!r}", where=place, expected=", ".join(sorted(_KEYS)))
    for key in ("id", "kind", "prescription"):
        if not row.get(key):
            raise BadInput(f"{key!r} is missing", where=place, expected="id, kind and prescription")
    kind = row["kind"]
    if kind not in KINDS:
        raise BadInput(f"kind {kind!r}", where=place, expected=" or ".join(KINDS))
    type_ = row.get("type") or ""
    if type_ and type_ not in risk_types():
        raise BadInput(f"type {type_!r}", where=place, expected="a risk type")
    return EvalCase(
        id=str(row["id"]),
        kind=kind,
        type=type_,
        prescription=row["prescription"],
        expect=tuple(_expectation(e, place) for e in row.get("expect") or ()),
        forbid=tuple(_expectation(e, place) for e in row.get("forbid") or ()),
        also_true=tuple(_expectation(e, place) for e in row.get("also_true") or ()),
        pair=row.get("pair"),
        subset=row.get("subset") or "",
        expect_gap=tuple(row.get("expect_gap") or ()),
        gap_drugs=tuple(row.get("gap_drugs") or ()),
        why=row.get("why") or "",
        statement=row.get("statement"),
        evidence=row.get("evidence") or {},
        source=row.get("source") or {},
    )


def _expectation(row: object, place: str) -> Expectation:
    if not isinstance(row, dict) or not {"type", "drugs"} <= row.keys() <= _FINDING:
        raise BadInput(f"finding {row!r}", where=place, expected="type, drugs; tier_at_least and type_or where wanted")
    either = row.get("type_or") or ()
    for type_ in (row["type"], *either):
        if type_ not in risk_types():
            raise BadInput(f"type {type_!r}", where=place, expected="a risk type")
    tier = Tier.parse(row["tier_at_least"]) if row.get("tier_at_least") else Tier.INFO
    return Expectation(row["type"], frozenset(row["drugs"]), tier, frozenset(either))
