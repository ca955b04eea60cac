"""Figures as people write them in directions and drug names: "1,000", "0,5", "1 1/2", "½", and never "−5" for 5."""

from __future__ import annotations

import re

_GLYPHS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125, "⅜": 0.375, "⅝": 0.625, "⅞": 0.875}
_GLYPH = "[" + "".join(_GLYPHS) + "]"
#: only fractions a tablet is broken into; "5/325" and "5/10" are two strengths
_FRACTION = r"(?:1/2|1/3|2/3|1/4|3/4|[1357]/8)(?![\d/]|[.,]\d)"

#: One unsigned figure, as a piece to build larger patterns from.
FIGURE = (
    rf"(?:\d{{1,2}}[ ]{_FRACTION}|{_FRACTION}|\d{{1,2}}[ ]?{_GLYPH}|{_GLYPH}"
    r"|\d{1,3}(?:[,.' ]000)+(?![\d])|\d+(?:[.,]\d+)*|\.\d+)"
)
#: how thousands are set apart, and what is left once that is undone
_THOUSANDS = (
    (re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?"), ",", "."),
    (re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+,\d+"), ".", ","),
    (re.compile(r"[1-9]\d{0,2}(?:\.\d{3}){2,}"), ".", ","),
    (re.compile(r"[1-9]\d{0,2}(?: 000)+"), " ", "."),
    (re.compile(r"[1-9]\d{0,2}(?:'000)+"), "'", "."),
)
_MIXED = re.compile(rf"(?:(\d{{1,2}}) ?)?(?:({_GLYPH})|(\d)/(\d))")
_DECIMAL = re.compile(r"\d*[.,]?\d+")
_ENDS_IN_ZERO = re.compile(r"[1-9]\d{0,2}\.\d\d0")


def read_number(text: str) -> float | None:
    """The value of one figure matched by `FIGURE`, or None where it can be read in two ways.

    "1,000" is a thousand and "0,5" a half. "2.500" is two and a half in English and two and a half thousand in Dutch
    (nobody should write a trailing zero: ISMP list of error-prone abbreviations), so it is not read at all.
    """
    if match := _MIXED.fullmatch(text):
        whole = float(match[1] or 0)
        return whole + (_GLYPHS[match[2]] if match[2] else float(match[3]) / float(match[4]))
    if _ENDS_IN_ZERO.fullmatch(text):
        return None
    for pattern, mark, decimal in _THOUSANDS:
        if pattern.fullmatch(text):
            return float(text.replace(mark, "").replace(decimal, "."))
    if _DECIMAL.fullmatch(text):
        value = float(text.replace(",", "."))
        return value if value < 1e12 else None
    return None


def is_negative(text: str, start: int) -> bool:
    """Whether the figure at `start` has a minus before it: "−5", " -5"; but not "4-6", "4 - 6" or "Coumadin-5"."""
    before = text[:start]
    bare = before.rstrip()
    if not bare or bare[-1] not in "-−–—‐‑":
        return False
    left = bare[:-1].rstrip()
    if left and (left[-1].isdigit() or left[-1] in _GLYPHS):
        return False
    touching_word = bare[-2:-1].isalnum() or bare[-2:-1] in (")", "]", "%")
    if bare[-1] == "−":
        return not touching_word
    apart = bare != before  # "metoprolol - 5 mg": a dash between blanks separates
    return not touching_word and not apart
