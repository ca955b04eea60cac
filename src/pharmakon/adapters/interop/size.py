"""How much one prescription may hold, whatever form it came in (`[size]` of limits.toml): no request takes minutes."""

from __future__ import annotations

from collections.abc import Iterator

from pharmakon.adapters.interop.limits import limit
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Order, Patient, Prescription, Text


def check_count(what: str, count: int, where: str) -> None:
    """Refuse more than `[size]` allows of `what`."""
    most = limit("size", what).high
    if count > most:
        raise BadInput(f"{count} {what} are too many for one prescription", where=where, expected=f"at most {most:g}")


def check_length(text: str, where: str, kind: str = "text") -> None:
    most = limit("size", kind).high
    if len(text) > most:
        raise BadInput(
            f"the text is too long ({len(text)} characters)", where=where, expected=f"at most {most:.10g} characters"
        )


def bounded(prescription: Prescription, name: str) -> Prescription:
    """`prescription` itself; BadInput where it holds more than an audit takes."""
    patient = prescription.patient
    check_count("orders", len(prescription.orders), name)
    check_count("conditions", len(patient.conditions or ()), name)
    check_count("allergies", len(patient.allergies or ()), name)
    check_count("labs", len(patient.labs), name)
    for where, text in _texts(prescription.orders, patient):
        if isinstance(text, Text):
            check_length(text.text, f"{name}, {where}")
            check_count("codes", len(text.codes), f"{name}, {where}")
            for code in text.codes:
                check_length(code.value, f"{name}, {where}")
        elif text:
            check_length(text, f"{name}, {where}")
    for i, note in enumerate(patient.notes):
        check_length(note, f"{name}, note {i + 1}", "note")
    total = sum(len(note) for note in patient.notes)
    if total > limit("size", "notes").high:
        raise BadInput(
            f"the notes are too long together ({total} characters)",
            where=name,
            expected=f"at most {limit('size', 'notes').high:.10g} characters",
        )
    return prescription


def _texts(orders: tuple[Order, ...], patient: Patient) -> Iterator[tuple[str, Text | str | None]]:
    for order in orders:
        where = f"order {order.line + 1}"
        yield f"{where}, drug", order.drug
        yield f"{where}, indication", order.indication
        yield f"{where}, frequency", order.frequency if isinstance(order.frequency, str) else None
        yield f"{where}, route", order.route
        yield f"{where}, sig", order.sig
    for i, ailment in enumerate(patient.conditions or ()):
        yield f"condition {i + 1}", ailment.name
    for i, allergy in enumerate(patient.allergies or ()):
        yield f"allergy {i + 1}", allergy.substance
        yield f"allergy {i + 1}", allergy.reaction
        yield f"allergy {i + 1}", allergy.severity
