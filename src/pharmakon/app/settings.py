"""Where things are. `PHARMAKON_HOME` holds the knowledge base; by default it is the platform's data folder.

`PHARMAKON_LM_URL` and `PHARMAKON_LM_MODEL` name a language model behind an endpoint (`PHARMAKON_LM_KEY` its key,
`PHARMAKON_LM_TOKENS` the longest answer, `PHARMAKON_LM_SECONDS` the longest wait).
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from pharmakon.adapters.models.endpoint import MOST_TOKENS, SECONDS
from pharmakon.model.errors import BadInput


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """An endpoint that speaks OpenAI's chat completions, and the model to ask there."""

    url: str
    name: str
    key: str = field(default="", repr=False)
    tokens: int = MOST_TOKENS
    seconds: int = SECONDS


def model_settings() -> ModelSettings:
    """From the environment; `BadInput` where no endpoint is named, or a number is none."""
    url, name = os.environ.get("PHARMAKON_LM_URL", ""), os.environ.get("PHARMAKON_LM_MODEL", "")
    if not (url and name):
        raise BadInput("no language model is set up", expected="PHARMAKON_LM_URL and PHARMAKON_LM_MODEL")
    limits = _whole("PHARMAKON_LM_TOKENS", MOST_TOKENS), _whole("PHARMAKON_LM_SECONDS", SECONDS)
    return ModelSettings(url, name, os.environ.get("PHARMAKON_LM_KEY", ""), *limits)


def _whole(variable: str, default: int) -> int:
    given = os.environ.get(variable, "")
    if given and not (given.isascii() and given.isdigit() and int(given)):
        raise BadInput(f"{variable} is {given!r}", expected="a whole number above 0")
    return int(given) if given else default


@dataclass(frozen=True, slots=True)
class Settings:
    home: Path

    @property
    def knowledge(self) -> Path:
        return self.home / "knowledge"

    @property
    def traces(self) -> Path:
        return self.home / "traces.db"


def settings(home: Path | str | None = None) -> Settings:
    """From the argument, else from the environment, else the default."""
    chosen = home or os.environ.get("PHARMAKON_HOME")
    if chosen:
        return Settings(Path(chosen).expanduser())
    from platformdirs import user_data_path  # 25 ms, and only here

    return Settings(user_data_path("pharmakon", appauthor=False))
