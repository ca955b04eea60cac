"""Plain text labels: headings in capitals, with numbers, underlined, or on a line of their own between blank ones.

The drug is named by a line "# drug: NAME" among the first, else by the title, else by the first sentence. Other such
lines are `# set id:`, `# version:`, `# lang:`, `# title:`, `# route:` and `# date:`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from pharmakon.ingest.formats import about
from pharmakon.ingest.formats.encoding import decode
from pharmakon.ingest.formats.inline_headings import precaution_code
from pharmakon.ingest.formats.outline import BOX, Outline, incoming
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.topics import OTHER, topic
from pharmakon.model.concepts import fold
from pharmakon.model.products import Product
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import routes

#: Layout that some collections leave in their texts (the cardiovascular corpus of NLM): nothing a label says.
_LAYOUT = re.compile(r"</?(?:list|item|main|paragraph|text|section)>")
_STATED = re.compile(r"#? ?(?P<key>drug|generic|set[ _-]?id|version|lang|title|routes?|date) ?: ?(?P<value>\S.*)", re.I)
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(?P<words>[A-Z(].*)")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})")
_ITEM = re.compile(r"(?:[•●○▪■◦·∙‣*–—-]|\d{1,2}[.)]|[a-z][.)])\s+\S")
_LONGEST = 20  #: words of a heading
_TITLE_LONGEST = 12  #: words of a heading that neither number nor capitals nor words tell
_FEW = 2  #: lines that are no list
_RAGGED = 10  #: characters by which the lines of a wrapped paragraph may fall short
_NARROW, _WIDE = 50, 130  #: characters; a line of this length may have been wrapped
#: Lines at the top in which the drug may be stated.
_TOP = 15


def read_plaintext(data: bytes, where: str) -> Incoming:
    """The text in `data`; `where` is its path. BadInput: empty, no text, of an unknown encoding."""
    text, remarks = decode(data, where)
    lines = [" ".join(_LAYOUT.sub(" ", line).split()) for line in text.split("\n")]
    stated, lines = _stated(lines)
    found, rest = stated_product(stated), lines
    guessed_by = None
    if found is None:
        found, rest = _titled(lines)
        guessed_by = about.kind_of_title(found)
        if found is not None and not found.generic:
            remarks = (*remarks, f"product: {found.name} is taken from the title")
    outline = Outline()
    _Reader(rest, outline).read()
    sections = outline.sections()
    if found is None:
        found = next((one for section in sections if (one := about.from_sentence(section.text))), None)
        guessed_by = "sentence"
        remarks = (*remarks, f"product: {found.name} is taken from the first sentence") if found else remarks
    return incoming(
        sections,
        (found,) if found else (),
        where,
        title=stated.get("title", ""),
        set_id=stated.get("setid", ""),
        version=stated.get("version", ""),
        lang=stated.get("lang", "").lower(),
        remarks=remarks,
        effective=stated.get("date", ""),
        guessed_by=guessed_by,
    )


def stated_product(stated: Mapping[str, str]) -> Product | None:
    """The product of the keys drug, generic and route; what is no route of the vocabulary stays out."""
    if "drug" not in stated:
        return None
    written = [fold(route) for route in re.split(r"[,;/]", stated.get("route", "")) if route.strip()]
    known = {fold(name): route.name for route in routes().values() for name in (route.name, *route.names)}
    given = tuple(dict.fromkeys(known[route] for route in written if route in known))
    named = None if "generic" in stated else about.from_title(stated["drug"])
    if named is not None and named.generic:
        return about.product(named.name, named.generic, given)
    return about.product(stated["drug"], stated.get("generic", ""), given)


def _stated(lines: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """What the first lines state by key, and the lines without them. Without "#" only the very first may."""
    stated: dict[str, str] = {}
    rest: list[str] = []
    seen = 0
    for line in lines:
        match = _STATED.fullmatch(line) if seen < _TOP else None
        if match and (line.startswith("#") or not any(rest)):
            key = match["key"].casefold().replace(" ", "").replace("_", "").replace("-", "")
            stated[key.removesuffix("s") if key == "routes" else key] = match["value"].strip()
        else:
            rest.append(line)
        seen += bool(line)
    return stated, rest


def _titled(lines: Sequence[str]) -> tuple[Product | None, list[str]]:
    """The product that a title on the first line names, and the lines below it; None and all lines without a title."""
    at = next((i for i, line in enumerate(lines) if line), None)
    if at is None or not _alone(lines, at) or topic("", lines[at]) != OTHER:
        return None, list(lines)
    named = about.from_title(lines[at])
    if named is None:
        return None, list(lines)
    below = lines[at + 1 :]
    return named, list(below[1:] if below and _UNDERLINE.fullmatch(below[0]) else below)


def _alone(lines: Sequence[str], at: int) -> bool:
    after = lines[at + 1] if at + 1 < len(lines) else ""
    return not after or bool(_UNDERLINE.fullmatch(after))


@dataclass(slots=True)
class _Reader:
    """Walks the lines of a text.

    `_marked` tells that its sections are set in capitals or numbered, so that other headings stand below these;
    `_numbers` is how deep the last number was, `_below` the level of the last heading that is more than a line alone.
    """

    lines: list[str]
    outline: Outline
    _marked: bool = False
    _numbers: int = 0
    _below: int = 0

    def read(self) -> None:
        block: list[str] = []
        for i, line in enumerate(self.lines):
            line = "" if _UNDERLINE.fullmatch(line) else line  # it belongs to a heading, or parts what stands about it
            level = self._level(i) if line else 0
            if level or not line:
                self._paragraph(block)
                block = []
            if level:
                self.outline.heading(level, line.rstrip(":").rstrip())
            elif line:
                block.append(line)
        self._paragraph(block)

    def _level(self, i: int) -> int:
        """The level of the heading on a line; 0 where it is none."""
        line, words = self.lines[i], self.lines[i].split()
        before = self.lines[i - 1] if i else ""
        after = self.lines[i + 1] if i + 1 < len(self.lines) else ""
        numbered = _NUMBERED.fullmatch(line)
        if len(words) > _LONGEST or line[-1] in ".;," or (_ITEM.match(line) and not numbered):
            return 0
        if numbered:
            return self._number(numbered["number"], numbered["words"], before)
        if _UNDERLINE.fullmatch(after):
            return self._heads(1 if after[0] == "=" or not self._marked else 2)
        if not any(c.isalpha() for c in line) or (before and not _stands_out(before, line, after)):
            return 0
        if line.isupper():
            self._numbers = 0
            known = _is_section(line) or bool(BOX.match(line))
            self._marked = self._marked or known
            return self._heads(1 if known else 2)
        if _is_section(line) and words[0][0].isupper():
            return self._heads(max(2, self._numbers + 1) if self._marked else 1)
        return self._below + 1 if self._is_title(words, after, i) else 0

    def _number(self, number: str, words: str, before: str) -> int:
        """A number heads a section where it has parts or words that head one follow: "1 tablet daily" does not."""
        depth = number.count(".") + 1
        if depth == 1 and (before or not (words.isupper() or _is_section(words))):
            return 0
        self._marked = True
        self._numbers = depth
        return self._heads(depth)

    def _heads(self, level: int) -> int:
        self._below = level
        return level

    def _is_title(self, words: Sequence[str], after: str, i: int) -> bool:
        """Whether a line that only stands alone heads the paragraph below it.

        Among contraindications it never does: what stands alone there may be one.
        """
        if after or len(words) > _TITLE_LONGEST or self.outline.kind in ("", "contraindications", "boxed_warning"):
            return False
        following = next((line for line in self.lines[i + 1 :] if line), "")
        titled = words[0][0].isupper() and words[-1][-1] not in "?!" and not any(w[-1] == "." for w in words)
        return titled and following.endswith((".", ")", "]")) and len(following.split()) > len(words)

    def _paragraph(self, lines: Sequence[str]) -> None:
        """A paragraph: lines that were one before they were wrapped are one again, items stay apart."""
        whole: list[str] = []
        listed = _listed(lines)
        for line in lines:
            if whole and (not _goes_on(whole[-1], line) or (listed and line[0].isupper())):
                self.outline.line(" ".join(whole))
                whole = []
            whole.append(line)
        self.outline.line(" ".join(whole))


def _stands_out(before: str, line: str, after: str) -> bool:
    """Whether a line heads a section although no blank one parts it from the sentence before."""
    return not after and line.isupper() and before[-1] in ".)]" and _is_section(line)


def _listed(lines: Sequence[str]) -> bool:
    """Whether lines are items of a list that lost its bullets: broken where the next word would have had room."""
    width = max(map(len, lines), default=0)
    roomy = [len(line) + 1 + len(after.split()[0]) < width - _RAGGED for line, after in pairwise(lines)]
    capital = [after[0].isupper() for after in lines[1:]]
    return len(lines) > _FEW and all(capital) and sum(roomy) * 2 > len(roomy)


def _goes_on(line: str, after: str) -> bool:
    """Whether `after` goes on with the sentence of `line`."""
    if line[-1] in ".:;!?" or _ITEM.match(after):
        return False
    return after[0].islower() or after[0] in "(,;" or _NARROW <= len(line) <= _WIDE


def _is_section(heading: str) -> bool:
    bare = re.sub(r"^[\d.]+\s+|\s+section$", "", heading.strip(" :"), flags=re.IGNORECASE)
    return bool(_sections().fullmatch(bare) or _sections().fullmatch(bare.replace(" ", "")) or precaution_code(bare))


@cache
def _sections() -> re.Pattern[str]:
    data = read_table("pharmakon.ingest.formats", "plaintext.toml")
    return re.compile("|".join(data["sections"]), re.IGNORECASE)


def has_sections(text: str) -> bool:
    """Whether a line of the text heads a section of a label: what a note or a licence has not."""
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return any(line and _is_section(line) and not (i and lines[i - 1]) for i, line in enumerate(lines))
