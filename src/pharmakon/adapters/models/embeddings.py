"""Any server that speaks OpenAI's `/embeddings` (extra `lm`): BGE-M3 behind vLLM or Ollama, or a company's model."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pharmakon.adapters.models.trying import OutOfTime, Passing, Patience, retry_after, trying
from pharmakon.ports.embedder import NoEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Texts of one request.
BATCH = 64
_PATIENCE = Patience(retries=3, seconds=60, total=240)
_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 529})


class EmbeddingsEndpoint:
    """`url` ends where the API begins. Its name holds the model and its dimension, which the first answer tells.

    `query_prefix` and `passage_prefix` are put before texts where a model wants them. Raises `NoEmbedder` where the
    server does not answer, or answers with something else than one vector for each text.
    """

    def __init__(
        self, url: str, model: str, key: str = "", *, query_prefix: str = "", passage_prefix: str = ""
    ) -> None:
        self._url, self._model, self._key = url, model, key
        self._query, self._passage = query_prefix, passage_prefix
        self._dimension = 0

    def __repr__(self) -> str:
        return f"EmbeddingsEndpoint({self._url!r}, {self._model!r})"

    @property
    def name(self) -> str:
        return f"{self._model}/{self.dimension}"

    @property
    def dimension(self) -> int:
        if not self._dimension:
            self._embedded(["dimension"])
        return self._dimension

    def query(self, text: str) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self._embedded([self._query + text])[0]
        return found

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        prefixed = [self._passage + text for text in texts]
        batches = [self._embedded(prefixed[at : at + BATCH]) for at in range(0, len(prefixed), BATCH)]
        return np.concatenate(batches) if batches else np.empty((0, self.dimension), dtype=np.float32)

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        try:
            rows = trying(lambda seconds: self._once(texts, seconds), _PATIENCE, threading.Event())
        except (Passing, OutOfTime) as error:
            raise NoEmbedder(f"{self._model} at {self._url}: {error or 'no answer in time'}") from None
        vectors = np.asarray(rows, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise NoEmbedder(f"{self._model} at {self._url} did not give one vector for each text")
        if self._dimension and vectors.shape[1] != self._dimension:
            raise NoEmbedder(f"{self._model} at {self._url} gave {vectors.shape[1]} numbers after {self._dimension}")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not lengths.all():
            raise NoEmbedder(f"{self._model} at {self._url} gave a vector of no length")
        self._dimension = vectors.shape[1]
        unit: NDArray[np.float32] = vectors / lengths
        return unit

    def _once(self, texts: Sequence[str], seconds: float) -> list[Any]:
        try:
            import openai
        except ImportError:
            raise NoEmbedder("the client is not installed: pip install 'pharmakon[lm]'") from None
        with openai.OpenAI(base_url=self._url, api_key=self._key or "none", timeout=seconds, max_retries=0) as client:
            try:
                answer = client.embeddings.create(model=self._model, input=list(texts), encoding_format="float")
            except openai.APIStatusError as error:
                what = " ".join(str(error).split())[:300]
                if error.status_code in _PASSING:
                    raise Passing(what, "refused", retry_after(error.response.headers.get("retry-after"))) from None
                raise NoEmbedder(f"{self._model} at {self._url}: {what}") from None
            except openai.OpenAIError as error:
                raise Passing(" ".join(str(error).split())[:300], "unreachable") from None
        return [row.embedding for row in sorted(answer.data, key=lambda row: row.index)]
