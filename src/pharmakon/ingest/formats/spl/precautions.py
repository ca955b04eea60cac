"""Precautions of labels in the format before 2006, whose subsections are often headings inside one text.

21 CFR 201.80(f) names them: interactions, pregnancy, nursing mothers and so on. A heading is taken only where it begins
a line; the words themselves are those that openFDA's texts are cut at.
"""

from __future__ import annotations

from typing import NamedTuple

from pharmakon.ingest.formats.inline_headings import named

#: Precautions, general precautions, warnings (LOINC).
CODES = frozenset({"42232-9", "34072-9", "34071-1"})
_LONGEST = 80  #: characters of a heading in capitals


class Part(NamedTuple):
    heading: str
    code: str  #: LOINC of the subsection, "" where there is none
    text: str


def parts(text: str) -> list[Part]:
    """`text` cut at its headings; the first part, without a heading, is what stands before them.

    >>> parts("With care.\\nDrug Interactions: Avoid betacin.\\nNURSING MOTHERS\\nNo data.")[1:]
    [Part(heading='Drug Interactions', code='34073-7', text='Avoid betacin.'), \
Part(heading='NURSING MOTHERS', code='34080-2', text='No data.')]
    """
    cuts = [cut for cut in named(_readable(text)) if cut.start == 0 or text[cut.start - 1] == "\n"]
    ends = [*(cut.start for cut in cuts), len(text)]
    found = [Part("", "", text[: ends[0]].strip())]
    for cut, end in zip(cuts, ends[1:], strict=True):
        heading = text[cut.start : cut.start + len(cut.heading)]
        found.append(Part(heading, cut.code, text[cut.text : end].strip()))
    return found


def _readable(text: str) -> str:
    """`text` with lines in capitals written as titles; every character keeps its place."""
    return "\n".join(
        line.title() if line.isupper() and line.isascii() and len(line) <= _LONGEST else line
        for line in text.split("\n")
    )
