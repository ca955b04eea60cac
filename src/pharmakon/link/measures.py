"""Figures and states in notes: laboratory values, stages of kidney and liver disease, pregnancy, dialysis.

A figure without a unit is used only where the factor is written in one unit everywhere, and only where it is plausible;
"if K > 5.5", "target INR 2-3" and "vitamin K 10 mg" are no values of the patient.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pharmakon.link.context import Sentence, cues, data, index, status
from pharmakon.model.errors import BadInput
from pharmakon.model.profile import Interval
from pharmakon.model.units import canonical, convert
from pharmakon.model.vocabulary import factors

_KIDNEY = (
    r"(?:ckd|cni|kdigo|(?:chronic )?(?:kidney|renal) (?:disease|failure|insufficiency|impairment)"
    r"|(?:chronische )?nier(?:insuffici[eë]ntie|schade|ziekte|falen))"
)
_GRADE = r"(?:3a|3b|[1-5]|iii[ab]|iii|ii|iv)"
_WORD = r"(?:stage|stadium|graad|grade|g)"
_TO = rf"(?:\s*(?:-|–|/|to|tot|or|of)\s*g?(?P<{{}}>{_GRADE}))?"
_END = r"(?:\s*a[1-3])?\b(?![./]\d)(?!\s*(?:years?|yrs?|months?|weeks?|days?|x|jaar|maanden|weken|dagen)\b)"
_STAGE = re.compile(
    rf"\b{_KIDNEY}(?:\s*[(,:-]?\s*{_WORD}\s*(?P<a>{_GRADE}|v|i){_TO.format('a2')}{_END}"
    rf"|\s*[(:-]?\s*(?P<b>{_GRADE}|v){_TO.format('b2')}{_END})"
    rf"|\b(?:stage|stadium|graad|grade)\s*(?P<c>{_GRADE}|v|i){_TO.format('c2')}\s+{_KIDNEY}",
    re.IGNORECASE,
)
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iiia": "3a", "iiib": "3b", "iv": "4", "v": "5"}
#: KDIGO stages as eGFR ranges, mL/min/1.73 m².
CKD_STAGES = {
    "1": Interval(90, 200), "2": Interval(60, 90, True), "3": Interval(30, 60, True), "3a": Interval(45, 60, True),
    "3b": Interval(30, 45, True), "4": Interval(15, 30, True), "5": Interval(0, 15, True),
}  # fmt: skip
_CHILD_PUGH = re.compile(
    r"\b(?:child[\s-]*(?:turcotte[\s-]*)?pugh|ctp)\s*[:(]?\s*(?:class|klasse|score|stage|stadium)?\s*[:(]?\s*"
    r"(?:(?P<points>1[0-5]|[5-9])(?:\s*(?:points?|punten))?\b\s*[(,:]?\s*(?:class|klasse)?\s*)?(?P<level>[abc])?"
    r"(?:\s*(?:-|–|/|to|tot|or|of)\s*(?P<other>[abc]))?(?:1[0-5]|[5-9])?\b",
    re.IGNORECASE,
)
_CHILD = re.compile(r"\b[Cc]hild[\s-]?(?P<level>[ABC])(?:1[0-5]|[5-9])?\b")
_TRIMESTER = re.compile(
    r"\b(?P<n>1|2|3|first|second|third|1st|2nd|3rd|eerste|tweede|derde)\s*(?:e|de|ste)?\s*trimester\b", re.IGNORECASE
)
_W = r"(?P<{}>\d{{1,2}})(?:\s*\+\s*\d(?:/7)?|\s*w\s*\d\s*d|\s+\d/7)?\s*"
_EXPECTING = (
    r"(?:g\d{1,2}\s?p\d{1,2}|pregnant|pregnancy|zwanger|zwangerschap|gravid|gestation|amenorroeduur|gestational age|AD"
    r"|EGA|GA)"
)
_WEEKS = re.compile(
    rf"(?<![\d+.,/-]){_W.format('a')}(?:-|\s)*(?:weeks?|wks?|weken|w)?\s*"
    rf"(?:pregnan|gestation|zwanger|amenorr|AD\b|EGA\b)"
    rf"|\b{_EXPECTING}\W+(?:(?:at|of|is|now|nu|currently|van|duur|ca|about)\W+){{0,2}}"
    rf"{_W.format('b')}(?:weeks?|wks?|weken|w\b|(?<=\+\d)\s|$|\b(?<=\+\d))",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"\b(?:pregnancy test|zwangerschapstest|(?:urine |serum |beta |b|β)?-?\s?hcg)\b\W*(?:\w+\W+){0,3}?"
    r"(?P<result>positi(?:ve|ef)|negati(?:ve|ef)|neg|pos)\b",
    re.IGNORECASE,
)
_ORDINALS = {
    "first": "1", "1st": "1", "eerste": "1", "second": "2", "2nd": "2", "tweede": "2",
    "third": "3", "3rd": "3", "derde": "3",
}  # fmt: skip
_FIGURE = r"\d+(?:[.,]\d+)?"
_NUMBER = rf"(?P<low>{_FIGURE})(?:\s*(?:-|–|to|tot)\s*(?P<high>{_FIGURE}))?"
_UNITS = (
    r"m[lL]/min(?:\s*/\s*1[.,]73\s*m(?:2|²|\^2))?|m[gG]/d[lL]|(?:[uµμ]|micro)mol/[lL]|mmol/[lL]|mmol/mol|mEq/[lL]|meq/l"
    r"|n[gG]/m[lL]|[uµμm]cg/[lL]|[uµμ]g/[lL]|g/d[lL]|g/[lL]|i?[uU]/[lL]|kg|lbs?|cm|ms|msec|%|m(?![\w/])"
)
_LATER = re.compile(
    rf"^[^;.]{{0,30}}?(?:->|→|=>|\bto\b|\bnaar\b|\bnow\b|\bcurrently\b|\btoday\b|\bnu\b|\bthans\b|\bvandaag\b)"
    rf"\s*(?:is\s*|at\s*)?(?P<sign>[<>]=?)?\s*{_NUMBER}\s*(?P<unit>{_UNITS})?",
    re.IGNORECASE,
)
_OTHER_UNIT = re.compile(
    r"\s*(?:mg|g|gr|gram|mcg|µg|ug|ml|l|meq|mmol|tab\w*|caps?\w*|dd|dagen|days?|weeks?|weken|uur|hours?|hrs?|h|minut\w*"
    r"|min|maand\w*|months?|jaar|years?|yrs?|keer|times|units?|ie|iu|st|/)(?:\b|\d)",
    re.IGNORECASE,
)
_FEET = re.compile(r"\b(?:height|ht)\b\W{0,3}(?P<ft>[4-7])\s*(?:'|ft|feet|foot)\s*(?P<inch>\d{1,2})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Measure:
    """One factor as a sentence gives it: status, the factor's name, its value."""

    status: str
    factor: str
    value: Interval | frozenset[str]


