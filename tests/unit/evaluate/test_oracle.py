"""The checker that knows nothing of the audit: boxes of patients, kidneys, and conditions made true and false."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pharmakon.evaluate.redteam.kidney import clearance, creatinine_for, creatinine_for_filtration, filtration
from pharmakon.evaluate.redteam.ordinary import nice
from pharmakon.evaluate.redteam.regions import box, inside, narrower
from pharmakon.evaluate.redteam.sketch import Person
from pharmakon.evaluate.redteam.solve import aged, with_clearance
from pharmakon.extract.curated.expressions import read_clause
from pharmakon.model.concepts import ConceptId

ADULTS = st.tuples(st.integers(18, 95), st.integers(40, 110), st.booleans())


@given(ADULTS, st.floats(5, 150))
def test_creatinine_is_clearance_turned_round(who: tuple[int, int, bool], wanted: float) -> None:
    age, weight, female = who
    found = creatinine_for(age, weight, wanted, female=female)
    assert abs(clearance(age, weight, found, female=female) - wanted) < 1e-6


@given(ADULTS, st.floats(6, 90))
def test_creatinine_is_filtration_turned_round(who: tuple[int, int, bool], wanted: float) -> None:
    age, _, female = who
    found = creatinine_for_filtration(age, wanted, female=female)
    assert abs(filtration(age, found, female=female) - wanted) < 0.01


@given(st.integers(18, 95))
def test_an_adult_who_ages_keeps_the_clearance(age: int) -> None:
    person = with_clearance(Person(45, True, 60, 170, 1.0), 80.0)
    value = aged(person, float(age)).value("crcl")
    assert value is not None
    assert abs(value - 80.0) < 2.5


def test_a_child_has_a_childs_weight_and_a_stated_clearance() -> None:
    child = aged(Person(45, False, 75, 178, 1.0), 6.0)
    assert 15 < child.weight < 30
    assert child.value("crcl") == 100.0


def test_a_band_is_inside_its_upper_half() -> None:
    band = box(read_clause(["crcl >= 30 mL/min", "crcl < 60 mL/min"]))
    below = box(read_clause("crcl < 60 mL/min"))
    assert narrower(band, below)
    assert not inside(below, band)


def test_a_closed_end_is_wider_than_an_open_one() -> None:
    assert narrower(box(read_clause("age > 65 years")), box(read_clause("age >= 65 years")))
    assert narrower(box(read_clause("crcl < 30 mL/min")), box(read_clause("crcl <= 30 mL/min")))


def test_rules_about_different_things_are_not_ordered() -> None:
    kidney, age = box(read_clause("crcl < 30 mL/min")), box(read_clause("age >= 65 years"))
    assert not inside(kidney, age)
    assert not inside(age, kidney)


def test_a_rule_for_a_kind_of_a_disease_is_inside_the_rule_for_the_disease() -> None:
    special, general = ConceptId("disease:mycosis-fungoides"), ConceptId("disease:lymphoma")
    above = {special: frozenset({special, general}), general: frozenset({general})}
    a, b = box(read_clause(f"indication is {special}")), box(read_clause(f"indication is {general}"))
    assert narrower(a, b, above)
    assert not narrower(a, b)


@given(st.floats(0.001, 5000))
def test_a_nice_dose_is_never_more_than_what_was_asked(value: float) -> None:
    assert 0 < nice(value) <= value * (1 + 1e-6)
    assert nice(value) >= value * 0.89


def test_the_same_seed_draws_the_same() -> None:
    assert Random("1/a").random() == Random("1/a").random()
