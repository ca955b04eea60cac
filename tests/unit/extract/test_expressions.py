"""The small language of conditions and limits."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.extract.curated.expressions import read_condition, read_guard, read_limit
from pharmakon.model.errors import BadInput


@pytest.mark.parametrize(
    ("line", "factor", "op", "number"),
    [
        ("age >= 65 years", "age", ">=", 65),
        ("crcl < 30 mL/min", "crcl", "<", 30),
        ("egfr <= 30 mL/min/1.73m2", "egfr", "<=", 30),
        ("weight < 50 kg", "weight", "<", 50),
        ("potassium > 5.5 mmol/L", "potassium", ">", 5.5),
        ("potassium > 5.5 mEq/L", "potassium", ">", 5.5),
        ("dose_daily > 1,000 mg", "dose_daily", ">", 1000),
        ("dose_daily > 1 g", "dose_daily", ">", 1000),
        ("dose_single > 500 mcg", "dose_single", ">", 0.5),
        ("inr > 3", "inr", ">", 3),
        ("gap < 14 days", "gap", "<", 14),
        ("gap < 2 weeks", "gap", "<", 14),
        ("qtc > 500 ms", "qtc", ">", 500),
        ("hba1c > 9 %", "hba1c", ">", 9),
        ("  age   >=  65   years ", "age", ">=", 65),
    ],
)
def test_a_number_is_kept_in_its_factors_unit(line: str, factor: str, op: str, number: float) -> None:
    found = read_condition(line)
    assert (found.factor, found.op) == (factor, op)
    assert found.number == pytest.approx(number)


@pytest.mark.parametrize(
    ("line", "factor", "values", "negated", "of"),
    [
        ("pregnant", "pregnant", ("true",), False, "subject"),
        ("not pregnant", "pregnant", ("false",), False, "subject"),
        ("child_pugh >= B", "child_pugh", ("B", "C"), False, "subject"),
        ("child_pugh < B", "child_pugh", ("A",), False, "subject"),
        ("child_pugh <= B", "child_pugh", ("A", "B"), False, "subject"),
        ("child_pugh > B", "child_pugh", ("C",), False, "subject"),
        ("trimester is 3", "trimester", ("3",), False, "subject"),
        ("sex is female", "sex", ("female",), False, "subject"),
        ("route in oral, rectal", "route", ("oral", "rectal"), False, "subject"),
        ("route is intravenous", "route", ("intravenous", "intravenous_push", "line_lock"), False, "subject"),
        ("has disease:x", "has", ("disease:x",), False, "subject"),
        ("lacks disease:x", "has", ("disease:x",), True, "subject"),
        ("had disease:x, disease:y", "had", ("disease:x", "disease:y"), False, "subject"),
        ("with class:x", "with", ("class:x",), False, "subject"),
        ("without class:x", "with", ("class:x",), True, "subject"),
        ("object.route is topical", "route", ("topical",), False, "object"),
        ("subject.as_needed", "as_needed", ("true",), False, "subject"),
        ("indication is disease:x", "indication", ("disease:x",), False, "subject"),
        ("form is extended_release", "form", ("extended_release",), False, "subject"),
    ],
)
def test_words_are_values(line: str, factor: str, values: tuple[str, ...], negated: bool, of: str) -> None:
    found = read_condition(line)
    assert (found.factor, found.values, found.negated, found.of) == (factor, values, negated, of)


def test_local_and_systemic_routes_share_nothing_and_leave_nothing() -> None:
    local, systemic = set(read_condition("route is local").values), set(read_condition("route is systemic").values)
    assert local.isdisjoint(systemic)
    assert {"topical", "ophthalmic"} <= local
    assert {"oral", "intravenous_push"} <= systemic


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("crcl < 30", "without its unit"),
        ("crcl < 1.2.3 mL/min", "no number"),
        ("crcl < . mL/min", "no number"),
        ("age >= 65", "without its unit"),
        ("crcl < thirty mL/min", "crcl"),
        ("crcl 30 mL/min", "crcl"),
        ("kidney < 30 mL/min", "no factor"),
        ("", "no factor"),
        ("crcl < 30 kg", "converted"),
        ("crcl < 30 mL/fortnight", "unknown unit"),
        ("pregnant yes", "nothing can follow"),
        ("child_pugh >= D", "'D'"),
        ("child_pugh", "child_pugh"),
        ("route is owl", "'owl'"),
        ("sex is", "sex"),
        ("has x", "no concept id"),
        ("has class:x", "class:x"),
        ("with disease:x", "disease:x"),
        ("with", "no concept id"),
        ("potassium > 5.5 mg", "converted"),
    ],
)
def test_a_bad_condition_is_refused_with_a_reason(line: str, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_condition(line)
    assert reason in str(caught.value)


def test_a_guard_is_an_or_of_ands() -> None:
    assert [len(c) for c in read_guard("pregnant")] == [1]
    assert [len(c) for c in read_guard(["pregnant", "age < 50 years"])] == [2]
    assert [len(c) for c in read_guard([["pregnant"], ["age < 50 years", "lactating"]])] == [1, 2]


@pytest.mark.parametrize("value", [[], {}, None, [["pregnant"], "lactating"], [[]], [1]])
def test_a_guard_of_another_shape_is_refused(value: object) -> None:
    with pytest.raises(BadInput):
        read_guard(value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("40 mg per day", "40 mg per day"),
        ("2,550 mg per day", "2550 mg per day"),
        ("1.2 g per day", "1200 mg per day"),
        ("50 mcg per dose", "0.05 mg per dose"),
        ("1 mg/kg per dose", "1 mg/kg per dose"),
        ("75 mg/m2 per day", "75 mg/m2 per day"),
        ("3 times per day", "3 times per day"),
        ("14 days per course", "14 days per course"),
        ("2 weeks per course", "14 days per course"),
        ("100 unit per day", "100 unit per day"),
        ("1.5 MME per mg", "1.5 MME per mg"),
        ("2 drugs per day", "2 drugs per day"),
        ("20 mEq per hour", "20 mEq per hour"),
    ],
)
def test_a_limit_is_read(text: str, shown: str) -> None:
    assert str(read_limit(text)) == shown


@pytest.mark.parametrize(
    "text",
    [
        "40 mg",
        "40 per day",
        "mg per day",
        "40 mg per fortnight",
        "40 mg/L per day",
        "forty mg per day",
        "40 blobs per day",
        "1.2.3 mg per day",
        "",
    ],
)
def test_a_bad_limit_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_limit(text)


@given(st.text(max_size=40) | st.from_regex(r"(age|crcl) (<|>=) [0-9.,]{1,5} (years|mL/min)", fullmatch=True))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (read_condition, read_limit):
        with suppress(BadInput):
            read(text)
