"""Doses in running text: "10 mg twice daily", "2.5 to 10 mg/kg every 8 hours", "1,000 units per week".

An amount keeps the upper end of a range, because limits are upper bounds. Concentrations (mg/mL), ratios of a
combination (10/40 mg) and rates (mcg/kg/min) are told apart from doses; what is counted in tablets or measured in
millilitres has no amount of drug and is found by `counted`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from pharmakon.extract.curated.expressions import read_limit
from pharmakon.extract.specialists.wording import NUMBER, REMEMBERED, any_of, cue, figure, pattern, plain, words
from pharmakon.model.statements import Limit
from pharmakon.model.units import convert, dimension

_WEEK = 7.0
#: Before a range that is a step downwards.
_FALLING = pattern(r"\b(?:reduc|decreas|lower)\w*(?:\s+\w+){0,6}?\s+from\s+$")
#: A tube is weighed with all that it holds.
_OF_PRODUCT = pattern(r"tubes?")
#: Behind an amount, the volume that it is dissolved in: "2 mg in 2 mL".
_DISSOLVED = pattern(rf"\s+in\s+(?:an?\s+)?{NUMBER}(?:\s*(?:to|-|–)\s*{NUMBER})?\s*(?:m[lL]|cc|milliliters?|liters?)\b")
#: A sign that belongs to a figure: "a change of -5 mg".
_NEGATIVE = re.compile(r"(?:^|[\s(])[-−]$")
#: Letters before a strength in which a number of pieces may stand.
_COUNT = 16


@dataclass(frozen=True, slots=True)
class Amount:
    """A dose as written at `start` to `end` (exclusive) of a text.

    `per` is the period that stands in it ("mg/day" → day, "mg per dose" → dose), "" where none does; `times` how often
    a day it is given, 0 where that is not said. `parts` is True for "10/40 mg", the doses of two ingredients.
    """

    start: int
    end: int
    low: float
    high: float
    unit: str
    per: str = ""
    times: float = 0.0
    seldom: bool = False
    parts: bool = False

    @property
    def rate(self) -> bool:
        """Whether it is given by the minute or hour, or over a span no limit speaks of."""
        return self.per in ("minute", "hour", "month")


@lru_cache(REMEMBERED)  # asked several times about one sentence
def amounts(text: str) -> tuple[Amount, ...]:
    """Every dose in `text`, in order."""
    if not _figure_and_unit().search(text):
        return ()  # begins with a digit, to which a search can leap; `_amount` tries every letter
    found: list[Amount] = []
    for match in _amount().finditer(text):
        unit = _unit(match["unit"]) or _unit(match["first"] or "")
        if not unit or (found and match.start() < found[-1].end):
            continue
        high = figure(match["high"])
        low = figure(match["low"]) if match["low"] else high
        first = _unit(match["first"] or "")
        if first and first != unit:
            if dimension(first) != dimension(unit):
                continue
            low = convert(low, first, unit)
        if match["low"] and high < low and _FALLING.search(text, 0, match.start()):
            low = high  # "reduced from 5 mg/kg to 3 mg/kg"
        end, basis, per = _denominators(text, match.end())
        if basis is None:
            continue
        start, piece = match.start(), _strength().match(text, end)
        if piece:  # "two 20 mg tablets daily" are 40 mg, "20 mg tablets" are no dose
            whole = match["low"] or basis or per or _OF_PRODUCT.search(piece[0])
            counted_ = None if whole else _pieces().search(text, max(0, start - _COUNT), start)
            if counted_ is None:
                continue
            start, end = counted_.start(), piece.end()
            low = high = high * figure(counted_["count"])
        if unit == "megaunit":
            low, high, unit = low * 1e6, high * 1e6, "unit"
        times, per, seldom, end = _given(text, end, per)
        if high <= 0 or _NEGATIVE.search(text, 0, match.start()):
            continue
        unit = f"{unit}/{basis}" if basis else unit
        parts = match["sign"] is not None and "/" in match["sign"]
        found.append(Amount(start, end, min(low, high), max(low, high), unit, per, times, seldom=seldom, parts=parts))
    return tuple(found)


def limit(amount: Amount, default: str = "") -> Limit | None:
    """The upper bound that an amount and its frequency make: 75 mg twice daily → 150 mg per day.

    None where no period is known, `default` (dose, day or week) included, or where it is a rate.

    >>> str(limit(amounts("75 mg twice daily")[0]))
    '150 mg per day'
    """
    if amount.rate or amount.parts or amount.seldom:
        return None
    if amount.per in ("day", "week"):
        return _limit(amount.high, amount.unit, amount.per)
    if amount.times >= 1:
        return _limit(amount.high * amount.times, amount.unit, "day")
    if amount.times:
        return _limit(amount.high * amount.times * _WEEK, amount.unit, "week")
    per = amount.per or default
    return _limit(amount.high, amount.unit, per) if per else None


def per_dose(amount: Amount) -> Limit | None:
    """The upper bound of one dose, where the amount is one dose."""
    if amount.rate or amount.parts or amount.per in ("day", "week"):
        return None
    return _limit(amount.high, amount.unit, "dose")


def rate(amount: Amount) -> Limit | None:
    """The upper bound of a rate, by the hour; None for what is no rate.

    >>> str(rate(amounts("10 mcg/kg/min")[0]))
    '0.6 mg/kg per hour'
    """
    if amount.parts or amount.per not in ("hour", "minute"):
        return None
    return _limit(amount.high * (60 if amount.per == "minute" else 1), amount.unit, "hour")


def frequency(text: str) -> float:
    """How often a day the text says, if it says one thing only; else 0."""
    said = {_times(m) for m in _frequency().finditer(text)} - {None}
    return next(iter(said)) or 0.0 if len(said) == 1 else 0.0


def named_frequency(text: str) -> bool:
    """Whether the text says how often anything is given."""
    return _frequency().search(text) is not None or cue("quantities", "seldom.words").search(text) is not None


def counted(text: str) -> re.Match[str] | None:
    """A number of tablets, drops or millilitres."""
    return _counted().search(text)


def _limit(value: float, unit: str, per: str) -> Limit:
    return read_limit(f"{plain(value)} {unit} per {per}")


def _denominators(text: str, at: int) -> tuple[int, str | None, str]:
    """What follows a unit: (end, basis or "", period or ""); the basis is None for a concentration."""
    basis = per = ""
    while match := _denominator().match(text, at):
        if match["basis"]:
            basis = "m2" if match["basis"][0] in "mMsS" else "kg"
        elif match["period"]:
            per = _period(match["period"])
        at = match.end()
    if _DISSOLVED.match(text, at):
        return at, None, ""
    if re.match(r"\s*/\s*[A-Za-z\d]|\s+per\s+(?:m[lL]|tablet|capsule|vial|liter|g\b|puff|spray|actuation)", text[at:]):
        return at, None, ""
    return at, basis, per


def _given(text: str, at: int, per: str) -> tuple[float, str, bool, int]:
    """How often what ends at `at` is given: (times a day, period, seldom, end)."""
    if per in ("day", "week", "hour", "minute"):
        return 0.0, per, False, at
    match = _after().match(text, at)
    if not match:
        return 0.0, per, False, at
    if match["seldom"]:
        return 0.0, per, True, match.end()
    times = _times(match) or 0.0
    # "600 mg daily" and "600 mg in divided doses a day" are the day's dose, "600 mg once daily" is a dose
    said = (match["frequency"] or "every").lower()
    if times == 1.0 and not said.startswith(("once", "one", "q", "every")):
        return 0.0, "day", False, match.end()
    weekly = re.fullmatch(r"(?:weekly|per week|a week|/week)", said)
    return (0.0, "week", False, match.end()) if weekly else (times, per, False, match.end())


def _times(match: re.Match[str]) -> float | None:
    """Times a day of a match of the frequency pattern."""
    found = match.groupdict()
    if found["hours"]:
        return 24.0 / figure(found["hours"])
    said = found["frequency"]
    for table, days in (("frequencies", 1.0), ("weekly", _WEEK)):
        for times, spelled in _spellings(table):
            if spelled.fullmatch(said):
                return times / days
    return None


@cache
def _spellings(table: str) -> tuple[tuple[float, re.Pattern[str]], ...]:
    return tuple((float(times), pattern(any_of(list_))) for times, list_ in words("quantities")[table].items())


def _unit(text: str) -> str:
    return next((name for name, spelled in _units() if spelled.fullmatch(text.strip())), "")


@cache
def _units() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, pattern(any_of(list_))) for name, list_ in words("quantities")["units"].items())


def _period(text: str) -> str:
    return next(name for name, spelled in _periods() if spelled.fullmatch(text.strip()))


@cache
def _periods() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, pattern(any_of(list_))) for name, list_ in words("quantities")["periods"].items())


def _any_unit() -> str:
    return any_of(p for list_ in words("quantities")["units"].values() for p in list_)


@cache
def _figure_and_unit() -> re.Pattern[str]:
    return pattern(rf"\d(?:\s|-)*{_any_unit()}(?![A-Za-z\d])")


@cache
def _amount() -> re.Pattern[str]:
    unit = _any_unit()
    # "150 mg/day or 3 mg/kg/day" are two amounts, "150 mg/day to 300 mg/day" is one
    sign = r"(?P<sign>\s*(?:-|–|—|‑|to|up\s+to)\s*|(?(per)(?!)|\s*(?:or|/|and)\s*))"
    low = rf"(?P<low>{NUMBER})\s*(?P<first>{unit})?(?P<per>\s*(?:/|per)\s*(?:kg|m2|m²|day|dose))*{sign}"
    return pattern(rf"(?<![\d.,/A-Za-z])(?:{low})?(?P<high>{NUMBER})(?:\s|-)*(?P<unit>{unit})(?![A-Za-z\d])")


@cache
def _denominator() -> re.Pattern[str]:
    basis = any_of(p for list_ in words("quantities")["basis"].values() for p in list_)
    period = any_of(p for list_ in words("quantities")["periods"].values() for p in list_)
    return pattern(rf"\s*(?:/|\bper\b)\s*(?:a\s+|each\s+)?(?:(?P<basis>{basis})|(?P<period>{period}))(?![A-Za-z\d])")


def _frequencies() -> str:
    table = words("quantities")
    listed = [p for name in ("frequencies", "weekly") for list_ in table[name].values() for p in list_]
    number = r"(?P<hours>\d{1,2})"
    hourly = rf"(?:every|each|q\.?)\s*{number}(?:\s*(?:to|-|–|or)\s*\d{{1,2}})?\s*-?\s*(?:hours?|hrs?|h)"
    return rf"(?:{hourly}|(?P<frequency>{any_of(listed)}))(?![A-Za-z])"


@cache
def _frequency() -> re.Pattern[str]:
    return pattern(rf"(?<![A-Za-z]){_frequencies()}")


@cache
def _after() -> re.Pattern[str]:
    between = rf"(?:[\s,]*\(?{any_of(words('quantities')['between']['words'])}(?![A-Za-z]))"
    seldom = any_of(words("quantities")["seldom"]["words"])
    aside = r"(?:\s*\((?!\s*(?:max|not|up\b|initial|start))[^()|]{0,80}\))?"  # "200 mg (one 200 mg tablet) twice daily"
    return pattern(rf"{between}{{0,3}}{aside}{between}{{0,6}}[\s,(]*(?:(?P<seldom>{seldom})|{_frequencies()})")


@cache
def _strength() -> re.Pattern[str]:
    return pattern(rf"\s*-?\s*{any_of(words('quantities')['strength']['words'])}(?![A-Za-z])")


@cache
def _pieces() -> re.Pattern[str]:
    """How many pieces of a strength, right before it: "two 20 mg tablets"."""
    return pattern(r"(?<![\d.,/-])(?<!or )(?<!to )\b(?P<count>[1-9]|one|two|three|four)\s+(?:of the\s+)?$")


@cache
def _counted() -> re.Pattern[str]:
    return pattern(rf"(?<![\d.,])(?:{NUMBER}|one|two|three|four)\s+{any_of(words('quantities')['counted']['words'])}\b")
