"""Figures with comparisons, as labels write them: "less than 30", "30 to < 60", "between 15 and 29", "65 or older".

What is written is kept: "30 to 59" is >= 30 and <= 59, although the next row of the label begins at 60.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from pharmakon.extract.specialists.wording import NUMBER, SPELLED, any_of, figure, pattern, plain, words

Bounds = tuple[tuple[str, str], ...]
"""(operator, figure) of one or both sides, the figure as the language of conditions writes it."""

_TO = r"(?:-?\s*to|through|up to|-|–|—|‑|−)"


def grammar(units: Iterable[str], required: bool = False) -> str:
    """A pattern for one comparison, its unit among `units`; groups op1, n1, u1, op2, n2, u2, after.

    An open side needs an operator before or words after it; `bounds` gives nothing where neither stands.
    """
    listed = list(units)
    unit = any_of(listed) if listed else r"(?!)"
    op = operators()
    number = rf"(?:{NUMBER}|(?:{'|'.join(SPELLED)})\b)"
    joined = rf"(?:{_TO}|(?:and|but|to|,|{_TO})\s+(?=(?:is\s+|are\s+)?{op})|(?P<and>and))"
    second = (
        rf"\s*+{joined}\s*+(?:is\s+|are\s+)?(?P<op2>{op})?\s*+(?P<n2>{number})(?![\d.,]*\d)(?:[\s-]*+(?P<u2>{unit}))?"
    )
    return (
        rf"(?:(?P<between>between)\s+)?(?:(?P<op1>{op})\s*+)?(?P<n1>{number})(?![\d.,]*\d)(?:[\s-]*+(?P<u1>{unit}))?"
        rf"(?:{second})?{'(?(u1)|(?(u2)|(?!)))' if required else ''}"
    )


def after() -> str:
    """Words behind a figure that compare it: "or older"."""
    return rf"(?P<after>{any_of(p for list_ in words('populations')['comparisons_after'].values() for p in list_)})"


def bounds(match: re.Match[str], behind: str = "", mixed: bool = False) -> Bounds:
    """What a match of `grammar` says; nothing where a figure stands without comparison or the two sides don't meet.

    `mixed`: the two figures have different units and can't be compared here ("6 months to 2 years").
    """
    first, second = match["n1"], match["n2"]
    before, behind_op = _operator(match["op1"] or ""), _behind(behind)
    if second:
        if match["and"] and not match["between"] and not match["op2"]:
            return ()
        if not (before or match["op2"] or mixed) and figure(first) > figure(second):
            first, second = second, first  # "40 to 30 mL/min", as falling rows of a table have it
        low, high = before or ">=", _operator(match["op2"] or "") or "<="
        if match["between"]:
            low = ">="
        if low not in (">", ">=") or high not in ("<", "<=") or (not mixed and figure(first) >= figure(second)):
            return ()
        return (low, plain(figure(first))), (high, plain(figure(second)))
    one = before or behind_op
    return ((one, plain(figure(first))),) if one else ()


@cache
def operators() -> str:
    """All comparisons that stand before a figure, as one alternation."""
    return any_of(p for list_ in words("populations")["comparisons"].values() for p in list_)


def _operator(said: str) -> str:
    return next((op for op, spelled in _spelled("comparisons") if spelled.fullmatch(said.strip())), "")


def _behind(said: str) -> str:
    return next((op for op, spelled in _spelled("comparisons_after") if spelled.fullmatch(said.strip())), "")


@cache
def _spelled(table: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((op, pattern(any_of(list_))) for op, list_ in words("populations")[table].items())
