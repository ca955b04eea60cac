"""Which drugs does a label say interact? Pairs found in 98 labels against those that two annotators marked.

A pair is two concepts in one label; several sentences that say it are one pair, and one of them is enough. It is
counted twice: with the gold's own names (how well sentences are read) and with those that our linker finds in the plain
text (how well labels are read). Pairs whose other half is the label's own drug, which the sentence leaves unsaid, are
counted apart: the figures with `_all` hold them too.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pharmakon.evaluate.extraction.baselines import pairs
from pharmakon.evaluate.extraction.baselines.asking import OURS, Baselines, figures_row
from pharmakon.evaluate.extraction.ddi_gold import held_out
from pharmakon.evaluate.extraction.ddi_labels import Corpus, Key, Label, overlap
from pharmakon.evaluate.extraction.ddi_pairs import Places, Tally, gold_places, joined, matched, places_of
from pharmakon.evaluate.surveys.survey import Survey
from pharmakon.extract.specialists.interaction.pairs import Model
from pharmakon.extract.specialists.interaction.pairs import model as shipped
from pharmakon.extract.specialists.interaction.sketch import OWN, Sketch, named
from pharmakon.model.concepts import Code, ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import KnowledgeBase


@dataclass(slots=True)
class Scores:
    """One label, by what is counted: gold_entities, gold_entities_all, own, own_all, entities."""

    name: str
    tallies: dict[str, Tally] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def survey(
    split: Mapping[str, Any], folder: Path, knowledge: KnowledgeBase, baselines: Baselines, *, development: bool = False
) -> Survey:
    """Both parts of the corpus: the metrics are those of the held-out families, the other part is a table.

    Failures are those of the other part alone, so that nobody learns from the held-out one.

    Args:
        split: `labels`, file name stem → active ingredients, and `held_out`, the stems held out.
        folder: the corpus, a .txt and an .xml for each label.
        baselines: they read the held-out labels, or with `development` the others.
        development: nothing is read out of the held-out part, so that there are tables and no metrics.
    """
    corpus = Corpus(folder, split["labels"], knowledge)
    held = held_out(corpus.texts(), split["labels"])
    if sorted(held) != sorted(split["held_out"]):
        raise BadInput("the rule holds other labels out than split.yaml says", where=str(folder), expected="the corpus")
    others = [name for name in split["labels"] if name not in held]
    start = time.perf_counter()
    scored = {n: score(corpus, corpus.label(n), shipped()) for n in (others if development else split["labels"])}
    seconds = time.perf_counter() - start
    rest = [scored[n] for n in others]
    kept = [] if development else [scored[n] for n in held]
    parts = {"developed_on": {"labels": len(rest), **_counts(rest), **figures(rest)}}
    if kept:
        parts = {"held_out": {"labels": len(kept), **_counts(kept)}, **parts}
    return Survey(
        n=len(scored),
        seconds=seconds,
        metrics=figures(kept),
        tables={
            "parts": parts,
            "per_label_f1": {s.name: {k: t.f1 for k, t in s.tallies.items()} for s in scored.values()},
            **_baselines(corpus, scored, others if development else held, baselines),
        },
        failures=[{"id": s.name, "line": line} for s in rest for line in (*s.missed, *s.wrong)],
    )


def _baselines(
    corpus: Corpus, scored: Mapping[str, Scores], names: Sequence[str], baselines: Baselines
) -> dict[str, Any]:
    """Both baselines and our extractor on the same labels."""
    if baselines.model is None:
        return baselines.not_run()
    chosen = baselines.share(names)
    outcomes = pairs.run(corpus, chosen, baselines.model, baselines)
    ours = [sum((scored[name].tallies[kind] for name in chosen), Tally()) for kind in ("own", "own_all")]
    counted = {OURS: ours} | {system: [o.own, o.own_all] for system, o in outcomes.items()}
    rows = {
        system: figures_row(len(chosen), *((t.precision, t.recall) for t in both)) for system, both in counted.items()
    }
    return {"baselines": rows, "baseline_answers": {system: o.account.table() for system, o in outcomes.items()}}


def figures(scores: Iterable[Scores]) -> dict[str, float | None]:
    """The metrics over labels, each pair of each label counting once."""
    listed = list(scores)
    total = {
        k: sum((s.tallies[k] for s in listed), Tally()) for k in ("gold", "gold_all", "own", "own_all", "entities")
    }
    return {
        "f1_gold_entities": total["gold"].f1,
        "precision_gold_entities": total["gold"].precision,
        "recall_gold_entities": total["gold"].recall,
        "f1": total["own"].f1,
        "precision": total["own"].precision,
        "recall": total["own"].recall,
        "f1_gold_entities_all": total["gold_all"].f1,
        "f1_all": total["own_all"].f1,
        "f1_entities": total["entities"].f1,
    }


def _counts(scores: Sequence[Scores]) -> dict[str, int]:
    return {f"pairs_{k}": sum(s.tallies[k].gold for s in scores) for k in ("gold", "gold_all")}


def score(corpus: Corpus, label: Label, model: Model) -> Scores:
    """One label, read in both ways."""
    gold, gold_all, found, found_all = set[Key](), set[Key](), set[Key](), set[Key]()
    texts: dict[Key, str] = {}
    whole = label.context.subjects[0]
    for read in corpus.reads(label):
        own = OWN in read.sketch.roles
        unsaid = {joined(whole, c) for c in read.unsaid if c != whole}
        gold |= read.said
        gold_all |= read.said | unsaid
        says = model.says(read.sketch)
        for pair, alone in decided(read.sketch, read.concepts, whole, model, says, unsaid=not own):
            found_all.add(pair)
            texts.setdefault(pair, read.sentence.text)
            if not alone:
                found.add(pair)
        texts |= dict.fromkeys(read.said, read.sentence.text)
    scores = Scores(label.name)
    scores.tallies["gold"] = _tally(found, gold)
    scores.tallies["gold_all"] = _tally(found_all, gold_all)
    scores.missed = [f"missed {_show(p)}: {texts[p]}" for p in sorted(gold - found, key=_show)]
    scores.wrong = [f"wrong {_show(p)}: {texts[p]}" for p in sorted(found - gold, key=_show)]
    _score_own(corpus, label, model, scores)
    scores.tallies["entities"] = _entities(corpus, label)
    return scores


def decided(
    sketch: Sketch, concepts: Sequence[ConceptId], whole: ConceptId, model: Model, says: float, *, unsaid: bool
) -> Iterator[tuple[Key, bool]]:
    """The pairs that the model takes from a sentence; True where the label's own drug is the unsaid half."""
    for a in range(len(concepts)):
        for b in range(a + 1, len(concepts)):
            if model.probability(sketch, a, b, says) >= model.threshold:
                yield joined(concepts[a], concepts[b]), False
        if unsaid and model.probability(sketch, a, None, says) >= model.threshold_unsaid:
            yield joined(whole, concepts[a]), True


