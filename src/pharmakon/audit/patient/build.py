"""Patient → profile. What is missing stays missing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pharmakon.audit import formulas
from pharmakon.audit.patient.draft import Draft
from pharmakon.audit.patient.hepatic import hepatic
from pharmakon.audit.patient.renal import on_dialysis, renal
from pharmakon.audit.patient.stated import infer, state
from pharmakon.link.conditions import ALLERGENS, CONDITIONS, INDICATIONS, ConditionLinker
from pharmakon.link.context import habit_conditions, lasting, only_side_effects
from pharmakon.link.measures import CKD_STAGES
from pharmakon.link.measures import stage as ckd_stage
from pharmakon.link.notes import NoteFact, read_notes
from pharmakon.model.concepts import ConceptId
from pharmakon.model.finding import Unresolved
from pharmakon.model.prescription import Patient, Text
from pharmakon.model.profile import HeldAllergy, HeldCondition, Interval, Known, Mentioned, Profile
from pharmakon.model.vocabulary import factors
from pharmakon.ports.knowledge import TopologyStore

_Held = tuple[ConceptId, str, str]
"""Concept, status, source."""


def build_profile(
    patient: Patient, linker: ConditionLinker, topology: TopologyStore, as_of: date
) -> tuple[Profile, tuple[Unresolved, ...]]:
    """The profile of `patient` on `as_of`, and the texts of the record that name nothing we know."""
    draft = Draft()
    facts = read_notes(patient.notes, linker.finder) if patient.notes else ()
    state(patient, draft, as_of)
    conditions = _conditions(patient, facts, linker, draft)
    allergies = _allergies(patient, facts, linker, draft)
    for fact in facts:
        if fact.kind == "factor" and fact.status == "active" and fact.value is not None and not _slip(fact, draft):
            draft.learn(fact.factor, Known(fact.value, factors()[fact.factor].unit, f"note: “{fact.words}”"))
    held = _with_ancestors(conditions, topology)
    held = on_dialysis(draft, held, topology)
    unread = frozenset(u.what for u in draft.unresolved)
    complete = patient.conditions is not None
    closed = held if complete and "condition" not in unread else None  # what a full list leaves out is not there
    infer(draft)
    renal(draft, held, closed)
    hepatic(patient, draft, closed)
    denied = frozenset(f.concept for f in facts if f.kind == "condition" and f.status == "refuted" and f.concept)
    _say_unread(facts, draft)
    profile = Profile(
        draft.known, held, allergies, tuple(draft.assumptions), complete, denied, unread,
        taken=_mentioned(facts, "medication"), habits=_mentioned(facts, "lifestyle"),
    )  # fmt: skip
    return profile, tuple(draft.unresolved)


def _mentioned(facts: Sequence[NoteFact], kind: str) -> tuple[Mentioned, ...]:
    found = [Mentioned(f.concept, f.words) for f in facts if f.kind == kind and f.status == "active" and f.concept]
    return tuple({m.concept: m for m in reversed(found)}.values())[::-1]


def _say_unread(facts: Sequence[NoteFact], draft: Draft) -> None:
    """Figures without a unit, and notes too long to read whole, are told, not dropped."""
    for fact in facts:
        if fact.kind == "unread value":
            draft.assume(f"a value in the note “{fact.words}” was not used", "its unit is missing")
        elif fact.kind == "unread":
            draft.assume("a note was not read to its end", fact.words)


def _slip(fact: NoteFact, draft: Draft) -> bool:
    """Whether a creatinine of a note can't be what its unit says; said, and not used."""
    low, high = formulas.CREATININE_PLAUSIBLE
    if fact.factor != "creatinine" or not isinstance(fact.value, Interval):
        return False
    if low <= fact.value.low and fact.value.high <= high:
        return False
    draft.assume(
        f"creatinine of the note “{fact.words}” was not used",
        f"it is {fact.value.low:.3g} mg/dL, outside {low:g} to {high:g} mg/dL; check the unit",
    )
    return True


