"""Does the ranking find the passages that answer a question, better than vectors, words, or both put together?

A hit is a passage of the question's own answer; passages of equal text are one. Questions that the ranking was chosen
on are not counted. Every other system ranks the same store, and every part of ours is proved by leaving it out.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from pharmakon.evaluate.asking.medquad import Asked, Corpus, Wordings, mistyped, read_corpus
from pharmakon.evaluate.paired import bootstrap, mcnemar
from pharmakon.evaluate.surveys.survey import Survey, share
from pharmakon.model.documents import Document
from pharmakon.model.passages import Found, Passage
from pharmakon.model.question import Question
from pharmakon.ports.embedder import Embedder
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.passages import SEARCHED, Gathered, Retriever
from pharmakon.retrieve.rank import WEIGHTS, answered, rank


@dataclass(frozen=True, slots=True)
class Searching:
    """`stored`: a name and documents → a store that holds just them, with a vector of every passage by `embedder`."""

    embedder: Embedder
    stored: Callable[[str, Sequence[Document]], KnowledgeBase]


#: Ranks that are looked at; what comes later is no hit, and adds nothing to the mean reciprocal rank.
_DEEP = 30
_FUSION = 60  #: the constant of reciprocal rank fusion
_SHOWN = 200  #: failures that are listed


@dataclass(frozen=True, slots=True)
class Ranks:
    """The rank of the first hit of every question, from 1; 0 for none."""

    of: tuple[int, ...]

    def hit(self, within: int) -> list[bool]:
        return [0 < rank <= within for rank in self.of]

    def reciprocal(self) -> list[float]:
        return [1 / rank if rank else 0.0 for rank in self.of]

    def only(self, chosen: Iterable[bool]) -> Ranks:
        return Ranks(tuple(rank for rank, take in zip(self.of, chosen, strict=True) if take))

    def figures(self) -> dict[str, float | None]:
        n = len(self.of)
        if not n:
            return {"hit_at_5": None, "hit_at_10": None, "mrr": None}
        hits = {f"hit_at_{k}": share(sum(self.hit(k)), n) for k in (5, 10)}
        return {**hits, "mrr": fmean(self.reciprocal())}


def survey(wordings: Wordings, data: Path, searching: Searching, seed: int) -> Survey:
    """All questions of a folder in the shape of MedQuAD, on documents without and with titles."""
    corpus = read_corpus(data, wordings)
    questions = [q for q in corpus.questions if not q.development]
    plain = _Bench(searching.stored("plain", corpus.documents), searching.embedder)
    titled = _Bench(searching.stored("titled", corpus.titled()), searching.embedder)
    metrics: dict[str, float | None] = {}
    tables: dict[str, Any] = {}
    asked = [q.question for q in questions]
    runs: dict[str, Ranks] = {}
    for suffix, bench in (("", plain), ("_titles", titled)):
        for name, ranks in bench.systems(questions, asked).items():
            runs[f"{suffix}{name}"] = ranks
        tables[f"steps{suffix}"] = _steps(bench, questions, runs[suffix], seed)
    slips = [mistyped(text, seed) for text in asked]
    runs["_typos"], runs["_titles_typos"] = plain.ours(questions, slips), titled.ours(questions, slips)
    runs["_typos_plain_vectors"] = plain.vectors(questions, slips)
    others = [q for q in questions if q.type in wordings.paraphrases and q.subject]
    for n in range(max(map(len, wordings.paraphrases.values()), default=0)):
        some = [q for q in others if n < len(wordings.paraphrases[q.type])]
        said = [wordings.paraphrases[q.type][n].format(q.subject) for q in some]
        runs[f"_wording_{n + 1}"] = plain.ours(some, said)
        runs[f"_titles_wording_{n + 1}"] = titled.ours(some, said)
        runs[f"_wording_{n + 1}_plain_vectors"] = plain.vectors(some, said)
    for suffix in ("", "_titles"):  # the first wording was looked at
        held_out = [runs[name].of for name in runs if name.startswith(f"{suffix}_wording_") and name[-1] in "23"]
        runs[f"{suffix}_paraphrases"] = Ranks(tuple(r for ranks in held_out for r in ranks))
    known = {q.document for q in corpus.questions if q.development}
    unseen = [q.document not in known and q.type not in wordings.development_types for q in questions]
    runs["_unseen"], runs["_titles_unseen"] = runs[""].only(unseen), runs["_titles"].only(unseen)
    for name, ranks in runs.items():
        metrics |= {f"{metric}{name}": value for metric, value in ranks.figures().items()}
    tables["systems"] = {name.strip("_") or "ours": {"n": len(r.of), **r.figures()} for name, r in runs.items()}
    tables["types"] = {
        kind: {
            "n": sum(q.type == kind for q in questions),
            **runs[""].only(q.type == kind for q in questions).figures(),
        }
        for kind in sorted({q.type for q in questions})
    }
    tables["paired"] = _paired(runs, seed)
    abstaining, tables["abstaining"] = _abstaining(corpus, questions, wordings, plain)
    metrics |= abstaining
    metrics["latency_p95_ms"], seconds = plain.latency(asked)
    failures = [
        {"id": f"{q.document}: {q.question}", "line": f"first hit at {place or f'none of {_DEEP}'}"}
        for q, place in zip(questions, runs[""].of, strict=True)
        if not 0 < place <= 5
    ]
    return Survey(len(questions), seconds, metrics, tables, failures[:_SHOWN])


class _Bench:
    """The systems under test over one store. What was gathered for a question is kept: every system ranks the same."""

    def __init__(self, knowledge: KnowledgeBase, embedder: Embedder) -> None:
        self._knowledge, self._embedder = knowledge, embedder
        self._retriever = Retriever(knowledge, embedder)
        self._gathered: dict[str, Gathered] = {}

    def gather(self, text: str) -> Gathered:
        if text not in self._gathered:
            self._gathered[text] = self._retriever.gather(text)
        return self._gathered[text]

    def systems(self, questions: Sequence[Asked], asked: Sequence[str]) -> dict[str, Ranks]:
        return {
            "": self.ours(questions, asked),
            "_plain_vectors": self.vectors(questions, asked),
            "_bm25": self._ranks(questions, asked, self._lexical),
            "_rrf": self._ranks(questions, asked, self._fused),
        }

    def ours(self, questions: Sequence[Asked], asked: Sequence[str], **left_out: float) -> Ranks:
        weights = replace(WEIGHTS, **left_out)

        def ranked(text: str) -> list[Passage]:
            gathered = self.gather(text)
            return [r.passage for r in rank(gathered.query, gathered.candidates, weights)]

        return self._ranks(questions, asked, ranked)

    def vectors(self, questions: Sequence[Asked], asked: Sequence[str]) -> Ranks:
        return self._ranks(questions, asked, self._nearest)

    def latency(self, asked: Sequence[str]) -> tuple[float, float]:
        """The 95th percentile in milliseconds of a question from its text to its passages, and all of them together."""
        times: list[float] = []
        for text in asked:
            start = time.perf_counter()
            self._retriever.find(Question(text, "en"), 10)
            times.append(time.perf_counter() - start)
        return 1000 * sorted(times)[int(0.95 * (len(times) - 1))], sum(times)

    def _nearest(self, text: str) -> list[Passage]:
        vector = self._embedder.query(text)
        return _passages(self._knowledge.nearest(vector, self._embedder.name, SEARCHED))

    def _lexical(self, text: str) -> list[Passage]:
        return _passages(self._knowledge.search(text, SEARCHED))

    def _fused(self, text: str) -> list[Passage]:
        scores: dict[int, float] = defaultdict(float)
        passages: dict[int, Passage] = {}
        for found in (self._nearest(text), self._lexical(text)):
            for place, passage in enumerate(found, 1):
                passages[passage.no] = passage
                scores[passage.no] += 1 / (_FUSION + place)
        return [passages[no] for no in sorted(scores, key=lambda no: (-scores[no], no))]

    def _ranks(self, questions: Sequence[Asked], asked: Sequence[str], system: Callable[[str], list[Passage]]) -> Ranks:
        return Ranks(tuple(_first_hit(q, system(text)) for q, text in zip(questions, asked, strict=True)))


def _passages(found: Sequence[Found]) -> list[Passage]:
    return [one.passage for one in found]


def _first_hit(question: Asked, passages: Sequence[Passage]) -> int:
    texts = list(dict.fromkeys(p.text for p in passages))[:_DEEP]
    return next((place for place, text in enumerate(texts, 1) if text in question.answers), 0)


def _steps(bench: _Bench, questions: Sequence[Asked], ours: Ranks, seed: int) -> dict[str, dict[str, Any]]:
    """Each part of the score left out, and what the whole is better by."""
    asked = [q.question for q in questions]
    found = {}
    for part in fields(WEIGHTS):
        without = bench.ours(questions, asked, **{part.name: 0.0})
        found[f"without {part.name}"] = {**without.figures(), **_compared(ours, without, seed)}
    return found


def _paired(runs: Mapping[str, Ranks], seed: int) -> dict[str, dict[str, Any]]:
    table = {}
    for suffix in ("", "_titles"):
        for other in ("_plain_vectors", "_bm25", "_rrf"):
            row = _compared(runs[suffix], runs[f"{suffix}{other}"], seed)
            table[f"ours{suffix} against{other}"] = row
    return table


def _compared(ours: Ranks, other: Ranks, seed: int) -> dict[str, Any]:
    """McNemar's p of Hit@5, and the 95 % interval of the difference in MRR."""
    low, high = bootstrap(ours.reciprocal(), other.reciprocal(), seed)
    return {"p_hit_at_5": mcnemar(ours.hit(5), other.hit(5)), "mrr_more_from": low, "mrr_more_to": high}


