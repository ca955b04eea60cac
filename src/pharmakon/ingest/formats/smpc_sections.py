"""The parts and sections of European product information, filled block by block.

What opens a part (an annex, labelling, a leaflet), a section or a subsection is told by words, number and look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pharmakon.ingest.formats.blocks import BOLD, ITALIC, PLAIN, UNDERLINED, Block
from pharmakon.ingest.formats.smpc_languages import Language, likeness, number_of, rules
from pharmakon.ingest.topics import OTHER, by_number
from pharmakon.model.concepts import fold
from pharmakon.model.documents import Section

SUMMARY, ANNEX, LABELLING, LEAFLET, PAGE = "summary", "annex", "labelling", "leaflet", "page"
#: The kind that everything in a part has; the sections of a summary and of a page have topics of their own.
_KINDS = {ANNEX: "supply", LABELLING: "packaging", LEAFLET: "patient_information"}
#: A heading is no longer than this, in characters.
LONGEST = 160
#: How high a heading stands by its look, after the ranks 1 to 6 of HTML: the template sets them in this order.
_HEIGHTS = {BOLD: 8.0, UNDERLINED: 9.0, ITALIC: 10.0}
_NUMBERED_HEIGHT = 7.0
#: That many known headings make a file a summary, or a leaflet, that nothing announces.
_ENOUGH = 3


@dataclass(slots=True)
class Open:
    """A section while it is filled."""

    part: str
    kind: str
    heading: str
    height: float
    path: tuple[str, ...]
    number: str = ""
    template: bool = False  #: its heading is the template's
    copy: int = 0  #: which of several summaries, leaflets or boxes of labelling it is in
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Reader:
    """Walks the blocks of one file once and fills its sections."""

    def __init__(self, language: Language, blocks: Sequence[Block]) -> None:
        self.language = language
        self.sections: list[Open] = []
        self.stack: list[Open] = []
        self.summaries: list[dict[str, list[str]]] = []  #: of each: section number → its lines, subheadings among them
        self.leaflet: list[str] = []  #: the lines of the first leaflet
        self.copy = 0
        self.order: tuple[int, ...] = (0,)  #: the last section number of the summary
        self.emphasised = any(b.rank or b.whole != PLAIN for b in blocks if self._question(b))
        self.contents: set[str] = set()  #: questions of a leaflet's table of contents
        self.part = self._unannounced(blocks)

    def _unannounced(self, blocks: Sequence[Block]) -> str:
        """The part a file begins with."""
        numbered = [(number_of(b.text), b) for b in blocks]
        numbers = {n[0] for n, b in numbered if n and "." in n[0] and self._known(b, *n)}
        if len(numbers) >= _ENOUGH or any(n and "." in n[0] and likeness(self.language, *n) for n, _ in numbered):
            return SUMMARY
        questions = {number_of(b.text) for b in blocks if self._question(b)}
        return LEAFLET if len(questions) >= _ENOUGH else PAGE

    def read(self, block: Block) -> None:
        part = self._announced(block)
        if part:
            self._begin(part, block)
        elif self._numbered(block):
            return
        elif self.part == LEAFLET and self._question(block):
            self._ask(block)
        elif self._heads(block):
            height = float(block.rank) or _HEIGHTS[block.look]
            self._open(block.text.rstrip(" :"), height)
            self._note(block.text)
        else:
            self._fill(block)

    # ── parts ────────────────────────────────────────────────────────────────────────────────────

    def _announced(self, block: Block) -> str:
        """The part that `block` opens; "" where it opens none."""
        if block.item or len(block.text) > LONGEST or block.text.endswith((".", ",", ";")):
            return ""
        loud = bool(block.rank) or block.whole == BOLD or block.text.isupper()
        words = re.sub(r"^[a-d] ", "", fold(block.text))
        own = self.language
        if loud and any(words == a or re.match(rf"{a} [ivx]+\b", words) for a in own.annex):
            rest = re.sub(r"^\w+(?: [ivx]+\b)?\s*", "", words)
            return self._opened_by(rest) or ANNEX
        if not (loud or ":" in block.text):
            return ""
        return self._opened_by(words)

    def _opened_by(self, words: str) -> str:
        own = self.language
        if any(words.startswith(s) for s in own.labelling):
            return LABELLING
        if any(words.startswith(s) and len(words) < len(s) + 60 for s in own.leaflet):
            return LEAFLET
        return SUMMARY if any(words == s for s in own.summary) else ""

    def _begin(self, part: str, block: Block) -> None:
        self.part = part
        self.copy += 1
        self.stack = []
        self.order = (0,)
        self._open(block.text, 0.0).template = True

    # ── headings ─────────────────────────────────────────────────────────────────────────────────

    def _known(self, block: Block, number: str, heading: str) -> bool:
        """Whether this is a section of a summary by its words, or looks like one by a number that it may have."""
        if block.item or len(block.text) > LONGEST or (not by_number(number) and number not in rules()["groups"]):
            return False
        if likeness(self.language, number, heading):
            return True
        return bool(block.rank or block.whole == BOLD) and ("." in number or heading.isupper())

    def _numbered(self, block: Block) -> bool:
        """Open the section of a summary that begins with `block`; False where none does.

        Outside a summary only a section that nothing else has, under its own words, begins one that nothing announced.
        """
        found = number_of(block.text)
        if self.part == LEAFLET or found is None or not self._known(block, *found):
            return False
        if self.part != SUMMARY:
            if "." not in found[0] or not likeness(self.language, *found):
                return False
            self.part, self.stack = SUMMARY, []
        number = found[0]
        place = tuple(map(int, number.split(".")))
        first = place == (1,)
        if not likeness(self.language, *found) and place <= self.order and not first:
            return False  # neither its words nor its order say that it is a section
        if first or not self.summaries:
            self.summaries.append({})
            self.copy += 1
        self.order = place
        self.stack = [s for s in self.stack if not s.height]  # the part's own title stays above
        if "." in number:
            main = number.partition(".")[0]
            above = next((s for s in reversed(self.sections) if s.number == main and s.part == SUMMARY), None)
            self.stack += [above] if above is not None else []
        opened = self._open(block.text, 1.0 + number.count(".") / 10, by_number(number) or OTHER)
        opened.number, opened.template = number, True
        self.summaries[-1].setdefault(number, [])
        return True

    def _question(self, block: Block) -> bool:
        """Whether `block` is one of the numbered questions of a leaflet."""
        found = number_of(block.text)
        if found is None or block.item or len(block.text) > LONGEST:
            return False
        return bool(self.language.leaflet_numbered.search(found[1]))

    def _ask(self, block: Block) -> None:
        heads = block.rank or block.whole != PLAIN
        again = fold(block.text) in self.contents
        self.contents.add(fold(block.text))
        if heads or (not self.emphasised and again):
            self._open(block.text, float(block.rank) or _NUMBERED_HEIGHT).template = True
            self._note(block.text)
        else:
            self._fill(block)

    def _heads(self, block: Block) -> bool:
        """Whether `block` looks like the heading of a subsection."""
        text = block.text
        if block.rank:
            return True
        if block.item or block.whole == PLAIN or block.lines > 2 or len(text) > LONGEST:
            return False
        if text.rstrip("”’\"')").endswith((".", ",", ";", "?", "!")) or not any(c.isalpha() for c in text):
            return False
        return text[0].isalnum() and fold(text).partition(" ")[0] not in rules()["captions"]

    # ── sections ─────────────────────────────────────────────────────────────────────────────────

    def _open(self, heading: str, height: float, kind: str = "") -> Open:
        while self.stack and self.stack[-1].height >= height:
            self.stack.pop()
        parent = self.stack[-1] if self.stack else None
        path = (*(parent.path if parent else ()), fold(heading))
        opened = Open(self.part, kind or self._kind(heading, parent), heading, height, path)
        opened.number = parent.number if parent else ""
        opened.copy = self.copy
        self.stack.append(opened)
        self.sections.append(opened)
        return opened

    def _kind(self, heading: str, parent: Open | None) -> str:
        if self.part in _KINDS:
            return _KINDS[self.part]
        above = parent.kind if parent else ""
        if self.part == PAGE:
            return self.language.topic(heading, "" if above == OTHER else above)
        if parent is None or parent.number not in rules()["own_topic"]:
            return above or OTHER
        return self.language.topic(heading, above)

    def _fill(self, block: Block) -> None:
        text = block.text
        if block.lead and self._leads(block):
            self._open(text[: block.lead].rstrip(" :"), _HEIGHTS[block.look])
            self._note(text[: block.lead])
            text = text[block.lead :].lstrip(" :")
        if not self.stack:
            self._open("", 0.0, _KINDS.get(self.part, OTHER))
        if text:
            self.stack[-1].lines.append(text)
            self._note(text)

    def _leads(self, block: Block) -> bool:
        return (
            self.part == SUMMARY and bool(self.stack) and self.stack[-1].number in rules()["leads"] and not block.item
        )

    def _note(self, text: str) -> None:
        """Keep the line for the products."""
        if self.part == SUMMARY and self.summaries and self.stack and self.stack[-1].number:
            self.summaries[-1].setdefault(self.stack[-1].number, []).append(text)
        elif self.part == LEAFLET and not self.summaries:
            self.leaflet.append(text)


def once(opened: Sequence[Open]) -> tuple[tuple[Section, ...], int]:
    """Sections with a text of their own or below them, without those that an earlier copy of their part has too.

    Second, how many were left out.
    """
    seen: dict[tuple[str, str, str, str], int] = {}
    keep = [False] * len(opened)
    fresh = [False] * len(opened)
    repeats = 0
    for i, section in enumerate(opened):
        # not by its path: the same subsection may stand under another one where a heading is set in other type
        key = (section.part, section.number, section.path[-1], re.sub(r"\s+", "", section.text).casefold())
        if not section.text:
            continue
        if seen.setdefault(key, section.copy) != section.copy:
            repeats += 1
            continue
        fresh[i] = keep[i] = True
        for j in _above(opened, i):
            keep[j] = True
    kept = [(s, fresh[i]) for i, s in enumerate(opened) if keep[i]]
    sections = (Section(n, s.kind, s.heading, s.text if new else "", len(s.path)) for n, (s, new) in enumerate(kept))
    return tuple(sections), repeats


def speak(opened: Sequence[Open]) -> None:
    """Give a heading that nothing stands under its own words as text: a line in bold may be all there is to say.

    What the template prints (titles of parts, numbered sections, the boxes of labelling) says nothing by itself.
    """
    for i, section in enumerate(opened):
        leaf = i + 1 == len(opened) or len(opened[i + 1].path) <= len(section.path)
        if leaf and not section.lines and section.heading and not section.template and section.part != LABELLING:
            section.lines.append(section.heading)


def _above(opened: Sequence[Open], place: int) -> Iterable[int]:
    """The sections that hold the one at `place`, from the inside out."""
    level = len(opened[place].path)
    for j in range(place - 1, -1, -1):
        if level <= 1:
            return
        if len(opened[j].path) < level:
            level = len(opened[j].path)
            yield j
