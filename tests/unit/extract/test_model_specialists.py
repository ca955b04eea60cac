"""A language model as an engine: what it says counts as far as the sentence bears it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pharmakon.extract.claims import LabelContext, Mention, Read, Sentence
from pharmakon.extract.label import FACTS, extract
from pharmakon.extract.specialists.model import AT_ONCE, model_specialists
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Document, Section
from pharmakon.model.refinement import entry_of
from pharmakon.model.statements import Limit
from pharmakon.model.vocabulary import grow
from pharmakon.ports.language_model import ModelError, Prompt

DRUG, RIFAMPIN = ConceptId("ingredient:zorfan"), ConceptId("ingredient:rifampin")
LABEL = LabelContext((DRUG,))
TEXT = "Do not exceed 1,000 mg of zorfan daily with rifampin."


class Says:
    """A model that answers what it was told to."""

    name = "test-model"

    def __init__(self, *claims: Mapping[str, Any]) -> None:
        self.claims = list(claims)
        self.asked: list[Prompt] = []

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append(prompt)
        assert schema["additionalProperties"] is False
        return {"claims": self.claims}


class Broken:
    name = "test-model"

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        raise ModelError("no connection")


def claim(**given: Any) -> dict[str, Any]:
    plain = {
        "sentence": 1, "quote": TEXT, "relation": "interacts_with", "object": "rifampin", "negated": False,
        "conditions": [], "limit": None, "limit_unit": "", "limit_per": "none",
    }  # fmt: skip
    return plain | given


def sentence(text: str = TEXT, kind: str = "interactions") -> Sentence:
    at = text.find("rifampin")
    mentions = (Mention(at, at + 8, "rifampin", (RIFAMPIN,)),) if at >= 0 else ()
    return Sentence(0, kind, "7 Interactions", 0, len(text), text, mentions)


def read(model: Any, kind: str = "interaction", *sentences: Sentence) -> list[Read]:
    (specialist,) = (s for s in model_specialists(model) if s.name == kind)
    return list(specialist.read(sentences or (sentence(),), LABEL))


def test_a_claim_that_stands_is_taken_with_the_models_name() -> None:
    ((one,),) = [r.claims for r in read(Says(claim()))]
    assert (one.statement.subject, one.statement.relation, one.statement.object) == (DRUG, "interacts_with", RIFAMPIN)
    assert one.proposer == "test-model"


def test_a_dose_limit_with_its_figure_is_taken() -> None:
    said = claim(relation="dose_limit", object="", limit=1000, limit_unit="mg", limit_per="day")
    ((one,),) = [r.claims for r in read(Says(said), "dosage")]
    assert one.statement.limit == Limit(1000.0, "mg", "day")


def test_a_condition_with_its_figure_is_taken() -> None:
    text = "Avoid zorfan where creatinine clearance is below 30 mL/min."
    said = claim(
        quote=text, relation="contraindicated_in", object="",
        conditions=[{"factor": "crcl", "op": "<", "value": "30", "unit": "mL/min"}],
    )  # fmt: skip
    ((one,),) = [r.claims for r in read(Says(said), "contraindication", sentence(text))]
    ((condition,),) = one.statement.when
    assert (condition.factor, condition.op, condition.number) == ("crcl", "<", 30.0)


@pytest.mark.parametrize(
    ("given", "kind", "why"),
    [
        ({"quote": "Zorfan is safe."}, "interaction", "quotation does not stand"),
        ({"quote": " "}, "interaction", "quotation does not stand"),
        ({"object": "ketoconazole"}, "interaction", "no one concept"),
        ({"object": ""}, "interaction", "no object"),
        ({"relation": "treats"}, "interaction", "none of this specialist's"),
        ({"sentence": 7}, "interaction", "no sentence"),
        ({"sentence": "1"}, "interaction", "no sentence"),
        ({"relation": "dose_limit", "object": "", "limit": 2000, "limit_unit": "mg", "limit_per": "day"}, "dosage",
         "does not hold"),
        ({"relation": "dose_limit", "object": "", "limit": 100, "limit_unit": "mg", "limit_per": "day"}, "dosage",
         "does not hold"),
        ({"relation": "dose_limit", "object": ""}, "dosage", "without a figure"),
        ({"relation": "dose_limit", "object": "", "limit": 1000, "limit_unit": "mg", "limit_per": "none"}, "dosage",
         "can't be read"),
        ({"relation": "contraindicated_in", "object": ""}, "contraindication", "says of nothing"),
        ({"relation": "contraindicated_in", "object": "", "conditions": [
            {"factor": "crcl", "op": "<", "value": "30", "unit": "mL/min"}]}, "contraindication", "does not hold"),
        ({"relation": "contraindicated_in", "object": "", "conditions": [
            {"factor": "shoe size", "op": "<", "value": "1,000", "unit": ""}]}, "contraindication", "does not read"),
    ],
)  # fmt: skip
def test_a_claim_that_does_not_stand_is_refused_with_its_reason(given: dict[str, Any], kind: str, why: str) -> None:
    (one,) = read(Says(claim(**given)), kind)
    assert one.claims == ()
    assert [why in line for line in one.refused] == [True]


def test_a_model_that_fails_leaves_the_sentences_unread() -> None:
    (one,) = read(Broken())
    assert "no connection" in one.why


def test_answers_of_another_shape_are_nothing() -> None:
    class Odd(Says):
        def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
            return {"claims": "many"}

    assert read(Odd()) == [Read()]


def test_long_sections_are_asked_in_parts() -> None:
    model = Says()
    found = read(model, "interaction", *[sentence(f"Sentence {n} says nothing.") for n in range(AT_ONCE + 1)])
    assert len(found) == AT_ONCE + 1
    assert len(model.asked) == 2
    assert f"[1] Sentence {AT_ONCE} says nothing." in model.asked[1].user


def test_the_gate_counts_what_was_refused() -> None:
    section = Section(0, "interactions", "7 Interactions", TEXT)
    document = Document("label:z", "1", "label", "en", "zorfan", "h", (section,))
    found = extract(document, LABEL, lambda _: [sentence()], model_specialists(Says(claim(), claim(quote="No."))))
    (one,) = found.statements
    assert one.evidence[0].proposer == "test-model"
    assert sum(found.account.refused.values()) == 1
    assert found.account.sentences == {("interactions", FACTS): 1}


def test_what_the_schema_grew_by_is_read_for_and_nothing_is_asked_where_it_did_not(seed_only: None) -> None:
    assert "accepted" not in [s.name for s in model_specialists(Says())]
    grow([entry_of("factor", "platelets", {"shape": "number", "label": "platelets", "unit": "1/uL"})])
    text = "Use zorfan with caution where platelets are below 50,000 cells/mm3."
    condition = {"factor": "platelets", "op": "<", "value": "50000", "unit": "cells/mm3"}
    said = claim(quote=text, relation="requires_caution_with", object="", conditions=[condition])
    (answer,) = read(Says(said), "accepted", sentence(text, "warnings"))
    (found,) = answer.claims
    assert [(c.factor, c.op, c.number) for c in found.statement.when[0]] == [("platelets", "<", 50_000.0)]
