"""CSV → prescriptions, one per group, by a mapping (`csv_mapping`).

A cell that can't be what its column says (a word for an age) refuses its group with file, line and column. What a
pharmacy system is known to write (a dose of 0, an end before the start) is read as unknown and said in the remarks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta

from pharmakon.adapters.interop.codes import code
from pharmakon.adapters.interop.csv_mapping import CsvMapping, Row, Rule, rows_of
from pharmakon.adapters.interop.limits import Range, limit
from pharmakon.adapters.interop.names_as_codes import with_codes
from pharmakon.adapters.interop.plain import latest_order_date
from pharmakon.adapters.interop.plain_allergy import as_written
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import (
    STATUSES,
    Ailment,
    Allergy,
    Amount,
    Measured,
    Order,
    Patient,
    Prescription,
    Text,
)  # fmt: skip

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_AMOUNT = re.compile(rf"({_NUMBER})(?:\s*-\s*({_NUMBER}))?\s*([^\d\s].*)?")
_FIELD = re.compile(r"\{([^{}]+)\}")
_TRUTH = {"true": True, "yes": True, "y": True, "1": True, "false": False, "no": False, "n": False, "0": False}


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
    joined = next(iter(mapping.patients.values()), {}) if mapping.patients is not None else header
    wanted = [(c, header, "order") for rule in mapping.order.values() for c in _columns(rule)]
    wanted += [(c, header, "order.codes") for c, _, _ in mapping.codes]
    wanted += [(c, header, "order.dose") for pair in mapping.doses for c in pair]
    wanted += [(mapping.group, header, "file.group")] if mapping.group else []
    wanted += [(c, joined, "patient") for rule in mapping.patient.values() for c in _columns(rule)]
    for column, there, section in wanted:
        if column not in there:
            raise BadInput(
                f"no column {column!r}, which {mapping.name} names in {section}", where=name, expected=", ".join(there)
            )


def _columns(rule: Rule) -> list[str]:
    return ([rule.column] if rule.column else []) + _FIELD.findall(rule.text)


def _prescription(
    key: str, members: list[tuple[int, Row]], mapping: CsvMapping, name: str, today: date
) -> Prescription:
    notes: Counter[str] = Counter()
    orders = tuple(_order(row, n, f"{name}, line {line}", mapping, notes) for n, (line, row) in enumerate(members))
    own: Row | None = members[0][1]
    where = f"{name}, line {members[0][0]}"
    if mapping.patients is not None:
        own, where = mapping.patients.get(key), f"the patient of {mapping.group} {key}"
    mistaken = [line for (line, _), o in zip(members, orders, strict=True) if o.status == "entered_in_error"]
    remarks = [f"line {line}: entered in error, not audited" for line in mistaken]
    remarks += [f"{count} of {len(orders)} orders: {note}" for note, count in notes.items()]
    if own is None:
        remarks.append(f"the second file has no row for {mapping.group} {key}: the patient is unknown")
    patient = Patient() if own is None else _patient(own, mapping, where, remarks)
    return Prescription(patient, orders, latest_order_date(orders) or today, tuple(remarks))


def _cell(field: str, rules: Mapping[str, Rule], row: Row, mapping: CsvMapping) -> str | None:
    rule = rules.get(field)
    if rule is None:
        return None
    if rule.const is not None:
        return rule.const
    if rule.text:
        filled = _FIELD.sub(lambda m: "" if row[m[1]] in mapping.missing else row[m[1]], rule.text)
        return " ".join(filled.split()) or None
    cell = row[rule.column]
    if cell in mapping.missing:
        return None
    if rule.values or rule.otherwise is not None:
        return rule.values.get(cell, cell if rule.otherwise is None else rule.otherwise) or None
    return cell


def _order(row: Row, line: int, where: str, mapping: CsvMapping, notes: Counter[str]) -> Order:
    def get(field: str) -> str | None:
        return _cell(field, mapping.order, row, mapping)

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
    start, end = _day(get("start"), where, mapping), _day(get("end"), where, mapping)
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
        duration_days=_number(get("duration_days"), f"{where}, duration_days", limit("order", "duration_days")),
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


def _patient(row: Row, mapping: CsvMapping, where: str, remarks: list[str]) -> Patient:
    def get(field: str) -> str | None:
        return _cell(field, mapping.patient, row, mapping)

    age = _number(get("age"), f"{where}, age", limit("patient", "age"))
    sex, pregnant = get("sex"), get("pregnant")
    if sex not in {None, "female", "male", "other", "unknown"}:
        raise BadInput(
            f"{sex!r} is no sex", where=f"{where}, sex", expected="female, male, other or unknown; map it with values"
        )
    if pregnant is not None and pregnant.casefold() not in _TRUTH:
        raise BadInput(f"{pregnant!r} is neither yes nor no", where=f"{where}, pregnant", expected="true or false")
    conditions = _names("conditions", row, mapping)
    allergies = _names("allergies", row, mapping)
    return Patient(
        age=None if age is None else (age, age),
        sex=sex if sex in {"female", "male"} else None,
        weight=_measured(get("weight_kg"), f"{where}, weight_kg", limit("patient", "weight")),
        height=_measured(get("height_cm"), f"{where}, height_cm", limit("patient", "height")),
        pregnant=None if pregnant is None else _TRUTH[pregnant.casefold()],
        conditions=None if conditions is None else tuple(Ailment(c) for c in conditions),
        allergies=None if allergies is None else as_written([Allergy(a) for a in allergies], "allergies", remarks),
    )


def _names(field: str, row: Row, mapping: CsvMapping) -> list[Text] | None:
    rule, cell = mapping.patient.get(field), _cell(field, mapping.patient, row, mapping)
    if rule is None or cell is None:
        return None
    if cell.casefold() in rule.none:
        return []
    parts = [p.strip() for p in (cell.split(rule.split) if rule.split else [cell]) if p.strip()]
    return [Text(f"{rule.system} {p}", (code(rule.system, p),)) if rule.system else with_codes(Text(p)) for p in parts]


def _number(text: str | None, where: str, bounds: Range) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        raise BadInput(f"{text[:40]!r} is no number", where=where, expected=str(bounds)) from None
    if value not in bounds:
        raise BadInput(f"{value:g} is out of range", where=where, expected=str(bounds))
    return value


def _measured(text: str | None, where: str, bounds: Range) -> Measured | None:
    value = _number(text, where, bounds)
    return None if value is None else Measured(value, bounds.unit, source="input")


def _day(text: str | None, where: str, mapping: CsvMapping) -> date | None:
    if text is None:
        return None
    expected = "a date such as 2026-03-01"
    try:
        if mapping.epoch is not None:
            expected = "a whole number of days"
            return mapping.epoch + timedelta(days=int(text))
        if mapping.date_format:
            expected = f"a date written {mapping.date_format}"
            return datetime.strptime(text, mapping.date_format).date()
        return date.fromisoformat(text[:10])
    except (ValueError, OverflowError):
        raise BadInput(f"{text[:40]!r} is no date", where=where, expected=expected) from None
