"""Whom a sentence means that names nobody."""

from __future__ import annotations

import pytest

from pharmakon.extract.specialists.adjustment import Adjustment
from tests.unit.extract.reading import claims, read, said

DRUG = "ingredient:metformin"
CAUTION = "requires_caution_with disease:liver-disease (info)"


def advice(text: str, kind: str = "dosage") -> list[str]:
    return [said(c).removeprefix(f"{DRUG} ") for c in claims(Adjustment(), text, kind, DRUG)]


@pytest.mark.parametrize(
    "text",
    [
        "Little is known of patients with hepatic impairment. Use metformin with caution in these patients.",
        "The clearance falls in hepatic impairment. Metformin should be given cautiously to this population.",
        "The clearance falls in hepatic impairment. Therefore, metformin should be given with caution.",
        "Hepatic impairment:\nUse metformin with caution.",
    ],
)
def test_the_patients_of_the_sentence_before_are_meant(text: str) -> None:
    assert advice(text) == [CAUTION]


def test_such_a_claim_quotes_both_sentences() -> None:
    text = "Metformin is cleared more slowly in hepatic impairment. Use it with caution in these patients."
    (claim,) = claims(Adjustment(), text, "dosage", DRUG)
    assert text[claim.start : claim.end] == text
    assert [m.text for m in claim.spoken] == ["hepatic impairment"]


def test_a_maximum_for_the_patients_before_is_theirs() -> None:
    text = "The elderly may be more sensitive. The dose in these patients should not exceed 5 mg daily."
    assert "dose_limit any limit 5 mg per day when age >= 65 years (warning)" in advice(text)


def test_three_groups_that_are_meant_have_the_same_dose() -> None:
    text = (
        "Patients over 65 years, on dialysis, or under 50 kg: The usual dose is small. "
        "The maximum in these patients is 60 mg daily."
    )
    assert advice(text)[-3:] == [
        "dose_limit any limit 60 mg per day when age > 65 years (warning)",
        "dose_limit any limit 60 mg per day when dialysis (warning)",
        "dose_limit any limit 60 mg per day when weight < 50 kg (warning)",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Salt loss may precipitate hepatic coma. Use metformin with caution in these patients.",
        "It was seen in the absence of renal impairment. Accordingly, metformin should be given with caution.",
        "Hepatic impairment is rare. It should be avoided in patients with gout: it harms these patients.",
        "Hepatic impairment is rare. Nothing else is known. Use metformin with caution in these patients.",
        "Use metformin with caution in these patients.",
    ],
)
def test_what_is_feared_absent_or_too_far_away_is_not_meant(text: str) -> None:
    assert advice(text) == []


def test_a_heading_within_a_section_speaks_for_the_sentences_below_it() -> None:
    text = "In patients with severe renal impairment\nStart with 5 mg once daily.\nAvoid it when possible."
    found = advice(text, "renal")
    assert "requires_caution_with any when crcl < 30 mL/min (warning)" in found


def test_nobody_is_meant_where_another_group_is_named() -> None:
    text = "Hepatic impairment slows it. Use it with caution in these patients and in the elderly."
    assert [r for r in read(Adjustment(), text, "dosage", DRUG) if r.claims]
    assert advice(text) == ["requires_caution_with any when age >= 65 years (info)"]
