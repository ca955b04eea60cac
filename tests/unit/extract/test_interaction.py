"""What the interaction specialist takes from sentences of a label, and what it leaves alone.

The sentences are made up in the manner of labels.
"""

from __future__ import annotations

import pytest

from pharmakon.extract.specialists.interaction.limits import daily_limit
from pharmakon.extract.specialists.interaction.pairs import model, pair_features, sentence_features
from pharmakon.extract.specialists.interaction.sketch import CLASS, DRUG, OWN, Named, Sketch
from pharmakon.extract.specialists.interaction.wording import Wordings, outcomes, tone_of
from pharmakon.model.vocabulary import Tier
from tests.unit.extract.interactions import SIMVASTATIN, claims, reads, said


def test_a_contraindicated_pair_is_critical() -> None:
    assert said("Concomitant use of simvastatin with cyclosporine is contraindicated.") == {
        "ingredient:cyclosporine": (SIMVASTATIN, Tier.CRITICAL)
    }


def test_a_pair_to_avoid_is_a_warning() -> None:
    assert said("Avoid concomitant use of simvastatin with cyclosporine.") == {
        "ingredient:cyclosporine": (SIMVASTATIN, Tier.WARNING)
    }


def test_a_change_of_exposure_without_advice_is_to_be_looked_into() -> None:
    (claim,) = claims("Concomitant administration of cyclosporine increases plasma concentrations of simvastatin.")
    assert claim.statement.tier == Tier.WARNING
    assert claim.statement.effect == "higher exposure"
    assert claim.statement.management == ""


def test_a_reference_to_the_contraindications_contraindicates_nothing() -> None:
    text = "Monitor patients when simvastatin is used with cyclosporine [see Contraindications (4)]."
    assert said(text)["ingredient:cyclosporine"][1] == Tier.WARNING


def test_a_class_and_its_examples_are_all_taken() -> None:
    text = "Avoid concomitant use of simvastatin with strong CYP3A4 inhibitors such as ketoconazole and itraconazole."
    assert set(said(text)) == {
        "class:strong-cyp3a4-inhibitor",
        "ingredient:ketoconazole",
        "ingredient:itraconazole",
    }


def test_food_is_an_interaction_of_its_own_kind() -> None:
    (claim,) = claims("Avoid concomitant use of grapefruit juice with simvastatin, which increases its concentrations.")
    assert claim.statement.risk == "INTERACTION_FOOD"


def test_no_relevant_interaction_is_a_negative_statement() -> None:
    (claim,) = claims("No clinically significant interaction was observed when simvastatin was given with digoxin.")
    assert claim.statement.negative
    assert (claim.statement.subject, claim.statement.object) == (SIMVASTATIN, "ingredient:digoxin")


@pytest.mark.parametrize(
    "text",
    [
        "No clinically significant pharmacokinetic interaction was observed when simvastatin was given with digoxin.",
        "No clinically significant interaction was observed with digoxin, but caution is advised.",
        "No clinically significant interaction was observed when simvastatin was given with NSAIDs.",
        "It is not known whether simvastatin has no relevant interactions with digoxin.",
    ],
)
def test_an_absence_with_reserve_or_of_a_whole_class_is_nothing(text: str) -> None:
    assert claims(text) == []


def test_what_a_section_warns_of_it_does_not_take_back() -> None:
    text = (
        "Avoid concomitant use of simvastatin with digoxin. "
        "No clinically significant interaction was observed when simvastatin was given with digoxin."
    )
    assert [c.statement.negative for c in claims(text)] == [False]


@pytest.mark.parametrize(
    ("text", "gaps"),
    [
        ("Simvastatin is contraindicated within 14 days of stopping cyclosporine.", {("object", 14)}),
        (
            "Do not use simvastatin with cyclosporine or within two weeks of discontinuing cyclosporine.",
            {("object", 14)},
        ),
        ("Cyclosporine should not be given within 7 days after stopping simvastatin.", {("subject", 7)}),
        (
            "Avoid concomitant use of simvastatin with cyclosporine within 14 days of each other.",
            {("object", 14), ("subject", 14)},
        ),
        ("Avoid concomitant use of simvastatin with cyclosporine within 2 hours of stopping cyclosporine.", set()),
        ("Avoid concomitant use of simvastatin with cyclosporine.", set()),
    ],
)
def test_days_between_two_drugs_are_a_condition_on_the_one_that_was_stopped(
    text: str, gaps: set[tuple[str, int]]
) -> None:
    (claim,) = claims(text)
    assert {(c.of, c.number) for clause in claim.statement.when for c in clause} == gaps
    assert all(c.factor == "gap" and c.op == "<" for clause in claim.statement.when for c in clause)


def test_rates_in_a_study_are_no_interaction() -> None:
    assert claims("Rash was reported in 4% of patients treated with simvastatin versus 3% with digoxin.") == []


def test_an_allergy_to_another_drug_is_no_interaction() -> None:
    assert claims("Contraindicated in patients with hypersensitivity to digoxin.", "contraindications") == []


