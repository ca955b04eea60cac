"""Passages in the order in which they answer a question, from what searches by words and by vectors found.

Words and vectors find the right topic and often the wrong aspect of it, or the right aspect of a neighbouring topic.
So four things are added up: how near a passage is (vector, BM25), how much of the subject it holds, how much its
document is about that subject (the passages of a document are witnesses for each other), and how much it and its section
tell of the aspect asked for. Each is a share or a difference of cosines, each has one weight, and each is left out where
it has nothing to say: the aspect where a question asks for none, the vector where there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest
from itertools import pairwise
from operator import mul

from pharmakon.model.passages import Found, Passage
from pharmakon.retrieve.aspects import names, told
from pharmakon.retrieve.query import Query
from pharmakon.retrieve.words import holds, spaced, stem, stopwords, terms, together

#: Cues from here on are taken as they are: a passage with fewer is only partly of their aspects.
_DAMPING = 3.0
#: Characters of a document's first passage that tell what it is about.
_OPENING = 250
#: A word that half of a document's passages hold counts three quarters of one that all of them hold.
_SATURATION = 0.5
#: The best passages of a document that speak for it.
_WITNESSES = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that a search found; `cosine` or `lexical` (BM25) is None where that search did not find it."""

    passage: Passage
    cosine: float | None = None
    lexical: float | None = None


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part counts; the parts are shares of 0 to 1, those of cosines differences to the best.

    Chosen on 276 questions of five types about a third of the documents of MedQuAD; `evals/ask-retrieval` measures them
    on the others, and each part by leaving it out.
    """

    cosine: float = 10.0
    document_cosine: float = 5.0  #: the mean of the document's best passages
    lexical: float = 0.1
    coverage: float = 0.3  #: how much of the subject the passage holds, by idf; words that stand together count again
    document: float = 3.5  #: the same of all passages of the document, each word by the share of passages that hold it
    opening: float = 0.5  #: the same of how the document begins
    title: float = 1.2  #: how well its title and the subject agree
    aspect: float = 0.6  #: the share of the aspects asked for in what the passage tells
    section: float = 0.6  #: the same of its section
    beginning: float = 0.2  #: for a question what something is: a section's first passage


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage with its score and what that is made of, for the trace. `held`: the share of the subject in it."""

    found: Found
    parts: Mapping[str, float]
    held: float

    @property
    def passage(self) -> Passage:
        return self.found.passage


def rank(query: Query, candidates: Sequence[Candidate], weights: Weights = WEIGHTS) -> list[Ranked]:
    """The candidates, the best first; of equal ones the one that was given first.

    The share of a document's passages that hold a word is that among the candidates: give all passages of those
    documents that may be the answer.
    """
    if not candidates:
        return []
    subject = _Subject(query)
    texts = [_text(c.passage.heading, c.passage.text) for c in candidates]
    held = [subject.held(text) for text in texts]
    shares = [subject.share_in(h) for h in held]
    documents: dict[str, list[int]] = defaultdict(list)
    for i, candidate in enumerate(candidates):
        documents[candidate.passage.document].append(i)
    parts = _Parts(len(candidates))
    _nearness(candidates, documents.values(), weights, parts)
    parts.add("coverage", [weights.coverage * share for share in shares])
    about, opening, title = ([0.0] * len(candidates) for _ in range(3))
    for own in documents.values():
        share = weights.document * subject.share_of([held[i] for i in own])
        start = min(own, key=lambda i: (candidates[i].passage.ord, candidates[i].passage.start))
        begins = weights.opening * subject.share_in(subject.held(f"{texts[start][:_OPENING]} "))
        named = weights.title * subject.title(spaced(candidates[start].passage.title))
        for i in own:
            about[i], opening[i], title[i] = share, begins, named
    parts.add("document", about)
    parts.add("opening", opening)
    parts.add("title", title)
    if query.aspects:
        _aspects(query, candidates, texts, weights, parts)
    order = sorted(range(len(candidates)), key=lambda i: (-parts.total[i], i))
    return [Ranked(Found(candidates[i].passage, parts.total[i]), parts.of(i), shares[i]) for i in order]


@dataclass(slots=True)
class _Parts:
    """The parts of all scores, a list by name, and their sums."""

    count: int
    by_name: dict[str, list[float]] = field(default_factory=dict)
    total: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self.total = [0.0] * self.count

    def add(self, name: str, values: Sequence[float]) -> None:
        self.by_name[name] = list(values)
        self.total = [a + b for a, b in zip(self.total, values, strict=True)]

    def of(self, at: int) -> dict[str, float]:
        return {name: values[at] for name, values in self.by_name.items() if values[at]}


