"""Clauses that are about something else than what is to be taken now: "stop", "last week he took 3 tablets daily"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pharmakon.link.dosing.words import UNKNOWN, Meaning, Word, vocabulary


@dataclass(frozen=True, slots=True)
class Directions:
    """The words that say what to take. `stop`: not at all; `past`: the remarks on the past that were set apart."""

    words: tuple[Word, ...]
    stop: bool
    past: tuple[str, ...]


_IF = ("if", "when", "als", "indien")
_BREAK = re.compile(r"[.!\n]")


def _clauses(words: Sequence[Word], text: str) -> list[list[Word]]:
    """Words between commas, brackets, ends of sentences and "then"; the mark stands at the front of its clause."""
    found: list[list[Word]] = [[]]
    end = 0
    for word in words:
        marks = word.tag in ";,()s" or _BREAK.search(text[end : word.start])
        if marks or _BREAK.fullmatch(text[word.start : word.end]):
            found.append([])
        found[-1].append(word)
        end = word.end
    return [clause for clause in found if clause]


def _said(word: Word, text: str) -> str:
    return text[word.start : word.end].lower()


def _is_stop(clause: Sequence[Word], at: int, text: str) -> bool:
    """ "stop", "hold until further notice", "gestopt per 1-1-2024"; not "hold for SBP < 100", "stop after 7 days"."""
    if at and clause[at - 1].tag == "!":
        return False
    beside = frozenset(vocabulary()["set_apart"]["stop_beside"])
    rest = [*clause[:at], *clause[at + 1 :]]
    dated = all(word.tag in "n/-kS" for word in clause[at + 1 :] if _said(word, text) not in beside)
    return dated and all(
        word.tag in ",;().s&" or _said(word, text) in beside or set(_said(word, text).split()) <= beside
        for word in rest
        if word.tag not in "n/-kS" or word in clause[:at]
    )


def _gives(words: Sequence[Word]) -> bool:
    """Whether a dose is among the words."""
    tags = {word.tag for word in words}
    return "S" in tags or "d" in tags or ("u" in tags and bool(tags & {"n", "a"}))


def set_apart(words: Sequence[Word], text: str) -> Directions:
    """Take out what is no direction to take something.

    A remark on the past runs from its word to the end of its clause. It stays where nothing else gives a dose, or where
    it tells of a change ("last week increased to 2 tablets"): what may be today's dose is never passed over.
    """
    clauses = _clauses(words, text)
    changes = frozenset(vocabulary()["set_apart"]["until_now"])
    stop = False
    past: list[str] = []
    kept: list[Word] = []
    stepped = False
    for clause in clauses:
        stepped = stepped or clause[0].tag == "s"
        held: list[Word] = []
        for at, word in enumerate(clause):
            if word.tag == "X" and not stepped and _is_stop(clause, at, text):
                stop = True
                held = []
                break
            if word.tag == "p" and not (at and _said(clause[at - 1], text) in _IF):
                others = [other for side in clauses if side is not clause for other in side] + held
                tail = clause[at:]
                if _gives(tail) and _gives(others) and not any(_said(w, text) in changes for w in tail):
                    past.append(text[word.start : tail[-1].end])
                    break
            if word.tag in "Xp":
                word = replace(word, meaning=Meaning("!") if word.meaning.name == "do_not" else UNKNOWN)
            held.append(word)
        kept += held
    return Directions(tuple(kept), stop, tuple(past))
