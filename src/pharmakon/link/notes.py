"""Notes → facts: conditions, stages, values, states, allergies and intolerances with their reaction.

Every fact carries the words it came from and a status: active, history, uncertain, refuted or family (`link.context`).
Figures and states are read in `link.measures`; here are names of conditions, and allergies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from weakref import WeakKeyDictionary

from pharmakon.link.conditions import ALLERGENS, CONDITIONS
from pharmakon.link.context import Sentence, Spots, cues, data, is_over, lasting, sentences, spots, stands, status
from pharmakon.link.measures import another_state, kidney, measures
from pharmakon.link.names import Finder, Match, choose, concept_ids, join
from pharmakon.link.taking import habits, medications
from pharmakon.link.values import Reading, readings
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.profile import Interval

_SHOWN = 160
#: Characters of a note that are read.
LONGEST = 20_000
_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class NoteFact:
    """One thing a note says. `words` are the sentence's own.

    `kind`: condition, factor, allergy, intolerance, "no allergies", "unread allergy" (it names nothing we know),
    medication, lifestyle, "unread value" (a figure whose unit is missing) or "unread" (the note is too long; `words`
    say by how much).
    """

    kind: str
    status: str
    words: str
    concept: ConceptId | None = None
    factor: str = ""
    value: Interval | frozenset[str] | None = None
    reaction: str = ""


#: Per finder: sentence → its facts, and the figures among them with whether they are said to be today's.
_Said = tuple[tuple[NoteFact, ...], tuple[tuple[NoteFact, bool], ...]]
_SEEN: WeakKeyDictionary[Finder, dict[Sentence, _Said]] = WeakKeyDictionary()


def read_notes(notes: Sequence[str], finder: Finder) -> tuple[NoteFact, ...]:
    """Every fact of the notes, in order. What says nothing we can use gives nothing.

    Of several figures of one factor the last that is said to be today's counts; else they give the range between them.
    """
    seen = _SEEN.setdefault(finder, {})
    found: list[NoteFact] = []
    figures: dict[NoteFact, bool] = {}
    for note in notes:
        read, left = _shortened(note)
        for sentence in sentences(read):
            if sentence not in seen:
                if len(seen) >= _REMEMBERED:
                    seen.clear()
                seen[sentence] = _of_sentence(sentence, finder)
            facts, measured = seen[sentence]
            found += facts
            figures.update(measured)
        if left:
            found.append(NoteFact("unread", "active", f"{left} characters"))
    return tuple(_settled(list(dict.fromkeys(found)), figures))


def _shortened(note: str) -> tuple[str, int]:
    """What is read of a note, to the end of a word, and how many characters are not."""
    if len(note) <= LONGEST:
        return note, 0
    end = max(note.rfind(" ", 0, LONGEST), note.rfind("\n", 0, LONGEST))
    end = end if end > LONGEST - 200 else LONGEST
    return note[:end], len(note) - end


def _settled(facts: list[NoteFact], figures: dict[NoteFact, bool]) -> Iterator[NoteFact]:
    """One figure for each factor; and no word of "no allergies" where there is one."""
    today = _todays(facts, figures)
    allergic = any(f.kind in ("allergy", "unread allergy") and f.status in ("active", "uncertain") for f in facts)
    for fact in facts:
        if fact.kind == "no allergies" and allergic:
            continue
        if fact in figures and fact.status == "active":
            chosen = today.pop(fact.factor, None)
            if chosen is not None:
                yield chosen
            continue
        yield fact


def _todays(facts: Sequence[NoteFact], figures: dict[NoteFact, bool]) -> dict[str, NoteFact]:
    """Factor → the figure that counts."""
    found: dict[str, list[NoteFact]] = {}
    for fact in facts:
        if fact in figures and fact.status == "active":
            found.setdefault(fact.factor, []).append(fact)
    chosen: dict[str, NoteFact] = {}
    for factor, given in found.items():
        current = [f for f in given if figures[f]]
        chosen[factor] = current[-1] if current else _between(given)
    return chosen


def _between(given: Sequence[NoteFact]) -> NoteFact:
    values = [f.value for f in given if isinstance(f.value, Interval)]
    if len(set(values)) < 2:
        return given[0]
    high = max(v.high for v in values)
    value = Interval(min(v.low for v in values), high, all(v.open_high for v in values if v.high == high))
    words = " … ".join(dict.fromkeys(f.words for f in given))
    return replace(given[0], value=value, words=words[:_SHOWN])


def _of_sentence(sentence: Sentence, finder: Finder) -> _Said:
    words = sentence.shown[:_SHOWN]
    named = finder.named(sentence.words)
    mentions = choose(named, ALLERGENS)
    allergies = list(_allergies(sentence, mentions))
    facts = [fact for fact, _ in allergies]
    staged = kidney(sentence)
    if staged is not None:
        facts.append(NoteFact("factor", staged.status, words, factor=staged.factor, value=staged.value))
        facts.append(NoteFact("condition", staged.status, words, ConceptId("disease:chronic-kidney-disease")))
    facts += [NoteFact("factor", m.status, words, factor=m.factor, value=m.value) for m in measures(sentence)]
    figures = list(readings(sentence))
    measured = [
        (NoteFact("factor", r.status, words, factor=r.factor, value=r.value), r.current)
        for r in figures
        if r.value is not None
    ]
    facts += [fact for fact, _ in measured]
    facts += _unread_values(figures, words)
    about_allergy = bool(allergies) or sentence.header == "allergies"
    facts += _conditions(sentence, named, about_allergy)
    if sentence.header != "allergies":
        levels = {i for r in figures for i in range(sentence.word_at(r.start), sentence.word_at(r.end))}
        blamed = {i for _, m in allergies if m is not None for i in range(m.start, m.end)}
        for taken in (*medications(sentence, named, levels | blamed), *habits(sentence, named)):
            facts.append(NoteFact(taken.kind, taken.status, words, taken.concept))
    return tuple(facts), tuple(measured)


def _unread_values(figures: Sequence[Reading], words: str) -> Iterator[NoteFact]:
    for factor in dict.fromkeys(r.factor for r in figures if r.value is None):
        if all(r.value is None or r.factor != factor for r in figures):
            yield NoteFact("unread value", "active", words, factor=factor)


def _conditions(sentence: Sentence, named: Sequence[Match], about_allergy: bool) -> Iterator[NoteFact]:
    changers = data()["changers"]
    for match in choose(named, CONDITIONS):
        ids = concept_ids(match)
        if len(ids) != 1 or (about_allergy and _is_reaction(match.text)):
            continue
        if match.start and sentence.words[match.start - 1] in changers["words"]:
            continue
        if all(_abbreviation(name.text) and name.text not in sentence.shown for _, name in match.concepts):
            continue  # "haalt medicatie af" is not AF
        if sentence.words[match.end : match.end + 1] == ("epi",):
            continue  # CKD-EPI is a formula
        if ids[0] in changers["states_as_diseases"] and another_state(sentence, match.start, match.end):
            continue  # "wants to get pregnant"
        said = status(sentence, match.start, match.end)
        if said == "history" and ids[0] in lasting() and not is_over(sentence, match.end):
            said = "active"
        yield NoteFact("condition", said, sentence.shown[:_SHOWN], ids[0])


def _abbreviation(name: str) -> bool:
    """A name in capitals, which is meant only where it is written in capitals."""
    return len(name) <= 5 and name.isascii() and name.isupper()


def _is_reaction(text: str) -> bool:
    return "allerg" in text or tuple(text.split()) in cues("allergies", "reactions")


# ── allergies ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Cue:
    """Words that speak of an allergy. `after` cues look back at what stands before them."""

    after: bool
    intolerant: bool
    start: int
    end: int
    bare: bool  #: "allergy" without "to"


def _allergies(sentence: Sentence, mentions: Sequence[Match]) -> Iterator[tuple[NoteFact, Match | None]]:
    """Allergies with the words that name the substance."""
    words = sentence.words
    denied = _denied(words)
    if denied is not None:
        kept = [at for at, _ in spots(words, "allergies", "excepting") if at >= denied[0]]
        if not kept:
            yield NoteFact("no allergies", "active", sentence.shown[:_SHOWN]), None
            yield from _stated(_until(sentence, denied[0]), [m for m in mentions if m.end <= denied[0]])
            # "NKDA, anaphylaxis after amoxicillin": what is told beside the denial is told
            rest = [_moved(m, -denied[1]) for m in mentions if m.start >= denied[1]]
            for fact, match in _stated(_after(sentence, denied[1]), rest):
                yield fact, _moved(match, denied[1]) if match else None
            return
        excepted = _Cue(after=False, intolerant=False, start=kept[0], end=kept[0] + 1, bare=False)
        for i, match in enumerate(mentions):
            if match.start >= kept[0]:
                yield _allergy(sentence, mentions, i, excepted, "active"), match
        return
    yield from _stated(sentence, mentions)


def _after(sentence: Sentence, end: int) -> Sentence:
    """The sentence from word `end` on."""
    commas = frozenset(c - end for c in sentence.commas if c > end)
    return replace(sentence, words=sentence.words[end:], commas=commas, header="")


def _until(sentence: Sentence, start: int) -> Sentence:
    """The sentence up to word `start`."""
    commas = frozenset(c for c in sentence.commas if c < start)
    return replace(sentence, words=sentence.words[:start], commas=commas, header="")


def _moved(match: Match, by: int) -> Match:
    return replace(match, start=match.start + by, end=match.end + by)


def _stated(sentence: Sentence, mentions: Sequence[Match]) -> Iterator[tuple[NoteFact, Match | None]]:
    words = sentence.words
    found = list(_cues_in(words))
    if sentence.header == "allergies":
        found.append(_Cue(after=False, intolerant=False, start=0, end=0, bare=False))
    found += [
        _Cue(after=True, intolerant=False, start=m.end, end=m.end, bare=False)
        for m in mentions
        if _reacted(sentence, m)
    ]
    if not found:
        return
    for unread in _unread(sentence, mentions, found):
        yield unread, None
    for i, match in enumerate(mentions):
        cue = _speaks_of(sentence, match, mentions, found)
        if cue is not None:
            yield _allergy(sentence, mentions, i, cue, _standing(sentence, match, cue)), match


def _reacted(sentence: Sentence, match: Match) -> bool:
    """Whether a name says allergy itself ("penicillin allergy"), or a reaction stands right beside it.

    "Amoxicillin → rash", "anaphylaxis (amoxicillin 2012)", "codeine gave nausea".
    """
    if "allerg" in match.text:
        return kind_of(match.concepts[0][0]) != "allergen"
    words, commas = sentence.words, sentence.commas
    for at, end in spots(words, "allergies", "strict"):
        if (at == match.end and at not in commas) or (end == match.start and end not in commas):
            return True
    return any(
        at == match.end and reaction == end and not {at, end} & commas
        for at, end in spots(words, "allergies", "gave")
        for reaction, _ in spots(words, "allergies", "reactions")
    )


def _allergy(sentence: Sentence, mentions: Sequence[Match], i: int, cue: _Cue, said: str) -> NoteFact:
    words, match = sentence.words, mentions[i]
    until = mentions[i + 1].start if i + 1 < len(mentions) else len(words)
    listed = sentence.header == "allergies" and bool(sentence.commas)
    reactions = _reactions(words[match.end : _item_end(sentence, match.end, until)])
    if not reactions and len(mentions) == 1 and not listed:
        reactions = _reactions(words)
    side_effect = bool(reactions) and all(r in cues("allergies", "side_effects") for r in reactions)
    concept = min(concept_ids(match), key=lambda c: ("class", "ingredient", "drug", "allergen").index(kind_of(c)))
    kind = "intolerance" if cue.intolerant or side_effect else "allergy"
    reaction = ", ".join(join(r) for r in reactions)
    return NoteFact(kind, said, sentence.shown[:_SHOWN], concept, reaction=reaction)


def _unread(sentence: Sentence, mentions: Sequence[Match], found: Sequence[_Cue]) -> Iterator[NoteFact]:
    """Items of an allergy list, or what stands after "allergic to", that name nothing we know: said, not dropped."""
    words = sentence.words
    cue = next((c for c in found if not c.after and not c.intolerant and c.start < len(words)), None)
    if cue is None or (not sentence.header and (cue.bare or mentions)):
        return
    known = {i for m in mentions for i in range(m.start, m.end)}
    borders = sorted({cue.end, len(words), *(c for c in sentence.commas if c > cue.end)})
    for start, end in pairwise(borders):
        item = words[start:end]
        reactions = _reactions(item)
        told = {w for r in reactions for w in r}
        left = [w for w in item if w not in told]
        named = [w for w in left if len(w) > 3 and not w.isdigit() and (w,) not in cues("allergies", "unnamed")]
        if not named or known & set(range(start, end)) or len(item) > 6 or len(left) > 4:
            continue
        if status(sentence, start, start + 1) == "active" and not any((w,) in cues("allergies", "stops") for w in item):
            reaction = ", ".join(join(r) for r in reactions)
            yield NoteFact("unread allergy", "active", " ".join(left), reaction=reaction)


def _item_end(sentence: Sentence, start: int, until: int) -> int:
    """Where a list's item ends: at the first comma that no further reaction follows."""
    for comma in sorted(c for c in sentence.commas if start <= c < until):
        if not any(sentence.words[comma : comma + len(r)] == r for r in cues("allergies", "reactions")):
            return comma
    return until


