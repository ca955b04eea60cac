"""The words of the specialists, read once from the TOML files beside them, as patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from ahocorasick_rs import AhoCorasick, Implementation

from pharmakon.model.statements import plain_figure
from pharmakon.model.tables import read_table

#: Small figures that labels spell out.
SPELLED = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "twelve": 12.0, "eighteen": 18.0}
#: One unsigned figure: "1,000", "2.5", ".5". Labels of the FDA set thousands apart with commas.
NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
#: Texts whose foldings and findings are remembered: more than the sentences of a section, which every specialist reads.
REMEMBERED = 4096


@cache
def words(name: str) -> Mapping[str, Any]:
    """One TOML file of `vocabulary` as plain data."""
    return read_table("pharmakon.extract", "specialists", "vocabulary", f"{name}.toml")


def any_of(patterns: Iterable[str]) -> str:
    """An alternation that tries the longest pattern first; a space stands for any white space or a hyphen,
    " ?" for some or none.
    """
    ordered = sorted(patterns, key=lambda p: (-len(p), p))
    return "(?:" + "|".join(p.replace(" ?", r"[\s-]*").replace(" ", r"[\s-]+") for p in ordered) + ")"


def pattern(expression: str) -> re.Pattern[str]:
    """Compiled without regard to case."""
    return re.compile(expression, re.IGNORECASE)


@cache
def cue(name: str, *lists: str) -> re.Pattern[str]:
    """Whole words of the lists `lists` of the file `name`: `cue("cues", "study")`."""
    table = words(name)
    found = [p for key in lists for p in _list(table, key)]
    return pattern(rf"(?<![A-Za-z]){any_of(found)}(?![A-Za-z])")


def _list(table: Mapping[str, Any], key: str) -> list[str]:
    """`a.b` is list b of table a."""
    value: Any = table
    for part in key.split("."):
        value = value[part]
    return [str(v) for v in value]


@lru_cache(REMEMBERED)  # half a dozen specialists ask for the same sentences
def hints(text: str) -> frozenset[str]:
    """The lists of `stems.toml` of which a stem stands in `text`: asked before a pattern is tried.

    One pass over the text for all lists together costs a hundredth of the patterns that it saves.

    >>> sorted(hints("Contraindicated in asthma."))
    ['allergy.said', 'contraindication.forbids', 'contraindication.said', 'told.stems']
    """
    automaton, lists = _stems()
    found = {n for n, _, _ in automaton.find_matches_as_indexes(lowered(text), True)}
    return frozenset[str]().union(*[lists[n] for n in found])


@cache
def _stems() -> tuple[AhoCorasick, Sequence[frozenset[str]]]:
    """The automaton of all stems, and the lists that hold each."""
    named: dict[str, set[str]] = {}
    for group, lists in words("stems").items():
        for key, stems in lists.items():
            for stem in stems:
                named.setdefault(stem, set()).add(f"{group}.{key}")
    return AhoCorasick(named, implementation=Implementation.DFA), [frozenset(lists) for lists in named.values()]


@lru_cache(REMEMBERED)  # half a dozen specialists ask for the same sentences
def lowered(text: str) -> str:
    """`text` in small letters, as stems are looked for in it."""
    return text.casefold()


def figure(text: str) -> float:
    """The value of what `NUMBER` or one of `SPELLED` matched.

    >>> figure("1,000"), figure(".5")
    (1000.0, 0.5)
    """
    return SPELLED.get(text.lower()) or float(text.replace(",", ""))


def plain(value: float) -> str:
    """A number as the language of conditions writes it, without rounding.

    >>> plain(1000.0), plain(0.625), plain(0.00001)
    ('1000', '0.625', '0.00001')
    """
    return plain_figure(value, 10)


_REFERENCE = pattern(
    r"\[\s*(?:see|refer|consult)[^\]]*\]|\(\s*(?:see|refer to)\b[^()]*(?:\([^()]*\)[^()]*)*\)"
    r"|\(\s*(?:boxed warning|\d{1,2}(?:\.\d{1,2})?)(?:\s*,\s*(?:boxed warning|\d{1,2}(?:\.\d{1,2})?))*\s*\)"
)


@lru_cache(REMEMBERED)  # half a dozen specialists ask for the same sentences
def without_references(text: str) -> str:
    """`text` with cross-references blanked, letter by letter, so that places stay what they are.

    >>> without_references("Avoid [see Warnings (5.1)] in asthma (4.2).")
    'Avoid                      in asthma      .'
    """
    if "(" not in text and "[" not in text:
        return text
    return _REFERENCE.sub(lambda m: _blank(m, text), text)


def _blank(match: re.Match[str], text: str) -> str:
    """White space, led by a semicolon where a new item follows: list items run together often keep their references."""
    following = text[match.end() :].lstrip(" .•")[:1]
    return (";" if following.isupper() else " ") + " " * (len(match[0]) - 1)
