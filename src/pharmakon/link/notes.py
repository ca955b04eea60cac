"""Notes → facts: conditions, stages, values, states, allergies and intolerances with their reaction.

Every fact carries the words it came from and a status: active, history, uncertain, refuted or family. The cues and
their reach are ConText's; the longest cue before or after a mention, within its scope, decides.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from pharmakon.link.conditions import ALLERGENS, CONDITIONS
from pharmakon.link.names import Finder, concept_ids, join, pieces
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.profile import Interval
from pharmakon.model.units import canonical, convert
from pharmakon.model.vocabulary import factors

_SENTENCE = re.compile(r"(?<![A-Z])(?<!\be\.g)(?<!\bi\.e)(?<!\bDr)(?<!\bca)[.;!?](?=\s|$)|[\n\r•]+")
_STAGE = re.compile(
    r"\b(?:ckd|(?:chronic )?kidney disease|(?:chronische )?nierinsuffici[eë]ntie|renal impairment)"
    r"\s*\(?\s*(?:stage|stadium|graad|grade|g)?\s*(?P<stage>3a|3b|[1-5]|iv|iii|ii|i|v)\b",
    re.IGNORECASE,
)
_CHILD_PUGH = re.compile(
    r"\bchild[\s-]*(?:turcotte[\s-]*)?pugh\s*(?:class|klasse|score)?\s*(?P<level>[abc])\b", re.IGNORECASE
)
_TRIMESTER = re.compile(
    r"\b(?P<n>1|2|3|first|second|third|1st|2nd|3rd|eerste|tweede|derde)\s*(?:e|de|ste)?\s*trimester\b", re.IGNORECASE
)
_WEEKS = re.compile(
    r"\b(?P<weeks>\d{1,2})\s*(?:weeks?|wk|weken)\s*(?:pregnant|gestation|zwanger|amenorr)", re.IGNORECASE
)
_NUMBER = r"(?P<low>\d+(?:[.,]\d+)?)(?:\s*(?:-|–|to|tot)\s*(?P<high>\d+(?:[.,]\d+)?))?"
_UNIT = (
    r"\s*(?P<unit>m[lL]/min(?:/1[.,]73\s*m(?:2|²|\^2))?|m[gG]/d[lL]|[uµμ]mol/[lL]|mmol/[lL]|mEq/[lL]|meq/l|ng/m[lL]"
    r"|kg|lbs?|cm|ms|msec|%)?"
)
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5"}
_ORDINALS = {
    "first": "1",
    "1st": "1",
    "eerste": "1",
    "second": "2",
    "2nd": "2",
    "tweede": "2",
    "third": "3",
    "3rd": "3",
    "derde": "3",
}
#: KDIGO stages as eGFR ranges, mL/min/1.73 m².
CKD_STAGES = {
    "1": Interval(90, 200), "2": Interval(60, 90, True), "3": Interval(30, 60, True), "3a": Interval(45, 60, True),
    "3b": Interval(30, 45, True), "4": Interval(15, 30, True), "5": Interval(0, 15, True),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NoteFact:
    """`kind`: condition, factor, allergy, intolerance, or "no allergies". `words` are the sentence's own."""

    kind: str
    status: str
    words: str
    concept: ConceptId | None = None
    factor: str = ""
    value: Interval | frozenset[str] | None = None
    reaction: str = ""


def read_notes(notes: Sequence[str], finder: Finder) -> tuple[NoteFact, ...]:
    """Every fact of the notes, in order. What says nothing we can use gives nothing."""
    found: list[NoteFact] = []
    for note in notes:
        for sentence in _sentences(note):
            found += _read_sentence(sentence, finder)
    return tuple(dict.fromkeys(found))


def _sentences(note: str) -> Iterator[str]:
    for part in _SENTENCE.split(note):
        if part and part.strip():
            yield part.strip()


def _read_sentence(sentence: str, finder: Finder) -> Iterator[NoteFact]:
    allergy_facts = list(_allergies(sentence, finder))
    yield from allergy_facts
    yield from _stages(sentence)
    yield from _values(sentence)
    yield from _states(sentence)
    words = pieces(fold(sentence))
    for match in finder.find(sentence, CONDITIONS):
        ids = concept_ids(match)
        if len(ids) != 1 or _within_allergy(match.text, allergy_facts):
            continue
        if match.start and words[match.start - 1] in _changers():
            continue
        if all(_abbreviation(name.text) and name.text not in sentence for _, name in match.concepts):
            continue  # "haalt medicatie af" is not AF
        status = _status(words, match.start, match.end)
        if status == "history" and ids[0] in _lasting():
            status = "active"
        yield NoteFact("condition", status, _words(sentence), ids[0])


