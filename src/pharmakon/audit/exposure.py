"""What the patient is exposed to: one ingredient of one order, with amounts, route and place in the hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pharmakon.audit.query import Ancestors, Bundle, Key
from pharmakon.link.dosing.amounts import exposure as amounts_of
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.dosing import Part, Understood
from pharmakon.model.prescription import Amount, Order
from pharmakon.model.profile import Interval
from pharmakon.model.statements import Statement
from pharmakon.model.units import canonical, convert, is_unit
from pharmakon.model.vocabulary import routes
from pharmakon.ports.knowledge import Step

#: Statuses of orders the patient takes now; the others count only where a washout is stated.
CURRENT = frozenset({"new", "active", "on_hold"})


@dataclass(frozen=True, slots=True, eq=False)
class Exposure:
    """One ingredient of one order, or the sum of several orders of it (`lines` has more than one).

    Amounts are in `unit` ("mg" for masses), per administration, per day and per week; None where they can't be known,
    and then `why` says what is missing. `bundle` is what the knowledge base holds about the ingredient and its product.
    `gap` is the number of days since it was stopped, 0 while it is given, None where the end is not known.
    """

    ingredient: ConceptId
    name: str
    product: ConceptId
    lines: tuple[int, ...]
    words: str  #: the drug as written in the order
    status: str
    bundle: Bundle
    route: str | None
    local: bool  #: the route gives no systemic exposure by default; an unknown route counts as systemic
    form: str | None
    form_route: str | None  #: the route the ordered form is made for
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
    apart: bool = False  #: given through a line or syringe of its own

    @property
    def ancestors(self) -> Ancestors:
        """The ingredient, its product and everything above them, each with the chain that leads there."""
        return self.bundle.ancestors

    def rules(self, relation: str) -> Sequence[tuple[Statement, Sequence[Step]]]:
        """Statements about the drug or a class of it, with the chain that leads there."""
        return self.bundle.rules.get(relation, ())

    @property
    def current(self) -> bool:
        return self.status in CURRENT

    def number(self, factor: str) -> Interval | None:
        """The value of an order's number factor, None where it is unknown: no order states what the schema grew by."""
        if factor in ("dose_single", "dose_daily"):
            amount = self.single if factor == "dose_single" else self.daily
            return amount if self.unit == "mg" else None
        return {"times_per_day": self.times, "duration": self.duration, "gap": self.gap}.get(factor)


def exposures(
    order: Understood,
    bundles: Mapping[Key, Bundle],
    names: Mapping[ConceptId, str],
    is_a: Mapping[ConceptId, frozenset[ConceptId]],
    as_of: date,
    measures: Measures,
) -> list[Exposure]:
    """One exposure for each ingredient of `order`; `measures` turn a dose per kg or per m² into one."""
    found: list[Exposure] = []
    for part in order.parts:
        named, _ = key_of(order, part)
        dose = None if part.carries else _by_body(order.dose, measures)
        amount = amounts_of(dose, order.timing, part, None if part.carries else order.max_daily)
        unit = next((a.unit for a in (amount.single, amount.daily, amount.weekly) if a), "")
        found.append(
            Exposure(
                ingredient=part.ingredient,
                name=names[part.ingredient],
                product=named,
                lines=(order.order.line,),
                words=order.order.drug.text,
                status="completed" if ended(order.order, as_of) else order.order.status,
                bundle=bundles[named, part.ingredient],
                route=order.route,
                local=order.indication in _NO_EXPOSURE or (order.route is not None and routes()[order.route].local),
                form=order.form,
                form_route=order.form_route,
                as_needed=order.as_needed,
                undiluted=order.undiluted,
                apart=order.apart,
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


#: Orders for these keep a line open or carry another drug: too little reaches the patient to count.
_NO_EXPOSURE = frozenset({ConceptId("process:line-flush"), ConceptId("process:drug-dilution")})

Measures = Mapping[str, float]
"""What a dose may be ordered by: `kg` and `m2` of this patient, where they are known."""


def _by_body(dose: Amount | None, measures: Measures) -> Amount | None:
    """A dose in mg/kg or mg/m² as one in mg; unchanged where the measure is not known."""
    if dose is None or not is_unit(dose.unit):
        return dose
    base, _, by = canonical(dose.unit).partition("/")
    if by not in measures:
        return dose
    return Amount(dose.low * measures[by], dose.high * measures[by], base)


def key_of(order: Understood, part: Part) -> Key:
    """What the knowledge base is asked about for one part: a product with its ingredient, or the ingredient alone."""
    return (order.concept if kind_of(order.concept) == "drug" else part.ingredient), part.ingredient


#: Masses are compared in mg.
_MASSES = frozenset({"mg", "g", "mcg", "ng", "kg"})


def _amount(amount: Amount | None) -> Interval | None:
    if amount is None:
        return None
    if amount.unit in _MASSES and amount.unit != "mg":
        return Interval(convert(amount.low, amount.unit, "mg"), convert(amount.high, amount.unit, "mg"))
    return Interval(amount.low, amount.high)


def _interval(pair: tuple[float, float] | None) -> Interval | None:
    return Interval(pair[0], pair[1]) if pair else None


def ended(order: Order, as_of: date) -> bool:
    """Whether an order that nobody stopped ran out before the day of the audit."""
    return order.status in CURRENT and order.end is not None and order.end < as_of


def _gap(order: Understood, as_of: date) -> Interval | None:
    if order.order.status in CURRENT and not ended(order.order, as_of):
        return Interval(0, 0)
    end = order.order.end
    if end is None:
        return None
    days = float(max((as_of - end).days, 0))
    return Interval(days, days)
