"""The plain form of a prescription, as the design gives it (`schema-of prescription`).

Strict: an unknown key, a wrong type, an impossible figure or a date that runs backwards is refused with its place,
because a value that is quietly dropped is a check that is quietly not done. What is odd but possible passes; the audit
sees to it.
"""

from __future__ import annotations

from datetime import date

from pharmakon.adapters.interop import fields
from pharmakon.adapters.interop.fields import Object, at
from pharmakon.adapters.interop.plain_order import read_order
from pharmakon.adapters.interop.plain_patient import read_patient
from pharmakon.adapters.interop.size import check_count
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Order, Patient, Prescription

KEYS = ("patient", "medications", "as_of")


def read_plain(value: object, *, name: str, today: date) -> Prescription:
    """A prescription from the plain form's JSON value; BadInput names the key by its path within `name`."""
    try:
        return _read(value, today)
    except BadInput as error:
        raise error.within(name) from None


def _read(value: object, today: date) -> Prescription:
    form: Object = fields.as_object(value, "", KEYS)
    entries = fields.listed(form, "medications", "")
    if not entries:
        raise BadInput("there is no medication to audit", where="medications", expected="at least one medication")
    check_count("orders", len(entries), "medications")
    orders = tuple(read_order(entry, line, f"medications[{line}]") for line, entry in enumerate(entries))
    as_of = fields.day(form, "as_of", "") or latest_order_date(orders) or today
    given = form.get("patient")
    remarks = [f"line {o.line + 1}: entered in error, not audited" for o in orders if o.status == "entered_in_error"]
    patient = Patient() if given is None else read_patient(given, at("", "patient"), as_of, remarks)
    return Prescription(patient, orders, as_of, tuple(remarks))


def latest_order_date(orders: tuple[Order, ...]) -> date | None:
    """The latest start among the orders that were not entered in error."""
    return max((o.start for o in orders if o.start and o.status != "entered_in_error"), default=None)
