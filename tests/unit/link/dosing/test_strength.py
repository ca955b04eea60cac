from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.link.dosing.strength import read_form, read_strengths

Found = list[tuple[float, str, str, str]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Coumadin 5 mg tab", [(5, "mg", "piece", "5 mg")]),
        (
            "Amoxicillin 250 MG / Clavulanate 125 MG Oral Tablet",
            [(250, "mg", "piece", "250 MG"), (125, "mg", "piece", "125 MG")],
        ),
        ("500 mg/Clavulanate 125 mg", [(500, "mg", "piece", "500 mg"), (125, "mg", "piece", "125 mg")]),
        (
            "oxycodone-acetaminophen 5-325 mg",
            [(5, "mg", "piece", "5-325 mg"), (325, "mg", "piece", "5-325 mg")],
        ),
        (
            "amlodipine besylate/benazepril 5/10 mg",
            [(5, "mg", "piece", "5/10 mg"), (10, "mg", "piece", "5/10 mg")],
        ),
        ("Chlorpheniramine Maleate 2 MG/ML Oral Solution", [(2, "mg", "mL", "2 MG/ML")]),
        ("amoxicillin 250 mg/5 mL", [(50, "mg", "mL", "250 mg/5 mL")]),
        ("insulin glargine 100 units/mL", [(100, "unit", "mL", "100 units/mL")]),
        ("HEPARIN 10,000 Units / mL", [(10000, "unit", "mL", "10,000 Units / mL")]),
        ("potassium chloride 20 mEq", [(20, "mEq", "piece", "20 mEq")]),
        ("Diclofenac Sodium 0.01 MG/MG Topical Gel", [(0.01, "mg", "mg", "0.01 MG/MG")]),
        ("72 HR Fentanyl 0.025 MG/HR Transdermal System", [(0.025, "mg", "hour", "0.025 MG/HR")]),
        ("hydrocortisone 1%", [(1, "%", "", "1%")]),
        ("metoprolol 0,5 mg", [(0.5, "mg", "piece", "0,5 mg")]),
        ("250mgTablet", [(250, "mg", "piece", "250mg")]),
        ("phenytoin 100mg PE/2mL", [(50, "mg", "mL", "100mg PE/2mL")]),
        ("penicillin G 2 million units", [(2, "megaunit", "piece", "2 million units")]),
        ("二甲双胍 500毫克", [(500, "mg", "piece", "500毫克")]),
        ("warfarin-5 mg", [(5, "mg", "piece", "5 mg")]),
        ("warfarin -5 mg", []),
        ("warfarin −5 mg", []),
        ("levothyroxine 1.000 mg", []),
        ("vitamin B12", []),
        ("Advair 250/50", []),
        ("aspirin", []),
        ("", []),
    ],
)
def test_a_name_holds_its_strengths(text: str, found: Found) -> None:
    read = read_strengths(text)
    assert [(s.amount.low, s.amount.unit, s.per, text[s.start : s.end]) for s in read] == found
    assert all(s.amount.low == s.amount.high and s.role == "strength" for s in read)


@pytest.mark.parametrize(
    ("text", "size", "strength"),
    [
        ("10 ML Furosemide 10 MG/ML Injection", (10, "mL"), (10, "mg", "mL")),
        ("0.4 ML enoxaparin sodium 100 MG/ML Prefilled Syringe", (0.4, "mL"), (100, "mg", "mL")),
        ("100 Units/ml-5ml Syringe", (5, "mL"), (100, "unit", "mL")),
        ("120 ACTUAT Fluticasone propionate 0.044 MG/ACTUAT", (120, "piece"), (0.044, "mg", "piece")),
        ("hydrocortisone 1% 30 g cream", (30, "g"), (1, "%", "")),
    ],
)
def test_the_size_of_a_package_is_no_strength(
    text: str, size: tuple[float, str], strength: tuple[float, str, str]
) -> None:
    read = read_strengths(text)
    assert [(s.amount.low, s.amount.unit) for s in read if s.role == "volume"] == [size]
    assert [(s.amount.low, s.amount.unit, s.per) for s in read if s.role == "strength"] == [strength]


@pytest.mark.parametrize(
    ("text", "release", "route"),
    [
        ("24 HR metoprolol succinate 50 MG Extended Release Oral Tablet", "extended_release", "oral"),
        ("diltiazem CR 120 mg", "extended_release", None),
        ("Nifedipine retard 20 mg", "extended_release", None),
        ("oxycodone IR 5 mg", "immediate_release", None),
        ("Diclofenac Topical Gel", None, "topical"),
        ("Furosemide 10 MG/ML Injection", None, None),
        ("timolol Ophthalmic Solution", None, "ophthalmic"),
        ("fluticasone nasal spray", None, "nasal"),
        ("albuterol Metered Dose Inhaler", None, "inhalation"),
        ("fentanyl transdermal patch", None, "transdermal"),
        ("bisacodyl 10 mg rectal suppository", None, "rectal"),
        ("metformin 500 mg tablet", None, None),
        ("Miracare 5 mg", None, None),
        ("二甲双胍缓释片", "extended_release", None),
    ],
)
def test_a_name_says_its_form(text: str, release: str | None, route: str | None) -> None:
    form = read_form(text)
    assert (form.release, form.route) == (release, route)


def test_the_words_of_form_and_strength_can_be_taken_out_of_a_name() -> None:
    text = "24 HR metoprolol succinate 50 MG Extended Release Oral Tablet"
    spans = [(s.start, s.end) for s in read_strengths(text)] + list(read_form(text).spans)
    kept = "".join(char for at, char in enumerate(text) if not any(start <= at < end for start, end in spans))
    assert " ".join(kept.split()) == "metoprolol succinate"


@given(st.text(max_size=60))
def test_any_text_can_be_read_and_every_span_lies_within_it(text: str) -> None:
    for strength in read_strengths(text):
        assert 0 <= strength.start < strength.end <= len(text)
        assert strength.amount.low >= 0
    for start, end in read_form(text).spans:
        assert 0 <= start < end <= len(text)


@given(st.integers(1, 9999), st.sampled_from(["mg", "mcg", "g", "units", "mEq"]))
def test_a_plain_strength_is_read_as_written(value: int, unit: str) -> None:
    (strength,) = read_strengths(f"something {value} {unit} tablet")
    assert strength.amount.low == value


def test_what_a_canister_weighs_is_no_strength() -> None:
    (weight,) = read_strengths("Ipratropium Bromide MDI 12.9g Inhaler")
    assert weight.role == "volume"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("piperacillin-tazobactam 4 g/0.5 g", [(4, "g", "piece"), (0.5, "g", "piece")]),
        ("carbidopa/levodopa 25 mg/100 mg", [(25, "mg", "piece"), (100, "mg", "piece")]),
        ("amoxicillin-clavulanate 400 mg-57 mg/5 mL", [(80, "mg", "mL"), (11.4, "mg", "mL")]),
        ("hydrocortisone 10 mg/g cream", [(10, "mg", "g")]),
        ("hydrocortisone 1 g/100 g cream", [(0.01, "g", "g")]),
    ],
)
def test_a_slash_between_two_masses_parts_ingredients_unless_it_says_a_share(
    text: str, expected: list[tuple[float, str, str]]
) -> None:
    found = [(round(s.amount.high, 4), s.amount.unit, s.per) for s in read_strengths(text)]
    assert found == expected
