"""Which of the drugs that a sentence names the interaction specialist accuses, and which it leaves alone.

The sentences are made up in the manner of labels.
"""

from __future__ import annotations

import pytest

from pharmakon.extract.claims import Read
from pharmakon.extract.specialists.interaction.lists import FAR, PERMITTED
from pharmakon.extract.specialists.interaction.specialist import DENIED
from pharmakon.model.vocabulary import Tier
from tests.unit.extract.interactions import claims, reads, said


def test_what_is_excepted_is_not_meant() -> None:
    text = "Concomitant use of simvastatin with NSAIDs (except cyclosporine and digoxin) is contraindicated."
    assert set(said(text)) == {"class:nsaid"}
    assert set(said("Avoid simvastatin with azoles other than ketoconazole, and with lithium.")) <= {
        "ingredient:lithium"
    }


def test_a_treatment_of_what_the_drug_did_is_no_second_drug() -> None:
    assert said("If the reaction recurs, stop simvastatin and administer cyclosporine until symptoms subside.") == {}


@pytest.mark.parametrize(
    "text",
    [
        "Avoid use of simvastatin with strong CYP3A4 inhibitors, such as cyclosporine or NSAIDs (e.g., ketoconazole).",
        "Avoid use of simvastatin with NSAIDs (NSAID) that the same enzyme breaks down (ketoconazole or itraconazole).",
        "Avoid use of simvastatin with the following potent NSAIDs: ketoconazole, itraconazole.",
        "Use with strong CYP3A4 inhibitors, including certain NSAIDs such as ketoconazole, should be avoided.",
    ],
)
def test_a_class_named_for_its_members_alone_is_not_meant_whole(text: str) -> None:
    found = said(text)
    assert "ingredient:ketoconazole" in found
    assert "class:nsaid" not in found


def test_a_class_beside_one_that_closed_its_examples_is_meant_whole() -> None:
    text = "Avoid simvastatin with strong CYP3A4 inhibitors (e.g., ketoconazole) and NSAIDs (e.g., lithium)."
    assert {"class:strong-cyp3a4-inhibitor", "class:nsaid"} <= set(said(text))


def test_a_class_that_heads_the_drugs_of_a_cell_is_not_meant_whole() -> None:
    text = "Drug: NSAIDs: lithium | Effect: increased | Advice: Monitor levels."
    assert set(said(text)) == {"ingredient:lithium"}


@pytest.mark.parametrize(
    "aside",
    [
        "and alternative NSAIDs should be considered",
        "as in patients with hypersensitivity to simvastatin or amlodipine",
    ],
)
def test_what_is_taken_instead_or_not_tolerated_is_no_second_drug(aside: str) -> None:
    text = f"Concomitant use of simvastatin with cyclosporine should be avoided {aside}."
    assert set(said(text)) == {"ingredient:cyclosporine"}


def test_a_class_that_is_less_than_its_name_is_not_meant() -> None:
    assert said("Avoid simvastatin with less strong CYP3A4 inhibitors and cyclosporine.").keys() == {
        "ingredient:cyclosporine"
    }


def test_an_allergy_after_a_drug_contraindicates_no_pair() -> None:
    text = "Simvastatin should not be given to patients with urticaria or allergic-type reactions after taking digoxin."
    assert said(text, "contraindications") == {}


@pytest.mark.parametrize(
    "text",
    [
        "Increase grapefruit juice before simvastatin is given together with it to avoid hypotension.",
        "Do not use simvastatin if you bleed, or take with food or grapefruit juice if stomach upset occurs.",
    ],
)
def test_food_to_eat_more_of_or_to_take_the_drug_with_is_a_remedy(text: str) -> None:
    assert claims(text) == []


def test_items_go_on_with_what_leads_them_in() -> None:
    text = "Concomitant use with the following drugs is contraindicated:\n• cyclosporine\n• ketoconazole\nIt is white."
    found = claims(text)
    assert {c.statement.object for c in found} == {"ingredient:cyclosporine", "ingredient:ketoconazole"}
    assert all(c.statement.tier == Tier.CRITICAL for c in found)
    assert text[found[1].start : found[1].end].endswith("ketoconazole"), "the quotation holds lead-in and item"
    assert text[found[1].start :].startswith("Concomitant")


