"""A language model that says what it was told to, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from pharmakon.ports.language_model import ModelError, Prompt

Answer = Mapping[str, Any] | ModelError | Callable[[Mapping[str, Any]], Mapping[str, Any]]


class Scripted:
    """`answer`: what it says, an error, or a function of the data in the prompt ("a model that obeys")."""

    name = "scripted"

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.asked: list[Prompt] = []

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append(prompt)
        assert schema["additionalProperties"] is False
        if isinstance(self._answer, ModelError):
            raise self._answer
        return self._answer(data_of(prompt)) if callable(self._answer) else self._answer


def data_of(prompt: Prompt) -> Mapping[str, Any]:
    """The JSON between the two lines that frame it."""
    _, _, rest = prompt.user.partition("BEGIN DATA\n")
    data, _, after = rest.rpartition("\nEND DATA")
    assert not after.strip()
    found: Mapping[str, Any] = json.loads(data)
    return found


def says(*sentences: tuple[str, list[int]]) -> Scripted:
    """A model that writes these sentences with these citations."""
    return Scripted({"sentences": [{"text": text, "cites": cites} for text, cites in sentences]})
