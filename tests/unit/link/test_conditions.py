"""Condition, indication and allergy texts of a record."""

from __future__ import annotations

import pytest

from pharmakon.link.conditions import ConditionLinker
from pharmakon.model.concepts import Code
from pharmakon.model.prescription import Text
from tests.unit.link.lexicon import finder

LINKER = ConditionLinker(finder())


@pytest.mark.parametrize(
    ("text", "disease", "status"),
    [
        ("atrial fibrillation", "atrial-fibrillation", ""),
        ("Chronic atrial fibrillation", "atrial-fibrillation", ""),
        ("Essential hypertension", "hypertension", ""),
        ("gout (disorder)", "gout", ""),
        ("gout, unspecified", "gout", ""),
        ("Type 2 diabetes mellitus", "diabetes", ""),
        ("hypertensie", "hypertension", ""),
        ("ernstige astma", "asthma", ""),
        ("Pulmonary hypertension", "pulmonary-hypertension", ""),
        ("History of gout", "gout", "history"),
        ("Personal history of stroke", "stroke", "history"),
        ("status na beroerte", "stroke", "history"),
        ("suspected pneumonia", "pneumonia", "uncertain"),
        ("?gout", "gout", "uncertain"),
        ("verdenking op longembolie", "pulmonary-embolism", "uncertain"),
        ("no diabetes", "diabetes", "refuted"),
        ("geen astma", "asthma", "refuted"),
    ],
)
def test_words_that_only_qualify_a_disease_leave_it(text: str, disease: str, status: str) -> None:
    found = LINKER.condition(Text(text))
    assert found is not None
    assert (found.concept, found.status) == (f"disease:{disease}", status)


@pytest.mark.parametrize(
    "text",
    [
        "renovascular hypertension",
        "diabetes insipidus",
        "gestational hypertension",
        "family history of gout",
        "mother with diabetes",
        "stroke prevention programme",
        "Malignant neoplasm of breast",
        "not on file",
        "",
    ],
)
def test_words_that_make_it_another_disease_leave_it_unknown(text: str) -> None:
    assert LINKER.condition(Text(text)) is None


@pytest.mark.parametrize(
    ("system", "value", "disease"),
    [
        ("icd10", "I48.0", "atrial-fibrillation"),
        ("icd10", "E11.9", "diabetes"),
        ("snomed", "49436004", "atrial-fibrillation"),
    ],
)
def test_a_code_decides_by_its_longest_prefix(system: str, value: str, disease: str) -> None:
    found = LINKER.condition(Text("as coded", (Code(system, value),)))
    assert found is not None
    assert (found.concept, found.how) == (f"disease:{disease}", "code")


def test_a_code_nobody_knows_leaves_the_words() -> None:
    found = LINKER.condition(Text("gout", (Code("icd10", "Z99"),)))
    assert found is not None
    assert found.how == "words"


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("penicillin", "class:penicillin"),
        ("Allergy to penicillins", "class:penicillin"),
        ("penicilline allergie", "class:penicillin"),
        ("Penicillin V potassium", "class:penicillin"),
        ("sulfa drugs", "class:sulfonamide-antibiotic"),
        ("amoxicillin 500 mg", "ingredient:amoxicillin"),
        ("latex", "allergen:latex"),
        ("jodium", "allergen:iodine"),
    ],
)
def test_an_allergen_is_found_as_class_ingredient_or_substance(text: str, concept: str) -> None:
    found = LINKER.allergy(Text(text))
    assert found is not None
    assert found.concept == concept


@pytest.mark.parametrize("text", ["foobarine", "NKDA", ""])
def test_an_allergen_nobody_knows_is_none(text: str) -> None:
    assert LINKER.allergy(Text(text)) is None
