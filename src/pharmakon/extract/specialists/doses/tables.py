"""Rows of tables as text: cells parted by " | ", each with the heading of its column before a colon.

"Creatinine clearance: 15 to 29 | Usual dose (1 mg): 0.5 mg once daily". Amounts in headings are no doses; nor are those
of a column for other patients, another drug, or those whose organs are sound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pharmakon.extract.claims import Mention, Sentence
from pharmakon.extract.specialists.doses.quantities import Amount
from pharmakon.extract.specialists.doses.steps import capped
from pharmakon.extract.specialists.patients.group import Group
from pharmakon.extract.specialists.rules.statements import of_others
from pharmakon.extract.specialists.wording import cue, pattern

CELL = " | "
_HEADED_ON = re.compile(r"[^|:()]*\)[^|:]{0,40}:\s")
_COLON = re.compile(r":\s")
_MOST = pattern(r"\b(?:max\w*|not (?:to )?exceed\w*|up to)\b")
#: Letters between an amount of another drug and what caps it.
_FAR = 90
_DOSE_OF = pattern(r"\bdos(?:es?|ages?) of (?:the )?$")
_DRUG = pattern(r"\s*(?:drug|agent|medication|medicine|antibiotic|regimen)?s?\s*:?\s*")


def is_row(text: str) -> bool:
    """Whether a sentence is a row of a table."""
    return CELL in text


def cell_of(text: str, at: int) -> tuple[int, int]:
    """The span of the cell that holds a place."""
    start = text.rfind(CELL, 0, at)
    end = text.find(CELL, at)
    return (0 if start < 0 else start + len(CELL)), (len(text) if end < 0 else end)


def heading_of(text: str, amount: Amount | Group) -> str:
    """The heading of the column of an amount or a group; "" outside of tables and where the column has none."""
    if not is_row(text):
        return ""
    start, _ = cell_of(text, amount.start)
    colon = [m.start() for m in _COLON.finditer(text, start, amount.start)]
    return text[start : colon[-1]] if colon else ""


def aside_of_table(text: str, amount: Amount) -> bool:
    """Whether an amount is part of a column's heading, or its column is that of doses in health."""
    if not is_row(text):
        return False
    if text.rfind("(", 0, amount.start) > text.rfind(")", 0, amount.start) and _HEADED_ON.match(text, amount.end):
        return True
    return cue("cues", "limits.healthy").search(heading_of(text, amount)) is not None


def of_neighbour(sentence: Sentence, others: Iterable[Mention], text: str, amount: Amount) -> bool:
    """Whether an amount is another drug's: beside its name, in its row or column, or the cap of an amount that is."""
    listed = list(others)
    if not listed:
        return False
    if of_others(sentence, listed, amount.start, amount.end):
        return True
    if is_row(text):
        start, _ = cell_of(text, amount.start)
        first = cell_of(text, 0)[1]
        heading = heading_of(text, amount)
        for mention in listed:
            at, end = mention.start - sentence.start, mention.end - sentence.start
            if start <= at < start + len(heading):
                return True
            if end <= first and _DRUG.fullmatch(text[:at]) and not re.search(r"[A-Za-z]{3}", text[end:first]):
                return True
    if any(_limited(sentence, text, m, amount) for m in listed):
        return True
    return any(_caps_of(sentence, text, m, amount) for m in listed) or _cap_of_others(sentence, listed, text, amount)


def _limited(sentence: Sentence, text: str, mention: Mention, amount: Amount) -> bool:
    """ "The daily dose of streptomycin should be limited to 10 mg/kg with a maximum of 750 mg"."""
    at, end = mention.start - sentence.start, mention.end - sentence.start
    if not 0 < amount.start - end <= _FAR or not _DOSE_OF.search(text[:at]):
        return False
    return re.search(r"[.;|]\s", text[end : amount.start]) is None


def _caps_of(sentence: Sentence, text: str, mention: Mention, amount: Amount) -> bool:
    """ "5 mg/m2 of dexamethasone orally, to a maximum dose of 20 mg"."""
    end = mention.end - sentence.start
    if not 0 <= amount.start - end <= _FAR or not of_others(
        sentence, [mention], *_dose_before(text, mention, sentence)
    ):
        return False
    between = text[end : amount.start]
    return _MOST.search(between) is not None and not re.search(r"[.;|]", between)


def _dose_before(text: str, mention: Mention, sentence: Sentence) -> tuple[int, int]:
    """Where the letters stand that end right before a mention, if a figure is among them; else nowhere near."""
    at = mention.start - sentence.start
    figure = re.search(r"\d[\w,./ ]{0,16}?(?=(?:\s+of)?\s+$)", text[:at])
    return (figure.start(), figure.end()) if figure else (-1000, -999)


def _cap_of_others(sentence: Sentence, others: list[Mention], text: str, amount: Amount) -> bool:
    before = capped(text, amount)
    return before is not None and of_others(sentence, others, before.start, before.end)
