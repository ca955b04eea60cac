"""Report → the `audit` shape other programs rely on (`schema-of audit`), and back as far as a comparison needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pharmakon.model.documents import Evidence
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import SCHEMA_VERSION, Explanation, Finding, Gap, Report
from pharmakon.model.vocabulary import Tier


def report_to_dict(report: Report, *, against: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The report as plain data. `explain` and `against` are there only where there is something to put in them.

    Beyond the contract: `notices`, `drugs`, and in a finding `chain` and `inputs`.
    """
    found: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "as_of": report.as_of.isoformat(),
        "verdict": report.verdict,
        "notices": list(report.notices),
        "findings": [finding_to_dict(f) for f in report.findings],
        "gaps": [_gap(g) for g in report.gaps],
        "checked": [
            {"task": c.task, "drugs": list(c.drugs), "result": c.result, **({"why": c.why} if c.why else {})}
            for c in report.checked
        ],
        "patient": [{"factor": p.factor, "value": p.value, "unit": p.unit, "from": p.source} for p in report.patient],
        "assumptions": [{"text": a.text, "concept": a.concept, "why": a.why} for a in report.assumptions],
        "unresolved": [
            {"text": u.text, "line": u.line, "suggestions": list(u.suggestions), "what": u.what}
            for u in report.unresolved
        ],
        "drugs": [{"line": line, "concept": concept, "name": name} for line, concept, name in report.drugs],
        "trace_id": report.trace_id,
        "knowledge_version": report.knowledge_version,
    }
    if report.explain is not None:
        found["explain"] = _explain(report.explain)
    if against is not None:
        found["against"] = dict(against)
    return found


def finding_to_dict(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "type": finding.type,
        "tier": str(finding.tier),
        "drugs": list(finding.drugs),
        "lines": list(finding.lines),
        "summary": finding.summary,
        "management": finding.management,
        "would_change_if": [{"needs": w.needs, "text": w.text, "tier": str(w.tier)} for w in finding.would_change_if],
        "evidence": [evidence_to_dict(e) for e in finding.evidence],
        "chain": list(finding.chain),
        "inputs": list(finding.inputs),
    }


def evidence_to_dict(evidence: Evidence) -> dict[str, Any]:
    """E: where the sentence stands, and beside it where the fact is published and whether that was read."""
    cited = evidence.citation
    found: dict[str, Any] = {
        "document": evidence.document,
        "version": evidence.version,
        "section": evidence.section,
        "quote": evidence.quote,
        "start": evidence.start,
        "end": evidence.end,
        "url": cited.url if cited and cited.url else None,
        "kind": evidence.kind,
        "ord": evidence.ord,
        "proposer": evidence.proposer,
        "title": evidence.title,
        "dated": evidence.dated or None,
    }
    if cited is not None:
        found["citation"] = {
            "title": cited.title,
            "reference": cited.reference,
            "section": cited.section,
            "locator": cited.locator,
            "url": cited.url,
            "access": "read" if cited.read else "not_read",
        }
    return found


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "needs": gap.needs,
        "because": gap.because,
        "findings": list(gap.findings),
        "drugs": list(gap.drugs),
        "evidence": [evidence_to_dict(e) for e in gap.evidence],
    }


def _explain(explain: Explanation) -> dict[str, Any]:
    return {step: [dict(row) for row in getattr(explain, step)] for step in ("plan", "queries", "raw", "curated")}


def error_to_dict(error: BadInput) -> dict[str, Any]:
    """The shape of a complaint under `--json` (`schema-of error`)."""
    return {"error": {"what": error.what, "where": error.where, "expected": error.expected}}


@dataclass(frozen=True, slots=True)
class EarlierFinding:
    """A finding of an earlier report, as far as a comparison needs it."""

    id: str
    type: str
    tier: Tier
    drugs: tuple[str, ...]
    summary: str


@dataclass(frozen=True, slots=True)
class EarlierReport:
    as_of: str
    knowledge_version: str
    findings: tuple[EarlierFinding, ...]


def report_from_dict(data: object, *, name: str = "the earlier report") -> EarlierReport:
    """An `audit` shape of any 1.x version; BadInput where it is none."""
    if not isinstance(data, dict) or not isinstance(data.get("findings"), list):
        raise BadInput("this is no report", where=name, expected="the output of an audit with --json")
    version = str(data.get("schema_version", ""))
    if version.split(".")[0] != SCHEMA_VERSION.split(".")[0]:
        raise BadInput(
            f"the schema version is {version or 'missing'}",
            where=f"{name}, schema_version",
            expected=f"{SCHEMA_VERSION[0]}.x",
        )
    findings = tuple(_earlier(f, f"{name}, findings[{i}]") for i, f in enumerate(data["findings"]))
    return EarlierReport(str(data.get("as_of", "")), str(data.get("knowledge_version", "")), findings)


def _earlier(value: object, where: str) -> EarlierFinding:
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or not isinstance(value.get("tier"), str):
        raise BadInput("this is no finding", where=where, expected="an object with id, type, tier and drugs")
    try:
        tier = Tier.parse(value["tier"])
    except BadInput as error:
        raise error.within(where) from None
    drugs = value.get("drugs")
    names = tuple(str(d) for d in drugs) if isinstance(drugs, list) else ()
    return EarlierFinding(value["id"], str(value.get("type", "")), tier, names, str(value.get("summary", "")))
