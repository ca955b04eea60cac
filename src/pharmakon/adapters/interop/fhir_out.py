"""Report → FHIR R4: one DetectedIssue per finding, and an OperationOutcome that says how far the audit went.

Without the latter an empty bundle would read as a clean bill of health.
"""

from __future__ import annotations

import re
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from pharmakon.model.documents import Evidence
from pharmakon.model.finding import Finding, Report
from pharmakon.model.prescription import Prescription
from pharmakon.model.vocabulary import Tier, risk_types

ACT_CODE = "http://terminology.hl7.org/CodeSystem/v3-ActCode"
IDENTIFIER = "urn:pharmakon:finding"
SEVERITY = {Tier.CRITICAL: "high", Tier.WARNING: "moderate", Tier.INFO: "low"}

_REFERENCE = re.compile(r"[A-Z][A-Za-z]+/[A-Za-z0-9.\-]{1,64}")
_VERDICTS = {
    "findings": "The audit found something.",
    "none_found": "Nothing was found among what was checked.",
    "not_assessable": "The audit could not be completed; this is no statement that nothing was found.",
}


def report_to_bundle(report: Report, prescription: Prescription | None = None) -> dict[str, Any]:
    """A collection Bundle. With `prescription` the issues refer to the orders they are about, where those had an id."""
    sources = {o.line: o.source for o in prescription.orders} if prescription else {}
    resources = [detected_issue(f, report, sources) for f in report.findings]
    resources.append(_outcome(report))
    return {
        "resourceType": "Bundle",
        "type": "collection",
        "entry": [{"fullUrl": _url(i, r), "resource": r} for i, r in enumerate(resources)],
    }


def _url(place: int, resource: dict[str, Any]) -> str:
    name = resource["identifier"][0]["value"] if "identifier" in resource else f"outcome-{place}"
    return f"urn:uuid:{uuid5(NAMESPACE_URL, f'{IDENTIFIER}:{name}')}"


def detected_issue(finding: Finding, report: Report, sources: dict[int, str]) -> dict[str, Any]:
    """R4 DetectedIssue: identifier 0..*, status 1..1, code 0..1, severity 0..1, implicated 0..*, evidence 0..*,
    detail 0..1, reference 0..1 (uri), mitigation 0..* with action 1..1."""
    risk = risk_types().get(finding.type, {})
    issue: dict[str, Any] = {
        "resourceType": "DetectedIssue",
        "identifier": [{"system": IDENTIFIER, "value": finding.id}],
        "status": "final",
        "code": _code(risk, finding.type),
        "severity": SEVERITY[finding.tier],
        "identifiedDateTime": report.as_of.isoformat(),
    }
    implicated = _implicated(finding, report, sources)
    if implicated:
        issue["implicated"] = implicated
    quotes = [_quotation(e) for e in finding.evidence]
    if quotes:
        issue["evidence"] = quotes
    issue["detail"] = finding.summary
    url = next((e.citation.url for e in finding.evidence if e.citation and e.citation.url), None)
    if url:
        issue["reference"] = url
    if finding.management:
        issue["mitigation"] = [{"action": {"text": finding.management}}]
    return issue


def _code(risk: dict[str, str], kind: str) -> dict[str, Any]:
    if not risk:
        return {"text": kind}
    return {"coding": [{"system": ACT_CODE, "code": risk["code"]}], "text": risk["title"]}


def _implicated(finding: Finding, report: Report, sources: dict[int, str]) -> list[dict[str, str]]:
    """One reference per line, with those of its drugs that the finding is about; a drug of no known line by name alone.

    Of a combination only the ingredient in question is named.
    """
    named: dict[int, list[str]] = {line: [] for line in finding.lines}
    for line, _, name in report.drugs:
        if line in named and name in finding.drugs and name not in named[line]:
            named[line].append(name)
    placed = {name for names in named.values() for name in names}
    rest = [drug for drug in finding.drugs if drug not in placed]
    open_lines = [line for line, names in named.items() if not names]
    if len(open_lines) == 1:  # a stopped order, which the report's list of drugs leaves out
        named[open_lines[0]], rest = rest, []
    found = []
    for line, names in named.items():
        entry = {}
        if _REFERENCE.fullmatch(sources.get(line, "")):
            entry["reference"] = sources[line]
        if names:
            entry["display"] = ", ".join(names)
        if entry:
            found.append(entry)
    return [*found, *({"display": drug} for drug in rest)]


def _quotation(evidence: Evidence) -> dict[str, Any]:
    source = f"{evidence.document} {evidence.version}, {evidence.section}"
    return {"code": [{"text": f"{evidence.quote} ({evidence.kind}: {source})"}]}


def _outcome(report: Report) -> dict[str, Any]:
    issues = [_issue("information", "informational", f"{_VERDICTS[report.verdict]} As of {report.as_of}.")]
    issues += [_issue("warning", "informational", notice) for notice in report.notices]
    issues += [_issue("warning", "incomplete", f"{gap.needs}: {gap.because}") for gap in report.gaps]
    issues += [_issue("warning", "not-found", f"{u.what} not recognised: {u.text}") for u in report.unresolved]
    missed = [c for c in report.checked if c.result == "not_covered"]
    issues += [_issue("warning", "not-supported", f"not covered: {', '.join(c.drugs)} ({c.task})") for c in missed]
    return {"resourceType": "OperationOutcome", "issue": issues}


def _issue(severity: str, code: str, text: str) -> dict[str, str]:
    return {"severity": severity, "code": code, "diagnostics": text}
