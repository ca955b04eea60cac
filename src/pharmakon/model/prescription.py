"""A prescription as it was handed in: numbers have units, text is still text. `link` finds out what the text means."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from pharmakon.model.concepts import Code

STATUSES = ("new", "active", "on_hold", "stopped", "completed", "entered_in_error")


@dataclass(frozen=True, slots=True)
class Text:
    """A name with the codes that came along with it."""

    text: str
    codes: tuple[Code, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """A value with its unit as written, its date where one was given, and the place it came from.

    With a `comparator` the value is a bound, as laboratories report what lies beyond their scale: "> 60".
    """

    value: float
    unit: str
    date: date | None = None
    source: str = ""  #: "input", "FHIR Observation o1", the words of a note, ...
    comparator: str = ""  #: "", or <, <=, >, >=


@dataclass(frozen=True, slots=True)
class Amount:
    """A dose as a range, `low == high` for a plain one. Units as written ("mg", "tablet", "mL")."""

    low: float
    high: float
    unit: str


@dataclass(frozen=True, slots=True)
class Timing:
    """How often, as a range of times per `per` days; `times` 2 per `days` 1 is twice daily, 1 per 0.25 is every 6 h."""

    low: float
    high: float
    days: float = 1.0

    @property
    def per_day(self) -> tuple[float, float]:
        return self.low / self.days, self.high / self.days


@dataclass(frozen=True, slots=True)
class Order:
    """One line. `line` counts from 0 in the order of the input."""

    line: int
    drug: Text
    dose: Amount | None = None
    frequency: str | Timing | None = None  #: text is parsed by `link`
    route: str | None = None
    duration_days: float | None = None
    indication: Text | None = None
    sig: str | None = None
    as_needed: bool | None = None
    status: str = "active"
    start: date | None = None
    end: date | None = None
    source: str = ""  #: FHIR resource type and id, where there is one


@dataclass(frozen=True, slots=True)
class Ailment:
    """A condition as recorded. `status`: active, history, uncertain, refuted."""

    name: Text
    status: str = "active"
    onset: date | None = None
    source: str = "input"


@dataclass(frozen=True, slots=True)
class Allergy:
    """`kind`: allergy, intolerance or unknown. `reaction` is free text, empty when none was recorded."""

    substance: Text
    kind: str = "unknown"
    reaction: str = ""
    severity: str = ""
    source: str = "input"


@dataclass(frozen=True, slots=True)
class Patient:
    """`None` means unknown; an empty tuple of conditions means that there are none.

    `age` is a range of completed years on the order's date: a birth year alone gives two.
    """

    age: tuple[float, float] | None = None
    sex: str | None = None  #: female, male, or None (also for other and unknown)
    weight: Measured | None = None
    height: Measured | None = None
    child_pugh: str | None = None
    child_pugh_parts: tuple[tuple[str, str], ...] = ()  #: (bilirubin, "2.5 mg/dL"), (ascites, "mild"), ...
    pregnant: bool | None = None
    trimester: int | None = None
    lactating: bool | None = None
    dialysis: bool | None = None
    conditions: tuple[Ailment, ...] | None = None
    allergies: tuple[Allergy, ...] | None = None
    labs: tuple[tuple[str, Measured], ...] = ()  #: (factor name, value), newest last; may repeat a name
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prescription:
    """`as_of` is the date of the audit. `remarks` are things the reader of the input wants said in the report."""

    patient: Patient
    orders: tuple[Order, ...]
    as_of: date
    remarks: tuple[str, ...] = field(default=())