def _denied(words: tuple[str, ...]) -> tuple[int, int] | None:
    """Where a sentence says that there are no allergies at all ("no allergies to X" does not)."""
    for at, end in sorted(spots(words, "allergies", "none"), key=lambda s: s[0] - s[1]):
        after = words[end : end + 2]
        specific = after[:1] in cues("allergies", "towards") and after not in cues("allergies", "empty")
        if not specific:
            return at, end
    return None


def _cues_in(words: tuple[str, ...]) -> Iterator[_Cue]:
    for key in ("before", "after", "intolerant_before", "intolerant_after"):
        for at, end in spots(words, "allergies", key):
            bare = key == "before" and words[at:end] in cues("allergies", "after")
            yield _Cue(key.endswith("after"), key.startswith("intolerant"), at, end, bare)


def _speaks_of(sentence: Sentence, match: Match, mentions: Sequence[Match], found: Sequence[_Cue]) -> _Cue | None:
    """The nearest cue that reaches the mention."""
    words = sentence.words
    near: list[_Cue] = []
    stops: Spots = spots(words, "allergies", "stops") + spots(words, "ends", "words")
    for cue in found:
        if cue.after and cue.start >= match.end and _only_names(words, match.end, cue.start, mentions):
            near.append(cue)
        elif not cue.after and cue.end <= match.start:
            taken = cue.bare and any(_only_names(words, m.end, cue.start, mentions) for m in mentions if m is not match
                                     and m.end <= cue.start)  # fmt: skip
            if not taken and not stands(stops, cue.end, match.start):
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


def _reactions(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The reactions named in `words`, in order, each once, the longer name first where two begin at one place."""
    found: list[tuple[int, tuple[str, ...]]] = []
    for at, end in sorted(spots(words, "allergies", "reactions"), key=lambda s: s[0] - s[1]):
        if not any(a <= at < a + len(r) for a, r in found):
            found.append((at, words[at:end]))
    return list(dict.fromkeys(r for _, r in sorted(found)))
