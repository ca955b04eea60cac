"""Contraindications and allergies out of sentences."""

from __future__ import annotations

import pytest

from pharmakon.extract.specialists.allergy import Allergy
from pharmakon.extract.specialists.contraindication import Contraindication
from tests.unit.extract.reading import claims, read, said

DRUG = "ingredient:metformin"


def forbidden(text: str, kind: str = "contraindications") -> list[str]:
    found = [said(c) for c in claims(Contraindication(), text, kind, DRUG)]
    return [s.removeprefix(f"{DRUG} contraindicated_in ") for s in found]


def allergies(text: str, kind: str = "contraindications") -> list[str]:
    return [str(c.statement.object) for c in claims(Allergy(), text, kind, DRUG)]


def test_a_sentence_forbids_each_condition_it_lists() -> None:
    found = forbidden("Metformin is contraindicated in patients with asthma, heart block or myasthenia gravis.")
    assert found == [
        "disease:asthma (critical)",
        "disease:heart-block (critical)",
        "disease:myasthenia-gravis (critical)",
    ]


def test_items_of_a_list_are_read_without_their_lead_in() -> None:
    text = (
        "Metformin is contraindicated in patients with:\nAnuria\nSevere renal impairment (CrCl < 30 mL/min)\nPregnancy"
    )
    assert forbidden(text) == [
        "disease:anuria (critical)",
        "any when crcl < 30 mL/min (critical)",
        "any when pregnant (critical)",
    ]


def test_the_use_in_somebody_may_stand_before_the_verb() -> None:
    assert forbidden("Use in children under 2 years of age is contraindicated.") == [
        "any when age < 2 years (critical)"
    ]


def test_a_history_is_asked_for_now_and_in_the_past() -> None:
    assert forbidden("Patients with a history of asthma.") == ["any when had disease:asthma (critical)"]


def test_part_of_a_disease_is_a_warning() -> None:
    assert forbidden("Uncontrolled hypertension") == ["disease:hypertension (warning)"]


def test_an_exception_is_a_warning() -> None:
    assert forbidden("Sick sinus syndrome, unless a pacemaker is in place") == ["disease:sick-sinus-syndrome (warning)"]


@pytest.mark.parametrize(
    "text",
    [
        "Metformin is not contraindicated in patients with asthma.",
        "Hypotension and stroke have been reported after an overdose.",
        "None.",
        "Hypersensitivity to metformin (e.g., anaphylaxis, urticaria).",
        "Use together with erythromycin in patients with heart failure is contraindicated.",
    ],
)
def test_what_forbids_nobody_claims_nothing(text: str) -> None:
    assert forbidden(text) == []


def test_the_reason_of_a_contraindication_is_none() -> None:
    found = forbidden("Metformin is contraindicated in anuria because it may cause lactic acidosis.")
    assert found == ["disease:anuria (critical)"]


def test_what_the_drug_itself_brings_about_forbids_it_to_nobody_else() -> None:
    assert forbidden("Metformin should not be used if it produces asthma.") == []


def test_signs_of_what_forbids_forbid_nothing_themselves() -> None:
    found = forbidden("Metformin is contraindicated in anuria as manifested by asthma.")
    assert found == ["disease:anuria (critical)"]


def test_care_advised_beside_a_contraindication_is_none() -> None:
    text = "Metformin is contraindicated in heart block, and particular caution should be used in asthma."
    assert forbidden(text) == ["disease:heart-block (critical)"]


def test_elsewhere_only_the_word_itself_forbids() -> None:
    assert forbidden("Patients with asthma should be watched.", "warnings") == []
    assert forbidden("Metformin is contraindicated in asthma.", "warnings") == ["disease:asthma (critical)"]


def test_a_measure_the_schema_lacks_is_unread() -> None:
    (one,) = read(Contraindication(), "Systolic blood pressure below 90 mmHg", "contraindications", DRUG)
    assert not one.claims
    assert one.why == "a group of patients that no condition can say"


def test_an_allergy_to_another_class_crosses_over() -> None:
    assert allergies("Known hypersensitivity to metformin, sulfonylureas or any of the excipients.") == [
        "class:sulfonylurea"
    ]


def test_asthma_after_a_drug_is_an_allergy_to_it() -> None:
    text = "Patients with a history of asthma or urticaria after taking aspirin or other NSAIDs."
    assert allergies(text) == ["ingredient:aspirin", "class:nsaid"]
    assert forbidden(text) == []


def test_an_allergy_to_the_drug_itself_needs_no_statement() -> None:
    (one,) = read(Allergy(), "Hypersensitivity to metformin.", "contraindications", DRUG)
    assert (one.claims, one.why) == ((), "")


def test_a_report_of_reactions_is_no_rule() -> None:
    assert allergies("Hypersensitivity reactions to penicillins have been reported.") == []


def test_the_surgery_behind_its_name_is_no_other() -> None:
    found = forbidden("In the setting of coronary artery bypass graft (CABG) surgery")
    assert found == ["disease:cabg (critical)"]


def test_a_pair_that_is_forbidden_to_some_is_no_rule_about_the_drug_alone() -> None:
    text = "The concomitant use of irbesartan with aliskiren-containing products is contraindicated in diabetes."
    assert claims(Contraindication(), text, "contraindications", "ingredient:irbesartan") == []


def test_a_disease_beside_an_allergy_is_no_allergy() -> None:
    assert forbidden("Contraindicated in anuria or hypersensitivity to other sulfonamide-derived drugs.") == [
        "disease:anuria (critical)"
    ]


