"""Which amounts in a sentence bound a dose: "not to exceed 4 g per day", "doses above 40 mg daily are not recommended".

Steps of titration, doses to start with, loading doses, rates and strengths bound nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from pharmakon.extract.specialists.doses.quantities import Amount, amounts, frequency, limit, per_dose, rate
from pharmakon.extract.specialists.doses.steps import head_of, needed, partial, starting, stepped_behind, stepping
from pharmakon.extract.specialists.doses.tables import aside_of_table
from pharmakon.extract.specialists.wording import cue, pattern
from pharmakon.model.statements import Limit

_NOT_EXCEEDED = pattern(r"[\s,]*(?:daily|per day|a day)?\s*(?:should|must) (?:not|never) be exceeded")
_SELDOM = pattern(
    r"[^.;,]{0,40}\b(?:every (?:other|second|third|\d+|two|three)|once (?:a )?(?:week|month)|weekly|monthly)"
)
_ONCE_DAILY_DOSE = pattern(r"\bmax\w*[\w\s]{0,20}\bonce daily dos(?:e|age)\b[^.;]{0,30}$")
_WHICHEVER = pattern(r"\bwhichever (?:is|rate)\b")
#: What makes a dose without a period one: "as a single dose", "each dose".
_ONE = pattern(r"\b(?:single|each|per|every|one|individual) (?:\w+ )?(?:dose|injection|infusion|administration)")
#: "Up to", save of doses that somebody has had.
_UP_TO = pattern(
    r"(?<!controlled at doses )(?<!controlled on )(?<!controlled with )\bup to\s+(?:an?\s+)?(?:total\s+)?(?:of\s+)?$"
)
#: Behind a dose, that it may grow; before it, that more is spoken of.
_RAISED = pattern(
    r"[^.|]{0,80}\b(?:increas\w+|titrat\w+|escalat\w+|rais\w+)(?! (?:risk|exposure|auc|plasma|monitoring))"
)
_BEYOND = pattern(
    r"\b(?:exceed\w*|above|(?:greater|more|higher|larger|less|smaller) than|below|under|over|in excess of)\s+$"
)
_DAILY_BEHIND = pattern(r"[^.;]{0,20}(?<!twice )(?<!times )(?<!times a )\b(?:daily|per day|a day|/day)\b")
_DIVIDED = pattern(r"[^.;|\d]{0,30}\bdivided doses\b")
_OR = re.compile(r"[\s,]*or[\s,]*", re.IGNORECASE)
#: A maximum right before its amount.
_CLOSE = pattern(
    r"\b(?:exceed\w*|max\w*(?: recommended)?(?: dos(?:e|age)s?)?(?: is| of| should be|:)?)\s*(?:an? dose of\s+)?$"
)
#: A sentence longer than this, in characters, with more than so many amounts is a table run together.
_LONG, _MOST, _CROWDED = 300, 6, 40
_PART = re.compile(r"\d+(?:\.\d+)?")
_FIGURES = re.compile(r"\d+")


def limiting(text: str) -> bool:
    """Whether the text sets an upper bound in so many words."""
    return cue("cues", "limits.sure").search(text) is not None


def run_together(text: str) -> bool:
    """Whether the text is a table whose rows are lost: more amounts than a sentence has."""
    if " | " in text or len(text) < _LONG:
        return False
    return len(_FIGURES.findall(text)) > _CROWDED or len(amounts(text)) > _MOST


def bound(text: str, amount: Amount, alone: bool) -> Limit | None:
    """The bound an amount sets for the group of patients it is given to, if it does.

    `alone`: it is the only amount for them, and so bounds without being called a maximum.
    """
    if stepping(text, amount) or starting(text, amount) or aside_of_table(text, amount) or _either(text, amount):
        return None
    if partial(text, amount) or needed(text, amount):
        return None
    if not _sure(text, amount) and (not alone or _passed(text, amount)):
        return None
    return limit(amount, _period(text, amount) or "dose")


def _either(text: str, amount: Amount) -> bool:
    """Whether the words leave open which of two amounts bounds: "20 mg/day or 40 mg/day, depending on weight"."""
    for other in amounts(text):
        apart = text[amount.end : other.start] if other.start >= amount.end else text[other.end : amount.start]
        differ = limit(other, "dose") != limit(amount, "dose")
        if differ and (other.unit, other.per) == (amount.unit, amount.per) and _OR.fullmatch(apart):
            return True
    return False


def _passed(text: str, amount: Amount) -> bool:
    """Whether a dose that is not called a maximum may be passed, or is not said fully."""
    raised = _RAISED.match(text, amount.end) or _BEYOND.search(head_of(text, amount))
    return raised is not None or _unfilled(text, amount)


def _unfilled(text: str, amount: Amount) -> bool:
    """Whether a range says neither that it is one dose nor of what time it is."""
    timed = amount.per or amount.times or amount.seldom or _period(text, amount)
    return amount.low != amount.high and not timed and _ONE.search(text) is None


def stated(text: str, default: str = "") -> Iterator[tuple[Amount, Limit]]:
    """Amounts the text calls a maximum, with their bounds; what is a step is left out, and what lacks a period.

    `default`: the period that a maximum without one has by what stands around, where that is known.
    """
    found = amounts(text)
    if cue("cues", "limits.told").search(text) and not cue("cues", "limits.ruled").search(text):
        return
    for i, amount in enumerate(found):
        if amount.rate and (fastest := _fastest(text, amount)) is not None:
            yield amount, fastest
            continue
        chained = i > 0 and re.fullmatch(r"[\s,(]*(?:or|and)[\s(]*", text[found[i - 1].end : amount.start])
        if (
            aside_of_table(text, amount)
            or stepping(text, amount)
            or starting(text, amount)
            or not (_sure(text, amount) or _refused(text, amount) or (chained and _sure(text, found[i - 1])))
        ):
            continue
        set_ = _bound(text, amount, default)
        if set_ is not None:
            yield amount, set_


def undated(text: str) -> bool:
    """Whether the text calls an amount a maximum, close by and in so many words, and does not say of what time."""
    return any(
        not (amount.per or amount.times or amount.seldom or amount.parts or _period(text, amount))
        and (_of_doses(text, amount) or _CLOSE.search(head_of(text, amount)) is not None)
        for amount in amounts(text)
    )


def combined(text: str) -> Iterator[tuple[Amount, tuple[Limit, ...]]]:
    """Amounts of a combination that the text calls a maximum, "10/40 mg once daily", as a bound for each part."""
    found = [amount for amount in amounts(text) if amount.parts]
    for amount in found if len(found) == 1 else ():
        if stepping(text, amount) or starting(text, amount):
            continue
        if not (_sure(text, amount) and limiting(text)):
            continue
        figures = [float(f) for f in _PART.findall(text, amount.start, amount.end)][:2]
        parts = [_bound(text, replace(amount, low=f, high=f, parts=False)) for f in figures]
        if set(figures) == {amount.low, amount.high} and all(parts):
            yield amount, tuple(p for p in parts if p is not None)


def _fastest(text: str, amount: Amount) -> Limit | None:
    """The bound that a rate sets: "infusion rates exceeding 15 mg/h are not recommended"."""
    if amount.per != "hour" or needed(text, amount) or _WHICHEVER.search(text, amount.end):
        return None  # by the minute it bounds no amount that an hour or a dose may hold
    said = (_sure(text, amount) and limiting(text)) or _refused(text, amount)
    return rate(amount) if said and not stepped_behind(text, amount) and not starting(text, amount) else None


def of_genotype(text: str) -> bool:
    """Whether a dose is for a genotype, which no condition can say, and not for others in the same list too."""
    genotype = cue("cues", "limits.genotype")
    return bool(genotype.search(text) and genotype.search(cue("cues", "limits.listed").sub("", text)))


def unbounded(text: str) -> bool:
    """Whether the text calls an amount a maximum and does not say for how long."""
    for amount in amounts(text):
        whole = not (amount.rate or amount.parts or stepping(text, amount) or starting(text, amount))
        if whole and _sure(text, amount) and _bound(text, amount) is None:
            return True
    return False


def ranged(text: str) -> Iterator[tuple[Amount, Limit]]:
    """The upper ends of usual ranges: "the usual dosage range is 20 to 40 mg per day"."""
    if cue("cues", "limits.told").search(text):
        return
    for amount in amounts(text):
        if amount.low == amount.high or stepping(text, amount) or starting(text, amount):
            continue
        if _ranging().search(head_of(text, amount)):
            set_ = _bound(text, amount)
            if set_ is not None:
                yield amount, set_


def _bound(text: str, amount: Amount, default: str = "") -> Limit | None:
    period = _period(text, amount) or default or ("dose" if _of_doses(text, amount) else "")
    if period == "dose" and amount.per not in ("day", "week"):
        return per_dose(amount)
    return limit(amount, period)


def _of_doses(text: str, amount: Amount) -> bool:
    """ "Doses above 40 mg are not recommended" bounds every dose."""
    return not (amount.per or amount.times) and (
        _above().search(head_of(text, amount)) is not None or _NOT_EXCEEDED.match(text, amount.end) is not None
    )


def _period(text: str, amount: Amount) -> str:
    """The period of an amount that is written without one: by "daily dose" or "single dose" before it."""
    if amount.per or amount.times:
        return ""
    head = head_of(text, amount)
    behind = text[amount.end : amount.end + 60]
    if _SELDOM.match(behind):
        return "dose"
    single, daily = _last("limits.single", head), _last("limits.daily", head)
    if _ONCE_DAILY_DOSE.search(head):
        return "dose"  # of several a day each may be less, and their sum more
    if single > daily or re.match(r"[\s(]*(?:as a single dose|per dose|at one time|in (?:a|any) single)", behind):
        return "dose"
    if daily >= 0 or _DAILY_BEHIND.match(behind) or _DIVIDED.match(behind):
        return "day"
    return "day" if frequency(text) == 1.0 else ""


def _last(list_: str, head: str) -> int:
    """Where the last of the words of a list stands, -1 where none does."""
    return max((m.start() for m in cue("cues", list_).finditer(head)), default=-1)


def _sure(text: str, amount: Amount) -> bool:
    """Whether words before the amount make it a maximum, with nothing but small words and no other amount between."""
    head = head_of(text, amount)
    found = list(cue("cues", "limits.sure").finditer(head))
    if found:
        between = head[found[-1].end() :]
        if not re.search(r"[;]|\.\s|\d\s*(?:mg|mcg|g|mL)\b|\b(?:dose|dosage)s? (?:above|over)\b", between):
            return True
    return _UP_TO.search(head) is not None


def _refused(text: str, amount: Amount) -> bool:
    """Whether more than the amount is advised against: "doses above 40 mg daily are not recommended"."""
    if _NOT_EXCEEDED.match(text, amount.end):
        return True
    return _above().search(head_of(text, amount)) is not None and _refusing().match(text, amount.end) is not None


@cache
def _refusing() -> re.Pattern[str]:
    return pattern(rf"[^.;]{{0,60}}?{cue('cues', 'limits.refused').pattern}")


@cache
def _above() -> re.Pattern[str]:
    return pattern(rf"{cue('cues', 'limits.above').pattern}\s*$")


@cache
def _ranging() -> re.Pattern[str]:
    return pattern(
        r"\b(?:dos(?:e|age|ing) range|dos(?:e|age)s? (?:usually |generally )?(?:range|ranges|ranging|varies))\b"
        r"[^.;\d]{0,50}$"
    )
