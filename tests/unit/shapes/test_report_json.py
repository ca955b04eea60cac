"""The shapes other programs rely on."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pharmakon.adapters.interop.against import compare
from pharmakon.adapters.interop.report_json import error_to_dict, report_from_dict, report_to_dict
from pharmakon.adapters.interop.schema import SHAPES, schema_of
from pharmakon.model.errors import BadInput
from pharmakon.model.vocabulary import Tier, risk_types

from .reports import BLEEDING, DOSE, report


def check(shape: str, value: object) -> None:
    Draft202012Validator(schema_of(shape), format_checker=Draft202012Validator.FORMAT_CHECKER).validate(value)


def refuses(shape: str, value: object) -> bool:
    return not Draft202012Validator(schema_of(shape)).is_valid(value)


def test_every_published_schema_is_a_schema() -> None:
    for shape in SHAPES:
        Draft202012Validator.check_schema(schema_of(shape))
    with pytest.raises(BadInput, match="there is no shape 'x'; expected ask, audit, error, prescription"):
        schema_of("x")


def test_a_report_is_the_published_shape() -> None:
    value = report_to_dict(report(BLEEDING, DOSE))
    check("audit", json.loads(json.dumps(value)))
    finding = value["findings"][0]
    assert finding["tier"] == "critical"
    assert finding["would_change_if"] == [{"needs": "weight", "text": "dose per kg", "tier": "warning"}]
    assert value["as_of"] == "2026-03-02"
    assert value["trace_id"] is None
    assert value["patient"][0]["from"] == "input"
    assert value["unresolved"][1]["line"] is None


def test_evidence_says_where_it_stands_and_whether_its_source_was_read() -> None:
    ours, label = report_to_dict(report(BLEEDING))["findings"][0]["evidence"]
    assert ours["citation"]["access"] == "read"
    assert ours["url"] == "https://example.org/coumadin#7.2"
    assert (label["url"], "citation" in label) == (None, False)


def test_what_was_not_asked_for_is_not_there() -> None:
    bare = report_to_dict(replace(report(), explain=None))
    assert "explain" not in bare
    assert "against" not in bare
    check("audit", bare)


def test_the_schema_knows_the_types_of_the_vocabulary_and_no_others() -> None:
    assert set(schema_of("audit")["$defs"]["finding"]["properties"]["type"]["enum"]) == set(risk_types())
    value = report_to_dict(report(BLEEDING))
    for key, wrong in [("type", "OTHER"), ("tier", "high"), ("lines", [-1])]:
        changed = json.loads(json.dumps(value))
        changed["findings"][0][key] = wrong
        assert refuses("audit", changed)
    assert refuses("audit", {**value, "verdict": "safe"})
    assert not refuses("audit", {**value, "added_later": 1})


def test_a_complaint_is_the_published_shape() -> None:
    value = error_to_dict(
        BadInput("the unit is missing", where="a.json, medications[0].dose", expected="value and unit")
    )
    check("error", value)
    assert value["error"]["where"] == "a.json, medications[0].dose"


def test_a_report_beside_an_earlier_one_tells_new_gone_unchanged_and_moved() -> None:
    earlier = report_to_dict(report(replace(BLEEDING, tier=Tier.WARNING), replace(DOSE, id="f-3")))
    found = compare(report(BLEEDING, DOSE), report_from_dict(json.loads(json.dumps(earlier))))
    assert (found["new"], found["gone"], found["unchanged"]) == (["f-2"], ["f-3"], ["f-1"])
    assert found["tier_changed"] == ["f-1"]
    assert found["details"]["f-1"]["tier_before"] == "warning"
    assert found["details"]["f-1"]["tier"] == "critical"
    assert found["details"]["f-3"]["summary"] == "High dose."
    check("audit", report_to_dict(report(BLEEDING, DOSE), against=found))


def test_a_report_beside_itself_is_unchanged() -> None:
    again = compare(report(BLEEDING, DOSE), report_from_dict(report_to_dict(report(BLEEDING, DOSE))))
    assert (again["new"], again["gone"], again["tier_changed"]) == ([], [], [])
    assert again["unchanged"] == ["f-1", "f-2"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "this is no report"),
        ({"findings": {}}, "this is no report"),
        ({"findings": []}, "the schema version is missing"),
        ({"findings": [], "schema_version": "2.0"}, "the schema version is 2.0"),
        ({"findings": [{}], "schema_version": "1.0"}, r"findings\[0\]: this is no finding"),
        (
            {"findings": [{"id": "a", "tier": "high"}], "schema_version": "1.9"},
            "tier 'high'; expected info, warning or critical",
        ),
    ],
)
def test_what_is_no_report_is_told_so(value: Any, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        report_from_dict(value)
