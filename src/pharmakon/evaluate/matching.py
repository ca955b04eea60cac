"""Report against case: what came, what did not, what should not have.

A finding and an expectation are the same problem where type and set of drugs are equal. Gap cases take no part in
precision and recall. A finding of `also_true` (a further rule that the same prescription breaks) counts nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass

from pharmakon.evaluate.cases import EvalCase, Expectation, Key
from pharmakon.model.finding import Finding, Report
from pharmakon.model.vocabulary import Tier

#: A report may ask for what a factor is computed from.
_SAME_NEED = {"crcl": frozenset({"crcl", "creatinine"}), "egfr": frozenset({"egfr", "creatinine"})}


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one case. `raised` means tier warning or above."""

    case: str
    type: str
    kind: str
    subset: str = ""
    expected: int = 0
    found: int = 0
    found_type_or: int = 0
    tier_right: int = 0
    expected_warning: int = 0
    found_warning: int = 0
    raised_right: int = 0
    raised_wrong: int = 0
    wrong_strict: int = 0
    also: int = 0
    also_found: int = 0
    near_miss: int = 0
    near_miss_quiet: int = 0
    gaps: int = 0
    gaps_found: int = 0

    @property
    def failed(self) -> bool:
        """Whether anything expected is missing or weaker than asked, or anything came that must not."""
        missing = self.found < self.expected or self.tier_right < self.found or self.gaps_found < self.gaps
        return missing or bool(self.raised_wrong) or self.near_miss_quiet < self.near_miss


def key(finding: Finding) -> Key:
    return finding.type, frozenset(finding.drugs)


def same(expectation: Expectation, finding: Finding) -> bool:
    """Whether `finding` is the problem that `expectation` speaks of."""
    return expectation.key == key(finding)


def same_or(expectation: Expectation, finding: Finding) -> bool:
    """`same`, or the same drugs under another type that is as defensible."""
    return expectation.drugs == frozenset(finding.drugs) and finding.type in {expectation.type, *expectation.type_or}


def score(case: EvalCase, report: Report) -> Score:
    """One case's counts."""
    if case.kind == "gap":
        return Score(case.id, case.type, case.kind, gaps=len(case.expect_gap), gaps_found=_gaps(case, report))
    best = _strongest(report)
    wanted = {e.key: e for e in case.expect}
    excused = {e.key for e in case.also_true} - wanted.keys()
    forbidden = {e.key for e in case.forbid}
    hits = [(e, best[e.key]) for e in case.expect if e.key in best]
    raised = {k for k, tier in best.items() if tier >= Tier.WARNING}
    wrong = [k for k in raised if k not in wanted and k not in excused and (k in forbidden or k[0] == case.type)]
    strong = [e for e in case.expect if e.tier >= Tier.WARNING]
    return Score(
        case=case.id,
        type=case.type,
        kind=case.kind,
        subset=case.subset,
        expected=len(case.expect),
        found=len(hits),
        found_type_or=sum(any(same_or(e, f) for f in report.findings) for e in case.expect),
        tier_right=sum(tier >= e.tier for e, tier in hits),
        expected_warning=len(strong),
        found_warning=sum(e.key in raised for e in strong),
        raised_right=sum(k in raised for k in wanted),
        raised_wrong=len(wrong),
        wrong_strict=sum(k not in wanted and k not in excused for k in best),
        also=len(excused),
        also_found=sum(k in best for k in excused),
        near_miss=int(case.kind == "near_miss"),
        near_miss_quiet=int(case.kind == "near_miss" and raised.isdisjoint(forbidden)),
    )


def _strongest(report: Report) -> dict[Key, Tier]:
    """Each problem once, at its highest tier: splitting a finding in two earns and costs nothing."""
    found: dict[Key, Tier] = {}
    for finding in report.findings:
        found[key(finding)] = max(finding.tier, found.get(key(finding), Tier.INFO))
    return found


def _gaps(case: EvalCase, report: Report) -> int:
    needs = {gap.needs for gap in report.gaps}
    return sum(bool(needs & _SAME_NEED.get(factor, frozenset({factor}))) for factor in case.expect_gap)
