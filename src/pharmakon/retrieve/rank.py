"""Passages in the order in which they answer a question, from what searches by words and by vectors found.

Words and vectors find the right topic and often the wrong aspect of it, or the right aspect of a neighbouring topic.
So four things are added up: how near a passage is (vector, BM25), how much of the subject it holds, how much its
document is about that subject (the passages of a document are witnesses for each other), and how much it and its
section tell of the aspect asked for. Each is a share or a difference of cosines, each has one weight, and each is left
out where it has nothing to say: the aspect where a question asks for none, the vector where there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest, nsmallest
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
#: What an answer needs at least: the share of the subject's words in its document, and how much the document is about
#: them; a word that is said once in passing is not what it is about. Figures in `evals/ask-retrieval`. No cosine is
#: asked for: its scale is each model's own, and misspelt questions lie further from their answers.
_COVERED, _ABOUT = 0.6, 0.25
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

    Chosen on 276 questions of five types about three tenths of the documents of MedQuAD; `evals/ask-retrieval` measures
    them on the others, and each part by leaving it out.
    """

    cosine: float = 5.0
    document_cosine: float = 30.0  #: the mean of the document's best passages
    lexical: float = 0.05
    coverage: float = 0.1  #: the share of the subject that the passage holds and its document does not everywhere
    document: float = 3.5  #: the share of the subject in the document, each word by how many of its passages hold it
    opening: float = 0.25  #: the share of the subject in how the document begins
    title: float = 3.0  #: how well its title and the subject agree
    aspect: float = 0.6  #: the share of the aspects asked for in what the passage tells
    section: float = 0.6  #: the same of its section
    beginning: float = 0.2  #: for a question what something is: a section's first passage


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage with its score, and what that is made of for the trace.

    `covered`: the share of the subject's words, by idf, that stand in its document, title included; `about`: the same
    by how many of its passages hold each, or by the title where that holds more.
    """

    found: Found
    parts: Mapping[str, float]
    covered: float
    about: float

    @property
    def passage(self) -> Passage:
        return self.found.passage


def rank(query: Query, candidates: Sequence[Candidate], weights: Weights = WEIGHTS, limit: int = 50) -> list[Ranked]:
    """The best candidates in order; of equal ones the one that was given first.

    The share of a document's passages that hold a word is that among the candidates: give all passages of those
    documents that may be the answer, or a sample of them, and of no other.
    """
    if not candidates:
        return []
    subject = _Subject(query)
    texts = [_text(c.passage.heading, c.passage.text) for c in candidates]
    held = [subject.held(text) for text in texts]
    documents: dict[str, list[int]] = defaultdict(list)
    for i, candidate in enumerate(candidates):
        documents[candidate.passage.document].append(i)
    parts = _Parts(len(candidates))
    _nearness(candidates, documents.values(), weights, parts)
    evidence = _topics(subject, candidates, texts, held, documents, weights, parts)
    if query.aspects:
        _aspects(query, candidates, texts, weights, parts)
    best = nsmallest(limit, range(len(candidates)), key=lambda i: (-parts.total[i], i))
    found = []
    for i in best:
        passage = candidates[i].passage
        found.append(Ranked(Found(passage, parts.total[i]), parts.of(i), *evidence[passage.document]))
    return found


def answered(query: Query, ranked: Sequence[Ranked]) -> bool:
    """Whether what was found is likely to be about what is asked at all.

    A question without words for its subject is not answered, nor one whose words are all guessed from short ones.
    """
    if not ranked or not any(term.sure for term in query.terms):
        return False
    best = ranked[0]
    return best.covered >= _COVERED and best.about >= _ABOUT


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


_Held = tuple[tuple[bool, ...], tuple[bool, ...]]
"""Which words of the subject a text holds, and which neighbours among them stand together in it; by their place."""


class _Subject:
    """The words of a question's subject and the pairs of neighbours among them, with their weights."""

    def __init__(self, query: Query) -> None:
        self._stems = [term.stem for term in query.terms]
        self._weights = [term.weight for term in query.terms]
        self._pairs = [(a + b) / 2 for a, b in pairwise(self._weights)]
        self._total = sum(self._weights) + sum(self._pairs) or 1.0

    def held(self, text: str) -> _Held:
        words = tuple([holds(text, one) for one in self._stems])
        return words, tuple([
            a and b and together(text, one, other)
            for a, b, one, other in zip(words, words[1:], self._stems, self._stems[1:], strict=False)
        ])  # fmt: skip

    def share(self, words: Iterable[float], pairs: Iterable[float]) -> float:
        """The weighted mean of how much of each word and pair is there."""
        found: float = sum(map(mul, self._weights, words)) + sum(map(mul, self._pairs, pairs))
        return found / self._total

    def common(self, held: Sequence[_Held]) -> tuple[list[float], list[float]]:
        """Of each word and pair, the share of a document's passages that hold it."""
        words, pairs = zip(*held, strict=True)
        n = len(held)
        return [sum(c) / n for c in zip(*words, strict=True)], [sum(c) / n for c in zip(*pairs, strict=True)]

    def covered(self, held: Iterable[_Held]) -> float:
        """The share of the words, without their neighbours, that stand anywhere in these."""
        anywhere = map(any, zip(*(words for words, _ in held), strict=True))
        found: float = sum(map(mul, self._weights, anywhere))
        return found / (sum(self._weights) or 1.0)

    def title(self, held: _Held, title: str) -> float:
        """How much of the subject a title holds and how much of the title is of the subject: the harmonic mean."""
        recall = self.share(*held)
        inside = [stem(word) for word in terms(title) if word not in stopwords()]
        precision = sum(word in self._stems for word in inside) / len(inside) if inside else 0.0
        return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def _topics(
    subject: _Subject, candidates: Sequence[Candidate], texts: Sequence[str], held: Sequence[_Held],
    documents: Mapping[str, Sequence[int]], w: Weights, parts: _Parts,
) -> dict[str, tuple[float, float]]:  # fmt: skip
    """How much each document is about the subject; returns how much of its words each covers, and is about."""
    coverage, about, opening, title = ([0.0] * len(candidates) for _ in range(4))
    evidence = {}
    for id, own in documents.items():
        first = min(own, key=lambda i: (candidates[i].passage.ord, candidates[i].passage.start))
        named = spaced(candidates[first].passage.title)
        in_title = subject.held(named)
        common = subject.common([held[i] for i in own])
        share = subject.share(*(map(_saturated, column) for column in common))
        begins = w.opening * subject.share(*subject.held(f"{texts[first][:_OPENING]} "))
        agrees = w.title * subject.title(in_title, named)
        evidence[id] = subject.covered((in_title, *(held[i] for i in own))), max(share, subject.share(*in_title))
        for i in own:
            about[i], opening[i], title[i] = w.document * share, begins, agrees
            coverage[i] = w.coverage * subject.share(*map(_beyond, held[i], common))
    parts.add("coverage", coverage)
    parts.add("document", about)
    parts.add("opening", opening)
    parts.add("title", title)
    return evidence


