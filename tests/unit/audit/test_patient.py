"""From a record to factors: what is stated, computed, inferred, stale, contradicted, or left unknown."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from pharmakon.audit.patient.build import build_profile
from pharmakon.audit.patient.show import straddles
from pharmakon.link.conditions import ConditionLinker
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Ailment, Allergy, Measured, Patient, Text
from pharmakon.model.profile import Interval, Profile
from tests.unit.link.lexicon import finder

AS_OF = date(2026, 3, 2)
LINKER = ConditionLinker(finder())


class Flat:
    """A hierarchy without any ancestors but cirrhosis, which is a liver disease."""

    def ancestors(self, concepts: set[ConceptId]) -> Mapping[ConceptId, Mapping[ConceptId, tuple[()]]]:
        liver = {ConceptId("disease:liver-disease"): ()}
        return {c: {c: ()} | (liver if c == "disease:cirrhosis" else {}) for c in concepts}


def profile(**values: Any) -> Profile:
    return build_profile(Patient(**values), LINKER, Flat(), AS_OF)[0]  # type: ignore[arg-type]


def number(p: Profile, factor: str) -> tuple[float, float]:
    value = p.factors[factor].value
    assert isinstance(value, Interval)
    return round(value.low, 2), round(value.high, 2)


def mg(value: float, on: date | None = None, source: str = "input") -> tuple[tuple[str, Measured], ...]:
    return (("creatinine", Measured(value, "mg/dL", on, source)),)


WOMAN: dict[str, Any] = {
    "age": (77, 77),
    "sex": "female",
    "weight": Measured(58, "kg"),
    "conditions": (),
    "allergies": (),
}


def test_both_kidney_functions_are_computed_and_say_from_what() -> None:
    p = profile(**WOMAN, labs=mg(1.4))
    assert number(p, "crcl") == (30.81, 30.81)
    assert number(p, "egfr") == (38.75, 38.75)
    assert "Cockcroft-Gault" in p.factors["crcl"].source
    assert "CKD-EPI 2021" in p.factors["egfr"].source


def test_the_two_formulas_straddle_a_cut_off_between_them_only() -> None:
    p = profile(**WOMAN, labs=mg(1.4))
    assert straddles(p.factors, 35, "crcl")
    assert straddles(p.factors, 35, "egfr")
    assert straddles(p.factors, 30, "crcl") is None
    assert straddles(p.factors, 45, "crcl") is None
    assert straddles(p.factors, 35, "age") is None


@pytest.mark.parametrize("value", [1.4, 0.9])
def test_a_creatinine_that_can_only_be_a_unit_slip_is_said_and_not_used(value: float) -> None:
    p = profile(**WOMAN, labs=(("creatinine", Measured(value, "umol/L")),))
    assert "egfr" not in p.factors
    assert any("check the unit" in a.why and "mg/dL value entered as" in a.why for a in p.assumptions)


def test_a_unit_slip_in_a_note_is_said_too() -> None:
    p = profile(**WOMAN, notes=("creatinine 1.4 µmol/L",))
    assert "egfr" not in p.factors
    assert any("check the unit" in a.why for a in p.assumptions)


def test_a_unit_that_can_not_be_a_creatinines_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="patient, creatinine"):
        profile(**WOMAN, labs=(("creatinine", Measured(1.4, "kg")),))


def test_micromoles_of_a_plausible_size_are_converted() -> None:
    assert number(profile(**WOMAN, labs=(("creatinine", Measured(124, "umol/L")),)), "creatinine") == (1.4, 1.4)


@pytest.mark.parametrize(("on", "stale"), [(date(2025, 11, 22), False), (date(2025, 11, 21), True), (None, False)])
def test_a_value_older_than_its_look_back_is_used_and_marked(on: date | None, stale: bool) -> None:
    p = profile(**WOMAN, labs=mg(1.4, on))
    assert p.factors["creatinine"].stale is stale
    assert p.factors["egfr"].stale is stale


def test_of_two_values_the_later_counts_in_whatever_order() -> None:
    old, new = mg(1.0, date(2026, 1, 1))[0], mg(2.0, date(2026, 2, 1))[0]
    assert number(profile(**WOMAN, labs=(old, new)), "creatinine") == (2, 2)
    assert number(profile(**WOMAN, labs=(new, old)), "creatinine") == (2, 2)


def test_a_stated_function_that_the_creatinine_does_not_allow_leaves_both_possible() -> None:
    p = profile(**WOMAN, labs=(*mg(4.0), ("egfr", Measured(90, "mL/min/1.73m2"))))
    found = number(p, "egfr")
    assert found is not None
    assert found[0] < 15
    assert found[1] == 90
    assert any("contradict" in a.why for a in p.assumptions)


def test_a_stated_function_far_below_the_computed_one_stays_and_is_said() -> None:
    p = profile(**WOMAN, labs=(*mg(0.7), ("egfr", Measured(20, "mL/min/1.73m2"))))
    assert number(p, "egfr") == (20, 20)
    assert any("as stated" in a.text for a in p.assumptions)


def test_a_note_against_a_laboratory_leaves_both_possible_and_says_so() -> None:
    p = profile(**WOMAN, labs=(("egfr", Measured(75, "mL/min/1.73m2")),), notes=("CKD stage 4",))
    assert number(p, "egfr") == (15, 75)
    assert any("contradict" in a.why for a in p.assumptions)


def test_two_creatinines_that_contradict_each_other_both_count_for_the_kidney() -> None:
    p = profile(**WOMAN, labs=mg(1.0), notes=("creatinine 2.4 mg/dL",))
    low, high = number(p, "egfr")
    assert low < 21
    assert high > 57
    assert any("contradict" in a.why for a in p.assumptions)


def test_a_note_that_agrees_with_the_laboratory_contradicts_nothing() -> None:
    p = profile(**WOMAN, labs=(("egfr", Measured(22, "mL/min/1.73m2")),), notes=("CKD stage 4, eGFR 23",))
    assert number(p, "egfr")[1] < 24
    assert not any("contradict" in a.why for a in p.assumptions)


def test_a_stage_in_the_condition_list_is_a_range() -> None:
    p = profile(age=(77, 77), conditions=(Ailment(Text("Chronic kidney disease, stage 4")),))
    assert number(p, "egfr") == (15, 30)


def test_one_kidney_function_stands_in_for_the_other_in_the_open() -> None:
    p = profile(labs=(("egfr", Measured(25, "mL/min/1.73m2")),))
    assert number(p, "crcl") == (25, 25)
    assert any("creatinine clearance is taken as" in a.text for a in p.assumptions)
    p = profile(labs=(("crcl", Measured(25, "mL/min")),))
    assert number(p, "egfr") == (25, 25)
    assert any("eGFR is taken as" in a.text for a in p.assumptions)


def test_a_stand_in_for_the_clearance_is_de_indexed_where_the_body_is_known() -> None:
    p = profile(
        weight=Measured(58, "kg"), height=Measured(160, "cm"), labs=(("egfr", Measured(38.75, "mL/min/1.73m2")),)
    )
    assert number(p, "crcl")[0] == pytest.approx(35.96, abs=0.02)


@pytest.mark.parametrize("missing", ["age", "sex"])
def test_without_age_or_sex_no_kidney_function_is_made_up(missing: str) -> None:
    p = profile(**{k: v for k, v in WOMAN.items() if k != missing}, labs=mg(1.4))
    assert not {"egfr", "crcl"} & p.factors.keys()


def test_without_weight_there_is_an_egfr_and_a_stand_in() -> None:
    p = profile(**{k: v for k, v in WOMAN.items() if k != "weight"}, labs=mg(1.4))
    assert number(p, "egfr") == (38.75, 38.75)
    assert "stands in" in p.factors["crcl"].source


def test_the_formulas_are_not_used_for_children() -> None:
    assert "egfr" not in profile(**{**WOMAN, "age": (17, 17)}, labs=mg(1.4)).factors


def test_two_possible_ages_give_a_range() -> None:
    low, high = number(profile(**{**WOMAN, "age": (76, 77)}, labs=mg(1.4)), "crcl")
    assert low < high


@pytest.mark.parametrize(
    ("values", "known"),
    [
        ({"sex": "male"}, "false"),
        ({"sex": "female", "age": (60, 60)}, "false"),
        ({"age": (75, 76)}, "false"),
        ({"sex": "female", "age": (59, 59)}, None),
        ({"sex": "female"}, None),
        ({}, None),
        ({"sex": "female", "age": (30, 30), "pregnant": True}, "true"),
        ({"trimester": 2}, "true"),
        ({"sex": "female", "age": (30, 30), "pregnant": False}, "false"),
        ({"notes": ("28 weeks pregnant",)}, "true"),
        ({"notes": ("Pregnancy test negative",)}, "false"),
    ],
)
def test_pregnancy_is_stated_inferred_or_unknown(values: dict[str, Any], known: str | None) -> None:
    found = profile(**values).factors.get("pregnant")
    assert (found.value if found else None) == (frozenset({known}) if known else None)


def test_a_partial_child_pugh_score_is_the_classes_still_possible() -> None:
    p = profile(child_pugh_parts=(("bilirubin", "3.5 mg/dL"), ("albumin", "2.5 g/dL")))
    assert p.factors["child_pugh"].value == frozenset({"B", "C"})
    assert "not given: inr, ascites, encephalopathy" in p.factors["child_pugh"].source


def test_a_full_child_pugh_score_is_one_class_in_any_unit() -> None:
    parts = (
        ("bilirubin", "60 umol/L"),
        ("albumin", "25 g/L"),
        ("inr", "1.5"),
        ("ascites", "none"),
        ("encephalopathy", "none"),
    )
    assert profile(child_pugh_parts=parts).factors["child_pugh"].value == frozenset({"B"})


def test_no_liver_disease_on_a_list_is_no_child_pugh_class_and_no_list_is_unknown() -> None:
    assert profile(conditions=()).factors["child_pugh"].value == frozenset({"none"})
    assert "child_pugh" not in profile().factors
    assert "child_pugh" not in profile(conditions=(Ailment(Text("cirrhosis")),)).factors


@pytest.mark.parametrize(
    ("values", "known"),
    [
        ({"labs": (("egfr", Measured(15, "mL/min/1.73m2")),)}, "false"),
        ({"labs": (("egfr", Measured(14, "mL/min/1.73m2")),)}, None),
        ({"conditions": ()}, "false"),
        ({}, None),
        ({"notes": ("ESRD on HD",)}, "true"),
        ({"dialysis": True, "conditions": ()}, "true"),
    ],
)
def test_dialysis_is_stated_inferred_or_unknown(values: dict[str, Any], known: str | None) -> None:
    found = profile(**values).factors.get("dialysis")
    assert (found.value if found else None) == (frozenset({known}) if known else None)


def test_nothing_recorded_is_unknown_and_an_empty_list_is_none() -> None:
    assert profile().conditions is None
    assert profile().allergies is None
    assert profile(conditions=(), allergies=()).conditions == ()
    assert profile(conditions=(), allergies=()).allergies == ()


def test_the_most_certain_word_on_a_condition_counts() -> None:
    p = profile(conditions=(Ailment(Text("gout"), status="history"),), notes=("Known with gout.",))
    assert p.conditions is not None
    assert [(h.concept, h.status) for h in p.conditions] == [("disease:gout", "active")]


def test_a_refuted_condition_is_not_held() -> None:
    p = profile(
        conditions=(Ailment(Text("no gout")), Ailment(Text("asthma"), status="refuted")), notes=("Denies stroke",)
    )
    assert p.conditions == ()


def test_texts_that_name_nothing_are_unresolved_never_dropped() -> None:
    patient = Patient(
        conditions=(Ailment(Text("foobaritis")),),
        allergies=(Allergy(Text("foobarine")),),
        notes=("Allergic to quuxine",),
    )
    unresolved = build_profile(patient, LINKER, Flat(), AS_OF)[1]  # type: ignore[arg-type]
    assert {(u.text, u.what) for u in unresolved} == {
        ("foobaritis", "condition"),
        ("foobarine", "allergy"),
        ("quuxine", "allergy"),
    }


def test_weight_is_read_from_a_note_where_the_record_has_none() -> None:
    p = profile(age=(77, 77), sex="female", labs=mg(1.4), notes=("Weight 58 kg.",))
    assert number(p, "crcl") == (30.81, 30.81)
    assert "note" in p.factors["weight"].source
