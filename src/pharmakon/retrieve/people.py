"""What a question says of the person it is about, and whom it is about.

Age, weight, pregnancy with its trimester, breastfeeding, dialysis, laboratory values. What is denied is known to be
false; what is not said is unknown. Allergies need the names of drugs: `retrieve.questions` adds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pharmakon.link.context import sentences
from pharmakon.link.values import readings
from pharmakon.model.concepts import ConceptId
from pharmakon.model.prescription import Allergy, Measured, Patient
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import factors

#: Completed years that "elderly" and "child" stand for; nobody is older than the last.
ELDERLY, ADULT, OLDEST = 65.0, 18.0, 120.0
SELF = "self"
_STATES = ("pregnant", "lactating", "dialysis")
_NO_ALLERGIES = "no allergies"
#: Figures that are read here, or are asked of nobody.
_ASIDE = frozenset({"weight", "height", "bmi", "age"})
_EGFR_UNIT = "mL/min/1.73 m2"
_FIGURE = re.compile(r"(\d+(?:[.,]\d+)?)\s*([^\d\s.,].*)?$")
#: Weeks at which the second and the third trimester begin, and none is later.
_WEEKS = (14, 28, 43)
#: Filtration below which kidneys count as diseased, mL/min or mL/min/1.73 m2.
_IMPAIRED, _KIDNEYS = 60.0, ConceptId("disease:chronic-kidney-disease")
#: Chinese numerals in order of value, and where one is a figure about a person.
_DIGITS = "零一二三四五六七八九"
_NUMERAL = re.compile(
    f"(?<![{_DIGITS}十])[{_DIGITS[1:]}]?十?[{_DIGITS[1:]}]?(?<=[{_DIGITS}十])(?=周|岁|个月|公斤|千克)"
)
_MONTHS = 3  #: of a trimester
_KILOGRAMS = {"斤": 0.5}  #: half a kilogram; everything else is kg or pounds, as written


@dataclass(frozen=True, slots=True)
class _Hit:
    """A value and the words that say it."""

    value: Any
    words: str


def person(text: str) -> Patient:
    """The patient of a question; what it does not say is unknown.

    >>> person("Can my mother of 82, on dialysis, take this?").dialysis
    True
    """
    hits = _found(text)
    found = {name: hit.value for name, hit in hits.items()}
    return Patient(
        age=found.get("age"),
        sex="female" if found.get("pregnant") else None,
        weight=found.get("weight"),
        pregnant=found.get("pregnant"),
        trimester=found.get("trimester"),
        lactating=found.get("lactating"),
        dialysis=found.get("dialysis"),
        allergies=found.get(_NO_ALLERGIES),
        labs=tuple((name, value) for name, value in found.items() if isinstance(value, Measured) and name != "weight"),
    )


def said(text: str) -> dict[str, str]:
    """Factor → the words of a question that say it of the person.

    >>> said("I'm pregnant and my eGFR is 25")
    {'pregnant': 'pregnant', 'egfr': 'eGFR is 25'}
    """
    return {name: hit.words for name, hit in _found(text).items()}


def carried(earlier: Patient, now: Patient) -> Patient:
    """What was said before holds on, where nothing else is said now."""
    pregnant = now.pregnant if now.pregnant is not None else earlier.pregnant
    return replace(
        now,
        age=now.age or earlier.age,
        sex=now.sex or earlier.sex,
        weight=now.weight or earlier.weight,
        pregnant=pregnant,
        trimester=now.trimester or (earlier.trimester if pregnant else None),
        lactating=now.lactating if now.lactating is not None else earlier.lactating,
        dialysis=now.dialysis if now.dialysis is not None else earlier.dialysis,
        allergies=_allergies(earlier, now),
        labs=(*(lab for lab in earlier.labs if lab[0] not in dict(now.labs)), *now.labs),
    )


def _allergies(earlier: Patient, now: Patient) -> tuple[Allergy, ...] | None:
    """Allergies add up; who says to have none is believed."""
    if not now.allergies:
        return earlier.allergies if now.allergies is None else ()
    return tuple(dict.fromkeys((*(earlier.allergies or ()), *now.allergies)))


def is_known(patient: Patient) -> bool:
    """Whether anything is said of the person that a check could speak of: what is denied is nothing."""
    states = (patient.pregnant, patient.lactating, patient.dialysis, patient.age, patient.weight, patient.trimester)
    return any(states) or bool(patient.allergies or patient.labs or patient.conditions)


def implied(patient: Patient, texts: Sequence[str] = ()) -> tuple[ConceptId, ...]:
    """What measured values, and complaints in `texts`, say of a person beside themselves.

    Kidneys that filter less than 60 mL/min (KDIGO 2024): one value is no chronic disease; but what is stated of that
    holds for who has such a value, until more is known. Complaints: `supposed`.
    """
    value = filtration(patient)
    kidneys = (_KIDNEYS,) if value is not None and value < _IMPAIRED else ()
    return (*kidneys, *(c for c in supposed(texts) if c not in kidneys))


def filtration(patient: Patient) -> float | None:
    """The lowest measure of what somebody's kidneys filter, where one is said."""
    labs = dict(patient.labs)
    return min((labs[factor].value for factor in ("egfr", "crcl") if factor in labs), default=None)


