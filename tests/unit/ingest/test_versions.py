"""Which of two versions comes first, and where nothing says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ingest.versions import earlier
from pharmakon.model.documents import Document

HASH = "4ab954e26073335d0507951816811fab7ad199d4c024ade199479d69f015fb79"
OTHER = HASH[::-1]
ID = "1ea3a366-c7c0-2e89-e063-6294a90a2419"


def version(written: str, dated: str = "") -> Document:
    return Document("label:x", written, "label", "en", "X", "hash", (), dated)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("2", "3"),
        ("9", "10"),
        ("1.9", "1.10"),
        ("1", "1.0.1"),
        ("v2", "v10"),
        ("2025-12", "2026-03-01"),
        ("1_2", "1.3"),
    ],
)
def test_numbers_are_compared_by_their_parts_and_dates_as_dates(first: str, second: str) -> None:
    assert earlier(version(first), version(second)) is True
    assert earlier(version(second), version(first)) is False


def test_the_same_number_written_otherwise_is_not_earlier() -> None:
    assert earlier(version("1.0"), version("1")) is False
    assert earlier(version("01"), version("1")) is False


@pytest.mark.parametrize(("first", "second"), [("final", "draft"), (ID, "3"), (HASH, "3"), ("2026-03-01", "7")])
def test_versions_of_different_kinds_have_no_order(first: str, second: str) -> None:
    assert earlier(version(first), version(second)) is None
    assert earlier(version(second), version(first)) is None


def test_where_versions_have_no_order_their_days_decide() -> None:
    assert earlier(version("draft", "2026-01-01"), version("final", "2026-02")) is True
    assert earlier(version("final", "2026-02"), version("draft", "2026-01-01")) is False


def test_a_month_says_nothing_of_a_day_in_it() -> None:
    assert earlier(version("draft", "2026-01"), version("final", "2026-01-17")) is None


def test_of_texts_without_a_version_the_one_brought_later_is_the_later_one() -> None:
    assert earlier(version(HASH), version(OTHER)) is False
    assert earlier(version(HASH[:12]), version(OTHER[:12])) is False


@given(
    st.lists(st.integers(0, 10**30), min_size=1, max_size=4), st.lists(st.integers(0, 10**30), min_size=1, max_size=4)
)
def test_of_two_numbers_at_most_one_is_earlier(a: list[int], b: list[int]) -> None:
    first, second = (version(".".join(map(str, parts))) for parts in (a, b))
    assert earlier(first, second) is not None
    assert not (earlier(first, second) and earlier(second, first))
