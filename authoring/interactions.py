"""Trains the model that `extract.specialists.interaction_pairs` reads, on the part of `extract-ddi` made for it.

The held-out families are never opened. Figures are those of cross-validation by family: the model that is judged has
seen no label of the family it is judged on, in either of its stages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from pharmakon.evaluate.extraction.ddi_gold import families
from pharmakon.evaluate.extraction.ddi_labels import Corpus, Read
from pharmakon.extract.specialists.interaction_pairs import (
    OWN,
    Features,
    Linear,
    Model,
    pair_features,
    sentence_features,
)
from pharmakon.ports.knowledge import KnowledgeBase

FOLDS = 7
#: Features rarer than this say more about one label than about labels; weights smaller than _SMALL change nothing.
_RARE, _SMALL = 3, 0.015
_STRENGTH = {"sentence": 0.3, "pair": 0.4, "unsaid": 0.05}  #: inverse of the L2 penalty


@dataclass(frozen=True, slots=True)
class Example:
    """One sentence with its family, and whether each pair of its things interacts (None: the label's own drug).

    `ours`: the sentence and its names are those we found in the plain text; else those of the gold.
    """

    family: int
    name: str
    ours: bool
    read: Read
    pairs: Mapping[tuple[int, int | None], bool]


def examples(split: Mapping[str, Any], folder: Path, knowledge: KnowledgeBase) -> list[Example]:
    """The sentences of all labels that are not held out."""
    corpus = Corpus(folder, split["labels"], knowledge)
    grouped = families(corpus.texts(), split["labels"])
    of = {name: number for number, family in enumerate(grouped) for name in family}
    found = []
    for name in split["labels"]:
        if name not in split["held_out"]:
            label = corpus.label(name)
            for ours, reads in ((False, corpus.reads(label)), (True, corpus.own_reads(label))):
                found += [Example(of[name], name, ours, read, _pairs(read)) for read in reads]
    return found


def _pairs(read: Read) -> dict[tuple[int, int | None], bool]:
    concepts = read.concepts
    pairs: dict[tuple[int, int | None], bool] = {
        (a, b): frozenset((concepts[a], concepts[b])) in read.said
        for a in range(len(concepts))
        for b in range(a + 1, len(concepts))
    }
    if OWN not in read.sketch.roles:
        pairs |= {(a, None): concept in read.unsaid for a, concept in enumerate(concepts)}
    return pairs


def train(listed: Sequence[Example], say: Callable[[str], None]) -> Model:
    """The model of all examples, its thresholds those that cross-validation found best for pairs of labels."""
    words = [sentence_features(e.read.sketch) for e in listed]
    speaks = [e.read.speaks for e in listed]
    # Each sentence's figure comes from a model that has not seen its family: the second stage must not trust it more
    # than it deserves.
    says = _across([e.family for e in listed], words, speaks, _STRENGTH["sentence"])
    parts: dict[str, Linear] = {"sentence": fit(words, speaks, _STRENGTH["sentence"])}
    thresholds: dict[str, float] = {}
    for part in ("pair", "unsaid"):
        rows = [(n, a, b) for n, e in enumerate(listed) for a, b in e.pairs if (b is None) == (part == "unsaid")]
        features = [pair_features(listed[n].read.sketch, a, b, says[n]) for n, a, b in rows]
        truth = [listed[n].pairs[a, b] for n, a, b in rows]
        logits = _across([listed[n].family for n, _, _ in rows], features, truth, _STRENGTH[part])
        keys = [_key(listed[n], a, b) for n, a, b in rows]
        for ours in (False, True):
            mine = [k for k, (n, _, _) in enumerate(rows) if listed[n].ours == ours]
            best, line = _best([keys[k] for k in mine], [logits[k] for k in mine], [truth[k] for k in mine])
            thresholds.setdefault(part, best)
            say(f"{part}, {'names found by us' if ours else 'names of the gold'}: {line}, cross-validated by family")
        parts[part] = fit(features, truth, _STRENGTH[part])
    return Model(**parts, threshold=thresholds["pair"], threshold_unsaid=thresholds["unsaid"])


def _key(example: Example, a: int, b: int | None) -> tuple[str, frozenset[str]]:
    concepts = example.read.concepts
    return example.name, frozenset((concepts[a], "" if b is None else concepts[b]))


def _best(keys: Sequence[object], logits: Sequence[float], truth: Sequence[bool]) -> tuple[float, str]:
    """The probability at which pairs of labels have the best F1, and what it is."""
    highest: dict[object, float] = {}
    for key, logit in zip(keys, logits, strict=True):
        highest[key] = max(highest.get(key, -99.0), logit)
    gold = {key for key, true in zip(keys, truth, strict=True) if true}
    ranked = sorted(highest, key=lambda k: -highest[k])
    best, right, line = (0.0, 0.0), 0, ""
    for n, key in enumerate(ranked, 1):
        right += key in gold
        f1 = 2 * right / (n + len(gold))
        if f1 > best[0]:
            best = (f1, highest[key])
            at = Linear(best[1], {}).probability({})
            line = f"F1 {f1:.3f}, precision {right / n:.3f}, recall {right / len(gold):.3f} of {len(gold)}, at {at:.2f}"
    return Linear(best[1], {}).probability({}), line


def _across(families: Sequence[int], features: Sequence[Features], truth: Sequence[bool], c: float) -> list[float]:
    """The logit of each example from a model that has seen no example of its family."""
    numbers = sorted(set(families), key=lambda f: (-families.count(f), f))
    fold = {family: n % FOLDS for n, family in enumerate(numbers)}
    logits = [0.0] * len(features)
    for held in range(FOLDS):
        mine = [n for n, family in enumerate(families) if fold[family] != held]
        model = fit([features[n] for n in mine], [truth[n] for n in mine], c)
        for n, family in enumerate(families):
            if fold[family] == held:
                logits[n] = model.logit(features[n])
    return logits


def fit(features: Sequence[Features], truth: Sequence[bool], c: float) -> Linear:
    """A logistic regression with an L2 penalty over the features that are not rare."""
    counts = Counter(name for row in features for name in row)
    names = {name: n for n, name in enumerate(sorted(f for f, count in counts.items() if count >= _RARE))}
    values, columns, starts = [], [], [0]
    for row in features:
        known = [(names[name], value) for name, value in row.items() if name in names]
        columns += [column for column, _ in known]
        values += [value for _, value in known]
        starts.append(len(columns))
    matrix = csr_matrix((values, columns, starts), shape=(len(features), len(names)))
    trained = LogisticRegression(C=c, max_iter=200, tol=1e-3).fit(matrix, list(truth))
    weights = {name: round(float(trained.coef_[0][n]), 3) for name, n in names.items()}
    return Linear(round(float(trained.intercept_[0]), 3), {n: w for n, w in weights.items() if abs(w) >= _SMALL})


def write(model: Model, file: Path) -> None:
    """The weights as JSON, in name order."""
    data: dict[str, Any] = {
        name: {"bias": part.bias, "weights": dict(sorted(part.weights.items()))}
        for name, part in (("sentence", model.sentence), ("pair", model.pair), ("unsaid", model.unsaid))
    }
    data |= {"threshold": round(model.threshold, 3), "threshold_unsaid": round(model.threshold_unsaid, 3)}
    file.write_text(json.dumps(data, indent=0, ensure_ascii=False) + "\n", "utf-8")


def read_split(folder: Path) -> Mapping[str, Any]:
    """`split.yaml` of the suite."""
    data: Mapping[str, Any] = yaml.safe_load((folder / "split.yaml").read_text("utf-8"))
    return data
