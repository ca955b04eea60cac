"""Patient, Condition and AllergyIntolerance."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pharmakon.adapters.interop.codes import says_no_allergy
from pharmakon.adapters.interop.fhir.coding import concept
from pharmakon.adapters.interop.fhir.loose import Resource, code_of, day_range, line, named, obj, objs, table, words
from pharmakon.adapters.interop.limits import limit
from pharmakon.model.prescription import Ailment, Allergy, Text

_REFUTED = ("refuted", "entered-in-error")
_OVER = ("inactive", "resolved")


def read_age(patient: Resource, as_of: date, remarks: list[str]) -> tuple[float, float] | None:
    """Completed years on `as_of`; a birth year alone gives two."""
    given = patient.get("birthDate")
    born = day_range(given)
    if born is None:
        if given is not None:
            written = line(given if isinstance(given, str) else repr(given), 30)
            remarks.append(f"the birth date {written} can't be read as a date: the age is unknown")
        return None
    youngest, oldest = _years(born[1], as_of), _years(born[0], as_of)
    if oldest < 0 or youngest not in limit("patient", "age"):
        if oldest < 0 or youngest > 0:
            remarks.append(f"the birth date {line(patient.get('birthDate'))} was not used: it makes the age {oldest}")
            return None
        youngest = 0
    return float(youngest), float(oldest)


def _years(born: date, on: date) -> int:
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day))


def read_sex(patient: Resource) -> str | None:
    gender = words(patient.get("gender")).lower()
    return gender if gender in {"female", "male"} else None


def is_dead(patient: Resource) -> bool:
    return patient.get("deceasedBoolean") is True or bool(words(patient.get("deceasedDateTime")))


def read_conditions(resources: Iterable[Resource], remarks: list[str]) -> tuple[Ailment, ...] | None:
    """None where no condition that holds is recorded: silence is not health."""
    found = [ailment for r in resources if (ailment := _condition(r, remarks)) is not None]
    return tuple(found) or None


def _condition(resource: Resource, remarks: list[str]) -> Ailment | None:
    written = code_of(resource.get("verificationStatus"))
    verification = table()["verification"].get(written, "")
    name = concept(resource.get("code"))
    if verification == "refuted":
        what = f" ({line(name.text)})" if name else ""
        remarks.append(f"{named(resource)}{what} was not used: it is {written.replace('-', ' ')}")
        return None
    if name is None:
        remarks.append(f"{named(resource)} names no condition and was left out")
        return None
    clinical = code_of(resource.get("clinicalStatus"))
    abated = any(key.startswith("abatement") and value not in (None, False) for key, value in resource.items())
    if verification == "uncertain":
        status = "uncertain"
    elif abated:
        status = "history"
    else:
        status = table()["condition"].get(clinical, "active")
    onset = day_range(resource.get("onsetDateTime")) or day_range(obj(resource.get("onsetPeriod")).get("start"))
    return Ailment(name, status, onset[0] if onset else None, f"FHIR {named(resource)}")


def read_allergies(resources: Iterable[Resource], remarks: list[str]) -> tuple[Allergy, ...] | None:
    """None where nothing was recorded either way, empty where somebody recorded that there are none."""
    found: list[Allergy] = []
    none_known = False
    for resource in resources:
        verification, clinical = code_of(resource.get("verificationStatus")), code_of(resource.get("clinicalStatus"))
        older = code_of(resource.get("status"))  # DSTU2 has one status for both
        reactions = objs(resource.get("reaction"))
        substance = concept(resource.get("code")) or concept(resource.get("substance"))
        substance = substance or next((s for r in reactions if (s := concept(r.get("substance")))), None)
        over = [s for s in (verification, older) if s in _REFUTED] or [s for s in (clinical, older) if s in _OVER]
        if over:
            what = f" ({line(substance.text)})" if substance else ""
            remarks.append(f"{named(resource)}{what} was not used: it is {over[0].replace('-', ' ')}")
        elif substance is None:
            remarks.append(f"{named(resource)} names no substance and was left out")
        elif says_no_allergy(substance):
            none_known = True
        else:
            found.append(_allergy(resource, substance, reactions))
    if found and none_known:
        remarks.append("the record says both that no allergy is known and that there is one; the allergies are audited")
    return tuple(found) if found or none_known else None


def _allergy(resource: Resource, substance: Text, reactions: list[Resource]) -> Allergy:
    kind = code_of(resource.get("type"))
    signs = [concept(m) for r in reactions for m in objs(r.get("manifestation"))]
    told = [words(r.get("description")) for r in reactions]
    severity = next((code_of(r.get("severity")) for r in reactions if r.get("severity")), "")
    return Allergy(
        substance,
        kind=kind if kind in {"allergy", "intolerance"} else "unknown",
        reaction=", ".join([s.text for s in signs if s] or [t for t in told if t]),
        severity=severity or code_of(resource.get("criticality")),
        source=f"FHIR {named(resource)}",
    )
