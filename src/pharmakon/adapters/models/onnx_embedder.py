"""A folder with a sentence embedder: `model.onnx`, `tokenizer.json`, and a small `pharmakon.json` about them.

`pharmakon.json` may hold `name`, `query_prefix` and `passage_prefix` ("query: " for E5), `pooling` ("mean" by default,
"cls" for BGE) and `max_tokens` (512). Vectors are pooled over the tokens that the attention mask holds and brought to
unit length. Needs `onnxruntime` and `tokenizers` (extra `onnx`), which are imported only here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pharmakon.model.errors import BadInput
from pharmakon.ports.embedder import NoEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 32
_KEYS = {"name": str, "query_prefix": str, "passage_prefix": str, "pooling": str, "max_tokens": int}
_POOLINGS = ("mean", "cls")


class OnnxEmbedder:
    """Raises `NoEmbedder` where a library is missing, `BadInput` where the folder is not as described above."""

    def __init__(self, folder: Path) -> None:
        model, tokenizer = folder / "model.onnx", folder / "tokenizer.json"
        for file in (model, tokenizer):
            if not file.is_file():
                raise BadInput(f"there is no {file.name}", where=str(folder), expected="model.onnx and tokenizer.json")
        about = _about(folder / "pharmakon.json")
        try:
            import onnxruntime
            import tokenizers
        except (ImportError, OSError) as error:
            raise NoEmbedder(f"{folder} needs onnxruntime and tokenizers: pip install 'pharmakon[onnx]'") from error
        try:
            self._session: Any = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
            self._tokenizer: Any = tokenizers.Tokenizer.from_file(str(tokenizer))
        except Exception as error:  # noqa: BLE001 - each library has exceptions of its own
            raise BadInput(f"can't be opened: {' '.join(str(error).split())[:200]}", where=str(folder)) from None
        self._tokenizer.enable_truncation(about.get("max_tokens", 512))
        self._tokenizer.enable_padding()
        self._wanted = {i.name for i in self._session.get_inputs()}
        self._query, self._passage = about.get("query_prefix", ""), about.get("passage_prefix", "")
        self._pooling = about.get("pooling", "mean")
        self.dimension = int(self._embedded(["dimension"]).shape[1])
        self.name = f"{about.get('name') or folder.resolve().name}/onnx/{self.dimension}"

    def query(self, text: str) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self._embedded([self._query + text])[0]
        return found

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        prefixed = [self._passage + text for text in texts]
        batches = [self._embedded(prefixed[at : at + _BATCH]) for at in range(0, len(prefixed), _BATCH)]
        return np.concatenate(batches) if batches else np.empty((0, self.dimension), dtype=np.float32)

    def _embedded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        given = {
            "input_ids": np.array([e.ids for e in encoded], dtype=np.int64),
            "attention_mask": np.array([e.attention_mask for e in encoded], dtype=np.int64),
            "token_type_ids": np.array([e.type_ids for e in encoded], dtype=np.int64),
        }
        (states, *_) = self._session.run(None, {name: given[name] for name in self._wanted if name in given})
        return pooled(np.asarray(states, dtype=np.float32), given["attention_mask"], self._pooling)


def pooled(states: NDArray[np.float32], mask: NDArray[np.int64], pooling: str) -> NDArray[np.float32]:
    """(batch, tokens, dimension) and (batch, tokens) → (batch, dimension) of unit length."""
    import numpy as np

    if states.ndim == 2:  # the model pools by itself
        found = states
    elif pooling == "cls":
        found = states[:, 0]
    else:
        weights = mask[:, :, None].astype(np.float32)
        found = (states * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0)
    unit: NDArray[np.float32] = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
    return unit


def _about(file: Path) -> Mapping[str, Any]:
    """What stands in `pharmakon.json`; nothing where there is none. Raises `BadInput` for what it may not hold."""
    if not file.is_file():
        return {}
    try:
        about = json.loads(file.read_text("utf-8"))
    except (ValueError, OSError) as error:
        raise BadInput(f"can't be read: {error}", where=str(file), expected="a JSON object") from None
    if not isinstance(about, dict):
        raise BadInput("is no object", where=str(file), expected="a JSON object")
    for key, value in about.items():
        if key not in _KEYS or not isinstance(value, _KEYS[key]) or isinstance(value, bool):
            raise BadInput(f"{key!r} is {value!r}", where=str(file), expected=", ".join(_KEYS))
    if about.get("pooling", "mean") not in _POOLINGS or about.get("max_tokens", 1) < 1:
        raise BadInput("pooling or max_tokens is wrong", where=str(file), expected="mean or cls, and 1 or more")
    return about
