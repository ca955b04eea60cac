"""Dosage in the shapes of four versions: the same directions, the same exposure."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pharmakon.adapters.interop.fhir.dosage import read_dosages
from pharmakon.model.prescription import Amount, Timing

TODAY = date(2026, 6, 1)
TABLET = {"value": 1, "unit": "tablet"}


def timing(**repeat: Any) -> Timing | None:
    return read_dosages([{"timing": {"repeat": repeat}}], TODAY).timing


@pytest.mark.parametrize(
    ("repeat", "low", "high"),
    [
        ({"frequency": 2, "period": 1, "periodUnit": "d"}, 2, 2),
        ({"frequency": 1, "period": 8, "periodUnit": "h"}, 3, 3),
        ({"frequency": 1, "period": 6, "periodUnits": "h"}, 4, 4),
        ({"frequency": 1, "frequencyMax": 3, "period": 1, "periodUnit": "d"}, 1, 3),
        ({"frequency": 1, "period": 4, "periodMax": 6, "periodUnit": "h"}, 4, 6),
        ({"period": 1, "periodUnit": "wk"}, 1 / 7, 1 / 7),
        ({"frequency": 1, "period": 1, "periodUnit": "d", "dayOfWeek": ["mon", "thu"]}, 2 / 7, 2 / 7),
        ({"dayOfWeek": ["mon"]}, 1 / 7, 1 / 7),
        ({"timeOfDay": ["08:00:00", "20:00:00"]}, 2, 2),
        ({"when": ["MORN", "HS"]}, 2, 2),
        ({"when": ["AC"]}, 3, 3),
    ],
)
def test_a_repeat_becomes_times_a_day(repeat: dict[str, Any], low: float, high: float) -> None:
    found = timing(**repeat)
    assert found is not None
    assert found.per_day == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("code", "times"), [("BID", 2), ("TID", 3), ("QD", 1), ("QOD", 0.5), ("Q6H", 4), ("Q8H", 3), ("BED", 1)]
)
def test_a_timing_code_becomes_times_a_day(code: str, times: float) -> None:
    found = read_dosages([{"timing": {"code": {"coding": [{"code": code}]}}}], TODAY).timing
    assert found is not None
    assert found.per_day[1] == pytest.approx(times)


@pytest.mark.parametrize(
    "dosage",
    [
        {"doseAndRate": [{"doseQuantity": TABLET}]},
        {"doseAndRate": {"doseQuantity": TABLET}},
        {"doseQuantity": TABLET},
        {"dose": TABLET},
        {"quantityQuantity": TABLET},
        {"doseAndRate": [{"type": {"coding": [{"code": "calculated"}]}, "doseQuantity": {"value": 9, "unit": "mg"}},
                         {"type": {"coding": [{"code": "ordered"}]}, "doseQuantity": TABLET}]},
        {"doseAndRate": [{"doseQuantity": {"value": 1, "code": "tablet", "system": "http://unitsofmeasure.org"}}]},
    ],
)  # fmt: skip
def test_a_dose_is_found_wherever_a_version_puts_it(dosage: dict[str, Any]) -> None:
    assert read_dosages([dosage], TODAY).amount == Amount(1, 1, "tablet")
    assert read_dosages(dosage, TODAY).amount == Amount(1, 1, "tablet")


@pytest.mark.parametrize(
    ("unit", "code", "read"),
    [
        ("milligram(s)", "mg", "mg"),
        ("tablet", "1", "tablet"),
        ("", "mg", "mg"),
        ("scoops", "", "scoops"),
        ("mg", "x", "mg"),
    ],
)
def test_a_unit_is_kept_as_written_unless_only_its_code_means_something(unit: str, code: str, read: str) -> None:
    amount = read_dosages([{"doseQuantity": {"value": 1, "unit": unit, "code": code}}], TODAY).amount
    assert amount is not None
    assert amount.unit == read


def test_a_dose_range_stays_a_range() -> None:
    spread = {"doseRange": {"low": {"value": 325, "unit": "mg"}, "high": {"value": 650, "unit": "mg"}}}
    assert read_dosages([{"doseAndRate": [spread]}], TODAY).amount == Amount(325, 650, "mg")
    assert read_dosages([spread], TODAY).amount == Amount(325, 650, "mg")


def test_a_dose_that_is_none_is_left_out_and_said() -> None:
    for value in (0, -5):
        read = read_dosages([{"doseQuantity": {"value": value, "unit": "mg"}}], TODAY)
        assert read.amount is None
        assert "was not used" in read.remarks[0]
    assert "has no unit" in read_dosages([{"doseQuantity": {"value": 500}}], TODAY).remarks[0]


def step(sequence: int | None, value: float, times: int = 1, days: int = 5) -> dict[str, Any]:
    repeat = {
        "frequency": times,
        "period": 1,
        "periodUnit": "d",
        "boundsDuration": {"value": days, "unit": "d", "code": "d"},
    }
    found: dict[str, Any] = {"doseQuantity": {"value": value, "unit": "mg"}, "timing": {"repeat": repeat}}
    return found if sequence is None else {**found, "sequence": sequence}


def test_of_a_taper_the_step_with_the_highest_daily_dose_is_kept_and_said() -> None:
    read = read_dosages([step(1, 20), step(2, 15, 2), step(3, 5)], TODAY)
    assert (read.amount, read.timing) == (Amount(15, 15, "mg"), Timing(2, 2, 1))
    assert read.days == 15
    assert "3 steps" in read.remarks[0]


def test_instructions_that_hold_together_add_up() -> None:
    read = read_dosages([step(None, 10), step(None, 20)], TODAY)
    assert read.daily == pytest.approx(30)
    assert read.amount == Amount(20, 20, "mg")
    assert "added" in read.remarks[0]


def test_as_needed_is_read_in_all_its_shapes() -> None:
    for item in ({"asNeededBoolean": True}, {"asNeededCodeableConcept": {"text": "pain"}}, {"asNeeded": True}):
        assert read_dosages([item], TODAY).as_needed is True
    assert read_dosages([{"asNeededBoolean": False}], TODAY).as_needed is False
    assert read_dosages([{}], TODAY).as_needed is None


def test_a_route_is_known_by_code_or_by_word() -> None:
    snomed = {"coding": [{"system": "http://snomed.info/sct", "code": "6064005", "display": "anything"}]}
    assert read_dosages([{"route": snomed}], TODAY).route == "topical"
    assert read_dosages([{"route": {"text": "Oral Route"}}], TODAY).route == "oral"
    assert read_dosages([{"route": {"text": "by drone"}}], TODAY).route == "by drone"


def test_text_and_maximum_are_kept_for_whoever_reads_directions() -> None:
    most = {"numerator": {"value": 4, "unit": "g"}, "denominator": {"value": 1, "unit": "d"}}
    assert read_dosages([{"text": "1 tab prn", "maxDosePerPeriod": most}], TODAY).sig == "1 tab prn; max 4 g per 1 d"


def test_a_frequency_that_is_none_is_left_out_and_said() -> None:
    read = read_dosages([{"timing": {"repeat": {"frequency": -1, "period": 1, "periodUnit": "d"}}}], TODAY)
    assert read.timing is None
    assert "frequency was not used" in read.remarks[0]


def test_bounds_give_the_duration() -> None:
    read = read_dosages([{"timing": {"repeat": {"boundsPeriod": {"start": "2026-01-01", "end": "2026-01-10"}}}}], TODAY)
    assert (read.days, read.start, read.end) == (10, date(2026, 1, 1), date(2026, 1, 10))


@pytest.mark.parametrize(
    ("dosage", "said"),
    [
        ({"doseAndRate": [{"doseQuantity": {"value": "5 mg", "unit": "mg"}}]}, "the dose “5 mg”"),
        ({"doseAndRate": [{"doseQuantity": {"value": [5], "unit": "mg"}}]}, "the dose “[5]”"),
        ({"timing": {"repeat": {"frequency": "twice", "period": 1, "periodUnit": "d"}}}, "its frequency is “twice”"),
        ({"timing": {"repeat": {"frequency": 2, "period": "a day", "periodUnit": "d"}}}, "its period is “a day”"),
    ],
)
def test_what_is_no_number_is_said_and_not_used(dosage: dict[str, Any], said: str) -> None:
    found = read_dosages([dosage], TODAY)
    assert (found.amount, found.timing) == (None, None)
    assert any(said in remark for remark in found.remarks)
