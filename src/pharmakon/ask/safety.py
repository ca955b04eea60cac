"""What comes before every answer: an emergency gets its number first, a personal dose is referred, not given.

Cues are data (`safety.toml`) in three languages; a question is tried in all of them, since people mix.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

from pharmakon.ask.words import Words
from pharmakon.model.answer import Said

Alarm = Literal["", "emergency", "overdose", "self_harm"]


@dataclass(frozen=True, slots=True)
class Caution:
    """`alarm`: what may be happening; `dose`: a dose is asked for a person."""

    alarm: Alarm = ""
    dose: bool = False

    @property
    def alone(self) -> bool:
        """Whether nothing else may be said: who has taken too much, or means to, needs help and no reading."""
        return self.alarm in ("overdose", "self_harm")


def caution(text: str) -> Caution:
    """What a question calls for before it is answered."""
    return Caution(_alarm(text), any(_both(row["asks"], row["mine"], text) for row in _cues()["dose"].values()))


def first(found: Caution, words: Words) -> tuple[Said, ...]:
    """The sentences that stand before everything else."""
    if not found.alarm:
        return ()
    said = [Said(words("emergency", number=words.emergency_number), role="frame")]
    if found.alone:
        said.append(Said(words("poison" if found.alarm == "overdose" else "harm"), role="frame"))
    return tuple(said)


def _alarm(text: str) -> Alarm:
    for row in _cues()["emergency"].values():
        if any(p.search(text) for p in row["harm"]):
            return "self_harm"
        if _both(row["overdose"], row["person"], text):
            return "overdose"
        if _both(row["flags"], row["person"], text):
            return "emergency"
    return ""


_Patterns = tuple[re.Pattern[str], ...]


def _both(these: _Patterns, those: _Patterns, text: str) -> bool:
    return any(p.search(text) for p in these) and any(p.search(text) for p in those)


@cache
def _cues() -> Mapping[str, Mapping[str, Mapping[str, _Patterns]]]:
    data = tomllib.loads(resources.files("pharmakon.ask").joinpath("safety.toml").read_text("utf-8"))
    return {
        what: {
            lang: {name: tuple(re.compile(p, re.IGNORECASE) for p in patterns) for name, patterns in row.items()}
            for lang, row in by_lang.items()
        }
        for what, by_lang in data.items()
    }
