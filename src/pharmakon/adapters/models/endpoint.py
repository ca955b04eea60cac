"""Any server that speaks OpenAI's chat completions: a company's, vLLM, Ollama, llama.cpp (extra `lm`)."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pharmakon.adapters.models.ledger import FREE, Ledger, Price, Usage
from pharmakon.adapters.models.remembered import Remembered, key
from pharmakon.adapters.models.replies import json_object
from pharmakon.adapters.models.trying import Cancelled, OutOfTime, Passing, Patience, retry_after, trying
from pharmakon.ports.language_model import ModelError, Prompt

#: A grammar constrains the shape of an answer and not its length.
MOST_TOKENS = 2048
#: Characters of a reply that are read.
_LONGEST = 100_000
SECONDS = 120
TOTAL_SECONDS = 300
_RETRIES = 3
#: What passes: too many requests, and a server that is busy, starting or behind a gateway that gave up.
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`url` ends where the API begins ("http://127.0.0.1:8080/v1"). The key is sent and never shown.

    `tokens`: the longest answer; `seconds`: the longest wait for one attempt, `total` for all. `cancelled`: whoever
    sets it ends the call that is under way and all that follow.
    """

    url: str
    name: str
    key: str = ""
    tokens: int = MOST_TOKENS
    seconds: int = SECONDS
    total: int = TOTAL_SECONDS
    tier: str = "standard"
    price: Price = FREE
    ledger: Ledger = field(default_factory=Ledger, repr=False)
    remembered: Remembered | None = field(default=None, repr=False)
    cancelled: threading.Event = field(default_factory=threading.Event, repr=False)

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r}, {self.name!r})"

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """One completion at the prompt's temperature, or what was answered to the same before. Raises `ModelError`."""
        memory = self.remembered if self.remembered is not None and self.remembered.keeps(prompt) else None
        word = key(prompt, schema, f"{self.url} {self.name}", self.tier) if memory else ""
        if memory is not None and (known := memory.get(word)) is not None:
            self.ledger.remember()
            return known
        self.ledger.check()
        value = self._asked(prompt, schema)
        if memory is not None:
            memory.put(word, self.name, value)
        return value

    def _asked(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        patience = Patience(_RETRIES, self.seconds, self.total)
        under_way: list[Any] = []
        try:
            completion = trying(
                lambda seconds: self._once(prompt, schema, seconds, under_way), patience, self.cancelled
            )
        except Cancelled:
            for client in under_way:
                client.close()  # so that the server stops as well
            raise self._failed("the call was cancelled", "cancelled") from None
        except OutOfTime:
            raise self._failed(f"no answer within {self.total} seconds", "timeout") from None
        except Passing as failure:
            raise self._failed(str(failure), failure.why) from None
        self.ledger.add(prompt.name, self.name, _usage(completion), self.price)
        content, cut = _content(completion)
        if content is None:
            raise self._failed("the reply holds no answer", "no answer")
        if cut:
            most = self._most(prompt)
            raise self._failed(f"the answer was cut off, at the latest after {most} tokens", "cut off")
        if len(content) > _LONGEST:
            raise self._failed(f"an answer of {len(content)} characters, where {_LONGEST} are read", "too long")
        try:
            return json_object(content)
        except ValueError as error:
            raise self._failed(f"the answer {error}", "no JSON") from None

    def _once(self, prompt: Prompt, schema: Mapping[str, Any], seconds: float, under_way: list[Any]) -> Any:
        """One request. Raises `Passing` where another may do better, else `ModelError`."""
        try:
            import openai
        except ImportError:
            raise ModelError("the client is not installed: pip install 'pharmakon[lm]'", "no client") from None
        shape = {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema), "strict": True}}
        with openai.OpenAI(base_url=self.url, api_key=self.key or "none", timeout=seconds, max_retries=0) as client:
            under_way.append(client)
            try:
                return self._create(client, prompt, prompt.system, shape)
            except openai.BadRequestError as error:
                if "response_format" not in str(error) and "json_schema" not in str(error):
                    raise self._failed(_line(error), "refused") from None
                # a server that knows no schemas is told the shape in words
                told = f"{prompt.system}\nAnswer with one JSON object of this schema: {json.dumps(schema)}"
                try:
                    return self._create(client, prompt, told, {"type": "json_object"})
                except openai.OpenAIError as second:
                    raise self._failed(_line(second), "refused") from None
            except openai.APITimeoutError:
                raise Passing("no answer in the time that was left", "timeout") from None
            except openai.APIStatusError as error:
                if error.status_code in _PASSING:
                    after = retry_after(error.response.headers.get("retry-after"))
                    raise Passing(_line(error), "refused", after) from None
                raise self._failed(_line(error), "refused") from None
            except openai.APIConnectionError as error:
                raise Passing(_line(error), "unreachable") from None
            except openai.OpenAIError as error:
                raise self._failed(_line(error), "unreachable") from None

    def _create(self, client: Any, prompt: Prompt, system: str, shape: Mapping[str, Any]) -> Any:
        try:
            return client.chat.completions.create(
                model=self.name,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": prompt.user}],
                response_format=shape,
                temperature=prompt.temperature,
                max_tokens=self._most(prompt),
            )
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
            # what answers is no such server: the client does not look at the shape of a reply
            raise self._failed(f"the reply is no chat completion ({type(error).__name__})", "no answer") from None

    def _most(self, prompt: Prompt) -> int:
        return min(prompt.tokens or self.tokens, self.tokens)

    def _failed(self, what: str, why: str) -> ModelError:
        told = what.replace(self.key, "…") if self.key else what
        return ModelError(f"{self.name} at {self.url}: {told}", why)


def _line(error: Exception) -> str:
    """What a server says, in one line of characters that can be shown."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(error)).split())[:300]


def _content(completion: Any) -> tuple[str | None, bool]:
    """The text of the first choice, and whether it was cut off; None where a reply has another shape."""
    choices = getattr(completion, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    content = getattr(getattr(choice, "message", None), "content", None)
    return (content if isinstance(content, str) else None), getattr(choice, "finish_reason", None) == "length"


def _usage(completion: Any) -> Usage:
    """As the server counts; nothing where it does not."""
    told = getattr(completion, "usage", None)
    asked, given = (getattr(told, name, 0) for name in ("prompt_tokens", "completion_tokens"))
    return Usage(asked if isinstance(asked, int) else 0, given if isinstance(given, int) else 0)
