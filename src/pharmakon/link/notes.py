"""Notes → facts: conditions, stages, values, states, allergies and intolerances with their reaction.

Every fact carries the words it came from and a status: active, history, uncertain, refuted or family (`link.context`).
Figures and states are read in `link.measures`; here are names of conditions, and allergies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from pharmakon.link.conditions import ALLERGENS, CONDITIONS
from pharmakon.link.context import Sentence, cues, data, ended, index, is_over, sentences, status
from pharmakon.link.measures import kidney, measures
from pharmakon.link.names import Finder, Match, concept_ids, join, pieces
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.profile import Interval

_SHOWN = 160


@dataclass(frozen=True, slots=True)
class NoteFact:
    """`kind`: condition, factor, allergy, intolerance, "no allergies", or "unread allergy" (it names nothing we know).

    `words` are the sentence's own.
    """

    kind: str
    status: str
    words: str
    concept: ConceptId | None = None
    factor: str = ""
    value: Interval | frozenset[str] | None = None
    reaction: str = ""


def read_notes(notes: Sequence[str], finder: Finder) -> tuple[NoteFact, ...]:
    """Every fact of the notes, in order. What says nothing we can use gives nothing."""
    found = [fact for note in notes for sentence in sentences(note) for fact in _read_sentence(sentence, finder)]
    return tuple(dict.fromkeys(found))


def _read_sentence(sentence: Sentence, finder: Finder) -> Iterator[NoteFact]:
    words = sentence.shown[:_SHOWN]
    allergies = list(_allergies(sentence, finder))
    yield from allergies
    staged = kidney(sentence)
    if staged is not None:
        yield NoteFact("factor", staged.status, words, factor=staged.factor, value=staged.value)
        yield NoteFact("condition", staged.status, words, ConceptId("disease:chronic-kidney-disease"))
    for measure in measures(sentence):
        yield NoteFact("factor", measure.status, words, factor=measure.factor, value=measure.value)
    about_allergy = bool(allergies) or sentence.header == "allergies"
    for match in finder.find(sentence.text, CONDITIONS):
        ids = concept_ids(match)
        if len(ids) != 1 or (about_allergy and _is_reaction(match.text)):
            continue
        if match.start and sentence.words[match.start - 1] in data()["changers"]["words"]:
            continue
        if all(_abbreviation(name.text) and name.text not in sentence.shown for _, name in match.concepts):
            continue  # "haalt medicatie af" is not AF
        if sentence.words[match.end : match.end + 1] == ("epi",):
            continue  # CKD-EPI is a formula
        said = status(sentence, match.start, match.end)
        if said == "history" and ids[0] in _lasting() and not is_over(sentence, match.end):
            said = "active"
        yield NoteFact("condition", said, words, ids[0])


def _abbreviation(name: str) -> bool:
    """A name in capitals, which is meant only where it is written in capitals."""
    return len(name) <= 5 and name.isascii() and name.isupper()


def _is_reaction(text: str) -> bool:
    return "allerg" in text or any(tuple(pieces(text)) == r for r in cues("allergies", "reactions"))


# ── allergies ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Cue:
    """Words that speak of an allergy. `after` cues look back at what stands before them."""

    after: bool
    intolerant: bool
    start: int
    end: int
    bare: bool  #: "allergy" without "to"


def _allergies(sentence: Sentence, finder: Finder) -> Iterator[NoteFact]:
    words = sentence.words
    allowed_from = 0
    denied = _denied(words)
    if denied is not None:
        kept = next((i for e in cues("allergies", "excepting") if (i := index(words, e, denied)) is not None), None)
        if kept is None:
            yield NoteFact("no allergies", "active", sentence.shown[:_SHOWN])
            return
        allowed_from = kept
    found = list(_cues_in(words))
    if sentence.header == "allergies":
        found.append(_Cue(after=False, intolerant=False, start=0, end=0, bare=False))
    if not found and denied is None:
        return
    mentions = finder.find(sentence.text, ALLERGENS)
    yield from _unread(sentence, mentions, found, finder)
    for i, match in enumerate(mentions):
        if denied is not None:
            cue: _Cue | None = _Cue(after=False, intolerant=False, start=allowed_from, end=allowed_from + 1, bare=False)
            if match.start < allowed_from:
                continue
        else:
            cue = _speaks_of(sentence, match, mentions, found)
        if cue is None:
            continue
        until = mentions[i + 1].start if i + 1 < len(mentions) else len(words)
        reactions = _reactions(words[match.end : _item_end(sentence, match.end, until)]) or (
            _reactions(words) if len(mentions) == 1 else []
        )
        side_effect = bool(reactions) and all(r in cues("allergies", "side_effects") for r in reactions)
        said = "active" if denied is not None else _standing(sentence, match, cue)
        concept = min(concept_ids(match), key=lambda c: ("class", "ingredient", "drug", "allergen").index(kind_of(c)))
        yield NoteFact(
            "intolerance" if cue.intolerant or side_effect else "allergy", said, sentence.shown[:_SHOWN], concept,
            reaction=", ".join(join(r) for r in reactions),
        )  # fmt: skip


def _unread(sentence: Sentence, mentions: Sequence[Match], found: Sequence[_Cue], finder: Finder) -> Iterator[NoteFact]:
    """Items of an allergy list, or what stands after "allergic to", that name nothing we know: said, not dropped."""
    words = sentence.words
    cue = next((c for c in found if not c.after and not c.intolerant and c.start < len(words)), None)
    if cue is None or (not sentence.header and (cue.bare or mentions)):
        return
    known = {i for m in (*mentions, *finder.find(sentence.text, CONDITIONS)) for i in range(m.start, m.end)}
    borders = sorted({cue.end, len(words), *(c for c in sentence.commas if c > cue.end)})
    for start, end in pairwise(borders):
        item = words[start:end]
        named = [w for w in item if len(w) > 3 and (w,) not in cues("allergies", "unnamed")]
        if not named or known & set(range(start, end)) or _reactions(item) or len(item) > 4:
            continue
        if status(sentence, start, end) == "active" and not any((w,) in cues("allergies", "stops") for w in item):
            yield NoteFact("unread allergy", "active", " ".join(item))


def _item_end(sentence: Sentence, start: int, until: int) -> int:
    """Where a list's item ends: at the first comma that no further reaction follows."""
    for comma in sorted(c for c in sentence.commas if start <= c < until):
        if not any(sentence.words[comma : comma + len(r)] == r for r in cues("allergies", "reactions")):
            return comma
    return until


