"""The deterministic proposer: word lists, and the form `quantity comparison figure unit` for what no list knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pharmakon.extract.claims import Sentence
from pharmakon.extract.refinement.found import Found, Gap, words
from pharmakon.extract.refinement.overlap import said_already
from pharmakon.extract.specialists.wording import NUMBER, any_of, pattern, without_references
from pharmakon.model.concepts import kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.refinement import Entry, entry_of
from pharmakon.model.units import dimension

_FIGURE = rf"(?:{NUMBER}(?:\s*(?:to|-|–|and|or)\s*{NUMBER})?)"
_LONGEST_NAME = 3  #: words of a measured quantity's name, for the generic reading


@dataclass(frozen=True, slots=True)
class _Cue:
    """An entry and the words that ask for it. `needs`: kinds of which the sentence must name a concept, if any."""

    entry: Entry
    why: str
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    needs: frozenset[str] = frozenset()


class PatternProposer:
    """`found.Proposer` without a model; the same sentences always give the same gaps."""

    def read(self, sentences: Sequence[Sentence]) -> Found:
        return Found(tuple(gap for sentence in sentences for gap in self.gaps(sentence)))

    def gaps(self, sentence: Sentence) -> Iterator[Gap]:
        """Each gap of the sentence once; what the schema says already is none."""
        text = without_references(sentence.text)
        if _told().search(text):
            return
        found: set[str] = set()
        for cue in _cues():
            if cue.entry.name not in found and _asks(cue, sentence, text) and not said_already(cue.entry):
                found.add(cue.entry.name)
                yield Gap(cue.entry, cue.entry.name, cue.why, sentence)
        if not found:
            yield from _generic(sentence, text)


def _asks(cue: _Cue, sentence: Sentence, text: str) -> bool:
    if not cue.pattern.search(text) or (cue.unless is not None and cue.unless.search(text)):
        return False
    return not cue.needs or any(kind_of(c) in cue.needs for m in sentence.mentions for c in m.concepts)


def _generic(sentence: Sentence, text: str) -> Iterator[Gap]:
    """`quantity comparison figure unit` where the quantity is none of the lists."""
    seen: set[str] = set()
    for match in _measured().finditer(text):
        name = _name(match["name"])
        unit = next(u for u, spelled in _spellings().items() if spelled.fullmatch(match["unit"]))
        if not name or not _valued(name[-1], unit):
            continue
        # "chronic creatinine clearance" is a creatinine clearance
        entries = [_number(name[at:], unit) for at in range(len(name) - 1)]
        entry = entries[0]
        if entry is not None and entry.name not in seen and not any(e and said_already(e) for e in entries):
            seen.add(entry.name)
            pattern = f"{' '.join(name)} [{dimension(unit)}]"
            yield Gap(entry, pattern, "a boundary on what no factor measures", sentence)


def _name(written: str) -> list[str]:
    """The words of a measured quantity's name, without what leads up to it; empty where too little is left."""
    heads = words("gaps")["heads"]
    name = written.casefold().replace("-", " ").split()
    while name and name[0] in heads["drop"]:
        name.pop(0)
    name = name[-_LONGEST_NAME:]
    if len(name) < 2 or " ".join(name).endswith(tuple(heads["never"])) or any(word in heads["drop"] for word in name):
        return []
    return name


def _number(name: Sequence[str], unit: str) -> Entry | None:
    """None where the words make no name for a factor."""
    key = re.sub(r"[^a-z0-9]+", "_", " ".join(name)).strip("_")
    try:
        return entry_of("factor", key, {"shape": "number", "label": " ".join(name), "unit": unit})
    except BadInput:
        return None


def _valued(head: str, unit: str) -> bool:
    """Whether such a thing is measured in such a unit: a rate that falls by 25% is not a rate of 25%."""
    heads, measured = words("gaps")["heads"], dimension(unit)
    if measured == "time":
        return head.rstrip("s") in heads["timed"]
    return measured != "fraction" or head.rstrip("s") in heads["percent"]


# ── the lists as patterns ──────────────────────────────────────────────────────────────────────────


