"""By which way a dose is given, where words beside it say so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from pharmakon.extract.claims import LabelContext
from pharmakon.extract.specialists.doses.quantities import Amount
from pharmakon.extract.specialists.doses.tables import cell_of, is_row
from pharmakon.extract.specialists.rules.advice import PART
from pharmakon.extract.specialists.wording import any_of, pattern, words
from pharmakon.model.statements import Clause, Condition
from pharmakon.model.vocabulary import routes

#: Between two ways that are both meant: "orally or intravenously".
_OR = re.compile(r"[\s,/]*(?:or|and|/|,)\s*(?:by |an? |the )?(?:\w+ )?", re.IGNORECASE)
#: Says how a thing is given only where nothing else does.
_WEAK = "infusion"


def route_of(text: str, amount: Amount, label: LabelContext) -> Clause:
    """The ways an amount is given by as a condition; nothing where no words say it, or all ways of the label are meant.

    The words nearest to the amount count, in its own cell of a table or its own part of a sentence.
    """
    start, end = cell_of(text, amount.start) if is_row(text) else _part(text, amount)
    found = list(_named(text, start, end))
    found = [f for f in found if f[2] != _WEAK] or [f for f in found if "intravenous" in label.routes]
    if not found:
        return ()
    nearest = min(found, key=lambda f: max(f[0] - amount.end, amount.start - f[1], 0))
    meant = {nearest[2]}
    at = found.index(nearest)
    for one, other in ((at - 1, at), (at, at + 1)):
        if one >= 0 and other < len(found) and _OR.fullmatch(text[found[one][1] : found[other][0]]):
            meant |= {found[one][2], found[other][2]}
    return routed({_known(name) for name in meant}, label)


def routed(names: set[str], label: LabelContext) -> Clause:
    """The condition that a drug is given by one of these ways; nothing where the label knows no other."""
    within = tuple(r.name for r in routes().values() if r.name in names or r.within in names)
    if label.routes and label.routes <= set(within):
        return ()
    return (Condition("route", "in", values=within, text=f"route in {', '.join(sorted(names))}"),)


def only_named(text: str) -> str:
    """The one way that a line names; "" where it names none or several."""
    said = {_known(f[2]) for f in _named(text, 0, len(text))}
    return said.pop() if len(said) == 1 else ""


def _known(name: str) -> str:
    return "intravenous" if name == _WEAK else name


def _part(text: str, amount: Amount) -> tuple[int, int]:
    starts = [m.end() for m in PART.finditer(text, 0, amount.start)]
    stop = PART.search(text, amount.end)
    return (starts[-1] if starts else 0), (stop.start() if stop else len(text))


def _named(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    found = [(m.start(), m.end(), name) for name, spelled in _spelled() for m in spelled.finditer(text, start, end)]
    yield from sorted(found)


@cache
def _spelled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = words("quantities")["routes"]
    return tuple((name, pattern(rf"(?<![A-Za-z-]){any_of(list_)}(?![A-Za-z])")) for name, list_ in table.items())