def stage(text: str) -> Interval | None:
    """The eGFR range of a stage of chronic kidney disease, mL/min/1.73 m²; None where `text` names no stage.

    >>> stage("CKD stage 4"), stage("Chronic kidney disease, stage 3b-4")
    (Interval(low=15, high=30, open_high=True), Interval(low=15, high=45, open_high=True))
    """
    match = _STAGE.search(text)
    if match is None:
        return None
    found = [CKD_STAGES[_ROMAN.get(g.lower(), g.lower())] for g in match.groups() if g]
    return Interval(min(f.low for f in found), max(f.high for f in found), all(f.open_high for f in found))


def kidney(sentence: Sentence) -> Measure | None:
    """The stage of kidney disease; a stage in the past history is the least of today's."""
    match = _STAGE.search(sentence.text)
    value = stage(match[0]) if match else None
    if match is None or value is None:
        return None
    said = _at(sentence, match)
    return Measure("active" if said == "history" else said, "egfr", value)


def measures(sentence: Sentence) -> Iterator[Measure]:
    """Everything but kidney stages."""
    yield from _liver(sentence)
    yield from _pregnancy(sentence)
    yield from _values(sentence)
    yield from _states(sentence)


def _liver(sentence: Sentence) -> Iterator[Measure]:
    match = _CHILD_PUGH.search(sentence.text) or _CHILD.search(sentence.text)
    if match is None:
        return
    given = match.groupdict()
    levels = {g.upper() for g in (given["level"], given.get("other")) if g}
    if not levels and given.get("points"):
        points = int(given["points"])
        levels = {"A" if points <= 6 else "B" if points <= 9 else "C"}
    if levels:
        yield Measure(_standing(sentence, match), "child_pugh", frozenset(levels))


def _pregnancy(sentence: Sentence) -> Iterator[Measure]:
    trimester, match = "", _TRIMESTER.search(sentence.text)
    if match:
        trimester = _ORDINALS.get(match["n"].lower(), match["n"])
    elif match := _WEEKS.search(sentence.text):
        weeks = int(match["a"] or match["b"])
        trimester = "1" if weeks < 14 else "2" if weeks < 28 else "3"
        if weeks > 42:
            return
    if match:
        said = _at(sentence, match)
        yield Measure(said, "trimester", frozenset({trimester}))
        yield Measure(said, "pregnant", frozenset({"true"}))


