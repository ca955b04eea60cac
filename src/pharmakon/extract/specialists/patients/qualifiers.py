"""What the words beside a name leave of it: all who have the disease, part of them, or another disease altogether.

A list of patients is read with a closed eye for what it does not know: "asthma" stands for everybody with asthma only
where each word that touches it is known to change nothing. "Severe asthma" and "asthma in the newborn" are part of it,
which forbids with a warning; "ocular infection" is another disease than "infection", which nobody may put in its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Literal

from pharmakon.extract.specialists.wording import any_of, cue, pattern, words
from pharmakon.model.concepts import ConceptId, kind_of

Reach = Literal["whole", "part", "other"]
#: Why a name is not taken that its neighbours change.
NARROWER = "a kind of disease that no concept names"
#: The word that ends right before a name.
_LAST = re.compile(r"([A-Za-z0-9][\w'’/+.-]*?)([\s-]*)$")
#: The word that begins right behind a name.
_NEXT = re.compile(r"s?((?:\s*[(\[][A-Z][\w/-]{1,8}(?=[)\]]))?[)\]\s]*)([A-Za-z][\w'’/-]*)")
#: A bracket behind a name that says how much of it: "heart failure (NYHA class III)".
_BRACKET = pattern(
    r"s?\s*\(\s*(?:NYHA|class|grade|stage|type|in (?!particular)|with|if|when|only|e\.g\., (?:in|with)|[<>≥≤])"
)
#: How many adjectives before a name are looked at.
_ADJECTIVES = 3
#: Names that are those of people, and what makes only some of them those who are meant.
_PEOPLE, _MORE = pattern(r"(?:recipient|patient)s?$"), pattern(r"(?:who|whose|with|receiving|taking)\b")
#: White space that was a reference, or parts items of a list.
_BLANK = re.compile(r"\s{3,}|\n")


def reach(text: str, start: int, end: int, names: Collection[tuple[int, int]] = ()) -> Reach:
    """What the name at `start` to `end` of `text` stands for; `names`: the places of all names.

    >>> text = "Contraindicated in severe asthma, gout, or ocular infection"
    >>> [reach(text, text.index(w), text.index(w) + len(w)) for w in ("asthma", "gout", "infection")]
    ['part', 'whole', 'other']
    """
    ahead, behind = _ahead(text, start, names), _behind(text, start, end, names)
    return "other" if "other" in (ahead, behind) else "part" if "part" in (ahead, behind) else "whole"


def other_than_named(concept: ConceptId, text: str, start: int, end: int, names: Collection[tuple[int, int]]) -> bool:
    """Whether the words at a name mean another disease than it; what narrows a symptom makes another one of it."""
    found = reach(text, start, end, names)
    if found == "other":
        return True
    return kind_of(concept) == "symptom" and _behind(text, start, end, names) == "part"


def _ahead(text: str, start: int, names: Collection[tuple[int, int]]) -> Reach:
    head = text[:start]
    if _lately(head):
        return "part"
    for _ in range(_ADJECTIVES):
        if _every().search(head):
            return "whole"
        if _degree().search(head):
            return "part"
        last = _LAST.search(head)
        if last is None or _BLANK.search(last[2]):
            return "whole"
        if any(stop == last.end(1) for _, stop in names):
            return "other" if cue("qualifiers", "head.words").match(text, start) else "whole"
        word = last[1].lower().strip(".")
        if text[start : start + 1].isupper() and not last[1][0].isupper():
            return "whole"  # items of a list that were run together
        if word in _list("before.open"):
            return "whole"
        if word not in _list("before.same"):
            return "part" if word.endswith("ly") or word[0].isdigit() else "other"
        head = head[: last.start(1)]
    return "whole"


def _lately(head: str) -> bool:
    """Whether the list that a name stands in is one of recent events."""
    item = max(head.rfind(mark) for mark in (";", ". ", ":", "   ", "\n"))
    found = cue("qualifiers", "lately.words").search(head, item + 1)
    return found is not None and not re.search(r"[()]|\bor (?:with|in|a)\b|\band (?:with|in)\b", head[found.end() :])


def _behind(text: str, start: int, end: int, names: Collection[tuple[int, int]]) -> Reach:
    if _BRACKET.match(text, end):
        return "part"
    following = _NEXT.match(text, end)
    if following is None or _BLANK.search(following[1]):
        return "whole"
    at = following.start(2)
    if following[2][0].isupper() or any(a <= at < b for a, b in names):
        return "whole"
    if any(cue("qualifiers", f"after.{said}").match(text, at) for said in ("compound", "people")):
        return "other"
    if _PEOPLE.search(text[start:end]) and _MORE.match(text, at):
        return "other"
    served = cue("qualifiers", "after.serving").match(text, at)
    if served and re.search(r"\b(?:where|when|whenever)\s+$", text[:start], re.IGNORECASE):
        return "other"
    return "whole" if _open_behind().match(text, at) else "part"


@cache
def _list(key: str) -> frozenset[str]:
    group, name = key.split(".")
    return frozenset(words("qualifiers")[group][name])


@cache
def _open_behind() -> re.Pattern[str]:
    return pattern(rf"{any_of(words('qualifiers')['after']['open'])}(?![\w-])")


@cache
def _every() -> re.Pattern[str]:
    return pattern(rf"(?<![A-Za-z]){any_of(words('qualifiers')['before']['every'])}[\s-]+$")


@cache
def _degree() -> re.Pattern[str]:
    degrees = any_of((*words("cues")["narrow"]["words"], *words("qualifiers")["before"]["degree"]))
    return pattern(rf"(?<![A-Za-z]){degrees}[\s-]+$")
