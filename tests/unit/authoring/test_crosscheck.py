"""Statements looked up in the labels they cite."""

from __future__ import annotations

from pathlib import Path

from authoring.crosscheck import crosscheck
from authoring.labels import Label, read_labels
from authoring.page import coverage_page

from pharmakon.app.formulary import monographs, starter
from pharmakon.extract.curated.monograph import change_set
from pharmakon.ingest.formats.monograph import read_monographs
from tests.shared_data import shared

TEXT = """concept: class:betan
names: {en: [betan]}
---
concept: ingredient:gammadol
names: {en: [gammadol]}
facts:
  - {says: Gammadol is a betan., belongs_to: class:betan, cite: pharmakon}
---
concept: ingredient:alphadol
names: {en: [alphadol]}
sources:
  label: {title: Alphadol label, set_id: abc, read: yes}
facts:
  - {says: Alphadol with a betan is bad., interacts_with: class:betan, management: No., cite: label interactions}
  - {says: Alphadol is at most 300 mg per day., dose_limit: any, limit: 300 mg per day, cite: label dosage}
"""


def looked(label: Label) -> list[tuple[str, tuple[str, ...], bool]]:
    change = change_set(list(read_monographs(TEXT.encode(), "a.yaml")), actor="test", why="test")
    found = crosscheck(change, {"abc": label}).looked
    return sorted((one.statement.relation, one.missing, one.elsewhere) for one in found)


def test_a_class_is_found_by_the_name_of_a_member_and_a_limit_by_its_figure() -> None:
    found = looked({"interactions": "Gammadol raises it.", "dosage": "Do not exceed 300 mg."})
    assert [missing for _, missing, _ in found] == [(), ()]


def test_what_the_cited_section_does_not_hold_is_listed_and_where_else_it_stands() -> None:
    found = looked({"interactions": "None known.", "dosage": "Do not exceed 250 mg.", "warnings": "Not with a betan."})
    assert found == [("dose_limit", ("300",), False), ("interacts_with", ("betan",), True)]


def test_a_label_that_is_not_at_hand_is_not_counted_as_missing() -> None:
    change = change_set(list(read_monographs(TEXT.encode(), "a.yaml")), actor="test", why="test")
    result = crosscheck(change, {})
    assert result.looked == ()
    assert result.counts["cites no label in the data"] == len(change.statements)


def test_the_formularys_statements_stand_in_the_labels_they_cite() -> None:
    labels = read_labels(shared("openfda-labels").parent)
    assert crosscheck(starter(), labels).share >= 0.97


def test_the_coverage_page_is_that_of_the_formulary() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "formulary.md"
    assert page.read_text("utf-8") == coverage_page(list(monographs()), starter()), "run: make formulary"


def test_the_coverage_page_names_every_deep_ingredient() -> None:
    change = starter()
    page = coverage_page(list(monographs()), change)
    deep = [c.display for c in change.concepts if c.covered == "deep" and c.id.startswith("ingredient:")]
    assert all(f"| {name} |" in page for name in deep)
