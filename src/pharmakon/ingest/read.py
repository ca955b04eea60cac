"""From a path to documents: what a file holds tells its format, its name only where that does not.

Formats stand in one table, in the order in which they are tried. A format's reader is imported when a file needs it, so
that a text is read without the libraries for PDF and HTML. What can't be read is one `BadInput` in its place, and the
other files follow.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pharmakon.ingest.archive import members
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.limits import within_limits
from pharmakon.ingest.streams import NESTED, peeked
from pharmakon.model.errors import BadInput

Documents = Iterable[Incoming | BadInput]

#: Bytes by which a format is told.
HEAD = 65_536
#: Bytes of a file that is read whole; openFDA's parts are larger and are read as streams.
LARGEST = 256 * 1024**2
#: Files that hold no document. In folders and archives they are passed over in silence, since labels come with pictures
#: and styles, and collections with tables; one that is asked for by name is refused.
NO_DOCUMENTS = frozenset(
    (
        *(".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".webp", ".ico", ".mp4"),
        *(".css", ".js", ".xsl", ".xslt", ".xsd", ".dtd", ".py", ".sh"),
        *(".csv", ".tsv", ".xls", ".xlsx", ".ods", ".parquet", ".db", ".sqlite"),
        *(".doc", ".docx", ".odt", ".rtf", ".epub", ".ppt", ".pptx"),
        *(".yaml", ".yml", ".toml", ".ini", ".cfg", ".log", ".md5", ".sha256"),
    )
)
EXPECTED = (
    "an FDA label (SPL or openFDA JSON), a European product information (PDF or HTML), an article (MedQuAD or "
    "MedlinePlus XML), Markdown or text"
)
_JSON = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[\]{])')


@dataclass(frozen=True, slots=True)
class Format:
    """`looks` decides from the first bytes (without a mark of encoding) and the suffix; `read` yields what is in it."""

    name: str
    looks: Callable[[bytes, str], bool]
    read: Callable[[IO[bytes], str], Documents]


def read_path(path: Path, formats: Sequence[Format] | None = None) -> Iterator[Incoming | BadInput]:
    """The documents of a file, an archive, or a folder with all that is in it, in the order of names.

    Hidden files and folders and links to folders are passed over. `formats` are those of this module unless given.
    """
    table = FORMATS if formats is None else formats
    if path.is_dir():
        for found in _files(path):
            if isinstance(found, BadInput):
                yield found
            else:
                yield from _file(found, table, asked=False)
    elif path.is_file():
        yield from _file(path, table, asked=True)
    else:
        what = "this is no file" if path.exists() else "there is no such file or folder"
        yield BadInput(what, where=str(path), expected="a file or folder that exists")


def _files(folder: Path) -> Iterator[Path | BadInput]:
    closed: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=closed.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(place, name) for name in sorted(files) if not name.startswith("."))
        yield from (path for path in paths if path.is_file())
    for error in closed:
        yield BadInput(f"can't be opened ({error.strerror})", where=str(error.filename), expected="a readable folder")


def _file(path: Path, formats: Sequence[Format], *, asked: bool) -> Iterator[Incoming | BadInput]:
    if _suffix(path.name) in NO_DOCUMENTS:
        if asked:
            yield BadInput(f"a file of {_suffix(path.name)} holds no label", where=str(path), expected=EXPECTED)
        return
    try:
        with path.open("rb") as stream:
            head, whole = peeked(stream, HEAD)
            if not _is_zip(head):
                yield from read_stream(whole, head, str(path), formats)
                return
    except OSError as error:
        yield BadInput(f"can't be read ({error.strerror})", where=str(path), expected="a file that can be opened")
        return
    yield from _archive(path, formats)


def _archive(path: Path, formats: Sequence[Format]) -> Iterator[Incoming | BadInput]:
    for member in members(path):
        if isinstance(member, BadInput):
            yield member
        elif _suffix(member.name) not in NO_DOCUMENTS and not member.name.rpartition("/")[2].startswith("."):
            try:
                head, whole = peeked(member.stream, HEAD)
                yield from read_stream(whole, head, member.name, formats)
            except BadInput as error:  # the member turns out to be broken while it is read
                yield error


def read_stream(stream: IO[bytes], head: bytes, where: str, formats: Sequence[Format]) -> Iterator[Incoming | BadInput]:
    """The documents of one file; `head` is how it begins, `stream` all of it."""
    if not head.strip(b"\0\t\n\r "):
        yield BadInput("the file is empty", where=where, expected=EXPECTED)
        return
    bare = head.removeprefix(b"\xef\xbb\xbf")
    found = next((one for one in formats if one.looks(bare, _suffix(where))), None)
    if found is None:
        yield BadInput(_unknown(bare), where=where, expected=EXPECTED)
        return
    try:
        for incoming in found.read(stream, where):
            yield incoming if isinstance(incoming, BadInput) else within_limits(incoming, where)
    except BadInput as error:
        yield error


def _unknown(head: bytes) -> str:
    if _JSON.match(head):
        return "this is JSON, but no label"
    return "this is no text" if b"\0" in head else "no format that is known, and no text with the headings of a label"


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].casefold()


def _is_zip(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def _whole(stream: IO[bytes], where: str) -> bytes:
    data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise BadInput("the file is too large", where=where, expected=f"at most {LARGEST // 1024**2} MB")
    return data


# ── what the formats look like ─────────────────────────────────────────────────────────────────────────────────────


def _is_pdf(head: bytes, suffix: str) -> bool:
    return b"%PDF-" in head[:1024] or suffix == ".pdf"


def _is_html(head: bytes, suffix: str) -> bool:
    start = head[:1024].lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html")) or b"<html" in start or suffix in (".html", ".htm", ".xhtml")


def _is_xml(head: bytes, suffix: str) -> bool:
    return head.lstrip().startswith(b"<?xml") or b"urn:hl7-org:v3" in head or suffix == ".xml"


def _is_answers(head: bytes, _suffix: str) -> bool:
    return b"<QAPair" in head and b"<Document" in head


def _is_topics(head: bytes, _suffix: str) -> bool:
    return re.search(rb"<health-topics?[\s>]", head) is not None


def _is_label_sections(head: bytes, _suffix: str) -> bool:
    return _JSON.match(head) is not None and _keys_of_first(head) == {"drug", "section", "text"}


def _is_openfda(head: bytes, suffix: str) -> bool:
    """JSON whose keys are those of openFDA, or that tells nothing in its first bytes; other JSON is no label."""
    if _JSON.match(head) is None:
        return suffix == ".json"
    return not _keys_of_first(head) & {"resourceType", "patient", "medications", "hook"}


def _keys_of_first(head: bytes) -> frozenset[str]:
    """The keys of the first object of a JSON text, its own or of the list that it begins."""
    if NESTED.search(head):
        return frozenset()
    start = head.lstrip().lstrip(b"[").lstrip()
    try:
        found, _ = json.JSONDecoder().raw_decode(start.decode("utf-8", "ignore"))
    except (ValueError, RecursionError):
        return frozenset(
            key.decode("ascii", "ignore") for key in re.findall(rb'[{,]\s*"([A-Za-z_]+)"\s*:', start[:512])
        )
    return frozenset(found) if isinstance(found, dict) else frozenset()


def _is_markdown(head: bytes, suffix: str) -> bool:
    if suffix in (".md", ".markdown"):
        return True
    front = re.match(rb"---[ \t]*\r?\n(?:[\w -]+:.*\r?\n)+---", head)
    headings = re.findall(rb"(?m)^#{1,6} (?!\s*[\w ]+:)\S", head)
    return suffix in (".txt", "") and (front is not None or len(headings) > 1)


def _is_text(head: bytes, suffix: str) -> bool:
    """A text by its name; one with another name needs a heading of a label, so that a licence is none."""
    if suffix in (".txt", ".text"):
        return True
    if b"\0" in head:
        return False
    from pharmakon.ingest.formats.plaintext import has_sections

    return has_sections(head.decode("utf-8", "replace"))


# ── the readers, imported when they are needed ─────────────────────────────────────────────────────────────────────


def _read_pdf(stream: IO[bytes], where: str) -> Documents:
    from pharmakon.ingest.formats.pdf import read_pdf  # says what to install where its own library is missing

    return [read_pdf(_whole(stream, where), where)]


def _read_html(stream: IO[bytes], where: str) -> Documents:
    from pharmakon.ingest.formats.html import read_html

    return [read_html(_whole(stream, where), where)]


def _read_answers(stream: IO[bytes], where: str) -> Documents:
    from pharmakon.ingest.formats.encyclopaedia import read_answers

    return [read_answers(_whole(stream, where), where)]


def _read_topics(stream: IO[bytes], where: str) -> Documents:
    from pharmakon.ingest.formats.encyclopaedia import read_topics

    return read_topics(_whole(stream, where), where)


def _read_spl(stream: IO[bytes], where: str) -> Documents:
    from pharmakon.ingest.formats.spl import read_spl

    return [read_spl(_whole(stream, where), where)]


def _read_label_sections(stream: IO[bytes], where: str) -> Documents:
    from pharmakon.ingest.formats.label_sections import read_label_sections

    return read_label_sections(_whole(stream, where), where)


def _read_openfda(stream: IO[bytes], where: str) -> Documents:
    from pharmakon.ingest.formats.openfda import read_openfda

    return read_openfda(stream, where)


def _read_markdown(stream: IO[bytes], where: str) -> Documents:
    from pharmakon.ingest.formats.markdown import read_markdown

    return [read_markdown(_whole(stream, where), where)]


def _read_text(stream: IO[bytes], where: str) -> Documents:
    from pharmakon.ingest.formats.plaintext import read_plaintext

    return [read_plaintext(_whole(stream, where), where)]


FORMATS = (
    Format("PDF", _is_pdf, _read_pdf),
    Format("HTML", _is_html, _read_html),
    Format("questions with answers", _is_answers, _read_answers),
    Format("health topics", _is_topics, _read_topics),
    Format("SPL", _is_xml, _read_spl),
    Format("sections as rows", _is_label_sections, _read_label_sections),
    Format("openFDA", _is_openfda, _read_openfda),
    Format("Markdown", _is_markdown, _read_markdown),
    Format("text", _is_text, _read_text),
)
