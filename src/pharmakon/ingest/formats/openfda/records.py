"""openFDA's download files as a stream of records: a part of a gigabyte is read with the memory of one label."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

import ijson  # type: ignore[import-untyped]

from pharmakon.ingest.formats.openfda.products import own_names, read_products
from pharmakon.ingest.formats.openfda.sections import read_sections
from pharmakon.ingest.formats.outline import text_hash
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.streams import NESTED, peeked
from pharmakon.ingest.topics import by_field
from pharmakon.model.concepts import fold
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput
from pharmakon.model.products import Product

KIND = "label"
_EXPECTED = 'openFDA drug labels: {"results": [...]}, a list of records, or one record'
_HEAD = 65_536  #: bytes in which it must show whether a file holds `results`
#: As many records that are no labels, and no label before them, make a file one of something else.
_STRANGERS = 3
_BOM = b"\xef\xbb\xbf"


_DIGITS = 1000
_ENDLESS = re.compile(rb"\d{%d}" % (_DIGITS + 1))


class NoLabel(BadInput):
    """A record of something else."""


def read_openfda(stream: IO[bytes], where: str) -> Iterator[Incoming | BadInput]:
    """One `Incoming` for each record of a file, in order; `where` is what complaints call the file.

    `stream` is read once, from where it stands. A record that is no label is refused alone; where the file itself ends
    too early or is broken, what stood before has come in and one complaint follows.
    """
    seen, labels = 0, 0
    strangers: list[BadInput] = []  # what is no label, until the first label shows that this is openFDA's file
    try:
        for seen, record in enumerate(_records(stream), 1):
            try:
                incoming = read_record(record, f"{where}, record {seen}")
            except NoLabel as error:
                strangers.append(error)
                if not labels and len(strangers) == _STRANGERS:
                    break
            except BadInput as error:
                labels += 1
                yield error
            else:
                labels += 1
                yield incoming
            if labels:
                yield from strangers
                strangers.clear()
    except (ijson.JSONError, UnicodeDecodeError) as error:
        after = f" after {seen} records" if seen else ""
        yield BadInput(f"{_why(error)}{after}", where=where, expected=_EXPECTED)
        return
    if not labels:
        what = "its records are no labels" if strangers else "no records"
        yield BadInput(what, where=where, expected=_EXPECTED)


def read_record(record: object, where: str) -> Incoming:
    """One record as a document. Its id is that of the set; its version the publisher's number, else the label's own id.

    `id` changes with every version of a label and with nothing else, so it stands in where the number was left out; a
    record without either is known by the hash of its text. BadInput: what is no label of a drug for people.
    """
    if not isinstance(record, Mapping):
        raise NoLabel(f"a record is {type(record).__name__}", where=where, expected="an object with sections")
    if not _is_label(record):
        expected = "set_id and sections such as indications_and_usage"
        raise NoLabel("no openFDA drug label", where=where, expected=expected)
    block = record.get("openfda")
    kinds = block.get("product_type") if isinstance(block, Mapping) else None
    if any("ANIMAL" in str(kind).upper() for kind in kinds or ()):
        raise BadInput("a label of a drug for animals", where=where, expected="a label of a drug for people")
    products, noticed = read_products(record)
    sections, remarks = read_sections(record, own_names(products))
    if not any(section.text for section in sections):
        raise BadInput("the label has no text", where=where, expected="sections with text")
    digest = text_hash(sections)
    label_id, set_id = (str(record.get(key) or "").lower() for key in ("id", "set_id"))
    identity = set_id or label_id or digest
    if not set_id and not label_id:
        noticed.append("identity: neither set_id nor id; the label is known by its text")
    version = str(record.get("version") or "") or label_id or digest
    document = Document(f"label:{identity}", version, KIND, "en", _title(products, identity), digest, tuple(sections))
    return Incoming(document, products, (*noticed, *remarks), _day(record.get("effective_time")))


def _day(written: object) -> str:
    """ "20160126" as "2016-01-26"; "" for what is no date."""
    digits = str(written or "")[:8]
    if not re.fullmatch(r"\d{4}(?:\d\d)?(?:\d\d)?", digits):
        return ""
    return "-".join(part for part in (digits[:4], digits[4:6], digits[6:]) if part)


def _is_label(record: Mapping[str, object]) -> bool:
    if isinstance(record.get("openfda"), Mapping):
        return True
    return any(by_field(key) and isinstance(value, list) for key, value in record.items())


def _title(products: Sequence[Product], identity: str) -> str:
    for product in products:
        if product.name and product.generic and fold(product.generic) != fold(product.name):
            return f"{product.name} ({product.generic.lower()})"
        if product.name or product.generic:
            return product.name or product.generic
    return f"label {identity}"


class _Plain:
    """A stream without what the parser dies of: numbers beyond the digits that Python allows, endless nesting."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._end = b""

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        if _ENDLESS.search(self._end + data):
            raise ijson.JSONError(f"a number of more than {_DIGITS} digits")
        if NESTED.search(data):
            raise ijson.JSONError("lists or objects are nested too deep")
        self._end = (self._end + data)[-_DIGITS:]
        return data


def _records(stream: IO[bytes]) -> Iterator[Any]:
    """The records of a file in any of its forms, one after the other; NDJSON is a row of single records."""
    head, again = peeked(stream, _HEAD)
    if head.startswith(_BOM):
        head = head.removeprefix(again.read(len(_BOM)))
    plain = _Plain(again)
    first = head.lstrip()[:1]
    if first == b"[":
        yield from ijson.items(plain, "item", use_float=True)
    elif _has_results(head):
        yield from ijson.items(plain, "results.item", use_float=True)
    else:
        for value in ijson.items(plain, "", use_float=True, multiple_values=True):
            results = value.get("results") if isinstance(value, dict) else None
            yield from results if isinstance(results, list) else [value]


def _has_results(head: bytes) -> bool:
    try:
        return any(event[:2] == ("results", "start_array") for event in ijson.parse(_Plain(io.BytesIO(head))))
    except ijson.JSONError:
        return False  # the end of the head, and no results in it


def _why(error: Exception) -> str:
    """The parser's complaint on one line, without its drawing of the place."""
    first = str(error).strip().partition("\n")[0]
    if isinstance(error, ijson.IncompleteJSONError) and re.search("premature|incomplete", first, re.IGNORECASE):
        return "the file is cut off"
    if "UTF8" in first or isinstance(error, UnicodeDecodeError):
        return "the file is not UTF-8"
    return f"no valid JSON ({first.removeprefix('parse error: ').removeprefix('lexical error: ')})"
