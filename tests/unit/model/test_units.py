from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.model.errors import BadInput
from pharmakon.model.units import canonical, convert, dimension, is_unit
from pharmakon.model.vocabulary import read_schema

SPELLINGS = sorted(
    spelling
    for name, rows in read_schema("units.toml").items()
    if name != "molar"
    for unit, row in rows.items()
    for spelling in (unit, *row["names"])
)
COMPOUND = st.lists(st.sampled_from(SPELLINGS), min_size=1, max_size=3).map("/".join)
VALUES = st.floats(min_value=1e-6, max_value=1e6)


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("mg/dL", "mg/dL"),
        ("MG/DL", "mg/dL"),
        ("mL/min/1.73m2", "mL/min/1.73m2"),
        ("mL/min/{1.73_m2}", "mL/min/1.73m2"),
        ("ml/min per 1.73 m2", "mL/min/1.73m2"),
        ("mL/min/1,73 m²", "mL/min/1.73m2"),
        ("mcg/kg/min", "mcg/kg/min"),
        ("µg", "mcg"),
        ("umol/L", "umol/L"),
        ("μmol/l", "umol/L"),
        ("{tbl}", "piece"),
        ("[IU]", "unit"),
        ("IE", "unit"),
        ("mg per day", "mg/day"),
        ("mg/24 h", "mg/day"),
        ("mg/5 mL", "mg/5mL"),
        ("毫克/天", "mg/day"),
        ("kg/m2", "kg/m2"),
        ("times/day", "times/day"),
        ("%", "%"),
        ("1", "1"),
        ("INR", "1"),
        ("mmol/mol", "mmol/mol"),
    ],
)
def test_a_unit_has_one_spelling(written: str, spelled: str) -> None:
    assert canonical(written) == spelled


@pytest.mark.parametrize("written", ["", "furlong", "mg/", "/mL", "mg//mL", "gr", "mg/furlong", "mg/0mL", "5 mg"])
def test_an_unknown_unit_is_refused_by_name(written: str) -> None:
    with pytest.raises(BadInput) as refused:
        canonical(written)
    assert repr(written) in str(refused.value)
    assert "expected" in str(refused.value)
    assert not is_unit(written)


def test_every_unit_a_condition_may_ask_about_is_known() -> None:
    rows = read_schema("factors.toml")["number"]
    assert [row["unit"] for row in rows.values() if not is_unit(row["unit"])] == []


def test_the_units_of_the_molar_table_are_known() -> None:
    rows = read_schema("units.toml")["molar"].values()
    assert [row for row in rows if not (is_unit(row["mass"]) and is_unit(row["molar"]))] == []


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        (1, "g", "mg", 1000),
        (250, "mcg", "mg", 0.25),
        (1, "lb", "kg", 0.45359237),
        (1, "tsp", "mL", 5),
        (2, "weeks", "day", 14),
        (1, "mg/mL", "g/L", 1),
        (5, "mcg/kg/min", "mg/kg/day", 7.2),
        (1, "mg/kg/day", "mg/day/kg", 1),
        (250, "mg/5mL", "mg/mL", 50),
        (1.73, "mL/min/m2", "mL/min/1.73m2", 1.73**2),
        (7, "%", "1", 0.07),
    ],
)
def test_a_value_moves_between_units_of_one_dimension(value: float, source: str, target: str, result: float) -> None:
    assert convert(value, source, target) == pytest.approx(result)


@pytest.mark.parametrize(
    ("value", "source", "target", "analyte", "result"),
    [
        (1.0, "mg/dL", "umol/L", "creatinine", 88.42),
        (88.42, "µmol/L", "mg/dL", "creatinine", 1.0),
        (0.08842, "mmol/L", "mg/L", "creatinine", 10.0),
        (5.4, "mmol/L", "mEq/L", "potassium", 5.4),
        (48.0, "mmol/mol", "%", "hba1c", 6.54),
        (53.0, "mmol/mol", "%", "hba1c", 7.0),
        (7.0, "%", "mmol/mol", "hba1c", 53.01),
        (2.5, "", "1", "inr", 2.5),
        (2.5, "1", "1", "inr", 2.5),
        (2.5, "INR", "1", "inr", 2.5),
    ],
)
def test_a_laboratory_value_moves_between_mass_and_molar(
    value: float, source: str, target: str, analyte: str, result: float
) -> None:
    assert convert(value, source, target, analyte) == pytest.approx(result, abs=0.005)


@pytest.mark.parametrize(
    ("source", "target", "analyte"),
    [("mg/dL", "umol/L", None), ("mg/dL", "umol/L", "unobtainium"), ("mg", "mL", "creatinine"), ("unit", "mg", None)],
)
def test_two_dimensions_are_never_mixed(source: str, target: str, analyte: str | None) -> None:
    with pytest.raises(BadInput, match="can't be converted"):
        convert(1, source, target, analyte)


def test_a_blank_unit_is_refused_where_the_analyte_has_one() -> None:
    for analyte in (None, "potassium", "hba1c"):
        with pytest.raises(BadInput, match="unknown unit ''"):
            convert(1, "", "1", analyte)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(BadInput, match="finite"):
        convert(value, "mg", "g")


def test_the_order_of_denominators_does_not_change_a_dimension() -> None:
    assert dimension("mg/kg/day") == dimension("mg/day/kg") == "mass/mass/time"


@given(COMPOUND)
def test_the_one_spelling_of_a_unit_stays_as_it_is(unit: str) -> None:
    if is_unit(unit):
        assert canonical(canonical(unit)) == canonical(unit)
        assert dimension(canonical(unit)) == dimension(unit)


@given(st.text())
def test_any_text_is_a_unit_or_is_refused(text: str) -> None:
    try:
        assert canonical(canonical(text)) == canonical(text)
    except BadInput:
        assert not is_unit(text)


@given(VALUES, COMPOUND, COMPOUND)
def test_there_and_back_is_where_it_was(value: float, one: str, other: str) -> None:
    if is_unit(one) and is_unit(other) and dimension(one) == dimension(other):
        assert convert(convert(value, one, other), other, one) == pytest.approx(value)


@given(VALUES, st.sampled_from(sorted(read_schema("units.toml")["molar"])))
def test_a_laboratory_value_comes_back_from_molar(value: float, analyte: str) -> None:
    row = read_schema("units.toml")["molar"][analyte]
    molar = convert(value, row["mass"], row["molar"], analyte)
    assert convert(molar, row["molar"], row["mass"], analyte) == pytest.approx(value, rel=1e-6, abs=1e-6)
