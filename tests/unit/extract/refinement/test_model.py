"""A language model as proposer: a draft counts as far as its quotation and its key stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pharmakon.extract.claims import Sentence
from pharmakon.extract.refinement.found import Found
from pharmakon.extract.refinement.model import AT_ONCE, ModelProposer
from pharmakon.model.refinement import body_of
from pharmakon.ports.language_model import ModelError, Prompt

TEXT = "Withhold zorfan while platelets are below 50,000 cells/mm3."


class Says:
    """A model that answers what it was told to."""

    name = "test-model"

    def __init__(self, *drafts: object) -> None:
        self.drafts = list(drafts)
        self.asked: list[Prompt] = []

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append(prompt)
        assert schema["additionalProperties"] is False
        return {"drafts": self.drafts}


class Broken:
    name = "test-model"

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        raise ModelError("no connection")


def draft(**given: Any) -> dict[str, Any]:
    plain = {
        "sentence": 1, "quote": "platelets are below 50,000 cells/mm3", "kind": "factor", "key": "platelets",
        "why": "no factor for platelets", "shape": "number", "label": "platelet count", "unit": "1/uL", "levels": [],
        "of": "patient", "domain": [], "range": [], "stratum": "R",
    }  # fmt: skip
    return plain | given


def read(model: Any, *texts: str) -> Found:
    sentences = [Sentence(0, "warnings", "", 0, len(t), t) for t in texts or (TEXT,)]
    return ModelProposer(model).read(sentences)


def test_a_sound_draft_is_a_gap_with_the_models_name() -> None:
    (gap,) = read(Says(draft())).gaps
    assert (gap.entry.name, gap.pattern, gap.proposer, gap.sentence.text) == (
        "platelets",
        "platelets",
        "test-model",
        TEXT,
    )
    assert body_of(gap.entry) == {"shape": "number", "label": "platelet count", "unit": "1/uL", "of": "patient"}


def test_a_relation_is_drafted_with_its_ends() -> None:
    edge = draft(kind="relation", key="lowers", domain=["ingredient"], range=["indicator"], stratum="G", shape="none")
    (gap,) = read(Says(edge)).gaps
    assert body_of(gap.entry) == {"domain": ["ingredient"], "range": ["indicator"], "stratum": "G"}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"quote": "platelets are below 75,000"}, "the quotation does not stand in the sentence"),
        ({"quote": " "}, "the quotation does not stand in the sentence"),
        ({"sentence": 9}, "the draft names no sentence"),
        ({"sentence": True}, "the draft names no sentence"),
        ({"key": "Platelet count!"}, "'Platelet count!' is no name for a factor"),
        ({"key": None}, "the draft has no kind and key"),
        ({"kind": "table"}, "the draft has no kind and key"),
        ({"unit": "thingies"}, "unit 'thingies'"),
        ({"key": "crcl"}, "crcl is in the schema already"),
        (
            {"key": "serum_potassium", "label": "potassium", "unit": "mmol/L"},
            "serum_potassium is in the schema already",
        ),
        ({"kind": "relation", "key": "lowers"}, "domain "),
    ],
)
def test_a_draft_that_does_not_stand_is_refused_and_told(given: dict[str, Any], why: str) -> None:
    found = read(Says(draft(**given)))
    assert found.gaps == ()
    assert found.refused == (f"test-model: {why}",)


@pytest.mark.parametrize("answer", ["text", None, 7, ["x"]])
def test_an_answer_of_another_shape_is_refused(answer: object) -> None:
    found = read(Says(answer))
    assert found.refused == ("test-model: a draft that is no object",)


def test_a_model_that_fails_is_told_once_for_each_question() -> None:
    found = read(Broken(), *[TEXT] * (AT_ONCE + 1))
    assert found.refused == ("test-model gave no answer: no connection",) * 2


def test_only_informative_sentences_are_asked_about() -> None:
    model = Says()
    read(model, "Store zorfan in a dry place.", TEXT)
    (prompt,) = model.asked
    assert "[1] Withhold" in prompt.user
    assert "dry place" not in prompt.user
    assert "crcl (mL/min)" in prompt.user
    assert not read(model, "Nothing here.").gaps
    assert len(model.asked) == 1
