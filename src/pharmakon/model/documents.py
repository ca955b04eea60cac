"""Documents and what may be quoted from them.

Offsets count code points of a section's text; `end` is exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pharmakon.model.errors import RefusedEvidence

#: The proposer of what a person has written.
BY_HAND = "curator"


@dataclass(frozen=True, slots=True)
class Section:
    """One section's own text, without that of its subsections, which follow it with a higher `level`.

    `text` holds paragraphs and list items on lines of their own; a table is a line for each row, its cells parted by
    " | ", each cell of the body led by its column's header ("Interacting agent: cyclosporine | Advice: avoid").
    """

    ord: int
    kind: str  #: a key of the vocabulary's section kinds
    heading: str
    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Document:
    """`version` is the publisher's version number, else its document id, else the content hash."""

    id: str
    version: str
    kind: str  #: "our statement" for a monograph, "label", ...
    lang: str
    title: str
    hash: str
    sections: tuple[Section, ...]
    dated: str = ""  #: since when this version holds, as far as the publisher says: "2014-06-16", "2014-06"


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a fact of ours is published, and whether the author had it open."""

    title: str
    reference: str  #: set id, DOI or another identifier of the publication
    section: str  #: section kind
    locator: str  #: the publication's own numbering, such as 7.2; may be empty
    url: str
    read: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """One quotation (Π of PG-2.1): document, version, section, exact text, span; with who proposed it."""

    document: str
    version: str
    kind: str  #: the document's kind
    section: str  #: section kind
    ord: int  #: the section's place in the document
    start: int
    end: int
    quote: str
    proposer: str  #: curator, pattern, or a model's name
    citation: Citation | None = None
    title: str = ""  #: of the document
    dated: str = ""  #: of the document's version

    @property
    def by_hand(self) -> bool:
        """Whether a person wrote the statement this is evidence for."""
        return self.proposer == BY_HAND

    def __hash__(self) -> int:
        """By place: two pieces of evidence at one place differ in their citation at most."""
        return hash((self.document, self.version, self.ord, self.start))


class _Quotable(Protocol):
    @property
    def text(self) -> str: ...


def check_quote(section: _Quotable | None, evidence: Evidence) -> None:
    """Raise `RefusedEvidence` unless the quotation stands, character for character, at its span (KB-3)."""
    place = f"{evidence.document} {evidence.version}, section {evidence.ord}"
    if section is None:
        raise RefusedEvidence(f"{place}: there is no such section")
    if not evidence.quote.strip():
        raise RefusedEvidence(f"{place}: an empty quotation supports nothing")
    if section.text[evidence.start : evidence.end] != evidence.quote or evidence.start < 0:
        raise RefusedEvidence(f"{place}: {evidence.quote[:60]!r} does not stand at {evidence.start}-{evidence.end}")
