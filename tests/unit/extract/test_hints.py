"""The quick look at a sentence before any pattern is tried."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.extract.specialists.wording import hints, words

_LISTS = {f"{group}.{key}": stems for group, lists in words("stems").items() for key, stems in lists.items()}


@given(st.text(), st.sampled_from([stem for stems in _LISTS.values() for stem in stems]), st.text())
def test_a_text_hints_at_exactly_the_lists_of_which_a_stem_stands_in_it(before: str, stem: str, behind: str) -> None:
    text = f"{before}{stem.upper()}{behind}"
    assert hints(text) == {name for name, stems in _LISTS.items() if any(s in text.casefold() for s in stems)}


@pytest.mark.parametrize("group", ["enzymes", "effects"])
def test_every_spelling_of_an_enzyme_or_effect_holds_a_stem(group: str) -> None:
    for row in words("role")[group].values():
        for spelling in row["named"]:
            assert any(stem in spelling.casefold() for stem in _LISTS["role.named"]), spelling


@pytest.mark.parametrize("role", ["inhibitor", "inducer", "substrate"])
def test_every_wording_of_a_role_names_the_drug_and_holds_a_stem(role: str) -> None:
    for wording in words("role")["wordings"][role]:
        assert "{own}" in wording
        assert any(stem in wording.casefold() for stem in _LISTS[f"role.{role}"])


def test_every_measure_has_stems() -> None:
    assert set(words("stems")["measures"]) == set(words("populations")["measures"])
