"""From bytes to a tree that can be trusted: no entities, no network, no more than a cap; and steps in that tree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from lxml import etree

from pharmakon.model.errors import BadInput
from pharmakon.model.tables import read_table

Element = etree._Element
SIZE_CAP = 64 * 1024 * 1024  #: bytes; the largest label of DailyMed is about a fifth of it
NAMESPACE = "urn:hl7-org:v3"
_WITHOUT_END = (etree.ErrorTypes.ERR_RESOURCE_LIMIT, etree.ErrorTypes.ERR_ENTITY_LOOP)
_V3 = f"{{{NAMESPACE}}}"


@cache
def knowledge() -> dict[str, Any]:
    """What the reader knows besides the vocabulary: `spl.toml`."""
    return read_table(__package__, "spl.toml")


def parse(data: bytes, where: str, *, doctype: bool = False) -> Element:
    """The root of a document; BadInput for what is no XML, is cut off, is too large or declares entities.

    `doctype`: the file may name a document type that it declares nothing of itself; that is not looked up.
    """
    if len(data) > SIZE_CAP:
        raise BadInput(
            f"{len(data) / 1024 / 1024:.0f} MB are too many for a label",
            where=where,
            expected=f"at most {SIZE_CAP // 1024 // 1024} MB",
        )
    if not data.strip(b"\0\t\n\r "):
        raise BadInput("the file is empty", where=where, expected="an XML document")
    # huge_tree stays off: libxml2's own limits on text and on the growth of entities are far above any label
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        at = f"{where}, line {line}" if line else where
        if getattr(error, "code", None) in _WITHOUT_END:
            raise BadInput("elements or entities nest without end", where=at, expected="XML of a label") from None
        what = " ".join(str(error).partition(", line")[0].split())
        raise BadInput(what[:200], where=at, expected="well-formed XML") from None
    declared: Any = root.getroottree().docinfo.internalDTD
    if declared is not None and not (doctype and not declared.entities() and not declared.elements()):
        raise BadInput(
            "a document type is declared, which could define entities", where=where, expected="XML without <!DOCTYPE"
        )
    return root


@cache
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def local(element: Element) -> str:
    """An element's name without namespace."""
    return _local(element.tag)


def words(element: Element) -> str:
    """All text inside an element, as it stands in the file."""
    return "".join(piece for piece in element.itertext() if isinstance(piece, str))


@cache
def _tags(names: str) -> tuple[str, ...]:
    return tuple(f"{{*}}{name}" for name in names.split("|"))


def children(element: Element, *path: str) -> Iterator[Element]:
    """Descendants along `path`, one level for each name; "a|b" stands for either name."""
    if not path:
        return iter((element,))
    inner = element.iterchildren(*_tags(path[0]))
    return (found for child in inner for found in children(child, *path[1:])) if len(path) > 1 else inner


def child(element: Element, *path: str) -> Element | None:
    """The first descendant along `path`."""
    return next(children(element, *path), None)


def attribute(element: Element, name: str, *path: str) -> str:
    """An attribute of the first descendant along `path` that has it, stripped; "" where there is none."""
    return next((value for e in children(element, *path) if (value := (e.get(name) or "").strip())), "")


def is_label_root(root: Element) -> bool:
    return root.tag == f"{_V3}document"
