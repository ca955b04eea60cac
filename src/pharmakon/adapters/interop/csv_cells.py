"""Cells of a CSV row as what a mapping says they are: texts, numbers, days."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta

from pharmakon.adapters.interop.csv_mapping import CsvMapping, Row, Rule
from pharmakon.adapters.interop.limits import Range
from pharmakon.model.errors import BadInput

_FIELD = re.compile(r"\{([^{}]+)\}")


def columns(rule: Rule) -> list[str]:
    """The columns that a rule reads."""
    return ([rule.column] if rule.column else []) + _FIELD.findall(rule.text)


def cell_of(field: str, rules: Mapping[str, Rule], row: Row, mapping: CsvMapping) -> str | None:
    """What the rule of `field` makes of the row; None where it has no rule or the cell is empty."""
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


def number_of(text: str | None, where: str, bounds: Range) -> float | None:
    """BadInput where it is no number, or not in `bounds`."""
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        raise BadInput(f"{text[:40]!r} is no number", where=where, expected=str(bounds)) from None
    if value not in bounds:
        raise BadInput(f"{value:g} is out of range", where=where, expected=str(bounds))
    return value


def day_of(text: str | None, where: str, mapping: CsvMapping) -> date | None:
    """A day as the mapping says they are written; BadInput where it is none."""
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
