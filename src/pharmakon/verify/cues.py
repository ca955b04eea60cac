"""Stance of a clause: whether it gives leave, warns, or does neither, by the cues of `cues.toml` (FG-6).

Words are compared folded (`model.concepts.fold`); Chinese characters are words of their own (`link.names.pieces`). The
rules of reach are ConText's (Harkema et al. 2009, doi:10.1016/j.jbi.2009.05.002), turned to a claim's polarity: a
negator turns the first warning behind it and every leave within its window; in Dutch it may stand behind the verb.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib import resources

from pharmakon.link.names import pieces
from pharmakon.model.concepts import fold, is_han

Words = tuple[str, ...]

#: Words before a cue in which a negator turns it (characters of Chinese), those behind a Dutch verb, those of a gap.
_WINDOW, _HAN_WINDOW, _BEHIND, _GAP, _HAN_GAP = 5, 6, 4, 5, 8
#: Words between a negator and a cue across which it turns the cue even in an if-clause.
_CLOSE = 1
#: Words between "without" and what is lacking.
_LACKING = 2
_STANCES = ("allows", "warns", "advises", "nothing")
#: "能不能" and "可不可以" ask, and deny nothing.
_A_NOT_A = re.compile(r"(.)不\1")
COMMA = re.compile(r"(?<!\d)[,，、]|[,，](?!\d)")
_ASKED = re.compile(r"\b(ca|is|are|should|could|would|wo|do|does)n['’]?t\b", re.IGNORECASE)


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


#: Stands for a drug, or a list of them, in a clause whose stance is asked: names are no cues, and a list is one word.
NAME = "xnamex"
_LIST = re.compile(rf"{NAME}(?:[\s,，、]*(?:\b(?:and|or|en|of)\b|[&/和与或及跟同])?[\s,，、]*{NAME})+")


def masked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` with one word for each name, and for each list of them.

    >>> masked("Take A, B and C now", [(5, 6), (8, 9), (14, 15)])
    'Take  xnamex  now'
    """
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {NAME} {text[end:]}"
    return _LIST.sub(NAME, text)


def says(category: str, words: Words) -> bool:
    """Whether a cue of `category` stands in `words`."""
    return next(spots((category,), words), None) is not None


def is_answer(category: str, clause: str) -> bool:
    """Whether `clause` is a bare answer of `category` ("yes", "no") and nothing else but an interjection."""
    words = words_of(clause)
    start = next((end for at, end, _, _ in spots(("interjections",), words) if at == 0), 0)
    return _answers(category).issuperset([words]) or (start > 0 and words[start:] in _answers(category))


def has_cue(clause: str) -> bool:
    """Whether a clause says anything by itself: it can then stand apart from its neighbours."""
    return any(s.kind != "nothing" for s in _signals(words_of(clause)))


def words_of(text: str) -> Words:
    """`text` as cues are looked for in it; a comma is a word that no negator reaches across.

    >>> words_of("Don't, 能不能 ok")
    ('don', 't', ',', '能', 'ok')
    """
    parts = [pieces(fold(part)) for part in COMMA.split(_A_NOT_A.sub(r"\1", text))]
    return tuple(word for i, part in enumerate(parts) for word in ((",", *part) if i else part))


def spots(categories: tuple[str, ...], words: Words) -> Iterator[tuple[int, int, str, Words]]:
    """(start, end, category, cue) of the cues in `words`, left to right, the longest of those that begin together."""
    table, at = _by_first(categories), 0
    while at < len(words):
        for category, cue, first, last in table.get(words[at], ()):
            end = _match(words, at, cue) if not first or _opens(words, at) else None
            if end is not None and (not last or end == len(words)):
                yield at, end, category, cue
                at = end - 1
                break
        at += 1


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
        turns += not _leaves().isdisjoint(cue) and not _behind().isdisjoint(words[end : end + _BEHIND])
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
    if leave.kind != "allows" or leave.end > warning.start or not _leading().issuperset(between):
        return False
    return not says("negators", words[leave.start : leave.end])  # "no risk of bleeding" leads nowhere


def _opens_with_care(words: Words) -> bool:
    """ "Talking to your doctor is a good idea" judges the talking."""
    return any(start <= 1 for start, _, _, _ in spots(("care",), words))


def _opens(words: Words, at: int) -> bool:
    """Whether an order to the reader may begin here."""
    return at == 0 or (at == 1 and words[0] in _openers())


def _match(words: Words, at: int, cue: Words) -> int | None:
    """Where `cue` ends that begins at word `at`; None where it does not stand there."""
    gap = False
    for part in cue:
        if part == "*":
            gap = True
            continue
        reach = (_HAN_GAP if is_han(part[0]) else _GAP) if gap else 0
        here = next((i for i in range(at, min(at + reach + 1, len(words))) if _same(words[i], part)), None)
        if here is None:
            return None
        at, gap = here + 1, False
    return at


def _same(word: str, part: str) -> bool:
    return word.startswith(part[:-1]) if part.endswith("~") else word == part


# ── the cues ──────────────────────────────────────────────────────────────────────────────────────


@cache
def data() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(resources.files("pharmakon.verify").joinpath("cues.toml").read_text("utf-8"))


@cache
def _by_first(categories: tuple[str, ...]) -> dict[str, list[tuple[str, Words, bool, bool]]]:
    """First word → (category, cue, whether at the beginning only, whether at the end), the longest first."""
    found: dict[str, list[tuple[str, Words, bool, bool]]] = {}
    for category in categories:
        for cue in {c for cues in data()[category].values() for c in cues}:
            parts = _parts(cue.strip("^$"))
            found.setdefault(parts[0], []).append((category, parts, cue.startswith("^"), cue.endswith("$")))
    for rows in found.values():
        rows.sort(key=lambda row: (row[1].count("*") - len(row[1]), not row[3], categories.index(row[0]), row[1]))
    return found


def _parts(cue: str) -> Words:
    """A cue as folded words, with its signs.

    >>> _parts("only * benefit~"), _parts("可与*相互作用")
    (('only', '*', 'benefit~'), ('可', '与', '*', '相', '互', '作', '用'))
    """
    found: list[str] = []
    for part in re.split(r"(\*)|\s+", cue):
        if part == "*":
            found.append(part)
        elif part:
            found += pieces(fold(part))
            if part.endswith("~"):
                found[-1] += "~"
    return tuple(found)


@cache
def _answers(category: str) -> frozenset[Words]:
    return frozenset(_parts(cue) for cues in data()[category].values() for cue in cues)


@cache
def _listed(category: str) -> frozenset[str]:
    return frozenset(word for words in data()[category].values() for word in words)


def _leading() -> frozenset[str]:
    return _listed("leading")


def _openers() -> frozenset[str]:
    return _listed("openers")


def _leaves() -> frozenset[str]:
    return _listed("verbs_denied_behind")


def _behind() -> frozenset[str]:
    return _listed("denied_behind")


def contains(category: str, words: Sequence[str]) -> bool:
    """Whether one of `words` is in a list of single words."""
    return not _listed(category).isdisjoint(words)


def contains_only(category: str, words: Sequence[str]) -> bool:
    """Whether each of `words` is in a list of single words."""
    return _listed(category).issuperset(words)
