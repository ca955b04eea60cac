"""What a drug is for and what it may cause, out of sentences."""

from __future__ import annotations

import pytest

from pharmakon.extract.specialists import ALL
from pharmakon.extract.specialists.adverse_reaction import AdverseReaction
from pharmakon.extract.specialists.indication import Indication
from pharmakon.model.vocabulary import relations, section_kinds
from tests.unit.extract.reading import claims

DRUG = "ingredient:metformin"


def uses(text: str) -> list[str]:
    return [str(c.statement.object) for c in claims(Indication(), text, "indications", DRUG)]


def reactions(text: str, kind: str = "adverse_reactions") -> dict[str, str]:
    return {str(c.statement.object): c.statement.effect for c in claims(AdverseReaction(), text, kind, DRUG)}


def test_every_disease_a_drug_is_indicated_for_is_a_use() -> None:
    assert uses("Metformin is indicated for the treatment of hypertension and heart failure.") == [
        "disease:hypertension",
        "disease:heart-failure",
    ]


def test_items_of_a_list_are_uses() -> None:
    assert uses("Metformin is indicated for:\nSchizophrenia\nAcute gout") == ["disease:schizophrenia", "disease:gout"]


@pytest.mark.parametrize(
    "text",
    [
        "Metformin is not indicated for hypertension.",
        "Limitations of use: metformin should not be used to treat hypertension.",
        "Metformin is indicated in patients with a history of stroke.",
        "Metformin is indicated for use during pregnancy.",
    ],
)
def test_what_is_no_use_claims_nothing(text: str) -> None:
    assert uses(text) == []


def test_limitations_of_use_last_until_the_next_use() -> None:
    text = "Limitations of Use\nGout\nMetformin is indicated for the treatment of asthma."
    assert uses(text) == ["disease:asthma"]


def test_reactions_are_listed_with_their_frequency() -> None:
    assert reactions("Diarrhea (12%), headache (5%) and rash.") == {
        "symptom:diarrhoea": "12%",
        "symptom:headache": "5%",
        "symptom:rash": "",
    }


def test_a_rate_beside_placebo_is_not_kept() -> None:
    assert reactions("Diarrhea occurred in 12% and 11% with placebo.") == {"symptom:diarrhoea": ""}


def test_a_warning_names_what_may_be_caused_and_what_was_reported() -> None:
    assert set(reactions("Metformin may cause hypotension.", "warnings")) == {"disease:hypotension"}
    assert set(reactions("Pancreatitis has been reported with metformin.", "warnings")) == {"disease:pancreatitis"}


@pytest.mark.parametrize(
    "text",
    [
        "Monitor patients with heart failure.",
        "Hypotension has not been reported.",
        "Uncontrolled hypertension increases the risk of stroke.",
    ],
)
def test_the_patients_own_diseases_are_no_reactions(text: str) -> None:
    assert reactions(text, "warnings") == {}


def test_specialists_read_known_sections_and_have_names_of_their_own() -> None:
    assert len({s.name for s in ALL}) == len(ALL)
    for specialist in ALL:
        assert specialist.sections <= section_kinds().keys()
        assert not any(section_kinds()[kind].reader for kind in specialist.sections)


def test_relations_of_claims_take_the_objects_they_have() -> None:
    text = "Metformin may cause hypotension and rash."
    for claim in claims(AdverseReaction(), text, "warnings", DRUG):
        assert str(claim.statement.object).split(":")[0] in relations()[claim.statement.relation].range


@pytest.mark.parametrize("text", ["", "None.", "•", "( 5.1 )", "| | |"])
def test_scraps_of_text_are_read_without_complaint(text: str) -> None:
    for specialist in ALL:
        for kind in specialist.sections:
            assert claims(specialist, text, kind, DRUG) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Metformin is indicated for gout in patients in whom asthma is absent.", ["disease:gout"]),
        ("Metformin is used for gout, but only if asthma is excluded.", ["disease:gout"]),
        ("It has no use in gout.", []),
        ("Metformin is indicated for gout, but has no role in asthma.", ["disease:gout"]),
        ("Warfarin is indicated for gout.", []),
    ],
)
def test_what_must_be_absent_and_what_it_is_not_for_are_no_uses(text: str, left: list[str]) -> None:
    assert uses(text) == left
