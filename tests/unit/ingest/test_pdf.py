"""Reading PDFs: pages become lines, paragraphs, tables and headings, and what can't be read is refused in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharmakon.ingest.formats.pdf import read_pdf
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.errors import BadInput
from tests.unit.ingest.printed import LEFT, Picture, Rule, Text, Thing, lines, pdf

pytest.importorskip("pdfplumber")

#: Fills a column of the width of the longest line, so that shorter ones below are told to end on purpose.
LONG = "Alphadol is given once a day with a glass of water and with or without any food"


def text_of(*pages: list[Thing]) -> str:
    return "\n".join(section.text for section in read_pdf(pdf(*pages), "x.pdf").document.sections)


def refused(data: bytes) -> str:
    with pytest.raises(BadInput) as caught:
        read_pdf(data, "x.pdf")
    assert "\n" not in str(caught.value)
    return str(caught.value)


class TestLines:
    def test_a_line_that_fills_its_column_goes_on_in_the_next(self) -> None:
        assert text_of(lines(LONG, "or drink.")) == f"{LONG} or drink."

    def test_a_line_that_ends_early_ends_its_paragraph(self) -> None:
        assert text_of(lines(f"{LONG}.", "Gout.", "Ague")) == f"{LONG}. Gout.\nAgue"

    def test_a_gap_ends_a_paragraph(self) -> None:
        assert text_of(lines(LONG, "", LONG)) == f"{LONG}\n{LONG}"

    def test_a_paragraph_goes_on_over_the_page(self) -> None:
        assert text_of(lines(LONG), lines("or drink.")) == f"{LONG} or drink."

    def test_words_placed_apart_are_parted(self) -> None:
        assert text_of([Text("lower", LEFT, 70), Text("dose", LEFT + 40, 70)]) == "lower dose"

    def test_a_subscript_stays_in_its_word(self) -> None:
        assert (
            text_of([Text("C", LEFT, 70), Text("max", LEFT + 8, 72, size=7), Text("rose", LEFT + 30, 70)])
            == "Cmax rose"
        )

    def test_a_power_of_ten_is_no_longer_number(self) -> None:
        ten: list[Thing] = [Text("below 10", LEFT, 70), Text("9", LEFT + 44, 66, size=7), Text("/L is", LEFT + 48, 70)]
        assert text_of(ten) == "below 10^9/L is"

    def test_bullets_go_and_items_stand_on_their_own_lines(self) -> None:
        assert text_of(lines("Not in:", "• gout", "• ague", "- fits")) == "Not in:\ngout\nague\nfits"

    def test_letters_printed_twice_are_read_once(self) -> None:
        assert text_of([Text("gout", LEFT, 70), Text("gout", LEFT + 0.3, 70)]) == "gout"


class TestHyphens:
    def test_a_word_the_document_uses_whole_is_joined(self) -> None:
        page = lines(
            "A rise of hypertension was seen in all of those who took it for a year of hyper-", "tension in all."
        )
        assert text_of(page).endswith("year of hypertension in all.")

    def test_a_hyphen_of_a_compound_stays(self) -> None:
        page = lines(
            "It acts upon the system that is known in the trade by the long name renin-", "angiotensin and so on."
        )
        assert "renin-angiotensin" in text_of(page)

    def test_a_hyphen_before_and_stays_apart(self) -> None:
        page = lines("This is what was found when it was given to those who had the over-", "and underdose of it.")
        assert "over- and underdose" in text_of(page)


class TestRunningLines:
    def test_headers_footers_and_page_numbers_go(self) -> None:
        pages = [
            [*lines("Version 8", y=40), *lines(f"Page {word} holds text."), *lines(str(n), y=810)]
            for n, word in enumerate(("one", "two", "three", "four"), 1)
        ]
        assert text_of(*pages) == "\n".join(f"Page {word} holds text." for word in ("one", "two", "three", "four"))

    def test_a_heading_at_the_top_of_some_pages_stays(self) -> None:
        pages = [lines("Gout" if n % 3 else "Ague", f"x{n} y.", y=60) for n in range(1, 3)]
        assert text_of(*pages).startswith("Gout")

    def test_a_number_within_the_text_stays(self) -> None:
        assert text_of(lines(LONG, "", "Doses:", "10", "Ends.")) == f"{LONG}\nDoses:\n10\nEnds."


def table(*rows: tuple[str, ...], y: float = 100, width: float = 100) -> list[Thing]:
    """A ruled table; a cell is 20 points high."""
    columns, height = len(rows[0]), 20
    right, bottom = LEFT + columns * width, y + len(rows) * height
    across: list[Thing] = [Rule(LEFT, y + i * height, right, y + i * height) for i in range(len(rows) + 1)]
    down: list[Thing] = [Rule(LEFT + i * width, y, LEFT + i * width, bottom) for i in range(columns + 1)]
    cells: list[Thing] = [
        Text(cell, LEFT + j * width + 3, y + i * height + 14)
        for i, row in enumerate(rows)
        for j, cell in enumerate(row)
    ]
    return [*across, *down, *cells]


class TestColumns:
    LEFT_TEXT = tuple(f"left {n} is a line of words that fills its whole column" for n in range(10))
    RIGHT_TEXT = tuple(f"right {n} is a line of words that fills it" for n in range(10))

    def test_prose_in_two_columns_is_read_one_column_after_the_other(self) -> None:
        page = [*lines(f"{LONG}."), *lines(*self.LEFT_TEXT, y=110), *lines(*self.RIGHT_TEXT, y=113, x=330)]
        assert text_of(page) == f"{LONG}.\n" + " ".join([*self.LEFT_TEXT, *self.RIGHT_TEXT])

    def test_short_entries_beside_each_other_are_read_across(self) -> None:
        page = [*lines(*(f"clearance {n}" for n in range(10))), *lines(*(f"{n} mg" for n in range(10)), x=330)]
        assert "clearance 3 3 mg" in text_of(page)


class TestTables:
    def test_a_row_is_a_line_of_cells_led_by_their_headers(self) -> None:
        page = [*lines("Doses:"), *table(("Kidneys", "Dose"), ("impaired", "5 mg"), ("failing", "none"))]
        assert text_of(page) == "Doses:\nKidneys: impaired | Dose: 5 mg\nKidneys: failing | Dose: none"

    def test_a_table_that_goes_on_overleaf_keeps_its_headers(self) -> None:
        first, second = table(("Kidneys", "Dose"), ("impaired", "5 mg")), table(("failing", "none"), ("gone", "never"))
        assert text_of(first, second).splitlines()[1:] == [
            "Kidneys: failing | Dose: none",
            "Kidneys: gone | Dose: never",
        ]

    def test_a_frame_around_text_is_no_table(self) -> None:
        page = [*lines(LONG), *table(("Keep dry.",), ("Keep cool.",), width=200)]
        assert text_of(page) == f"{LONG}\nKeep dry.\nKeep cool."


class TestRefusals:
    def test_an_empty_file(self) -> None:
        assert refused(b"") == "x.pdf: the file is empty; expected a PDF"

    def test_something_else(self) -> None:
        assert refused(b"<html>") == "x.pdf: this is no PDF; expected a file that begins with %PDF-"

    def test_an_encrypted_file(self) -> None:
        assert "encrypted" in refused(pdf(lines("Gout."), encrypt=True))

    def test_scanned_pages(self) -> None:
        assert "none of the 2 pages holds text" in refused(pdf([Picture()], [Picture()]))

    def test_a_file_cut_short(self) -> None:
        assert "damaged" in refused(pdf(lines("Gout."))[:400])

    def test_a_file_without_pages(self) -> None:
        assert "no pages" in refused(pdf())

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="can't be read"):
            read_pdf(tmp_path / "none.pdf")

    def test_without_the_library_the_extra_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pdfplumber", None)
        assert "pharmakon[pdf]" in refused(pdf(lines("Gout.")))

    def test_a_page_that_is_a_picture_among_others_is_remarked(self) -> None:
        assert "pages that are pictures without text: 1" in read_pdf(pdf(lines("Gout."), [Picture()]), "x.pdf").remarks


WHOLE = pdf(lines("# 4.3 Contraindications", "Gout.", "", "Ague."), table(("a", "b"), ("c", "d")))


def read_or_refuse(data: bytes) -> Incoming | BadInput:
    """Any other exception is an error of the reader."""
    try:
        return read_pdf(data, "x.pdf")
    except BadInput as error:
        return error


@settings(max_examples=30, deadline=None)
@given(st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=8))
def test_damage_is_refused_or_read_around(at: int, other: bytes) -> None:
    assert isinstance(read_or_refuse(WHOLE[:at] + other + WHOLE[at + len(other) :]), Incoming | BadInput)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text("abcdefg hij", min_size=1, max_size=60).filter(str.strip), min_size=1, max_size=12))
def test_every_word_of_a_page_is_kept_in_order(texts: list[str]) -> None:
    assert text_of(lines(*texts)).split() == " ".join(texts).split()
