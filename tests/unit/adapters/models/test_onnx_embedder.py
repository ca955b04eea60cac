"""A folder with a sentence embedder, read with the real libraries where they are installed, and what may be wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pharmakon.adapters.models.onnx_embedder import OnnxEmbedder, pooled
from pharmakon.model.errors import BadInput
from pharmakon.ports.embedder import NoEmbedder

WORDS = {"[UNK]": 0, "query": 1, "passage": 2, "one": 3, "two": 4, "[PAD]": 5}


def folder_with(tmp_path: Path, **about: object) -> Path:
    (tmp_path / "model.onnx").write_bytes(b"")
    (tmp_path / "tokenizer.json").write_text("{}", "utf-8")
    if about:
        (tmp_path / "pharmakon.json").write_text(json.dumps(about), "utf-8")
    return tmp_path


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """A model that looks every token up in a table, and a tokenizer of six words."""
    onnx: Any = pytest.importorskip("onnx", reason="onnx is not installed")
    pytest.importorskip("onnxruntime", reason="the extra `onnx` is not installed")
    tokenizers: Any = pytest.importorskip("tokenizers", reason="the extra `onnx` is not installed")
    table = np.eye(6, 4, dtype=np.float32) + 0.1
    helper, kinds = onnx.helper, onnx.TensorProto
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["states"])],
        "lookup",
        [helper.make_tensor_value_info(n, kinds.INT64, ["b", "t"]) for n in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("states", kinds.FLOAT, ["b", "t", 4])],
        [onnx.numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(tmp_path / "model.onnx"))
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    about = {"name": "tiny", "query_prefix": "query ", "passage_prefix": "passage "}
    (tmp_path / "pharmakon.json").write_text(json.dumps(about), "utf-8")
    return tmp_path


def test_a_folder_embeds_questions_and_passages(real: Path) -> None:
    embedder = OnnxEmbedder(real)
    assert (embedder.name, embedder.dimension) == ("tiny/onnx/4", 4)
    one = embedder.query("one")
    np.testing.assert_allclose(np.linalg.norm(one), 1.0, rtol=1e-6)
    both = embedder.passages(["one", "two two two"])
    assert both.shape == (2, 4)
    assert one @ both[0] > one @ both[1]


def test_padding_changes_no_vector(real: Path) -> None:
    embedder = OnnxEmbedder(real)
    alone, beside = embedder.passages(["one"])[0], embedder.passages(["one", "two two two two"])[0]
    np.testing.assert_allclose(alone, beside, rtol=1e-6)


def test_mean_pooling_counts_the_tokens_of_the_mask_alone() -> None:
    states = np.array([[[1.0, 0.0], [0.0, 1.0], [9.0, 9.0]]], dtype=np.float32)
    mask = np.array([[1, 1, 0]])
    np.testing.assert_allclose(pooled(states, mask, "mean"), [[0.70710677, 0.70710677]], rtol=1e-6)
    np.testing.assert_allclose(pooled(states, mask, "cls"), [[1.0, 0.0]])


def test_a_folder_without_a_model_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no model\.onnx"):
        OnnxEmbedder(tmp_path)


@pytest.mark.parametrize(
    "about", [{"pooling": "max"}, {"max_tokens": 0}, {"max_tokens": True}, {"colour": "red"}, {"name": 7}]
)
def test_what_pharmakon_json_may_not_hold_is_named(tmp_path: Path, about: dict[str, object]) -> None:
    with pytest.raises(BadInput, match=r"pharmakon\.json"):
        OnnxEmbedder(folder_with(tmp_path, **about))


def test_without_the_libraries_it_says_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(NoEmbedder, match=r"pharmakon\[onnx\]"):
        OnnxEmbedder(folder_with(tmp_path))


def test_a_file_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra `onnx` is not installed")
    pytest.importorskip("tokenizers", reason="the extra `onnx` is not installed")
    with pytest.raises(BadInput, match="can't be opened") as caught:
        OnnxEmbedder(folder_with(tmp_path))
    assert "\n" not in str(caught.value)
