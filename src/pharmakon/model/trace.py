"""The record of how an answer came about: every step with what went in and out, to be read again and drawn (FG-10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Trace:
    """`question` is empty unless it was asked to be kept: it may say things about a person.

    `steps` and `answer` are plain data: the steps with their milliseconds, and the answer in the `ask` shape.
    """

    id: str
    at: str  #: ISO 8601, UTC
    question: str
    lang: str
    agent: str
    knowledge_version: str
    steps: tuple[Mapping[str, Any], ...]
    answer: Mapping[str, Any]
