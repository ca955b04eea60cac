"""What the patient is exposed to: one ingredient of one order, with amounts, route and place in the hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pharmakon.link.dosing.amounts import exposure as amounts_of
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.dosing import Understood
from pharmakon.model.prescription import Amount
from pharmakon.model.profile import Interval
from pharmakon.model.units import convert
from pharmakon.model.vocabulary import routes
from pharmakon.ports.knowledge import Step

Ancestors = Mapping[ConceptId, Sequence[Step]]

#: Statuses of orders the patient takes now; the others count only where a washout is stated.
CURRENT = frozenset({"new", "active", "on_hold"})


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """One ingredient of one order, or the sum of several orders of it (`lines` has more than one).

    Amounts are in `unit` ("mg" for masses), per administration, per day and per week; None where they can't be known,
    and then `why` says what is missing. `ancestors` belong to the ingredient and, for products, to the product too.
    `gap` is the number of days since it was stopped, 0 while it is given, None where the end is not known.
    """

    ingredient: ConceptId
    name: str
    product: ConceptId
    lines: tuple[int, ...]
    words: str  #: the drug as written in the order
    status: str
    ancestors: Ancestors
    route: str | None
    form: str | None
    as_needed: bool | None
    undiluted: bool | None
    single: Interval | None
    daily: Interval | None
    weekly: Interval | None
    unit: str
    why: str
    times: Interval | None  #: per day
    duration: Interval | None  #: days
    gap: Interval | None
    indication: ConceptId | None = None
    indication_ancestors: frozenset[ConceptId] = frozenset()

    @property
    def current(self) -> bool:
        return self.status in CURRENT

    @property
    def local(self) -> bool:
        """Whether the route gives no systemic exposure by default. An unknown route counts as systemic."""
        return self.route is not None and routes()[self.route].local

    def number(self, factor: str) -> Interval | None:
        """The value of an order's number factor, None where it is unknown."""
        if factor in ("dose_single", "dose_daily"):
            amount = self.single if factor == "dose_single" else self.daily
            return amount if self.unit == "mg" else None
        return {"times_per_day": self.times, "duration": self.duration, "gap": self.gap}[factor]


def exposures(
    order: Understood,
    ancestors: Mapping[ConceptId, Ancestors],
    names: Mapping[ConceptId, str],
    is_a: Mapping[ConceptId, frozenset[ConceptId]],
    as_of: date,
) -> list[Exposure]:
    """One exposure for each ingredient of `order`."""
    found: list[Exposure] = []
    for part in order.parts:
        amount = amounts_of(order.dose, order.timing, part, order.max_daily)
        unit = next((a.unit for a in (amount.single, amount.daily, amount.weekly) if a), "")
        above = dict(ancestors.get(part.ingredient, {part.ingredient: ()}))
        if kind_of(order.concept) == "drug":  # of a combination written out, each part stands for itself
            above = {**ancestors.get(order.concept, {order.concept: ()}), **above}
        found.append(
            Exposure(
                ingredient=part.ingredient,
                name=names[part.ingredient],
                product=order.concept,
                lines=(order.order.line,),
                words=order.order.drug.text,
                status=order.order.status,
                ancestors=above,
                route=order.route,
                form=order.form,
                as_needed=order.as_needed,
                undiluted=order.undiluted,
                single=_amount(amount.single),
                daily=_amount(amount.daily),
                weekly=_amount(amount.weekly),
                unit="mg" if unit in _MASSES else unit,
                why=amount.why,
                times=_interval(order.timing.per_day) if order.timing else None,
                duration=_interval((order.duration_days,) * 2) if order.duration_days is not None else None,
                gap=_gap(order, as_of),
                indication=order.indication,
                indication_ancestors=is_a.get(order.indication, frozenset({order.indication}))
                if order.indication
                else frozenset(),
            )
        )
    return found


#: Masses are compared in mg.
_MASSES = frozenset({"mg", "g", "mcg", "ng", "kg"})


def _amount(amount: Amount | None) -> Interval | None:
    if amount is None:
        return None
    if amount.unit in _MASSES:
        return Interval(convert(amount.low, amount.unit, "mg"), convert(amount.high, amount.unit, "mg"))
    return Interval(amount.low, amount.high)


def _interval(pair: tuple[float, float] | None) -> Interval | None:
    return Interval(pair[0], pair[1]) if pair else None


def _gap(order: Understood, as_of: date) -> Interval | None:
    if order.order.status in CURRENT:
        return Interval(0, 0)
    end = order.order.end
    if end is None:
        return None
    days = float(max((as_of - end).days, 0))
    return Interval(days, days)
