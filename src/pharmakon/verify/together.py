"""What the audit says of drugs taken together, or by somebody with a condition, beyond what it says of each alone.

The question is put as a prescription, once with everything and once for each drug by itself: what appears or grows in
the first is what the combination adds. No check is written a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from pharmakon.audit.report import finding_id
from pharmakon.audit.run import Auditor
from pharmakon.model.concepts import ConceptId
from pharmakon.model.finding import Checked, Finding, Gap
from pharmakon.model.prescription import Ailment, Order, Patient, Prescription, Text
from pharmakon.model.vocabulary import Tier

#: Of no concern to somebody who asks what goes together.
_ASIDE = frozenset({"INDICATION_MISMATCH"})
_FOOD = "INTERACTION_FOOD"
#: What a stated thing leaves open.
_FOLLOWED_BY = {"pregnant": ("trimester",), "dialysis": ("crcl", "egfr")}
#: Nothing that is asked about here depends on the day.
_DAY = date(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class Group:
    """Things named together: drugs and conditions by names that a linker knows, foods as concepts."""

    drugs: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    foods: tuple[ConceptId, ...] = ()
    patient: Patient = field(default_factory=Patient)


@dataclass(frozen=True, slots=True)
class Told:
    """`findings`: what the group adds, worst first; `not_covered`: drugs of which too little is held to check them.

    `waiting`: values that what is said of the person leaves open, and that would decide (a trimester).
    """

    findings: tuple[Finding, ...]
    not_covered: tuple[str, ...]
    waiting: tuple[Gap, ...]
    checked: tuple[Checked, ...]


def together(auditor: Auditor, group: Group, lang: str = "en") -> Told:
    """Raises `BadInput` for a language that is none of ours."""
    conditions = tuple(Ailment(Text(name)) for name in group.conditions)
    patient = replace(group.patient, conditions=conditions) if conditions else group.patient
    report = auditor.audit(_order(group.drugs, patient), lang=lang)
    single = [auditor.audit(_order((drug,), Patient()), lang=lang) for drug in dict.fromkeys(group.drugs)]
    alone = {f.id: f.tier for one in single for f in one.findings}
    eaten = {
        finding_id(_FOOD, (name,), food) for _, _, name in report.drugs for food in group.foods
    }  # fmt: skip
    findings = tuple(
        f
        for f in report.findings
        if f.type not in _ASIDE
        and (f.id in eaten if f.type == _FOOD else f.tier > alone.get(f.id, Tier.INFO) or f.id not in alone)
    )
    uncovered = {
        name for c in report.checked if c.task == "knowledge" and c.result == "not_covered" for name in c.drugs
    }
    wanted = {needs for state in _stated(group.patient) for needs in _FOLLOWED_BY.get(state, ())}
    waiting = tuple(g for g in report.gaps if g.needs in wanted)
    return Told(findings, tuple(sorted(uncovered)), waiting, report.checked)


def _order(drugs: Sequence[str], patient: Patient) -> Prescription:
    return Prescription(patient, tuple(Order(line, Text(drug)) for line, drug in enumerate(drugs)), _DAY)


def _stated(patient: Patient) -> Iterator[str]:
    for factor, known in (("pregnant", patient.pregnant), ("dialysis", patient.dialysis)):
        if known:
            yield factor
