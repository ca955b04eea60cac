"""A question as it is searched: what it asks for, and the words of its subject with how much each of them tells."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

from rapidfuzz import process
from rapidfuzz.distance import OSA

from pharmakon.retrieve.aspects import asked, cue_like
from pharmakon.retrieve.words import spaced, stem, stopwords, terms

_WORD = re.compile(r"[^ ]+")
#: A word of so many letters may be a slip, of one letter, from `_LONG` letters on of two.
_SHORTEST_SLIP, _LONG = 4, 7
_MOST_WORDS = 64  #: of the subject; who writes more is not asking for one thing
#: Letters from which on a slip tells what was meant: of shorter words another is always near ("weer", week).
_TELLING = 6


class Statistics(Protocol):
    """What is known of the words of all passages; a text store is one."""

    def document_frequency(self, words: Collection[str]) -> tuple[Mapping[str, int], int]:
        """Word → how many passages hold it; and how many passages there are."""
        ...


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the subject: as asked, as compared, and its inverse document frequency."""

    word: str
    stem: str
    weight: float
    known: bool = True  #: some passage holds it
    sure: bool = True  #: it stands in the question, or is all that a long word can be a slip of


@dataclass(frozen=True, slots=True)
class Query:
    """`aspects` are shares that add up to 1, or nothing. `corrected`: word as asked → as it was taken."""

    text: str  #: spaced
    aspects: Mapping[str, float]
    terms: tuple[Term, ...]
    corrected: tuple[tuple[str, str], ...] = ()

    @property
    def unknown(self) -> tuple[str, ...]:
        return tuple(t.word for t in self.terms if not t.known)

    @property
    def words(self) -> str:
        """What is to be searched by words."""
        kept = (w for w in self.text.split() if w not in stopwords())
        return " ".join(dict.fromkeys((*(t.word for t in self.terms), *kept)))


def understand(text: str, statistics: Statistics) -> Query:
    """What `text` asks for and about, in any of our languages."""
    folded = spaced(text)
    said = asked(folded)
    words = [
        word
        for match in _WORD.finditer(folded)
        if not any(start <= match.start() < end for start, end in said.cues)
        for word in terms(match[0])
        if word not in stopwords()
    ]
    return Query(folded, said.aspects, _weighed(words, statistics))


def corrected(query: Query, vocabulary: Iterable[str], statistics: Statistics) -> Query:
    """`query` with the words that no passage holds taken as words they are slips of.

    A slip of a cue asks for its aspect ("symtoms of gout"); another is a slip of a word of `vocabulary`, which are the
    words of the passages whose vectors are nearest: their model knows most misspelt words by their parts.
    """
    if not query.unknown:
        return query
    known = tuple(dict.fromkeys(w for w in vocabulary if len(w) >= _SHORTEST_SLIP))
    taken = {word: better for word in query.unknown if (better := cue_like(word) or _likely(word, known))}
    if not taken:
        return query
    again = understand(" ".join(taken.get(word, word) for word in query.text.split()), statistics)
    short = {better for word, better in taken.items() if len(word) < _TELLING}
    read = tuple(replace(term, sure=term.word not in short) for term in again.terms)
    return replace(again, terms=read, corrected=tuple(taken.items()))


def _weighed(words: Iterable[str], statistics: Statistics) -> tuple[Term, ...]:
    """Words with their idf as BM25 has it (Robertson and Zaragoza 2009, eq. 3.3), never below zero."""
    once = {stem(word): word for word in reversed(list(islice(words, _MOST_WORDS)))}
    chosen = dict(reversed(once.items()))
    found, total = statistics.document_frequency(tuple(chosen.values()))
    return tuple(
        Term(word, stemmed, math.log(1 + (total - n + 0.5) / (n + 0.5)), n > 0)
        for stemmed, word in chosen.items()
        for n in (found.get(word, 0),)
    )


def _likely(word: str, known: tuple[str, ...]) -> str | None:
    if len(word) < _SHORTEST_SLIP or not word.isascii():
        return None
    slips = 1 if len(word) < _LONG else 2
    near = process.extract(word, known, scorer=OSA.distance, score_cutoff=slips, limit=5)
    # the first letter is seldom mistaken; among equals the word of the nearer passage comes first
    usual = [(name, slip, at) for name, slip, at in near if name[0] == word[0] or slip == 1]
    return min(usual, key=lambda hit: (hit[1], hit[2]))[0] if usual else None
