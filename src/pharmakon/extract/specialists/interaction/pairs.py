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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import pairwise, repeat
from typing import Protocol, TypeVar

from pharmakon.extract.specialists.interaction.sketch import CLASS, DRUG, FOOD, KIN, OWN, Sketch

_PAIRING = frozenset(["between", "combination", "combining", "both", "combined", "coadministration", "of", "with"])
_NEAR = 9
#: How much of a word tells what it is about: "potentiate", "potentiation".
_STEM = 5
_WORDS, _STEMS = "w", "s"
#: Figures of the first model, in logits, at which its worth for the second may change.
_HINGES = (-3, -2, -1, 0, 1, 2, 3)
#: What a feature by range counts: half, lest the ranges outweigh the rest.
_BAND = 0.5

Features = Mapping[str, float]
_Name = TypeVar("_Name", contravariant=True)


class _Weigh(Protocol[_Name]):
    """`dict.get` of weights."""

    def __call__(self, name: _Name, default: float, /) -> float: ...


def sentence_features(sketch: Sketch) -> Features:
    """Words and their beginnings, pairs of either, cues and pairs of cues, the heading, the kinds of things named."""
    found = _about(sketch)
    for kind, words in _texts(sketch):
        found += [f"{kind} {w}" for w in words]
        found += [f"{kind} {a} {b}" for a, b in pairwise(words)]
    return dict.fromkeys(found, 1.0)


def _texts(sketch: Sketch) -> tuple[tuple[str, list[str]], tuple[str, list[str]]]:
    """The sentence as words, names masked, and as beginnings of words."""
    words = ["NAME" if n >= 0 else w for w, n in zip(sketch.words, sketch.thing, strict=True)]
    return (_WORDS, words), (_STEMS, [w[:_STEM] for w in sketch.words])


def _about(sketch: Sketch) -> list[str]:
    """The features of a sentence that are no words of it."""
    cues = sorted({cue for _, cue in sketch.cues})
    found = [f"cue {a} {b}" for i, a in enumerate(cues) for b in cues[i + 1 :]]
    found += {f"h {w.strip('.,()')}" for w in sketch.heading.lower().split()}
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
        f"long {min(len(sketch.words) // 8, 8)}",
        f"ends {sketch.text.rstrip()[-1:]}",
        f"numbers {min(sketch.words.count('#'), 3)}",
    ]
    return found


def pair_features(sketch: Sketch, a: int, b: int | None, says: float) -> Features:
    """What speaks for and against an interaction of things `a` and `b`; None is the label's own drug, unnamed.

    `says`: the first model's figure for the sentence, in logits. What it is worth differs by where the two stand, and
    not in proportion: features of the second kind count once, once by that figure, and (for two names) by its range.
    """
    plain, by_says = _described(sketch, a, b)
    found = dict.fromkeys(plain, 1.0) | {"says": says} | {f"says > {k}": max(0.0, says - k) for k in _HINGES}
    band = _band(says)
    for name in by_says:
        found[name] = 1.0
        found[f"says * {name}"] = says
        if b is not None:
            found[f"{band} * {name}"] = _BAND
    return found


def _band(says: float) -> int:
    return max(-4, min(4, int(says)))


def _described(sketch: Sketch, a: int, b: int | None) -> tuple[set[str], set[str]]:
    """The names of both kinds of features."""
    plain, by_says = set[str](), set[str]()
    for name in _alone(sketch, a) if b is None else _two(sketch, a, b):
        if name[:2] == "* ":
            by_says.add(name[2:])
        else:
            plain.add(name)
    return plain, by_says


def _beside(where: str, words: Iterable[str]) -> Iterator[str]:
    """Words in a place, and their beginnings."""
    for word in words:
        yield f"{where} {word}"
        if len(word) > _STEM:
            yield f"{where} s {word[:_STEM]}"


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
    words, things, chains, shown = sketch.words, sketch.things, sketch.chains, sketch.shown
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
    same = chains[i] == chains[j] > 0
    example = i in shown or j in shown
    where = f"{'list' if same else 'apart'} {own} example {example}"
    yield f"* {where}"
    yield f"* {where} others {min(len(others), 3)}"
    yield f"far {where[:5]} {min(distance, 24) // 3}"
    if same:
        members = [k for k, c in enumerate(chains) if c == chains[i]]
        size = min(len({sketch.thing[k] for k in members}), 4)
        before = words[max(0, members[0] - 3) : members[0]]
        yield f"* list {size} {own}"
        yield f"* list {size} led {' '.join(w for w in before if w in _PAIRING)}"
        yield from (f"list {size == 2} bf {w}" for w in before)
        yield from (f"list {size == 2} af {w}" for w in words[members[-1] + 1 : members[-1] + 3])
        yield from (f"list by {w}" for w in set(between))
    else:
        yield from _beside("bt", set(between))
        yield f"order {things[sketch.thing[i]].role} {things[sketch.thing[j]].role}"
        if distance <= _NEAR:
            yield from (f"bt {x} {y}" for x, y in pairwise(["^", *between, "$"]))
        if distance <= 5:
            yield f"bt = {' '.join(between)}"
        first, second = sketch.start[i], sketch.start[j]
        yield from {f"* {'bf' if at < first else 'bt' if at < second else 'af'} cue {cue}" for at, cue in sketch.cues}
    yield from _beside("bf", words[max(0, i - 3) : i])
    yield from _beside("bf1", words[i - 1 : i] or ["^"])
    yield from _beside("af", words[j + 1 : j + 4])
    yield from _beside("af1", words[j + 1 : j + 2] or ["$"])