def supposed(texts: Sequence[str]) -> dict[ConceptId, str]:
    """What complaints may have led to, with the words that say them: who vomits may have lost too much fluid.

    >>> supposed(["I've been vomiting for two days"]), supposed(["Does metformin give me diarrhoea?"])
    ({'disease:dehydration': 'vomiting'}, {})
    """
    found: dict[ConceptId, str] = {}
    for concept, rules in _data()["supposed"].items():
        for text in texts:
            if (words := _supposed(rules, text.replace("’", "'"))) and concept not in found:
                found[ConceptId(concept)] = words
    return found


def _supposed(rules: dict[str, list[str]], text: str) -> str:
    if any(p.search(text) for p in _all_of(tuple(rules["unless"]))):
        return ""
    matches = (m for p in _all_of(tuple(rules["patterns"])) for m in p.finditer(text))
    return next((m[m.lastindex or 0] for m in matches if not _first("denied", text[: m.start()])), "")


def whom(text: str) -> str:
    """Whom a question is about: SELF, the word for somebody else ("mother"), or "" where it does not say.

    >>> whom("Can I take this?"), whom("Can I give my mother aspirin?"), whom("What is gout?")
    ('self', 'mother', '')
    """
    rules = _data()["whom"]
    own = any(p.search(text) for p in _compiled("whom", "self"))
    other = next((m[1].casefold() for p in _compiled("whom", "others") if (m := p.search(text))), "")
    if own and (not other or other in rules["unborn"] or not _speaks_of(text)):
        return SELF
    return other or (SELF if own else "")


def _speaks_of(text: str) -> bool:
    """Whether somebody else stands before the speaker: "My mother takes …, can I …" is about her."""
    first = min(m.start() for p in _compiled("whom", "others") if (m := p.search(text)))
    return all(first < m.start() for p in _compiled("whom", "self") if (m := p.search(text)))


# ── what is found ──────────────────────────────────────────────────────────────────────────────────


def _found(text: str) -> dict[str, _Hit]:
    """Factor → what is said of it."""
    text = _in_digits(text.replace("’", "'"))
    found: dict[str, _Hit] = {}
    if (age := _age(text)) is not None:
        found["age"] = age
    for state in _STATES:
        if (hit := _state(state, text)) is not None:
            found[state] = hit
    if (hit := _trimester(text)) is not None and found.get("pregnant", hit).value:
        found |= {"trimester": hit, "pregnant": found.get("pregnant", _Hit(True, hit.words))}
    if (hit := _weight(text)) is not None:
        found["weight"] = hit
    if found.get("pregnant", _Hit(False, "")).value and "age" in found and found["age"].value[0] == 0.0:
        del found["age"]  # "trying for a baby": the child is the one to come
    if match := _first("no_allergies", text):
        found[_NO_ALLERGIES] = _Hit((), match[0])
    return found | dict(_labs(text))


def _in_digits(text: str) -> str:
    """Chinese numerals before a unit as figures: 三十三周 is 33周.

    >>> _in_digits("怀孕三十三周，八十岁，十二岁，一个月")
    '怀孕33周，80岁，12岁，1个月'
    """
    return _NUMERAL.sub(lambda m: str(_value(m[0])), text)


