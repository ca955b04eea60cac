"""Rules of dose, kidney, liver, age and contraindication as a reader wrote them down, in a form that compares.

A line of `gold.jsonl` says where in a file a rule stands and what it says in the words of `factors.toml`; the guide is
`evals/extract-rules/README.md`. Two conditions compare by what they ask, not by how: a creatinine clearance of at most
29 mL/min is one below 30, a potassium of 5 mEq/L one of 5 mmol/L.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Condition, Limit
from pharmakon.model.tables import read_table
from pharmakon.model.units import convert, dimension, is_unit
from pharmakon.model.vocabulary import Factor, factors

TYPES = ("dose", "renal", "hepatic", "age", "contraindication")
ACTIONS = ("contraindicated", "avoid", "reduce", "limit", "monitor")
_KEYS = frozenset(["file", "start", "end", "type", "when", "limit", "action", "concept", "accept", "certain", "of"])
_NEEDED = ("file", "start", "end", "type", "when", "action", "certain")
_CONDITION = frozenset(["factor", "op", "value", "unit", "negated", "degree", "optional"])
#: History and presence of a disease are one question here: labels do not keep them apart.
_SAME = {"had": "has"}
_COMPARES = ("<", "<=", ">", ">=")
_TIMES = ("min", "hour", "day", "week")


@dataclass(frozen=True, slots=True)
class Test:
    """What a condition asks. `value`: a number in the factor's own unit, or the values of which one must hold."""

    factor: str
    op: str
    value: float | frozenset[str]
    negated: bool = False

    def __str__(self) -> str:
        if isinstance(self.value, float):
            asked = f"{self.factor} {self.op} {self.value:g}"
        else:
            asked = f"{self.factor} {'/'.join(sorted(self.value - {'true'}))}".strip()
        return f"not {asked}" if self.negated else asked


