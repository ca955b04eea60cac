"""The JSON object in what a model writes."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharmakon.adapters.models.replies import json_object

VALUES = st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text()))


@settings(deadline=None)
@given(VALUES, st.sampled_from(["{}", "Sure!\n```json\n{}\n```\nThat is all.", "<think>hm {{</think>{}", "  {} "]))
def test_an_object_is_found_in_whatever_it_is_wrapped(value: dict[str, object], wrapped: str) -> None:
    assert json_object(wrapped.replace("{}", json.dumps(value)).replace("{{", "{")) == value


@settings(deadline=None)
@given(st.text())
def test_any_text_is_an_object_or_a_complaint(text: str) -> None:
    with suppress(ValueError):
        assert isinstance(json_object(text), dict)


@pytest.mark.parametrize("text", ["", "[]", "null", "7", "{", "[" * 100_000, '{"a":' * 100_000])
def test_what_is_no_object_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|nested"):
        json_object(text)
