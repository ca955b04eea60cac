"""Drugs and habits that a note mentions and that are no orders: "takes ibuprofen from the chemist", "drinks 4 beers".

Classes are no medications, a level is none, and a name that is an ordinary word ("Advance") is one only where a dose
follows it. The status is that of the taking: stopped is history, "no ibuprofen" refuted, "consider apixaban" uncertain.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pharmakon.link.context import Sentence, data, is_relatives, spots, stands
from pharmakon.link.names import Match, choose, concept_ids
from pharmakon.model.concepts import ConceptId, Name, fold

DRUGS = frozenset({"drug", "ingredient"})
HABITS = frozenset({"lifestyle"})
_SHORTEST = 4
_FIGURE = re.compile(r"\d+(?:mg|mcg|g|ml|ie)?")
_UNITS = frozenset(["mg", "mcg", "ug", "µg", "g", "gr", "ml", "ie", "iu", "units", "mmol", "meq"])


@dataclass(frozen=True, slots=True)
class Taken:
    """A drug (`kind` medication) or a habit (`kind` lifestyle), and how it stands."""

    kind: str
    status: str
    concept: ConceptId


def medications(sentence: Sentence, named: Sequence[Match], left_out: Collection[int]) -> Iterator[Taken]:
    """The drugs of a sentence; not at words `left_out`: allergens, and names of levels."""
    mentions = choose(named, DRUGS)
    spans = [(m.start, m.end) for m in mentions]
    for match in mentions:
        ids = concept_ids(match)
        if len(ids) != 1 or any(match.start <= i < match.end for i in left_out):
            continue
        if _means_it(sentence, match) and not _other_thing(sentence, match.end):
            yield Taken("medication", _standing(sentence, match.start, match.end, spans), ids[0])


def habits(sentence: Sentence, named: Sequence[Match]) -> Iterator[Taken]:
    """Alcohol, tobacco, grapefruit and the like; each once, as it first stands."""
    rules, words = data()["lifestyle"], data()["lifestyle_words"]
    found = [
        (m.start, m.end, concept_ids(m)[0])
        for m in choose(named, HABITS)
        if m.text not in rules["ignored_names"] and concept_ids(m)[0] not in rules["ignored"]
    ]
    for concept in words:
        found += [(at, after, ConceptId(concept)) for at, after in spots(sentence.words, "lifestyle_words", concept)]
    spans = [(start, end) for start, end, _ in found]
    seen: set[ConceptId] = set()
    for start, end, concept in sorted(found, key=lambda f: (f[0], -f[1])):
        if concept not in seen and not _other_thing(sentence, end):
            seen.add(concept)
            nil = sentence.words[end : end + 1] == ("0",) and not "".join(sentence.words[end + 1 : end + 2]).isdigit()
            yield Taken("lifestyle", "refuted" if nil else _standing(sentence, start, end, spans), concept)


def _means_it(sentence: Sentence, match: Match) -> bool:
    """Whether a stretch is meant as the drug's name."""
    names = [name for _, name in match.concepts]
    if not any(_written(name, sentence.shown) for name in names):
        return False
    if match.text not in _ordinary():
        return True
    after = sentence.words[match.end : match.end + 2]
    if not after or not _FIGURE.fullmatch(after[0]):
        return False
    return not after[0].isdigit() or (len(after) > 1 and after[1] in _UNITS)


def _written(name: Name, shown: str) -> bool:
    """Four letters or more; what is written in capitals is meant only where it is."""
    text = name.text
    if len(text) < _SHORTEST and text.isascii():
        return False
    return name.text in shown if len(text) <= 5 and text.isascii() and text.isupper() else True


def _other_thing(sentence: Sentence, end: int) -> bool:
    return end not in sentence.commas and any(at == end for at, _ in spots(sentence.words, "taking", "other"))


def _standing(sentence: Sentence, start: int, end: int, spans: Sequence[tuple[int, int]]) -> str:
    """How the taking stands: family, history, refuted, uncertain or active."""
    if is_relatives(sentence, start, end):
        return "family"
    first, last = _joined(sentence, start, end, spans)
    for said in ("uncertain", "history", "refuted"):
        if _before(sentence, said, first) or _after(sentence, said, last):
            return said
    return "uncertain" if sentence.question and end == len(sentence.words) else "active"


def _joined(sentence: Sentence, start: int, end: int, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The stretch of names joined with this one by "and", "or" or a comma: they stand and fall together."""
    words = sentence.words
    starts = {b: a for a, b in sorted(spans, reverse=True)}  # of names with one end the longest
    stops = dict(sorted(spans))

    def before(first: int) -> int | None:
        joined = (starts.get(first - gap) for gap in (0, 1) if _joins(words[first - gap : first]))
        return next((a for a in joined if a is not None and a < first), None)

    def behind(last: int) -> int | None:
        joined = (stops.get(last + gap) for gap in (0, 1) if _joins(words[last : last + gap]))
        return next((b for b in joined if b is not None and b > last), None)

    first, last = start, end
    while (earlier := before(first)) is not None:
        first = earlier
    while (later := behind(last)) is not None:
        last = later
    return first, last


def _joins(between: Sequence[str]) -> bool:
    return not between or (len(between) == 1 and between[0] in data()["taking"]["joined"])


def _before(sentence: Sentence, said: str, first: int) -> bool:
    """Whether a cue stands before the names, with nothing between that ends its reach."""
    words = sentence.words
    ends = spots(words, "taking", "ends")
    for _, after in spots(words, "taking", f"{said}_before"):
        between = after <= first and first - after <= 4 and not stands(ends, after, first)
        if between and not any(after < c <= first for c in sentence.commas) and after not in sentence.commas:
            return True
    return False


def _after(sentence: Sentence, said: str, last: int) -> bool:
    """Whether a cue stands after the names, at most three words on ("ibuprofen 400 mg gestopt")."""
    words = sentence.words
    ends = spots(words, "taking", "ends")
    for at, after in spots(words, "taking", f"{said}_after"):
        if not last <= at <= last + 3 or stands(ends, last, at) or any(last <= c <= at for c in sentence.commas):
            continue
        closed = after == len(words) or after in sentence.commas or words[after] in ("in", "last", "vorige", "op", "on")
        if closed or after - at > 1:
            return True
    return False


@cache
def _ordinary() -> frozenset[str]:
    return frozenset(fold(word) for word in data()["taking"]["ordinary"])
