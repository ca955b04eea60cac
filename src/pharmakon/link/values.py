"""Figures in notes: laboratory values and body measures, and which figure of a course is today's.

A figure without a unit is used only where the factor is written in one unit everywhere, and only where it is plausible;
"if K > 5.5", "target INR 2-3" and "vitamin K 10 mg" are no values of the patient. Of "75 in 2019, now 26" the last
counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pharmakon.link.context import Sentence, cues, data, is_relatives, spots, stands
from pharmakon.model.errors import BadInput
from pharmakon.model.profile import Interval
from pharmakon.model.units import canonical, convert
from pharmakon.model.vocabulary import factors

_FIGURE = r"\d+(?:[.,]\d+)?"
_NUMBER = rf"(?P<low>{_FIGURE})(?:\s*(?:-|–|to|tot)\s*(?P<high>{_FIGURE}))?"
_UNITS = (
    r"m[lL]/min(?:\s*/\s*1[.,]73\s*m(?:2|²|\^2))?|m[gG]/d[lL]|(?:[uµμ]|micro)mol/[lL]|mmol/[lL]|mmol/mol|mEq/[lL]|meq/l"
    r"|n[gG]/m[lL]|[uµμm]cg/[lL]|[uµμ]g/[lL]|g/d[lL]|g/[lL]|i?[uU]/[lL]|kg|lbs?|cm|ms|msec|%|m(?![\w/])"
)
_NOW = (
    r"currently|current|today|vandaag|now|nu|thans|momenteel|huidige?|latest|last|most recent|recent|laatste"
    r"|meest recente?"
)  # fmt: skip
_AT_HAND = r"today|vandaag|now|nu|currently|thans|momenteel|at present"
_LATER = re.compile(
    rf"^(?P<gap>[^;.]{{0,45}}?)(?:(?P<to>->|→|=>|\bto\b|\bnaar\b)|\b(?:{_NOW})\b)"
    rf"\s*(?:is\s*|at\s*|:\s*)?(?P<sign>[<>]=?)?\s*{_NUMBER}(?![\d/])\s*(?P<unit>{_UNITS})?",
    re.IGNORECASE,
)
_THEN = re.compile(
    rf"^(?P<gap>[^;.]{{0,30}}?)(?<![\d.])(?P<sign>[<>]=?)?\s*{_NUMBER}(?![\d/])\s*(?P<unit>{_UNITS})?\s*\(?(?:{_AT_HAND})\b",
    re.IGNORECASE,
)
#: what may stand between two figures of one course
_GAP = re.compile(
    r"(?:[\s,():–-]+|\b(?:in|on|op|at|was|is|from|van|and|en|but|maar|up|down|omhoog|omlaag|years?|months?|weeks?|days?"
    r"|ago|geleden|jaar|maanden|weken|dagen|last|vorige?|yesterday|gisteren|then|toen|it|rose|risen|fell|fallen|dropped"
    r"|increased|decreased|gestegen|gedaald|steeg|daalde|increasing|declining|\d{1,4})\b)*",
    re.IGNORECASE,
)
_JUST_BEFORE = re.compile(rf"\b(?:{_NOW})\W*$", re.IGNORECASE)
_JUST_AFTER = re.compile(rf"\s*\(?(?:{_AT_HAND})\b", re.IGNORECASE)
_YEAR_AFTER = re.compile(r"\s*\(?(?:in|anno|\()?\s*(?:19|20)\d\d\b(?!\s*-)", re.IGNORECASE)
_HERE = re.compile(rf"\b(?:{_NOW})\b", re.IGNORECASE)
_OTHER_UNIT = re.compile(
    r"\s*(?:mg|g|gr|gram|mcg|µg|ug|ml|l|meq|mmol|tab\w*|caps?\w*|dd|dagen|days?|weeks?|weken|uur|hours?|hrs?|h|minut\w*"
    r"|min|maand\w*|months?|jaar|years?|yrs?|keer|times|units?|ie|iu|st|/)(?:\b|\d)",
    re.IGNORECASE,
)
_OLD = (
    r"(?P<old>previously|formerly|baseline|eerder|voorheen|vroeger|had been|gisteren|yesterday|in (?:19|20)\d\d"
    r"|(?:vorige|last) (?:week|month|maand|year|jaar))\b"
)
_FROM = re.compile(r"\b(?:from|van)\s*$", re.IGNORECASE)
_FEET = re.compile(r"\b(?:height|ht)\b\W{0,3}(?P<ft>[4-7])\s*(?:'|ft|feet|foot)\s*(?P<inch>\d{1,2})?", re.IGNORECASE)
_TAIL_END = re.compile(r";|[.](?!\d)|$")


@dataclass(frozen=True, slots=True)
class Reading:
    """A figure at `start` to `end` of the sentence's text; without a value where it can't be used.

    `current`: the sentence says that it is today's ("now", "latest").
    """

    status: str
    factor: str
    value: Interval | None
    start: int
    end: int
    current: bool = False


@dataclass(frozen=True, slots=True)
class _Row:
    factor: str
    names: tuple[str, ...]  #: as they stand in the text without spaces and hyphens
    pattern: re.Pattern[str]
    unit: str
    low: float
    high: float
    dosed: bool  #: the name is a drug's too: a figure without a unit may be a dose


def readings(sentence: Sentence) -> Iterator[Reading]:
    """Every figure of the sentence that stands beside the name of a factor."""
    text = sentence.text
    if not any(c.isdigit() for c in text):
        return
    if feet := _FEET.search(text):
        height = (int(feet["ft"]) * 12 + int(feet["inch"] or 0)) * 2.54
        said, _ = _standing(sentence, feet)
        yield Reading(said, "height", Interval(height, height), feet.start(), feet.end())
    squashed = re.sub(r"[\s-]+", "", text.casefold())
    for row in _rows():
        if any(name in squashed for name in row.names):
            for match in row.pattern.finditer(text):
                reading = _read(sentence, row, match)
                if reading is not None:
                    yield reading


def _read(sentence: Sentence, row: _Row, match: re.Match[str]) -> Reading | None:
    text = sentence.text
    said, current = _standing(sentence, match)
    tail = _tail(text, match.end())
    later = None if current else _later(tail)
    chosen = later or match
    unit = chosen["unit"] or (match["unit"] if later else None)
    end = match.end() + (later.end() if later else 0)
    if unit is None and _OTHER_UNIT.match(text[end:]):
        return None
    if later:
        said = "family" if said == "family" else "active"
        current = True
    elif said == "active" and not current and _YEAR_AFTER.match(tail):
        said = "history"
    if said == "family":
        return None
    risen = later is None and bool(match["high"]) and _FROM.search(text[match.start() : match.start("low")]) is not None
    value = _interval(chosen, row.factor, unit or row.unit, last=risen)
    if value is None:
        unread = said == "active" and not (row.unit or row.dosed) and float(chosen["low"].replace(",", ".")) > 0
        return Reading(said, row.factor, None, match.start(), end) if unread else None
    if not row.low <= value.low <= row.high:
        return None
    return Reading(said, row.factor, value, match.start(), end, current)


def _tail(text: str, start: int) -> str:
    """What follows a figure, to the end of its clause or the next factor's name."""
    stop = _TAIL_END.search(text, start)
    tail = text[start : stop.start() if stop else len(text)]
    other = _any_name().search(tail)
    return tail[: other.start()] if other else tail


