"""Amounts of drug that are no dose to stay on: steps, starts, loading doses, days of a schedule, doses of need.

What caps such an amount ("initially 10 mg/kg, not to exceed 600 mg") caps nothing else, and is one too.
"""

from __future__ import annotations

import re
from functools import cache

from pharmakon.extract.specialists.doses.quantities import Amount, amounts
from pharmakon.extract.specialists.wording import cue, pattern

#: How far before an amount, in characters, the words may stand that make it a bound or a start.
NEAR, _FAR = 90, 180
_STEP_BEHIND = pattern(
    r"[\s-]*(?:increments?|decrements?|steps?|at (?:weekly|intervals)|"
    r"every (?:\d+|few|other) (?:to \d+ )?(?:days|weeks))"
)
_START_BEHIND = pattern(
    r"\s*(?:(?:is|are) recommended )?(?:as (?:an?|the) )?"
    r"(?:starting|initial|loading|test|first) (?:dose|dosage|infusion)\b"
    r"|[^.;|,\d]{0,20}\b(?:initially|to start|as (?:an? |the )?(?:starting|initial|loading) dose)\b"
)
#: Behind words for a start that stood in brackets: "the maximum (after the loading dose) is".
_CLOSED = re.compile(r"[^(]*\)")
#: After a start, what begins another dose.
_THEN = pattern(
    r"\b(?:then|followed by|increas\w+|titrat\w+|maintenance|target|and (?:should|must|do|may) not)\b"
    r"|;(?!\s*(?:and\s+)?(?-i:for|in)\b)|\.\s"
)
#: The same once the start has had its figure.
#: "25 mg/kg (900 mg maximum)".
_OPEN, _MOST_BEHIND = re.compile(r"\s*\(\s*"), pattern(r"\s*max")
_GROWN = pattern(r"\s*(?:may|can|should) be (?:increas|rais)\w+")
_THEN_MOST = pattern(r"\d[^.;]*\b(?:up to|max\w*)\b")
#: A time of day behind a dose or within its words, and what joins it to the doses of other times.
_TIMED_IN = pattern(
    r"\b(?:at bedtime|in the (?:morning|evening|afternoon)|every (?:morning|evening|night)|nightly|at noon)"
)
_TIMED = pattern(rf"[\s,(]*(?:\w+\s+){{0,2}}{_TIMED_IN.pattern}")
_AND = pattern(r"\b(?:and|with|plus)\s+$")
_AND_MORE = pattern(r"[^.;|\d]{0,40}\b(?:and|with|plus)\s+\d")
_ENDS = re.compile(r";| \| |\.\s|\s{2,}")
_BY = pattern(r"\b(?:increments?|increas\w+|titrat\w+|steps?|reduc\w+|decreas\w+)\s+(?:\w+\s+){0,4}(?:by|of)\b[^.;]*$")
#: An amount that another one is a share or a multiple of: "no more than 25 percent of 40 mg".
_SHARE_OF = pattern(
    r"(?:%|\b(?:percent|half|third|quarter|fifth|tenth|fraction|portion|part|share|multiple|times|double|twice|triple))"
    r"(?:\s+(?:of|that of))?\s+(?:the\s+|an?\s+)?(?:[\w-]+\s+){0,3}$"
)
#: Between an amount and what caps it and nothing else.
_CAPPED = pattern(
    r"[\s,(\[–-]*(?:(?:per dose|daily|per day|once daily|given)[\s,]*)?(?:(?:but|and|generally|with) )*"
    r"(?:not (?:to )?exceed(?:ing)?|up to|to|max(?:imum|\.)?)"
    r"(?: (?:an?|the|of|max(?:imum)?|total|single|daily|initial|dose|dosage))*[\s:]*"
)


def stepping(text: str, amount: Amount) -> bool:
    """Whether an amount is the size of a step, a rate, a strength, or the dose of one day of a schedule."""
    head = head_of(text, amount)
    if _SHARE_OF.search(head):
        return True
    found = list(cue("cues", "limits.step").finditer(head))
    if found and re.fullmatch(r"\s*(?:by|of|in)?\s*up to\s*", head[found[-1].end() :], re.IGNORECASE):
        return True
    if found and not re.search(r"\b(?:to|until|maximum|daily dose|dose of)\b|[.;:]", head[found[-1].end() :]):
        return True
    return _STEP_BEHIND.match(text, amount.end) is not None or _scheduled().search(head) is not None


def stepped_behind(text: str, amount: Amount) -> bool:
    """Whether words around the amount make it what a dose grows or shrinks by."""
    return _STEP_BEHIND.match(text, amount.end) is not None or _BY.search(head_of(text, amount)) is not None


def starting(text: str, amount: Amount) -> bool:
    """Whether an amount is only to start with, or caps one that is."""
    if _START_BEHIND.match(text, amount.end) or _begins(text, amount):
        return True
    before = capped(text, amount)
    return before is not None and (starting(text, before) or stepping(text, before))


def _begins(text: str, amount: Amount) -> bool:
    head = head_of(text, amount, _FAR)
    found = list(cue("cues", "limits.start").finditer(head))
    rest = head[found[-1].end() :] if found else ""
    if _GROWN.match(rest):
        return True  # "the starting dose may be increased to 10 mg"
    return bool(found) and not (_THEN.search(rest) or _THEN_MOST.search(rest) or _CLOSED.match(rest))


def begun(text: str) -> bool:
    """Whether what a line leads to is a start: "The recommended initial dose is:"."""
    found = list(cue("cues", "limits.start").finditer(text))
    return bool(found) and _THEN.search(text, found[-1].end()) is None


def capped(text: str, amount: Amount) -> Amount | None:
    """The amount right before that this one caps: "10 mg/kg (maximum 600 mg)"."""
    earlier = [a for a in amounts(text) if a.end <= amount.start]
    if not earlier:
        return None
    before = _CAPPED.fullmatch(text, earlier[-1].end, amount.start)
    behind = _OPEN.fullmatch(text, earlier[-1].end, amount.start) and _MOST_BEHIND.match(text, amount.end)
    return earlier[-1] if before or behind else None


def needed(text: str, amount: Amount) -> bool:
    """Whether a dose is what some need or would have had, and not what they may have at most."""
    start = max(text.rfind(";", 0, amount.start), text.rfind(" | ", 0, amount.start), 0)
    stop = _ENDS.search(text, amount.end, amount.end + NEAR)
    end = stop.start() if stop else min(len(text), amount.end + NEAR)
    return cue("cues", "limits.needed").search(text, start, end) is not None


def partial(text: str, amount: Amount) -> bool:
    """Whether an amount is one part of a day's dose: "10 mg in the morning and 20 mg at bedtime"."""
    timed = _TIMED.match(text, amount.end)
    if timed is None and not _TIMED_IN.search(text, amount.start, amount.end):
        return False
    return _AND.search(head_of(text, amount)) is not None or _AND_MORE.match(text, amount.end) is not None


def head_of(text: str, amount: Amount, near: int = NEAR) -> str:
    """The words before an amount, of its own cell where it stands in a table."""
    return text[max(0, amount.start - near) : amount.start].rpartition(" | ")[2]


@cache
def _scheduled() -> re.Pattern[str]:
    """ "Days 1 to 3: 50 mg at bedtime", "on day 1 give 200 mg"."""
    return pattern(rf"{cue('cues', 'limits.schedule').pattern}[\s:,|–-]*(?:\w+\s+){{0,3}}$")
