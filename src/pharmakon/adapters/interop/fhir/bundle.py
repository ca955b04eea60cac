"""Resources → Prescription. The same assembly serves a Bundle, a list of resources and a CDS Hooks request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date

from pharmakon.adapters.interop.fhir.coding import Index, index_of
from pharmakon.adapters.interop.fhir.harvest import Harvest, harvest
from pharmakon.adapters.interop.fhir.loose import Resource, day_range, expressed, identity, line, named, obj, words
from pharmakon.adapters.interop.fhir.observations import Observed, read_observations
from pharmakon.adapters.interop.fhir.orders import KINDS, Entry, Left, exposures, once_each, read_order
from pharmakon.adapters.interop.fhir.people import is_dead, read_age, read_allergies, read_conditions, read_sex
from pharmakon.adapters.interop.size import check_count
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Patient, Prescription

_DATES = ("authoredOn", "dateWritten", "effectiveDateTime", "onsetDateTime", "whenHandedOver", "dateAsserted")
CLINICAL = (*KINDS, "Condition", "AllergyIntolerance", "Observation")


def read_fhir(value: object, *, name: str, today: date) -> Prescription:
    """A Bundle of any type, one resource, or a list of resources; a draft in it is a new order.

    BadInput where there is no medication order that counts, or where two patients share the bundle.
    """
    found = harvest(value)
    if not found.of(*KINDS):
        raise BadInput("there is no medication in it", where=name, expected="a Bundle with a MedicationRequest")
    try:
        prescription = assemble(found, (), today=today)
    except BadInput as error:
        raise error.within(name) from None
    if not prescription.orders:
        why = "; ".join(prescription.remarks[:3])
        raise BadInput(
            f"no medication order in it counts ({why})", where=name, expected="an order that is active or new"
        )
    return prescription


def assemble(
    found: Harvest, drafts: Sequence[Resource], *, today: date, patient_id: str = "", hooks: bool = False
) -> Prescription:
    """`drafts` are the orders under decision; what is in `found` is the record.

    As of: the latest order date, else `today` (a draft without a date is of today). A stopped order counts here,
    because the record is at least as young as that, and a chronic one may have been written decades ago.
    """
    remarks = list(found.remarks)
    index = index_of([*found.resources, *(("", d) for d in drafts)])
    patient = _patient(found, patient_id, remarks)
    record, foreign = _of_one_patient(found.of(*CLINICAL), [*drafts], patient, index, strict=not hooks)
    if foreign:
        names = ", ".join(line(f) for f in sorted(foreign)[:3])
        remarks.append(
            f"some resources name another subject ({names}) than the Patient resource; they are read as the patient's"
        )
    named_drafts = {identity(d) for d in drafts if words(d.get("id"))}
    entries: list[Entry] = []
    for resource, draft in [*((d, True) for d in drafts), *((r, False) for r in record)]:
        if resource.get("resourceType") not in KINDS or (not draft and identity(resource) in named_drafts):
            continue
        read = read_order(resource, index, today, draft=draft)
        if isinstance(read, Left):
            remarks.append(read.remark)
        elif hooks and not draft and read.order.status == "new":
            remarks.append(f"{read.order.source} ({line(read.order.drug.text)}) was left out: a draft in the record")
        else:
            entries.append(read)
    check_count("orders", len(entries), "the record")
    as_of = _as_of(entries, today, hooks=hooks)
    remarks.extend(_unread_dates([*drafts, *record]))
    entries, merged = once_each(exposures(entries, as_of))
    remarks.extend(r for e in entries for r in e.remarks)
    remarks.extend(merged)
    orders = tuple(replace(e.order, line=place) for place, e in enumerate(entries))
    return Prescription(_person(patient, record, as_of, today, remarks), orders, as_of, tuple(dict.fromkeys(remarks)))


def _as_of(entries: list[Entry], today: date, *, hooks: bool) -> date:
    if hooks and any(e.order.status == "new" and e.dated is None for e in entries):
        return today
    return max((e.dated for e in entries if e.dated), default=today)


def _person(patient: Resource, record: list[Resource], as_of: date, today: date, remarks: list[str]) -> Patient:
    def of(kind: str) -> list[Resource]:
        return [r for r in record if r.get("resourceType") == kind]

    seen: Observed = read_observations(of("Observation"), as_of, today, remarks)
    if is_dead(patient):
        remarks.append("the record says that the patient has died")
    numbers = dict(seen.numbers)
    newest = max((m.date for m in numbers.values() if m.date), default=as_of)
    if newest > as_of:
        remarks.append(f"the newest value is of {newest}, later than the audit's date {as_of}; age is taken on {as_of}")
    weight, height = numbers.pop("weight", None), numbers.pop("height", None)
    return Patient(
        age=read_age(patient, as_of, remarks),
        sex=read_sex(patient),
        weight=weight,
        height=height,
        pregnant=seen.answers.get("pregnant"),
        lactating=seen.answers.get("lactating"),
        conditions=read_conditions(of("Condition"), remarks),
        allergies=read_allergies(of("AllergyIntolerance"), remarks),
        labs=tuple(sorted(numbers.items(), key=lambda pair: (pair[1].date or date.max, pair[0]))),
    )


def _unread_dates(resources: Iterable[Resource]) -> Iterator[str]:
    """One remark for each date that was given and can't be read, so that it counts as absent."""
    for resource in resources:
        for key in _DATES:
            given = resource.get(key)
            if given is not None and not day_range(given) and not expressed(resource.get(f"_{key}"), date.min):
                yield f"{named(resource)}: its {key} can't be read as a date and was not used"


def _patient(found: Harvest, patient_id: str, remarks: list[str]) -> Resource:
    patients = found.of("Patient")
    wanted = patient_id.rsplit("/", 1)[-1]
    matching = [p for p in patients if words(p.get("id")) == wanted] if wanted else []
    if len(patients) > 1 and not matching:
        names = ", ".join(line(p.get("id")) or "without id" for p in patients[:4])
        raise BadInput(f"it holds {len(patients)} patients ({names})", expected="the record of one patient")
    if not patients:
        remarks.append("there is no Patient resource: age and sex are unknown")
        return {}
    return (matching or patients)[0]


def _of_one_patient(
    record: list[Resource], drafts: list[Resource], patient: Resource, index: Index, *, strict: bool
) -> tuple[list[Resource], set[str]]:
    """The record without what is said of another patient in the bundle, and the subjects that are nobody's in it.

    Two subjects are refused. A CDS Hooks client, though, vouches for its one patient (`context.patientId`), and samples
    name subjects carelessly there, so only a subject that is present as another Patient is taken out.
    """
    own, subjects, kept = words(patient.get("id")), set[str](), list[Resource]()
    for resource in record:
        subject = _subject(resource, index)
        if subject and own and subject != own and f"Patient/{subject}" in index:
            continue
        kept.append(resource)
        if subject:
            subjects.add(subject)
    subjects.update(s for d in drafts if (s := _subject(d, index)))
    if strict and len(subjects) > 1:
        names = ", ".join(line(s) for s in sorted(subjects)[:4])
        raise BadInput(
            f"its resources belong to {len(subjects)} patients ({names})", expected="the record of one patient"
        )
    return kept, subjects - {own} if own else set()


def _subject(resource: Resource, index: Index) -> str:
    reference = words(obj(resource.get("subject") or resource.get("patient")).get("reference")).split("/_history/")[0]
    filed = index.get(reference)
    if filed is not None and words(filed.get("id")):
        return words(filed.get("id"))
    return reference.rsplit("/", 1)[-1].removeprefix("urn:uuid:")
