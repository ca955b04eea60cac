"""The published schema of the plain form says what the reader does."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pharmakon.adapters.interop.limits import lab_names
from pharmakon.adapters.interop.plain import read_plain
from pharmakon.adapters.interop.plain_order import KEYS as ORDER_KEYS
from pharmakon.adapters.interop.plain_patient import KEYS as PATIENT_KEYS
from pharmakon.adapters.interop.schema import schema_of
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import STATUSES
from pharmakon.model.vocabulary import factors
from tests.unit.adapters.interop.test_plain import FULL, with_order, with_patient

PUBLISHED = schema_of("prescription")
SCHEMA = Draft202012Validator(PUBLISHED)


def reads(value: object) -> bool:
    try:
        read_plain(value, name="x", today=date(2026, 6, 1))
    except BadInput:
        return False
    return True


def test_the_schema_and_the_reader_know_the_same_names() -> None:
    defs = PUBLISHED["$defs"]
    assert set(defs["patient"]["properties"]) == set(PATIENT_KEYS)
    assert set(defs["medication"]["properties"]) == set(ORDER_KEYS)
    labs = defs["patient"]["properties"]["labs"]["anyOf"][0]["properties"]
    assert set(labs) == set(lab_names())
    statuses = defs["medication"]["properties"]["status"]["anyOf"][0]["enum"]
    assert tuple(statuses) == STATUSES


def test_every_laboratory_name_is_a_factor() -> None:
    assert set(lab_names()) <= set(factors())


@pytest.mark.parametrize(
    "value",
    [
        FULL,
        with_order(),
        with_order(frequency={"times": 2, "per": "day"}),
        with_patient(child_pugh={"inr": 1.8, "ascites": "mild", "encephalopathy": 2}),
        with_patient(allergies=["latex", {"substance": "penicillin", "reaction": "rash"}]),
        with_patient(labs={"inr": [{"value": 2.5, "unit": ""}, {"value": 2.5, "unit": None}]}),
        with_patient(labs={"inr": {"value": 2.5}, "egfr": [{"value": 30, "unit": "mL/min", "date": "2026-01-01"}]}),
    ],
)
def test_what_reads_is_valid(value: dict[str, Any]) -> None:
    assert reads(value)
    SCHEMA.validate(value)


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"medications": []},
        with_order(dosage=5),
        with_order(dose={"value": 0, "unit": "mg"}),
        with_order(dose={"value": 5}),
        with_order(drug=" "),
        with_order(status="activ"),
        with_order(start="yesterday"),
        with_patient(age=-1),
        with_patient(age=True),
        with_patient(weight_kg=0),
        with_patient(trimester=4),
        with_patient(labs={"potassium": {"value": 5}}),
        with_patient(labs={"sugar": {"value": 5, "unit": "mmol/L"}}),
        with_patient(conditions=[{}]),
        with_patient(child_pugh="D"),
    ],
)
def test_what_is_refused_is_invalid(value: dict[str, Any]) -> None:
    assert not reads(value)
    assert not SCHEMA.is_valid(value)


AGES = st.none() | st.booleans() | st.integers(-5, 200) | st.floats(-5, 200) | st.text(max_size=3)
DOSES = st.none() | st.fixed_dictionaries(
    {}, optional={"value": st.none() | st.floats(-1, 5), "unit": st.sampled_from(["mg", "", "  "]), "x": st.just(1)}
)


@given(AGES, DOSES, st.sampled_from([None, "", "daily", 5, {"times": 2, "per": "day"}, {"times": -1, "per": "day"}]))
def test_the_schema_and_the_reader_agree(age: object, dose: object, frequency: object) -> None:
    value = {"patient": {"age": age}, "medications": [{"drug": "x", "dose": dose, "frequency": frequency}]}
    assert SCHEMA.is_valid(value) == reads(value)
