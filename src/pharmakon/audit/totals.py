"""Several current orders of one ingredient as one exposure, so that a dose hidden in two brands is seen whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from pharmakon.audit.exposure import Exposure
from pharmakon.model.profile import Interval


def totals(exposures: Iterable[Exposure]) -> list[Exposure]:
    """One summed exposure for each ingredient that stands in two or more current systemic orders.

    Orders whose amount is not known add nothing, so a sum is a lower bound: enough to show a breach, never to deny one.
    """
    systemic = sorted((e for e in exposures if not e.local), key=lambda e: (e.ingredient, e.lines))
    found: list[Exposure] = []
    for _, group in groupby(systemic, key=lambda e: e.ingredient):
        same = [e for e in group if e.daily is not None]
        if len(same) > 1 and len({e.unit for e in same}) == 1 and len({e.lines for e in same}) > 1:
            found.append(_sum(same))
    return found


def _sum(same: Sequence[Exposure]) -> Exposure:
    forms = {e.form for e in same}
    routes = {e.route for e in same}
    return replace(
        same[0],
        lines=tuple(line for e in same for line in e.lines),
        words="; ".join(e.words for e in same),
        single=None,
        daily=_add([e.daily for e in same]),
        weekly=_add([e.weekly for e in same]),
        times=None,
        duration=None,
        form=forms.pop() if len(forms) == 1 else None,
        route=routes.pop() if len(routes) == 1 else None,
    )


def _add(amounts: Sequence[Interval | None]) -> Interval | None:
    known = [a for a in amounts if a is not None]
    return Interval(sum(a.low for a in known), sum(a.high for a in known)) if known else None
