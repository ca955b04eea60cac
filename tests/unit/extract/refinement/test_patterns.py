"""Which sentences show a gap, and which the schema can hold already."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.extract.claims import Mention, Sentence
from pharmakon.extract.refinement.found import unaccounted
from pharmakon.extract.refinement.patterns import PatternProposer
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Factor, factors, relations


def sentence(text: str, *named: str, kind: str = "warnings", at: int = 0, ord: int = 0) -> Sentence:
    mentions = tuple(Mention(at, at + 1, text[:1], (ConceptId(n),)) for n in named)
    return Sentence(ord, kind, "Warnings", at, at + len(text), text, mentions)


def keys(text: str, *named: str) -> set[str]:
    return {gap.entry.name for gap in PatternProposer().read([sentence(text, *named)]).gaps}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("The infusion rate should not exceed 50 mg/min.", "infusion_rate"),
        ("Do not infuse zorfan faster than 25 mg per minute.", "infusion_rate"),
        ("Start the infusion at 2 mg/kg/hr.", "infusion_rate_by_weight"),
        ("Inject zorfan intravenously over 3 to 5 minutes.", "infusion_time"),
        ("Dilute to a final concentration of 5 mg/mL.", "infusion_concentration"),
        ("Stop zorfan if the absolute neutrophil count falls below 1,000/mm3.", "neutrophils"),
        ("Withhold it while ANC is less than 1.0 × 10^9/L.", "neutrophils"),
        ("Do not start unless platelets are at least 100,000 cells/mm 3.", "platelets"),
        ("Interrupt zorfan for ALT or AST > 5 times ULN.", "aminotransferases_uln"),
        ("Stop if the QRS interval exceeds 120 ms.", "qrs"),
        ("Do not use it where LVEF is below 40%.", "ejection_fraction"),
        ("Do not give it where systolic blood pressure is below 90 mm Hg.", "systolic_pressure"),
        ("Give zorfan at least 2 hours before or 4 hours after antacids.", "hours_apart"),
        ("Administration must be separated by 2 hours.", "hours_apart"),
        ("Swallow the tablets whole.", "crushed"),
        ("Take zorfan on an empty stomach.", "with_food"),
        ("Avoid abrupt discontinuation.", "stopped_abruptly"),
        ("Halve the dose in CYP2D6 poor metabolizers.", "cyp2d6_metabolizer"),
        ("Not for NYHA class III patients.", "nyha_class"),
        ("Zorfan is not dialyzable.", "removed_by"),
        ("Monitor serum potassium every month.", "requires_monitoring_of"),
        ("It may interfere with immunoassays of estradiol.", "interferes_with_test"),
    ],
)
def test_what_no_factor_and_no_relation_holds_is_a_gap(text: str, key: str) -> None:
    assert key in keys(text)


@pytest.mark.parametrize(
    "text",
    [
        "Do not use zorfan where creatinine clearance is below 30 mL/min.",
        "Reduce the dose where eGFR is less than 45 mL/min.",
        "Stop zorfan where serum potassium levels exceed 5.5 mEq/L.",
        "Stop zorfan where serum potassium concentrations are > 5.5 mEq/L.",
        "Patients under 50 kg body weight need less.",
        "The maximum daily dose is 400 mg.",
        "The QTc interval should be below 450 ms.",
        "Zorfan is physically incompatible with rifampin.",
        "Zorfan is contraindicated in asthma.",
    ],
)
def test_what_the_schema_can_say_is_none(text: str) -> None:
    assert keys(text, "ingredient:rifampin", "disease:asthma") == set()


def test_figures_of_a_study_are_no_rule() -> None:
    assert keys("In a trial the infusion rate was 50 mg/min.") == set()
    assert keys("Platelet counts below 50,000/mm3 were reported.") == set()


def test_what_a_cross_reference_says_is_not_said_of_the_drug() -> None:
    assert keys("Zorfan is safe [see Infusion rate not exceeding 50 mg/min (5.1)].") == set()


def test_a_connection_needs_what_it_connects_to() -> None:
    assert keys("Zorfan may mask signs of hypoglycaemia.", "disease:hypoglycaemia") == {"masks"}
    assert keys("Zorfan may mask its own taste.") == set()


def test_a_quantity_that_no_list_knows_is_named_by_its_own_words() -> None:
    (gap,) = PatternProposer().read([sentence("Withhold it if the bone marrow cellularity index is below 20%.")]).gaps
    assert isinstance(gap.entry, Factor)
    assert (gap.entry.name, gap.entry.unit) == ("marrow_cellularity_index", "%")


def test_a_rate_that_falls_by_a_percentage_is_not_a_rate_of_it() -> None:
    assert keys("Limit metabolic rate to about 25%.") == set()


def test_a_sentence_shows_a_gap_once() -> None:
    found = PatternProposer().read([sentence("Infuse over 3 minutes, or give it over 5 minutes.")]).gaps
    assert [g.entry.name for g in found] == ["infusion_time"]


def test_sentences_that_a_fact_quotes_and_sections_without_rules_are_left_out() -> None:
    first, second = sentence("Alpha.", at=0), sentence("Beta.", at=7)
    other = sentence("Gamma.", kind="pharmacology", ord=1)
    elsewhere = sentence("Delta.", ord=2)
    assert unaccounted([first, second, other, elsewhere], [(0, 2, 5)]) == [second, elsewhere]
    assert unaccounted([first], [(0, 6, 7)]) == [first]  # the end is exclusive


@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from(["infusion", "rate", "below", "50", "mg/min", "ANC", "<", ";"])).map(" ".join)
)
def test_any_text_gives_entries_that_the_schema_lacks(text: str) -> None:
    for gap in PatternProposer().read([sentence(text)]).gaps:
        assert gap.entry.name not in factors()
        assert gap.entry.name not in relations()