def _beyond(held: Sequence[bool], common: Sequence[float]) -> list[float]:
    """What a passage holds beyond what its document says everywhere: in a label of ibuprofen warfarin tells, not it."""
    return [has * (1 - share) for has, share in zip(held, common, strict=True)]


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
    """How much of what a passage and its section tell is what the question asks for."""
    wanted = [(names().index(aspect), share) for aspect, share in query.aspects.items()]
    asked_for: list[float] = []
    all_told: list[float] = []
    sections: dict[tuple[str, int], list[int]] = defaultdict(list)
    for i, (text, candidate) in enumerate(zip(texts, candidates, strict=True)):
        values = told(text, candidate.passage.section)
        asked_for.append(sum([share * values[aspect] for aspect, share in wanted]))
        all_told.append(values[-1])
        sections[candidate.passage.document, candidate.passage.ord].append(i)
    parts.add("aspect", [w.aspect * a / (b + _DAMPING) for a, b in zip(asked_for, all_told, strict=True)])
    pooled = [0.0] * len(candidates)
    for own in sections.values():
        share = sum([asked_for[i] for i in own]) / (sum([all_told[i] for i in own]) + _DAMPING)
        for i in own:
            pooled[i] = w.section * share
    parts.add("section", pooled)
    if first := query.aspects.get("definition"):
        parts.add("beginning", [w.beginning * first * (c.passage.start == 0) for c in candidates])


@lru_cache(maxsize=16_384)
def _text(heading: str, text: str) -> str:
    """What a passage says, its heading first, ready to look words up in."""
    return spaced(f"{heading}\n{text}")
