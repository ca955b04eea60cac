"""Whether what is ordered is as concentrated as what is held about it: 23.4 % saline flushes no line."""

from __future__ import annotations

from pharmakon.audit.exposure import Exposure
from pharmakon.link.dosing.strength import read_strengths


def unlike_what_is_held(exposure: Exposure) -> str:
    """Both concentrations in words where the ordered one is the higher; empty where nothing is to be said.

    What is held is about the concentrations that the passages on its uses name.
    """
    ordered = _percent(exposure.words)
    if not ordered:
        return ""
    uses = [s for s, _ in (*exposure.rules("used_for"), *exposure.rules("treats"))]
    held = max((_percent(e.quote) for s in uses for e in s.evidence), default=0.0)
    return f"{ordered:g} % is ordered, and what is held about it is about {held:g} %" if 0.0 < held < ordered else ""


def _percent(text: str) -> float:
    """The highest percentage among the strengths in `text`; 0 where there is none."""
    if "%" not in text and "％" not in text:
        return 0.0
    return max((s.amount.high for s in read_strengths(text) if s.amount.unit == "%"), default=0.0)