def test_treatments_that_belong_together_are_no_interaction() -> None:
    assert claims("The recommended dose in combination with digoxin is 10 mg daily.", "dosage") == []


def test_a_drug_that_the_heading_names_is_the_other_drug() -> None:
    assert said("Avoid concomitant use, which increases the risk of bleeding.", heading="7.3 Cyclosporine") == {
        "ingredient:cyclosporine": (SIMVASTATIN, Tier.WARNING)
    }


def test_a_row_of_a_table_speaks_of_the_drugs_in_its_first_cell() -> None:
    row = "Interacting drug: cyclosporine | Advice: Avoid; digoxin is another matter"
    assert list(said(row)) == ["ingredient:cyclosporine"]


def test_a_pair_of_two_other_drugs_in_our_class_is_said_of_ours() -> None:
    found = said("The risk of myopathy is increased by concomitant use of statins with cyclosporine.")
    assert found["ingredient:cyclosporine"][0] == SIMVASTATIN


def test_a_dose_beside_another_drug_becomes_a_condition() -> None:
    (claim,) = claims("Do not exceed simvastatin 20 mg daily when coadministered with amlodipine.")
    (modifier,) = claim.statement.modifiers
    (condition,) = modifier.clause
    assert (claim.statement.tier, modifier.tier, claim.statement.first_true) == (Tier.WARNING, Tier.INFO, True)
    assert (condition.factor, condition.op, condition.number, condition.of) == ("dose_daily", "<=", 20.0, "subject")


def test_a_limit_on_the_other_drugs_dose_is_about_the_other_drug() -> None:
    (claim,) = claims("Do not exceed digoxin 0.125 mg daily when coadministered with simvastatin.")
    assert claim.statement.modifiers[0].clause[0].of == "object"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("do not exceed 20 mg once daily", 20.0),
        ("The daily dose should not exceed 10 mg.", 10.0),
        ("limit to 500 mg twice daily", 1000.0),
        ("maximum recommended dose is 1,700 mg per day", 1700.0),
        ("the dose should not exceed 250 mcg daily", 0.25),
        ("should not exceed 5 mg/kg daily", None),
        ("should not exceed 20 mg", None),
        ("do not exceed 20 mg daily or, in the young, do not exceed 10 mg daily", None),
        ("20 mg daily", None),
    ],
)
def test_a_daily_limit_is_read_where_it_is_one(text: str, value: float | None) -> None:
    found = daily_limit(text)
    assert (found.value if found else None) == value


def test_advice_for_some_patients_is_about_them_alone() -> None:
    text = (
        "Concomitant use of simvastatin with cyclosporine is contraindicated in patients with diabetes or severe gout."
    )
    (claim,) = claims(text)
    assert claim.statement.tier == Tier.CRITICAL
    assert [c.values for clause in claim.statement.when for c in clause] == [("disease:diabetes",), ("disease:gout",)]


def test_patients_whose_condition_is_not_known_leave_a_pair_to_avoid() -> None:
    text = "Concomitant use of simvastatin with cyclosporine is contraindicated in patients with odd habits or gout."
    (claim,) = claims(text)
    assert (claim.statement.tier, claim.statement.when) == (Tier.WARNING, ())


def test_large_amounts_that_are_forbidden_make_no_contraindication_of_any() -> None:
    text = "Simvastatin must not be taken together with large amounts of grapefruit juice or cyclosporine."
    assert {tier for _, tier in said(text, "contraindications").values()} == {Tier.WARNING}


def test_a_pair_forbidden_to_some_patients_by_the_first_words_is_to_be_avoided_by_all() -> None:
    text = "Patients with a weak heart must not be given simvastatin together with cyclosporine."
    assert said(text, "contraindications")["ingredient:cyclosporine"][1] == Tier.WARNING


def test_a_long_text_contraindicates_only_what_stands_near() -> None:
    filler = "The dose may be given at any time of the day and with or without a meal of any kind " * 5
    text = f"Avoid concomitant use of simvastatin with digoxin {filler} and cyclosporine is contraindicated."
    found = said(text)
    assert found.get("ingredient:digoxin", (SIMVASTATIN, Tier.WARNING))[1] < Tier.CRITICAL


@pytest.mark.parametrize("drug", ["digoxin", "lithium", "grapefruit juice", "NSAIDs", "statins", "simvastatin"])
@pytest.mark.parametrize(
    "form", ["{} levels may change.", "Avoid {}.", "Patients on {} were studied.", "{}: see above."]
)
def test_a_sentence_has_claims_or_a_reason_or_neither(drug: str, form: str) -> None:
    for read in reads(form.format(drug)):
        assert not (read.claims and read.why)
        assert all(c.statement.object != c.statement.subject for c in read.claims)


def test_the_tone_of_a_contraindication_section_is_that_of_the_section() -> None:
    assert tone_of("Use with digoxin.", "contraindications").tier == Tier.CRITICAL
    assert tone_of("Use with digoxin is not contraindicated.", "interactions").name == ""


