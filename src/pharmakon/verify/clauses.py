"""A draft in clauses, each of which takes one stance: sentences, parted at "but", "because" and at commas that turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from pharmakon.model.concepts import is_han
from pharmakon.verify.cues import COMMA, data, is_answer
from pharmakon.verify.stance import has_cue, stance

_END = re.compile(
    r"(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bca)(?<!\bbijv)(?<!\bbv)(?<!\bevt)"
    r"(?:[.!?;:]+(?=[\"'”’)*_]*(?:\s|$))|[。！？；：…]+|\n+|\s[–—-]{1,2}\s|—)"
)
_ITEM = re.compile(r"^[\s>*•·–-]*(?:\(?\d{1,2}[.)]\s*)?")
_AND = re.compile(r"\s(?:and|en|while|plus)\s")


@dataclass(frozen=True, slots=True)
class Clause:
    """`sentence` counts from 0; `ending` is what closes it where it is the sentence's last ("?", ":", …), else ""."""

    text: str
    sentence: int
    ending: str = ""


def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of `text` in order; every letter of it belongs to one of them."""
    found: list[Clause] = []
    for number, (sentence, ending) in enumerate(_sentences(text)):
        parts = [part for piece in _at_breaks(sentence) for part in _at_turns(piece)]
        found += [Clause(part, number) for part in parts[:-1]]
        found += [Clause(parts[-1], number, ending)] if parts else []
    return tuple(found)


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    start = 0
    for end in [*_END.finditer(text), None]:
        sentence = _ITEM.sub("", text[start : end.start() if end else len(text)]).strip()
        if sentence:
            yield sentence, end[0].strip()[:1] if end else ""
        start = end.end() if end else len(text)


def _at_breaks(sentence: str) -> Iterator[str]:
    """`sentence` before each word that begins another thought."""
    start = 0
    for match in _breaks().finditer(sentence):
        if sentence[start : match.start()].strip(" ,，"):
            yield sentence[start : match.start()].strip(" ,，")
            start = match.start()
    yield sentence[start:].strip()


def _at_turns(piece: str) -> Iterator[str]:
    """`piece` parted at commas, where both sides say something of their own: the items of a list stay together."""
    held: list[str] = []
    for part in (p for p in COMMA.split(piece) if p.strip()):
        if is_answer("yes", part) or is_answer("no", part):
            yield from (_joined(held), part.strip()) if held else (part.strip(),)
            held = []
            continue
        if has_cue(part) and any(map(has_cue, held)):
            yield _joined(held)
            held = []
        held.append(part.strip())
    for part in _at_and(_joined(held)) if held else ():
        yield part


def _at_and(piece: str) -> Iterator[str]:
    """`piece` parted at an "and" whose sides take different stances: "paracetamol is fine and ibuprofen must not …"."""
    for match in _AND.finditer(piece):
        left, right = piece[: match.start()], piece[match.end() :]
        if has_cue(left) and has_cue(right) and stance(left) is not stance(right):
            yield left
            yield right
            return
    yield piece


def _joined(parts: Sequence[str]) -> str:
    han = any(is_han(c) for part in parts for c in part)
    return ("，" if han else ", ").join(parts)


@cache
def _breaks() -> re.Pattern[str]:
    words = sorted({word for words in data()["breaks"].values() for word in words}, key=len, reverse=True)
    latin = "|".join(re.escape(w) for w in words if w.isascii())
    han = "|".join(re.escape(w) for w in words if not w.isascii())
    return re.compile(rf"(?<![\w-])(?:{latin})(?![\w-])|{han}", re.IGNORECASE)
