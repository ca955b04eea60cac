"""Step 4: outcomes → report. One finding per clinical problem, critical only from the closed list, gaps by factor."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby

from pharmakon.audit.case import Breach, Case, Looked, Outcome, Waiting
from pharmakon.audit.patient.show import shown
from pharmakon.audit.phrases import Phrases
from pharmakon.model.documents import Evidence
from pharmakon.model.finding import Checked, Finding, Gap, WouldChange
from pharmakon.model.statements import Condition, Statement
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import Tier, factors

#: What a computed factor is made of, for saying what is missing.
_MADE_OF = {
    "crcl": ("creatinine", "weight", "age", "sex"),
    "egfr": ("creatinine", "age", "sex"),
    "bmi": ("weight", "height"),
}
_EVIDENCE_PER_GAP = 5


def merge(breaches: Iterable[Breach], case: Case) -> tuple[Finding, ...]:
    """Findings in report order: tier, then type, then drugs."""
    keyed = sorted(((_key(b), i, b) for i, b in enumerate(breaches)), key=lambda k: (k[0], k[1]))
    found = [_finding(key, [b for _, _, b in group], case) for key, group in groupby(keyed, key=lambda k: k[0])]
    return tuple(sorted(found, key=lambda f: (-f.tier, f.type, f.drugs, f.id)))


def _key(breach: Breach) -> tuple[str, tuple[str, ...], str]:
    return breach.type, tuple(sorted({e.name for e in breach.exposures})), breach.problem


@lru_cache(maxsize=65_536)  # the same few problems all day
def finding_id(kind: str, drugs: tuple[str, ...], problem: str) -> str:
    """Deterministic over content: the same problem has the same id in two runs and two versions."""
    return "f-" + hashlib.sha256("\x1f".join((kind, *drugs, problem)).encode()).hexdigest()[:12]


def _finding(key: tuple[str, tuple[str, ...], str], group: Sequence[Breach], case: Case) -> Finding:
    kind, drugs, problem = key
    tiers = [(tier_of(b), b) for b in group]
    tier, first = max(tiers, key=lambda t: (t[0], -sum(len(chain) for chain in t[1].chains)))  # the closest speaks
    changes = [
        WouldChange(_needs(c), c.text, t)
        for b in group
        for t, conditions in b.undecided
        for c in conditions
        if t != tier
    ]
    ordered = tiers if len(tiers) == 1 else sorted(tiers, key=lambda t: -t[0])
    statements = list({s.id: s for _, b in ordered for s in b.statements}.values())
    chain = dict.fromkeys(f"{case.names[s.child]} → {case.names[s.parent]}" for b in group for c in b.chains for s in c)
    return Finding(
        id=finding_id(kind, drugs, problem),
        type=kind,
        tier=tier,
        drugs=drugs,
        lines=tuple(sorted({line for b in group for e in b.exposures for line in e.lines})),
        summary=first.summary,
        management=first.management,
        would_change_if=tuple(dict.fromkeys(changes)),
        evidence=evidence_of(statements, frozenset(b.management for b in group)),
        chain=tuple(chain),
        inputs=tuple(dict.fromkeys(i for b in group for i in b.inputs)),
    )


def evidence_of(statements: Iterable[Statement], advice: frozenset[str] = frozenset()) -> tuple[Evidence, ...]:
    """The quotations behind `statements`; of a passage with advice for several cases, what is said and `advice`."""
    found: dict[tuple[object, ...], Evidence] = {}
    for statement in statements:
        for evidence in statement.evidence:
            for part in _quoted(statement, evidence, advice) if statement.modifiers else (evidence,):
                cited = part.citation
                place = (cited.reference, cited.section, cited.locator) if cited else ()
                found.setdefault((part.document, part.version, part.ord, part.start, part.end, *place), part)
    return tuple(found.values())


def _quoted(statement: Statement, evidence: Evidence, advice: frozenset[str]) -> list[Evidence]:
    given = [a for a in (statement.management, *(m.management for m in statement.modifiers)) if a]
    if not given:
        return [evidence]
    ends = [at for a in given if (at := evidence.quote.find(a)) > 0]
    said = [(0, len(evidence.quote[: min(ends)].rstrip()))] if ends else [(0, len(evidence.quote))]
    said += [(at, at + len(a)) for a in given if a in advice and (at := evidence.quote.find(a)) > 0]
    start = evidence.start
    return [replace(evidence, start=start + a, end=start + b, quote=evidence.quote[a:b]) for a, b in said]


def tier_of(breach: Breach) -> Tier:
    """A breach's tier within the closed critical list; what is unread or not listed is a warning at most."""
    if breach.tier < Tier.CRITICAL:
        return breach.tier
    if breach.engine == "allergy":  # the record decides, the statement only says what the drug is
        return Tier.CRITICAL
    deciding = breach.statements[:1]
    if deciding and not any(s.read for s in deciding):
        return Tier.WARNING
    return Tier.CRITICAL if breach.engine or any(_may_be_critical(s) for s in deciding) else Tier.WARNING


