"""Kidney function: stated, computed from creatinine, or one value standing in for the other in the open.

Cockcroft-Gault for creatinine clearance, CKD-EPI 2021 for eGFR; labels name the one they mean, and both are kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pharmakon.audit import formulas
from pharmakon.audit.formulas import Sex
from pharmakon.audit.patient.draft import Draft
from pharmakon.audit.patient.show import STANDS_IN, shown
from pharmakon.model.concepts import ConceptId
from pharmakon.model.profile import HeldCondition, Interval, Known
from pharmakon.model.vocabulary import factors
from pharmakon.ports.knowledge import TopologyStore

#: A stated value and the one computed from creatinine that are so many times apart can't both be this patient's.
_FAR = 2.0
_AKI = ConceptId("disease:acute-kidney-injury")
_ESRD = ConceptId("disease:end-stage-renal-disease")


def renal(draft: Draft, held: Sequence[HeldCondition] | None, closed: Sequence[HeldCondition] | None) -> None:
    """`crcl` (mL/min), `egfr` (mL/min/1.73 m²) and `dialysis` from whatever is known.

    `closed` is the list of conditions where it is full, so that what it leaves out is not there.
    """
    dialysis = draft.known.get("dialysis")
    if dialysis is not None and dialysis.value == frozenset({"true"}):
        _replaced_by_dialysis(draft, dialysis)
        return
    _compute(draft)
    _stand_in(draft)
    _dialysis(draft, closed)
    if any(_AKI in h.ancestors and h.status == "active" for h in held or ()):
        draft.assume(
            "the kidney function is computed as if it were stable", "acute kidney injury is recorded; it is not"
        )


def on_dialysis(
    draft: Draft, held: tuple[HeldCondition, ...] | None, topology: TopologyStore
) -> tuple[HeldCondition, ...] | None:
    """The conditions, with kidney failure among them where the patient is on dialysis."""
    dialysis = draft.known.get("dialysis")
    if dialysis is None or dialysis.value != frozenset({"true"}):
        return held
    above = frozenset(topology.ancestors({_ESRD})[_ESRD])
    return (*(held or ()), HeldCondition(_ESRD, "active", f"dialysis: {dialysis.source}", above))


def _replaced_by_dialysis(draft: Draft, dialysis: Known) -> None:
    """On dialysis no formula holds; every rule about a clearance sees a kidney that has failed."""
    failed = Interval(0, 15, open_high=True)
    for factor, unit in (("crcl", "mL/min"), ("egfr", "mL/min/1.73m2")):
        draft.known[factor] = Known(failed, unit, f"dialysis: {dialysis.source}")
    draft.assume("kidney function counts as below 15 mL/min", "the patient is on dialysis, where no formula holds")


def _compute(draft: Draft) -> None:
    age, creatinine, sex = draft.interval("age"), draft.known.get("creatinine"), draft.known.get("sex")
    if age is None or age.low < 18 or creatinine is None or sex is None or not isinstance(creatinine.value, Interval):
        return
    who: Sex = "female" if sex.value == frozenset({"female"}) else "male"
    values = sorted({creatinine.value.low, creatinine.value.high})  # two that contradict each other both count
    of = f"creatinine {' to '.join(f'{v:.3g}' for v in values)} mg/dL" + (
        f", {creatinine.source}" if creatinine.source != "input" else ""
    )
    pairs = [(a, scr) for a in (age.low, age.high) for scr in values]
    egfr = _span([formulas.ckd_epi_2021(a, scr, who) for a, scr in pairs])
    computed = Known(egfr, "mL/min/1.73m2", f"CKD-EPI 2021 from {of}", creatinine.dated, creatinine.stale)
    _prefer(draft, "egfr", computed)
    weight = draft.plain("weight")
    if weight is not None:
        used, name = formulas.dosing_weight(weight, draft.plain("height"), who)
        crcl = _span([formulas.cockcroft_gault(a, used, scr, who) for a, scr in pairs])
        source = f"Cockcroft-Gault, {name} weight {used:.1f} kg, {of}"
        _prefer(draft, "crcl", Known(crcl, "mL/min", source, creatinine.dated, creatinine.stale))


def _prefer(draft: Draft, factor: str, computed: Known) -> None:
    """A value the record states outright stays; one from words (a stage, a note) is compared with the computed one.

    A stated one that is far better than the creatinine allows contradicts it: then both count. One that is far worse
    stays (it may have been measured), and the report says what the creatinine would give.
    """
    known = draft.known.get(factor)
    if known is None:
        draft.known[factor] = computed
    elif known.source.startswith(("note", "condition")) or _far_above(known, computed):
        draft.known[factor] = computed
        draft.learn(factor, known)
    elif _far_above(computed, known):
        label = factors()[factor].label
        draft.assume(
            f"{label} counts as {shown(known)}, as stated", f"{shown(computed)} is far from it ({computed.source})"
        )


def _far_above(one: Known, other: Known) -> bool:
    a, b = one.value, other.value
    return isinstance(a, Interval) and isinstance(b, Interval) and a.low > _FAR * b.high


def _stand_in(draft: Draft) -> None:
    crcl, egfr = draft.known.get("crcl"), draft.known.get("egfr")
    if crcl is None and egfr is not None and isinstance(egfr.value, Interval):
        value, how = egfr.value, f"the eGFR {STANDS_IN}"
        weight, height = draft.plain("weight"), draft.plain("height")
        if weight is not None and height is not None:
            bsa = formulas.bsa_mosteller(height, weight)
            value = replace(value, low=formulas.de_indexed(value.low, bsa), high=formulas.de_indexed(value.high, bsa))
            how = f"the eGFR, de-indexed for {bsa:.2f} m², {STANDS_IN}"
        draft.known["crcl"] = Known(value, "mL/min", f"{how}; {egfr.source}", egfr.dated, egfr.stale)
        draft.assume(f"creatinine clearance is taken as {shown(draft.known['crcl'])}", f"it is not known; {how}")
    elif egfr is None and crcl is not None:
        how = f"the creatinine clearance {STANDS_IN}"
        draft.known["egfr"] = replace(crcl, unit="mL/min/1.73m2", source=f"{how}; {crcl.source}")
        draft.assume(f"eGFR is taken as {shown(draft.known['egfr'])}", f"it is not known; {how}")


def _dialysis(draft: Draft, held: Sequence[HeldCondition] | None) -> None:
    """Nobody with an eGFR of 15 or more is on dialysis, nor one whose problem list has no kidney failure."""
    if "dialysis" in draft.known:
        return
    egfr = draft.interval("egfr")
    if egfr is not None and egfr.low >= 15:
        draft.known["dialysis"] = Known(frozenset({"false"}), source="eGFR of 15 or more")
    elif held is not None and not any(_ESRD in h.ancestors for h in held):
        draft.known["dialysis"] = Known(frozenset({"false"}), source="no kidney failure among the conditions")


def _span(values: list[float]) -> Interval:
    return Interval(min(values), max(values))