def test_the_label_drug_is_no_member_of_a_list_and_an_example_is_known_as_one() -> None:
    text = "Avoid A with inhibitors such as B and C."
    at = {name: (text.index(f" {name}") + 1, text.index(f" {name}") + 2) for name in "ABC"}
    things = [
        Named(OWN, (at["A"],)),
        Named(CLASS, ((text.index("inhibitors"), text.index(" such")),)),
        Named(DRUG, (at["B"],)),
        Named(DRUG, (at["C"],)),
    ]
    sketch = Sketch(text, things, "interactions")
    chains = [sketch.chains[places[0]] for places in sketch.at]
    assert chains == [0, 1, 1, 1]
    assert [places[0] in sketch.shown for places in sketch.at] == [False, False, True, True]


def test_the_model_gives_probabilities_and_knows_no_drug() -> None:
    text = "Avoid concomitant use of X with Y."
    places = [((text.index("X"), text.index("X") + 1),), ((text.index("Y"), text.index("Y") + 1),)]
    sketch = Sketch(text, [Named(OWN, places[0]), Named(DRUG, places[1])], "interactions")
    learned = model()
    assert learned.threshold < learned.probability(sketch, 0, 1, learned.says(sketch)) <= 1
    names = {f.rpartition(" ")[2] for f in learned.sentence.weights}
    assert OWN.upper() in names or "NAME" in names


def test_the_quick_sums_are_those_of_the_features() -> None:
    text = "Avoid concomitant use of X with inhibitors such as Y, which increase the risk of myopathy."
    things = [
        Named(role, ((text.index(name), text.index(name) + len(name)),))
        for role, name in ((OWN, "X"), (CLASS, "inhibitors"), (DRUG, "Y"))
    ]
    sketch = Sketch(text, things, "interactions", "7.1 Inhibitors")
    learned = model()
    says = learned.says(sketch)
    assert says == pytest.approx(learned.sentence.logit(sentence_features(sketch)))
    for part, a, b in ((learned.pair, 0, 1), (learned.pair, 1, 2), (learned.unsaid, 2, None)):
        assert part.of_pair(sketch, a, b, says) == pytest.approx(part.logit(pair_features(sketch, a, b, says)))


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("concomitant use should be avoided", [(0, "along"), (26, "avoid")]),
        ("not contraindicated", []),
        ("nothing of the kind", []),
    ],
)
def test_wordings_are_found_where_words_begin_and_in_order(said: str, found: list[tuple[int, str]]) -> None:
    wordings = Wordings({"avoid": ["avoid", "(?<!not )contraindicated"], "along": ["concomitant", "void"]})
    assert list(wordings.find(said)) == found
    assert wordings.kinds(said) == {kind for _, kind in found}


@pytest.mark.parametrize(
    ("text", "effects"),
    [
        ("Sedatives such as kelpin should not be combined with it.", ()),
        ("Use with antihypertensive agents and hypotensive drugs.", ()),
        ("It may cause sedation when both are taken.", ("sedation",)),
        ("Use with nephrotoxic drugs may result in renal impairment.", ("impaired kidney function",)),
        ("Patients with renal failure who take both bleed.", ("bleeding",)),
        ("Elevation of levels of lithium and a reduction in clearance and exposure.", ()),
        ("Hypokalemia and bradycardia add to QT prolongation.", ("QT prolongation",)),
    ],
)
def test_an_effect_is_what_the_two_do_and_not_a_name_or_what_makes_it_likelier(
    text: str, effects: tuple[str, ...]
) -> None:
    assert outcomes(text) == effects


def test_a_change_of_dose_that_may_be_needed_is_said_so() -> None:
    text = "A dose reduction of simvastatin may be necessary when it is given with cyclosporine."
    (claim,) = claims(text)
    assert claim.statement.management == "The dose may have to be adjusted, as the label says."


@pytest.mark.parametrize(
    ("text", "tone"),
    [
        ("Dose adjustment is not recommended when it is given with kelpin.", ""),
        ("No kelpin dosage adjustment is required. Monitor for infection.", "monitor"),
        ("It can be given with kelpin without dose adjustment.", ""),
        ("Use with kelpin is not recommended. No dose adjustment of zorfan is needed.", "avoid"),
        ("Dose adjustment is recommended with kelpin.", "dose"),
    ],
)
def test_that_a_dose_stays_is_no_advice(text: str, tone: str) -> None:
    assert tone_of(text, "interactions").name == tone


def test_more_of_a_drug_whose_dose_may_stay_is_information() -> None:
    assert tone_of("Exposure of kelpin increased. No dose adjustment is necessary.", "interactions").tier == Tier.INFO


def test_what_heads_a_column_is_no_effect() -> None:
    text = "Serum concentration increased: ketoconazole | Effect (hypotension or bleeding): B | Advice: Monitor levels."
    (claim,) = claims(text)
    assert claim.statement.effect == ""
    assert claim.statement.management == "Monitor as the label says."


def test_a_row_whose_heading_alone_speaks_is_left_unread() -> None:
    assert claims("Concentrations increased by more than half: ketoconazole | Amount: 70 to 100%") == []
