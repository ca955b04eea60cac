"""The rules of the house: advice, sources that were read, topics answered, no contradiction."""

from __future__ import annotations

from pharmakon.app.formulary import monographs, starter
from pharmakon.extract.curated import house
from pharmakon.extract.curated.monograph import change_set
from pharmakon.ingest.formats.monograph import Monograph, read_monographs

HEAD = """concept: class:betan
names: {en: [betan]}
---
concept: ingredient:gammadol
names: {en: [gammadol]}
facts:
  - says: Gammadol is a betan.
    belongs_to: class:betan
    cite: pharmakon
---
concept: ingredient:alphadol
depth: deep
names: {en: [alphadol]}
sources:
  label: {title: Alphadol label, set_id: abc, read: yes}
  guide: {title: A guide, doi: 10.1/x, read: no}
"""


def read(text: str) -> list[Monograph]:
    return list(read_monographs((HEAD + text).encode(), "alphadol.yaml"))


def rule(other: str, named: str, tier: str) -> str:
    says = f"Alphadol with {named} is {tier}."
    return f"  - {{says: {says}, interacts_with: {other}, tier: {tier}, management: Mind it., cite: label warnings}}\n"


def test_a_warning_without_advice_is_a_complaint() -> None:
    bare = "facts:\n" + rule("ingredient:gammadol", "gammadol", "warning").replace("management: Mind it., ", "")
    (complaint,) = house.entry_complaints(read(bare))
    assert "without advice" in complaint.what
    assert complaint.where.startswith("alphadol.yaml:")


def test_a_milder_branch_that_keeps_the_advice_of_the_stricter_rule_is_a_complaint() -> None:
    text = """facts:
  - says: Alphadol with gammadol is bad, less so above 65 years.
    interacts_with: ingredient:gammadol
    tier: warning
    management: Choose another drug.
    first_true:
      - {if: age > 65 years, tier: info}
    cite: label warnings
"""
    (complaint,) = house.entry_complaints(read(text))
    assert "milder branch" in complaint.what
    assert not list(house.entry_complaints(read(text.replace("tier: info}", "tier: info, management: Mind it.}"))))


def test_a_critical_statement_that_nobody_read_is_a_complaint() -> None:
    text = """facts:
  - says: Alphadol with gammadol is bad.
    interacts_with: ingredient:gammadol
    tier: critical
    management: Do not combine.
    cite: guide guidance
"""
    (complaint,) = house.entry_complaints(read(text))
    assert "not read" in complaint.what


def test_a_deep_monograph_answers_every_topic_or_says_that_its_source_does_not() -> None:
    found = read("facts: []\n")
    (complaint,) = house.depth_complaints(found, change_set(found, actor="test", why="test").statements)
    assert complaint.what.endswith("indications, dose, renal, contraindications, interactions")
    silent = read(
        "states_none: {indications: label indications, dose: label dosage, renal: label dosage, "
        "contraindications: label contraindications, interactions: label interactions}\nfacts: []\n"
    )
    assert list(house.depth_complaints(silent, change_set(silent, actor="test", why="test").statements)) == []


def test_two_tiers_for_one_pair_are_a_contradiction() -> None:
    text = (
        "facts:\n"
        + rule("ingredient:gammadol", "gammadol", "critical")
        + rule("ingredient:gammadol", "gammadol", "info")
    )
    found = change_set(read(text), actor="test", why="test").statements
    assert len(list(house.contradictions(found))) == 1


def test_a_class_rule_that_forgets_its_milder_member_is_named() -> None:
    text = "facts:\n" + rule("class:betan", "a betan", "warning") + rule("ingredient:gammadol", "gammadol", "info")
    found = change_set(read(text), actor="test", why="test").statements
    assert len(list(house.not_excepted(found))) == 1


def test_the_shipped_formulary_keeps_the_rules_of_the_house() -> None:
    everything, change = list(monographs()), starter()
    assert [str(c) for c in house.entry_complaints(everything)] == []
    assert [str(c) for c in house.depth_complaints(everything, change.statements)] == []
    assert list(house.contradictions(change.statements)) == []


def test_the_shipped_formulary_is_as_broad_as_it_says() -> None:
    change = starter()
    depth = [c.covered for c in change.concepts if c.id.startswith("ingredient:")]
    assert depth.count("deep") >= 160
    assert depth.count("thin") >= 250
    assert sum(c.id.startswith("disease:") for c in change.concepts) >= 80
    assert len(change.statements) >= 4000
    assert all(s.evidence and all(e.citation for e in s.evidence) for s in change.statements)
