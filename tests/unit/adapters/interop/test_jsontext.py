"""Bytes to JSON: every way it can go wrong is one line that says what and where."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from pharmakon.adapters.interop.jsontext import DEPTH_CAP, decode, parse_json, read_capped
from pharmakon.model.errors import BadInput


def complaint(call: Callable[[], object]) -> str:
    with pytest.raises(BadInput) as caught:
        call()
    line = str(caught.value)
    assert "\n" not in line
    return line


class Endless(io.RawIOBase):
    """A stream that never ends and counts what was taken from it."""

    taken = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        assert size > 0, "somebody wanted all of it"
        self.taken += size
        return b"x" * size


def test_a_huge_file_is_refused_after_one_byte_more_than_the_cap() -> None:
    stream = Endless()
    line = complaint(lambda: read_capped(stream, name="big.json", cap=1000))  # type: ignore[arg-type]
    assert stream.taken == 1001
    assert line.startswith("big.json: the input is too large")


def test_a_byte_order_mark_is_tolerated() -> None:
    assert decode(b"\xef\xbb\xbf{}", name="a.json") == "{}"


@pytest.mark.parametrize(("data", "offset"), [(b'{"a":"\xff"}', 6), (b'\xef\xbb\xbf{"a":"\xe9"}', 9)])
def test_what_is_no_utf8_is_named_by_its_offset_in_the_file(data: bytes, offset: int) -> None:
    assert f"at offset {offset} " in complaint(lambda: decode(data, name="a.json"))


def test_json_that_breaks_off_is_named_by_line_and_column() -> None:
    line = complaint(lambda: parse_json('{"patient":\n  {"age": 82,', name="a.json"))
    assert line.startswith("a.json, line 2 column ")
    assert "breaks off" in line


def test_deep_nesting_is_one_clear_line() -> None:
    for text in ("[" * 100_000, "[" * (DEPTH_CAP + 2) + "]" * (DEPTH_CAP + 2), '{"a":' * 5000 + "1" + "}" * 5000):
        assert "nested too deeply" in complaint(lambda text=text: parse_json(text, name="a.json"))  # type: ignore[misc]


def test_ordinary_nesting_passes() -> None:
    assert parse_json("[" * 50 + "]" * 50, name="a.json")


def test_a_key_written_twice_is_refused_by_name() -> None:
    assert "'age' stands twice" in complaint(lambda: parse_json('{"p": {"age": 8, "age": 82}}', name="a.json"))


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_refused_with_its_line(word: str) -> None:
    line = complaint(lambda: parse_json(f'{{"note": "NaN",\n"age": {word}}}', name="a.json"))
    assert line.startswith(f"a.json, line 2: {word} is no number")


@pytest.mark.parametrize("digits", ["1e999", "1" * 5000, "-1e400"])
def test_numbers_beyond_a_double_are_refused(digits: str) -> None:
    assert "the number" in complaint(lambda: parse_json(f'{{"age": {digits}}}', name="a.json"))


def test_half_a_surrogate_pair_is_refused_and_a_whole_one_is_not() -> None:
    assert "surrogate" in complaint(lambda: parse_json('["\\ud83d"]', name="a.json"))
    assert "surrogate" in complaint(lambda: parse_json('[{"\\ud83d": 1}]', name="a.json"))
    assert parse_json('["\\ud83d\\ude00"]', name="a.json") == ["😀"]


def test_a_second_document_points_at_the_batch() -> None:
    assert "NDJSON" in complaint(lambda: parse_json("{}\n{}", name="a.json"))


def test_an_empty_file_says_so() -> None:
    assert "nothing in it" in complaint(lambda: parse_json(" \n", name="a.json"))