@cache
def _cues() -> tuple[_Cue, ...]:
    table = words("gaps")
    return (
        *(_quantity(key, row) for key, row in table["quantities"].items()),
        *(_state(key, row) for key, row in table["states"].items()),
        *(_relation(key, row) for key, row in table["relations"].items()),
    )


def _quantity(key: str, row: Mapping[str, Any]) -> _Cue:
    body = {"shape": "number", "label": row["label"], "unit": row["unit"], "of": row.get("of", "patient")}
    units = row.get("units") or [u for u in words("gaps")["units"] if _same(u, row["unit"])]
    unit = _spelled(units)
    if "names" in row:
        expression = rf"{any_of(row['names'])}[\s,:]*{_between()}\s*{_FIGURE}[\s-]*{unit}"
    else:
        filled = (
            p.replace(" ?", r"[\s-]*").replace(" ", r"[\s-]+").replace("{n}", _FIGURE).replace("{u}", unit)
            for p in row["patterns"]
        )
        expression = "(?:" + "|".join(filled) + ")"
    why = f"a boundary on the {row['label']}, which no factor measures"
    return _Cue(entry_of("factor", key, body), why, _whole(expression), _unless(row))


def _state(key: str, row: Mapping[str, Any]) -> _Cue:
    body = {field: row[field] for field in ("shape", "label", "levels", "of") if field in row}
    why = f"a condition on “{row['label']}”, which no factor asks about"
    return _Cue(entry_of("factor", key, body), why, _whole(any_of(row["words"])), _unless(row))


def _relation(key: str, row: Mapping[str, Any]) -> _Cue:
    body = {"domain": row["domain"], "range": row["range"], "stratum": "G", "symmetric": row.get("symmetric", False)}
    why = f"a connection “{key.replace('_', ' ')}”, which no edge says"
    return _Cue(
        entry_of("relation", key, body), why, _whole(any_of(row["words"])), _unless(row), frozenset(row["needs"])
    )


def _unless(row: Mapping[str, Any]) -> re.Pattern[str] | None:
    return _whole(any_of(row["not"])) if "not" in row else None


def _whole(expression: str) -> re.Pattern[str]:
    return pattern(rf"(?<![A-Za-z]){expression}")


def _same(unit: str, wanted: str) -> bool:
    """Ratios are told apart by their own unit: a percentage is no multiple of a limit."""
    measured = dimension(unit)
    return unit == wanted if measured == "fraction" else measured == dimension(wanted)


def _spelled(units: Sequence[str]) -> str:
    return any_of(p for u in units for p in words("gaps")["units"][u]) + r"(?![A-Za-z/²³])"


@cache
def _spellings() -> Mapping[str, re.Pattern[str]]:
    return {unit: pattern(any_of(spelled)) for unit, spelled in words("gaps")["units"].items()}


@cache
def _between() -> str:
    """One comparison at least, and what may stand about it."""
    compare = words("gaps")["compare"]
    signs = [re.escape(w) for w in compare["words"] if not w[0].isalpha()]
    spoken = [w for w in compare["words"] if w[0].isalpha()]
    filler = rf"(?:{any_of(compare['filler'])}[\s,]+)"
    compared = rf"(?:(?:{any_of(spoken)}(?![A-Za-z])|{'|'.join(signs)})[\s,]*)"
    return rf"{filler}{{0,4}}{compared}(?:{filler}|{compared}){{0,5}}"


@cache
def _measured() -> re.Pattern[str]:
    heads = any_of(f"{w}s?" for w in words("gaps")["heads"]["words"])
    unit = _spelled(tuple(words("gaps")["units"]))
    return _whole(
        rf"(?P<name>(?:[A-Za-z][A-Za-z'-]*\s+){{1,3}}{heads})[\s,:]*{_between()}\s*{_FIGURE}[\s-]*(?P<unit>{unit})"
    )


@cache
def _told() -> re.Pattern[str]:
    return pattern(rf"(?<![A-Za-z]){any_of(words('gaps')['told']['words'])}(?![A-Za-z])")
