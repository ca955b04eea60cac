"""What a label forbids is critical, what it advises against is a warning, and neither reaches beyond whom it names."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Audit, found, order

PILL = "Microgynon"  # levonorgestrel and ethinyl estradiol
OESTROGEN = "ethinyl estradiol"


@pytest.mark.parametrize(
    ("patient", "tier"),
    [
        ({"age": 38, "conditions": ["smoker"]}, "critical"),
        ({"age": 35, "conditions": ["tobacco use disorder"]}, "critical"),
        ({"age": 38, "notes": ["Smokes 10 cigarettes a day."]}, "critical"),
        ({"age": 34, "conditions": ["smoker"]}, "info"),
        ({"age": 25, "conditions": ["migraine with aura"]}, "critical"),
        ({"age": 40, "conditions": ["migraine"]}, "critical"),
        ({"age": 25, "conditions": ["migraine"]}, "warning"),
        ({"age": 25, "conditions": ["hemiplegic migraine"]}, "critical"),
        ({"age": 30, "conditions": ["deep vein thrombosis"]}, "critical"),
        ({"age": 30, "conditions": ["history of DVT"]}, "critical"),
        ({"age": 30, "conditions": ["history of pulmonary embolism"]}, "critical"),
        ({"age": 45, "conditions": ["history of breast cancer"]}, "critical"),
        ({"age": 45, "conditions": ["breast cancer"]}, "critical"),
        ({"age": 45, "conditions": ["hypertension"]}, "warning"),
    ],
    ids=str,
)
def test_who_must_not_take_an_oestrogen_with_a_progestogen(audit: Audit, patient: dict[str, Any], tier: str) -> None:
    report = audit(order(PILL, sig="1 tablet once daily"), sex="female", **patient)
    tiers = found(report, "CONTRAINDICATION_CONDITION", OESTROGEN)
    assert max(tiers, key=["info", "warning", "critical"].index) == tier


@pytest.mark.parametrize(
    "patient",
    [
        {"age": 38, "conditions": []},
        {"age": 38, "conditions": [], "notes": ["Does not smoke."]},
        {"age": 38, "conditions": ["superficial thrombophlebitis"]},
    ],
    ids=str,
)
def test_the_pill_is_not_forbidden_to_others(audit: Audit, patient: dict[str, Any]) -> None:
    report = audit(order(PILL, sig="1 tablet once daily"), sex="female", **patient)
    assert not [f for f in report.findings if f.tier >= 2]


def test_a_progestogen_alone_is_not_held_to_the_rules_of_the_oestrogen(audit: Audit) -> None:
    report = audit(
        order("norgestrel 0.075 mg", 0.075), sex="female", age=38, conditions=["smoker", "migraine with aura"]
    )
    assert not [
        f for f in report.findings if f.tier >= 2 and f.type in ("CONTRAINDICATION_CONDITION", "AGE_RESTRICTION")
    ]


@pytest.mark.parametrize(
    ("one", "other", "tier"),
    [
        ("methotrexate", "trimethoprim", "critical"),
        ("citalopram", "domperidone", "critical"),
        ("escitalopram", "domperidone", "critical"),
        ("amiodarone", "clarithromycin", "critical"),
        ("amiodarone", "azithromycin", "warning"),
        ("lithium", "meperidine", "warning"),
        ("lithium", "tramadol", "warning"),
        ("lithium", "fentanyl", "warning"),
        ("levonorgestrel", "rifampin", "warning"),
        ("norethindrone", "phenobarbital", "warning"),
        ("drospirenone", "St John's wort", "warning"),
        ("etonogestrel", "phenytoin", "warning"),
        ("norgestrel", "carbamazepine", "warning"),
        ("rifampin", "ulipristal", "warning"),
        ("carbamazepine", "ulipristal", "warning"),
        ("topiramate", "ulipristal", "warning"),
        ("St John's wort", "ulipristal", "warning"),
    ],
)
def test_a_pair_is_as_grave_as_its_label_says(audit: Audit, one: str, other: str, tier: str) -> None:
    assert found(
        audit({"drug": one}, {"drug": other}), "INTERACTION_DRUG_DRUG", *sorted((one, other), key=str.lower)
    ) == [tier]


def test_trimethoprim_in_a_combination_is_as_critical_with_methotrexate(audit: Audit) -> None:
    report = audit({"drug": "methotrexate"}, {"drug": "Bactrim"})
    assert found(report, "INTERACTION_DRUG_DRUG", "methotrexate", "trimethoprim") == ["critical"]
    assert found(report, "INTERACTION_DRUG_DRUG", "methotrexate", "sulfamethoxazole") == ["warning"]


@pytest.mark.parametrize(("dose", "tier"), [(100, "info"), (400, "warning")])
def test_topiramate_weakens_a_progestogen_by_its_dose(audit: Audit, dose: int, tier: str) -> None:
    report = audit({"drug": "norgestrel"}, order("topiramate", dose, frequency="once daily"))
    assert found(report, "INTERACTION_DRUG_DRUG", "norgestrel", "topiramate") == [tier]


@pytest.mark.parametrize(("trimester", "tier"), [(3, ["critical"]), (2, ["warning"]), (1, [])])
def test_an_nsaid_by_trimester(audit: Audit, trimester: int, tier: list[str]) -> None:
    patient = {"sex": "female", "age": 30, "pregnant": True, "trimester": trimester}
    assert found(audit(order("ibuprofen", 400), **patient), "PREGNANCY_LACTATION", "ibuprofen") == tier


def test_low_dose_aspirin_late_in_pregnancy_is_no_nsaid(audit: Audit) -> None:
    patient = {"sex": "female", "age": 30, "pregnant": True, "trimester": 3}
    report = audit(order("aspirin 80 mg", 80, frequency="once daily"), **patient)
    assert "critical" not in found(report, "PREGNANCY_LACTATION", "aspirin")


def test_valproate_in_pregnancy_is_critical(audit: Audit) -> None:
    report = audit(order("valproate", 500, indication="epilepsy"), sex="female", age=30, pregnant=True)
    assert found(report, "PREGNANCY_LACTATION", "valproate") == ["critical"]


@pytest.mark.parametrize(
    ("condition", "tier"),
    [
        ("constrictive pericarditis", "critical"),
        ("cardiac tamponade", "critical"),
        ("restrictive cardiomyopathy", "critical"),
    ],
)
def test_a_constricted_heart_forbids_nitroglycerin_by_vein(audit: Audit, condition: str, tier: str) -> None:
    report = audit(order("nitroglycerin", route="intravenous"), conditions=[condition])
    assert tier in found(report, "CONTRAINDICATION_CONDITION", "nitroglycerin")


@pytest.mark.parametrize("condition", ["pericarditis", "dilated cardiomyopathy"])
def test_another_pericarditis_does_not(audit: Audit, condition: str) -> None:
    report = audit(order("nitroglycerin", route="intravenous"), conditions=[condition])
    assert found(report, "CONTRAINDICATION_CONDITION", "nitroglycerin") == []
