"""From paths to documents."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ingest import read
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.read import FORMATS, Format, read_path
from pharmakon.ingest.streams import peeked
from pharmakon.model.errors import BadInput

RECORD = {"set_id": "S-1", "openfda": {"generic_name": ["EXAMPLIN"]}, "contraindications": ["CONTRAINDICATIONS Gout."]}
TEXT = b"# drug: examplin\n\nCONTRAINDICATIONS\n\nGout.\n"
SPL = b'<?xml version="1.0"?><document xmlns="urn:hl7-org:v3"/>'


def told(data: bytes, name: str) -> str:
    """The name of the format that a file is taken for; "" for none."""
    return next((one.name for one in FORMATS if one.looks(data, Path(name).suffix)), "")


def stubs(*names: str) -> list[Format]:
    """The formats with readers that say their name instead."""

    def reader(name: str) -> Format:
        looks = next(one.looks for one in FORMATS if one.name == name)
        return Format(name, looks, lambda stream, where: [BadInput(f"{name}: {len(stream.read())}", where=where)])

    return [reader(one.name) if one.name in names else one for one in FORMATS]


def ids(found: Sequence[Incoming | BadInput]) -> list[str]:
    return [one.document.id if isinstance(one, Incoming) else f"! {one.what}" for one in found]


# ── formats ──


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (b"%PDF-1.7 ...", "label.dat", "PDF"),
        (b"<!DOCTYPE html><html>", "label.txt", "HTML"),
        (b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', "label.xml", "HTML"),
        (SPL, "label.bin", "SPL"),
        (b'{"meta": {}, "results": [', "label", "openFDA"),
        (b'[{"set_id": "x"', "label.json", "openFDA"),
        (b'[{"drug": "x", "section": "Warnings", "text": "y"}]', "s.json", "sections as rows"),
        (b'[{"drug": "x", "section": "Warnings", "text": "' + b"y" * 70_000, "s.json", "sections as rows"),
        (b"# Examplin\n\n## Warnings\n\nCare.", "label.md", "Markdown"),
        (b"---\ndrug: x\n---\n# Warnings\n", "label.txt", "Markdown"),
        (b"# drug: x\n# route: oral\n\nWARNINGS\n\nCare.", "label.txt", "text"),
        (b"[Warning] take care", "label.txt", "text"),
        (b"Examplin\n\nContraindications\n\nGout.", "label", "text"),
        (b"not json at all", "label.json", "openFDA"),
        (b'{"resourceType": "Bundle"}', "bundle.json", ""),
        (b'{"patient": {}, "medications": []}', "patient.json", ""),
        (b"MIT License\n\nPermission is granted", "LICENSE", ""),
        (b"\x00\x01\x02\x03", "label", ""),
    ],
)
def test_what_a_file_holds_tells_its_format(data: bytes, name: str, expected: str) -> None:
    assert told(data, name) == expected


@given(st.binary(max_size=80), st.sampled_from([".txt", ".json", "", ".md", ".x"]))
def test_any_bytes_are_documents_or_one_complaint_each(data: bytes, suffix: str) -> None:
    formats = stubs("PDF", "HTML", "SPL")
    for found in read.read_stream(io.BytesIO(data), data, f"f{suffix}", formats):
        assert isinstance(found, Incoming) or "\n" not in str(found)


def test_a_pdf_without_its_library_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "label.pdf").write_bytes(b"%PDF-1.7")
    monkeypatch.setitem(sys.modules, "pdfplumber", None)
    (complaint,) = read_path(tmp_path / "label.pdf")
    assert isinstance(complaint, BadInput)
    assert complaint.expected == "pip install 'pharmakon[pdf]'"


# ── files and folders ──


def test_a_folder_is_read_in_the_order_of_names_without_what_is_hidden(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "z.json").write_text(json.dumps(RECORD))
    (tmp_path / "a.txt").write_bytes(TEXT)
    (tmp_path / "c.md").write_text("---\ndrug: otherin\n---\n# Warnings\n\nCare.")
    (tmp_path / ".hidden.txt").write_bytes(TEXT)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.txt").write_bytes(TEXT)
    assert ids(list(read_path(tmp_path))) == ["label:a-examplin", "label:c-otherin", "label:s-1"]


def test_pictures_and_tables_are_passed_over_in_folders_and_refused_by_name(tmp_path: Path) -> None:
    for name in ("image.jpg", "style.css", "list.csv", "list.tsv"):
        (tmp_path / name).write_bytes(b"a,b\n")
    assert list(read_path(tmp_path)) == []
    (complaint,) = read_path(tmp_path / "list.csv")
    assert isinstance(complaint, BadInput)
    assert complaint.what == "a file of .csv holds no label"


def test_a_path_that_does_not_exist_is_one_line(tmp_path: Path) -> None:
    (complaint,) = read_path(tmp_path / "nothing.xml")
    assert "there is no such file or folder" in str(complaint)


def test_what_can_not_be_read_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "1-empty.txt").write_bytes(b"")
    (tmp_path / "2-noise.bin").write_bytes(bytes(range(256)))
    (tmp_path / "3-cut.json").write_bytes(json.dumps({"results": [RECORD]}).encode()[:-2])
    (tmp_path / "4-other.json").write_text('{"resourceType": "Bundle"}')
    (tmp_path / "5-gbk.txt").write_bytes("药物相互作用".encode("gb18030"))
    (tmp_path / "6-broken.zip").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "7-good.txt").write_bytes(TEXT)
    found = list(read_path(tmp_path))
    assert [one.document.id for one in found if isinstance(one, Incoming)] == ["label:s-1", "label:7-good-examplin"]
    complaints = [str(one) for one in found if isinstance(one, BadInput)]
    assert [c.partition(": ")[0].rpartition("/")[2].partition("-")[0] for c in complaints] == list("123456")
    assert not any("\n" in complaint for complaint in complaints)


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(TEXT)
    (tmp_path / "loop").symlink_to(tmp_path)
    assert len(list(read_path(tmp_path))) == 1


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    for i in range(3):
        (tmp_path / f"{i}.json").write_text(json.dumps({**RECORD, "set_id": f"S-{i}"}))
    assert list(read_path(tmp_path)) == list(read_path(tmp_path))


# ── archives ──


def archive(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in members.items():
            opened.writestr(name, data)
    return path


def test_the_members_of_an_archive_are_read_by_what_they_hold(tmp_path: Path) -> None:
    path = archive(
        tmp_path / "labels.zip",
        **{"a.json": json.dumps({"results": [RECORD]}).encode(), "b/image.jpg": b"x", "b/c.txt": TEXT, "b/d.xml": SPL},
    )
    assert ids(list(read_path(path, stubs("SPL")))) == ["label:s-1", "label:c-examplin", f"! SPL: {len(SPL)}"]


def test_an_openfda_part_in_its_zip_is_read_as_a_stream(tmp_path: Path) -> None:
    records = [{**RECORD, "set_id": f"s-{i}", "warnings": ["word " * 5_000]} for i in range(30)]
    path = archive(tmp_path / "part.json.zip", **{"part.json": json.dumps({"results": records}).encode()})
    sizes: list[int] = []

    def looks(head: bytes, suffix: str) -> bool:
        sizes.append(len(head))
        return suffix == ".json"

    openfda = next(one for one in FORMATS if one.name == "openFDA")
    found = read_path(path, [Format("openFDA", looks, openfda.read)])
    assert ids([next(found)]) == ["label:s-0"]
    assert sizes == [read.HEAD]
    assert len(list(found)) == 29


def test_a_document_of_a_word_processor_is_not_unpacked(tmp_path: Path) -> None:
    path = archive(tmp_path / "label.docx", **{"word/document.xml": SPL})
    (complaint,) = read_path(path)
    assert "holds no label" in str(complaint)


# ── streams ──


class Trickle(io.BytesIO):
    """A stream that gives three bytes at most, as a decompressor may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(3 if size is None or size < 0 else min(size, 3))


@given(st.binary(max_size=50), st.integers(0, 60))
def test_a_look_at_the_beginning_takes_nothing_away(data: bytes, size: int) -> None:
    stream: IO[bytes] = Trickle(data)
    head, whole = peeked(stream, size)
    assert head == data[:size]
    assert whole.read() == data
