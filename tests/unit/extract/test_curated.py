"""Monograph → change set: the gate that holds a sentence to the rule beside it."""

from __future__ import annotations

import pytest

from pharmakon.extract.curated.monograph import change_set
from pharmakon.ingest.formats.monograph import read_monographs
from pharmakon.model.changes import ChangeSet
from pharmakon.model.documents import check_quote
from pharmakon.model.errors import BadMonograph
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import Tier

HEAD = """concept: ingredient:alphadol
names: {en: [alphadol]}
sources:
  label: {title: Alphadol label, set_id: abc, read: yes}
  unread: {title: A guide, doi: 10.1/x, read: no}
facts:
"""
OTHERS = "".join(
    f"---\nconcept: {c}\nnames: {{en: [{n}]}}\n"
    for c, n in (
        ("ingredient:betadol", "betadol"),
        ("class:gamman", "gamman"),
        ("disease:ague", "ague"),
        ("lifestyle:pomelo", "pomelo"),
    )
)


def changed(facts: str) -> ChangeSet:
    return change_set(list(read_monographs((HEAD + facts + OTHERS).encode(), "m.yaml")), actor="test", why="test")


def statement(facts: str) -> Statement:
    (found,) = changed(facts).statements
    return found


def refused(facts: str) -> BadMonograph:
    with pytest.raises(BadMonograph) as caught:
        changed(facts)
    assert caught.value.where.startswith("m.yaml:"), caught.value
    return caught.value


def fact(says: str, *lines: str, cite: str = "label warnings") -> str:
    return "".join([f"  - says: {says}\n", *(f"    {line}\n" for line in lines), f"    cite: {cite}\n"])


def test_the_quotation_is_the_sentence_with_its_advice_and_stands_in_the_document() -> None:
    change = changed(
        fact("Alphadol with betadol bleeds.", "interacts_with: ingredient:betadol", "management: Avoid it.")
        + fact(
            "Alphadol with a gamman bleeds.",
            "interacts_with: class:gamman",
            "management: Look out.",
            "raise: [{if: age >= 65 years, tier: critical, management: From 65 years on avoid it.}]",
        )
    )
    (document,) = change.documents
    quotes = set()
    for s in change.statements:
        for e in s.evidence:
            check_quote(document.sections[e.ord], e)
            quotes.add(e.quote)
    assert quotes == {
        "Alphadol with betadol bleeds. Avoid it.",
        "Alphadol with a gamman bleeds. Look out. From 65 years on avoid it.",
    }


