"""Fragmentation is told with what to use instead; what is new is let through."""

from __future__ import annotations

import pytest

from pharmakon.extract.refinement.found import words
from pharmakon.extract.refinement.overlap import overlap, said_already
from pharmakon.extract.refinement.patterns import _cues
from pharmakon.model.refinement import Entry, entry_of
from pharmakon.model.vocabulary import factors, relations


def factor(key: str, label: str = "", unit: str = "mg/dL") -> Entry:
    return entry_of("factor", key, {"shape": "number", "label": label or key.replace("_", " "), "unit": unit})


def relation(key: str, domain: str = "ingredient", range_: str = "disease") -> Entry:
    return entry_of("relation", key, {"domain": [domain], "range": [range_], "stratum": "G"})


@pytest.mark.parametrize(
    ("entry", "instead"),
    [
        (factor("renal_adjustment", unit="%"), "crcl or egfr or dialysis"),
        (factor("hepatic_score", unit="1"), "child_pugh or bilirubin or alt"),
        (relation("pediatric_dose"), "age or weight"),
        (relation("avoid_in_pregnancy"), "pregnant or trimester"),
        (factor("serum_potassium_level", unit="mmol/L"), "potassium"),
        (factor("potassium_mg", unit="mg/dL"), "potassium"),
        (factor("clearance", "creatinine clearance", unit="mL/hour"), "crcl"),
        (relation("treated_by", "disease", "ingredient"), "treats"),
        (relation("drug_interaction", range_="ingredient"), "interacts_with"),
        (relation("physically_incompatible_with", range_="ingredient"), "incompatible_with"),
        (relation("caused_by", "disease", "ingredient"), "causes"),
        (relation("has_contraindication"), "contraindicated_in"),
    ],
)
def test_a_repetition_names_what_to_use_instead(entry: Entry, instead: str) -> None:
    found = overlap(entry)
    assert found is not None
    assert str(found).endswith(f"use {instead}")


def test_another_unit_and_an_inverse_are_told_as_such() -> None:
    assert "another unit" in str(overlap(factor("potassium_mg", unit="mg/dL")))
    assert "another name" in str(overlap(factor("serum_potassium", unit="mmol/L")))
    assert "the inverse" in str(overlap(relation("treated_by", "disease", "ingredient")))


@pytest.mark.parametrize(
    "entry", [factor("platelets", unit="1/uL"), factor("infusion_rate", unit="mg/min"), relation("masks")]
)
def test_what_is_new_is_no_repetition(entry: Entry) -> None:
    assert overlap(entry) is None
    assert not said_already(entry)


def test_every_entry_of_the_schema_says_what_it_says() -> None:
    entries: list[Entry] = [*factors().values(), *relations().values()]
    assert all(said_already(entry) for entry in entries)


def test_an_accepted_factor_is_said_from_then_on(seed_only: None) -> None:
    from pharmakon.model.vocabulary import grow

    grow([factor("platelets", "platelet count", unit="1/uL")])
    assert said_already(factor("platelet_count", unit="1/uL"))
    assert "another unit" in str(overlap(factor("platelet_counts", unit="10*9/L")))


def test_the_word_lists_speak_of_what_there_is() -> None:
    assert set(words("overlap")["factors"]) <= set(factors())
    assert set(words("overlap")["relations"]) <= set(relations())
    assert {i for row in words("overlap")["generic"].values() for i in row["instead"]} <= set(factors())


def test_what_the_lists_of_gaps_would_add_is_new() -> None:
    names = [cue.entry.name for cue in _cues()]
    assert len(names) == len(set(names))
    assert [n for n in names if n in factors() or n in relations()] == []
