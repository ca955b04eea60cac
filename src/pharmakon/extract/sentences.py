"""A section's text in sentences, list items and table rows, each with its place.

Offsets count code points of the section's text; `text[start:end]` is the sentence. A line is a paragraph, a list item
or a table row (`model.documents.Section`); a row is one sentence whatever stands in it. Labels break the rules of prose
in their own ways: bullets inside a line and items without a full stop, "mg/day." before a capital, a full stop with no
space behind it, items that end with the number of the section that says more: "Monitor lithium. ( 7.4 ) Digoxin: …".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pharmakon.extract.claims import Mention, Sentence
from pharmakon.extract.label import Sentences
from pharmakon.link.mentions import Hit, MentionScanner, OwnNames
from pharmakon.model.documents import Section
from pharmakon.model.vocabulary import section_kinds
from pharmakon.ports.knowledge import Names

#: Characters that may end a sentence, and how the text must go on for it: brackets closed, blank, then a new beginning.
_CHINESE_STOPS = "。！？；"
_STOPS = f".!?{_CHINESE_STOPS}"
_CLOSING = r"""["'”’)\]]*"""
_GOES_ON = re.compile(rf"""{_CLOSING}\s+(?=["'“‘(\[]*[A-Z0-9\u0391-\u03a9≥≤<>])""")
_CHINESE_CLOSING = re.compile(r"[”’」』）]*")
#: "the infusion.Patients": no blank, where a word of small letters ends and a capitalised one begins.
_GLUED = re.compile(r"[A-Z][a-z]")
#: Words before a full stop that does not end a sentence; those of `_BEFORE_NUMBER` only where a number follows.
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.?g|i\.e|vs|cf|viz|approx|resp|Dr|Drs|Mr|Mrs|Ms|Prof|St|Fig|Figs|Eq|Ref|Refs|ca|incl|excl|Inc|Ltd|Co)"
    r"|\bspp?|\bet al)$"
)
_BEFORE_NUMBER = re.compile(r"\b(?:No|Nos|Vol|Sect|Sec|pp?|Tab|Table|Section)$", re.IGNORECASE)
#: After "U.S." and the like only these start a sentence: elsewhere a capital belongs to a name.
_INITIALS = re.compile(r"\b(?:[A-Z]\.)+[A-Z]$")
_STARTER = re.compile(r"(?:The|This|These|Those|In|It|If|Do|When|Patients?|No|There|A|An|For|Use|Avoid)\b")
#: What no sentence consists of, so that its full stop ends none: "1." before an item, "Table 2." before its caption.
_ENUMERATION = re.compile(r"\s*(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})|(?:Table|Figure)\s+\d{1,2}[A-Z]?)", re.IGNORECASE)
_BULLETS = "•●▪■□◦‣∙○◆►▶➢✓"
#: "(7.4)", "( 5.1, 7 )": where more is said of what stands before it. It closes an item when another begins behind it.
_POINTER = r"\(\s*+\d{1,2}(?:\.\d{1,2})*+(?:\s*+[,;]\s*+\d{1,2}(?:\.\d{1,2})*+)*+\s*+\)"
_POINTED = re.compile(rf"\s*+{_POINTER}(?:\s+(?=[\"'“‘]?[A-Z])|\s*$)")
#: What an item does not end with, so that brackets behind it are an enumeration, a figure of a table or part of it.
_UNFINISHED = re.compile(
    r"(?:[\d%:,(\[–-]|\b(?:for|with|of|to|in|by|and|or|the|see|sections?|tables?|figures?))$", re.IGNORECASE
)
#: "7 DRUG INTERACTIONS", "7.2"
_NUMBERED = re.compile(r"\s*(\d{1,2})\b")
#: A bullet, brackets that may point to a section, or stops behind which a sentence may begin. It starts with a set of
#: characters, so that a search leaps from one to the next, and what goes on at once ("2.5", "e.g.,") is no match.
_MARKS = re.compile(
    rf"[{_BULLETS}·({_STOPS}](?:(?<=[{_BULLETS}])|(?<=\s·)(?=\s)|(?<=\()(?=\s?\d)|"
    rf"(?<=[{_STOPS}])[{_STOPS}]*+(?:(?<=[{_CHINESE_STOPS}])|(?={_CLOSING}\s|[A-Z])))"
)
_LEAD = re.compile(rf"\s*(?:[{_BULLETS}]\s*|[·*\-–—]\s+)?")
_TABLE = " | "
#: "[see Warnings, Bleeding (5.1)]" names a section; what it mentions on the way is not said of anything.
_REFERENCE = re.compile(r"[\[(]\s*(?:see|refer to)\b(?:[^\[\]()]|\([^\[\]()]*\)|\[[^\[\]()]*\])*[\])]", re.IGNORECASE)


def sentences_of(knowledge: Names) -> Sentences:
    """A splitter that knows the names `knowledge` holds now.

    What supports no finding (`SectionKind.reader`) is split and not searched: no specialist will see it.
    """
    scanner = MentionScanner(knowledge)
    return lambda section: sentences(section) if section_kinds()[section.kind].reader else mentioned(section, scanner)