def _later(tail: str) -> re.Match[str] | None:
    """The figure that follows an earlier one as today's: "75 in 2019, now 26", "1.0 -> 2.4", "75, 26 today"."""
    found = _LATER.match(tail)
    if found:
        gap = found["gap"].rstrip()
        last = re.search(r"\w+$", gap)
        if _GAP.fullmatch(gap) or (not found["to"] and not last):
            return found
    found = _THEN.match(tail)
    return found if found and _GAP.fullmatch(found["gap"]) else None


def _standing(sentence: Sentence, match: re.Match[str]) -> tuple[str, bool]:
    """A measured value stands whatever the sentence denies beside it; goals, conditions and old values do not.

    Also whether it is said to be today's.
    """
    start, end = sentence.word_at(match.start()), sentence.word_at(match.end())
    since = max([start - 4, 0, *(c for c in sentence.commas if c <= start)])
    before = sentence.words[since:start]
    after = sentence.words[end : end + 2]
    named = match.groupdict()
    aimed_at = after[:1] in cues("values", "goals") and not after[-1].isdigit()  # "5.6 (target 2-3)" is a value
    if named.get("goal") or aimed_at or stands(spots(sentence.words, "values", "goals"), since, start):
        return "uncertain", False
    if is_relatives(sentence, start, start + 1):
        return "family", False
    text = sentence.text
    lead = text[match.start() : match.start("low")] if "low" in named else ""
    if _JUST_BEFORE.search(text[: match.start()]) or _HERE.search(lead) or _JUST_AFTER.match(text[match.end() :]):
        return "active", True
    if named.get("old") or (before and before[-1:] in cues("values", "old")):
        return "history", False
    return "active", False