@pytest.mark.parametrize(
    ("says", "lines", "reason"),
    [
        ("It bleeds with betadol.", ["interacts_with: ingredient:betadol"], "does not name ingredient:alphadol"),
        ("Alphadol bleeds.", ["interacts_with: ingredient:betadol"], "does not name ingredient:betadol"),
        ("Alphadolx with betadol bleeds.", ["interacts_with: ingredient:betadol"], "does not name ingredient:alphadol"),
        (
            "Alphadol needs care.",
            ["requires_caution_with: any", "when: has disease:ague"],
            "does not name disease:ague",
        ),
        ("Alphadol has no monograph for x.", ["interacts_with: ingredient:nobody"], "has no monograph"),
        ("At most 40 mg of alphadol a day.", ["dose_limit: any", "limit: 30 mg per day"], "does not say 30"),
        ("At most a little alphadol a day.", ["dose_limit: any", "limit: 30 mg per day"], "does not say 30"),
        ("At most 1,300 mg of alphadol a day.", ["dose_limit: any", "limit: 300 mg per day"], "does not say 300"),
        (
            "From 60 years on alphadol needs care.",
            ["requires_caution_with: any", "when: age >= 65 years"],
            "does not say 65",
        ),
        (
            "Below 30 mL/min/1.73 m² alphadol is at most 5 mg a day.",
            ["dose_limit: any", "limit: 5 mg per day", "when: egfr < 1.73 mL/min/1.73m2"],
            "does not say 1.73",
        ),
        ("Alphadol is limited.", ["dose_limit: any"], "without a limit"),
        ("Alphadol is limited.", ["dose_limit: any", "limit: lots"], "limit 'lots'"),
        ("Alphadol interacts.", ["interacts_with: any"], "needs an object"),
        ("Alphadol treats a gamman.", ["treats: class:gamman"], "treats class:gamman"),
        ("Alphadol interacts with ague.", ["interacts_with: disease:ague"], "interacts_with disease:ague"),
        ("Alphadol with betadol bleeds.", ["interacts_with: ingredient:betadol", "tier: deadly"], "tier 'deadly'"),
        ("Alphadol with betadol bleeds.", ["interacts_with: ingredient:betadol", "risk: BAD_LUCK"], "risk 'BAD_LUCK'"),
        ("Alphadol with betadol bleeds.", ["interacts_with: ingredient:betadol", "when: moon is full"], "no factor"),
        ("Alphadol with betadol bleeds.", ["interacts_with: ingredient:betadol", "except: betadol"], "no concept id"),
        (
            "Alphadol with betadol bleeds.",
            ["interacts_with: ingredient:betadol", "raise: [{if: pregnant}]"],
            "modifier",
        ),
        ("Alphadol with betadol bleeds.", ["interacts_with: ingredient:betadol", "raise: always"], "is no list"),
        (
            "Alphadol with betadol bleeds.",
            [
                "interacts_with: ingredient:betadol",
                "raise: [{if: pregnant, tier: info}]",
                "first_true: [{if: pregnant, tier: info}]",
            ],
            "together",
        ),
        ("Alphadol by owl.", ["given_by: owl"], "'owl'"),
    ],
)
def test_a_sentence_and_its_rule_that_drift_apart_are_refused(says: str, lines: list[str], reason: str) -> None:
    assert reason in str(refused(fact(says, *lines)))


@pytest.mark.parametrize(
    ("says", "lines"),
    [
        ("Alphadol is taken at most twice a day.", ["dose_limit: any", "limit: 2 times per day"]),
        ("At most 2,550 mg of alphadol a day.", ["dose_limit: any", "limit: 2550 mg per day"]),
        ("Gammans and alphadol bleed.", ["interacts_with: class:gamman"]),
        ("ALPHADOL with Betadol bleeds.", ["interacts_with: ingredient:betadol"]),
        (
            "Below an eGFR of 30 mL/min/1.73 m² alphadol is not used.",
            ["contraindicated_in: any", "when: egfr < 30 mL/min/1.73m2"],
        ),
    ],
)
def test_figures_and_names_may_be_written_as_people_write_them(says: str, lines: list[str]) -> None:
    assert changed(fact(says, *lines)).statements


