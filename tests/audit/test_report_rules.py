"""What a report is made of, whatever the checks found: merging, ids, tiers, verdicts, notices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pharmakon.audit.run import Auditor
from pharmakon.model.finding import Report
from tests.audit import world

Prescribe = Callable[..., Report]


def test_a_pair_reported_by_class_and_by_drug_in_two_sources_is_one_finding_with_all_evidence(
    prescribe: Prescribe,
) -> None:
    (finding,) = prescribe("zorfan", "brufac").findings
    cited = {e.citation.title for e in finding.evidence if e.citation}
    assert {"Zorfan label", "Zorfan review"} <= cited
    assert finding.chain == ("brufac → fenacid", "fenacid → acidol")
    assert finding.lines == (0, 1)


def test_the_order_of_lines_changes_neither_findings_nor_their_ids(prescribe: Prescribe) -> None:
    one, other = prescribe("zorfan", "brufac", "kelpin"), prescribe("kelpin", "brufac", "zorfan")
    assert [f.id for f in one.findings] == [f.id for f in other.findings]
    assert [f.tier for f in one.findings] == [f.tier for f in other.findings]


def test_an_id_stays_when_the_patient_changes_the_tier(prescribe: Prescribe) -> None:
    (young,), (old,) = prescribe("zorfan", "brufac").findings, prescribe("zorfan", "brufac", age=80).findings
    assert young.id == old.id
    assert young.tier < old.tier


def test_findings_stand_in_order_of_their_tier(prescribe: Prescribe) -> None:
    report = prescribe("zorfan", "brufac", "sleepa", "sleepb", "foodin", age=80)
    tiers = [f.tier for f in report.findings]
    assert tiers == sorted(tiers, reverse=True)
    assert len(set(tiers)) == 3


def test_an_undecided_modifier_stands_in_would_change_if(prescribe: Prescribe) -> None:
    (finding,) = prescribe("quenol", "rasamine, 50 mg, once daily").findings
    assert [(w.needs, str(w.tier)) for w in finding.would_change_if] == [("potassium", "warning")]
    (gap,) = prescribe("quenol", "rasamine, 50 mg, once daily").gaps
    assert gap.findings == (finding.id,)


def test_a_modifier_that_could_only_lower_a_raised_tier_is_no_question(prescribe: Prescribe) -> None:
    (finding,) = prescribe("quenol", "rasamine, 150 mg, once daily").findings
    assert finding.would_change_if == ()


def test_the_advice_is_that_of_the_clause_that_decides(prescribe: Prescribe) -> None:
    (finding,) = prescribe("zorfan", "brufac", age=80).findings
    assert finding.management == "At 65 years and above choose another drug."


def test_one_gap_per_missing_factor_lists_everything_it_touches(prescribe: Prescribe) -> None:
    report = prescribe("contrafal", "dosarol, 350 mg, twice daily", creatinine=None)
    (gap,) = report.gaps
    assert gap.needs == "egfr"
    assert gap.drugs == ("contrafal", "dosarol")
    assert "creatinine" in gap.because
    assert gap.evidence


@pytest.mark.parametrize(
    ("orders", "changes", "verdict"),
    [
        (("amoxan",), {}, "none_found"),
        (("zorfan", "brufac"), {}, "findings"),
        (("zorfan", "brufac", "qwertzuin"), {}, "findings"),
        (("amoxan", "qwertzuin"), {}, "not_assessable"),
        (("amoxan", "thinnel"), {}, "not_assessable"),
        (("amoxan",), {"allergies": None}, "not_assessable"),
        (("qwertzuin",), {}, "not_assessable"),
    ],
)
def test_the_verdict_follows_the_settled_rule(
    orders: tuple[str, ...], changes: dict[str, object], verdict: str, prescribe: Prescribe
) -> None:
    assert prescribe(*orders, **changes).verdict == verdict


def test_a_drug_we_know_but_hold_no_rules_for_is_named_first(prescribe: Prescribe) -> None:
    report = prescribe("amoxan", "thinnel")
    assert "thinnel" in report.notices[0]
    assert [(c.drugs, c.result) for c in report.checked if c.task == "knowledge"] == [(("thinnel",), "not_covered")]


def test_a_child_is_said_first(prescribe: Prescribe) -> None:
    assert "under 18" in prescribe("amoxan", age=17).notices[0]
    assert prescribe("amoxan", age=18).notices == ()


def test_an_order_on_hold_is_said(prescribe: Prescribe) -> None:
    report = prescribe({"drug": "zorfan", "status": "on_hold"}, "brufac")
    assert any("zorfan" in n for n in report.notices)
    assert report.findings


def test_an_order_entered_in_error_leaves_no_trace(prescribe: Prescribe) -> None:
    report = prescribe("amoxan", {"drug": "qwertzuin", "status": "entered_in_error"})
    assert report.unresolved == ()
    assert report.verdict == "none_found"


def test_no_drug_at_all_is_said(prescribe: Prescribe) -> None:
    assert prescribe("qwertzuin").notices


def test_a_combination_written_out_gives_each_part_its_own_classes_only(prescribe: Prescribe) -> None:
    report = prescribe("brufac / amoxan", "zorfan")
    assert world.found(report) == [["INTERACTION_DRUG_DRUG", "warning", "brufac", "zorfan"]]


def test_the_kept_rule_of_a_dose_is_explained(auditor: Auditor) -> None:
    labs = {"egfr": {"value": 25, "unit": "mL/min/1.73m2"}}
    report = world.run(auditor, ["dosarol, 100 mg, once daily"], explain=True, creatinine=None, labs=labs)
    assert report.explain is not None
    daily = [c for c in report.explain.curated if str(c["limit"]).endswith("mg per day")]
    assert [c["limit"] for c in daily if c["kept"]] == ["300 mg per day"]
    assert {c["limit"] for c in daily if c["truth"] == "true"} == {
        "1000 mg per day",
        "600 mg per day",
        "300 mg per day",
    }
    assert report.explain.plan
    assert report.explain.queries


def test_what_is_not_written_at_all_can_be_audited(tmp_path: Path) -> None:
    knowledge = world.store(tmp_path / "kb", "concept: ingredient:lonely\nnames: {en: [lonely]}\ndepth: deep\n")
    assert world.run(Auditor(knowledge), ["lonely"]).verdict == "none_found"
    knowledge.close()


def test_two_formulas_on_two_sides_of_a_cut_off_are_both_shown(prescribe: Prescribe) -> None:
    """A woman of 77 at 58 kg with 1.4 mg/dL: CG 30.8 mL/min, eGFR 38.8; no cut-off of these rules lies between them."""
    old = {
        "age": 77,
        "sex": "female",
        "weight_kg": 58,
        "height_cm": None,
        "creatinine": {"value": 1.4, "unit": "mg/dL"},
    }
    report = prescribe("adjustin", **old)
    values = {p.factor: p.value for p in report.patient}
    assert values["crcl"].startswith("30.8")
    assert values["egfr"].startswith("38.7") or values["egfr"].startswith("38.8")
    assert not any("other side" in a.why for a in report.assumptions)
    between = {
        **old,
        "creatinine": {"value": 1.75, "unit": "mg/dL"},
    }  # CG 24.6, eGFR 29.7 and contrafal asks for eGFR 30
    assert not any("other side" in a.why for a in prescribe("contrafal", **between).assumptions)
    apart = {**old, "creatinine": {"value": 1.5, "unit": "mg/dL"}}  # CG 28.8, eGFR 35.7
    assert any("other side" in a.why for a in prescribe("contrafal", **apart).assumptions)