def _interval(match: re.Match[str], factor: str, unit: str, *, last: bool = False) -> Interval | None:
    """The value in the factor's unit, or the `last` of a course; None where the unit is missing or impossible."""
    if not unit:
        return None
    given_low = match["high"] if last else match["low"]
    numbers = [float(n.replace(",", ".")) for n in (given_low, match["high"] or given_low)]
    wanted = factors()[factor].unit
    try:
        given = canonical(unit)
        if wanted not in ("1", "ms", given) and not (factor == "egfr" and given == "mL/min"):
            numbers = [convert(n, given, wanted, analyte=factor) for n in numbers]
    except BadInput:
        return None  # "weight 5 ms" is not a weight
    low, high = sorted(numbers)
    sign = match["sign"] or ""
    if "<" in sign:
        return Interval(0, high, open_high=True)
    return Interval(low, float("inf")) if ">" in sign else Interval(low, high)


@cache
def _rows() -> tuple[_Row, ...]:
    said = "|".join(
        (
            r"level|value|geschat|estimated|berekend|calculated|was|is|of|last|laatste|now|nu|currently|today|vandaag",
            r"approx\w*\.?|around|about|from|van|spiegel|stable|stabiel|bedraagt|rose|increased|decreased|fell|risen|steeg",
            r"daalde|gestegen|gedaald|to|up|down|naar|at|:|=|~|ca\.?|\(|\)|\+|\.(?=\s)|latest|recent|thans|momenteel",
            r"(?:by|per|volgens|with) (?:cockcroft[\s-]*gault|ckd-?epi|mdrd)|ckd-?epi|mdrd|cockcroft[\s-]*gault|c-?g",
            _OLD,
            r"(?P<goal>target|goal|aim|streef\w*|doel|normal(?: range)?|normaal|norm|ref(?:erence)?(?: range)?)\b",
        )
    )
    filler = rf"\s*(?:(?:{said})\s*)*"
    found: list[_Row] = []
    for row in data()["value"]:
        text = (
            r"(?<![\w-])(?<!vitamin )(?<!vitamine )(?<!vit )(?<!vit\. )(?<!urine )(?<!urinary )"
            rf"(?:{_names(row['words'])})(?![\w]){filler}(?P<sign>[<>]=?)?\s*{_NUMBER}(?!\d)(?:\s*(?P<unit>{_UNITS}))?"
        )
        low, high = row.get("between", (0.0, float("inf")))
        squashed = tuple(re.sub(r"[\s-]+", "", w.casefold()) for w in row["words"])
        pattern = re.compile(text, re.IGNORECASE)
        dosed = row.get("dosed", False)
        found.append(_Row(row["factor"], squashed, pattern, row["unit"], float(low), float(high), dosed))
    return tuple(found)


@cache
def _any_name() -> re.Pattern[str]:
    """Any factor's name, where another figure's course may begin."""
    words = [w for row in data()["value"] for w in row["words"]]
    return re.compile(rf"(?<![\w-])(?:{_names(words)})(?!\w)", re.IGNORECASE)


def _names(words: list[str]) -> str:
    return "|".join(re.escape(w).replace(r"\ ", r"[\s-]*") for w in sorted(words, key=len, reverse=True))
