"""Entries of the schema as data: what may be one, and that nothing is lost on the way."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.model.errors import BadInput
from pharmakon.model.refinement import body_of, entry_of, kind_of_entry
from pharmakon.model.vocabulary import SHAPES, Factor, concept_kinds, factors, relations

NUMBER = {"shape": "number", "label": "platelets", "unit": "1/uL"}
EDGE = {"domain": ["ingredient"], "range": ["disease"], "stratum": "G"}


@pytest.mark.parametrize("name", sorted({*factors(), *relations()} - {"belongs_to", "is_a"}))
def test_every_entry_of_the_seed_survives_being_written_as_data(name: str) -> None:
    entry = factors().get(name) or relations()[name]
    assert entry_of(kind_of_entry(entry), name, body_of(entry)) == entry


@pytest.mark.parametrize(
    ("kind", "key", "body", "complaint"),
    [
        ("factor", "Platelets", NUMBER, "is no name"),
        ("factor", "a__b", NUMBER, "is no name"),
        ("relation", "x) DROP TABLE", EDGE, "is no name"),
        ("relation", "concept", EDGE, "is no name"),
        ("relation", "when", EDGE, "is no name"),
        ("table", "platelets", NUMBER, "is no kind of entry"),
        ("factor", "platelets", {**NUMBER, "unit": "furlong"}, "unit 'furlong'"),
        ("factor", "platelets", {**NUMBER, "unit": ""}, "unit ''"),
        ("factor", "platelets", {**NUMBER, "label": "a\nb"}, "label"),
        ("factor", "platelets", {**NUMBER, "colour": "red"}, "has no 'colour'"),
        ("factor", "platelets", {**NUMBER, "of": "doctor"}, "of 'doctor'"),
        ("factor", "grade", {"shape": "ordinal", "label": "grade", "levels": ["1"]}, "1 levels"),
        ("factor", "crushed", {"shape": "flag", "label": "crushed", "unit": "mg"}, "unit 'mg'"),
        ("factor", "taken", {"shape": "concept", "label": "taken", "kinds": ["planet"]}, "kinds planet"),
        ("relation", "masks", {**EDGE, "domain": ["planet"]}, "domain planet"),
        ("relation", "masks", {**EDGE, "range": []}, "range"),
        ("relation", "masks", {**EDGE, "stratum": "Q"}, "stratum 'Q'"),
        ("relation", "masks", {**EDGE, "transitive": True}, "has no 'transitive'"),
    ],
)
def test_what_the_vocabulary_could_not_take_is_refused_in_one_line(
    kind: str, key: str, body: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(BadInput, match=complaint) as refused:
        entry_of(kind, key, body)
    assert "\n" not in str(refused.value)


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.lists(st.text(max_size=8), max_size=3)
)
KEYS = st.sampled_from(
    ["shape", "label", "unit", "levels", "kinds", "of", "domain", "range", "stratum", "symmetric", "x"]
)
WORDS = st.one_of(VALUES, st.sampled_from([*SHAPES, "mg", "G", "R", "order"]), st.just(sorted(concept_kinds())[:2]))


@given(kind=st.sampled_from(["factor", "relation"]), key=st.text(max_size=12), body=st.dictionaries(KEYS, WORDS))
def test_whatever_a_model_says_is_an_entry_that_can_be_written_again_or_one_complaint(
    kind: str, key: str, body: dict[str, Any]
) -> None:
    try:
        entry = entry_of(kind, key, body)
    except BadInput:
        return
    assert entry_of(kind, key, body_of(entry)) == entry


def test_a_choice_keeps_the_order_of_its_levels() -> None:
    entry = entry_of("factor", "nyha_class", {"shape": "ordinal", "label": "NYHA", "levels": ["I", "II", "III"]})
    assert isinstance(entry, Factor)
    assert entry.levels == ("I", "II", "III")
