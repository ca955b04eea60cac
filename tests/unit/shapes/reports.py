"""A report made by hand that uses every field of the model."""

from __future__ import annotations

from datetime import date

from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Citation, Evidence
from pharmakon.model.finding import (
    Checked,
    Explanation,
    Finding,
    Gap,
    PatientFact,
    Report,
    Unresolved,
    WouldChange,
)
from pharmakon.model.profile import Assumption
from pharmakon.model.vocabulary import Tier

CITED = Citation("Coumadin label", "set-id-1", "interactions", "7.2", "https://example.org/coumadin#7.2", read=True)
OURS = Evidence("monograph:warfarin", "1", "our statement", "interactions", 3, 0, 11, "Bleeding up", "curator", CITED)
LABEL = Evidence("label:ibuprofen", "12", "label", "warnings", 1, 40, 52, "GI bleeding.", "pattern")
BLEEDING = Finding(
    id="f-1",
    type="INTERACTION_DRUG_DRUG",
    tier=Tier.CRITICAL,
    drugs=("warfarin", "ibuprofen"),
    lines=(0, 1),
    summary="Warfarin with ibuprofen: bleeding.",
    management="Use paracetamol.",
    would_change_if=(WouldChange("weight", "dose per kg", Tier.WARNING),),
    evidence=(OURS, LABEL),
    chain=("ibuprofen → NSAID",),
    inputs=("age 82 years",),
)
DOSE = Finding("f-2", "DOSAGE_ERROR", Tier.INFO, ("warfarin",), (0,), "High dose.", "", (), (LABEL,))


def report(*findings: Finding, verdict: str = "findings") -> Report:
    return Report(
        as_of=date(2026, 3, 2),
        verdict=verdict,
        findings=findings,
        gaps=(Gap("creatinine", "renal dosing waits for it", ("f-1",), ("metformin",), (OURS,)),),
        checked=(
            Checked("interaction", ("warfarin", "ibuprofen"), "breach"),
            Checked("dose", ("x",), "not_covered", "no rules"),
        ),
        patient=(PatientFact("age", "82", "year", "input"),),
        assumptions=(
            Assumption("route oral", "none given"),
            Assumption("form", "name", ConceptId("ingredient:warfarin")),
        ),
        unresolved=(Unresolved("Wundermittel", 2, ("warfarin",)), Unresolved("odd disease", None, (), "condition")),
        knowledge_version="kb-7",
        notices=("One drug is not covered.",),
        explain=Explanation(({"task": "dose"},), ({"sql": "q"},), ({"row": 1},), ({"rule": "r"},)),
        drugs=((0, ConceptId("ingredient:warfarin"), "warfarin"), (1, ConceptId("ingredient:ibuprofen"), "ibuprofen")),
    )
