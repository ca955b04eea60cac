"""What an order means once it is understood: which ingredients, how much of each, how often, by which route."""

from __future__ import annotations

from dataclasses import dataclass

from pharmakon.model.concepts import ConceptId
from pharmakon.model.prescription import Amount, Order, Timing


@dataclass(frozen=True, slots=True)
class Sig:
    """Directions taken apart. Whatever could not be read is None; `unread` holds the words left over."""

    dose: Amount | None = None
    timing: Timing | None = None
    as_needed: bool = False
    route: str | None = None  #: a key of the route vocabulary
    duration_days: float | None = None
    max_daily: Amount | None = None  #: "max 8 tablets in 24 hours"; the sum of unequal doses of one day
    undiluted: bool = False
    restated: Amount | None = None  #: the dose once more in another unit: the 20 mg of "2 tablets (20 mg)"
    stop: bool = False  #: the directions say not to take it
    notes: tuple[str, ...] = ()  #: what a reader must be told of how it was read, a clause each
    unread: str = ""  #: words that were not understood


@dataclass(frozen=True, slots=True)
class Part:
    """One ingredient of an order. `strength` is the amount in one counted piece or one mL (`per`), if known."""

    ingredient: ConceptId
    strength: Amount | None = None
    per: str = "piece"
    carries: bool = False  #: the fluid another part is given in; the dose is none of its own


@dataclass(frozen=True, slots=True)
class Understood:
    """An order with its meaning. `match`: code, exact, assumed; an unresolved order never becomes one of these."""

    order: Order
    concept: ConceptId  #: the drug or ingredient that was named
    parts: tuple[Part, ...]
    match: str
    matched: str  #: the words or the code that led here
    dose: Amount | None  #: per administration, as ordered
    timing: Timing | None
    route: str | None
    as_needed: bool | None
    duration_days: float | None
    form: str | None = None  #: immediate_release or extended_release where the name says so
    form_route: str | None = None  #: the route its form is made for, where the name says so ("gel", "suppository")
    undiluted: bool | None = None
    apart: bool = False  #: the directions say that it is given through a line or syringe of its own
    max_daily: Amount | None = None
    indication: ConceptId | None = None
