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
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

from pharmakon.extract.claims import LabelContext, Sentence
from pharmakon.model.concepts import ConceptId, kind_of

#: What a named thing is to the label: its own drug, a class the drug belongs to, another drug or class, food and drink,
#: or nothing one takes.
OWN, KIN, DRUG, CLASS, FOOD, OTHER = "own", "kin", "drug", "class", "food", "other"
_ROLES = {"ingredient": DRUG, "drug": DRUG, "class": CLASS, "lifestyle": FOOD}
_TOKEN = re.compile(r"[a-z]+(?:['’][a-z]+)?|\d+(?:[.,]\d+)*|[^\w\s]")
#: What may stand between members of one list, and between a class and its examples.
_LINKS = frozenset([",", ";", "and", "or", "/", "&", "other", "the", "a", "an", "as", "well", "any", "certain"])
_EXAMPLES = frozenset(
    ["(", ")", "e", "g", "i", ".", "such", "including", "like", "eg", ":", "particularly", "especially"]
)
_SHOWS = frozenset(["e", "i", "such", "including", "like", "eg", "(", "especially", "particularly"])
_PAIRING = frozenset(["between", "combination", "combining", "both", "combined", "coadministration", "of", "with"])
_MEASURED = "indicator"
_NEAR = 9
#: How many words may stand around "such as" and the like: "NSAIDs, including selective COX-2 inhibitors".
_QUALIFIED = 4


@dataclass(frozen=True, slots=True)
class Named:
    """One thing that a sentence names, with all places (start, end) where it does, in order."""

    role: str
    places: tuple[tuple[int, int], ...]


def named(sentence: Sentence, label: LabelContext) -> tuple[list[ConceptId], list[Named]]:
    """What `sentence` names, each thing once with its places in the sentence's text; diseases and effects are left out.

    Where a word is a class and a drug ("tetracycline"), the plural is the class.
    """
    places: dict[ConceptId, list[tuple[int, int]]] = {}
    for mention in sentence.mentions:
        taken = [c for c in mention.concepts if kind_of(c) in _ROLES or kind_of(c) == _MEASURED]
        if taken:
            place = (mention.start - sentence.start, mention.end - sentence.start)
            places.setdefault(_meant(taken, mention.text, label), []).append(place)
    if not places:
        return [], []
    kin = {c for subject in label.subjects for c in label.ancestors.get(subject, ())}
    return list(places), [Named(_role(c, label, kin), tuple(at)) for c, at in places.items()]


def _meant(concepts: Sequence[ConceptId], written: str, label: LabelContext) -> ConceptId:
    for concept in concepts:
        if concept in label.subjects:
            return concept
    return min(concepts, key=lambda c: (kind_of(c) == "class") != written.endswith("s"))


def _role(concept: ConceptId, label: LabelContext, kin: Collection[ConceptId]) -> str:
    if concept in label.subjects:
        return OWN
    return KIN if concept in kin else _ROLES.get(kind_of(concept), OTHER)


Features = Mapping[str, float]


