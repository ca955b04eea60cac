"""MedicationRequest, -Order, -Statement, -Dispense and -Administration as orders, with what was left out and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from pharmakon.adapters.interop.fhir.coding import Index, concept, follow, medication, named_by
from pharmakon.adapters.interop.fhir.dosage import Dose, days_of, read_dosages
from pharmakon.adapters.interop.fhir.loose import (
    Resource,
    code_of,
    day,
    line,
    named,
    obj,
    objs,
    period,
    shifted,
    table,
    words,
)  # fmt: skip
from pharmakon.model.concepts import fold
from pharmakon.model.prescription import Order, Text

KINDS = (
    "MedicationRequest", "MedicationOrder", "MedicationPrescription", "MedicationStatement", "MedicationUsage",
    "MedicationDispense", "MedicationAdministration",
)  # fmt: skip
_SAME = {
    "MedicationOrder": "MedicationRequest",
    "MedicationPrescription": "MedicationRequest",
    "MedicationUsage": "MedicationStatement",
}
NO_DRUG = "(no drug named)"


@dataclass(frozen=True, slots=True)
class Entry:
    """An order on its way in. `dated` is when it was written or given, `until` how far a supply reaches."""

    order: Order
    kind: str
    dated: date | None
    until: date | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Left:
    """A resource that is no exposure, and why."""

    remark: str


def read_order(resource: Resource, index: Index, today: date, *, draft: bool) -> Entry | Left:
    """`draft` orders are the ones under decision in a CDS Hooks request; whatever is drafted elsewhere there is not."""
    kind = words(resource.get("resourceType"))
    kind = _SAME.get(kind, kind)
    drug = medication(resource, index) or Text(NO_DRUG)
    place = f"{named(resource)} ({line(drug.text)})"
    status, remarks = _status(resource, kind, draft=draft)
    if status.startswith("!"):
        return Left(f"{place} was left out: {status[1:]}")
    if draft and status == "active":
        status = "new"
    dosage = resource.get("dosageInstruction") or resource.get("dosage")
    dose = read_dosages(dosage, today)
    if status not in {"stopped", "completed"}:
        remarks.extend(dose.remarks)
    dated, start, end, until = _dates(resource, kind, dose, today)
    if start and end and end < start:
        remarks.append(f"it ends ({end}) before it starts ({start}); the end was not used")
        end = None
    supply = days_of(obj(obj(resource.get("dispenseRequest")).get("expectedSupplyDuration")))
    order = Order(
        line=0,
        drug=drug,
        dose=dose.amount,
        frequency=dose.timing,
        route=dose.route,
        duration_days=dose.days or supply,
        indication=_indication(resource, index),
        sig=dose.sig if dose.amount is None or dose.timing is None else None,
        as_needed=dose.as_needed,
        status=status,
        start=start,
        end=end or (dated if status in {"stopped", "completed"} else None),
        source=named(resource),
    )
    return Entry(order, kind, dated, until, tuple(f"{place}: {remark}" for remark in remarks))


def _status(resource: Resource, kind: str, *, draft: bool) -> tuple[str, list[str]]:
    """A status of ours, or `!why` it is left out; and remarks."""
    if resource.get("doNotPerform") is True:
        return "!it says what must not be given", []
    taken = words(resource.get("taken")).lower()  # STU3
    if resource.get("wasNotTaken") is True or resource.get("wasNotGiven") is True or taken == "n":
        return "!not taken", []
    intent = code_of(resource.get("intent"))
    if intent in {"proposal", "plan"} and not draft:  # under decision, a plan is what one wants audited
        return f"!it is a {intent}, not an order", []
    written = code_of(resource.get("status"))
    found = table()["status"][kind].get(written)
    if found is None:
        return "active", [f"its status is {line(written) or 'missing'}; it is audited as active"]
    adherence = code_of(obj(resource.get("adherence")).get("code"))
    if found == "active" and adherence in {"not-taken", "stopped"}:
        return ("!not taken" if adherence == "not-taken" else "stopped"), []
    return found, []


def _dates(
    resource: Resource, kind: str, dose: Dose, today: date
) -> tuple[date | None, date | None, date | None, date | None]:
    """When written or given, start, end, and how far a supply reaches."""
    if kind == "MedicationDispense":
        given = day(resource, "whenHandedOver", today) or day(resource, "whenPrepared", today)
        given = given or day(resource, "recorded", today)
        supply = days_of(obj(resource.get("daysSupply")))
        return given, given, None, shifted(given, supply) if given and supply else None
    for key in ("effective", "effectiveTime", "occurence", "occurrence"):
        single = day(resource, f"{key}DateTime", today)
        start, end = period(resource, f"{key}Period", today)
        if single or start or end:
            break
    if kind == "MedicationAdministration":
        given = single or end or start
        return given, single or start, None, None  # the end of one infusion is not the end of the treatment
    written = next(
        (d for k in ("authoredOn", "dateWritten", "dateAsserted") if (d := day(resource, k, today)) is not None), None
    )
    first = start or single or dose.start
    return written or first, first or written, end or dose.end or day(resource, "dateEnded", today), None


def _indication(resource: Resource, index: Index) -> Text | None:
    for key in ("reasonCode", "reasonCodeableConcept", "reasonForUseCodeableConcept", "reason", "reasonReference"):
        for item in objs(resource.get(key)):
            found = concept(item) if "reference" not in item else None
            if found:
                return found
            reference = item if isinstance(item.get("reference"), str) else obj(item.get("reference"))
            if follow(reference, resource, index):
                return named_by(reference, resource, index)
    return None


def exposures(entries: Iterable[Entry], as_of: date) -> list[Entry]:
    """Supplies that have run out by `as_of` become completed; a washout may still need them.

    What was dispensed or given within 100 days counts, as does a supply that reaches further, or one without a date.
    """
    window = table()["look_back"]["supply"]
    kept = []
    for entry in entries:
        supplied = entry.kind in {"MedicationDispense", "MedicationAdministration"} and entry.order.status == "active"
        if supplied and entry.dated:
            reach = max(shifted(entry.dated, window), entry.until or date.min)
            if reach < as_of:
                last = entry.order.end or entry.until or entry.dated
                entry = replace(entry, order=replace(entry.order, status="completed", end=last))
        kept.append(entry)
    return kept


def once_each(entries: list[Entry]) -> tuple[list[Entry], list[str]]:
    """One entry per exposure: the same drug as a request and as a statement, dispense or administration is taken once.

    Two requests of one drug stay two: that is the duplicate an audit is there to find. So do drafts and what is over.
    """
    kept: list[Entry] = []
    remarks: list[str] = []
    places: dict[object, list[int]] = {}  # code or folded name → where it stands in `kept`
    for entry in entries:
        drug = entry.order.drug
        keys: tuple[object, ...] = ()
        if entry.order.status in {"active", "on_hold"} and drug.text != NO_DRUG:
            keys = (*drug.codes, fold(drug.text))
        near = sorted({i for key in keys for i in places.get(key, ())})
        twin = next((i for i in near if _may_be_one(kept[i], entry)), None)
        for key in keys:
            places.setdefault(key, []).append(len(kept) if twin is None else twin)
        if twin is None:
            kept.append(entry)
            continue
        richer, other = (kept[twin], entry) if _richness(kept[twin]) >= _richness(entry) else (entry, kept[twin])
        kept[twin] = richer
        remarks.append(
            f"{richer.order.source or richer.kind} and {other.order.source or other.kind} are one exposure"
            f" ({line(richer.order.drug.text)}); the first is audited"
        )
    return kept, remarks


def _may_be_one(a: Entry, b: Entry) -> bool:
    return a.kind != b.kind or a.kind not in {"MedicationRequest", "MedicationStatement"}


def _richness(entry: Entry) -> tuple[int, bool]:
    order = entry.order
    parts = (
        order.dose,
        order.frequency,
        order.route,
        order.duration_days,
        order.indication,
        order.as_needed,
        order.sig,
    )
    return sum(part is not None for part in parts), entry.kind == "MedicationRequest"
