"""Which of our languages a question is in."""

from __future__ import annotations

from functools import cache

from pharmakon.model.concepts import fold, is_han
from pharmakon.model.tables import read_table

LANGUAGES = ("en", "nl", "zh")


def language_of(text: str) -> str:
    """`zh` where a fifth of the letters is Chinese (drug names stay Latin there), else by small words; `en` if even.

    >>> [language_of(t) for t in ("Mag ik dit nemen?", "May I take this?", "warfarin能吃吗")]
    ['nl', 'en', 'zh']
    """
    letters = [c for c in text if c.isalpha()]
    if letters and sum(map(is_han, letters)) * 5 >= len(letters):
        return "zh"
    words = fold(text).split()
    english, dutch = (sum(w in _words()[lang] for w in words) for lang in ("en", "nl"))
    return "nl" if dutch > english else "en"


@cache
def _words() -> dict[str, frozenset[str]]:
    data = read_table("pharmakon.retrieve", "language.toml")
    return {lang: frozenset(words) for lang, words in data["words"].items()}
