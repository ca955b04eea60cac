"""Question graphs by a model, held to what the parser is held to."""

from __future__ import annotations

import pytest

from pharmakon.ask.graphing import graph
from pharmakon.ask.triples import Triple, parse
from pharmakon.model.concepts import ConceptId
from pharmakon.ports.language_model import ModelError
from tests.unit.ask.asked import ask
from tests.unit.ask.scripted import Scripted, data_of

METFORMIN = ConceptId("ingredient:metformin")
QUESTION = ask("What does metformin treat?", metformin="ingredient:metformin")
GOOD = {"head": "ingredient:metformin", "relation": "treats", "tail": "?"}


def proposes(*rows: object) -> Scripted:
    return Scripted({"triples": list(rows)})


def test_triples_with_one_unknown_stand_once_each() -> None:
    model = proposes(GOOD, GOOD, {**GOOD, "relation": "causes", "tail": "⊥"})
    found = graph(QUESTION, "indication", model)
    assert found.by_model
    assert found.triples == (Triple(METFORMIN, "treats", None), Triple(METFORMIN, "causes", None))
    assert model.asked[0].temperature == 0.7
    assert data_of(model.asked[0])["entities"] == [{"id": "ingredient:metformin", "kind": "ingredient"}]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({**GOOD, "head": "ingredient:warfarin"}, "does not stand in the question"),
        ({**GOOD, "head": "?"}, "one end must be unknown"),
        ({**GOOD, "tail": "ingredient:metformin"}, "one end must be unknown"),
        ({**GOOD, "relation": "loves"}, "none of the vocabulary"),
        ({**GOOD, "relation": "has_symptom"}, "does not allow"),
        ({"head": "ingredient:metformin"}, "no triple"),
        ("metformin treats what", "no triple"),
        ({**GOOD, "relation": None}, "no triple"),
    ],
)
def test_what_does_not_stand_is_dropped_and_the_parser_answers(row: object, why: str) -> None:
    found = graph(QUESTION, "indication", proposes(row))
    assert why in found.dropped[0].why
    assert not found.by_model
    assert found.triples == tuple(parse(QUESTION, "indication"))


def test_the_rest_stands_where_one_is_dropped() -> None:
    found = graph(QUESTION, "indication", proposes({**GOOD, "relation": "loves"}, GOOD))
    assert (found.by_model, len(found.triples), len(found.dropped)) == (True, 1, 1)


def test_a_model_that_fails_leaves_it_to_the_parser() -> None:
    found = graph(QUESTION, "indication", Scripted(ModelError("gone")))
    assert (found.by_model, found.why) == (False, "gone")
    assert found.triples == tuple(parse(QUESTION, "indication"))


def test_a_question_that_names_nothing_is_not_asked_about() -> None:
    model = proposes(GOOD)
    assert graph(ask("What is it?"), "indication", model).triples == ()
    assert model.asked == []


def test_every_triple_of_the_parser_would_stand_if_a_model_proposed_it() -> None:
    parsed = tuple(parse(QUESTION, "indication"))
    rows = [{"head": t.head or "?", "relation": t.relation, "tail": t.tail or "?"} for t in parsed]
    found = graph(QUESTION, "indication", proposes(*rows))
    assert found.triples == parsed
    assert found.dropped == ()
