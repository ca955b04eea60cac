"""A language model behind an endpoint: a prompt goes in, JSON comes out. What it says is proved elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Protocol

from pharmakon.model.errors import PharmakonError

_PLACE = re.compile(r"\{(\w+)\}")


class ModelError(PharmakonError):
    """The endpoint could not be reached, refused, or gave no JSON of the asked shape; one line, without the key.

    `why` is the same in two or three words, without the answer's own: to count by.
    """

    def __init__(self, message: str, why: str = "no answer") -> None:
        self.why = why
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Prompt:
    """`name` holds the version ("extract.v1"); `system` says the task, `user` brings the material.

    `tokens`: the longest answer, where it is to be shorter than the model's own limit; 0 for that limit.
    """

    name: str
    system: str
    user: str
    temperature: float = 0.0
    tokens: int = 0


class LanguageModel(Protocol):
    @property
    def name(self) -> str:
        """As it is to stand beside what it proposed."""
        ...

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """An object that was asked to follow `schema`; raises `ModelError`. The caller checks it all the same."""
        ...


def load_prompt(
    package: str, name: str, values: Mapping[str, str], *, temperature: float = 0.0, tokens: int = 0
) -> Prompt:
    """`prompts/NAME.md` of `package`: the part above the line `---` is the system's, the part below the user's.

    `{word}` stands for a value; one that is missing is a `KeyError`, a fault of the caller.
    """
    text = resources.files(package).joinpath("prompts", f"{name}.md").read_text("utf-8")
    system, _, user = _PLACE.sub(lambda m: values[m[1]], text).partition("\n---\n")
    return Prompt(name, system.strip(), user.strip(), temperature, tokens)
