"""Question text → `Question`: its language, and the concepts its words name.

Names are found as in a label (`link.mentions`); a person also writes brands small and misspells: what is left over is
looked up word by word, then compared with the names that lie near, and a guess is marked as one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources

from pharmakon.link.mentions import KINDS, MentionScanner
from pharmakon.link.names import Finder
from pharmakon.link.slips import Speller
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.question import Link, Question
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.language import language_of
from pharmakon.retrieve.people import person

#: A word of Latin letters; in Chinese it stands against characters that are none of it.
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f](?:[A-Za-z\u00c0-\u024f0-9'-])*")
_SHORTEST = 5  #: letters of a word that may be a misspelt name
#: What a misspelt word may mean.
_SPELT = frozenset({"ingredient", "drug", "disease", "lifestyle"})


class Reader:
    """Reads questions against one state of a knowledge base."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self._knowledge = knowledge
        self.scanner = MentionScanner(knowledge)
        self._speller = Speller(Finder(knowledge), _SPELT)

    def read(self, text: str, *, lang: str = "", carried: Sequence[Link] = ()) -> Question:
        """`lang` is worked out where it is empty."""
        links = self._links(text)
        ordered = tuple(sorted(links, key=lambda link: link.start))
        return Question(text, lang or language_of(text), ordered, tuple(carried), person(text))

    def links_of(self, text: str) -> tuple[Link, ...]:
        """What any text names, without guesses."""
        return tuple(self._found(text))

    def _links(self, text: str) -> Iterator[Link]:
        wanted = list(_wanted(text))
        yield from wanted
        found = [link for link in self._found(text) if not any(_overlap(link, other) for other in wanted)]
        yield from found
        found += wanted
        taken = [(link.start, link.end) for link in found]
        words = [m for m in _WORD.finditer(text) if not any(a < m.end() and m.start() < b for a, b in taken)]
        named = self._knowledge.by_name({fold(m.group()) for m in words})
        unknown = self._unknown([m.group() for m in words])
        for match in words:
            bearers = [c for c, _ in named.get(fold(match.group()), ()) if kind_of(c) in KINDS]
            if bearers and len(match.group()) > 3 and match.group() in unknown:
                yield Link(match.start(), match.end(), tuple(dict.fromkeys(bearers)), match.group())
            elif match.group() in unknown and len(match.group()) >= _SHORTEST:
                near = self._speller.near(match.group())
                if near.concept is not None:
                    yield Link(match.start(), match.end(), (near.concept,), match.group(), guessed=True)

    def _found(self, text: str) -> Iterable[Link]:
        return (Link(h.start, h.end, h.concepts, text[h.start : h.end]) for h in self.scanner.find(text))

    def _unknown(self, words: Sequence[str]) -> frozenset[str]:
        """Words that are none of the sources' own: only they can be misspelt names, or names written small."""
        counts, _ = self._knowledge.document_frequency({w.casefold() for w in words})
        return frozenset(w for w in words if counts[w.casefold()] < _COMMON)


def _wanted(text: str) -> Iterator[Link]:
    """Words for a medicine by what it is for."""
    taken = 0
    for match in _lay().finditer(text):
        if match.start() >= taken:
            taken = match.end()
            concept = _wants()[fold(match[1])]
            yield Link(match.start(), match.end(), (concept,), match.group(), wanted=True)


def _overlap(one: Link, other: Link) -> bool:
    return one.start < other.end and other.start < one.end


@cache
def _wants() -> dict[str, ConceptId]:
    data = tomllib.loads(resources.files("pharmakon.retrieve").joinpath("lay.toml").read_text("utf-8"))
    return {fold(word): ConceptId(concept) for concept, words in data["wants"].items() for word in words}


@cache
def _lay() -> re.Pattern[str]:
    data = tomllib.loads(resources.files("pharmakon.retrieve").joinpath("lay.toml").read_text("utf-8"))
    words = sorted((w for found in data["wants"].values() for w in found), key=len, reverse=True)
    latin = "|".join(re.escape(w) for w in words if w.isascii())
    han = "|".join(re.escape(w) for w in words if not w.isascii())
    return re.compile(
        rf"(?|\b({latin})(?:s|n|en)?\b|({han}))" if False else rf"((?<!\w)(?:{latin})(?=(?:s|n|en)?(?!\w))|{han})",
        re.IGNORECASE,
    )


_COMMON = 3  #: passages that hold a word which is one of the language and no slip


def concepts_of(links: Iterable[Link], *kinds: str) -> tuple[ConceptId, ...]:
    """The concepts of these kinds that links name, each once; all kinds if none."""
    found = (c for link in links for c in link.concepts if not kinds or kind_of(c) in kinds)
    return tuple(dict.fromkeys(found))
