"""What a sentence advises, and which advice and which doses belong to which group of patients."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from pharmakon.extract.specialists.doses.quantities import Amount
from pharmakon.extract.specialists.patients.group import Group
from pharmakon.extract.specialists.wording import any_of, cue, hints, pattern, words

#: Kinds of advice in the order in which they claim words.
_KINDS = ("noise", "unneeded", "unproven", "stop", "avoid", "reduce", "caution", "harm")
_ALIKE = re.compile(
    r"[\s,(]*(?:or|and|and/or|usually)?[\s,]*(?:(?:in|for|with|patients|those)\s+){0,4}(?:an?\s+)?", re.IGNORECASE
)

_CELL = " | "
_ADULTS = re.compile(r"adults?\b[^:|]{0,20}:", re.IGNORECASE)
#: Between a dose and those who have it: "10 mg once daily in patients aged 8 to 10 years".
IN = re.compile(r"(?:\s+(?:orally|once|twice|daily|a day|per day)){0,4}\s+(?:in|for)\s+(?:the\s+)?", re.IGNORECASE)
#: What parts two statements within a sentence.
PART = re.compile(r";|\.\s+[A-Z]")


def part_of(text: str, at: int) -> str:
    """The part of a sentence in which a place lies."""
    start = max((m.end() for m in PART.finditer(text, 0, at)), default=0)
    stop = PART.search(text, at)
    return text[start : stop.start() if stop else len(text)]


@dataclass(frozen=True, slots=True)
class Advice:
    start: int
    end: int
    kind: str


def shares_of(text: str, found: Sequence[Group], doses: Sequence[Amount]) -> dict[Group, list[Amount]]:
    """Which doses belong to which group: those behind it up to the next, or before it where doses come first."""
    doses = [d for d in doses if all(d.end <= g.start or g.end <= d.start for g in found)]
    doses = [d for d in doses if any(not g.end or not _parted(text, d, g) for g in found)]
    shares: dict[Group, list[Amount]] = {g: [] for g in found}
    if not doses or not found:
        return shares
    if len(found) == 1 and _CELL not in text:
        shares[found[0]] = doses
        return shares
    if _CELL in text:
        return {g: _of_row(text, g, found, doses) for g in found}
    dose_first = doses[0].start < found[0].start
    for dose in doses:
        later = [g for g in found if g.start >= dose.end]
        earlier = [g for g in found if g.end <= dose.start]
        ahead = later and (dose_first or IN.fullmatch(text, dose.end, later[0].start))
        group = (later or earlier)[0] if ahead else (earlier or later)[-1]
        shares[group].append(dose)
    _share_alike(text, found, shares)
    return shares


def _of_row(text: str, group: Group, found: Sequence[Group], doses: Sequence[Amount]) -> list[Amount]:
    """The doses of a group in a row of a table: those of its own cell, else those of cells that name nobody else."""
    own = [d for d in doses if _cell(text, d) == _cell(text, group)]
    taken = {_cell(text, g) for g in found}
    others = [d for d in doses if _cell(text, d) not in taken and not _ADULTS.match(_cell_text(text, d))]
    return own or others


def _cell(text: str, place: Group | Amount) -> int:
    return text.count(_CELL, 0, place.start)


def _cell_text(text: str, place: Amount) -> str:
    return text[text.rfind(_CELL, 0, place.start) + 1 :].lstrip(" |")


def _parted(text: str, dose: Amount, group: Group) -> bool:
    """Whether a semicolon or the end of a sentence stands between a dose and a group."""
    between = text[group.end : dose.start] if group.end <= dose.start else text[dose.end : group.start]
    return PART.search(between) is not None


def _share_alike(text: str, found: Sequence[Group], shares: dict[Group, list[Amount]]) -> None:
    """ "CrCl below 30 mL/min or on dialysis: 5 mg": groups joined by a word have the same doses."""
    pairs = list(pairwise(found))
    for first, second in (*reversed(pairs), *pairs):  # from the last of three to the first, and on
        joined = _ALIKE.fullmatch(text[first.end : second.start])
        if joined or (first.start, first.end) == (second.start, second.end):
            both = shares[first] or shares[second]
            shares[first], shares[second] = both, both


def advice_in(text: str) -> list[Advice]:
    """Every piece of advice in the text; one that lies within another is the other's."""
    found: list[Advice] = []
    hinted = hints(text)
    for kind in _KINDS:
        if f"advice.{kind}" not in hinted:
            continue
        for match in cue("cues", f"advice.{kind}").finditer(text):
            if all(match.end() <= a.start or a.end <= match.start() for a in found):
                found.append(Advice(match.start(), match.end(), kind))
    return sorted((a for a in found if a.kind != "noise"), key=lambda a: a.start)


def nearest_advice(text: str, group: Group, advice: Sequence[Advice], far: int) -> Advice | None:
    """The advice that belongs to a group: the nearest one in the same part of the sentence, caution last."""
    cuts = [0, *(m.start() for m in _parts().finditer(text)), len(text) + 1]
    start = max(c for c in cuts if c <= group.start)
    end = min(c for c in cuts if c >= group.end)
    mine = [a for a in advice if start <= a.start < end] or ([*advice] if len(cuts) == 2 else [])
    mine = [a for a in mine if not group.end or _distance(a, group) <= far]
    firm = [a for a in mine if a.kind != "caution"] or mine
    return min(firm, key=lambda a: _distance(a, group), default=None)


@cache
def _parts() -> re.Pattern[str]:
    return pattern(any_of(words("cues")["advice"]["parts"]))


def _distance(a: Advice | Amount, b: Group) -> int:
    return max(a.start - b.end, b.start - a.end)