@dataclass(frozen=True)
class Linear:
    """A logistic regression: weights of features."""

    bias: float
    weights: Mapping[str, float]

    def logit(self, features: Features) -> float:
        """The weighted sum; positive where the answer is rather yes."""
        weight = self.weights.get
        return self.bias + sum(weight(name, 0.0) * value for name, value in features.items())

    def of_sentence(self, sketch: Sketch) -> float:
        """The logit of `sentence_features`, without the table of them."""
        total = self.of_names(_about(sketch))
        for kind, words in _texts(sketch):
            one, two = self._of_words[kind]
            total += sum(map(one, set(words), repeat(0.0))) + sum(map(two, set(pairwise(words)), repeat(0.0)))
        return total

    @cached_property
    def _of_words(self) -> Mapping[str, tuple[_Weigh[str], _Weigh[tuple[str, str]]]]:
        """Kind of words → weights of a word and of two."""
        ones: dict[str, dict[str, float]] = {_WORDS: {}, _STEMS: {}}
        twos: dict[str, dict[tuple[str, str], float]] = {_WORDS: {}, _STEMS: {}}
        for name, value in self.weights.items():
            match name.split(" "):
                case [kind, word] if kind in ones:
                    ones[kind][word] = value
                case [kind, a, b] if kind in twos:
                    twos[kind][a, b] = value
        return {kind: (ones[kind].get, twos[kind].get) for kind in ones}

    def of_names(self, names: Iterable[str]) -> float:
        """The logit of features that all count 1."""
        return self.bias + sum(map(self.weights.get, names, repeat(0.0)))

    def of_pair(self, sketch: Sketch, a: int, b: int | None, says: float) -> float:
        """The logit of `pair_features`, without the table of them."""
        plain, by_says = _described(sketch, a, b)
        weight = self.weights.get
        total = self.of_names(plain) + says * weight("says", 0.0)
        total += sum(max(0.0, says - k) * weight(f"says > {k}", 0.0) for k in _HINGES)
        band = _band(says)
        for name in by_says:
            if known := self._by_says.get(name):
                once, slope, bands = known
                total += once + says * slope + (0.0 if b is None else _BAND * bands.get(band, 0.0))
        return total

    @cached_property
    def _by_says(self) -> Mapping[str, tuple[float, float, Mapping[int, float]]]:
        """Feature → its weight, that by the first model's figure, and those by the figure's range."""
        slopes: dict[str, float] = {}
        bands: dict[str, dict[int, float]] = {}
        for name, value in self.weights.items():
            factor, star, rest = name.partition(" * ")
            if star and factor == "says":
                slopes[rest] = value
            elif star and factor.lstrip("-").isdigit():
                bands.setdefault(rest, {})[int(factor)] = value
        names = {*slopes, *bands} | {n for n in self.weights if " * " not in n}
        return {n: (self.weights.get(n, 0.0), slopes.get(n, 0.0), bands.get(n, {})) for n in names}


def probability_of(logit: float) -> float:
    """The logistic function."""
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, logit))))


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
        return self.sentence.of_sentence(sketch)

    def probability(self, sketch: Sketch, a: int, b: int | None, says: float) -> float:
        """The probability that the sentence says that things `a` and `b` interact (None: the label's own drug)."""
        return probability_of((self.unsaid if b is None else self.pair).of_pair(sketch, a, b, says))


@cache
def model() -> Model:
    """The shipped model."""
    data = json.loads(
        resources.files("pharmakon.extract").joinpath("specialists", "interaction", "weights.json").read_text("utf-8")
    )
    parts = {name: Linear(data[name]["bias"], data[name]["weights"]) for name in ("sentence", "pair", "unsaid")}
    return Model(**parts, threshold=data["threshold"], threshold_unsaid=data["threshold_unsaid"])
