"""Doses that hold beside another drug: "do not exceed 20 mg daily with amlodipine".

A limit becomes a condition on the daily dose. Where the label gives no frequency, or a dose by body weight, the
sentence has no limit that could be checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LIMIT = re.compile(
    r"not (?:to )?exceed|exceeding|limit(?:ed)?\b|no more than|(?:doses?|dosage) (?:greater|higher) than|"
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
