"""Text of directions → words with their meaning, one letter each, so that the grammar can be written as patterns.

| tag | meaning | tag | meaning | tag | meaning |
|-----|---------|-----|---------|-----|---------|
| n | figure | u | dose unit | t | time unit |
| e | every | / | per | a | a, an |
| x | times | c | once, twice | f | a whole frequency |
| d | dd | j | ordinal | k | clock time |
| m | time of the day | w | weekday | S | a scheme: 1-0-1 |
| @ | at | B | before, after | g | for |
| r | as needed | v | route | h | undiluted |
| l | at most | L | at most a day | b | at least |
| s | then | - | to, or | % | of (Dutch: or) |
| & , | and, comma | z | total | = ( ) | as they are |
| ! | not | D | each time | ; | end of a phrase |
| i | change by | q | divided | . | no consequence |
| y | later | o | over | X | stop, do not take |
| p | of the past | ? | unknown | | |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rapidfuzz.distance import OSA

from pharmakon.link.dosing.numbers import FIGURE, is_negative, read_number
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import read_schema, routes

_ROLES = {
    "every": "e", "within": "/", "per": "/", "article": "a", "times": "x", "dd": "d", "at": "@", "after": "B",
    "before": "B", "for": "g", "later": "y", "over": "o", "occasion": "x",
    "as_needed": "r", "at_most": "l", "at_most_daily": "L", "at_least": "b", "then": "s", "undiluted": "h",
    "change": "i", "divided": "q", "to": "-", "of": "%", "and": "&", "total": "z", "equals": "=", "opens": "(",
    "closes": ")", "not": "!", "each_time": "D",
}  # fmt: skip
#: roles that share a letter, and differ
_TOLD_APART = ("within", "after", "before", "occasion")
_DOSE_DIMENSIONS = ("mass", "volume", "activity", "equivalents", "amount", "count", "area")

_PART = r"(?:1/2|\d{1,2}(?:[.,]5)?½?|½)"
_CJK = "\u3400-\u9fff"
_TOKEN = re.compile(
    rf"""(?P<clock>(?<![\d.,])(?:[01]?\d|2[0-3])(?:
             (?:[:.][0-5]\d)?[ ]?(?:am|pm|a\.m\.?|p\.m\.?)(?![a-z])
           | :[0-5]\d(?:[ ]?(?:uur|hrs?|h|u)(?![a-z]))?
           | (?:点|點)半? )
         | (?<![\d.,])0\d[0-5]0(?!\d|[.,]\d)(?:[ ]?(?:hrs?|hours|h|uur)(?![a-z]))?
         | (?<![\d.,])(?:1\d|2[0-3])[0-5]0(?=[ ]?(?:hrs|hours|uur)(?![a-z]))
         )
      | (?P<scheme>(?<![\d.,/-]){_PART}(?:[ ]?-[ ]?{_PART}){{2,3}}(?![\d/]|[.,-]\d))
      | (?P<ordinal>\d{{1,2}}(?:st|nd|rd|th|e|de)(?![a-z]))
      | (?P<number>{FIGURE})
      | (?P<dotted>(?:[a-z]\.){{2,}}(?:[a-z](?![a-z]))?)
      | (?P<dd>(?<=\d)d(?=\d))
      | (?P<word>['’]s(?=\s)|m[2²](?![a-z\d])|[^\W\d_{_CJK}]+(?:'[^\W\d_{_CJK}]+)?)
      | (?P<other>\S)""",
    re.VERBOSE,
)
#: one code point for another, so that offsets stay true: full-width forms, Chinese marks
_SAME_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {ord("。"): ord(";"), ord("、"): ord(",")}


@dataclass(frozen=True, slots=True)
class Frequency:
    """`low` to `high` times in `days`; `base` may be multiplied ("3 times daily"), `single` is given once in all."""

    low: float
    high: float
    days: float
    base: bool = False
    single: bool = False


@dataclass(frozen=True, slots=True)
class Meaning:
    tag: str
    number: float = 0.0
    name: str = ""  #: unit, route; a role among several of one letter
    frequency: Frequency | None = None
    slots: tuple[str, ...] = ()  #: times of the day, weekdays, the figures of a scheme
    paired: bool = False  #: one dose in each of two eyes, ears, nostrils


@dataclass(frozen=True, slots=True)
class Word:
    """One or several tokens with one meaning; `start` and `end` slice the text as given."""

    meaning: Meaning
    start: int
    end: int

    @property
    def tag(self) -> str:
        return self.meaning.tag


UNKNOWN = Meaning("?")
_Phrase = tuple[str, ...]


@cache
def vocabulary() -> dict[str, Any]:
    """`words.toml` as plain data."""
    return read_table("pharmakon.link.dosing", "words.toml")


def _fold(text: str) -> str:
    """Lower case and one width, each code point for one."""
    folded = text.translate(_SAME_WIDTH)
    return "".join(low if len(low := char.lower()) == 1 else char for char in folded).replace("’", "'")


def _phrase(name: str) -> _Phrase:
    return tuple(match[0].replace(".", "") or "." for match in _TOKEN.finditer(_fold(name)))


@cache
def _meanings() -> dict[_Phrase, Meaning]:
    """Every phrase to its meaning; the earlier entry wins, `words.toml` before the shared vocabularies."""
    data = vocabulary()
    found: dict[_Phrase, Meaning] = {(",",): Meaning(",")}  # no word: "3 times a day, every 8 h" says one thing twice

    def learn(names: list[str], meaning: Meaning) -> None:
        for name in names:
            found.setdefault(_phrase(name), meaning)

    for row in data["frequency"]:
        low, high = row["times"][0], row["times"][-1]
        once = Frequency(low, high, row["days"], row.get("base", False), row.get("single", False))
        learn(row["names"], Meaning("f", frequency=once))
    for role, tag in _ROLES.items():
        learn(data["words"][role], Meaning(tag, name=role if role in _TOLD_APART else ""))
    for role, tag in (("stop", "X"), ("do_not", "X"), ("past", "p")):
        learn(data["set_apart"][role], Meaning(tag, name=role))
    for number, names in data["numbers"].items():
        learn(names, Meaning("n", float(number)))
    for number, names in data["ordinals"].items():
        learn(names, Meaning("j", float(number)))
    for number, names in data["counts"].items():
        learn(names, Meaning("c", float(number)))
    for row in data["moments"].values():
        learn(row["names"], Meaning("m", slots=tuple(row["slots"])))
    for days, names in data["weekdays"].items():
        learn(names, Meaning("w", slots=tuple(days.split())))
    paired = {_phrase(name) for name in data["once_each"]["names"]}
    said = [(name, data["routes"].get(name, []), row.names) for name, row in routes().items()]
    avoided = {_phrase(name) for name in data["not_routes"]["names"]}
    for name, words, shared in said:
        for spelling in (*words, *shared):
            if (phrase := _phrase(spelling)) not in avoided:
                found.setdefault(phrase, Meaning("v", name=name, paired=phrase in paired))
    learn(data["filler"]["names"], Meaning("."))
    return found


@cache
def _units() -> dict[_Phrase, Meaning]:
    """Dose and time units; kept apart because some are routes too ("2 inhalations", "by inhalation")."""
    found: dict[_Phrase, Meaning] = {}
    for unit, names in vocabulary()["units"].items():
        found.update({_phrase(name): Meaning("u", name=unit) for name in names})
    for dimension, rows in read_schema("units.toml").items():
        if dimension not in (*_DOSE_DIMENSIONS, "time"):
            continue
        for unit, row in rows.items():
            for spelling in (unit, *row["names"]):
                said = spelling if dimension == "count" else unit  # tablets, puffs and drops stay what they are
                found.setdefault(_phrase(spelling), Meaning("t" if dimension == "time" else "u", name=said))
    return found


@cache
def _reach() -> dict[str, int]:
    """The first token of every phrase → the length of the longest phrase that starts with it."""
    found: dict[str, int] = {}
    for phrase in (*_meanings(), *_units()):
        found[phrase[0]] = max(len(phrase), found.get(phrase[0], 0))
    return found


def _corrected(word: str) -> str:
    """The word meant by one letter wrong or out of place, among the few that may be put right ("tmies", "tabet")."""
    rows = vocabulary()["correctable"]
    if len(word) < 4 or word in rows["never"]:
        return word
    for meant in rows["names"]:
        moved = sorted(word) == sorted(meant) and OSA.distance(word, meant) <= (2 if len(word) > 4 else 1)
        slip = len(word) > 4 and word[0] == meant[0] and OSA.distance(word, meant) <= 1
        if moved or slip:
            return str(meant)
    return word


def _scheme(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"-", text))


def _literal(kind: str, text: str, folded: str, start: int) -> Meaning | None:
    """The meaning of a token made of digits."""
    if kind == "clock":
        return Meaning("k")
    if kind == "scheme":
        return UNKNOWN if is_negative(folded, start) else Meaning("S", slots=_scheme(text))
    if kind == "ordinal":
        return Meaning("j", float(re.match(r"\d+", text)[0]))  # type: ignore[index]
    if kind == "number":
        value = read_number(text)
        share = folded[start + len(text) :].lstrip()[:1] == "%"
        numbered = folded[start - 1 : start] == "#"
        stuck = start > 0 and folded[start - 1].isalpha() and not _opens_figure(folded, start)
        return (
            UNKNOWN
            if value is None or stuck or share or numbered or is_negative(folded, start)
            else Meaning("n", value)
        )
    return None


def _opens_figure(folded: str, start: int) -> bool:
    """Whether what is stuck to the front of a figure takes one: "q8h", "x7d", "3dd2", "2d1t"; not "b12"."""
    head = re.search(rf"[{_CJK}]$|[^\W\d_{_CJK}]+$", folded[:start])
    if head is None or not head[0].isascii():
        return head is not None
    coded = head[0] == "d" and folded[: head.start()][-1:].isdigit()
    return coded or (head[0],) in _meanings()


def _ends_chinese(token: str, folded: str, start: int) -> bool:
    """A full stop after a Chinese character ends a phrase; after Latin letters it may end an abbreviation."""
    return token == "." and re.match(f"[{_CJK}]", folded[start - 1 : start]) is not None


def read_words(text: str) -> tuple[Word, ...]:
    """Take a text apart. Every token is in exactly one word; the longest phrase wins."""
    folded = re.sub(r"\((?:s|es|en|n)\)", lambda match: " " * len(match[0]), _fold(text))
    tokens = [(str(match.lastgroup), match[0], *match.span()) for match in _TOKEN.finditer(folded)]
    keys = [token.replace(".", "") or "." for _, token, _, _ in tokens]
    words: list[Word] = []
    at = 0
    while at < len(tokens):
        kind, token, start, _ = tokens[at]
        meaning, length = _known(keys, at, after_figure=bool(words) and words[-1].tag in "nD")
        if meaning is None and kind == "word":
            keys[at] = _corrected(keys[at])
            meaning, length = _known(keys, at, after_figure=bool(words) and words[-1].tag in "nD")
        if len(words) > 1 and words[-2].tag == "d" and words[-1].end == start and token in vocabulary()["dutch_codes"]:
            meaning, length = Meaning("u", name=vocabulary()["dutch_codes"][token]), 1
        elif kind == "dd":
            meaning, length = Meaning("d"), 1
        literal = _literal(kind, token, folded, start)
        if literal is not None and length <= 1:
            meaning = literal
        if meaning is None:
            meaning = (
                Meaning(";")
                if token == ";" or _ends_chinese(token, folded, start)
                else Meaning(".")
                if not token[0].isalnum()
                else UNKNOWN
            )
        length = max(length, 1)
        words.append(Word(meaning, start, tokens[at + length - 1][3]))
        at += length
    return _figures_joined(words, folded)


def _figures_joined(words: Sequence[Word], folded: str) -> tuple[Word, ...]:
    """Figures said in several words as one: "two hundred and fifty", "twenty-five"."""
    joined: list[Word] = []

    def spelled(back: int) -> float | None:
        """The figure `back` words from the end, where it is written in letters."""
        if len(joined) < back or joined[-back].tag != "n" or not folded[joined[-back].start].isalpha():
            return None
        return joined[-back].meaning.number

    for word in words:
        joined.append(word)
        last = spelled(1)
        if last is None:
            continue
        gap = 2 if len(joined) > 2 and joined[-2].tag in "-&" else 1
        first = spelled(1 + gap)
        hyphen = gap == 2 and joined[-2].tag == "-" and folded[joined[-2].start] == "-"
        value: float | None = None
        if first is not None and gap == 1 and last in (100, 1000) and 1 <= first < last:
            value = first * last
        elif first is not None and first >= 100 and first % 100 == 0 and last < 100 and not hyphen:
            value = first + last if gap == 1 or joined[-2].tag == "&" else None
        elif first is not None and first >= 20 and first % 10 == 0 and 1 <= last <= 9 and (gap == 1 or hyphen):
            value = first + last
        if value is not None:
            start = joined[-1 - gap].start
            del joined[-1 - gap :]
            joined.append(Word(Meaning("n", value), start, word.end))
    return tuple(joined)


def _known(keys: list[str], at: int, *, after_figure: bool) -> tuple[Meaning | None, int]:
    """The longest phrase that starts here, and its length in tokens (0: none). After a figure a unit comes first."""
    for length in range(min(_reach().get(keys[at], 0), len(keys) - at), 0, -1):
        phrase = tuple(keys[at : at + length])
        tables = (_units(), _meanings()) if after_figure and phrase != ("a",) else (_meanings(), _units())
        for table in tables:
            if phrase in table:
                return table[phrase], length
    return None, 0
