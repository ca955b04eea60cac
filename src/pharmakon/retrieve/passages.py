"""Questions to passages over a text store: by words, by vectors, with the rest of the best documents, in one order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import groupby
from threading import Thread, local
from typing import TYPE_CHECKING, Protocol

from pharmakon.model.concepts import Concept, ConceptId
from pharmakon.model.passages import Found, Passage
from pharmakon.model.question import Link, Question
from pharmakon.ports.embedder import Embedder
from pharmakon.retrieve.query import Query, Statistics, corrected, understand
from pharmakon.retrieve.rank import WEIGHTS, Candidate, Ranked, Weights, answered, rank
from pharmakon.retrieve.words import spaced, terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Passages taken from each search.
SEARCHED = 100
#: Characters of a question that are embedded: a model reads as many in a tenth of a second.
EMBEDDED = 400
#: Documents whose other passages are ranked too.
DOCUMENTS = 8
#: Passages of one document that are ranked: of a longer one its first, what was found, and so many spread over it.
LONG = 40
#: The nearest passages, whose words are those that a misspelt word may be a slip of.
_VOCABULARY = 30
#: Of reciprocal rank fusion (Cormack et al. 2009, doi:10.1145/1571941.1572114).
_RANK = 60


class Texts(Statistics, Protocol):
    """What of a text store is asked."""

    def search(self, words: str, limit: int = 10) -> Sequence[Found]: ...

    def nearest(self, vector: NDArray[np.float32], model: str, limit: int = 10) -> Sequence[Found]: ...

    def passages_of(self, documents: Collection[str]) -> Sequence[Passage]: ...

    def concepts(self, ids: Collection[ConceptId]) -> Mapping[ConceptId, Concept]: ...


@dataclass(frozen=True, slots=True)
class Passages:
    """What was found, the best first; `confident`: whether it is likely to answer at all; `how` it was searched.

    `ranked` are the same with what their scores are made of, for the trace.
    """

    found: tuple[Found, ...]
    confident: bool
    how: str = ""
    ranked: tuple[Ranked, ...] = ()


@dataclass(frozen=True, slots=True)
class Gathered:
    """What is to be ranked for a question."""

    query: Query
    candidates: tuple[Candidate, ...]
    vectors: bool  #: whether vectors were searched


class _Ahead(local):
    """The question that this thread has begun to embed."""

    begun: tuple[str, Future[NDArray[np.float32]]] | None = None


def _into(found: Future[NDArray[np.float32]], embedder: Embedder, text: str) -> None:
    try:
        found.set_result(embedder.query(text))
    except Exception as error:  # noqa: BLE001 - whoever waits for it is told
        found.set_exception(error)


@dataclass(frozen=True, slots=True)
class Retriever:
    """`embedder` is None where there is none: then words alone find."""

    texts: Texts
    embedder: Embedder | None
    weights: Weights = field(default=WEIGHTS)
    _ahead: _Ahead = field(default_factory=lambda: _Ahead(), repr=False, compare=False)

    def find(self, question: Question, limit: int) -> Passages:
        """The best passages. An empty knowledge base has none, and nothing is confident."""
        gathered = self.gather(question.text, question.links)
        ranked = rank(gathered.query, gathered.candidates, self.weights)
        best = tuple(ranked[:limit])
        how = "words and vectors" if gathered.vectors else "words"
        return Passages(tuple(r.found for r in best), answered(gathered.query, ranked), how, best)

    def gather(self, text: str, links: Sequence[Link] = ()) -> Gathered:
        """Candidates from both searches: passages of the documents that they speak for most.

        A name that no passage holds as it is written (a brand, another language, a slip) is looked for as its concept
        is called; `links` are those of `text`.
        """
        embedding = self._embedding(text)
        query = understand(text, self.texts)
        if query.unknown and links:
            query = understand(self._called(text, links, query.unknown), self.texts)
        lexical = self.texts.search(query.words, SEARCHED)
        near: Sequence[Found] = ()
        if self.embedder is not None and embedding is not None:
            near = self.texts.nearest(embedding.result(), self.embedder.name, SEARCHED)
        if query.unknown:
            query = corrected(query, _vocabulary((near or lexical)[:_VOCABULARY]), self.texts)
            if query.corrected:
                lexical = self.texts.search(query.words, SEARCHED)
        cosines = {f.passage.no: f.score for f in near}
        scores = {f.passage.no: f.score for f in lexical}
        found = cosines.keys() | scores.keys()
        passages = _spread(self.texts.passages_of(_documents(near, lexical)), found)
        candidates = (Candidate(p, cosines.get(p.no), scores.get(p.no)) for p in passages)
        return Gathered(query, tuple(candidates), bool(near))

    def expect(self, text: str) -> None:
        """Begin to embed a question that passages will probably be searched for; nothing where there is no embedder."""
        if (begun := self._embedding(text)) is not None:
            self._ahead.begun = text, begun

    def _embedding(self, text: str) -> Future[NDArray[np.float32]] | None:
        """What `expect` of this thread began for `text`, else begun now: an embedder computes outside Python."""
        earlier, self._ahead.begun = self._ahead.begun, None
        if earlier is not None and earlier[0] == text:
            return earlier[1]
        if self.embedder is None:
            return None
        found: Future[NDArray[np.float32]] = Future()
        Thread(target=_into, args=(found, self.embedder, text[:EMBEDDED]), daemon=True).start()
        return found

    def _called(self, text: str, links: Sequence[Link], unknown: Collection[str]) -> str:
        known = self.texts.concepts({c for link in links for c in link.concepts})
        for link in sorted(links, key=lambda link: -link.start):
            words = set(terms(spaced(link.words)))
            if words & set(unknown) and (named := [known[c].display for c in link.concepts if c in known]):
                text = f"{text[: link.start]} {' '.join(named)} {text[link.end :]}"
        return text


def _documents(*searches: Sequence[Found]) -> list[str]:
    """The documents that the searches speak for most, by the sum of the reciprocal ranks of their passages."""
    voices: dict[str, float] = defaultdict(float)
    for found in searches:
        for place, one in enumerate(found, 1):
            voices[one.passage.document] += 1 / (_RANK + place)
    return sorted(voices, key=lambda id: (-voices[id], id))[:DOCUMENTS]


def _spread(passages: Iterable[Passage], found: Collection[int]) -> Iterator[Passage]:
    """Documents whole, and of a long one as much as tells what it is about."""
    for _, own in groupby(passages, lambda p: p.document):
        whole = list(own)
        step = max(1, len(whole) // LONG)
        yield from (p for i, p in enumerate(whole) if i % step == 0 or p.no in found)


def _vocabulary(found: Iterable[Found]) -> list[str]:
    """The words of passages and of the titles above them, those of the best passage first."""
    texts = (f"{f.passage.title}\n{f.passage.heading}\n{f.passage.text}" for f in found)
    return list(dict.fromkeys(word for text in texts for word in spaced(text).split()))
