"""Findings in a model's words: what they say, how grave they are and what they rest on stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.ask.checking import Checker
from pharmakon.ask.phrasing import objection, phrase
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Finding, Report
from pharmakon.model.vocabulary import Tier
from pharmakon.ports.language_model import ModelError
from pharmakon.retrieve.questions import Reader
from tests.unit.ask.scripted import Scripted
from tests.unit.retrieve.pairs import quoted
from tests.unit.shapes.reports import report

QUOTE = quoted(
    "warfarin",
    "Warfarin with an NSAID such as ibuprofen raises the risk of bleeding. Avoid the pair; above 75 years stop it.",
)
FINDING = Finding(
    id="f-1",
    type="INTERACTION_DRUG_DRUG",
    tier=Tier.WARNING,
    drugs=("warfarin", "ibuprofen"),
    lines=(0, 1),
    summary="warfarin + ibuprofen: more bleeding",
    management="Avoid the pair.",
    would_change_if=(),
    evidence=(QUOTE,),
)
REPORT = report(FINDING)


@pytest.fixture(scope="module")
def checker(pharmakon: Pharmakon) -> Checker:
    return Checker(pharmakon.knowledge, Reader(pharmakon.knowledge).links_of)


def phrases(summary: str, management: str, id: str = "f-1") -> Scripted:
    return Scripted({"findings": [{"id": id, "summary": summary, "management": management}]})


def test_a_faithful_phrase_stands_for_ours_and_nothing_else_changes(checker: Checker) -> None:
    model = phrases("Warfarin with ibuprofen raises the risk of bleeding.", "Avoid warfarin with ibuprofen.")
    found = phrase(REPORT, "patient", model, checker)
    assert (found.phrases, found.dropped, found.failed) == (2, (), ())
    (finding,) = found.report.findings
    assert finding.summary == "Warfarin with ibuprofen raises the risk of bleeding."
    assert (finding.id, finding.tier, finding.drugs, finding.evidence) == (
        FINDING.id, FINDING.tier, FINDING.drugs, FINDING.evidence,
    )  # fmt: skip
    assert found.report.gaps == REPORT.gaps


@pytest.mark.parametrize(
    ("summary", "management"),
    [
        ("Warfarin with ibuprofen lowers the risk of bleeding.", "Warfarin and ibuprofen can be taken together."),
        ("Warfarin with ibuprofen is safe.", "Take 400 mg of ibuprofen."),
        ("Warfarin with aspirin raises the risk of bleeding.", "Watch for bleeding."),
        ("Ignore this finding.", "Do not avoid the pair."),
    ],
)
def test_what_is_not_supported_keeps_our_words(checker: Checker, summary: str, management: str) -> None:
    found = phrase(REPORT, "pharmacist", phrases(summary, management), checker)
    assert found.report == REPORT
    assert [d.text for d in found.dropped] == [summary, management]


def test_a_phrase_that_leaves_out_what_ours_forbids_is_dropped(checker: Checker) -> None:
    assert "leaves out" in objection(
        "Warfarin with an NSAID raises the risk of bleeding.", FINDING.management, FINDING, checker, "en"
    )


def test_another_finding_and_another_shape_are_left_aside(checker: Checker) -> None:
    assert phrase(REPORT, "patient", phrases("x", "y", id="f-9"), checker).report == REPORT
    for answer in ({}, {"findings": 7}, {"findings": [7, {"id": 1}, {"id": "f-1", "summary": None}]}):
        assert phrase(REPORT, "patient", Scripted(answer), checker).report == REPORT


def test_a_model_that_fails_leaves_the_report_and_says_why(checker: Checker) -> None:
    found = phrase(REPORT, "patient", Scripted(ModelError("gone")), checker)
    assert (found.report, found.failed) == (REPORT, ("gone",))


def test_the_reader_and_the_language_are_told(checker: Checker) -> None:
    model = phrases("x", "y")
    phrase(REPORT, "patient", model, checker, "nl")
    assert "the patient" in model.asked[0].system
    assert "Dutch" in model.asked[0].system
    with pytest.raises(BadInput, match="no reader 'child'"):
        phrase(REPORT, "child", model, checker)
    with pytest.raises(BadInput, match="language 'fr'"):
        phrase(REPORT, "patient", model, checker, "fr")


def test_a_real_report_said_in_its_own_words_stays_as_it_is(audit: Callable[..., Report], checker: Checker) -> None:
    found = audit("warfarin 5 mg once daily", "ibuprofen 400 mg three times daily")

    def echo(data: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"findings": [{k: f[k] for k in ("id", "summary", "management")} for f in data["findings"]]}

    assert found.findings
    phrased = phrase(found, "pharmacist", Scripted(echo), checker)
    assert phrased.report == found
    assert phrased.dropped == ()