@pytest.mark.parametrize(
    ("says", "lines", "risk"),
    [
        ("Alphadol treats ague.", ["treats: disease:ague"], "INDICATION_MISMATCH"),
        ("Alphadol is given orally.", ["given_by: oral"], "ROUTE_ERROR"),
        ("Alphadol is at most 5 mg a day.", ["dose_limit: any", "limit: 5 mg per day"], "DOSAGE_ERROR"),
        ("Alphadol is taken twice a day.", ["dose_limit: any", "limit: 2 times per day"], "FREQUENCY_ERROR"),
        ("Below 30 mL/min alphadol is out.", ["contraindicated_in: any", "when: crcl < 30 mL/min"], "RENAL_IMPAIRMENT"),
        ("In class B alphadol is out.", ["contraindicated_in: any", "when: child_pugh >= B"], "HEPATIC_IMPAIRMENT"),
        ("In pregnancy alphadol is out.", ["contraindicated_in: any", "when: pregnant"], "PREGNANCY_LACTATION"),
        (
            "From 65 years on alphadol needs care.",
            ["requires_caution_with: any", "when: age >= 65 years"],
            "AGE_RESTRICTION",
        ),
        ("In ague alphadol is out.", ["contraindicated_in: disease:ague"], "CONTRAINDICATION_CONDITION"),
        ("Into the spine alphadol is out.", ["contraindicated_in: any", "when: route is intrathecal"], "ROUTE_ERROR"),
        (
            "Alphadol with a gamman is adjusted.",
            ["dose_adjustment: any", "when: with class:gamman"],
            "DOSE_ADJUSTMENT_MISSED",
        ),
        (
            "Alphadol with a gamman is at most 5 mg a day.",
            ["dose_limit: any", "limit: 5 mg per day", "when: with class:gamman"],
            "DOSE_ADJUSTMENT_MISSED",
        ),
        ("Alphadol with betadol bleeds.", ["interacts_with: ingredient:betadol"], "INTERACTION_DRUG_DRUG"),
        ("Alphadol with pomelo rises.", ["interacts_with: lifestyle:pomelo"], "INTERACTION_FOOD"),
        ("Alphadol twice is too much alphadol.", ["interacts_with: ingredient:alphadol"], "DUPLICATE_THERAPY"),
        ("Alphadol and betadol are not mixed.", ["incompatible_with: ingredient:betadol"], "INCOMPATIBILITY"),
        ("Alphadol cross-reacts with betadol.", ["cross_reacts_with: ingredient:betadol"], "ALLERGY_CONFLICT"),
        ("In ague alphadol is out.", ["contraindicated_in: disease:ague", "risk: AGE_RESTRICTION"], "AGE_RESTRICTION"),
    ],
)
def test_the_risk_follows_from_relation_and_conditions(says: str, lines: list[str], risk: str) -> None:
    assert statement(fact(says, *lines)).risk == risk


def test_an_entry_with_two_objects_makes_two_statements_of_one_quotation() -> None:
    made = changed(
        fact("Alphadol bleeds with betadol and any gamman.", "interacts_with: [ingredient:betadol, class:gamman]")
    ).statements
    assert len(made) == 2
    assert len({s.evidence[0].quote for s in made}) == 1


def test_one_claim_of_two_sources_is_one_statement_with_two_pieces_of_evidence() -> None:
    found = statement(
        fact(
            "Alphadol with betadol bleeds.",
            "interacts_with: ingredient:betadol",
            cite="[label warnings, unread guidance]",
        )
    )
    assert {e.citation.title for e in found.evidence if e.citation} == {"Alphadol label", "A guide"}
    assert found.read


def test_a_claim_that_only_an_unread_source_makes_is_unread() -> None:
    assert not statement(
        fact("Alphadol with betadol bleeds.", "interacts_with: ingredient:betadol", cite="unread guidance")
    ).read


def test_fields_arrive_in_the_statement() -> None:
    found = statement(
        fact(
            "Alphadol does not matter to betadol.",
            "interacts_with: ingredient:betadol",
            "not: yes",
            "tier: info",
            "mechanism: none",
            "effect: no effect",
            "except: [class:gamman]",
        )
    )
    assert found.negative
    assert found.tier == Tier.INFO
    assert found.excluded == {"class:gamman"}
    assert (found.mechanism, found.effect) == ("none", "no effect")


def test_an_ingredient_may_be_written_about_once_and_a_class_in_several_files() -> None:
    twice = HEAD.replace("facts:\n", "") + OTHERS + "---\n" + HEAD.replace("facts:\n", "")
    with pytest.raises(BadMonograph, match="has a monograph already"):
        change_set(list(read_monographs(twice.encode(), "m.yaml")), actor="test", why="test")
    again = HEAD.replace("facts:\n", "") + OTHERS + "---\nconcept: class:gamman\nnames: {en: [gamma agents]}\n"
    change = change_set(list(read_monographs(again.encode(), "m.yaml")), actor="test", why="test")
    (gamman,) = [c for c in change.concepts if c.id == "class:gamman"]
    assert {n.text for n in gamman.names} == {"gamman", "gamma agents"}


def test_a_complaint_names_the_line_of_its_entry() -> None:
    error = refused(
        fact("Alphadol with betadol bleeds.", "interacts_with: ingredient:betadol")
        + fact("Nothing.", "treats: disease:ague")
    )
    assert error.where == "m.yaml:10"
