"""Groups of patients in figures: clearances and other measures, weights, ages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pharmakon.extract.curated.expressions import read_condition
from pharmakon.extract.specialists.patients.bounds import Bounds, after, bounds, grammar, operators
from pharmakon.extract.specialists.patients.group import AGE, RENAL, Group
from pharmakon.extract.specialists.wording import (
    NUMBER,
    SPELLED,
    any_of,
    figure,
    hints,
    lowered,
    pattern,
    plain,
    words,
)

_AGED = re.compile(r"older|younger|\bage\b", re.IGNORECASE)
#: What stands in small letters where a figure may be an age. Three patterns, because each begins with what a search can
#: leap to, and their alternation would not.
_AGE_HINTS = (
    re.compile(r"\d[\s-]*(?:years?|yrs?|months?|weeks?|days?|to)\b"),
    re.compile(r"age(?<=\bage)[ds]?\b"),
    re.compile(
        r"(?:patients|children|adults|women|men|infants)\s*[(,]?\s*"
        r"(?:[<>≥≤=\d]|over|under|above|below|older|younger|who are|aged)"
    ),
)
_DIGIT = re.compile(r"\d")
_OLDEST = 120
_OLD = 60
_CHILDREN = re.compile(r"(?:children|infants|p(?:a)?ediatric)", re.IGNORECASE)
#: Who is young whatever the figure, and who beside them takes that back.
_YOUNG = re.compile(r"(?:children|infants|p(?:a)?ediatrics?\b|adolescents?|boys|girls)", re.IGNORECASE)
_YOUNG_BEFORE = re.compile(rf"{_YOUNG.pattern}(?: patients| population)?\s*[:,(–-]*\s*$", re.IGNORECASE)
_ADULTS_BEFORE = re.compile(r"\badults?\b[^:;.|\d]{0,40}$", re.IGNORECASE)
_ADULTS_BEHIND = re.compile(r"[^:;.|\d]{0,40}\badults?\b", re.IGNORECASE)
_ADULT = 18
_NOT = re.compile(r"\bnot\b", re.IGNORECASE)


def measured(text: str) -> Iterator[Group]:
    """Measures with their figures: "creatinine clearance of 30 to 50 mL/min"."""
    hinted = hints(text)
    for name, spelled, risk, unit in _measures():
        if f"measures.{name}" not in hinted:
            continue
        for match in spelled.finditer(text):
            said = bounds(match, match["after"] or "") or (_lost(match) if name in _FALLING else ())
            if name == "unheld" or (said and _CHANGE.search(text, 0, match.start())):
                yield Group(match.start(), match.end(), figures=True)
            elif said:
                clause = tuple(read_condition(f"{name} {op} {value} {unit}".strip()) for op, value in said)
                yield Group(match.start(), match.end(), clause, risk, figures=True)


#: Before a measure whose figure is how much it went up: "an increase in serum creatinine of 0.3 mg/dL".
_CHANGE = re.compile(r"\b(?:increases?|rises?|changes?|elevations?) (?:in|of) (?:the )?$", re.IGNORECASE)
#: Measures whose rules are about low values.
_FALLING = frozenset({"crcl", "egfr"})
_BEFORE_FIGURE = re.compile(r"\s*(?:\(\s*)?")


def _lost(match: re.Match[str]) -> Bounds:
    """ "Creatinine clearance 30 mL/min": the sign that stood before the figure did not outlive a conversion."""
    alone = not (match["op1"] or match["n2"] or match["after"]) and bool(match["u1"])
    return (("<", plain(figure(match["n1"]))),) if alone and _BEFORE_FIGURE.fullmatch(match["gap"]) else ()


@cache
def _measures() -> tuple[tuple[str, re.Pattern[str], str, str], ...]:
    glue = any_of(_GLUE)
    found = []
    for name, row in words("populations")["measures"].items():
        units = [*row["units"]]
        named = rf"(?<![A-Za-z]){any_of(row['names'])}(?![A-Za-z])"
        between = rf"(?P<gap>(?:[\s,:=()\[\]*]|{glue}(?![A-Za-z])|{any_of(units or ['(?!)'])}){{0,24}})"
        figures = grammar(units, required=name in ("weight", "creatinine", "potassium", "bilirubin"))
        found.append(
            (
                name,
                pattern(rf"{named}{between}{figures}(?:[\s,.]*+{after()})?"),
                row["risk"],
                row["unit"],
            )
        )
    return tuple(found)


_GLUE = (
    "is", "are", "of", "was", "has", "have", "had", "an", "a", "the", "values?", "levels?", "rates?", "estimated",
    "calculated", "from", "in", "range", "ranging", "ranges", "falls?", "measured", "remains?", "persistently", "e?gfr",
    "clcr", "crcl", "ccr", "cl cr", "cl", "cr", "that", "i\\.e\\.", "patients?", "with",
    "p(?:a)?ediatric", "adult",
)  # fmt: skip


def bare_clearance(text: str) -> Iterator[Group]:
    """A clearance by its unit alone: "renal impairment (< 30 mL/min)"; which one, the words around must say."""
    if not _renal_words().search(text):
        return
    factor, unit = ("egfr", "mL/min/1.73m2") if _filtration().search(text) else ("crcl", "mL/min")
    for match in _clearance().finditer(text):
        said = bounds(match, match["after"] or "")
        if said:
            clause = tuple(read_condition(f"{factor} {op} {value} {unit}") for op, value in said)
            yield Group(match.start(), match.end(), clause, RENAL, figures=True)


@cache
def _clearance() -> re.Pattern[str]:
    units = words("populations")["measures"]["egfr"]["units"]
    rate = r"(?<!rate of )(?<!rate )(?<!at )(?<![\d.,/A-Za-z])"
    return pattern(rf"{rate}{grammar(units, required=True)}(?:[\s,.]*+{after()})?")


@cache
def _renal_words() -> re.Pattern[str]:
    return pattern(r"renal|kidney|clearance|creatinine|glomerular|gfr|crcl|clcr")


@cache
def _filtration() -> re.Pattern[str]:
    return pattern(r"glomerular|gfr")


def bare_weight(text: str) -> Iterator[Group]:
    """A weight by its unit alone: "less than 60 kg | 15 mg/kg/day"."""
    for match in _kilograms().finditer(text):
        if said := bounds(match, match["after"] or ""):
            clause = tuple(read_condition(f"weight {op} {value} kg") for op, value in said)
            yield Group(match.start(), match.end(), clause, "DOSAGE_ERROR", figures=True)


@cache
def _kilograms() -> re.Pattern[str]:
    figures = grammar(words("populations")["measures"]["weight"]["units"], required=True)
    return pattern(
        rf"(?<![\d.,/A-Za-z]){figures}(?!\s*/|[A-Za-z]|\s+weight\s+(?:loss|gain))(?:[\s,.]*+{after()})?(?:\s+(?:of\s+)?body\s+weight)?"
    )


def ages(text: str) -> Iterator[Group]:
    """Ages in figures, where words say that it is an age: "under 18 years of age", "patients over 65"."""
    low, hinted = lowered(text), hints(text)
    if not (_DIGIT.search(text) or "figures.spelled" in hinted) or not any(p.search(low) for p in _AGE_HINTS):
        return
    if "figures.age" not in hinted and not _led().search(low):
        return
    for match in _age().finditer(text):
        unit = _age_unit(match["u2"] or match["u1"] or "")
        aged = match["of"] or _AGED.search(f"{match['op1'] or ''} {match['after'] or ''}")
        lead = match["lead"] or _AGED.search(match["op1"] or "")
        if not (aged or lead) or not (unit or lead):
            continue
        units = [_age_unit(match["u1"] or match["u2"] or "") or "years", unit or "years"]
        said = bounds(match, match["after"] or "", mixed=units[0] != units[1]) or _of_the_old(match, units)
        said = said or _of_the_young(match)
        if not said or (figure(said[-1][1]) > _OLDEST and units[1] == "years"):
            continue
        units = units[-len(said) :]
        lines = [f"age {op} {value} {u}" for (op, value), u in zip(said, units, strict=True)]
        if _open_above(text, match, said, units):
            lines.append("age < 18 years")
        clause = tuple(read_condition(line) for line in lines)
        yield Group(match.start(), match.end(), clause, AGE, figures=True)


def _open_above(text: str, match: re.Match[str], said: Bounds, units: Sequence[str]) -> bool:
    """ "Pediatric patients 6 years and older" are no adults; "adults and children 12 years and older" are."""
    young = _YOUNG.match(match["lead"] or "") or _YOUNG_BEFORE.search(text, 0, match.start())
    if not young or len(said) > 1 or said[0][0] not in (">", ">="):
        return False
    below = units[0] != "years" or figure(said[0][1]) < _ADULT
    return below and not (_ADULTS_BEFORE.search(text, 0, match.start()) or _ADULTS_BEHIND.match(text, match.end()))


def _of_the_old(match: re.Match[str], units: Sequence[str]) -> Bounds:
    """ "In patients 75 years of age": the sign is lost, and of the old nobody means one year alone."""
    alone = match["lead"] and match["of"] and not (match["op1"] or match["n2"] or match["after"])
    old = alone and units[0] == "years" and figure(match["n1"]) >= _OLD
    return ((">=", plain(figure(match["n1"]))),) if old else ()


def _of_the_young(match: re.Match[str]) -> Bounds:
    """ "Children 1 year of age must not": the sign is lost, and what is denied is denied to the younger."""
    alone = match["lead"] and match["of"] and not (match["op1"] or match["n2"] or match["after"])
    young = alone and _CHILDREN.match(match["lead"]) and _NOT.search(match.string)
    return (("<", plain(figure(match["n1"]))),) if young else ()


@cache
def _led() -> re.Pattern[str]:
    """People right before a figure, in small letters: an age without a word for it has to follow them."""
    people = any_of(words("populations")["ages"]["people"])
    number = rf"(?:{NUMBER}|{'|'.join(SPELLED)})"
    return re.compile(
        rf"{people}(?:[\s,(]|who|are|of|is|aged|ages?){{1,16}}(?:between\s+)?(?:{operators()}\s*+)?{number}"
    )


@cache
def _age() -> re.Pattern[str]:
    table = words("populations")["ages"]
    people = rf"(?<![A-Za-z])(?:{any_of(table['people'])}|ages?(?:\s+groups?)?:?|aged)(?![A-Za-z])"
    lead = rf"(?P<lead>{people}(?:[\s,(]|who|are|of|is|aged|ages?){{1,16}})"
    no_unit = r"(?!\s*(?:%|kg|mg|mcg|m[lL]|lb|g\b|units?\b|mm|hours?|weeks?|days?|doses?|times|\d|/|x\b))"
    return pattern(
        rf"{lead}?(?<![\d.,/A-Za-z≥≤<>=]){grammar(table['words'])}(?(u1)|(?(u2)|{no_unit}))"
        rf"(?P<of>[\s-]*+(?:of\s+age|old\b|in\s+age|age\s+group))?(?:[\s,.]*+{after()})?"
    )


def _age_unit(text: str) -> str:
    head = text.strip(" -").lower()[:1]
    return {"y": "years", "m": "months", "w": "weeks", "d": "days"}.get(head, "")