def test_an_item_too_far_from_its_lead_in_is_left_with_a_reason() -> None:
    long = "\n".join(f"• substance number {n} of a long list of them" for n in range(30))
    found = reads(f"Concomitant use with the following is contraindicated:\n{long}\n• cyclosporine")
    assert found[-1] == Read(why=FAR)


@pytest.mark.parametrize(
    "lead",
    [
        "The following may be combined with simvastatin:",
        "None of the following is contraindicated with simvastatin:",
        "There is no contraindication to the use of simvastatin with:",
        "Simvastatin can safely be given together with:",
    ],
)
def test_items_of_a_list_that_permits_or_denies_are_left_with_a_reason(lead: str) -> None:
    found = reads(f"{lead}\n• digoxin\n• warfarin", "contraindications")
    assert [read for read in found if read.claims] == []
    assert [read.why for read in found if read.why] == [PERMITTED, PERMITTED]


def test_a_list_that_forbids_behind_one_that_permits_forbids_its_own_items() -> None:
    text = "Simvastatin may be used with:\n• digoxin\nIt must not be used together with:\n• warfarin"
    assert said(text, "contraindications") == {"ingredient:warfarin": ("ingredient:simvastatin", Tier.CRITICAL)}


@pytest.mark.parametrize(
    "text",
    [
        "Avoid concomitant use of simvastatin with warfarin; apixaban is a suitable alternative.",
        "Do not use simvastatin with warfarin. Apixaban may be given at any dose.",
        "Simvastatin must not be given with warfarin but not apixaban.",
        "Warfarin must not be combined with simvastatin; apixaban at 5 mg or less is not a concern.",
        "Switch from warfarin to apixaban, as warfarin must not be combined with simvastatin; apixaban may.",
        "While taking simvastatin avoid warfarin, but apixaban or digoxin may be used.",
        "Apixaban is the preferred anticoagulant; warfarin should not be taken with simvastatin.",
    ],
)
def test_a_drug_that_is_permitted_beside_another_is_not_accused(text: str) -> None:
    assert set(said(text)) == {"ingredient:warfarin"}


def test_of_food_and_drink_what_is_allowed_is_not_accused() -> None:
    assert set(said("Avoid alcohol, grapefruit juice is allowed.")) == {"lifestyle:alcohol"}


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("Avoid concomitant use of simvastatin with NSAIDs except ketoconazole.", {"ingredient:ketoconazole"}),
        (
            "Simvastatin should not be used with NSAIDs other than lithium or digoxin.",
            {"ingredient:lithium", "ingredient:digoxin"},
        ),
        ("Concomitant use with NSAIDs (apart from lithium) must be avoided.", {"ingredient:lithium"}),
        ("Do not use simvastatin with any of the NSAIDs but lithium.", {"ingredient:lithium"}),
        ("Avoid concomitant use of simvastatin with NSAIDs, including but not limited to potent ones.", set()),
    ],
)
def test_an_exception_is_left_out_of_its_class(text: str, excluded: set[str]) -> None:
    (claim,) = claims(text)
    assert claim.statement.object == "class:nsaid"
    assert set(map(str, claim.statement.excluded)) == excluded


def test_a_class_with_an_exception_that_has_no_name_is_left_unread() -> None:
    assert claims("Avoid concomitant use of simvastatin with NSAIDs, except those put on the skin.") == []


@pytest.mark.parametrize(
    "text",
    [
        "Do not use simvastatin without lithium.",
        "Simvastatin must not be taken together with food without concomitant lithium.",
        "Use of lithium instead of simvastatin is contraindicated in gout.",
        "Concomitant use of lithium is not contraindicated, though hypotension may occur.",
        "Failure to avoid lithium was not associated with harm.",
        "Avoid omitting lithium when simvastatin is taken.",
        "Avoidance of lithium is not necessary with simvastatin.",
        "Lithium should not be discontinued while taking simvastatin.",
        "Lithium was formerly contraindicated with simvastatin.",
        "Because lithium was avoided in the trial, its interaction with simvastatin is not known.",
        "Do not give simvastatin together with medicines that are contraindicated with lithium.",
        "Simvastatin is less likely than lithium to cause seizures.",
        "Concomitant drug: lithium | Comment: Withdrawn from use together: 3 patients; serotonin syndrome: 0",
        "Simvastatin lowers lipids; lithium should not be used with digoxin.",
        "Lithium should be avoided in patients treated with digoxin.",
        "Do not use simvastatin unless it is combined with lithium.",
    ],
)
def test_what_is_denied_or_said_of_other_drugs_accuses_nothing(text: str) -> None:
    found = reads(text)
    assert [claim for read in found for claim in read.claims] == []
    assert {read.why for read in found} <= {DENIED, ""}