def _denied(words: Sequence[str]) -> int | None:
    """Where a sentence says that there are no allergies at all ("no allergies to X" does not)."""
    for cue in sorted(cues("allergies", "none"), key=len, reverse=True):
        at = index(words, cue)
        if at is None:
            continue
        after = words[at + len(cue) : at + len(cue) + 2]
        specific = tuple(after[:1]) in cues("allergies", "towards") and tuple(after) not in cues("allergies", "empty")
        if not specific:
            return at
    return None


def _cues_in(words: Sequence[str]) -> Iterator[_Cue]:
    for key in ("before", "after", "intolerant_before", "intolerant_after"):
        for cue in cues("allergies", key):
            at = index(words, cue)
            while at is not None:
                bare = key == "before" and cue in cues("allergies", "after")
                yield _Cue(key.endswith("after"), key.startswith("intolerant"), at, at + len(cue), bare)
                at = index(words, cue, at + 1)


def _speaks_of(sentence: Sentence, match: Match, mentions: Sequence[Match], found: Sequence[_Cue]) -> _Cue | None:
    """The nearest cue that reaches the mention."""
    words = sentence.words
    near: list[_Cue] = []
    for cue in found:
        if cue.after and cue.start >= match.end and _only_names(words, match.end, cue.start, mentions):
            near.append(cue)
        elif not cue.after and cue.end <= match.start:
            taken = cue.bare and any(_only_names(words, m.end, cue.start, mentions) for m in mentions if m is not match
                                     and m.end <= cue.start)  # fmt: skip
            between = words[cue.end : match.start]
            if (
                not taken
                and not ended(between, cues("allergies", "stops"))
                and not ended(between, cues("ends", "words"))
            ):
                near.append(cue)
    return min(near, key=lambda c: (min(abs(match.start - c.end), abs(c.start - match.end)), c.bare), default=None)


def _only_names(words: Sequence[str], start: int, end: int, mentions: Sequence[Match]) -> bool:
    """Whether nothing but other allergens and joining words stand between."""
    named = {i for m in mentions for i in range(m.start, m.end)}
    return all(i in named or (words[i],) in cues("allergies", "joiners") for i in range(start, end))


def _standing(sentence: Sentence, match: Match, cue: _Cue) -> str:
    if sentence.header == "allergies" and cue.start == cue.end:
        said = status(sentence, match.start, match.end)
    else:
        said = status(sentence, min(cue.start, match.start), max(cue.end, match.end))
    return "active" if said == "history" else said


def _reactions(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The reactions named in `words`, in order, the longer name first where two begin at one place."""
    found: list[tuple[int, tuple[str, ...]]] = []
    for reaction in sorted(cues("allergies", "reactions"), key=len, reverse=True):
        at = index(words, reaction)
        if at is not None and not any(a <= at < a + len(r) for a, r in found):
            found.append((at, reaction))
    return [r for _, r in sorted(found)]


@cache
def _lasting() -> frozenset[str]:
    return frozenset(data()["lasting"]["concepts"])
