"""Zips: what they hold is given out one by one, and what is made to harm is refused in a line."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pharmakon.ingest import archive
from pharmakon.ingest.archive import Member, members
from pharmakon.model.errors import BadInput
from tests.shared_data import shared

NOISE = random.Random(7).randbytes(5000)  # nothing makes it smaller


def packed(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return buffer.getvalue()


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Archives are named by the path that was given: here it is short."""
    monkeypatch.chdir(tmp_path)


def saved(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def contents(found: Iterable[Member | BadInput]) -> list[tuple[str, bytes] | str]:
    """What each member holds, or the complaint in its place."""
    seen: list[tuple[str, bytes] | str] = []
    for one in found:
        if isinstance(one, BadInput):
            seen.append(str(one))
            continue
        try:
            seen.append((one.name, one.read(1024**3)))
        except BadInput as error:
            seen.append(str(error))
    return seen


def only_complaint(found: Iterable[Member | BadInput]) -> str:
    (one,) = contents(found)
    assert isinstance(one, str)
    assert "\n" not in one
    return one


def test_files_are_given_out_in_order_under_the_name_of_their_archive(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.zip", packed({"x/b.xml": b"<b/>", "a.xml": b"<a/>", "x/": b""}))
    assert contents(members(path)) == [("a.zip/x/b.xml", b"<b/>"), ("a.zip/a.xml", b"<a/>")]


def test_a_release_of_dailymed_gives_the_label_of_each_zip_in_it_and_no_pictures(tmp_path: Path) -> None:
    labels = {
        f"prescription/2024_{i}.zip": packed({f"{i}.xml": f"<l{i}/>".encode(), f"{i}.jpg": NOISE}) for i in range(3)
    }
    path = saved(tmp_path / "release.zip", packed(labels, zipfile.ZIP_STORED))
    assert contents(members(path, (".xml",))) == [
        (f"release.zip/prescription/2024_{i}.zip/{i}.xml", f"<l{i}/>".encode()) for i in range(3)
    ]


def test_a_refused_member_is_named_with_the_path_of_its_archive_and_the_folders_in_it(tmp_path: Path) -> None:
    (tmp_path / "labels" / "2026").mkdir(parents=True)
    data = packed({"part1/inner.zip": packed({"x/y/../../../a.xml": b"<a/>"})}, zipfile.ZIP_STORED)
    path = saved(tmp_path / "labels" / "2026" / "release.zip", data)
    complaint = only_complaint(members(path))
    assert complaint.startswith("labels/2026/release.zip/part1/inner.zip/x/y/../../../a.xml: its name leads out")


def test_a_member_with_an_endless_name_is_named_by_its_beginning_and_its_end(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.zip", packed({f"../{'x' * 60_000}.xml": b"<a/>"}))
    complaint = only_complaint(members(path))
    assert len(complaint) < 600
    assert complaint.startswith("a.zip/../xxx")
    assert "xxx.xml: its name" in complaint


def test_a_member_is_a_stream_that_need_not_be_read_at_once(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.zip", packed({"a.json": NOISE * 100}))
    for member in members(path):
        assert isinstance(member, Member)
        assert member.size == len(NOISE) * 100
        assert member.stream.read(7) == NOISE[:7]
        assert member.stream.read(3) == NOISE[7:10]


def test_reading_whole_is_refused_beyond_what_the_reader_can_take(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.zip", packed({"a.xml": NOISE * 1000}, zipfile.ZIP_STORED))
    for member in members(path):
        assert isinstance(member, Member)
        with pytest.raises(BadInput, match=r"5 MB unpacked; expected at most 1 MB"):
            member.read(1024**2)


def test_suffixes_count_in_any_case(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.zip", packed({"A.XML": b"<a/>", "INNER.ZIP": packed({"b.Xml": b"<b/>"})}))
    assert contents(members(path, (".xml",))) == [("a.zip/A.XML", b"<a/>"), ("a.zip/INNER.ZIP/b.Xml", b"<b/>")]


def test_what_macos_adds_is_passed_over(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.zip", packed({"__MACOSX/a.xml": NOISE, "._a.xml": NOISE, "a.xml": b"<a/>"}))
    assert contents(members(path, (".xml",))) == [("a.zip/a.xml", b"<a/>")]


def test_an_archive_with_nothing_to_read_says_so(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.zip", packed({"a.jpg": NOISE}))
    assert only_complaint(members(path, (".xml",))) == (
        "a.zip: there is nothing in it to read; expected a file that ends in .xml"
    )
    assert "nothing in it" in only_complaint(members(saved(tmp_path / "b.zip", packed({}))))


@pytest.mark.parametrize("data", [b"", b"no zip at all", packed({"a.xml": NOISE})[:-30]])
def test_what_is_no_zip_or_is_cut_off_is_refused(tmp_path: Path, data: bytes) -> None:
    assert "a.zip: is no zip file or is cut off" in only_complaint(members(saved(tmp_path / "a.zip", data)))


def test_a_file_that_is_not_there_is_a_complaint(tmp_path: Path) -> None:
    assert "can't be opened" in only_complaint(members(tmp_path / "none.zip"))


def test_a_broken_zip_in_a_zip_is_refused_and_the_others_are_read(tmp_path: Path) -> None:
    inner = {"a.zip": b"PK?", "b.zip": packed({"b.xml": b"<b/>"})}
    broken, read = contents(members(saved(tmp_path / "o.zip", packed(inner)), (".xml",)))
    assert isinstance(broken, str)
    assert broken.startswith("o.zip/a.zip: is no zip file")
    assert read == ("o.zip/b.zip/b.xml", b"<b/>")


def test_damage_inside_a_member_is_a_complaint_of_its_reader_and_the_next_is_read(tmp_path: Path) -> None:
    data = bytearray(packed({"a.xml": NOISE, "b.xml": b"<b/>"}, zipfile.ZIP_STORED))
    data[100] ^= 0xFF
    broken, read = contents(members(saved(tmp_path / "a.zip", bytes(data))))
    assert isinstance(broken, str)
    assert "a.zip/a.xml: can't be unpacked (Bad CRC-32" in broken
    assert read == ("a.zip/b.xml", b"<b/>")


@pytest.mark.parametrize(
    "name", ["../a.xml", "x/../../a.xml", "/etc/a.xml", "C:/a.xml", "..\\a.xml", "\\\\host\\s\\a.xml"]
)
def test_a_name_that_leads_out_of_the_archive_is_refused(tmp_path: Path, name: str) -> None:
    complaint = only_complaint(members(saved(tmp_path / "a.zip", packed({name: b"<a/>"}))))
    assert "its name leads out of the archive" in complaint


def test_a_member_without_a_name_is_refused(tmp_path: Path) -> None:
    data = packed({"X.xml": b"<a/>"}).replace(b"X.xml", b"\0.xml")  # a name ends at a zero
    assert "its name leads out of the archive" in only_complaint(members(saved(tmp_path / "a.zip", data)))


def test_a_name_with_a_line_break_still_makes_a_complaint_of_one_line(tmp_path: Path) -> None:
    assert "../a?b.xml" in only_complaint(members(saved(tmp_path / "a.zip", packed({"../a\nb.xml": b"<a/>"}))))


def test_a_link_is_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("a.xml")
    info.external_attr = 0o120777 << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        made.writestr(info, "/etc/passwd")
    assert "is a link" in only_complaint(members(saved(tmp_path / "a.zip", buffer.getvalue())))


def test_an_encrypted_member_is_refused_and_the_others_are_read(tmp_path: Path) -> None:
    data = bytearray(packed({"a.xml": b"<a/>", "b.xml": b"<b/>"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1  # the flag of the first entry of the directory
    refused, read = contents(members(saved(tmp_path / "a.zip", bytes(data))))
    assert isinstance(refused, str)
    assert refused == "a.zip/a.xml: is encrypted; expected a member without a password"
    assert read == ("a.zip/b.xml", b"<b/>")


def test_a_member_that_grows_out_of_all_proportion_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.zip", packed({"bomb.xml": bytes(20 * 1024**2), "a.xml": b"<a/>"}))
    bomb, read = contents(members(path))
    assert isinstance(bomb, str)
    assert "as in a zip bomb" in bomb
    assert read == ("a.zip/a.xml", b"<a/>")


def test_many_members_that_each_stay_in_bounds_are_refused_together(tmp_path: Path) -> None:
    blank = bytes(archive.SMALL)  # a thousandfold each, and small enough to pass one by one
    found = contents(members(saved(tmp_path / "a.zip", packed({f"{i}.xml": blank for i in range(40)}))))
    refused = [one for one in found if isinstance(one, str)]
    assert refused
    assert all("unpacks to too much" in one for one in refused)


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    one = packed({"a.xml": NOISE}, zipfile.ZIP_STORED)
    entry = one[one.index(b"PK\x01\x02") : one.index(b"PK\x05\x06")]
    end = bytearray(one[one.index(b"PK\x05\x06") :])
    end[8:12] = (3).to_bytes(2, "little") * 2
    end[12:16] = (3 * len(entry)).to_bytes(4, "little")
    path = saved(tmp_path / "a.zip", one[: one.index(b"PK\x01\x02")] + entry * 3 + bytes(end))
    assert "its members overlap" in only_complaint(members(path))


def test_a_member_larger_than_any_file_of_labels_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST", 3 * 1024**2)
    path = saved(tmp_path / "a.zip", packed({"a.json": NOISE * 1000}, zipfile.ZIP_STORED))
    assert "5 MB unpacked; expected at most 3 MB" in only_complaint(members(path))


def test_zips_in_zips_in_zips_come_to_an_end(tmp_path: Path) -> None:
    data = packed({"a.xml": b"<a/>"})
    for _ in range(archive.DEEPEST - 1):
        data = packed({"a.zip": data}, zipfile.ZIP_STORED)
    assert contents(members(saved(tmp_path / "a.zip", data))) == [("a.zip/a.zip/a.zip/a.xml", b"<a/>")]
    deeper = packed({"a.zip": data}, zipfile.ZIP_STORED)
    assert "is a zip in 3 zips" in only_complaint(members(saved(tmp_path / "b.zip", deeper)))


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=6)
)
def test_whatever_is_damaged_in_a_zip_ends_in_members_or_complaints(
    tmp_path: Path, changes: list[tuple[int, float, int]]
) -> None:
    inner = bytearray(packed({"a.xml": b"<a/>" * 50}))
    outer: bytearray = inner
    for level in (0, 1):
        for _, place, byte in (change for change in changes if change[0] == level):
            outer[int(place * len(outer))] = byte
        outer = outer if level else bytearray(packed({"a.zip": bytes(inner), "b.xml": b"<b/>"}, zipfile.ZIP_STORED))
    for one in contents(members(saved(tmp_path / "a.zip", bytes(outer)))):
        assert isinstance(one, tuple) or "\n" not in one


def test_a_real_zip_of_dailymed_holds_one_label() -> None:
    (label,) = contents(members(shared("spl-labels", "dailymed-zip-otc.zip"), (".xml",)))
    assert not isinstance(label, str)
    assert label[0].endswith(".xml")
    assert b"urn:hl7-org:v3" in label[1]