@dataclass(frozen=True, slots=True)
class _Held:
    """Which words of the subject a text holds, and which neighbours among them stand together in it; by their place."""

    words: tuple[bool, ...]
    pairs: tuple[bool, ...]


class _Subject:
    """The words of a question's subject and the pairs of neighbours among them, with their weights."""

    def __init__(self, query: Query) -> None:
        self._stems = [term.stem for term in query.terms]
        self._weights = [term.weight for term in query.terms]
        self._pairs = [(a + b) / 2 for a, b in pairwise(self._weights)]
        self._total = sum(self._weights) + sum(self._pairs) or 1.0

    def held(self, text: str) -> _Held:
        words = tuple(holds(text, s) for s in self._stems)
        both = zip(pairwise(words), pairwise(self._stems), strict=True)
        return _Held(words, tuple(a and b and together(text, *stems) for (a, b), stems in both))

    def share(self, words: Iterable[float], pairs: Iterable[float]) -> float:
        """The weighted mean of how much of each word and pair is there."""
        found = sum(map(mul, self._weights, words)) + sum(map(mul, self._pairs, pairs))
        return found / self._total

    def share_in(self, held: _Held) -> float:
        return self.share(held.words, held.pairs)

    def share_of(self, held: Sequence[_Held]) -> float:
        """The same over the passages of a document: of each word the share of passages that hold it, saturated."""
        words = [_saturated(sum(column) / len(held)) for column in zip(*(h.words for h in held), strict=True)]
        pairs = [_saturated(sum(column) / len(held)) for column in zip(*(h.pairs for h in held), strict=True)]
        return self.share(words, pairs)

    def title(self, title: str) -> float:
        """How much of the subject a title holds and how much of the title is of the subject: the harmonic mean."""
        recall = self.share_in(self.held(title))
        inside = [stem(word) for word in terms(title) if word not in stopwords()]
        precision = sum(word in self._stems for word in inside) / len(inside) if inside else 0.0
        return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def _saturated(share: float) -> float:
    return share * (1 + _SATURATION) / (share + _SATURATION)


def _nearness(candidates: Sequence[Candidate], places: Iterable[Sequence[int]], w: Weights, parts: _Parts) -> None:
    """What the searches themselves say; a passage that one of them did not find is as far as the last that it did."""
    cosines = [c.cosine for c in candidates if c.cosine is not None]
    if cosines:
        best, last = max(cosines), min(cosines)
        near = [(last if c.cosine is None else c.cosine) - best for c in candidates]
        parts.add("cosine", [w.cosine * value for value in near])
        pooled = [0.0] * len(candidates)
        for own in places:
            witnesses = nlargest(_WITNESSES, (near[i] for i in own))
            for i in own:
                pooled[i] = w.document_cosine * sum(witnesses) / len(witnesses)
        parts.add("document_cosine", pooled)
    if strongest := max((c.lexical or 0.0 for c in candidates), default=0.0):
        parts.add("lexical", [w.lexical * (c.lexical or 0.0) / strongest for c in candidates])


def _aspects(query: Query, candidates: Sequence[Candidate], texts: Sequence[str], w: Weights, parts: _Parts) -> None:
    wanted = [(names().index(aspect), share) for aspect, share in query.aspects.items()]
    values = [told(text, c.passage.section) for text, c in zip(texts, candidates, strict=True)]
    sections: dict[tuple[str, int], list[int]] = defaultdict(list)
    for i, candidate in enumerate(candidates):
        sections[candidate.passage.document, candidate.passage.ord].append(i)
    pooled = [0.0] * len(candidates)
    for own in sections.values():
        share = _share(wanted, [sum(column) for column in zip(*(values[i] for i in own), strict=True)])
        for i in own:
            pooled[i] = w.section * share
    parts.add("aspect", [w.aspect * _share(wanted, value) for value in values])
    parts.add("section", pooled)
    if first := query.aspects.get("definition"):
        parts.add("beginning", [w.beginning * first * (c.passage.start == 0) for c in candidates])


def _share(wanted: Sequence[tuple[int, float]], values: Sequence[float]) -> float:
    """The aspects that are asked for among all that is told."""
    return sum(share * values[aspect] for aspect, share in wanted) / (sum(values) + _DAMPING)


@lru_cache(maxsize=16_384)
def _text(heading: str, text: str) -> str:
    """What a passage says, its heading first, ready to look words up in."""
    return spaced(f"{heading}\n{text}")