def _abstaining(
    corpus: Corpus, questions: Sequence[Asked], wordings: Wordings, bench: _Bench
) -> tuple[dict[str, float | None], dict[str, Any]]:
    """How often nothing is taken for an answer where nothing is one, and how often where something is.

    Without its document a question is answered by another that is about the same; so only those count whose subject no
    other document names.
    """
    confident = [_confident(bench.gather(q.question)) for q in questions]
    texts = {d.id: "\n".join(s.text for s in d.sections).casefold() for d in corpus.documents}
    alone = [
        q for q in questions
        if q.subject and not any(q.subject.casefold() in text for id, text in texts.items() if id != q.document)
    ]  # fmt: skip
    without = [_confident(_without(bench.gather(q.question), q.document)) for q in alone]
    strange = [_confident(bench.gather(text)) for text in wordings.other_subjects]
    metrics = {
        "answered": share(sum(confident), len(confident)),
        "abstained_other_subjects": share(sum(not c for c in strange[1::2]), len(strange[1::2])),
        "abstained_document_taken_out": share(sum(not c for c in without), len(without)),
    }
    counted = {"answered": confident, "other subjects": strange, "document taken out": without}
    return metrics, {name: {"n": len(c), "confident": sum(c)} for name, c in counted.items()}


def _without(gathered: Gathered, document: str) -> Gathered:
    return replace(gathered, candidates=tuple(c for c in gathered.candidates if c.passage.document != document))


def _confident(gathered: Gathered) -> bool:
    return answered(gathered.query, rank(gathered.query, gathered.candidates))