def _score_own(corpus: Corpus, label: Label, model: Model, scores: Scores) -> None:
    """Our own sentences and names: pairs match where the concepts are the same or the names stand in one place."""
    whole = label.context.subjects[0]
    gold, gold_all = gold_places(corpus, label)
    found: Places = {}
    found_all: Places = {}
    for start, sentence in corpus.found(label):
        concepts, things = named(sentence, label.context)
        if not concepts:
            continue
        sketch = Sketch(sentence.text, things, sentence.kind, sentence.heading)
        offset = start + sentence.start
        at = {c: [(offset + a, offset + b) for a, b in t.places] for c, t in zip(concepts, things, strict=True)}
        says = model.says(sketch)
        for pair, alone in decided(sketch, concepts, whole, model, says, unsaid=OWN not in sketch.roles):
            places = places_of(pair, at)
            found_all.setdefault(pair, []).extend(places)
            if not alone:
                found.setdefault(pair, []).extend(places)
    scores.tallies["own"] = matched(found, gold)
    scores.tallies["own_all"] = matched(found_all, gold_all)


def _tally(found: set[Key], gold: set[Key]) -> Tally:
    return Tally(len(found & gold), len(found), len(found & gold), len(gold))


def _entities(corpus: Corpus, label: Label) -> Tally:
    """Gold names whose RxCUI we hold: found where a name of ours there means that concept, wrong where another."""
    gold = [g for _, g in label.gold]
    codes = {Code("rxnorm", e.rxcui) for g in gold for e in g.entities if e.rxcui}
    held = {c.value: set(found) for c, found in corpus.knowledge.by_code(codes).items()}
    count: Counter[str] = Counter()
    for sentence in gold:
        hits = corpus.scanner.find(sentence.text, label.own)
        for entity in sentence.entities:
            if entity.rxcui not in held:
                continue
            here = [h for h in hits if overlap((h.start, h.end), entity.place)]
            right = any(held[entity.rxcui] & set(h.concepts) for h in here)
            count.update(gold=1, right=right, found=bool(here))
    return Tally(count["right"], count["found"], count["right"], count["gold"])


def _show(pair: Key) -> str:
    return " + ".join(sorted(pair))