def _values(sentence: Sentence) -> Iterator[Measure]:
    if feet := _FEET.search(sentence.text):
        height = (int(feet["ft"]) * 12 + int(feet["inch"] or 0)) * 2.54
        yield Measure(_standing(sentence, feet), "height", Interval(height, height))
    for factor, pattern, default, plausible in _patterns():
        for match in pattern.finditer(sentence.text):
            rest = sentence.text[match.end() :]
            later = _LATER.match(rest)
            chosen = later or match
            unit = chosen["unit"] or (match["unit"] if later else None)
            if unit is None and _OTHER_UNIT.match(rest[later.end() :] if later else rest):
                continue
            value = _interval(chosen, factor, unit or default)
            said = "active" if later else _standing(sentence, match)
            if value is not None and said != "family" and plausible[0] <= value.low <= plausible[1]:
                yield Measure(said, factor, value)


def _standing(sentence: Sentence, match: re.Match[str]) -> str:
    """A measured value stands whatever the sentence denies beside it; goals, conditions and old values do not."""
    start = sentence.word_at(match.start())
    since = max([start - 4, 0, *(c for c in sentence.commas if c <= start)])
    before = sentence.words[since:start]
    after = sentence.words[sentence.word_at(match.end()) :][:2]
    aimed_at = after[:1] in cues("values", "goals") and not after[-1].isdigit()  # "5.6 (target 2-3)" is a value
    if aimed_at or any(index(before, c) is not None for c in cues("values", "goals")):
        return "uncertain"
    if before and before[-1:] in cues("values", "old"):
        return "history"
    return "family" if status(sentence, start, start + 1) == "family" else "active"


def _interval(match: re.Match[str], factor: str, unit: str) -> Interval | None:
    """The value in the factor's unit; None where the unit is missing or impossible."""
    if not unit:
        return None
    numbers = [float(n.replace(",", ".")) for n in (match["low"], match["high"] or match["low"])]
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


def _states(sentence: Sentence) -> Iterator[Measure]:
    tested = _TEST.search(sentence.text)
    if tested:
        said = _at(sentence, tested)
        if said in ("active", "refuted"):
            positive = tested["result"].lower().startswith("pos")
            yield Measure("active", "pregnant", frozenset({"true" if positive else "false"}))
    for factor in data()["states"]:
        if factor == "pregnant" and (tested or re.search(r"pregnancy test|zwangerschapstest", sentence.text, re.I)):
            continue
        for parts in sorted(cues("states", factor), key=len, reverse=True):
            start = index(sentence.words, parts)
            if start is None:
                continue
            if start and sentence.words[start - 1] in data()["changers"]["states"]:
                break
            said = status(sentence, start, start + len(parts))
            if said in ("active", "refuted"):
                yield Measure("active", factor, frozenset({"true" if said == "active" else "false"}))
            break


def _at(sentence: Sentence, match: re.Match[str]) -> str:
    """The status of a regular-expression match, by its place in the words."""
    start = sentence.word_at(match.start())
    return status(sentence, start, sentence.word_at(match.end()))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str], str, tuple[float, float]], ...]:
    found: list[tuple[str, re.Pattern[str], str, tuple[float, float]]] = []
    said = "|".join(
        (
            r"level|value|geschat|estimated|berekend|calculated|was|is|of|last|laatste|now|nu|currently|today|vandaag",
            r"approx\w*\.?|around|about|from|van|spiegel|stable|stabiel|bedraagt|rose|increased|decreased|fell|risen|steeg",
            r"daalde|gestegen|gedaald|to|up|down|naar|at|:|=|~|ca\.?|\(|\)|\+",
            r"(?:by|per|volgens|with) (?:cockcroft[\s-]*gault|ckd-?epi|mdrd)|ckd-?epi|mdrd|cockcroft[\s-]*gault|c-?g",
        )
    )
    filler = rf"\s*(?:(?:{said})\s*)*"
    for row in data()["value"]:
        names = "|".join(re.escape(w).replace(r"\ ", r"[\s-]*") for w in sorted(row["words"], key=len, reverse=True))
        text = (
            rf"(?<![\w-])(?<!vitamin )(?<!vitamine )(?<!vit )(?<!vit\. )(?<!urine )(?<!urinary )(?:{names})(?![\w])"
            rf"{filler}(?P<sign>[<>]=?)?\s*{_NUMBER}(?!\d)(?:\s*(?P<unit>{_UNITS}))?"
        )
        low, high = row.get("between", (0.0, float("inf")))
        found.append((row["factor"], re.compile(text, re.IGNORECASE), row["unit"], (float(low), float(high))))
    return tuple(found)
