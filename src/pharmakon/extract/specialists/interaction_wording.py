"""What the words of a sentence about interactions say: how strongly it speaks, what happens, what it is about.

The wordings are data (`interaction.toml`); here they are found.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from pharmakon.model.vocabulary import Tier

_REFERENCE = re.compile(r"[\[(]\s*see\b(?:[^\[\]()]|\([^()]*\))*[\])]?", re.IGNORECASE)
_PLAINLY = re.compile(
    r"\b(?:concomitant|co-?admin|concurren|simultaneous|taking|receiving|interact|together)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Tone:
    """How strongly a sentence speaks; `name` is "" where it gives a fact without advice."""

    name: str
    tier: Tier
    advice: str = ""


def tone_of(text: str, kind: str) -> Tone:
    """How strongly `text` in a section of this kind speaks of what it names."""
    said = _REFERENCE.sub(" ", text.lower())
    if kind == "contraindications" and "not contraindicated" not in said:
        return tone_named("contraindicated")
    name = next((n for n, pattern in _tones() if pattern.search(said)), "")
    if name:
        return tone_named(name)
    return Tone("", Tier.WARNING if kind == "boxed_warning" or "harms" in cues_in(said) else Tier.INFO)


@lru_cache(maxsize=64)
def outcomes(text: str) -> tuple[str, ...]:
    """What the two do together, in the words of the findings. A sentence of many claims is asked once."""
    said = text.lower()
    return tuple(name for name, pattern in _outcomes() if pattern.search(said))


def together(text: str) -> bool:
    return bool(pattern("together").search(text.lower()))


def elsewhere(text: str) -> bool:
    return bool(pattern("elsewhere").search(text.lower()))


def plainly_together(text: str) -> bool:
    return bool(_PLAINLY.search(text))


def none_together(text: str) -> bool:
    """Whether a sentence says without reserve that drugs do not interact."""
    said = text.lower()
    return bool(pattern("none").search(said)) and not pattern("none", "but").search(said)


def tone_named(name: str) -> Tone:
    row = wordings()["tones"][name]
    return Tone(name, Tier.parse(row["tier"]), row["advice"])


def cues_in(text: str) -> set[str]:
    """The kinds of cues that stand in `text`."""
    return {cue for _, cue in found_cues(text)}


def found_cues(text: str) -> Iterator[tuple[int, str]]:
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
    return tomllib.loads(
        resources.files("pharmakon.extract").joinpath("specialists", "interaction.toml").read_text("utf-8")
    )


@cache
def _tones() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, _compiled(row["says"])) for name, row in wordings()["tones"].items())


@cache
def _outcomes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, _compiled(patterns)) for name, patterns in wordings()["outcomes"].items())


@cache
def pattern(name: str, key: str = "says") -> re.Pattern[str]:
    """The wordings of a table of `interaction.toml`, for texts in lower case."""
    return _compiled(wordings()[name][key])


def _compiled(patterns: Sequence[str]) -> re.Pattern[str]:
    """For texts in lower case, which is several times as fast as disregarding case."""
    return re.compile(rf"\b(?:{'|'.join(patterns)})")