def _may_be_critical(statement: Statement) -> bool:
    sections = {e.citation.section for e in statement.evidence if e.citation and e.citation.read}
    sections |= {e.section for e in statement.evidence if e.kind == "label"}
    if "boxed_warning" in sections or "contraindications" in sections:
        return True
    if statement.relation == "contraindicated_in" and statement.risk == "ROUTE_ERROR":
        return True
    return frozenset((statement.subject, statement.object or "")) in _listed()


@cache
def _listed() -> frozenset[frozenset[str]]:
    data = read_table("pharmakon.audit", "critical.toml")
    return frozenset(frozenset(row["between"]) for row in data["interaction"])


@dataclass(frozen=True, slots=True)
class _Touched:
    """One rule or finding that waits for a factor."""

    drugs: tuple[str, ...]
    statement: Statement | None
    finding: str = ""
    why: str = ""


def gaps(
    waiting: Sequence[Waiting], breaches: Sequence[Breach], findings: Sequence[Finding], case: Case, say: Phrases
) -> tuple[Gap, ...]:
    """One gap per missing factor, listing everything it touches; only where the verdict would differ."""
    have = {(f.type, f.drugs): (f.tier, f.management) for f in findings}
    open_ones: dict[str, list[_Touched]] = {}
    for w in waiting:
        drugs = tuple(sorted({e.name for e in w.exposures}))
        if not w.needs and (w.type, drugs) in have and not _would_change(w, *have[w.type, drugs]):
            continue
        for need in w.needs or tuple(_needs(c) for c in w.conditions):
            open_ones.setdefault(need, []).append(_Touched(drugs, w.statement, why=w.why))
    for b in breaches:
        for tier, conditions in b.undecided:
            for c in conditions if tier != b.tier else ():
                touched = _Touched(_key(b)[1], b.statements[0] if b.statements else None, finding_id(*_key(b)))
                open_ones.setdefault(_needs(c), []).append(touched)
    found = [_gap(need, touched, case, say) for need, touched in open_ones.items()]
    if case.profile.allergies is None and case.exposures:
        found.append(Gap("allergies", say("gap_allergies"), drugs=tuple(sorted({e.name for e in case.exposures}))))
    return tuple(sorted(found, key=lambda g: g.needs))


def _would_change(w: Waiting, tier: Tier, management: str) -> bool:
    """Whether a rule, once decided, would change a finding of its type that stands already."""
    return w.tier > tier or (w.tier == tier and w.statement.management not in ("", management))


def _gap(need: str, touched: Sequence[_Touched], case: Case, say: Phrases) -> Gap:
    drugs = sorted({d for t in touched for d in t.drugs})
    missing = [factors()[p].label for p in _MADE_OF.get(need, ()) if p not in case.profile.factors]
    if need == "dose":
        reasons = {drug: t.why for t in touched if t.why for drug in t.drugs}
        drugs = sorted(reasons) or drugs
        because = say("gap_dose", drugs=say.listed([f"{d} ({reasons[d]})" if d in reasons else d for d in drugs]))
    elif need in ("conditions", "indication"):
        because = say(f"gap_{need}", drugs=say.listed(drugs))
    elif need in case.profile.factors:
        value = shown(case.profile.factors[need])
        because = say("gap_between", label=factors()[need].label, value=value, drugs=say.listed(drugs))
    elif missing:
        because = say("gap_inputs", label=factors()[need].label, missing=say.listed(missing), drugs=say.listed(drugs))
    else:
        because = say("gap_factor", label=factors()[need].label, drugs=say.listed(drugs))
    statements = dict.fromkeys(t.statement for t in touched if t.statement is not None)
    return Gap(
        needs=need,
        because=because,
        findings=tuple(dict.fromkeys(t.finding for t in touched if t.finding)),
        drugs=tuple(drugs),
        evidence=evidence_of(sorted(statements, key=lambda s: -s.tier))[:_EVIDENCE_PER_GAP],
    )


def _needs(condition: Condition) -> str:
    """The missing thing by the name a reader knows it by."""
    if condition.factor in ("dose_single", "dose_daily", "times_per_day"):
        return "dose"
    return "conditions" if condition.factor in ("has", "had") else condition.factor


def checked(looked: Sequence[Looked], uncovered: Sequence[str]) -> tuple[Checked, ...]:
    rows = [Checked(row.task, row.drugs, row.result, row.why) for row in looked]
    return tuple(dict.fromkeys([*(Checked("knowledge", (name,), "not_covered") for name in uncovered), *rows]))


def split(outcomes: Iterable[Outcome]) -> tuple[list[Breach], list[Waiting], list[Looked]]:
    sorted_out: Mapping[type, list] = {Breach: [], Waiting: [], Looked: []}  # type: ignore[type-arg]
    for outcome in outcomes:
        sorted_out[type(outcome)].append(outcome)
    return sorted_out[Breach], sorted_out[Waiting], sorted_out[Looked]
