"""Stages and states in notes: kidney and liver disease, pregnancy, breastfeeding, dialysis."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pharmakon.link.context import Sentence, data, is_relatives, spots, stands, status
from pharmakon.model.profile import Interval

_KIDNEY = (
    r"(?:ckd|cni|kdigo|(?:chronic )?(?:kidney|renal) (?:disease|failure|insufficiency|impairment)"
    r"|(?:chronische )?nier(?:insuffici[eë]ntie|schade|ziekte|falen))"
)
#: one of these stands in every text that `_KIDNEY` matches
_KIDNEY_WORDS = ("ckd", "cni", "kdigo", "kidney", "renal", "nier")
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
_TEST_NAMED = re.compile(r"pregnancy test|zwangerschapstest", re.IGNORECASE)
_ORDINALS = {
    "first": "1", "1st": "1", "eerste": "1", "second": "2", "2nd": "2", "tweede": "2",
    "third": "3", "3rd": "3", "derde": "3",
}  # fmt: skip


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
    low = sentence.text.lower()
    match = _STAGE.search(sentence.text) if any(word in low for word in _KIDNEY_WORDS) else None
    value = stage(match[0]) if match else None
    if match is None or value is None:
        return None
    said = _at(sentence, match)
    return Measure("active" if said == "history" else said, "egfr", value)


def measures(sentence: Sentence) -> Iterator[Measure]:
    """Stages of liver disease, pregnancy and other states."""
    low = sentence.text.lower()
    if "child" in low or "ctp" in low:
        yield from _liver(sentence)
    if "trimester" in low or any(c.isdigit() for c in low):
        yield from _pregnancy(sentence)
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
        start = sentence.word_at(match.start())
        aimed_at = stands(spots(sentence.words, "values", "goals"), max(0, start - 4), start)
        whose = "family" if is_relatives(sentence, start, start + 1) else "active"
        yield Measure("uncertain" if aimed_at else whose, "child_pugh", frozenset(levels))


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


def _states(sentence: Sentence) -> Iterator[Measure]:
    low = sentence.text.lower()
    tested = _TEST.search(sentence.text) if "test" in low or "hcg" in low else None
    if tested:
        said = _at(sentence, tested)
        if said in ("active", "refuted"):
            positive = tested["result"].lower().startswith("pos")
            yield Measure("active", "pregnant", frozenset({"true" if positive else "false"}))
    for factor in data()["states"]:
        if factor == "pregnant" and (tested or _TEST_NAMED.search(sentence.text)):
            continue
        found = spots(sentence.words, "states", factor)
        if not found:
            continue
        start, end = min(found, key=lambda s: (s[0] - s[1], s[0]))  # the longest name
        if another_state(sentence, start, end):
            continue
        said = status(sentence, start, end)
        if said == "active" and _given_up(sentence, start, end):
            said = "refuted"
        if said in ("active", "refuted"):
            yield Measure("active", factor, frozenset({"true" if said == "active" else "false"}))


def another_state(sentence: Sentence, start: int, end: int) -> bool:
    """Whether words beside a state's name make it none of today: "pre-dialysis", "get pregnant", "dialysis access"."""
    words, changers = sentence.words, data()["changers"]
    beside = bool(start) and words[start - 1] in changers["states"]
    after = words[end : end + 1]
    return beside or (bool(after) and after[0] in changers["states_after"]) or any(
        w in changers["states_prepared"] for w in words[:start]
    )  # fmt: skip


def _given_up(sentence: Sentence, start: int, end: int) -> bool:
    """`stopped breastfeeding`, `borstvoeding gestaakt`."""
    words = sentence.words
    before = any(after in (start, start - 1) for _, after in spots(words, "given_up", "before"))
    return before or any(at - end in (0, 1) for at, _ in spots(words, "given_up", "after"))


def _at(sentence: Sentence, match: re.Match[str]) -> str:
    """The status of a regular-expression match, by its place in the words."""
    start = sentence.word_at(match.start())
    return status(sentence, start, sentence.word_at(match.end()))
