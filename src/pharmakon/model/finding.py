"""What an audit says. The names are the report's contract: additions only (`schema-of audit`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Evidence
from pharmakon.model.profile import Assumption
from pharmakon.model.vocabulary import Tier

SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class WouldChange:
    """What is unknown and would move a finding to another tier."""

    needs: str
    text: str
    tier: Tier


@dataclass(frozen=True, slots=True)
class Finding:
    """One clinical problem. `id` is a hash of type, drugs and problem: the same in two runs and two versions."""

    id: str
    type: str
    tier: Tier
    drugs: tuple[str, ...]
    lines: tuple[int, ...]
    summary: str
    management: str
    would_change_if: tuple[WouldChange, ...]
    evidence: tuple[Evidence, ...]
    chain: tuple[str, ...] = ()  #: how a class statement reaches the drugs: "ibuprofen → NSAID"
    inputs: tuple[str, ...] = ()  #: the values that were used, with their units


@dataclass(frozen=True, slots=True)
class Gap:
    """One missing value, and every rule that waits for it."""

    needs: str
    because: str
    findings: tuple[str, ...] = ()
    drugs: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """One thing that was looked at. result: within, breach, not_assessable, not_covered."""

    task: str
    drugs: tuple[str, ...]
    result: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class PatientFact:
    factor: str
    value: str
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class Unresolved:
    """Text that names nothing we know; `line` is None for what stands in the patient's record."""

    text: str
    line: int | None
    suggestions: tuple[str, ...] = ()
    what: str = "drug"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The chain of verification, step by step (PG-5)."""

    plan: tuple[Mapping[str, Any], ...]
    queries: tuple[Mapping[str, Any], ...]
    raw: tuple[Mapping[str, Any], ...]
    curated: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Report:
    as_of: date
    verdict: str  #: findings, none_found, not_assessable
    findings: tuple[Finding, ...]
    gaps: tuple[Gap, ...]
    checked: tuple[Checked, ...]
    patient: tuple[PatientFact, ...]
    assumptions: tuple[Assumption, ...]
    unresolved: tuple[Unresolved, ...]
    knowledge_version: str
    notices: tuple[str, ...] = ()  #: said first: children, drugs known but not covered
    explain: Explanation | None = None
    trace_id: str | None = None
    drugs: tuple[tuple[int, ConceptId, str], ...] = field(default=())  #: line, concept, display name