def _conditions(
    patient: Patient, facts: Sequence[NoteFact], linker: ConditionLinker, draft: Draft
) -> list[_Held] | None:
    """Every condition held, or None where nothing was recorded either way."""
    found: list[_Held] = []
    for ailment in patient.conditions or ():
        match = linker.condition(ailment.name, INDICATIONS)  # "PCI" stands in problem lists too
        status = match.status if match and match.status in ("refuted", "history") else ailment.status
        status = "uncertain" if match and match.status == "uncertain" else status
        stage = ckd_stage(ailment.name.text) or _coded_stage(ailment.name)
        if stage is not None and status == "active":
            draft.learn("egfr", Known(stage, "mL/min/1.73m2", f"condition: {ailment.name.text}"))
        if match is None:
            if stage is None:
                near = linker.suggestions(ailment.name.text, CONDITIONS)
                draft.unresolved.append(Unresolved(ailment.name.text, None, near, what="condition"))
            continue
        if match.how == "assumed":
            draft.assume(f"“{ailment.name.text}” is taken as {match.name}", "closest known name")
        if match.status == "history" and match.concept in lasting():
            status = "active"  # "history of asthma": it is still there
        if status != "refuted":
            source = ailment.name.text if ailment.source == "input" else f"{ailment.name.text}, {ailment.source}"
            found.append((match.concept, status, source))
    noted = [f for f in facts if f.kind == "condition" and f.concept]
    found += [
        (f.concept, f.status, f"note: “{f.words}”")
        for f in noted
        if f.concept and f.status in ("active", "history", "uncertain")
    ]
    known = {concept for concept, _, _ in found} | {f.concept for f in noted}
    habits = [
        (habit_conditions()[h.concept], h.words)
        for h in _mentioned(facts, "lifestyle")
        if h.concept in habit_conditions()
    ]
    found += [(concept, "active", f"note: “{words}”") for concept, words in habits if concept not in known]
    return None if patient.conditions is None and not (noted or habits) else found


#: Codes of chronic kidney disease by stage, as they begin, dots left out (ICD-10-CM N18, ICD-9-CM 585).
_CKD_CODES = {
    ("icd10", "N181"): "1", ("icd10", "N182"): "2", ("icd10", "N1831"): "3a", ("icd10", "N1832"): "3b",
    ("icd10", "N183"): "3", ("icd10", "N184"): "4", ("icd10", "N185"): "5", ("icd10", "N186"): "5",
    ("icd9", "5851"): "1", ("icd9", "5852"): "2", ("icd9", "5853"): "3", ("icd9", "5854"): "4", ("icd9", "5855"): "5",
    ("icd9", "5856"): "5",
}  # fmt: skip


def _coded_stage(name: Text) -> Interval | None:
    """The eGFR range of a coded stage of chronic kidney disease."""
    for code in name.codes:
        plain = code.value.replace(".", "").upper()
        for (system, start), stage in _CKD_CODES.items():
            if code.system == system and plain.startswith(start):
                return CKD_STAGES[stage]
    return None


def _with_ancestors(found: Sequence[_Held] | None, topology: TopologyStore) -> tuple[HeldCondition, ...] | None:
    """One entry per concept, the most certain status first."""
    if found is None:
        return None
    above = topology.ancestors({c for c, _, _ in found})
    order = {"active": 0, "history": 1, "uncertain": 2}
    best: dict[ConceptId, HeldCondition] = {}
    for concept, status, source in sorted(found, key=lambda f: order[f[1]]):
        best.setdefault(concept, HeldCondition(concept, status, source, frozenset(above.get(concept, {concept: ()}))))
    return tuple(best.values())


def _allergies(
    patient: Patient, facts: Sequence[NoteFact], linker: ConditionLinker, draft: Draft
) -> tuple[HeldAllergy, ...] | None:
    found: list[HeldAllergy] = []
    for allergy in patient.allergies or ():
        match = linker.allergy(allergy.substance)
        if match is None:
            near = linker.suggestions(allergy.substance.text, ALLERGENS)
            draft.unresolved.append(Unresolved(allergy.substance.text, None, near, what="allergy"))
            continue
        if match.how == "assumed":
            draft.assume(f"allergy “{allergy.substance.text}” is taken as {match.name}", "closest known name")
        intolerant = allergy.kind == "intolerance" or only_side_effects(allergy.reaction)
        found.append(HeldAllergy(match.concept, intolerant, allergy.reaction, allergy.substance.text))
    noted = [f for f in facts if f.kind in ("allergy", "intolerance", "no allergies", "unread allergy")]
    draft.unresolved += [Unresolved(f.words, None, what="allergy") for f in facts if f.kind == "unread allergy"]
    for fact in noted:
        # a possible allergy counts until somebody has ruled it out
        if fact.concept and fact.status in ("active", "uncertain") and all(a.concept != fact.concept for a in found):
            source = f"note: “{fact.words}”"
            found.append(HeldAllergy(fact.concept, fact.kind == "intolerance", fact.reaction, source))
    return None if patient.allergies is None and not noted else tuple(found)