def test_angioedema_under_an_earlier_treatment_forbids_with_a_warning() -> None:
    text = "Contraindicated in patients with a history of angioedema related to previous treatment with a biguanide."
    assert forbidden(text) == ["disease:angioedema (warning)"]


def test_the_names_of_heart_block_and_preexcitation_are_known() -> None:
    found = forbidden(
        "Contraindicated in Wolff-Parkinson-White syndrome and greater than first degree conduction block."
    )
    assert found == ["disease:wpw-syndrome (critical)", "disease:heart-block (critical)"]


@pytest.mark.parametrize(
    "text",
    [
        "Metformin should not be used in patients with glaucoma or urinary retention unless measures are taken.",
        "Use of metformin in patients with glaucoma, urinary retention is not recommended.",
        "PATIENTS WITH GLAUCOMA OR URINARY RETENTION SHOULD, IN GENERAL, NOT RECEIVE METFORMIN.",
    ],
)
def test_a_warning_that_advises_against_the_drug_is_a_softer_contraindication(text: str) -> None:
    assert forbidden(text, "warnings") == ["disease:glaucoma (warning)", "disease:urinary-retention (warning)"]


def test_a_warning_about_another_drug_or_what_a_disease_comes_with_forbids_nothing() -> None:
    assert forbidden("Aspirin should not be used in patients with asthma.", "warnings") == []
    text = "Metformin is not recommended in patients with sick sinus syndrome associated with arrhythmia."
    assert forbidden(text, "warnings") == ["disease:sick-sinus-syndrome (warning)"]


def test_another_drug_at_the_end_of_a_list_takes_nothing_from_the_diseases_before_it() -> None:
    text = (
        "Contraindicated in patients with anuria, creatinine clearance ≤30 mL/min, or concomitant use of itraconazole."
    )
    assert forbidden(text) == ["any when crcl <= 30 mL/min (critical)", "disease:anuria (critical)"]


def test_a_disease_with_another_is_both_together() -> None:
    assert forbidden("Contraindicated in type 2 diabetes with proteinuria or gout.") == [
        "any when has disease:type-2-diabetes & has disease:proteinuria (critical)",
        "disease:gout (critical)",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Do not use metformin in patients with glaucoma, see Contraindications (4.1).",
        "Avoid use of metformin in patients with glaucoma unless the benefit outweighs the risk.",
        "Avoid metformin in patients with glaucoma.",
        "Do not start metformin if there is evidence of glaucoma.",
        "Metformin should not be given to patients with glaucoma unless they use pilocarpine.",
        "Metformin should be avoided in patients with glaucoma and in patients who take amiodarone.",
    ],
)
def test_advice_against_the_drug_is_read_beside_references_exceptions_and_other_drugs(text: str) -> None:
    assert forbidden(text, "warnings") == ["disease:glaucoma (warning)"]


@pytest.mark.parametrize(
    "text",
    [
        "Avoid abruptly discontinuing metformin in patients with hypertension.",
        "Avoid concomitant use of metformin in patients with hypertension who take aspirin.",
        "Amiodarone and metformin should be avoided in patients with hypertension.",
        "Start metformin late in patients with contraindications to surgery.",
    ],
)
def test_advice_on_how_to_stop_and_on_other_drugs_forbids_nothing(text: str) -> None:
    assert forbidden(text, "warnings") == []


def test_advice_ends_where_the_next_item_of_a_list_begins() -> None:
    text = "Avoid metformin in patients with asthma. (5.1) Glaucoma and gout may get worse."
    assert forbidden(text.replace("asthma. (", "asthma ("), "warnings") == ["disease:asthma (warning)"]


def test_a_list_item_may_give_its_reason() -> None:
    assert forbidden("History of stroke because these patients are at a higher risk of bleeding") == [
        "disease:prior-stroke (critical)"
    ]


def test_a_diagnosis_that_was_made_is_a_disease() -> None:
    text = "It is contraindicated in patients with a prior diagnosis of gout as a higher rate of asthma was seen."
    assert forbidden(text) == ["any when had disease:gout (critical)"]


def test_what_might_be_dangerous_is_no_reason() -> None:
    text = "It should not be used whenever a faster pulse might be dangerous, e.g., in the presence of heart failure."
    assert forbidden(text) == ["disease:heart-failure (critical)"]


@pytest.mark.parametrize(
    "text",
    [
        "Nonetheless, exercise caution, particularly in patients with severe asthma.",
        "Hypotension in salt-depleted patients",
    ],
)
def test_care_and_the_heading_of_a_warning_forbid_nothing(text: str) -> None:
    assert forbidden(text) == []


def test_two_diseases_that_forbid_only_together_are_none_alone() -> None:
    text = "Contraindicated in patients with gout and asthma documented by spirometry."
    assert forbidden(text) == ["any when has disease:gout & has disease:asthma (critical)"]
    text = "Atrial flutter or atrial fibrillation and an accessory bypass tract (e.g., Wolff-Parkinson-White syndrome)"
    assert forbidden(text) == ["any when has disease:atrial-fibrillation & has disease:wpw-syndrome (critical)"]


def test_a_pregnancy_that_ends_the_treatment_is_a_softer_contraindication() -> None:
    assert forbidden("Women taking metformin should not breastfeed their infants.") == ["any when lactating (warning)"]
    assert forbidden("If the patient becomes pregnant while taking it, therapy should be discontinued.") == [
        "any when pregnant (warning)"
    ]
