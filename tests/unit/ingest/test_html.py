"""Reading web pages: headings nest, lists and tables are lines, and the charset that is declared holds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharmakon.ingest.formats.html import read_html
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.documents import Section
from pharmakon.model.errors import BadInput


def sections(body: str) -> tuple[Section, ...]:
    return read_html(f"<title>Alphadol</title><body>{body}".encode(), "x.html").document.sections


def text(body: str) -> str:
    return "\n".join(section.text for section in sections(body))


def refused(data: bytes) -> str:
    with pytest.raises(BadInput) as caught:
        read_html(data, "x.html")
    return str(caught.value)


def test_headings_nest_by_their_rank() -> None:
    found = sections("<h1>Alphadol</h1><p>a<h2>Dosage</h2><p>b<h3>Renal impairment</h3><p>c<h2>Warnings</h2><p>d")
    assert [(s.level, s.kind, s.heading, s.text) for s in found] == [
        (1, "other", "Alphadol", "a"),
        (2, "dosage", "Dosage", "b"),
        (3, "renal", "Renal impairment", "c"),
        (2, "warnings", "Warnings", "d"),
    ]


def test_a_section_inside_contraindications_is_a_contraindication() -> None:
    assert sections("<h1>Contraindications</h1><h2>Renal impairment</h2><p>a")[-1].kind == "contraindications"


def test_list_items_and_paragraphs_stand_on_their_own_lines() -> None:
    assert text("<p>Not in<ul><li>gout<li>ague<ul><li>quartan</ul></ul>after") == "Not in\ngout\nague\nquartan\nafter"


def test_a_table_is_a_line_for_each_row() -> None:
    body = "<table><caption>Doses</caption><tr><th>Kidneys<th>Dose<tr><td>impaired<td>5 mg<tr><td>failing<td></table>"
    assert text(body) == "Doses\nKidneys: impaired | Dose: 5 mg\nKidneys: failing"


def test_spanning_cells_stand_in_every_row_they_cover() -> None:
    body = "<table><tr><th>Drug<th>Risk<tr><td rowspan=2>lithium<td>high<tr><td>higher</table>"
    assert text(body) == "Drug: lithium | Risk: high\nDrug: lithium | Risk: higher"


def test_a_table_that_lays_out_the_page_is_read_as_text() -> None:
    assert [s.heading for s in sections("<table><tr><td><h1>Uses</h1><p>a<td><h1>Dosage</h1><p>b</table>")] == [
        "Uses",
        "Dosage",
    ]


def test_what_is_not_shown_is_not_read() -> None:
    body = (
        "<script>x</script><nav>x</nav><p hidden>x</p><p style='display: none'>x</p><p>a<!--x--><template>x</template>"
    )
    assert text(body) == "a"


def test_line_breaks_within_a_sentence_are_blanks_and_others_part_lines() -> None:
    assert text("<p>twice<br>a day.<br>Not more.") == "twice a day.\nNot more."


def test_a_power_of_ten_is_no_longer_number() -> None:
    assert text("<p>below 10<sup>9</sup>/L, 5 m<sup>2</sup>, T<sub>1/2</sub>") == "below 10^9/L, 5 m2, T1/2"


def test_a_leaflet_is_for_patients_throughout() -> None:
    body = (
        "<h1>Package leaflet: Information for the user</h1><h2>Alphadol tablets</h2><p>Read this.<h2>2. What you need"
    )
    found = read_html(
        f"{body} to know before you take Alphadol</h2><p>Not in gout.<h3>Kidneys</h3><p>b".encode(), "x.html"
    )
    assert {s.kind for s in found.document.sections} == {"patient_information"}
    assert (found.document.kind, found.document.lang, found.products[0].name) == ("leaflet", "en", "Alphadol tablets")


class TestCharset:
    def test_the_declared_one_is_used(self) -> None:
        page = "<meta charset='iso-8859-1'><p>Gåede børn – 5 µg".encode("cp1252")
        assert read_html(page, "x.html").document.sections[0].text == "Gåede børn – 5 µg"

    def test_bytes_that_are_not_in_it_are_refused(self) -> None:
        assert refused("<meta charset=utf-8><p>bør".encode("latin-1")).startswith("x.html: byte 24 is not utf-8")

    def test_without_one_the_page_is_utf_8_or_refused(self) -> None:
        assert read_html("<p>bør".encode(), "x.html").document.sections[0].text == "bør"
        assert "declares no charset" in refused("<p>bør".encode("latin-1"))

    def test_an_unknown_one_is_named(self) -> None:
        assert "charset 'klingon' is unknown" in refused(b"<meta charset=klingon><p>a")

    def test_utf_8_that_is_declared_otherwise_is_remarked(self) -> None:
        found = read_html("<meta charset=windows-1252><p>bør".encode(), "x.html")
        assert found.document.sections[0].text == "bør"
        assert "declared to be windows-1252, read as UTF-8" in found.remarks

    def test_a_byte_order_mark_decides(self) -> None:
        assert read_html("<p>bør".encode("utf-16"), "x.html").document.sections[0].text == "bør"


@pytest.mark.parametrize("data", [b"", b" \n", b"<html><body><script>x</script>", b"\x00\x01\x02", b"<p></p>"])
def test_a_page_without_text_is_refused(data: bytes) -> None:
    assert refused(data).startswith("x.html: ")


def read_or_refuse(data: bytes) -> Incoming | BadInput:
    """Any other exception is an error of the reader."""
    try:
        return read_html(data, "x.html")
    except BadInput as error:
        return error


@settings(deadline=None)
@given(st.text(st.sampled_from("<>/pbhulitrd1 =\"'&;a\n"), max_size=200))
def test_any_markup_is_read_or_refused(page: str) -> None:
    assert isinstance(read_or_refuse(page.encode()), Incoming | BadInput)


@settings(deadline=None)
@given(
    st.lists(st.text("abc ", min_size=1).filter(str.strip), min_size=1, max_size=8),
    st.sampled_from(["p", "li", "div", "span"]),
)
def test_every_word_is_kept_in_order(texts: list[str], tag: str) -> None:
    assert text("".join(f"<{tag}>{t}</{tag}> " for t in texts) + "<p>end").split() == [*" ".join(texts).split(), "end"]


def test_a_heading_with_nothing_below_it_is_kept_as_text() -> None:
    found = sections("<h1>Alphadol</h1><h2>Never with alcohol</h2><h2>Uses</h2><p>Gout.")
    assert [(s.heading, s.text) for s in found] == [
        ("Alphadol", ""),
        ("Never with alcohol", "Never with alcohol"),
        ("Uses", "Gout."),
    ]