def _value(numeral: str) -> int:
    """Below a hundred: 十二 is 12, 八十 is 80, 三十三 is 33."""
    tens, ten, ones = numeral.rpartition("十")
    return 10 * (_DIGITS.find(tens) if tens else 1) * bool(ten) + (_DIGITS.find(ones) if ones else 0)


def _age(text: str) -> _Hit | None:
    if (match := _first("age", text)) and 0 < (years := float(match[1])) <= OLDEST:
        shown = text[match.start(1) : match.end()]
        return _Hit((years, years), match[0].strip() if shown.isdigit() else shown)
    if match := _first("months", text):
        years = float(int(match[1]) // 12)
        return _Hit((years, years), match[0])
    if match := _first("elderly", text):
        return _Hit((ELDERLY, OLDEST), match[0])
    if match := _first("child", text):
        return _Hit((0.0, ADULT - 1), match[0])
    return None


def _state(state: str, text: str) -> _Hit | None:
    """True where it is said once, else False where it is denied.

    What is hoped for or feared counts: who wants to be pregnant has to know what is stated of pregnancy.
    """
    denied: _Hit | None = None
    for pattern in _patterns(state):
        for match in pattern.finditer(text):
            before = text[: match.start()]
            if no := _first("denied", before):
                denied = _Hit(False, text[no.start() : match.end()].strip())
            elif not any(p.match(text, match.end()) for p in _patterns("not_meant")):
                return _Hit(True, match[0])
    return denied


def _trimester(text: str) -> _Hit | None:
    match = _first("trimester", text)
    if match is None:
        months = _first("pregnant_months", text)
        return months and _Hit(min(3, 1 + (int(months[1]) - 1) // _MONTHS), months[0])
    ordinals: dict[str, list[str]] = _data()["trimester"]["ordinal"]
    if not match[1].isdigit():
        return _Hit(next(int(n) for n, words in ordinals.items() if match[1].casefold() in words), match[0])
    week = int(match[1])
    return _Hit(1 + sum(week >= w for w in _WEEKS[:2]), match[0]) if week < _WEEKS[-1] else None


def _weight(text: str) -> _Hit | None:
    for pattern in _patterns("weight"):
        for match in pattern.finditer(text):
            if _first("gained", text[: match.start()]) or not _number(match[1]):
                continue
            unit = "lb" if match[2][0].casefold() in "lp" else "kg"
            kilograms = _number(match[1]) * _KILOGRAMS.get(match[2], 1.0)
            return _Hit(Measured(kilograms, unit, source="question"), match[0])
    return None


def _labs(text: str) -> Iterator[tuple[str, _Hit]]:
    """Laboratory values with their units; a figure whose unit is missing where there are several is left out."""
    for pattern, term in _read_as():
        text = pattern.sub(term, text)
    for sentence in sentences(text):
        for reading in readings(sentence):
            value = reading.value
            written = _FIGURE.search(sentence.text[reading.start : reading.end].strip())
            if reading.status != "active" or value is None or value.low != value.high or written is None:
                continue
            if reading.factor not in _ASIDE:
                unit = (written[2] or "").strip() or factors()[reading.factor].unit
                unit = _EGFR_UNIT if reading.factor == "egfr" else unit
                measured = Measured(_number(written[1]), unit, source="question")
                yield reading.factor, _Hit(measured, " ".join(sentence.text[reading.start : reading.end].split()))


def _number(written: str) -> float:
    return float(written.replace(",", "."))


def _first(what: str, text: str) -> re.Match[str] | None:
    return next((m for p in _patterns(what) if (m := p.search(text))), None)


def _patterns(what: str) -> tuple[re.Pattern[str], ...]:
    return _compiled(what, "patterns")


def _compiled(what: str, part: str) -> tuple[re.Pattern[str], ...]:
    return _all_of(tuple(_data()[what][part]))


@cache
def _all_of(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(p, re.IGNORECASE) for p in patterns)


@cache
def _read_as() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(p, re.IGNORECASE), term) for p, term in _data()["figures"]["read_as"])


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.retrieve", "people.toml")
