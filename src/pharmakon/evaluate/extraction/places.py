"""Where a quotation from a section stands in the file that the section was read from.

Readers break a file into sections, drop markup and bullets and fold white space. So texts are compared by what a
reader leaves alone: their characters without white space, tags and bullets. A section is looked for as a whole, in
order, and its quotations have their places by it: the same bullet may stand in a file three times. Where a section was
changed on the way, each of its quotations is looked for by itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from pharmakon.model.documents import Document, Evidence

Locate = Callable[[Evidence], "tuple[int, int] | None"]
"""A quotation → its span in the file; None where it is not to be found there."""

_DROPPED = re.compile(r"\s+|</?[A-Za-z][A-Za-z0-9]*>|[•●▪■□◦‣∙○◆►▶]")


@dataclass(frozen=True, slots=True)
class _Bare:
    """A text without what readers drop, and the place of each character that is left."""

    text: str
    at: tuple[int, ...]

    def count(self, offset: int) -> int:
        """How many characters are left of those before `offset`."""
        return bisect_left(self.at, offset)

    def span(self, start: int, end: int) -> tuple[int, int]:
        return self.at[start], self.at[end - 1] + 1


def locator(text: str, document: Document) -> Locate:
    """Places of `document`'s quotations in `text`, the file it was read from; offsets count code points."""
    whole = _bare(text)
    begins: dict[int, int] = {}
    after: dict[int, int] = {}
    bare = {section.ord: _bare(section.text) for section in document.sections}
    cursor = 0
    for section in document.sections:
        own = bare[section.ord].text
        after[section.ord] = cursor
        if not own:
            continue
        found = whole.text.find(own, cursor)
        if found >= 0:
            cursor = found + len(own)
        else:  # a reader may put sections into another order
            found = whole.text.find(own)
        if found >= 0:
            begins[section.ord] = found

    def locate(evidence: Evidence) -> tuple[int, int] | None:
        quote = _bare(evidence.quote).text
        if not quote or evidence.ord not in bare:
            return None
        if evidence.ord in begins:
            start = begins[evidence.ord] + bare[evidence.ord].count(evidence.start)
        else:
            start = whole.text.find(quote, after[evidence.ord])
            start = start if start >= 0 else whole.text.find(quote)
        return whole.span(start, start + len(quote)) if start >= 0 else None

    return locate


def finder(text: str) -> Callable[[str], tuple[int, int] | None]:
    """Quotation → the first span of `text` that says it, white space and bullets apart; None where none does."""
    whole = _bare(text)

    def find(quote: str) -> tuple[int, int] | None:
        wanted = _bare(quote).text
        start = whole.text.find(wanted) if wanted else -1
        return whole.span(start, start + len(wanted)) if start >= 0 else None

    return find


def _bare(text: str) -> _Bare:
    kept: list[int] = []
    last = 0
    for gap in _DROPPED.finditer(text):
        kept.extend(range(last, gap.start()))
        last = gap.end()
    kept.extend(range(last, len(text)))
    return _Bare("".join(text[i] for i in kept), tuple(kept))
