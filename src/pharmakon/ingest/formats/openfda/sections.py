"""The texts of a record as the tree of sections they were before openFDA flattened it.

A subsection with a field of its own stands in its parent's text again; it is found there word for word and counted
once. One without is found by its number or heading (`inline_headings`). A table stands in the text as a run of words,
and again as HTML: its words make way for its rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cache

from pharmakon.ingest.formats.inline_headings import Cut, heading_end, named, numbered, repeated
from pharmakon.ingest.formats.openfda.knowledge import Field, field, is_section
from pharmakon.ingest.formats.openfda.tables import Placed, Table, place, read_tables
from pharmakon.ingest.formats.openfda.values import texts as texts_of
from pharmakon.ingest.topics import OTHER, by_field, topic
from pharmakon.model.documents import Section
from pharmakon.model.vocabulary import section_kinds

#: What is shorter is no section of its own inside another text: it would be found by accident.
_SHORTEST = 3  # words
_LEADING_NUMBER = re.compile(r"(\d+(?:\.\d+)*)\.?\s+(?=[A-Z(“\"])")
_CAPITALS = re.compile(r"(?:(?:[^\sa-z]+|and|or|of|in|the|with|for) )*[^\sa-z]*[A-Z][^\sa-z]*(?=\s|$)")
_ITEM = re.compile(r" (?=[•●○▪■◦‣] )")


def read_sections(record: Mapping[str, object], names: Sequence[str] = ()) -> tuple[list[Section], list[str]]:
    """The sections of a record in the order of print, and remarks. `names` are those of the label's own drug."""
    texts = [_Text(field(key), text) for key in record if is_section(key) for text in texts_of(record, key)]
    tables = [table for key in record if key.endswith("_table") for table in read_tables(record[key], key[:-6])]
    writer = _Writer({table.words: table for table in tables}, names)
    for root in sorted(_nest(texts), key=lambda text: text.field.place):
        writer.text(root, level=1, parent="")
    writer.tables_without_place()
    return writer.sections(), writer.remarks


@dataclass(slots=True)
class _Text:
    """One text of a record; `inside` are the others that stand in it, with where they begin."""

    field: Field
    text: str
    inside: list[tuple[int, _Text]] = dataclass_field(default_factory=list)

    def take(self, other: _Text) -> bool:
        """Find `other` in this text, or in one that is inside it; False where it stands in neither."""
        if not self._may_hold(other):
            return False
        if any(inner.take(other) for _, inner in self.inside):
            return True
        if other.text == self.text:  # one text under two topics is said of both
            return other.kind in (self.kind, OTHER)
        at = self.text.find(other.text)
        while at >= 0:
            end = at + len(other.text)
            apart = all(end <= start or at >= start + len(inner.text) for start, inner in self.inside)
            if apart and _at_words(self.text, at, end):
                self.inside.append((at, other))
                return True
            at = self.text.find(other.text, at + 1)
        return False

    def _may_hold(self, other: _Text) -> bool:
        """A repetition on the package or in a text for patients takes no section from clinicians."""
        here, there = section_kinds()[self.kind], section_kinds()[other.kind]
        long_enough = other.text.count(" ") + 1 >= _SHORTEST or other.text == self.text
        return long_enough and (not here.reader or here.reader == there.reader or other.kind == OTHER)

    @property
    def kind(self) -> str:
        return by_field(self.field.name) or OTHER


def _nest(texts: Sequence[_Text]) -> list[_Text]:
    roots: list[_Text] = []
    for text in sorted(texts, key=lambda t: (-len(t.text), t.field.place)):
        if not any(root.take(text) for root in roots):
            roots.append(text)
    return roots


def _at_words(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() and start) and not text[end : end + 1].isalnum()


@dataclass(slots=True)
class _Open:
    """A section that is being written."""

    kind: str
    heading: str
    level: int
    lines: list[str] = dataclass_field(default_factory=list)

    def add(self, text: str) -> None:
        text = text.strip()
        if text:
            self.lines.append(_ITEM.sub("\n", text))


