"""Which findings count for, against, and not at all."""

from __future__ import annotations

from pharmakon.evaluate.cases import EvalCase, Expectation
from pharmakon.evaluate.matching import score
from pharmakon.model.vocabulary import Tier
from tests.unit.evaluate.reports import finding, report

DOSE, KIDNEY, PAIR = "DOSAGE_ERROR", "RENAL_IMPAIRMENT", "INTERACTION_DRUG_DRUG"


def expectation(type_: str, *drugs: str, tier: Tier = Tier.WARNING, either: tuple[str, ...] = ()) -> Expectation:
    return Expectation(type_, frozenset(drugs), tier, frozenset(either))


def violation(*expected: Expectation, also: tuple[Expectation, ...] = (), type_: str = DOSE) -> EvalCase:
    return EvalCase("v", "violation", type_, {}, expect=expected, also_true=also)


def near_miss(*forbidden: Expectation, type_: str = DOSE) -> EvalCase:
    return EvalCase("n", "near_miss", type_, {}, forbid=forbidden)


def test_type_and_drugs_must_both_be_equal() -> None:
    case = violation(expectation(PAIR, "warfarin", "aspirin"))
    assert score(case, report(finding(PAIR, "aspirin", "warfarin"))).found == 1
    assert score(case, report(finding(PAIR, "warfarin"))).found == 0
    assert score(case, report(finding(PAIR, "aspirin", "ibuprofen", "warfarin"))).found == 0
    assert score(case, report(finding("DUPLICATE_THERAPY", "aspirin", "warfarin"))).found == 0


def test_another_defensible_type_counts_apart() -> None:
    case = violation(expectation(DOSE, "metformin", either=(KIDNEY,)))
    found = score(case, report(finding(KIDNEY, "metformin")))
    assert (found.found, found.found_type_or) == (0, 1)


def test_a_finding_of_too_low_a_tier_is_found_but_not_at_its_tier() -> None:
    case = violation(expectation(DOSE, "metformin", tier=Tier.CRITICAL))
    found = score(case, report(finding(DOSE, "metformin", tier=Tier.WARNING)))
    assert (found.found, found.tier_right, found.failed) == (1, 0, True)


def test_what_comes_twice_counts_once_at_its_highest_tier() -> None:
    case = violation(expectation(DOSE, "metformin"))
    twice = report(finding(DOSE, "metformin", tier=Tier.INFO), finding(DOSE, "metformin"))
    found = score(case, twice)
    assert (found.found, found.tier_right, found.wrong_strict) == (1, 1, 0)


def test_a_forbidden_finding_of_weight_is_a_false_alarm() -> None:
    case = near_miss(expectation(KIDNEY, "metformin"))
    assert score(case, report(finding(KIDNEY, "metformin"))).raised_wrong == 1
    assert score(case, report(finding(KIDNEY, "metformin"))).near_miss_quiet == 0


def test_a_forbidden_finding_of_tier_info_is_none_but_the_strict_count_sees_it() -> None:
    found = score(near_miss(expectation(DOSE, "metformin")), report(finding(DOSE, "metformin", tier=Tier.INFO)))
    assert (found.raised_wrong, found.near_miss_quiet, found.wrong_strict) == (0, 1, 1)


def test_a_finding_of_another_type_is_false_only_in_the_strict_count() -> None:
    found = score(violation(expectation(DOSE, "metformin")), report(finding(PAIR, "metformin", "insulin")))
    assert (found.raised_wrong, found.wrong_strict) == (0, 1)


def test_a_finding_of_the_own_type_about_another_drug_is_a_false_alarm() -> None:
    found = score(violation(expectation(DOSE, "metformin")), report(finding(DOSE, "insulin")))
    assert found.raised_wrong == 1


def test_a_further_rule_that_is_broken_counts_neither_for_nor_against() -> None:
    case = violation(expectation(DOSE, "metformin"), also=(expectation(DOSE, "insulin"),))
    found = score(case, report(finding(DOSE, "metformin"), finding(DOSE, "insulin")))
    assert (found.raised_right, found.raised_wrong, found.wrong_strict, found.also_found) == (1, 0, 0, 1)


def test_a_gap_matches_its_factor_or_what_the_factor_is_computed_from() -> None:
    case = EvalCase("g", "gap", "", {}, expect_gap=("crcl", "age"))
    assert score(case, report(gaps=("creatinine", "age"))).gaps_found == 2
    assert score(case, report(gaps=("weight",))).gaps_found == 0


def test_gap_cases_take_no_part_in_precision_and_recall() -> None:
    case = EvalCase("g", "gap", "", {}, expect_gap=("age",))
    found = score(case, report(finding(DOSE, "metformin"), gaps=("age",)))
    assert (found.expected, found.raised_wrong, found.wrong_strict) == (0, 0, 0)