class Sketch:
    """A sentence reduced to tokens, with each named thing as one.

    `words`: lower case, "#" for a number, the role in capitals for a name; `thing`: which named thing a token is, -1
    for other words; `start`: where it stands. `at`: the tokens of each thing. Tens of thousands are made for one
    collection of labels, so that plain lists serve.
    """

    def __init__(self, text: str, things: Sequence[Named], kind: str = "") -> None:
        """`kind`: the section's. Of places that overlap the first counts."""
        self.text = text
        self.things = things
        self.kind = kind
        self.words: list[str] = []
        self.thing: list[int] = []
        self.start: list[int] = []
        self.at: list[list[int]] = [[] for _ in things]
        self._tokenise()
        self.roles = {t.role for t in things}
        self.cues = list(_found_cues(text))
        self.chains, self.shown = self._chains()

    def _tokenise(self) -> None:
        lower = self.text.lower() if self.text.isascii() else "".join(map(_lower, self.text))
        places = sorted((start, -end, n) for n, thing in enumerate(self.things) for start, end in thing.places)
        at = 0
        for start, end, n in [*places, (len(lower), -len(lower), -1)]:
            if start < at:
                continue
            for match in _TOKEN.finditer(lower, at, start):
                word = match.group()
                self.words.append("#" if word[0].isdigit() else word)
                self.thing.append(-1)
                self.start.append(match.start())
            if n >= 0:
                self.at[n].append(len(self.words))
                self.words.append(self.things[n].role.upper())
                self.thing.append(n)
                self.start.append(start)
            at = -end

    def _chains(self) -> tuple[list[int], frozenset[int]]:
        """For each token the number of the list it is a member of, -1 for none; and the tokens that are examples.

        The label's own drug is never a member of a list (0), but may be an example of its class.
        """
        chain, shown = [-1] * len(self.words), set()
        number, last = 0, -1
        for i in sorted(i for places in self.at for i in places):
            between = self.words[last + 1 : i]
            if last >= 0 and self._exemplary(between, last in shown):
                shown.add(i)
            if self.things[self.thing[i]].role == OWN:
                chain[i] = 0
            elif last >= 0 and chain[last] and all(w in _LINKS or w in _EXAMPLES for w in between):
                chain[i] = chain[last]
            else:
                number += 1
                chain[i] = number
            last = i
        return chain, frozenset(shown)

    def _exemplary(self, between: Sequence[str], before: bool) -> bool:
        """Whether a name is an example, by the words between it and the name `before` it (True: one as well)."""
        shows = [k for k, w in enumerate(between) if w in _SHOWS or (w == "as" and between[k - 1 : k] == ["such"])]
        if shows:
            rest = between[shows[-1] + 1 :]
            return ")" not in rest and len(rest) <= _QUALIFIED and shows[0] <= _QUALIFIED
        return before and ")" not in between and all(w in _LINKS or w in ("#", "mg") for w in between)


def _lower(character: str) -> str:
    """In lower case where that is one character, so that places stay."""
    lower = character.lower()
    return lower if len(lower) == 1 else character


def sentence_features(sketch: Sketch) -> Features:
    """Words, pairs of words, cues and pairs of cues."""
    words = ["NAME" if n >= 0 else w for w, n in zip(sketch.words, sketch.thing, strict=True)]
    cues = sorted({cue for _, cue in sketch.cues})
    found = dict.fromkeys((f"w {w}" for w in words), 1.0)
    found.update(dict.fromkeys((f"w {a} {b}" for a, b in pairwise(words)), 1.0))
    found.update(dict.fromkeys((f"cue {c}" for c in cues), 1.0))
    found.update(dict.fromkeys((f"cue {a} {b}" for i, a in enumerate(cues) for b in cues[i + 1 :]), 1.0))
    found[f"in {sketch.kind}"] = 1.0
    found.update(dict.fromkeys((f"role {r}" for r in sketch.roles), 1.0))
    found[f"names {min(len(sketch.things), 4)}"] = 1.0
    return found


def pair_features(sketch: Sketch, a: int, b: int | None, says: float) -> Features:
    """What speaks for and against an interaction of things `a` and `b`; None is the label's own drug, unnamed.

    `says`: the first model's figure for the sentence, in logits.
    """
    found: dict[str, float] = {"says": says}
    for name in _alone(sketch, a) if b is None else _two(sketch, a, b):
        if name.startswith("* "):
            found[name[2:]] = 1.0
            found[f"says {name}"] = says
        else:
            found[name] = 1.0
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


def cues_in(text: str) -> set[str]:
    """The kinds of cues that stand in `text`."""
    return {cue for _, cue in _found_cues(text)}


def _found_cues(text: str) -> Iterator[tuple[int, str]]:
    """(where it stands, its kind) of every cue."""
    for match in _cues().finditer(text.lower()):
        if match.lastgroup:
            yield match.start(), match.lastgroup


@cache
def _cues() -> re.Pattern[str]:
    kinds = wordings()["cues"]
    return re.compile(
        rf"\b(?:{'|'.join(f'(?P<{kind}>{chr(124).join(said).lower()})' for kind, said in kinds.items())})"
    )


@cache
def wordings() -> Mapping[str, Any]:
    """`interaction.toml`."""
    return tomllib.loads(_folder().joinpath("interaction.toml").read_text("utf-8"))


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
    data = json.loads(_folder().joinpath("interaction_weights.json").read_text("utf-8"))
    parts = {name: Linear(data[name]["bias"], data[name]["weights"]) for name in ("sentence", "pair", "unsaid")}
    return Model(**parts, threshold=data["threshold"], threshold_unsaid=data["threshold_unsaid"])


def _folder() -> Any:
    return resources.files("pharmakon.extract").joinpath("specialists")
