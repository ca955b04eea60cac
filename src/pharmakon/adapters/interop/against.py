"""This report beside an earlier one: what is new, what is gone, what stayed, and what changed its tier."""

from __future__ import annotations

from typing import Any

from pharmakon.adapters.interop.report_json import EarlierFinding, EarlierReport
from pharmakon.model.finding import Finding, Report


def compare(report: Report, earlier: EarlierReport) -> dict[str, Any]:
    """`{"new", "gone", "unchanged", "tier_changed": [ids], "details": {id: {…}}}`.

    Ids are a hash of type, drugs and problem, so one id is one problem in both; a problem with another tier is
    unchanged as a problem and stands in `tier_changed` too. Order: new and unchanged as this report has them, gone as
    the earlier one had them.
    """
    before = {f.id: f for f in earlier.findings}
    now = {f.id: f for f in report.findings}
    both = [i for i in now if i in before]
    return {
        "new": [i for i in now if i not in before],
        "gone": [i for i in before if i not in now],
        "unchanged": both,
        "tier_changed": [i for i in both if now[i].tier != before[i].tier],
        "details": {
            **{i: _detail(f, before.get(i)) for i, f in now.items()},
            **{i: _detail(f, f) for i, f in before.items() if i not in now},
        },
        "earlier": {"as_of": earlier.as_of, "knowledge_version": earlier.knowledge_version},
    }


def _detail(finding: Finding | EarlierFinding, before: EarlierFinding | None) -> dict[str, Any]:
    return {
        "type": finding.type,
        "drugs": list(finding.drugs),
        "tier": str(finding.tier),
        "tier_before": str(before.tier) if before else None,
        "summary": finding.summary,
    }