@dataclass(frozen=True, slots=True)
class Form:
    """One way to say a rule. `optional` tests may be left out; `about` are factors of which any test may be added."""

    required: frozenset[Test]
    optional: frozenset[Test] = frozenset()
    about: frozenset[str] = frozenset()
    limit: Limit | None = None

    def says(self, tests: frozenset[Test], limit: Limit | None) -> bool:
        """Whether a claim with these tests and this limit says the same."""
        more = tests - self.required - self.optional
        return self.required <= tests and all(t.factor in self.about for t in more) and same_limit(self.limit, limit)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule at one place of a file; offsets count code points of the file's text, `end` is exclusive.

    `forms`: the ways to say it, the reader's own first. `held`: the project has words for it. What the reader was not
    `certain` of is neither asked for nor held against anybody.
    """

    file: str
    start: int
    end: int
    type: str
    forms: tuple[Form, ...]
    action: str
    held: bool
    certain: bool


def questions_of(condition: Condition) -> tuple[tuple[Test, ...], ...]:
    """What a statement's condition asks: all of the questions, each answered by any one of its tests.

    "Has a or b" is one question of two tests; "lacks a and b" are two questions.
    """
    factor = factors()[condition.factor]
    name = _SAME.get(factor.name, factor.name)
    if factor.shape == "number":
        return ((_number(name, condition.op, condition.number, condition.negated),),)
    if factor.shape == "concept":
        tests = [Test(name, "in", frozenset({v}), condition.negated) for v in condition.values]
        return tuple((t,) for t in tests) if condition.negated else (tuple(tests),)
    if factor.shape == "flag":
        no = condition.negated != (condition.values == ("false",))
        return ((Test(name, "in", frozenset({"true"}), no),),)
    return ((Test(name, "in", frozenset(condition.values), condition.negated),),)


def same_limit(a: Limit | None, b: Limit | None) -> bool:
    """Whether two limits are one: 2 g a day and 2,000 mg a day, 48 hours and 2 days of treatment."""
    if a is None or b is None:
        return a is b
    if a.per != b.per and not {a.per, b.per} <= set(_TIMES):
        return False
    left, right = _measure(a), _measure(b)
    if not left or not right:
        return (a.unit, a.per) == (b.unit, b.per) and math.isclose(a.value, b.value)
    return dimension(left) == dimension(right) and math.isclose(convert(a.value, left, right), b.value, rel_tol=1e-6)


def read_rules(text: str, name: str) -> list[Rule]:
    """Every line of the gold; raises `BadInput` with the line and what was wrong."""
    found: list[Rule] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            found.append(_rule(json.loads(line)))
        except json.JSONDecodeError as error:
            raise BadInput(f"no JSON: {error.msg}", where=f"{name}, line {number}", expected="a rule") from None
        except BadInput as error:
            raise error.within(f"{name}, line {number}") from None
    return found


@cache
def sorting() -> Mapping[str, Any]:
    """`rules.toml`: which factors and conditions make a rule one of the kidney, the liver, the age."""
    return read_table("pharmakon.evaluate.extraction", "rules.toml")


def _rule(row: object) -> Rule:
    if not isinstance(row, dict) or not row.keys() <= _KEYS or any(key not in row for key in _NEEDED):
        raise BadInput("no rule", expected=f"{', '.join(_NEEDED)}; {', '.join(sorted(_KEYS - set(_NEEDED)))}")
    if row["type"] not in TYPES or row["action"] not in ACTIONS:
        raise BadInput(
            f"type {row['type']!r}, action {row['action']!r}", expected=f"one of {TYPES} and one of {ACTIONS}"
        )
    start, end = row["start"], row["end"]
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end):
        raise BadInput(f"offsets {start} and {end}", expected="whole numbers, the end behind the start")
    own = _form(row["when"], row.get("limit"))
    if not own.required and own.limit is None:
        raise BadInput("neither condition nor limit", expected="one of them at least")
    others = [_form(a.get("when", row["when"]), a.get("limit", row.get("limit"))) for a in row.get("accept", ())]
    held = not ("concept" in row and row["concept"] is None)
    return Rule(
        row["file"], start, end, row["type"], (own, *others), row["action"], held=held, certain=bool(row["certain"])
    )


def _form(when: Iterable[Mapping[str, Any]], limit: Mapping[str, Any] | None) -> Form:
    required: set[Test] = set()
    optional: set[Test] = set()
    about: set[str] = set()
    for row in when:
        if unknown := sorted(row.keys() - _CONDITION):
            raise BadInput(f"condition with {unknown[0]!r}", expected=", ".join(sorted(_CONDITION)))
        factor = factors().get(str(row.get("factor")))
        if factor is None:
            raise BadInput(f"factor {row.get('factor')!r}", expected=", ".join(factors()))
        if "op" not in row:
            about.add(factor.name)
            continue
        (optional if row.get("optional") else required).add(_asked(row, factor))
    bound = Limit(float(limit["value"]), str(limit["unit"]), str(limit["per"])) if limit else None
    return Form(frozenset(required), frozenset(optional), frozenset(about), bound)


def _asked(row: Mapping[str, Any], factor: Factor) -> Test:
    name, negated = _SAME.get(factor.name, factor.name), bool(row.get("negated"))
    if factor.shape == "number":
        if row["op"] not in _COMPARES:
            raise BadInput(f"{factor.name} {row['op']!r}", expected=" ".join(_COMPARES))
        value = convert(float(row["value"]), str(row.get("unit", "")), factor.unit, analyte=factor.name)
        return _number(name, str(row["op"]), value, negated)
    if factor.shape == "flag":
        return Test(name, "in", frozenset({"true"}), negated != (row["value"] is False))
    values = row["value"] if isinstance(row["value"], list) else [row["value"]]
    if factor.levels and not set(values) <= set(factor.levels):
        raise BadInput(f"{factor.name} {values}", expected=", ".join(factor.levels))
    return Test(name, "in", frozenset(values), negated)


def _number(name: str, op: str, value: float, negated: bool) -> Test:
    value = round(float(value), 6)
    if name in sorting()["counting"]["whole"] and value.is_integer() and op in ("<=", ">"):
        op, value = ("<" if op == "<=" else ">="), value + 1
    return Test(name, op, value, negated)


def _measure(limit: Limit) -> str:
    """The limit's unit with its time where it has one; "" for what units.toml does not know."""
    unit = f"{limit.unit}/{limit.per}" if limit.per in _TIMES else limit.unit
    return unit if is_unit(unit) else ""
