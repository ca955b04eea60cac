"""CSV → prescriptions, one per group, by a mapping (`csv_mapping`).

A cell that can't be what its column says (a word for an age) refuses its group with file, line and column. What a
pharmacy system is known to write (a dose of 0, an end before the start) is read as unknown and said in the remarks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date

from pharmakon.adapters.interop.codes import code
from pharmakon.adapters.interop.csv_cells import cell_of, columns, day_of, number_of
from pharmakon.adapters.interop.csv_mapping import CsvMapping, Row, Rows, rows_of
from pharmakon.adapters.interop.csv_patient import read_patient
from pharmakon.adapters.interop.limits import limit
from pharmakon.adapters.interop.plain import latest_order_date
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import STATUSES, Amount, Order, Patient, Prescription, Text

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_AMOUNT = re.compile(rf"({_NUMBER})(?:\s*-\s*({_NUMBER}))?\s*([^\d\s].*)?")


def read_csv(
    text: str, mapping: CsvMapping, *, name: str, today: date
) -> Iterator[tuple[str, Prescription | BadInput]]:
    """`(group, prescription)` in the order in which groups first appear; a group that can't be read is its BadInput."""
    rows = rows_of(text, mapping.delimiter, name)
    if not rows:
        raise BadInput("there is no order in it", where=name, expected="a header line and at least one row")
    _check_columns(mapping, rows[0][1], name)
    groups: dict[str, list[tuple[int, Row]]] = {}
    for line, row in rows:
        groups.setdefault(row[mapping.group] if mapping.group else "", []).append((line, row))
    for key, members in groups.items():
        try:
            yield key, _prescription(key, members, mapping, name, today)
        except BadInput as error:
            yield key, error


def _check_columns(mapping: CsvMapping, header: Row, name: str) -> None:
    second = next(iter(mapping.patients.values()), []) if mapping.patients is not None else []
    joined = header if mapping.patients is None else second[0][1] if second else {}
    wanted = [(c, header, "order") for rule in mapping.order.values() for c in columns(rule)]
    wanted += [(c, header, "order.codes") for c, _, _ in mapping.codes]
    wanted += [(c, header, "order.dose") for pair in mapping.doses for c in pair]
    wanted += [(mapping.group, header, "file.group")] if mapping.group else []
    wanted += [(c, joined, "patient") for rule in mapping.patient.values() for c in columns(rule)]
    for column, there, section in wanted:
        if column not in there:
            raise BadInput(
                f"no column {column!r}, which {mapping.name} names in {section}", where=name, expected=", ".join(there)
            )


def _prescription(
    key: str, members: list[tuple[int, Row]], mapping: CsvMapping, name: str, today: date
) -> Prescription:
    notes: Counter[str] = Counter()
    orders = tuple(_order(row, n, f"{name}, line {line}", mapping, notes) for n, (line, row) in enumerate(members))
    own: Rows = members
    file = name
    if mapping.patients is not None:
        own, file = mapping.patients.get(key, []), mapping.patients_file
    mistaken = [line for (line, _), o in zip(members, orders, strict=True) if o.status == "entered_in_error"]
    remarks = [f"line {line}: entered in error, not audited" for line in mistaken]
    remarks += [f"{count} of {len(orders)} orders: {note}" for note, count in notes.items()]
    if not own:
        remarks.append(f"the second file has no row for {mapping.group} {key}: the patient is unknown")
    patient = read_patient(own, mapping, file, remarks) if own else Patient()
    return Prescription(patient, orders, latest_order_date(orders) or today, tuple(remarks))


def _order(row: Row, line: int, where: str, mapping: CsvMapping, notes: Counter[str]) -> Order:
    def get(field: str) -> str | None:
        return cell_of(field, mapping.order, row, mapping)

    drug = get("drug")
    if not drug:
        raise BadInput("the drug is empty", where=where, expected="a name")
    codes = tuple(
        code(system, row[column])
        for column, system, skip in mapping.codes
        if row[column] not in mapping.missing and row[column] not in skip
    )
    status = get("status") or "active"
    if status not in STATUSES:
        raise BadInput(f"{status!r} is no status", where=where, expected=", ".join(STATUSES))
    start, end = day_of(get("start"), where, mapping), day_of(get("end"), where, mapping)
    if start and end and end < start:
        notes["the end lies before the start and was not used"] += 1
        end = None
    indication = get("indication")
    dose, unread = _dose(row, mapping, notes)
    note = get("note")
    return Order(
        line=line,
        drug=Text(drug, codes),
        dose=dose,
        frequency=get("frequency"),
        route=get("route"),
        duration_days=number_of(get("duration_days"), f"{where}, duration_days", limit("order", "duration_days")),
        indication=Text(indication) if indication else None,
        sig=get("sig") or unread,
        status=status,
        start=start,
        end=end,
        source=f"{where} ({note})" if note else where,
    )


def _dose(row: Row, mapping: CsvMapping, notes: Counter[str]) -> tuple[Amount | None, str | None]:
    """The first dose that can be read, else the words of the first as a direction."""
    unread, trouble = None, ""
    for amount, unit in mapping.doses:
        written, measure = row[amount], row[unit]
        if written in mapping.missing:
            continue
        match = _AMOUNT.fullmatch(written)
        if not match:
            unread = unread or f"{written} {measure}".strip()
            trouble = trouble or "the dose can't be read as a number and is kept as text"
            continue
        low, high = (float(n.replace(",", "")) for n in (match[1], match[2] or match[1]))
        unit_text = measure or (match[3] or "").strip()
        if high not in limit("order", "dose") or not unit_text:
            trouble = trouble or "the dose is 0, out of range or without a unit, so it is unknown"
            continue
        return Amount(min(low, high), max(low, high), unit_text), None
    if trouble:
        notes[trouble] += 1
    return None, unread