class _Writer:
    """Writes the tree as a list of sections."""

    def __init__(self, tables: dict[str, Table], names: Sequence[str]) -> None:
        self.remarks: list[str] = []
        self._tables = tables
        self._names = names
        self._open: list[_Open] = []
        self._first: dict[str, _Open] = {}  # field → the section that holds its text

    def sections(self) -> list[Section]:
        return [Section(i, s.kind, s.heading, "\n".join(s.lines), s.level) for i, s in enumerate(self._open)]

    def text(self, node: _Text, level: int, parent: str) -> None:
        text, end = node.text, _heading(node, self._names)
        heading = text[:end].strip(" :-–—")
        base = self._begin(_kind(node, heading, parent), heading, level)
        self._first.setdefault(node.field.name, base)
        parts = self._parts(node, end)
        current, at = base, end
        for start, part in parts:
            if start < at:
                continue
            current.add(text[at:start])
            at = start
            if isinstance(part, Cut):
                current = self._begin(topic(part.code, part.heading, base.kind), part.heading, level + 1)
                at = part.text
            elif isinstance(part, Placed):
                current.lines += part.table.lines
                at = part.end
            elif isinstance(part, _Text):
                at = start + len(part.text)
                if part.kind != OTHER or _LEADING_NUMBER.match(part.text):
                    current = base
                self.text(part, current.level + 1, current.kind)
            else:
                at = part
        current.add(text[at:])
        if heading and self._open[-1] is base and not base.lines:  # its heading is all that it says
            base.heading, base.lines = "", [heading]

    def tables_without_place(self) -> None:
        """Rows whose words stand in no text go to the end of the section of their field."""
        for table in self._tables.values():
            holder = self._first.get(table.field)
            if holder is None:
                holder = self._begin(by_field(table.field) or OTHER, "", 1)
            holder.lines += table.lines
            self.remarks.append(f"table: not found in the text of {table.field}, and put at its end")

    def _begin(self, kind: str, heading: str, level: int) -> _Open:
        self._open.append(_Open(kind, heading, level))
        return self._open[-1]

    def _parts(self, node: _Text, end: int) -> list[tuple[int, Cut | Placed | _Text | int]]:
        """What stands in the text after its heading, by where it begins: a number is the end of what is left out."""
        text = node.text
        placed = [p for p in place(text, self._tables) if not _within(p.start, p.end, node.inside)]
        for one in placed:
            del self._tables[one.table.words]
        taken = [(start, start + len(inner.text)) for start, inner in node.inside]
        taken = sorted([*taken, *((p.start, p.end) for p in placed)])
        number = node.field.number
        if not number and (match := _LEADING_NUMBER.match(text)):
            number = match[1]
        again = repeated(text, number, taken) if number else []
        cuts = numbered(text, number, self._names, taken, again) if number else []
        if not cuts and node.field.precautions:
            cuts = named(text, taken)
        parts: list[tuple[int, Cut | Placed | _Text | int]] = [
            *((cut.start, cut) for cut in cuts),
            *((p.start, p) for p in placed),
            *node.inside,
            *again,
        ]
        return sorted((part for part in parts if part[0] >= end), key=lambda part: part[0])


def _within(start: int, end: int, inside: Sequence[tuple[int, _Text]]) -> bool:
    return any(start < at + len(inner.text) and end > at for at, inner in inside)


def _kind(node: _Text, heading: str, parent: str) -> str:
    """The topic of a text: by its field, by the section it stands in, or by its heading.

    Labels use the code of a boxed warning for any box they print, around doses too; one inside another section is
    about that.
    """
    if not parent:
        return node.kind if node.kind != OTHER else topic("", heading)
    if node.kind in (OTHER, "boxed_warning"):
        return topic("", heading, parent)
    return topic(_code(node.kind), heading, parent)


@cache
def _code(kind: str) -> str:
    return next(iter(section_kinds()[kind].loinc), "")


def _heading(node: _Text, names: Sequence[str]) -> int:
    """Where the heading at the beginning of the text ends; 0 where the text has none."""
    text = node.text
    if node.kind == "boxed_warning":
        return _capitals_end(text, names)
    match = node.field.heading.match(text)
    if match and match[0]:
        rest = text[match.end() :]
        mark = re.match(r"(?: section)?(?: ?[:.–—-])?(?: |$)", rest, re.IGNORECASE)
        after = rest[mark.end() :][:1] if mark else ""
        if mark and (match[0].isupper() or not after.islower()):
            return match.end() + mark.end()
    leading = _LEADING_NUMBER.match(text)
    if leading:
        return leading.end() + heading_end(text[leading.end() :], names)
    return 0


def _capitals_end(text: str, names: Sequence[str]) -> int:
    """Where the capitals of a boxed warning's heading end: "WARNING: FETAL TOXICITY When pregnancy ..."."""
    match = _CAPITALS.match(text)
    if not match or not re.match(r"(?:BOXED )?WARNING", text) or match.end() == len(text):
        return 0
    end = match.end()
    rest = text[end:].lstrip()
    own = {word.casefold() for name in names for word in name.split()}
    last = match[0].rpartition(" ")[2]
    if rest[:1].islower() and (last.casefold() in own or last in ("A", "THE")):
        end -= len(last)  # the drug's own name in capitals begins the sentence
    return end + len(text[end:]) - len(text[end:].lstrip())