def test_that_something_is_no_contraindication_makes_none_in_their_section() -> None:
    text = "A fall in pressure is not a contraindication to further doses; use of diuretics may be reduced."
    assert said(text, "contraindications") == {}


def test_advice_that_cannot_be_followed_gives_way_to_what_follows() -> None:
    text = "If concomitant use of simvastatin with cyclosporine cannot be avoided, reduce the dose of simvastatin."
    (claim,) = claims(text)
    assert claim.statement.management == "Adjust the dose as the label says."


@pytest.mark.parametrize(
    "text",
    [
        "Avoid antacids within 2 hours of simvastatin.",
        "Do not take simvastatin at the same time as antacids; separate them by 4 hours.",
        "Simvastatin should not be taken within two hours of antacids.",
        "Take simvastatin at least 2 hours before or 4 hours after antacids.",
    ],
)
def test_hours_between_two_doses_are_advice_to_take_them_apart(text: str) -> None:
    (claim,) = claims(text)
    assert (claim.statement.tier, claim.statement.when) == (Tier.WARNING, ())
    assert claim.statement.management == "Take the two apart, as the label says."


def test_hours_that_are_days_are_no_advice_to_take_two_drugs_apart() -> None:
    (claim,) = claims("Do not give simvastatin 24 hours before or within 48 hours after cyclosporine.")
    assert claim.statement.management == "Avoid the pair."


def test_what_is_avoided_at_any_hour_beside_hours_for_another_keeps_its_advice() -> None:
    text = "Avoid concomitant use of simvastatin with omeprazole; take antacids at least 2 hours before simvastatin."
    assert {c.statement.object: c.statement.management for c in claims(text)} == {
        "ingredient:omeprazole": "Avoid the pair.",
        "class:antacid": "Take the two apart, as the label says.",
    }


def test_advice_against_more_than_an_amount_is_a_limit() -> None:
    (claim,) = claims("Avoid more than 40 mg of omeprazole daily with simvastatin.")
    assert claim.statement.management == "Keep the other drug at 40 mg a day or less."


def test_a_dose_for_those_who_take_another_drug_is_not_of_that_drug() -> None:
    (claim,) = claims("Patients taking cyclosporine should not receive more than 10 mg per day.")
    assert [c.of for m in claim.statement.modifiers for c in m.clause] == ["subject"]


def test_of_two_clauses_each_speaks_of_what_it_names() -> None:
    text = "Monitor patients who take simvastatin with lithium; simvastatin should not be used with digoxin."
    assert {c.statement.object: c.statement.management for c in claims(text)} == {
        "ingredient:lithium": "Monitor as the label says.",
        "ingredient:digoxin": "Avoid the pair.",
    }


@pytest.mark.parametrize("measured", ["potassium above 5.5 mmol/L", "potassium levels higher than 5", "potassium >5.0"])
def test_what_is_measured_in_blood_is_no_second_drug(measured: str) -> None:
    text = f"Concomitant use of simvastatin with lithium is contraindicated at {measured}."
    assert set(said(text)) == {"ingredient:lithium"}


def test_a_contraindication_for_some_who_take_the_other_drug_is_none_for_all() -> None:
    text = "Do not use simvastatin in patients taking warfarin who have an INR above 4."
    assert said(text, "contraindications")["ingredient:warfarin"][1] == Tier.WARNING


def test_a_warning_that_names_one_other_drug_alone_is_about_that_drug() -> None:
    assert said("If seizures occur, lithium should not be given.", "warnings") == {}
