"""Stance of a clause: whether it gives leave, warns, or does neither (FG-6).

The rules of reach are ConText's (Harkema et al. 2009, doi:10.1016/j.jbi.2009.05.002), turned to a claim's polarity: a
negator turns the first warning behind it and every leave within its window; in Dutch it may stand behind the verb.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from pharmakon.model.concepts import is_han
from pharmakon.verify.cues import Words, contains, contains_only, says, spots, words_of

#: Words before a cue in which a negator turns it (characters of Chinese), and those behind a Dutch verb.
_WINDOW, _HAN_WINDOW, _BEHIND = 5, 6, 4
#: Words between a negator and a cue across which it turns the cue even in an if-clause.
_CLOSE = 1
#: Words between "without" and what is lacking.
_LACKING = 2
_STANCES = ("allows", "warns", "advises", "nothing")
_ASKED = re.compile(r"\b(ca|is|are|should|could|would|wo|do|does)n['’]?t\b", re.IGNORECASE)
#: Stands for a drug, or a list of them, in a clause whose stance is asked: names are no cues, and a list is one word.
NAME = "xnamex"
_LIST = re.compile(rf"{NAME}(?:[\s,，、]*(?:\b(?:and|or|en|of)\b|[&/和与或及跟同])?[\s,，、]*{NAME})+")


class Stance(Enum):
    """What a clause says about what it names. `ADVISES`: it tells how to use it, without a judgement."""

    ALLOWS = "allows"
    ADVISES = "advises"
    WARNS = "warns"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class _Signal:
    """A cue at words `start` to `end`; `turned` by an odd number of negators."""

    kind: str
    start: int
    end: int
    turned: bool


@lru_cache(maxsize=4096)
def stance(clause: str) -> Stance:
    """What `clause` says by itself; one that gives leave and warns gives leave.

    >>> stance("It is not safe to combine them").name, stance("There is no interaction").name
    ('WARNS', 'ALLOWS')
    """
    words = words_of(clause)
    found = [s for s in _signals(words) if s.kind != "nothing"]
    allowed = [s for s in found if (s.kind, s.turned) in (("allows", False), ("warns", True))]
    warned = [s for s in found if (s.kind, s.turned) in (("warns", False), ("allows", True), ("advises", True))]
    if says("elsewhere", words):  # "choose a drug that does not narrow arteries" allows nothing that was named
        allowed = [a for a in allowed if not a.turned]
    allowed = [a for a in allowed if not any(_leads_to(words, a, w) for w in warned if w.kind == "warns")]
    if allowed and (says("limits", words) or _opens_with_care(words)):
        return Stance.WARNS
    open_ = says("leaves_open", words)
    taken = Stance.ALLOWS if allowed and not open_ else Stance.WARNS if warned else Stance.NEUTRAL
    if taken is Stance.NEUTRAL:
        return Stance.ADVISES if any(s.kind == "advises" for s in found) and not open_ else taken
    return turned(taken) if _taken_back(words, found[-1].end) else taken


def turned(taken: Stance) -> Stance:
    """What is left of a stance that is taken back."""
    return Stance.ALLOWS if taken is Stance.WARNS else Stance.WARNS


def _taken_back(words: Words, end: int) -> bool:
    """Whether a clause ends by saying that what it said is not so: "that they clash is a myth"."""
    return any(at > 0 and after >= min(end, len(words)) for at, after, _, _ in spots(("takes_back",), words))


@lru_cache(maxsize=4096)
def asks_about_harm(question: str) -> bool:
    """Whether a "yes" to `question` warns: "Is it dangerous?", "Do they interact?", "Should I avoid it?"."""
    asked = _ASKED.sub(lambda m: {"ca": "can", "wo": "will"}.get(m[1].lower(), m[1]), question)
    return stance(asked) is Stance.WARNS or (stance(asked) is not Stance.ALLOWS and says("harm", words_of(asked)))


def masked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` with one word for each name, and for each list of them.

    >>> masked("Take A, B and C now", [(5, 6), (8, 9), (14, 15)])
    'Take  xnamex  now'
    """
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {NAME} {text[end:]}"
    return _LIST.sub(NAME, text)


def has_cue(clause: str) -> bool:
    """Whether a clause says anything by itself: it can then stand apart from its neighbours."""
    return any(s.kind != "nothing" for s in _signals(words_of(clause)))


@lru_cache(maxsize=8192)
def _signals(words: Words) -> tuple[_Signal, ...]:
    found: list[_Signal] = []
    denials = [(start, end) for start, end, _, _ in spots(("denies",), words)]
    negations = [
        (start, end)
        for start, end, _, _ in spots(("negators",), words)
        if not any(a <= start and end <= b for a, b in denials)
    ]
    for start, end, kind, cue in spots(_STANCES, words):
        after = found[-1].end if found and kind == "warns" else 0
        turns = sum(after <= a and b <= start and _turns(words, a, b, start) for a, b in negations)
        turns += sum(b <= start for _, b in denials)
        if "*" in cue:
            turns += sum(
                start < a and b < end and not contains("lacking", words[a:b]) and words[a] not in cue
                for a, b in negations
            )
        turns += contains("verbs_denied_behind", cue) and contains("denied_behind", words[end : end + _BEHIND])
        if kind == "warns" and says("negators", tuple(w for w in cue if w != "*")):
            turns = 0  # "do not take it without asking": two negators, one warning
        found.append(_Signal(kind, start, end, turns % 2 == 1))
    return tuple(found)


def _turns(words: Words, start: int, end: int, cue: int) -> bool:
    """Whether the negator at `start` to `end` turns the cue that begins at `cue`."""
    between = words[end:cue]
    if "," in between or len(between) >= (_HAN_WINDOW if is_han(words[cue][0]) else _WINDOW):
        return False
    if contains("lacking", words[start:end]):
        return len(between) <= _LACKING
    return len(between) <= _CLOSE or not contains("conditional", words[:start])


def _leads_to(words: Words, leave: _Signal, warning: _Signal) -> bool:
    """Whether a leave only introduces a warning: "recommended to avoid", "can add to the risk"."""
    between = words[leave.end : warning.start]
    if leave.kind != "allows" or leave.end > warning.start or not contains_only("leading", between):
        return False
    return not says("negators", words[leave.start : leave.end])  # "no risk of bleeding" leads nowhere


def _opens_with_care(words: Words) -> bool:
    """ "Talking to your doctor is a good idea" judges the talking."""
    return any(start <= 1 for start, _, _, _ in spots(("care",), words))
