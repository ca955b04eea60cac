"""`pharmakon audit` with one prescription."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pharmakon.app.api import schema_of
from tests.e2e.conftest import ROOT, Cli

Write = Callable[[str, object], Path]
ELDERLY = ROOT / "examples" / "elderly-ward.json"
WARFARIN: dict[str, Any] = {
    "patient": {"age": 70, "allergies": []},
    "medications": [
        {"drug": "warfarin 5 mg", "sig": "1 tablet once daily", "route": "oral"},
        {"drug": "ibuprofen 400 mg", "sig": "1 tablet three times a day", "route": "oral"},
    ],
    "as_of": "2026-03-02",
}
METFORMIN: dict[str, Any] = {
    "patient": {"age": 60, "labs": {"egfr": {"value": 22, "unit": "mL/min/1.73m2"}}},
    "medications": [{"drug": "metformin 500 mg", "sig": "1 tablet twice a day", "route": "oral"}],
    "as_of": "2026-03-02",
}


def test_the_shipped_prescription_shows_what_a_reader_needs_first(cli: Cli) -> None:
    done = cli("audit", ELDERLY)
    head = "\n".join(done.out.splitlines()[:8])
    assert done.code == 0
    assert "critical" in head
    assert "could not be assessed" in head
    assert "as of 2026-03-02" in head
    assert "knowledge" in head
    assert re.search(r"checked \d+ drugs, \d+ pairs", head)


def test_the_shipped_prescription_has_one_of_everything_worth_showing(cli: Cli) -> None:
    report = cli("audit", ELDERLY, "--json").json
    critical = [f for f in report["findings"] if f["tier"] == "critical"]
    assert critical
    assert all(f["evidence"] and f["evidence"][0]["citation"]["title"] for f in critical)
    assert report["gaps"]
    assert any("simvastatn" in a["text"] for a in report["assumptions"])
    assert sum(c["result"] == "within" for c in report["checked"]) >= 10
    assert report["unresolved"] == []


def test_a_report_never_calls_a_prescription_safe(cli: Cli, write: Write) -> None:
    harmless = {"medications": [{"drug": "amlodipine 5 mg", "sig": "1 tablet once daily"}]}
    for path in (ELDERLY, write("harmless.json", harmless)):
        assert not re.search(r"\bsafe\b", cli("audit", path).out, re.IGNORECASE)


def test_the_absence_of_findings_is_said_with_its_reach(cli: Cli, write: Write) -> None:
    done = cli("audit", write("unknown.json", {"medications": [{"drug": "xqzzyvium"}]}))
    assert "not everything could be assessed" in done.out
    assert "nothing could be checked" in done.out
    assert "“xqzzyvium”" in done.out
    assert "no proof of safety" in done.out


def test_a_finding_shows_sentence_source_section_and_whether_it_was_read(cli: Cli, write: Write) -> None:
    flat = " ".join(cli("audit", write("m.json", METFORMIN)).out.split())
    assert "CRITICAL Kidney · metformin" in flat
    assert "Our statement “Metformin must not be used where eGFR is below 30" in flat
    assert "Contraindications 4" in flat
    assert "source read" in flat
    assert "https://" in flat
    assert "eGFR: 22 mL/min/1.73m2" in flat


def test_json_keeps_to_its_schema_and_carries_no_decoration(cli: Cli) -> None:
    done = cli("audit", ELDERLY, "--json", "--explain")
    Draft202012Validator(schema_of("audit")).validate(done.json)
    assert "explain" in done.json
    assert done.err == ""
    assert "\x1b" not in done.out


def test_fhir_output_is_a_bundle_that_says_how_far_the_audit_went(cli: Cli) -> None:
    bundle = cli("audit", ELDERLY, "--fhir").json
    kinds = [e["resource"]["resourceType"] for e in bundle["entry"]]
    assert bundle["resourceType"] == "Bundle"
    assert "DetectedIssue" in kinds
    assert kinds[-1] == "OperationOutcome"


@pytest.mark.parametrize("batch", [(), ("--batch",)])
def test_fhir_output_refers_to_the_orders_of_a_fhir_input(cli: Cli, batch: tuple[str, ...]) -> None:
    patient = {"resourceType": "Patient", "id": "p1", "birthDate": "1950-01-01"}
    sulfa = {"resourceType": "AllergyIntolerance", "id": "a1", "code": {"text": "sulfonamide antibiotics"}}
    order = {
        "resourceType": "MedicationRequest",
        "id": "m1",
        "status": "active",
        "intent": "order",
        "authoredOn": "2026-03-02",
        "medicationCodeableConcept": {"text": "Bactrim DS"},
    }
    entries = [{"resource": r} for r in (patient, sulfa, order)]
    sent = json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}).encode()
    bundle = cli("audit", "-", "--fhir", *batch, stdin=sent).json
    implicated = [e["resource"]["implicated"] for e in bundle["entry"] if "implicated" in e["resource"]]
    assert [{"reference": "MedicationRequest/m1", "display": "sulfamethoxazole"}] in implicated


def test_a_prescription_is_read_from_standard_input(cli: Cli) -> None:
    done = cli("audit", "-", "--json", stdin=json.dumps(METFORMIN).encode())
    assert done.code == 0
    assert done.json["findings"][0]["drugs"] == ["metformin"]


def test_a_complaint_about_standard_input_names_it(cli: Cli) -> None:
    done = cli("audit", "-", stdin=b"")
    assert done.code == 2
    assert "standard input" in done.err


def test_another_day_can_be_asked_for(cli: Cli) -> None:
    assert cli("audit", ELDERLY, "--json", "--as-of", "2026-04-01").json["as_of"] == "2026-04-01"


def test_fail_on_counts_from_its_tier_up(cli: Cli, write: Write) -> None:
    path = write("w.json", {"medications": [{"drug": "warfarin 5 mg", "sig": "1 tablet once daily"}]})
    tiers = {f["tier"] for f in cli("audit", path, "--json").json["findings"]}
    assert "critical" not in tiers
    assert cli("audit", path, "--fail-on", "critical").code == 0
    assert cli("audit", path, "--fail-on", "info").code == (1 if tiers else 0)
    assert cli("audit", write("m.json", METFORMIN), "--fail-on", "critical").code == 1


def test_against_an_earlier_report_tells_new_gone_and_unchanged(cli: Cli, write: Write, tmp_path: Path) -> None:
    both = {**METFORMIN, "medications": METFORMIN["medications"] + WARFARIN["medications"]}
    earlier = tmp_path / "earlier.json"
    earlier.write_text(cli("audit", write("m.json", METFORMIN), "--json").out)
    now = write("both.json", both)
    compared = cli("audit", now, "--json", "--against", earlier).json["against"]
    assert compared["new"]
    assert compared["unchanged"]
    shown = cli("audit", now, "--against", earlier).out
    assert "Compared with the earlier report of 2026-03-02" in shown
    assert "[new]" in shown
    later = tmp_path / "later.json"
    later.write_text(cli("audit", now, "--json").out)
    assert cli("audit", tmp_path / "m.json", "--json", "--against", later).json["against"]["gone"]


def test_what_is_no_report_is_refused_by_name(cli: Cli, write: Write) -> None:
    done = cli("audit", ELDERLY, "--against", write("no.json", {"findings": 3}))
    assert done.code == 2
    assert "no.json: this is no report" in done.err


def test_explain_prints_plan_queries_counts_and_rules(cli: Cli, write: Write) -> None:
    out = cli("audit", write("m.json", METFORMIN), "--explain").out
    for words in ("Plan: ", "Queries: ", "Statements brought: ", "Dose rules weighed: "):
        assert words in out
    assert "(constraints)" in out


def test_infos_take_a_line_each_unless_all_are_wanted(cli: Cli) -> None:
    brief, full = cli("audit", ELDERLY).out, cli("audit", ELDERLY, "--all").out
    assert len(full.splitlines()) > len(brief.splitlines())
    assert "--all" in brief
    assert "--all" not in full


@pytest.mark.parametrize(
    ("lang", "words"), [("nl", "Beslisondersteuning"), ("zh", "未发现问题并不证明安全"), ("en", "Decision support")]
)
def test_our_words_come_in_three_languages(cli: Cli, lang: str, words: str) -> None:
    assert words in cli("audit", ELDERLY, "--lang", lang).out


def test_a_pipe_gets_plain_text_with_the_tiers_in_words(cli: Cli) -> None:
    out = cli("audit", ELDERLY).out
    assert "\x1b" not in out
    assert "CRITICAL" in out
    assert all(line == line.rstrip() for line in out.splitlines())
    assert max(map(len, out.splitlines())) <= 110


def test_escape_sequences_in_the_input_reach_no_terminal(cli: Cli, write: Write) -> None:
    path = write("esc.json", {"medications": [{"drug": "evil\x1b[2J\x1b]0;owned\x07 [red]x[/red] \u202edrug"}]})
    out = cli("audit", path).out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "\u202e" not in out
    assert "[red]x[/red]" in out


def test_csv_with_a_mapping_becomes_a_batch_where_it_holds_several(cli: Cli, write: Write) -> None:
    mapping = write("map.toml", b'[file]\ngroup = "stay"\n[order]\ndrug = "drug"\n')
    one = write("one.csv", b"stay,drug\n1,warfarin 5 mg\n1,ibuprofen 400 mg\n")
    several = write("several.csv", b"stay,drug\n7,warfarin 5 mg\n8,metformin 500 mg\n7,ibuprofen 400 mg\n")
    assert {d["name"] for d in cli("audit", one, "--mapping", mapping, "--json").json["drugs"]} == {
        "warfarin", "ibuprofen",
    }  # fmt: skip
    lines = cli("audit", several, "--mapping", mapping).lines
    assert [line["group"] for line in lines] == ["7", "8"]


# ── the page ───────────────────────────────────────────────────────────────────────────────────────


def test_the_page_escapes_whatever_stands_in_the_input(cli: Cli, write: Write, tmp_path: Path) -> None:
    script = "<script>alert(1)</script>"
    path = write(
        "x.json",
        {
            "patient": {"conditions": [f"{script} pain"], "allergies": [f"{script} nuts"],
                        "notes": [f"{script} CKD stage 4, last eGFR 22 <img src=x onerror=alert(2)>."]},
            "medications": [{"drug": f"{script} 5 mg"}, {"drug": "metformin 500 mg"}, {"drug": "warfarin 5 mg"}],
        },
    )  # fmt: skip
    assert cli("audit", path, "--html", tmp_path / "x.html", "--explain").code == 0
    page = (tmp_path / "x.html").read_text("utf-8")
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;" in page


def test_the_page_stands_alone_and_names_its_language(cli: Cli, tmp_path: Path) -> None:
    cli("audit", ELDERLY, "--html", tmp_path / "r.html", "--lang", "nl")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert '<html lang="nl">' in page
    assert not re.search(r"<(link|script|img|iframe)\b|\bsrc=|url\(|@import", page)
    assert page.count("<h1") == 1
    assert "<details" in page
    assert "@media print" in page
    assert "KRITIEK" in page


def test_a_page_is_written_whole_or_not_at_all(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "shut"
    folder.mkdir()
    target = folder / "r.html"
    target.write_text("what stood here before")
    assert cli("audit", ELDERLY, "--html", target).code == 0
    assert target.read_text("utf-8").startswith("<!doctype html>")
    assert os.listdir(folder) == ["r.html"]
    assert cli("audit", ELDERLY, "--html", tmp_path / "absent" / "r.html").code == 2


def test_the_page_can_go_to_standard_output(cli: Cli) -> None:
    assert cli("audit", ELDERLY, "--html", "-").out.startswith("<!doctype html>")
