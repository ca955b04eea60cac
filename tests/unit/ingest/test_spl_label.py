"""A label as a document: who it is, what is refused and why."""

from __future__ import annotations

import sys
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ingest.formats.spl import read_spl, xml
from pharmakon.model.errors import BadInput
from tests.unit.ingest.spl_files import SET_ID, TODAY, label, p, product, section, thing

USES = section("34067-9", "Uses", p("Pain."))
OPENING = (
    "These highlights do not include all the information needed to use ALPHIX safely and effectively. "
    "See full prescribing information for ALPHIX."
)
PROLOG = b'<?xml version="1.0"?>\n'


def refusal(data: bytes) -> str:
    """The complaint about a file; it is one line that names the file."""
    with pytest.raises(BadInput) as caught:
        read_spl(data, "a.xml", TODAY)
    assert caught.value.where.startswith("a.xml")
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ── identity ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_label_is_known_by_its_set_and_a_version_by_its_number_and_day() -> None:
    incoming = read_spl(label(USES), "a.xml", TODAY)
    assert (incoming.document.id, incoming.document.version) == (f"label:{SET_ID}", "3")
    assert (incoming.document.kind, incoming.document.lang, incoming.effective) == ("label", "en", "2024-06-16")


def test_a_new_version_of_a_label_is_another_version_of_the_same_document() -> None:
    newer = label(USES, ids=f'<id root="0E"/><setId root="{SET_ID.upper()}"/><versionNumber value="4"/>')
    one, two = (read_spl(data, "a.xml", TODAY).document for data in (label(USES), newer))
    assert one.id == two.id
    assert (one.version, two.version) == ("3", "4")


def test_without_a_version_number_the_id_of_the_file_tells_versions_apart_else_its_text() -> None:
    assert (
        read_spl(label(USES, ids=f'<id root="0D"/><setId root="{SET_ID}"/>'), "a.xml", TODAY).document.version == "0d"
    )
    bare = read_spl(label(USES, ids=f'<setId root="{SET_ID}"/>'), "a.xml", TODAY).document
    assert bare.version == bare.hash


def test_without_a_set_the_id_of_the_file_stands_in_and_without_both_the_label_is_refused() -> None:
    assert read_spl(label(USES, ids='<id root="0D"/>'), "a.xml", TODAY).document.id == "label:0d"
    assert "neither a set id nor an id" in refusal(label(USES, ids=""))


@pytest.mark.parametrize(
    ("written", "day"),
    [("20140613", "2014-06-13"), ("201406", "2014-06"), ("20140613101500.000-0500", "2014-06-13"), ("soon", "")],
)
def test_the_day_of_a_label_is_as_precise_as_it_was_written(written: str, day: str) -> None:
    assert read_spl(label(USES, head=f'<effectiveTime value="{written}"/>'), "a.xml", TODAY).effective == day


def test_the_language_is_said_by_the_file() -> None:
    assert read_spl(label(USES, head='<languageCode code="es-PR"/>'), "a.xml", TODAY).document.lang == "es"


@pytest.mark.parametrize(
    ("title", "read_as"),
    [
        ("Alphadol\u00a0<sup>®</sup><br/>tablets", "Alphadol ® tablets"),
        (f"{OPENING}<br/>ALPHIX (alphadol) tablets<br/>Initial U.S. Approval: 1996", "ALPHIX (alphadol) tablets"),
        (OPENING, "Alphix (alphadol)"),
        ("", "Alphix (alphadol)"),
        ("Drug Facts", "Alphix (alphadol)"),
    ],
)
def test_the_title_names_the_drug_and_a_label_without_one_is_named_after_its_product(title: str, read_as: str) -> None:
    data = label(USES, title=f"<title>{title}</title>", products=product(thing("Alphix", generic="alphadol")))
    assert read_spl(data, "a.xml", TODAY).document.title == read_as


def test_a_label_without_title_and_products_is_named_after_its_first_heading() -> None:
    assert read_spl(label(USES, title=""), "a.xml", TODAY).document.title == "Uses"


# ── what is no label ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("93723-5", "an index of drug interactions"),
        ("60685-5", "an index of pharmacologic classes"),
        ("51725-0", "a registration of an establishment"),
        ("53409-9", "a listing of a bulk ingredient"),
        ("50577-6", "a label of a drug for animals"),
    ],
)
def test_a_document_that_is_no_label_for_people_is_refused_by_what_it_is(code: str, reason: str) -> None:
    assert refusal(label(USES, code=code)) == f"a.xml: this is {reason}; expected a label of a drug for people"


@pytest.mark.parametrize("code", ["34391-3", "45129-4", "34390-5", "53404-0", "60683-0", "60684-8", "58476-3", ""])
def test_labels_of_every_kind_are_read(code: str) -> None:
    assert read_spl(label(USES, code=code), "a.xml", TODAY).document.sections


def test_a_label_without_any_text_is_refused() -> None:
    assert "has no sections with text" in refusal(label(section("34067-9", None, "")))
    assert "has no sections with text" in refusal(label(products=product(thing("Alphix"))))


