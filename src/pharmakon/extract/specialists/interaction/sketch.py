"""A sentence reduced to what the models of interactions look at: words, named things, lists of them, and cues."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from pharmakon.extract.claims import LabelContext, Sentence
from pharmakon.extract.specialists.interaction.wording import found_cues, wordings
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
_MEASURED = "indicator"
#: What a name stands in that is left out of what the sentence says: "all protease inhibitors except …".
_EXCEPTED = re.compile(
    r"(?:\bexcept(?: for)?|\bexcluding|\bother than|\bwith the exception of|\bapart from)\s"
    r"(?:(?!avoid|use\b|when\b|if\b|in\b|should|must)[^.;:)\]]){0,80}\Z",
    re.IGNORECASE,
)
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
    if not sentence.mentions:
        return [], []
    places: dict[ConceptId, list[tuple[int, int]]] = {}
    no_drugs = wordings()["no_drugs"]["concepts"]
    for mention in sentence.mentions:
        taken = [c for c in mention.concepts if (kind_of(c) in _ROLES and c not in no_drugs) or kind_of(c) == _MEASURED]
        if taken and not _excepted(sentence.text, mention.start - sentence.start):
            place = (mention.start - sentence.start, mention.end - sentence.start)
            places.setdefault(_meant(taken, mention.text, label), []).append(place)
    if not places:
        return [], []
    kin = {c for subject in label.subjects for c in label.ancestors.get(subject, ())}
    return list(places), [Named(_role(c, label, kin), tuple(at)) for c, at in places.items()]


def _excepted(text: str, at: int) -> bool:
    """Whether what stands at `at` is an exception from what is said."""
    head = text[max(0, at - 110) : at]
    return bool(_EXCEPTED.search(head))


def _meant(concepts: Sequence[ConceptId], written: str, label: LabelContext) -> ConceptId:
    for concept in concepts:
        if concept in label.subjects:
            return concept
    return min(concepts, key=lambda c: (kind_of(c) == "class") != written.endswith("s"))


def _role(concept: ConceptId, label: LabelContext, kin: Collection[ConceptId]) -> str:
    if concept in label.subjects:
        return OWN
    return KIN if concept in kin else _ROLES.get(kind_of(concept), OTHER)


class Sketch:
    """A sentence reduced to tokens, with each named thing as one.

    `words`: lower case, "#" for a number, the role in capitals for a name; `thing`: which named thing a token is, -1
    for other words; `start`: where it stands. `at`: the tokens of each thing. Tens of thousands are made for one
    collection of labels, so that plain lists serve.
    """

    def __init__(self, text: str, things: Sequence[Named], kind: str = "", heading: str = "") -> None:
        """`kind` and `heading`: the section's. Of places that overlap the first counts."""
        self.text = text
        self.things = things
        self.kind = kind
        self.heading = heading
        self.words: list[str] = []
        self.thing: list[int] = []
        self.start: list[int] = []
        self.at: list[list[int]] = [[] for _ in things]
        self._tokenise()
        self.roles = {t.role for t in things}

    @cached_property
    def cues(self) -> list[tuple[int, str]]:
        """Every cue: where it stands, and its kind."""
        return list(found_cues(self.text))

    @property
    def chains(self) -> list[int]:
        """For each token the number of the list it is a member of, -1 for none; the label's own drug is in none (0)."""
        return self._lists[0]

    @property
    def shown(self) -> frozenset[int]:
        """The tokens that are examples."""
        return self._lists[1]

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

    @cached_property
    def _lists(self) -> tuple[list[int], frozenset[int]]:
        """Both, found together. The label's own drug may be an example of its class."""
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
