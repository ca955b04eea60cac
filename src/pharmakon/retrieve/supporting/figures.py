"""Figures in running text: value, unit and bound, in three languages; "at most 10 mg" is not "at least 10 mg".

Numbers in words count where a unit follows ("two weeks", "twice", "两周"). What is said per day or dose is no part of a
figure's unit here: it may stand anywhere in the sentence, and is a cue of `cues.toml`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from pharmakon.link.dosing.numbers import FIGURE, read_number
from pharmakon.model.concepts import is_han
from pharmakon.model.units import canonical, convert, dimension, is_unit
from pharmakon.retrieve.supporting.cues import data

#: Which bounds of a quotation let a sentence say the bound that is the key; "<~" is a Chinese 以下, which may be both.
_AGREES = {
    "": {""}, "<": {"<", "<~"}, "<=": {"<=", "<~"}, ">": {">", ">~"}, ">=": {">=", ">~"},
    "<~": {"<", "<=", "<~"}, ">~": {">", ">=", ">~"},
}  # fmt: skip
_NUMBER = re.compile(rf"(?<![\w.,%]){FIGURE}|(?<=[^\W\d_a-zA-Z]){FIGURE}")
_LATIN_UNIT = re.compile(r"[ -]?([a-zµμ%°]+(?: [a-z]+)?(?:[²^]?\d(?![\d.,]))?(?:\s?/\s?(?:1[.,]73 ?)?[a-zµμ]+[²23]?)*)")
_HAN_UNIT = re.compile(r"[ ]?([\u3400-\u9fff]{1,4}(?:/[\u3400-\u9fff]{1,3})?)")
#: Denominators that are a rate and may stand elsewhere in the sentence.
_RATES = ("/day", "/week", "/month")
_CLEARANCE = "mL/min"
_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九十")} | {"两": 2}


@dataclass(frozen=True, slots=True)
class Figure:
    """`text[start:end]` holds the value, its unit and the words of its bound. `unit` is canonical, "" for none."""

    value: float
    unit: str
    bound: str  #: "" as it stands, < <= > >=, or <~ >~ where the language leaves open whether the end is meant
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.bound}{self.value:g} {self.unit}".strip()

    def same_as(self, other: Figure) -> bool:
        """Whether `other`, of a quotation, says this."""
        return other.bound in _AGREES[self.bound] and self.same_size(other)

    def same_size(self, other: Figure) -> bool:
        if self.unit == other.unit:
            return math.isclose(self.value, other.value, rel_tol=1e-6)
        if not (self.unit and other.unit):
            # "CrCl below 30" and "older than 65" leave out what is always meant, a dose never does
            left_out = self.unit or other.unit
            return (left_out == "year" or left_out.startswith(_CLEARANCE)) and self.value == other.value
        if self.unit.startswith(_CLEARANCE) and other.unit.startswith(_CLEARANCE):
            return self.value == other.value
        if dimension(self.unit) != dimension(other.unit):
            return False
        return math.isclose(convert(self.value, self.unit, other.unit), other.value, rel_tol=1e-6)


def figures(text: str, lang: str) -> list[Figure]:
    """The figures of `text` (in lower case) in order.

    >>> [str(f) for f in figures("at most 1,000 mg a day, 2 to 3 weeks long", "en")]
    ['<=1000 mg', '>=2 week', '<=3 week']
    """
    found: list[Figure] = []
    for figure in sorted((*_words(text, lang), *_digits(text)), key=lambda f: (f.start, -f.end)):
        if not found or figure.start >= found[-1].end:  # not the 1.73 of "mL/min/1.73 m²"
            found.append(figure)
    bounded = [_bounded(f, text, lang) for f in _ranges(found, text, lang)]
    for at, (before, figure) in enumerate(pairwise(bounded), 1):
        if not figure.bound and _joined(lang).fullmatch(text[before.end : figure.start]):
            bounded[at] = replace(figure, bound=bounded[at - 1].bound)  # "at most 150 mg per dose and 450 mg per day"
    return bounded


def _digits(text: str) -> Iterator[Figure]:
    for match in _NUMBER.finditer(text):
        value = read_number(match[0])
        unit, end = _unit(text, match.end())
        if value is None or (not unit and text[end : end + 1].isalpha() and not is_han(text[end])):
            continue  # "2.500" that is read in two ways; "3a4"
        yield Figure(value, unit, "", match.start(), end)


def _words(text: str, lang: str) -> Iterator[Figure]:
    for match in _number_word(lang).finditer(text):
        if match["times"]:
            yield Figure(_numbers(lang, "times")[match["times"]], "times", "", match.start(), match.end())
            continue
        unit, end = _unit(text, match.end())
        if unit:
            word = match["number"]
            value = float(_han_number(word)) if is_han(word[0]) else _numbers(lang, "numbers")[word]
            yield Figure(value, unit, "", match.start(), end)


def _unit(text: str, at: int) -> tuple[str, int]:
    """The unit that begins at `at`, the longest that is one, and where it ends; ("", at) for none."""
    for pattern in (_LATIN_UNIT, _HAN_UNIT):
        match = pattern.match(text, at)
        if match is None:
            continue
        written = match[1]
        for length in range(len(written), 0, -1):
            rest = written[length : length + 1]
            if rest.isalpha() and not is_han(rest):
                continue  # within a word
            if written[:length] not in data("figures")["no_units"] and is_unit(written[:length]):
                return _without_rate(canonical(written[:length])), match.start(1) + length
    return "", at


def _without_rate(unit: str) -> str:
    for rate in _RATES:
        unit = unit.replace(rate, "")
    return unit


def _han_number(word: str) -> int:
    """一 to 九十九."""
    tens, ten, ones = word.rpartition("十")
    if not ten:
        return _HAN_DIGITS[word[-1]]
    return 10 * (_HAN_DIGITS[tens] if tens else 1) + (_HAN_DIGITS[ones] if ones else 0)


def _ranges(found: list[Figure], text: str, lang: str) -> Iterator[Figure]:
    """Two ends of a range get their bounds, and the first the unit of the second."""
    low_end = -1
    for at, figure in enumerate(found):
        after = found[at + 1] if at + 1 < len(found) else None
        if after is not None and _between(lang).fullmatch(text[figure.end : after.start]):
            low_end = at
            yield replace(figure, unit=figure.unit or after.unit, bound=">=")
        elif at and low_end == at - 1:
            yield replace(figure, bound="<=")
        else:
            yield figure


def _bounded(figure: Figure, text: str, lang: str) -> Figure:
    """With the bound that the words around it say; the longest phrase wins."""
    before, after = text[: figure.start], text[figure.end :]
    found: list[tuple[int, str, int, int]] = []
    for bound, pattern in _bounds(lang, "before"):
        if match := pattern.search(before):
            found.append(
                (len(match[0].split(" ")) if lang != "zh" else len(match[0]), bound, match.start(), figure.end)
            )
    for bound, pattern in _bounds(lang, "after"):
        if match := pattern.match(after):
            found.append((1, bound, figure.start, figure.end + match.end()))
    if not found:
        return figure
    _, bound, start, end = max(found, key=lambda f: f[0])
    return replace(figure, bound=bound, start=start, end=end)


@cache
def _bounds(lang: str, side: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows: Mapping[str, Mapping[str, Mapping[str, list[str]]]] = data("figures")["bounds"]
    form = r"(?:{})(?: every| once| elke| om de)?\s*$" if side == "before" else r"\s*(?:{})"
    edge = "" if lang == "zh" else r"(?<!\w)"
    return tuple(
        (bound, re.compile(edge + form.format("|".join(patterns)))) for bound, patterns in rows[lang][side].items()
    )


@cache
def _between(lang: str) -> re.Pattern[str]:
    row: list[str] = data("figures")["ranges"][lang]
    return re.compile(rf"\s*(?:{'|'.join(row)})\s*")


@cache
def _joined(lang: str) -> re.Pattern[str]:
    pattern: str = data("figures")["joined"][lang]
    return re.compile(pattern)


@cache
def _numbers(lang: str, which: str) -> Mapping[str, float]:
    row: Mapping[str, float] = data("figures")["words"][lang][which]
    return row


@cache
def _number_word(lang: str) -> re.Pattern[str]:
    edge = "" if lang == "zh" else r"(?<![\w-])"
    digits = r"[一二两三四五六七八九]?十?[一二三四五六七八九]|[一二三四五六七八九]?十|两"
    numbers = digits if lang == "zh" else "|".join(_numbers(lang, "numbers"))
    times = "|".join(_numbers(lang, "times")) or r"(?!)"
    end = "" if lang == "zh" else r"(?!\w)"
    return re.compile(rf"{edge}(?:(?P<times>{times}){end}|(?P<number>{numbers}){end})")
