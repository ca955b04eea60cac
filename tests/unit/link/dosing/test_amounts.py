from __future__ import annotations

import pytest

from pharmakon.link.dosing.amounts import agreed, exposure
from pharmakon.link.dosing.sig import read_sig
from pharmakon.link.dosing.strength import read_strengths
from pharmakon.model.concepts import ConceptId
from pharmakon.model.dosing import Part
from pharmakon.model.prescription import Amount, Timing

DRUG = ConceptId("ingredient:something")


def _part(strength: str = "") -> Part:
    found = [s for s in read_strengths(strength) if s.role == "strength"]
    return Part(DRUG, found[0].amount, found[0].per or "mL") if found else Part(DRUG)


@pytest.mark.parametrize(
    ("sig", "strength", "single", "daily", "weekly"),
    [
        ("2 tablets twice daily", "5 mg", (10, 10, "mg"), (20, 20, "mg"), (140, 140, "mg")),
        ("1-2 tablets q4-6h prn", "325 mg", (325, 650, "mg"), (1300, 3900, "mg"), (9100, 27300, "mg")),
        ("1-2 tablets q4-6h, max 8 a day", "325 mg", (325, 650, "mg"), (1300, 2600, "mg"), (9100, 18200, "mg")),
        ("10 mL tid", "2 mg/mL", (20, 20, "mg"), (60, 60, "mg"), (420, 420, "mg")),
        ("1 teaspoon bid", "250 mg/5 mL", (250, 250, "mg"), (500, 500, "mg"), (3500, 3500, "mg")),
        ("500 mg bid", "", (500, 500, "mg"), (1000, 1000, "mg"), (7000, 7000, "mg")),
        ("0.5 g bid", "250 mg", (500, 500, "mg"), (1000, 1000, "mg"), (7000, 7000, "mg")),
        ("20 units nocte", "100 units/mL", (20, 20, "unit"), (20, 20, "unit"), (140, 140, "unit")),
        ("2 tablets daily", "20 mEq", (40, 40, "mEq"), (40, 40, "mEq"), (280, 280, "mEq")),
        ("2 puffs bid", "0.044 MG/ACTUAT", (0.088, 0.088, "mg"), (0.176, 0.176, "mg"), (1.232, 1.232, "mg")),
        ("5 mL once", "1%", (50, 50, "mg"), (50, 50, "mg"), (350, 350, "mg")),
        ("apply 2 g bid", "0.01 MG/MG", (20, 20, "mg"), (40, 40, "mg"), (280, 280, "mg")),
        ("15 mg once a week", "", (15, 15, "mg"), (15, 15, "mg"), (15, 15, "mg")),
        ("40 mg every 14 days", "", (40, 40, "mg"), (40, 40, "mg"), (40, 40, "mg")),
        ("10 mg every other day", "", (10, 10, "mg"), (10, 10, "mg"), (35, 35, "mg")),
        ("1-0-2", "5 mg", (5, 10, "mg"), (10, 15, "mg"), (70, 105, "mg")),
        ("400 mg stat then 200 mg bid", "", (400, 400, "mg"), (400, 400, "mg"), (2800, 2800, "mg")),
        ("100 mL/hr", "1 mg/mL", (100, 100, "mg"), (2400, 2400, "mg"), (16800, 16800, "mg")),
    ],
)
def test_an_order_amounts_to_so_much_of_its_ingredient(
    sig: str,
    strength: str,
    single: tuple[float, float, str],
    daily: tuple[float, float, str],
    weekly: tuple[float, float, str],
) -> None:
    read = read_sig(sig)
    found = exposure(read.dose, read.timing, _part(strength), read.max_daily)
    assert found.why == ""
    for amount, expected in ((found.single, single), (found.daily, daily), (found.weekly, weekly)):
        assert amount is not None
        assert (amount.low, amount.high) == pytest.approx(expected[:2])
        assert amount.unit == expected[2]


@pytest.mark.parametrize(
    ("dose", "strength", "why"),
    [
        (Amount(2, 2, "tablet"), "", "not known"),
        (Amount(2, 2, "mL"), "5 mg", "can't be turned into mg"),
        (Amount(2, 2, "drops"), "5 mg/mL", "can't be turned into mg"),
        (Amount(20, 20, "mEq"), "750 mg", "can't be turned into mg"),
        (Amount(5, 5, "mcg/kg"), "", "needs the patient's measures"),
        (Amount(1, 1, "dollop"), "5 mg", "'dollop' is not known"),
        (Amount(2, 2, "g"), "1%", "percent"),
        (None, "5 mg", "no dose"),
    ],
)
def test_what_cannot_be_known_has_a_reason(dose: Amount | None, strength: str, why: str) -> None:
    found = exposure(dose, Timing(1, 1, 1), _part(strength))
    assert (found.single, found.daily, found.weekly) == (None, None, None)
    assert why in found.why


def test_without_a_timing_one_dose_is_known_and_the_day_is_not() -> None:
    found = exposure(Amount(1, 1, "tablet"), None, _part("5 mg"))
    assert (found.single, found.daily) == (Amount(5, 5, "mg"), None)
    assert "how often" in found.why


def test_a_stated_maximum_bounds_the_day_where_the_rest_is_unknown() -> None:
    found = exposure(None, None, _part("500 mg"), Amount(8, 8, "tablets"))
    assert (found.daily, found.weekly) == (Amount(0, 4000, "mg"), Amount(0, 28000, "mg"))
    assert found.why


def test_a_patch_gives_its_day_by_the_hour_however_often_it_is_changed() -> None:
    part = _part("0.025 MG/HR")
    days = {exposure(Amount(1, 1, "patch"), Timing(1, 1, days), part).daily for days in (1.0, 3.0)}
    assert days == {Amount(0.6000000000000001, 0.6000000000000001, "mg")}
    assert exposure(Amount(1, 1, "patch"), Timing(1, 1, 3), part).single is None


def test_a_maximum_in_a_unit_that_does_not_compare_is_left_out() -> None:
    found = exposure(Amount(500, 500, "mg"), Timing(4, 4, 1), Part(DRUG), Amount(4, 4, "mL"))
    assert found.daily == Amount(2000, 2000, "mg")


@pytest.mark.parametrize(
    ("text", "strength", "counted", "told"),
    [
        ("Take 2 tablets (20 mg) daily", "5 mg", 20, "two doses are written: 10 mg and 20 mg; the higher counts"),
        ("Take 2 tablets (20 mg) daily", "10 mg", 20, ""),
        ("2 tablets (500 mg) daily", "500 mg", 1000, ""),  # the mass is that of one tablet
        ("1 tablet (500 mg) daily", "1000 mg", 1000, "two doses are written: 500 mg and 1000 mg; the higher counts"),
        ("1 tablet (500 mg) daily", "500 mg", 500, ""),
        ("2 tablets (20 mg each) daily", "5 mg", 40, "two doses are written: 10 mg and 40 mg; the higher counts"),
        ("20 mg (2 tablets) daily", "20 mg", 40, ""),
        ("2 tablets (20 mg) daily", "", None, ""),
    ],
)
def test_of_two_doses_that_disagree_the_higher_counts_and_is_told(
    text: str, strength: str, counted: float | None, told: str
) -> None:
    sig, part = read_sig(text), _part(strength)
    assert sig.dose is not None
    assert sig.restated is not None
    dose, note = agreed(sig.dose, sig.restated, part)
    single = exposure(dose, sig.timing, part).single
    assert (single.high if single else None, note) == (counted, told)
