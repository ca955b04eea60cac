"""Whether a sentence that names two drugs says that they interact: two linear models, one after the other.

The first reads the words of the sentence and says whether it speaks of an interaction at all; the second decides for
each pair by that figure and by where the two names stand (who is the label's own drug, what are members of one list,
what is an example of a class). Both are logistic regressions whose weights are a file that `python -m authoring
interactions DATA` makes; here they are only added up, so nothing is trained and no library of numbers is loaded at run
time. Names are masked before anything is counted: the models know words, never drugs.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise

from pharmakon.extract.specialists.interaction_sketch import CLASS, DRUG, FOOD, KIN, OWN, Sketch

_PAIRING = frozenset(["between", "combination", "combining", "both", "combined", "coadministration", "of", "with"])
_NEAR = 9
#: How much of a word tells what it is about: "potentiate", "potentiation".
_STEM = 5
#: Figures of the first model, in logits, at which its worth for the second may change.
_HINGES = (-3, -2, -1, 0, 1, 2, 3)
_BESIDE = frozenset(["bf", "af", "bt", "bf1", "af1"])

Features = Mapping[str, float]


def sentence_features(sketch: Sketch) -> Features:
    """Words and their beginnings, pairs of either, cues and pairs of cues, the heading, the kinds of things named."""
    words = ["NAME" if n >= 0 else w for w, n in zip(sketch.words, sketch.thing, strict=True)]
    stems = [w[:_STEM] for w in sketch.words]
    cues = sorted({cue for _, cue in sketch.cues})
    found = [f"w {w}" for w in words]
    found += [f"w {a} {b}" for a, b in pairwise(words)]
    found += [f"s {w}" for w in stems]
    found += [f"s {a} {b}" for a, b in pairwise(stems)]
    found += [f"cue {a} {b}" for i, a in enumerate(cues) for b in cues[i + 1 :]]
    found += [f"h {w.strip('.,()')}" for w in sketch.heading.lower().split()]
    role = Counter(t.role for t in sketch.things)
    ours = role[OWN] + role[KIN] > 0
    for cue in cues:
        found += [f"cue {cue}", f"cue {cue} in {sketch.kind}", f"cue {cue} {ours} {min(role[DRUG] + role[CLASS], 2)}"]
    found += [f"role {r}" for r in sketch.roles]
    found += [
        f"in {sketch.kind}",
        f"in {sketch.kind} {role[OWN] > 0}",
        f"names {min(len(sketch.things), 4)}",
        f"names {role[OWN] > 0} {role[KIN] > 0} {min(role[DRUG] + role[CLASS] + role[FOOD], 4)}",
        f"long {min(len(words) // 8, 8)}",
        f"ends {sketch.text.rstrip()[-1:]}",
        f"numbers {min(sketch.words.count('#'), 3)}",
    ]
    return dict.fromkeys(found, 1.0)


def pair_features(sketch: Sketch, a: int, b: int | None, says: float) -> Features:
    """What speaks for and against an interaction of things `a` and `b`; None is the label's own drug, unnamed.

    `says`: the first model's figure for the sentence, in logits. What it is worth differs by where the two stand, and
    not in proportion: features marked "* " count once, once by that figure, and once by its range.
    """
    found: dict[str, float] = {"says": says}
    for k in _HINGES:
        found[f"says > {k}"] = max(0.0, says - k)
    band = max(-4, min(4, int(says)))
    for name in _alone(sketch, a) if b is None else _two(sketch, a, b):
        if name.startswith("* "):
            found[name[2:]] = 1.0
            found[f"says {name}"] = says
            if b is not None:
                found[f"{band} {name}"] = 0.5
            continue
        found[name] = 1.0
        where, _, word = name.rpartition(" ")
        if len(word) > _STEM and where in _BESIDE:
            found[f"{where} s {word[:_STEM]}"] = 1.0
    return found


def _alone(sketch: Sketch, a: int) -> Iterator[str]:
    words = sketch.words
    yield f"* alone {sketch.things[a].role}"
    yield f"* alone kin {KIN in sketch.roles}"
    yield f"* alone {min(len(sketch.things), 4)}"
    yield f"* alone in {sketch.kind}"
    if not sketch.at[a]:
        return
    i = sketch.at[a][0]
    yield f"* alone example {i in sketch.shown}"
    yield from (f"alone bf {w}" for w in words[max(0, i - 3) : i])
    yield f"alone bf1 {words[i - 1] if i else '^'}"
    yield from (f"alone af {w}" for w in words[i + 1 : i + 4])
    members = [j for j, c in enumerate(sketch.chains) if c == sketch.chains[i]]
    first = members[0]
    yield f"alone chain bf {' '.join(words[max(0, first - 2) : first])}"
    yield from (f"alone chain bf1 {w}" for w in words[max(0, first - 2) : first])
    yield f"* alone chains {min(len(set(sketch.chains)) - (-1 in sketch.chains), 4)}"


def _two(sketch: Sketch, a: int, b: int) -> Iterator[str]:
    words, things = sketch.words, sketch.things
    roles = "+".join(sorted((things[a].role, things[b].role)))
    own = "in" if OWN in roles else "out" if OWN in sketch.roles else "kin" if KIN in roles else "no"
    yield f"* {roles}"
    yield f"* own {own} names {min(len(things), 5)}"
    yield f"* own {own} in {sketch.kind}"
    places = [(abs(i - j), min(i, j), max(i, j)) for i in sketch.at[a] for j in sketch.at[b]]
    if not places:
        yield "overlap"
        return
    distance, i, j = min(places)
    between = words[i + 1 : j]
    others = set(sketch.thing[i + 1 : j]) - {-1, a, b}
    same = sketch.chains[i] == sketch.chains[j] > 0
    example = i in sketch.shown or j in sketch.shown
    where = f"{'list' if same else 'apart'} {own} example {example}"
    yield f"* {where}"
    yield f"* {where} others {min(len(others), 3)}"
    yield f"far {where[:5]} {min(distance, 24) // 3}"
    if same:
        members = [k for k, c in enumerate(sketch.chains) if c == sketch.chains[i]]
        size = min(len({sketch.thing[k] for k in members}), 4)
        before = words[max(0, members[0] - 3) : members[0]]
        yield f"* list {size} {own}"
        yield f"* list {size} led {' '.join(w for w in before if w in _PAIRING)}"
        yield from (f"list {size == 2} bf {w}" for w in before)
        yield from (f"list {size == 2} af {w}" for w in words[members[-1] + 1 : members[-1] + 3])
        yield from (f"list by {w}" for w in set(between))
    else:
        yield from (f"bt {w}" for w in set(between))
        yield f"order {things[sketch.thing[i]].role} {things[sketch.thing[j]].role}"
        if distance <= _NEAR:
            yield from (f"bt {x} {y}" for x, y in pairwise(["^", *between, "$"]))
        if distance <= 5:
            yield f"bt = {' '.join(between)}"
        first, second = sketch.start[i], sketch.start[j]
        yield from {f"* {'bf' if at < first else 'bt' if at < second else 'af'} cue {cue}" for at, cue in sketch.cues}
    yield from (f"bf {w}" for w in words[max(0, i - 3) : i])
    yield f"bf1 {words[i - 1] if i else '^'}"
    yield from (f"af {w}" for w in words[j + 1 : j + 4])
    yield f"af1 {words[j + 1] if j + 1 < len(words) else '$'}"


@dataclass(frozen=True, slots=True)
class Linear:
    """A logistic regression: weights of features."""

    bias: float
    weights: Mapping[str, float]

    def logit(self, features: Features) -> float:
        """The weighted sum; positive where the answer is rather yes."""
        weight = self.weights.get
        return self.bias + sum(weight(name, 0.0) * value for name, value in features.items())

    def probability(self, features: Features) -> float:
        """The logit as a probability."""
        return 1 / (1 + math.exp(-max(-40.0, min(40.0, self.logit(features)))))


@dataclass(frozen=True, slots=True)
class Model:
    """Both regressions, and the probabilities from which a pair and an unsaid pair count."""

    sentence: Linear
    pair: Linear
    unsaid: Linear
    threshold: float
    threshold_unsaid: float

    def says(self, sketch: Sketch) -> float:
        """How surely the sentence speaks of an interaction, in logits."""
        return self.sentence.logit(sentence_features(sketch))

    def probability(self, sketch: Sketch, a: int, b: int | None, says: float) -> float:
        """The probability that the sentence says that things `a` and `b` interact (None: the label's own drug)."""
        return (self.unsaid if b is None else self.pair).probability(pair_features(sketch, a, b, says))


@cache
def model() -> Model:
    """The shipped model."""
    data = json.loads(
        resources.files("pharmakon.extract").joinpath("specialists", "interaction_weights.json").read_text("utf-8")
    )
    parts = {name: Linear(data[name]["bias"], data[name]["weights"]) for name in ("sentence", "pair", "unsaid")}
    return Model(**parts, threshold=data["threshold"], threshold_unsaid=data["threshold_unsaid"])