def sentences(section: Section) -> list[Sentence]:
    """The sentences of `section` in order, without mentions. Nothing but white space and bullets is left out."""
    text = section.text
    return [
        Sentence(section.ord, section.kind, section.heading, start, end, text[start:end])
        for start, end in _spans(section)
    ]  # fmt: skip


def mentioned(section: Section, scanner: MentionScanner, own: OwnNames | None = None) -> list[Sentence]:
    """The sentences of `section`, each with the mentions that stand in it and those of the heading.

    A name that reaches across the end of a sentence is none, nor is one inside "[see …]".
    """
    text = section.text
    heading = tuple(_mention(section.heading, h) for h in scanner.in_heading(section.heading, own))
    hits = _outside(_REFERENCE.finditer(text), scanner.find(text, own))
    hit = next(hits, None)
    found: list[Sentence] = []
    for start, end in _spans(section):
        inside: list[Mention] = []
        while hit is not None and hit.start < end:
            if hit.start >= start and hit.end <= end:
                inside.append(_mention(text, hit))
            hit = next(hits, None)
        found.append(
            Sentence(section.ord, section.kind, section.heading, start, end, text[start:end], tuple(inside), heading)
        )
    return found


def _mention(text: str, hit: Hit) -> Mention:
    return Mention(hit.start, hit.end, text[hit.start : hit.end], hit.concepts)


def _outside(references: Iterator[re.Match[str]], hits: Sequence[Hit]) -> Iterator[Hit]:
    """The hits that stand in none of the references; both in order."""
    reference = next(references, None)
    for hit in hits:
        while reference is not None and reference.end() <= hit.start:
            reference = next(references, None)
        if reference is None or hit.start < reference.start():
            yield hit


def _spans(section: Section) -> Iterator[tuple[int, int]]:
    numbered = _NUMBERED.match(section.heading)
    number = numbered.group(1) if numbered else ""
    start = 0
    for line in section.text.splitlines(keepends=True):
        for a, b in _line(line, number):
            trimmed = _trim(line, a, b)
            if trimmed:
                yield start + trimmed[0], start + trimmed[1]
        start += len(line)


def _line(line: str, number: str) -> Sequence[tuple[int, int]]:
    if _TABLE in line:
        return [(0, len(line))]
    cuts = [0]
    for mark in _MARKS.finditer(line):
        match line[mark.start()]:
            case "(":
                cut = _pointer(line, mark.start(), cuts[-1], number)
            case stop if stop in _STOPS:
                cut = 0 if _pointer(line, mark.end(), cuts[-1], number) else _end(line, mark, cuts[-1])
            case _:
                cut = mark.start()
        if cut > cuts[-1]:
            cuts.append(cut)
    return list(zip(cuts, [*cuts[1:], len(line)], strict=True))


def _pointer(line: str, at: int, start: int, number: str) -> int:
    """Where the item from `start` ends if what points to a section at `at` closes it; 0 where it does not.

    A whole number points to a section where it is spaced out, one of several, or `number` of the section it stands in.
    """
    pointed = _POINTED.match(line, at)
    if not pointed:
        return 0
    inside = pointed.group().strip()
    if not any(c in inside for c in ".,;") and not inside.startswith("( ") and inside.strip("()") != number:
        return 0
    return 0 if _UNFINISHED.search(line[max(start, at - 10) : at].rstrip()) else pointed.end()


def _end(line: str, stop: re.Match[str], start: int) -> int:
    """Where the next sentence starts if the one from `start` ends at this stop; 0 where it does not."""
    if line[stop.end() - 1] in _CHINESE_STOPS:
        closing = _CHINESE_CLOSING.match(line, stop.end())
        return closing.end() if closing else stop.end()
    on = _GOES_ON.match(line, stop.end())
    if not on:
        glued = stop.group() == "." and _GLUED.match(line, stop.end()) and line[max(0, stop.start() - 3) : stop.start()]
        return stop.end() if glued and len(glued) == 3 and glued.isalpha() and glued.islower() else 0
    if stop.group() == "." and on.group().isspace() and not _ends(line, start, stop.start(), on.end()):
        return 0
    return on.end()


def _ends(line: str, start: int, dot: int, following: int) -> bool:
    """Whether the sentence from `start` ends at the full stop at `dot`, when the next would start at `following`."""
    if dot - start < 12 and _ENUMERATION.fullmatch(line, start, dot):
        return False
    before = line[max(start, dot - 10) : dot]
    if _INITIALS.search(before):
        return bool(_STARTER.match(line, following))
    if _ABBREVIATION.search(before):
        return False
    return not (line[following].isdigit() and _BEFORE_NUMBER.search(before))


def _trim(line: str, start: int, end: int) -> tuple[int, int] | None:
    lead = _LEAD.match(line, start, end)
    start = lead.end() if lead else start
    while end > start and line[end - 1].isspace():
        end -= 1
    return (start, end) if end > start else None