def _abbreviation(name: str) -> bool:
    """A name in capitals, which is meant only where it is written in capitals."""
    return len(name) <= 5 and name.isascii() and name.isupper()


def _within_allergy(text: str, facts: Sequence[NoteFact]) -> bool:
    return bool(facts) and ("allerg" in text or text in {fold(r) for r in _data()["allergies"]["reactions"]})


def _stages(sentence: str) -> Iterator[NoteFact]:
    words = pieces(fold(sentence))
    if (match := _STAGE.search(sentence)) and (stage := ckd_stage(match[0])):
        yield NoteFact("factor", _at(sentence, words, match), _words(sentence), factor="egfr", value=stage)
        yield NoteFact(
            "condition", _at(sentence, words, match), _words(sentence), ConceptId("disease:chronic-kidney-disease")
        )
    if match := _CHILD_PUGH.search(sentence):
        level = frozenset({match["level"].upper()})
        yield NoteFact("factor", _at(sentence, words, match), _words(sentence), factor="child_pugh", value=level)
    trimester = None
    if match := _TRIMESTER.search(sentence):
        trimester = _ORDINALS.get(match["n"].lower(), match["n"])
    elif match := _WEEKS.search(sentence):
        weeks = int(match["weeks"])
        trimester = "1" if weeks < 14 else "2" if weeks < 28 else "3"
    if trimester and match:
        status = _at(sentence, words, match)
        yield NoteFact("factor", status, _words(sentence), factor="trimester", value=frozenset({trimester}))
        yield NoteFact("factor", status, _words(sentence), factor="pregnant", value=frozenset({"true"}))


def ckd_stage(text: str) -> Interval | None:
    """The eGFR range of a stage of chronic kidney disease, mL/min/1.73 m²; None where `text` names no stage.

    >>> ckd_stage("CKD stage 4")
    Interval(low=15, high=30, open_high=True)
    """
    match = _STAGE.search(text)
    return CKD_STAGES[_ROMAN.get(match["stage"].lower(), match["stage"].lower())] if match else None


def _values(sentence: str) -> Iterator[NoteFact]:
    words = pieces(fold(sentence))
    for factor, pattern, default in _value_patterns():
        for match in pattern.finditer(sentence):
            unit = match["unit"] or default
            value = _interval(match, factor, unit)
            status = _at(sentence, words, match)
            if value is not None and status != "family":
                yield NoteFact(
                    "factor", "active" if status == "negated" else status, _words(sentence), factor=factor, value=value
                )


def _interval(match: re.Match[str], factor: str, unit: str) -> Interval | None:
    """The value in the factor's unit; None where the unit is missing or impossible."""
    if not unit:
        return None
    numbers = [float(n.replace(",", ".")) for n in (match["low"], match["high"] or match["low"])]
    wanted = factors()[factor].unit
    if factor == "egfr" and canonical(unit) == "mL/min":
        unit = wanted  # an indexed eGFR is often written without its index
    if wanted not in ("1", "%", "ms"):
        try:
            numbers = [convert(n, canonical(unit), wanted, analyte=factor) for n in numbers]
        except BadInput:
            return None  # "weight 5 ms" is not a weight
    low, high = sorted(numbers)
    below = match["sign"] or ""
    if "<" in below:
        return Interval(0, high, open_high=True)
    if ">" in below:
        return Interval(low, float("inf"))
    return Interval(low, high)


def _states(sentence: str) -> Iterator[NoteFact]:
    words = pieces(fold(sentence))
    for factor, names in _data()["states"].items():
        for name in sorted(names, key=len, reverse=True):
            parts = pieces(fold(name))
            start = _index(words, parts)
            if start is None:
                continue
            status = _status(words, start, start + len(parts))
            if status in ("active", "refuted"):
                value = frozenset({"true" if status == "active" else "false"})
                yield NoteFact("factor", "active", _words(sentence), factor=factor, value=value)
            break


