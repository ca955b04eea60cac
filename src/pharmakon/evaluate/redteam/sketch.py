"""A prescription in the making: concepts and figures, no words yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pharmakon.evaluate.redteam.kidney import clearance, filtration
from pharmakon.model.concepts import ConceptId


@dataclass(frozen=True, slots=True)
class Person:
    """Everything about the patient is known. Creatinine in mg/dL, `labs` in the factors' own units."""

    age: float
    female: bool
    weight: float
    height: float
    creatinine: float
    child_pugh: str = ""
    pregnant: bool = False
    trimester: int = 0  #: 0 where there is none
    lactating: bool = False
    dialysis: bool = False
    conditions: tuple[ConceptId, ...] = ()
    history: tuple[ConceptId, ...] = ()
    allergies: tuple[ConceptId, ...] = ()
    labs: Mapping[str, float] = field(default_factory=dict)

    def value(self, factor: str) -> float | None:
        """A number factor in its own unit, None where it is not given (a child's clearance)."""
        if factor in self.labs:
            return self.labs[factor]
        if factor in ("age", "weight", "height", "creatinine"):
            return float(getattr(self, factor))
        if factor == "bmi":
            return self.weight / (self.height / 100) ** 2
        if factor == "crcl":
            return clearance(self.age, self.weight, self.creatinine, female=self.female) if self.age >= 18 else None
        if factor == "egfr":
            return filtration(self.age, self.creatinine, female=self.female) if self.age >= 18 else None
        return None


@dataclass(frozen=True, slots=True)
class Line:
    """One order. `dose` is one administration in `unit` ("" where no amount is given), `times` are per day."""

    drug: ConceptId
    ingredients: tuple[ConceptId, ...]
    dose: float = 0.0
    unit: str = ""
    times: float = 1.0
    route: str = "oral"
    extended: bool = False
    indication: ConceptId | None = None
    days: float | None = None
    as_needed: bool = False
    undiluted: bool = False
    stopped_for: float | None = None  #: days since it was stopped, None while it is given
    brand: str = ""  #: a name to be written, where two orders of one drug need two

    @property
    def current(self) -> bool:
        return self.stopped_for is None

    @property
    def daily(self) -> float:
        """On a day on which it is taken."""
        return self.dose * max(self.times, 1.0)

    @property
    def weekly(self) -> float:
        return self.dose * max(self.times * 7.0, 1.0)


@dataclass(frozen=True, slots=True)
class Sketch:
    person: Person
    lines: tuple[Line, ...]

    def with_line(self, at: int, line: Line) -> Sketch:
        return replace(self, lines=(*self.lines[:at], line, *self.lines[at + 1 :]))

    def adding(self, line: Line) -> Sketch:
        return replace(self, lines=(*self.lines, line))

    def without_line(self, at: int) -> Sketch:
        return replace(self, lines=(*self.lines[:at], *self.lines[at + 1 :]))

    def of(self, **changes: object) -> Sketch:
        """The same orders for a person changed in these fields."""
        return replace(self, person=replace(self.person, **changes))  # type: ignore[arg-type]

    def justified(self) -> Sketch:
        """The patient has what the orders are for."""
        reasons = [line.indication for line in self.lines if line.indication and line.current]
        have = self.person.conditions
        return self.of(conditions=tuple(dict.fromkeys((*have, *(r for r in reasons if not r.startswith("process:"))))))
