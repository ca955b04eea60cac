"""Headings and lines of a text, as readers of plain text and Markdown find them, put together to a document."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from pharmakon.ingest.formats.inline_headings import precaution_code
from pharmakon.ingest.formats.label_kinds import label_kinds
from pharmakon.ingest.incoming import Guess, Incoming
from pharmakon.ingest.topics import OTHER, topic
from pharmakon.model.concepts import fold, is_han
from pharmakon.model.documents import Document, Section
from pharmakon.model.errors import BadInput
from pharmakon.model.products import Product

KIND = "label"
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
#: How a boxed warning is headed.
BOX = re.compile(r"(?:BOXED )?WARNINGS?: ?\S|BOXED WARNING")
#: A text with this share of Chinese characters is Chinese.
_CHINESE = 0.2
EXPECTED = 'a first line "# drug: NAME", headings such as Contraindications'
UNKNOWN_DRUG = 'product: nothing says which drug the text is about; a first line "# drug: NAME" would'


@dataclass(slots=True)
class _Open:
    kind: str
    heading: str
    level: int  #: among the sections of the document
    written: int  #: of the heading in the text, which may begin deeper and skip
    lines: list[str] = field(default_factory=list)


class Outline:
    """Takes headings and lines in their order. `level` 1 is the outermost heading."""

    def __init__(self) -> None:
        self._all: list[_Open] = []
        self._path: list[_Open] = []

    def heading(self, level: int, text: str) -> None:
        self._path = [above for above in self._path if above.written < level]
        parent = self._path[-1] if self._path else None
        # sections of one level may not skip one: "7.1" in a text without "7" stands on level 1
        opened = _Open(self._kind(text, parent), text, parent.level + 1 if parent else 1, level)
        self._all.append(opened)
        self._path.append(opened)

    def line(self, text: str) -> None:
        text = text.strip()
        if not text:
            return
        if not self._path:
            self._all.append(_Open(OTHER, "", 1, 1))
            self._path.append(self._all[-1])
        self._path[-1].lines.append(text)

    @property
    def kind(self) -> str:
        """The topic of the section that lines go to now."""
        return self._path[-1].kind if self._path else ""

    def sections(self) -> tuple[Section, ...]:
        """The sections. A heading that nothing follows is a line of the section it stands in: it is what that says."""
        kept: list[_Open] = []
        for i, section in enumerate(self._all):
            deeper = i + 1 < len(self._all) and self._all[i + 1].level > section.level
            above = next((k for k in reversed(kept) if k.level < section.level), None)
            if section.lines or deeper:
                kept.append(section)
            elif above is not None:
                (kept[-1] if kept[-1].level >= section.level and kept[-1].kind == section.kind else above).lines.append(
                    section.heading
                )
            else:
                kept.append(_Open(section.kind, "", section.level, section.written, [section.heading]))
        return tuple(Section(i, s.kind, s.heading, "\n".join(s.lines), s.level) for i, s in enumerate(kept))

    def _kind(self, heading: str, parent: _Open | None) -> str:
        if parent is None and BOX.match(heading):
            return "boxed_warning"
        above = parent.kind if parent is not None and parent.kind != OTHER else ""
        found = topic(precaution_code(heading) if parent is not None else "", heading, above)
        if found == OTHER and heading.isupper():  # "4 C O NTRAINDICATIONS"
            return topic("", heading.replace(" ", ""), above)
        return found


def incoming(
    sections: Sequence[Section],
    products: Sequence[Product],
    where: str,
    *,
    title: str = "",
    set_id: str = "",
    version: str = "",
    lang: str = "",
    remarks: Sequence[str] = (),
    effective: str = "",
    guessed_by: str | None = None,
) -> Incoming:
    """A text as a document; `where` is its path, `guessed_by` what its product was taken from where nothing states it.

    It is known by its set id: the one given, else the file's name where that is one; else by the file's name and the
    drug, so that the files "label.txt" of two folders are two documents. Without a version its hash is the version.
    """
    if not any(section.text for section in sections):
        raise BadInput("the text has no words", where=where, expected="text with headings")
    if not products and all(section.kind == OTHER for section in sections):
        what = "neither a drug nor a section of a label is named in it"
        raise BadInput(what, where=where, expected=EXPECTED)
    try:
        "".join((title, *(p.name + p.generic for p in products))).encode()
        digest = text_hash(sections)
    except UnicodeEncodeError:
        raise BadInput("half a character stands in the text (a lone surrogate)", where=where, expected="text") from None
    stem = PurePath(where).name.partition(".")[0]
    found = _UUID.search(set_id or stem)
    drug = products[0].name if products else ""
    named = "-".join(part for part in (_slug(stem), _slug(drug)) if part)
    identity = found[0].lower() if found else _slug(set_id) or named or digest
    noticed = list(remarks) if products else [*remarks, UNKNOWN_DRUG]
    document = Document(
        f"label:{identity}",
        version or digest,
        KIND,
        lang or language(sections),
        title or (_title(products[0]) if products else stem or "text"),
        digest,
        tuple(sections),
    )
    guess = None if guessed_by is None else Guess(where, guessed_by if products else "", label_kinds(sections))
    return Incoming(document, tuple(products), tuple(noticed), effective, guess)


def text_hash(sections: Sequence[Section]) -> str:
    """The same for the same headings and texts."""
    return hashlib.sha256("\x00".join(t for s in sections for t in (s.heading, s.text)).encode()).hexdigest()


def _title(product: Product) -> str:
    different = product.generic and fold(product.generic) != fold(product.name)
    return f"{product.name} ({product.generic})" if different else product.name


def _slug(text: str) -> str:
    return "-".join(fold(text).split())


def language(sections: Sequence[Section]) -> str:
    """English or, by its characters, Chinese."""
    letters = [c for s in sections for c in s.text if c.isalpha()]
    return "zh" if letters and sum(map(is_han, letters)) > _CHINESE * len(letters) else "en"
