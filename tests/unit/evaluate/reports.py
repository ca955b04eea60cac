"""Findings and reports for tests, with only what matching looks at."""

from __future__ import annotations

from datetime import date

from pharmakon.model.finding import Finding, Gap, Report
from pharmakon.model.vocabulary import Tier


def finding(type_: str, *drugs: str, tier: Tier = Tier.WARNING) -> Finding:
    return Finding(f"f-{type_}-{'-'.join(drugs)}", type_, tier, drugs, (0,), "", "", (), ())


def report(*findings: Finding, gaps: tuple[str, ...] = ()) -> Report:
    missing = tuple(Gap(g, "") for g in gaps)
    return Report(date(2026, 3, 2), "findings", findings, missing, (), (), (), (), "test")
