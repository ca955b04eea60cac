"""Sketch → the plain form of a prescription, in the many ways people write one.

Names are generic, brand, salt or Dutch; strengths stand in the drug's text or the dose in its field; directions are
fields or a sentence; routes are words or abbreviations; creatinine is mg/dL or µmol/L. Which way is chosen depends on
the seed, the pair and the place alone, so that a twin is written exactly as its violation is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from math import isclose
from random import Random
from typing import Any

from pharmakon.evaluate.redteam.sketch import Line, Person, Sketch
from pharmakon.evaluate.redteam.world import World
from pharmakon.model.concepts import ConceptId, Name, kind_of
from pharmakon.model.vocabulary import factors, routes

AS_OF = date(2026, 3, 2)
#: mg/dL of creatinine in µmol/L
_MOLAR = 88.42
_FREQUENCIES: Mapping[int, tuple[str, ...]] = {
    1: ("once daily", "daily", "1-0-0", "every 24 hours", "1x per dag"),
    2: ("twice daily", "bid", "q12h", "1-0-1", "2x per dag"),
    3: ("three times daily", "tid", "q8h", "1-1-1", "3x per dag"),
    4: ("four times daily", "qid", "q6h", "4x per dag"),
    6: ("every 4 hours", "q4h"),
}
_SENTENCES: Mapping[int, str] = {
    1: "once daily", 2: "twice daily", 3: "three times daily", 4: "four times daily", 6: "every 4 hours",
}  # fmt: skip
#: Words in a name that say a form, a route or a strength and so would change the order.
_SAYS_MORE = re.compile(
    r"\d|\b(?:gel|cream|patch|eye|drops?|spray|inhal\w*|inject\w*|iv|retard|extended)\b", re.IGNORECASE
)
#: Words that say how the drug is released; harmless where no rule of the drug asks.
_RELEASE = re.compile(r"\b(?:XR|XL|XT|ER|SR|CR|LA|CD|MR|OROS)\b")
_SWALLOWED = frozenset({"oral", "sublingual"})


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes sketches of one pair."""

    world: World
    seed: int
    pair: str

    def rng(self, *place: object) -> Random:
        return Random("/".join((str(self.seed), self.pair, *map(str, place))))

    def write(self, sketch: Sketch) -> dict[str, Any]:
        return {
            "patient": self._patient(sketch.person),
            "medications": [self._line(line, at) for at, line in enumerate(sketch.lines)],
            "as_of": AS_OF.isoformat(),
        }

    def _patient(self, person: Person) -> dict[str, Any]:
        rng = self.rng("creatinine")
        molar = rng.random() < 0.3
        value = round(person.creatinine * _MOLAR) if molar else person.creatinine
        patient: dict[str, Any] = {
            "age": _whole(person.age),
            "sex": "female" if person.female else "male",
            "weight_kg": _whole(person.weight),
            "height_cm": _whole(person.height),
            "creatinine": {"value": value, "unit": rng.choice(("µmol/L", "umol/L")) if molar else "mg/dL"},
            "pregnant": person.pregnant,
            "lactating": person.lactating,
            "dialysis": person.dialysis,
        }
        patient |= self._record(person)
        if person.child_pugh:
            patient["child_pugh"] = person.child_pugh
        if person.trimester:
            patient["trimester"] = person.trimester
        if person.labs:
            patient["labs"] = {n: {"value": v, "unit": factors()[n].unit} for n, v in sorted(person.labs.items())}
        return patient

    def _record(self, person: Person) -> dict[str, Any]:
        """Conditions and allergies: as lists, or the last of them in a note."""
        active = [self._name(c, "condition") for c in dict.fromkeys(person.conditions)]
        past = [f"history of {self._name(c, 'condition')}" for c in dict.fromkeys(person.history)]
        allergies = [self._name(c, "allergy") for c in person.allergies]
        notes: list[str] = []
        if active and not past and self.rng("note").random() < 0.1:
            notes.append(f"Known {active.pop()}.")
        record: dict[str, Any] = {"conditions": active + past, "allergies": allergies}
        if allergies and self.rng("allergy note").random() < 0.2:
            notes.append(f"Allergic to {record.pop('allergies')[0]}.")
        return {**record, "notes": notes} if notes else record

    def _name(self, concept: ConceptId, role: str) -> str:
        rng = self.rng("name", concept)
        names = [n for n in self.world.plain_names(concept, role) if n.lang in ("en", "nl")]
        if not names or rng.random() < 0.6:
            return self.world.name(concept)
        return rng.choice(names).text

    def _drug(self, line: Line, at: int) -> str:
        """A name that says nothing but which drug it is; two orders of one drug bring their own."""
        if line.brand:
            return line.brand
        rng = self.rng("drug", line.drug, at if line.current else "past")
        asks = self._asks_release(line)
        names = [n for n in self.world.plain_names(line.drug, "drug") if _silent(n, asks)]
        if not names or rng.random() < 0.4:
            return self.world.name(line.drug)
        return rng.choice(names).text

    def _asks_release(self, line: Line) -> bool:
        """Whether any rule of the drug depends on how it is released."""
        mine = self.world.above[line.drug]
        rules = (s for relation in ("dose_limit", "requires_caution_with") for s in self.world.about(mine, relation))
        return line.extended or any(c.factor == "form" for s in rules for clause in s.when for c in clause)

    def _line(self, line: Line, at: int) -> dict[str, Any]:
        rng = self.rng("line", line.drug)
        name = self._drug(line, at)
        release = " extended-release" if line.extended else ""
        order: dict[str, Any] = {"drug": f"{name}{release} {_form(line)}".strip()}
        style = rng.random()
        pieces = rng.choice((1, 1, 2))
        swallowed = line.route in _SWALLOWED and line.unit == "mg"
        if kind_of(line.drug) == "drug":
            order |= {"dose": {"value": 1, "unit": "tablet"}, "frequency": self._frequency(line, rng)}
        elif not line.unit:
            order |= {"frequency": self._frequency(line, rng)}
        elif swallowed and style < 0.5:
            strength = _figure(line.dose / pieces)
            order["drug"] = f"{name} {strength} mg{release} tablet"
            directions = f"take {pieces} tablet{'s' if pieces > 1 else ''} {_said(line)}"
            if style < 0.25 and _said(line):
                order["sig"] = directions
            else:
                order |= {"dose": {"value": pieces, "unit": "tablet"}, "frequency": self._frequency(line, rng)}
        else:
            order |= {"dose": _dose(line, rng), "frequency": self._frequency(line, rng)}
        order["route"] = rng.choice(_route_words(line.route))
        return order | self._rest(line, order)

    def _rest(self, line: Line, order: Mapping[str, Any]) -> dict[str, Any]:
        rest: dict[str, Any] = {}
        words = [w for w, said in (("undiluted", line.undiluted), ("as needed", line.as_needed)) if said]
        if words:
            rest["sig"] = " ".join(filter(None, (order.get("sig"), *words)))
        if line.days is not None:
            rest["duration_days"] = _whole(line.days)
        if line.indication is not None:
            rest["indication"] = self._name(line.indication, "indication")
        if line.stopped_for is not None:
            end = AS_OF - timedelta(days=int(line.stopped_for))
            rest |= {"status": "stopped", "start": (end - timedelta(days=40)).isoformat(), "end": end.isoformat()}
        return rest

    def _frequency(self, line: Line, rng: Random) -> str | dict[str, Any]:
        if isclose(line.times, 1 / 7):
            return rng.choice(("once weekly", "weekly", "once a week"))
        if line.times < 1:
            return {"times": round(line.times * 7), "per": "week"}
        words = _FREQUENCIES.get(int(line.times))
        return rng.choice(words) if words else {"times": int(line.times), "per": "day"}


