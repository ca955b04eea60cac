"""Figures that hold beside another drug: "do not exceed 20 mg daily with amlodipine", "within 14 days of an MAOI".

A limit becomes a condition on the daily dose. Where the label gives no frequency, or a dose by body weight, the
sentence has no limit that could be checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LIMIT = re.compile(
    r"not (?:to )?exceed|exceeding|limit(?:ed)?\b|no more than|(?:doses?|dosage) (?:greater|higher) than|"
    r"(?:avoid|(?:should|must|do) not)\b[^.;:|]{0,50}?\b(?:more than|in excess of|above|over)|"
    r"max(?:imum|\.)?\s+(?:recommended\s+)?(?:daily\s+|total\s+)*dos\w+",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?P<value>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s*(?P<unit>mg|mcg|g)\b(?!\s*/\s*(?:kg|m2|m²|mL|L)\b)", re.IGNORECASE
)
_DAILY = re.compile(r"\b(?:daily dos\w+|total daily)\b", re.IGNORECASE)
_TWICE = re.compile(r"\btwice\b|\bbid\b|\btwo times\b|every 12 hours", re.IGNORECASE)
_THRICE = re.compile(r"\bthree times\b|\btid\b|every 8 hours|every other", re.IGNORECASE)
_PER_MG = {"mg": 1.0, "mcg": 0.001, "g": 1000.0}
_REACH = 80


@dataclass(frozen=True, slots=True)
class DoseLimit:
    """`value` mg a day at most; `start` and `end` are where the amount stands in the sentence."""

    value: float
    start: int
    end: int


def daily_limit(text: str) -> DoseLimit | None:
    """The one daily limit that a sentence sets; None where it sets none, several, or one that is not a day's dose.

    >>> daily_limit("Do not exceed 20 mg of zorfan daily with kelpin.")
    DoseLimit(value=20.0, start=14, end=19)
    """
    found: dict[float, DoseLimit] = {}
    for cue in _LIMIT.finditer(text):
        for amount in _AMOUNT.finditer(text, cue.end(), min(len(text), cue.end() + _REACH)):
            after = text[amount.end("unit") : amount.end("unit") + 40].split(";")[0]
            before = text[max(0, cue.start() - 60) : amount.start()]
            if _THRICE.search(after):
                return None
            times = 2.0 if _TWICE.search(after) else 1.0
            daily = times == 2.0 or re.search(r"\b(?:day|daily|24|night|qd)\b", after) or _DAILY.search(before)
            if not daily:
                continue
            value = float(amount["value"].replace(",", "")) * _PER_MG[amount["unit"].lower()] * times
            found.setdefault(value, DoseLimit(value, amount.start(), amount.end("unit")))
            break
    return next(iter(found.values())) if len(found) == 1 else None


_SPAN = re.compile(
    r"(?:within|at least|a minimum of|for|less than|allow(?:ing)?)\s+"
    r"(?:the\s+(?:last|past|previous|preceding|first)\s+)?"
    r"(?:(?P<value>\d{1,3})|(?P<word>one|two|three|four|five|six|seven|ten|fourteen))(?:\s*\([^)]{1,12}\))?[\s-]+"
    r"(?P<unit>hour|day|week|month)s?\b",
    re.IGNORECASE,
)
_WORDS = {w: n for n, w in enumerate(["one", "two", "three", "four", "five", "six", "seven"], 1)} | {
    "ten": 10,
    "fourteen": 14,
}
_IN_DAYS = {"hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0}
#: What a number of days before or after a drug is said with. Without one it may be how long a trial lasted.
_WASHOUT = re.compile(
    r"stopp(?:ing|ed)|discontinu(?:ing|ation|ed)|terminat(?:ing|ion)|cessation|elapse|to or from|"
    r"one another|each other|last dose|within[\w\s()-]{0,24}\b(?:days?|weeks?|hours?)"
    r"[\w\s()-]{0,12}\bof\b|have (?:taken|received|been treated)|wash-?out|prior (?:use|treatment)|before (?:starting|"
    r"initiat|beginning)|not be (?:used|given|administered|taken|initiated|started)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Washout:
    """`days` between the end of one drug and the start of the other; `start`, `end`: where the span stands."""

    days: float
    start: int
    end: int


def washout(text: str) -> Washout | None:
    """The one span that a sentence wants between the end of a drug and the start of another, of a day or more.

    None where there are several. Hours between two doses are no such span: both drugs go on.

    >>> washout("Do not use within 14 days of stopping zorfan.").days
    14.0
    """
    if not _WASHOUT.search(text):
        return None
    found: dict[float, Washout] = {}
    for span in _SPAN.finditer(text):
        number = float(span["value"]) if span["value"] else float(_WORDS[span["word"].lower()])
        days = number * _IN_DAYS[span["unit"].lower()]
        if days >= 1:
            found.setdefault(days, Washout(days, span.start(), span.end()))
    return next(iter(found.values())) if len(found) == 1 else None
