"""Question text → `Question`: its language, and the concepts its words name.

Names are found as in a label (`link.mentions`); a person also writes brands small and misspells: what is left over is
looked up word by word, then compared with the names that lie near, and a guess is marked as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

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
        found = list(self._found(text))
        yield from found
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


_COMMON = 3  #: passages that hold a word which is one of the language and no slip


def concepts_of(links: Iterable[Link], *kinds: str) -> tuple[ConceptId, ...]:
    """The concepts of these kinds that links name, each once; all kinds if none."""
    found = (c for link in links for c in link.concepts if not kinds or kind_of(c) in kinds)
    return tuple(dict.fromkeys(found))