def _silent(name: Name, asks_release: bool) -> bool:
    """Whether a name says nothing that would change the order."""
    return not _SAYS_MORE.search(name.text) and not (asks_release and _RELEASE.search(name.text))


def _form(line: Line) -> str:
    return {"oral": "tablet" if line.unit == "mg" else ""}.get(line.route, "")


def _said(line: Line) -> str:
    if isclose(line.times, 1 / 7):
        return "once weekly"
    return _SENTENCES.get(int(line.times), "") if line.times >= 1 else ""


def _dose(line: Line, rng: Random) -> dict[str, Any]:
    if line.unit == "mg" and line.dose >= 1000 and rng.random() < 0.5:
        return {"value": _whole(line.dose / 1000), "unit": "g"}
    if line.unit == "mg" and line.dose < 1 and rng.random() < 0.7:
        return {"value": _whole(line.dose * 1000), "unit": rng.choice(("mcg", "µg"))}
    return {"value": _whole(line.dose), "unit": line.unit}


def _route_words(route: str) -> tuple[str, ...]:
    """The word and its first abbreviations."""
    return tuple(n for n in (route.replace("_", " "), *routes()[route].names[:3]) if n.isascii())


def _whole(value: float) -> float | int:
    rounded = round(value, 6)
    return int(rounded) if rounded == int(rounded) else rounded


def _figure(value: float) -> str:
    return f"{_whole(value)}"
