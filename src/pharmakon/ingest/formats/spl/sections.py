"""The sections of a label, each with its own text and the topic that its place gives it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from pharmakon.ingest.formats.spl.precautions import CODES, Part, parts
from pharmakon.ingest.formats.spl.text import Text, read_line, read_text
from pharmakon.ingest.formats.spl.xml import Element, attribute, child, children
from pharmakon.ingest.topics import OTHER, topic
from pharmakon.model.documents import Section
from pharmakon.model.errors import BadInput
from pharmakon.model.vocabulary import section_kinds

BOXED_WARNING = "34066-1"
HIGHLIGHTS = "highlights"
MOST_TEXT = 64_000_000  #: characters of a label; more than its file can hold, unless tables repeat what they span
_NUMBERED = re.compile(r"(\d+(?:\.\d+)*\.?)\s+(\S.*)")


@dataclass(slots=True)
class Body:
    """What was read of a label's body. Highlights stand apart: they repeat the body and are no second evidence."""

    sections: list[Section] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def read_sections(root: Element) -> Body:
    """The sections of a document as printed: the highlights first, then the body in its order.

    BadInput, without a place: tables that their spans make larger than any label's.
    """
    reader = _Reader()
    for element in children(root, "component", "structuredBody", "component", "section"):
        reader.section(element, level=1, parent="")
    found = [*reader.highlights, *reader.body]
    sections = [Section(i, s.kind, s.heading, s.text, s.level) for i, s in enumerate(found)]
    return Body(sections, reader.all_remarks())


class _Reader:
    def __init__(self) -> None:
        self.body: list[Section] = []
        self.highlights: list[Section] = []
        self._left = MOST_TEXT
        self._remarks: list[str] = []
        self._images: Counter[str] = Counter()
        self._lost: Counter[str] = Counter()

    def all_remarks(self) -> list[str]:
        images = [f"image: {count} not read in {place}" for place, count in self._images.items()]
        lost = [f"footnote: {count} marks lead to none in {place}" for place, count in self._lost.items()]
        return [*self._remarks, *images, *lost]

    def section(self, element: Element, level: int, parent: str) -> None:
        """Append a section and those inside it. One without words is kept where a section inside it has some."""
        heading = read_line(child(element, "title"))
        text = self._text(child(element, "text"))
        kind = self._kind(element, heading, text.text, parent)
        self._note(text, kind, heading)
        self._highlight(element, heading)
        inner = list(children(element, "component", "section"))
        own = text.text
        if heading and not own and not text.images and self._alone(element, inner):
            # "4.1 Active liver disease": the title is all there is, so it is what the section says
            numbered = _NUMBERED.fullmatch(heading)
            heading, own = (numbered[1], numbered[2]) if numbered else ("", heading)
        place = len(self.body)
        before, *after = parts(own) if attribute(element, "code", "code") in CODES else [Part("", "", own)]
        self.body.append(Section(place, kind, heading, before.text, level))
        for part in after:
            self.body.append(
                Section(len(self.body), topic(part.code, part.heading, kind), part.heading, part.text, level + 1)
            )
        for section in inner:
            self.section(section, level + 1, kind)
        if not before.text and len(self.body) == place + 1:
            self.body.pop()

    def _text(self, element: Element | None) -> Text:
        text = read_text(element)
        self._left -= len(text.text)
        if self._left < 0:
            raise BadInput("its tables repeat their cells without end", expected=f"at most {MOST_TEXT} characters")
        return text

    @staticmethod
    def _alone(element: Element, inner: list[Element]) -> bool:
        """Whether a section holds nothing but its title: no sections, no highlights, no products."""
        return not inner and not any(True for _ in children(element, "excerpt|subject"))

    def _kind(self, element: Element, heading: str, text: str, parent: str) -> str:
        code = attribute(element, "code", "code")
        if code != BOXED_WARNING:
            return topic(code, heading, parent)
        # labels also use the code for the frame it prints, around doses or the notice of a seal
        place = f"the box {heading or text.partition(chr(10))[0][:60]!r}"
        if parent not in ("", OTHER):
            kind = topic("", heading, parent)
            self._remarks.append(f"boxed: {place} stands inside {parent} and is read as {kind}")
            return kind
        first = f"{heading}\n{text.partition(chr(10))[0]}"
        said = first if parent else "\n".join([heading, *(read_text(t).text for t in element.iter("{*}text"))])
        if "warning" in said.casefold():
            return "boxed_warning"
        kind = parent or "warnings"  # a boxed warning without the word is still one warning among others
        self._remarks.append(f"boxed: {place} does not say that it is a warning and is read as {kind}")
        return kind

    def _highlight(self, element: Element, heading: str) -> None:
        for excerpt in children(element, "excerpt", "highlight", "text"):
            text = self._text(excerpt)
            self._note(text, HIGHLIGHTS, heading)
            if text.text:
                self.highlights.append(Section(len(self.highlights), HIGHLIGHTS, heading, text.text))

    def _note(self, text: Text, kind: str, heading: str) -> None:
        known = section_kinds()[kind]
        place = heading if heading and not known.reader else known.title
        if text.images:
            self._images[place] += text.images
        if text.lost:
            self._lost[place] += text.lost
