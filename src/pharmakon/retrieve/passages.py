"""Questions to passages over a text store: by words, by vectors, with the rest of the best documents, in one order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pharmakon.model.passages import Found, Passage
from pharmakon.model.question import Question
from pharmakon.ports.embedder import Embedder
from pharmakon.retrieve.query import Query, Statistics, corrected, understand
from pharmakon.retrieve.rank import WEIGHTS, Candidate, Ranked, Weights, answered, rank
from pharmakon.retrieve.words import spaced

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Passages taken from each search.
SEARCHED = 100
#: Documents whose other passages are ranked too.
DOCUMENTS = 8
#: The nearest passages, whose words are those that a misspelt word may be a slip of.
_VOCABULARY = 50
#: Of reciprocal rank fusion (Cormack et al. 2009, doi:10.1145/1571941.1572114).
_RANK = 60


class Texts(Statistics, Protocol):
    """What of a text store is asked."""

    def search(self, words: str, limit: int = 10) -> Sequence[Found]: ...

    def nearest(self, vector: NDArray[np.float32], model: str, limit: int = 10) -> Sequence[Found]: ...

    def passages_of(self, documents: Collection[str]) -> Sequence[Passage]: ...


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


@dataclass(frozen=True, slots=True)
class Retriever:
    """`embedder` is None where there is none: then words alone find."""

    texts: Texts
    embedder: Embedder | None
    weights: Weights = field(default=WEIGHTS)

    def find(self, question: Question, limit: int) -> Passages:
        """The best passages. An empty knowledge base has none, and nothing is confident."""
        gathered = self.gather(question.text)
        ranked = rank(gathered.query, gathered.candidates, self.weights)
        best = tuple(ranked[:limit])
        how = "words and vectors" if gathered.vectors else "words"
        return Passages(tuple(r.found for r in best), answered(gathered.query, ranked), how, best)

    def gather(self, text: str) -> Gathered:
        """Candidates from both searches, and all passages of the documents that they speak for most."""
        query = understand(text, self.texts)
        near: Sequence[Found] = ()
        if self.embedder is not None:
            near = self.texts.nearest(self.embedder.query(text), self.embedder.name, SEARCHED)
        if query.unknown:
            beside = near or self.texts.search(query.words, _VOCABULARY)
            query = corrected(query, _vocabulary(beside[:_VOCABULARY]), self.texts)
        lexical = self.texts.search(query.words, SEARCHED)
        cosines = {f.passage.no: f.score for f in near}
        scores = {f.passage.no: f.score for f in lexical}
        passages = self.texts.passages_of(_documents(near, lexical))
        candidates = (Candidate(p, cosines.get(p.no), scores.get(p.no)) for p in passages)
        return Gathered(query, tuple(candidates), bool(near))


def _documents(*searches: Sequence[Found]) -> list[str]:
    """The documents that the searches speak for most, by the sum of the reciprocal ranks of their passages."""
    voices: dict[str, float] = defaultdict(float)
    for found in searches:
        for place, one in enumerate(found, 1):
            voices[one.passage.document] += 1 / (_RANK + place)
    return sorted(voices, key=lambda id: (-voices[id], id))[:DOCUMENTS]


def _vocabulary(found: Iterable[Found]) -> list[str]:
    """The words of passages and of the titles above them, those of the best passage first."""
    texts = (f"{f.passage.title}\n{f.passage.heading}\n{f.passage.text}" for f in found)
    return list(dict.fromkeys(word for text in texts for word in spaced(text).split()))