def _allergies(sentence: str, finder: Finder) -> Iterator[NoteFact]:
    folded = f" {join(pieces(fold(sentence)))} "
    rules = _data()["allergies"]
    if any(f" {fold(n)} " in folded for n in rules["none"]):
        yield NoteFact("no allergies", "active", _words(sentence))
        return
    words = pieces(fold(sentence))
    cues = [
        (k, pieces(fold(c))) for k in ("before", "after", "intolerant_before", "intolerant_after") for c in rules[k]
    ]
    spans = [(kind, at, at + len(cue)) for kind, cue in cues if (at := _index(words, cue)) is not None]
    if not spans:
        return
    reaction = next((r for r in rules["reactions"] if f" {fold(r)} " in folded), "")
    for match in finder.find(sentence, ALLERGENS):
        near = [s for s in spans if (s[2] <= match.start if s[0].endswith("before") else s[1] >= match.end)]
        if not near:
            continue
        kind, start, end = min(near, key=lambda s: min(abs(match.start - s[2]), abs(s[1] - match.end)))
        status = _status(words, min(start, match.start), max(end, match.end))
        side_effect = bool(reaction) and reaction in rules["side_effects"]
        concept = min(concept_ids(match), key=lambda c: ("class", "ingredient", "drug", "allergen").index(kind_of(c)))
        yield NoteFact(
            "intolerance" if kind.startswith("intolerant") or side_effect else "allergy",
            "active" if status == "history" else status, _words(sentence), concept, reaction=reaction,
        )  # fmt: skip


def _at(sentence: str, words: Sequence[str], match: re.Match[str]) -> str:
    """The status of a regular-expression match, by its place in the words."""
    start = len(pieces(fold(sentence[: match.start()])))
    return _status(words, start, start + len(pieces(fold(match[0]))))


def _status(words: Sequence[str], start: int, end: int) -> str:
    """active, history, uncertain, refuted or family for the mention at words `start` to `end`."""
    found: dict[str, bool] = {}
    ends = _cues("ends", "words")
    for category in ("negated", "history", "family", "uncertain"):
        before = _reaches(words, _cues(category, "before"), start, ends)
        after = _follows(words, _cues(category, "after"), end, ends)
        found[category] = before or after
    if found["family"]:
        return "family"
    if found["negated"]:
        return "refuted"
    if found["uncertain"]:
        return "uncertain"
    return "history" if found["history"] else "active"


def _reaches(
    words: Sequence[str], cues: Sequence[tuple[str, ...]], start: int, ends: Sequence[tuple[str, ...]]
) -> bool:
    for cue in cues:
        for at in range(start - len(cue), -1, -1):
            if tuple(words[at : at + len(cue)]) == cue and not _ended(words[at + len(cue) : start], ends):
                return True
    return False


def _follows(words: Sequence[str], cues: Sequence[tuple[str, ...]], end: int, ends: Sequence[tuple[str, ...]]) -> bool:
    for cue in cues:
        for at in range(end, min(len(words) - len(cue), end + 6) + 1):
            if tuple(words[at : at + len(cue)]) == cue and not _ended(words[end:at], ends):
                return True
    return False


def _ended(between: Sequence[str], ends: Sequence[tuple[str, ...]]) -> bool:
    return any(_index(between, end) is not None for end in ends)


def _index(words: Sequence[str], part: Sequence[str]) -> int | None:
    size = len(part)
    return next((i for i in range(len(words) - size + 1) if tuple(words[i : i + size]) == tuple(part)), None)


def _words(sentence: str) -> str:
    return " ".join(sentence.split())[:160]


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(resources.files("pharmakon.link").joinpath("notes.toml").read_text("utf-8"))


@cache
def _cues(category: str, place: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(pieces(fold(cue))) for cue in _data()[category][place])


@cache
def _lasting() -> frozenset[str]:
    return frozenset(_data()["lasting"]["concepts"])


@cache
def _changers() -> frozenset[str]:
    """Words before a disease's name that make it another one."""
    return frozenset(_data()["changers"]["words"])


@cache
def _value_patterns() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    found: list[tuple[str, re.Pattern[str], str]] = []
    for row in _data()["value"]:
        names = "|".join(re.escape(w).replace(r"\ ", r"[\s-]*") for w in sorted(row["words"], key=len, reverse=True))
        filler = r"\s*(?:level|value|was|is|of|last|laatste|:|=|~|ca\.?|around|about|\(|van)*\s*"
        text = rf"\b(?:{names})\b{filler}(?P<sign>[<>]=?)?\s*{_NUMBER}{_UNIT}"
        found.append((row["factor"], re.compile(text, re.IGNORECASE), row["unit"]))
    return tuple(found)
