"""Trains the model that `extract.specialists.interaction.pairs` reads, on the part of `extract-ddi` made for it.

The held-out families are never opened. Figures are those of cross-validation by family: the model that is judged has
seen no label of the family it is judged on, in either of its stages. Only the two thresholds have seen them all.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

from pharmakon.evaluate.extraction.ddi import Scores, figures, score
from pharmakon.evaluate.extraction.ddi_gold import families
from pharmakon.evaluate.extraction.ddi_labels import Corpus, Read
from pharmakon.extract.specialists.interaction.pairs import (
    Features,
    Linear,
    Model,
    pair_features,
    probability_of,
    sentence_features,
)
from pharmakon.extract.specialists.interaction.sketch import OWN

FOLDS = 7
_STAGES = ("pair", "unsaid")
#: Thresholds that are tried, and the difference in F1 that is chance.
_AS_GOOD = 0.003
_GRID = [n / 100 for n in range(10, 61, 2)]
#: Features rarer than this say more about one label than about labels; weights smaller than _SMALL change nothing.
_RARE, _SMALL = 3, 0.015
_STRENGTH = {"sentence": 0.1, "pair": 0.1, "unsaid": 0.05}  #: inverse of the L2 penalty


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


def examples(split: Mapping[str, Any], corpus: Corpus) -> list[Example]:
    """The sentences of all labels that are not held out."""
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
    sentence, says = _sentence(listed)
    parts: dict[str, Linear] = {}
    thresholds: dict[str, float] = {}
    for part in _STAGES:
        rows, features, truth = _rows(listed, part, says)
        logits = _across([listed[n].family for n, _, _ in rows], features, truth, _STRENGTH[part])
        keys = [_key(listed[n], a, b) for n, a, b in rows]
        curves = []
        for ours in (False, True):
            mine = [k for k, (n, _, _) in enumerate(rows) if listed[n].ours == ours]
            curves.append(_curve([keys[k] for k in mine], [logits[k] for k in mine], [truth[k] for k in mine]))
        thresholds[part] = _threshold(curves)
        say(f"{part}: threshold {thresholds[part]:.2f}")
        parts[part] = fit(features, truth, _STRENGTH[part])
    return Model(sentence, **parts, threshold=thresholds["pair"], threshold_unsaid=thresholds["unsaid"])


def judged(listed: Sequence[Example], corpus: Corpus, model: Model, say: Callable[[str], None]) -> None:
    """Says the figures of the survey for labels that the model has not seen: one fit a fold, `model`'s thresholds."""
    fold = _folds([e.family for e in listed])
    every: list[Scores] = []
    for held in range(FOLDS):
        rest = [e for e in listed if fold[e.family] != held]
        sentence, says = _sentence(rest)
        pair, unsaid = (fit(*_rows(rest, part, says)[1:], _STRENGTH[part]) for part in _STAGES)
        unseen = replace(model, sentence=sentence, pair=pair, unsaid=unsaid)
        names = sorted({e.name for e in listed if fold[e.family] == held})
        scored = [score(corpus, corpus.label(name), unseen) for name in names]
        say(f"fold {held + 1}, {len(names)} labels: {_line(figures(scored))}")
        every += scored
    say(f"all {len(every)}, cross-validated by family: {_line(figures(every))}")


def _line(found: Mapping[str, float | None]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in found.items() if value is not None)


def _sentence(listed: Sequence[Example]) -> tuple[Linear, list[float]]:
    """The first stage, and its figure for each sentence.

    Each figure comes from a model that has not seen the sentence's family: the second stage must not trust it more than
    it deserves.
    """
    words = [sentence_features(e.read.sketch) for e in listed]
    speaks = [e.read.speaks for e in listed]
    says = _across([e.family for e in listed], words, speaks, _STRENGTH["sentence"])
    return fit(words, speaks, _STRENGTH["sentence"]), says


def _rows(
    listed: Sequence[Example], part: str, says: Sequence[float]
) -> tuple[list[tuple[int, int, int | None]], list[Features], list[bool]]:
    """(example, thing, other thing) of every pair, its features, and whether it interacts."""
    rows = [(n, a, b) for n, e in enumerate(listed) for a, b in e.pairs if (b is None) == (part == "unsaid")]
    features = [pair_features(listed[n].read.sketch, a, b, says[n]) for n, a, b in rows]
    return rows, features, [listed[n].pairs[a, b] for n, a, b in rows]


def _key(example: Example, a: int, b: int | None) -> tuple[str, frozenset[str]]:
    concepts = example.read.concepts
    return example.name, frozenset((concepts[a], "" if b is None else concepts[b]))


def _curve(keys: Sequence[object], logits: Sequence[float], truth: Sequence[bool]) -> dict[float, float]:
    """Threshold → F1 of pairs of labels."""
    highest: dict[object, float] = {}
    for key, logit in zip(keys, logits, strict=True):
        highest[key] = max(highest.get(key, -99.0), logit)
    gold = {key for key, true in zip(keys, truth, strict=True) if true}
    found = {}
    for at in _GRID:
        taken = {key for key, logit in highest.items() if probability_of(logit) >= at}
        found[at] = 2 * len(taken & gold) / (len(taken) + len(gold))
    return found


def _threshold(curves: Sequence[Mapping[float, float]]) -> float:
    """Where F1 is best on average; the most precise of those that are as good."""
    mean = {at: sum(curve[at] for curve in curves) / len(curves) for at in _GRID}
    return max(at for at in _GRID if mean[at] >= max(mean.values()) - _AS_GOOD)


def _folds(families: Sequence[int]) -> dict[int, int]:
    """Family → fold; the largest families are spread first."""
    numbers = sorted(set(families), key=lambda f: (-families.count(f), f))
    return {family: n % FOLDS for n, family in enumerate(numbers)}


def _across(families: Sequence[int], features: Sequence[Features], truth: Sequence[bool], c: float) -> list[float]:
    """The logit of each example from a model that has seen no example of its family."""
    fold = _folds(families)
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