@pytest.mark.parametrize("data", [b"<html><body/></html>", b"<document/>", b'<x xmlns="urn:hl7-org:v3"/>'])
def test_other_xml_is_refused_by_its_root(data: bytes) -> None:
    assert "expected a document of urn:hl7-org:v3" in refusal(data)


# ── files that are broken or made to harm ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("data", [b"", b" \n ", b"\0\0"])
def test_an_empty_file_is_refused(data: bytes) -> None:
    assert refusal(data) == "a.xml: the file is empty; expected an XML document"


def test_a_file_that_is_cut_off_is_refused_with_the_line() -> None:
    whole = label(USES, USES).replace(b"><", b">\n<")
    assert refusal(whole[:-200]).startswith("a.xml, line ")


@given(st.floats(0, 1, exclude_max=True))
def test_wherever_a_file_is_cut_off_it_is_refused(share: float) -> None:
    whole = label(USES)
    refusal(whole[: int(share * (len(whole) - 1))])


@given(st.binary(max_size=60), st.floats(0, 1))
def test_whatever_is_put_into_a_file_it_is_read_or_refused_in_a_line(noise: bytes, share: float) -> None:
    whole = label(USES)
    at = int(share * len(whole))
    try:
        read_spl(whole[:at] + noise + whole[at + len(noise) :], "a.xml", TODAY)
    except BadInput as error:
        assert "\n" not in str(error)  # noqa: PT017


def test_bytes_in_another_encoding_than_declared_are_refused() -> None:
    text = label(section("34067-9", "Uses", p("Ménière's disease"))).decode()
    assert "encoding" in refusal(text.encode("latin-1"))
    assert "encoding" in refusal(text.replace('encoding="UTF-8"', 'encoding="klingon"').encode())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1"])
def test_a_declared_encoding_is_followed_and_a_byte_order_mark_is_none_of_the_text(encoding: str) -> None:
    text = label(section("34067-9", "Uses", p("Ménière's disease"))).decode()
    data = text.replace("UTF-8", encoding.removesuffix("-sig"), 1).encode(encoding)
    assert read_spl(data, "a.xml", TODAY).document.sections[0].text == "Ménière's disease"


def laughs(place: str) -> bytes:
    """Entities that grow to 10¹¹ characters where they are resolved, used at `place`."""
    entities = b'<!ENTITY a "ha ha ha ha">' + b"".join(
        b'<!ENTITY %c "%s">' % (c, b"&%c;" % (c - 1) * 10) for c in range(ord("b"), ord("m"))
    )
    return PROLOG + b"<!DOCTYPE document [" + entities + b"]>" + place.encode()


@pytest.mark.parametrize(
    "place",
    [
        '<document xmlns="urn:hl7-org:v3"><title>&l;</title></document>',
        '<document xmlns="urn:hl7-org:v3"><title ID="&l;"/></document>',
        '<document xmlns="urn:hl7-org:v3"/>',
    ],
)
def test_entities_that_multiply_are_refused_and_not_resolved(place: str) -> None:
    complaint = refusal(laughs(place))  # resolved they would not fit into memory
    assert "nest without end" in complaint or "a document type is declared" in complaint


@pytest.mark.parametrize(
    "declared",
    [
        '[<!ENTITY x SYSTEM "{outside}">]',
        '[<!ENTITY % x SYSTEM "{outside}"> %x;]',
        'SYSTEM "{outside}"',
        'SYSTEM "http://127.0.0.1:9/label.dtd"',
    ],
)
def test_nothing_outside_of_the_file_is_read(declared: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "file"
    outside.write_text("secret")
    body = label(section("34067-9", "Uses", p("&x;"))).decode().partition("?>")[2]
    data = PROLOG.decode() + f"<!DOCTYPE document {declared.replace('{outside}', outside.as_uri())}>" + body
    assert "secret" not in refusal(data.encode())


@pytest.mark.parametrize("element", ["content", "sup", "footnote", "table"])
def test_elements_that_nest_without_end_are_refused(element: str) -> None:
    deep = f"<{element}>" * 3000 + f"</{element}>" * 3000
    assert "nest without end" in refusal(label(section("34067-9", "Uses", deep)))


def test_elements_that_nest_deeper_than_a_reader_can_follow_are_refused() -> None:
    deep = label(section("34067-9", "Uses", "<sup>" * 240 + "a" + "</sup>" * 240))

    def called_from(depth: int) -> str:
        return called_from(depth - 1) if depth else refusal(deep)

    assert "nest without end" in called_from(sys.getrecursionlimit() // 2)


def test_a_file_larger_than_any_label_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "SIZE_CAP", 1024**2)
    assert refusal(b"<" * (2 * 1024**2)) == "a.xml: 2 MB are too many for a label; expected at most 1 MB"


@given(st.text(max_size=60))
def test_text_that_is_no_xml_is_refused(text: str) -> None:
    with suppress(BadInput):
        pytest.fail(str(read_spl(text.encode("utf-8", "surrogatepass"), "a.xml", TODAY)))
