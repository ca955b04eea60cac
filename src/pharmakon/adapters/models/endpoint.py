"""Any server that speaks OpenAI's chat completions: a company's, vLLM, Ollama, llama.cpp (extra `lm`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pharmakon.ports.language_model import ModelError, Prompt

#: A grammar constrains the shape of an answer and not its length.
MOST_TOKENS = 2048
SECONDS = 120
_RETRIES = 2


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`url` ends where the API begins ("http://127.0.0.1:8080/v1"). The key is sent and never shown.

    `tokens`: the longest answer; `seconds`: the longest wait for one.
    """

    url: str
    name: str
    key: str = ""
    tokens: int = MOST_TOKENS
    seconds: int = SECONDS

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r}, {self.name!r})"

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """One completion at temperature 0. Raises `ModelError`."""
        try:
            import openai
        except ImportError:
            raise ModelError("the client is not installed: pip install 'pharmakon[lm]'", "no client") from None
        client = openai.OpenAI(
            base_url=self.url, api_key=self.key or "none", timeout=self.seconds, max_retries=_RETRIES
        )
        try:
            completion = client.chat.completions.create(
                model=self.name,
                messages=[{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": "answer", "schema": dict(schema), "strict": True},
                },
                temperature=0,
                max_tokens=self.tokens,
            )
        except openai.OpenAIError as error:
            if isinstance(error, openai.APITimeoutError):
                why = "timeout"
            else:
                why = "refused" if isinstance(error, openai.APIStatusError) else "unreachable"
            raise ModelError(f"{self.name} at {self.url}: {' '.join(str(error).split())[:300]}", why) from None
        choice = completion.choices[0] if completion.choices else None
        text = (choice.message.content if choice else None) or ""
        if choice is None or choice.finish_reason == "length":
            raise ModelError(
                f"{self.name} at {self.url}: the answer was cut off, at the latest after {self.tokens} tokens",
                "cut off",
            )
        try:
            value = json.loads(text)
        except ValueError:
            raise ModelError(f"{self.name} at {self.url}: the answer is no JSON ({text[:60]!r})", "no JSON") from None
        if not isinstance(value, dict):
            raise ModelError(f"{self.name} at {self.url}: the answer is no JSON object", "no JSON")
        return value
