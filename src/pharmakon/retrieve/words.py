"""The words of questions and passages as they are compared: folded, without endings, Chinese in pairs of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from pharmakon.model.concepts import fold, is_han
from pharmakon.model.tables import read_table

_SHORTEST_STEM = 4
_ENDINGS = ("ing", "ies", "ed", "es", "en", "s", "e")
_VOWELS = "aeiou"
_HAN_RUN = re.compile(r"([\u3400-\u9fff\uf900-\ufaff]+)")
#: ASCII as `fold` has it.
_ASCII = str.maketrans({c: c.lower() if c.isalnum() or c in "%+" else " " for c in map(chr, range(128))})
_BEYOND = re.compile(r"[^\x00-\x7f\u3400-\u9fff]")


def spaced(text: str) -> str:
    """`text` folded, one blank before and after every word: ready to look words up in with `str.find`.

    >>> spaced("Crohn's disease (ileïtis)"), spaced("什么是痛风？")
    (' crohn s disease ileitis ', ' 什么是痛风 ')
    """
    plain = text if text.isascii() else _BEYOND.sub(_folded, text)
    return f" {' '.join(plain.translate(_ASCII).split())} "


def _folded(character: re.Match[str]) -> str:
    return _fold_one(character[0])


@lru_cache(maxsize=4096)
def _fold_one(character: str) -> str:
    """A character as it is folded between letters, where a mark on the letter before it is nothing."""
    return fold(f"a{character}a")[1:-1]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A folded word without the endings of number and tense, English and Dutch; at least four letters stay.

    Lighter than Porter's: what has one stem here has to be one word, since passages are scored by what they cover. A
    stem is what its words begin with, so that it can be looked for in a text.

    >>> [stem(w) for w in ("stones", "diagnosed", "allergies", "allergy", "klachten", "gas", "kidneys")]
    ['ston', 'diagnos', 'allerg', 'allerg', 'klacht', 'gas', 'kidney']
    """
    if word.endswith(("ss", "us", "is")) or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    if word[-1] == "y" and len(word) > _SHORTEST_STEM and word[-2] not in _VOWELS:
        return word[:-1]
    return word


def terms(folded: str) -> Iterator[str]:
    """The words of a folded text; a run of Chinese as its overlapping pairs of characters (a lone one as it is).

    >>> list(terms("华法林 inr 痛"))
    ['华法', '法林', 'inr', '痛']
    """
    for word in folded.split():
        for part in (word,) if word.isascii() else _HAN_RUN.split(word):
            if part and is_han(part[0]) and len(part) > 1:
                yield from (part[i : i + 2] for i in range(len(part) - 1))
            elif part:
                yield part


def holds(text: str, stemmed: str) -> bool:
    """Whether a word of a stem stands in `text` (as `spaced` gives it); Chinese stands anywhere.

    >>> holds(" kidney stones ", "ston"), holds(" cystic fibrosis ", "cyst")
    (True, False)
    """
    return next(ends(text, stemmed), 0) > 0


def ends(text: str, stemmed: str) -> Iterator[int]:
    """Where the words of a stem end: at a blank, or with a piece of Chinese."""
    if not stemmed.isascii() and is_han(stemmed[0]):
        at = text.find(stemmed)
        while at >= 0:
            yield at + len(stemmed)
            at = text.find(stemmed, at + len(stemmed))
        return
    wanted = f" {stemmed}"
    at = text.find(wanted)
    while at >= 0:
        end = text.find(" ", at + 1)
        if end - at == len(wanted) or stem(text[at + 1 : end]) == stemmed:
            yield end
        at = text.find(wanted, end)


def together(text: str, first: str, second: str) -> bool:
    """Whether a word of the first stem is followed at once by one of the second.

    >>> together(" kidney stones ", "kidney", "ston"), together(" stones in a kidney ", "kidney", "ston")
    (True, False)
    """
    if not second.isascii() and is_han(second[0]):  # the pairs of a run overlap by one character
        return any(text.startswith(second, end - 1) or text.startswith(second, end) for end in ends(text, first))
    wanted = f" {second}"
    return any(
        text.startswith(wanted, end) and stem(text[end + 1 : text.find(" ", end + 1)]) == second
        for end in ends(text, first)
    )


@cache
def stopwords() -> frozenset[str]:
    """Words that say nothing about the subject of a question, of all languages, folded."""
    data = read_table("pharmakon.retrieve", "words.toml")
    return frozenset(word for words in data["stopwords"].values() for word in words)
