"""The two baselines on `extract-ddi`: pairs that a model names, counted against those the annotators marked.

A model says names and no places. They mean what our linker makes of them, and a pair counts where both concepts are the
gold's, or where mentions of them, in the text that the model was shown, overlap the names of a marked pair. That is a
little kinder than the count of our extractor, whose two names must stand in one sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pharmakon.evaluate.extraction.baselines.asking import (
    ONE_SHOT,
    ZERO_SHOT,
    Account,
    Baselines,
    rows,
    title,
    triples,
)
from pharmakon.evaluate.extraction.baselines.verbs import interacts
from pharmakon.evaluate.extraction.ddi_labels import Corpus, Key, Label, Place, overlap
from pharmakon.evaluate.extraction.ddi_pairs import Places, Tally, gold_places
from pharmakon.extract.claims import Mention, Sentence
from pharmakon.extract.specialists.interaction.sketch import named
from pharmakon.model.concepts import ConceptId
from pharmakon.ports.language_model import LanguageModel, load_prompt

Found = dict[Key, list[Place]]
"""Pairs that a model named, each with the stretches of the label that it was shown."""


@dataclass(slots=True)
class Outcome:
    """One baseline: what became of its questions, and its pairs by label, those the sentence leaves unsaid apart."""

    account: Account = field(default_factory=Account)
    own: Tally = field(default_factory=Tally)
    own_all: Tally = field(default_factory=Tally)


def run(corpus: Corpus, names: Sequence[str], model: LanguageModel, baselines: Baselines) -> dict[str, Outcome]:
    """Both baselines over the labels of `names`."""
    outcomes = {ZERO_SHOT: Outcome(), ONE_SHOT: Outcome()}
    for n, name in enumerate(names, 1):
        baselines.progress(f"baselines: label {n} of {len(names)}")
        label = corpus.label(name)
        for system, ask in ((ZERO_SHOT, _zero_shot), (ONE_SHOT, _one_shot)):
            outcome = outcomes[system]
            own, own_all = counted(corpus, label, ask(corpus, label, model, outcome.account))
            outcome.own += own
            outcome.own_all += own_all
    return outcomes


def counted(corpus: Corpus, label: Label, found: Found) -> tuple[Tally, Tally]:
    """Pairs against the gold: without those that the sentence leaves unsaid, and with them.

    In the first a found pair that is gold only by an unsaid half is neither right nor wrong.
    """
    said, every = gold_places(corpus, label)
    seen = _Seen(corpus, label)
    right = {pair for pair, shown in found.items() if any(seen.same(pair, shown, g, at) for g, at in said.items())}
    right_all = {pair for pair, shown in found.items() if any(seen.same(pair, shown, g, at) for g, at in every.items())}
    return (
        Tally(len(right), len(found) - len(right_all - right), seen.met(found, said), len(said)),
        Tally(len(right_all), len(found), seen.met(found, every), len(every)),
    )


class _Seen:
    """Where our linker finds what in a label."""

    def __init__(self, corpus: Corpus, label: Label) -> None:
        self.whole = label.context.subjects[0]
        self.places: dict[ConceptId, list[Place]] = {}
        for start, sentence in corpus.found(label):
            offset = start + sentence.start
            for concept, thing in zip(*named(sentence, label.context), strict=True):
                self.places.setdefault(concept, []).extend((offset + a, offset + b) for a, b in thing.places)

    def met(self, found: Found, gold: Places) -> int:
        return sum(any(self.same(pair, shown, g, at) for pair, shown in found.items()) for g, at in gold.items())

    def same(self, pair: Key, shown: Iterable[Place], gold: Key, at: Sequence[tuple[Place, Place]]) -> bool:
        """Whether a named pair is one of the gold, which stands `at` these places."""
        if pair == gold:
            return True
        a, b = sorted(pair)
        inside = [(u, v) for u, v in at if any(s <= min(u[0], v[0]) and max(u[1], v[1]) <= e for s, e in shown)]
        return any(
            (self._is(a, u, u == v) and self._is(b, v, u == v)) or (self._is(a, v, u == v) and self._is(b, u, u == v))
            for u, v in inside
        )

    def _is(self, concept: ConceptId, place: Place, alone: bool) -> bool:
        """Whether what stands at `place` is `concept`; where a pair has one place, its other half is unsaid."""
        if alone and concept == self.whole:
            return True
        return any(overlap(place, p) for p in self.places.get(concept, ()))


def _zero_shot(corpus: Corpus, label: Label, model: LanguageModel, account: Account) -> Found:
    found: Found = {}
    for t in triples(model, title(label.text), label.text, account):
        if not interacts(t.verb):
            account.other += 1
            continue
        _add(found, corpus, label, (t.subject, t.object), (t.start, t.end), account)
    return found


def _one_shot(corpus: Corpus, label: Label, model: LanguageModel, account: Account) -> Found:
    found: Found = {}
    prompt = load_prompt(_PACKAGE, "one_shot_pairs.v1", {"title": title(label.text), "text": label.text})
    for row in rows(model, prompt, {"subject": {"type": "string"}, "object": {"type": "string"}}, account):
        _add(found, corpus, label, (row["subject"], row["object"]), (0, len(label.text)), account)
    return found


_PACKAGE = "pharmakon.evaluate.extraction.baselines"


def _add(
    found: Found, corpus: Corpus, label: Label, names: tuple[str, str], shown: Place, account: Account
) -> None:  # fmt: skip
    left, right = (set(_meant(corpus, label, name)) for name in names)
    pairs = {frozenset((a, b)) for a in left for b in right if a != b}
    account.unlinked += not (left and right)
    for pair in pairs:
        found.setdefault(pair, []).append(shown)


def _meant(corpus: Corpus, label: Label, name: str) -> Iterator[ConceptId]:
    """What a name that a model wrote means: every drug, class, food or drink in it."""
    hits = corpus.scanner.find(name, label.own)
    mentions = tuple(Mention(h.start, h.end, name[h.start : h.end], h.concepts) for h in hits)
    concepts, _ = named(Sentence(0, "interactions", "", 0, len(name), name, mentions), label.context)
    yield from concepts
