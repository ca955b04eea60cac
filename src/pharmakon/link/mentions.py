"""Names in long texts: every place where a label names a drug, a class, a disease or a thing to eat.

`link.names` asks the lexicon about each stretch of a short text. A label has twenty thousand characters, so here the
lexicon's names become one automaton (Aho and Corasick 1975, doi:10.1145/360825.360855) for each state of the knowledge
base, and a text is read once. Names are compared folded (`model.concepts.fold`); offsets are those of the text as
given, in code points, `end` exclusive.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from ahocorasick_rs import AhoCorasick, MatchKind

from pharmakon.link.folded import Folded
from pharmakon.model.concepts import ConceptId, Name, fold, is_han, kind_of
from pharmakon.model.tables import read_table
from pharmakon.ports.knowledge import Names

KINDS = ("ingredient", "drug", "class", "lifestyle", "disease", "symptom", "process", "effect")
#: A word beside a name. Combining marks belong to their letter.
_WORD = re.compile(r"(?:[^\W_]|[%+\u0300-\u036f])+")
#: A class that is named by what it does: "drug that affects …".
_RELATIVE = re.compile(r"that (?P<verb>\w+s) (?P<what>.+)")
_ENDOGENOUS = "endogenous"
_LAST_WORD = re.compile(r"([^\W_]+)[^\w.,;:]*$")


@dataclass(frozen=True, slots=True)
class Hit:
    """`text[start:end]` names `concepts`: one, or several where the name is ambiguous."""

    start: int
    end: int
    concepts: tuple[ConceptId, ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a name stands for and how it must look: `capital`, at least one; `upper`, no small letter but a plural s."""

    concepts: tuple[ConceptId, ...]
    capital: bool = False
    upper: bool = False
    beside: str = ""  #: the group of names that a word beside them makes another thing of: "breast milk"
    quality: bool = False  #: may be an adjective: no drug is named in "antihypertensive effect"
    asked: bool = field(init=False)  #: whether it must look in any way: most need not, and are not asked

    def __post_init__(self) -> None:
        object.__setattr__(self, "asked", self.capital or self.upper or self.quality or self.beside != "")


class OwnNames:
    """Names a label gives its own product, which the lexicon may not hold: "Examplon HCT" → the label's subjects."""

    def __init__(self, names: Iterable[str], subjects: Sequence[ConceptId]) -> None:
        entry = _Entry(tuple(subjects))
        self.table = {key: entry for name in names if len(key := fold(name)) > 2}
        self.names = list(self.table)
        self.automaton = _automaton(self.table) if self.table else None


class MentionScanner:
    """Finds the names of a lexicon in text. Holds what it read of the lexicon: build one for each knowledge version."""

    def __init__(self, lexicon: Names, kinds: Collection[str] = KINDS, langs: Collection[str] | None = None) -> None:
        """`langs`: languages whose names count; all where None."""
        self._table = _table((f, c, n) for f, c, n in lexicon.names(kinds) if langs is None or n.lang in langs)
        self._names = list(self._table)
        self._automaton = _automaton(self._table)
        #: `find` for headings: labels have the same few hundred.
        self.in_heading = lru_cache(4096)(self.find)

    def find(self, text: str, own: OwnNames | None = None) -> list[Hit]:
        """Every name in `text` in order: the longest where several begin together, no two overlapping."""
        folded = Folded(text)
        found = list(_matches(self._automaton, self._names, self._table, folded.text))
        if own is not None and own.automaton is not None:
            found = _longest([*_matches(own.automaton, own.names, own.table, folded.text), *found])
        hits: list[Hit] = []
        for begin, end, entry in found:
            start, stop = folded.span(begin, end)
            if is_han(text[start]) and _is_part(text, start, stop, entry):
                continue
            if not entry.asked or _stands(text, start, stop, entry, hits):
                hits.append(Hit(start, stop, entry.concepts))
        return hits


_Match = tuple[int, int, _Entry]
_DRUG_KINDS = frozenset({"ingredient", "drug", "class"})
_LONGEST = 80  #: characters of a name that begins where another was looked for


def _matches(
    automaton: AhoCorasick, names: Sequence[str], table: Mapping[str, _Entry], folded: str
) -> Iterator[_Match]:
    """(start, end, entry) of whole-word matches in the folded text."""
    taken = 0
    for index, begin, end in automaton.find_matches_as_indexes(folded):
        name = names[index]
        begin = end - len(name)  # without the blank before a Latin name
        if begin < taken:
            continue
        if folded[end] == " " or _whole(folded, end):
            yield begin, end, table[name]
            continue
        # The longest ended inside a word ("vitamin d" in "vitamin deficiency"): a shorter one may be whole.
        while " " in name:
            name = name.rpartition(" ")[0]
            if name in table and _whole(folded, begin + len(name)):
                yield begin, begin + len(name), table[name]
                begin += len(name)
                break
        # What it had swallowed is looked through again: "Mag-Ox" hides the oxycodone of "mag oxycodon".
        for match in _inside(automaton, names, table, folded, begin, end):
            taken = match[1]
            yield match


def _inside(
    automaton: AhoCorasick, names: Sequence[str], table: Mapping[str, _Entry], folded: str, begin: int, end: int
) -> Iterator[_Match]:
    """Whole-word matches that begin at a later word of `folded[begin:end]`; they may go on behind it."""
    blank = folded.find(" ", begin + 1, end)
    if blank < 0:
        return
    last = folded.find(" ", min(end + _LONGEST, len(folded) - 1))  # the text ends with a blank
    for start, stop, entry in _matches(automaton, names, table, folded[blank : last + 1]):
        if blank + start >= end:
            return
        yield blank + start, blank + stop, entry


def _whole(folded: str, end: int) -> bool:
    """Whether a name may end here. Chinese has no bounds of words."""
    return folded[end] in " \n" or is_han(folded[end - 1]) or is_han(folded[end])


def _is_part(text: str, start: int, stop: int, entry: _Entry) -> bool:
    """Whether a Chinese name of a drug stands within a longer name that is not known."""
    if all(kind_of(c) not in _DRUG_KINDS for c in entry.concepts):
        return False
    before, after = _around()
    return bool(before.search(text[max(0, start - 4) : start]) or after.match(text, stop))


def _stands(text: str, start: int, end: int, entry: _Entry, before: Sequence[Hit]) -> bool:
    """Whether a stretch that spells a name is one here."""
    written = text[start:end]
    if entry.upper and any(c.islower() for c in written.removesuffix("s")):
        return False
    if entry.capital and written.islower():
        return False
    if entry.quality and _effect().match(text, end):
        return False
    if not entry.beside:
        return True
    around = _beside()[entry.beside]
    left = _LAST_WORD.search(text[max(0, start - 24) : start])
    right = _WORD.match(text, end + 1)
    if entry.beside == _ENDOGENOUS and before and before[-1].end + 1 == start:
        return False  # the salt of the drug before it
    return not ((left and left[1].lower() in around["before"]) or (right and right.group().lower() in around["after"]))


def _longest(matches: list[_Match]) -> list[_Match]:
    """The longest of overlapping matches, the first given where they are as long."""
    chosen: list[_Match] = []
    for match in sorted(matches, key=lambda m: m[0] - m[1]):
        if all(match[1] <= b or e <= match[0] for b, e, _ in chosen):
            chosen.append(match)
    return sorted(chosen, key=lambda m: m[0])


def _automaton(table: Mapping[str, _Entry]) -> AhoCorasick:
    return AhoCorasick([_pattern(name) for name in table], matchkind=MatchKind.LeftmostLongest)


def _pattern(folded: str) -> str:
    """A folded name as it is searched: with the blank before it, so that it begins where a word does."""
    return folded if is_han(folded[0]) else f" {folded}"


def _table(names: Iterable[tuple[str, ConceptId, Name]]) -> dict[str, _Entry]:
    """Every way to write a name → what it means. What the lexicon lists itself is never changed by a variant."""
    listed: dict[str, list[tuple[ConceptId, Name]]] = {}
    for folded, concept, name in names:
        if len(folded) > 1 and folded not in _everyday()["never"]:
            listed.setdefault(folded, []).append((concept, name))
    table = {folded: _entry(folded, bearers) for folded, bearers in listed.items()}
    for folded, bearers in listed.items():
        entry = table[folded]
        for variant in _variants(folded, {kind_of(c) for c, _ in bearers}) - _everyday()["never"]:
            if variant not in table:
                spaced = " " in variant
                look = (
                    entry.capital and not spaced, entry.upper and not spaced,
                    _group(variant), _quality(variant),
                )  # fmt: skip
                # most variants look as the name does and share its entry: there are five to a name
                same = look == (entry.capital, entry.upper, entry.beside, entry.quality)
                table[variant] = entry if same else _Entry(entry.concepts, *look)
    return table


def _entry(folded: str, bearers: Sequence[tuple[ConceptId, Name]]) -> _Entry:
    names = [name for _, name in bearers]
    short = len(folded) <= 5 and folded.isalpha() and folded.isascii()
    return _Entry(
        concepts=tuple(dict.fromkeys(c for c, _ in bearers)),
        capital=folded in _everyday()["words"] or (all(n.kind == "brand" for n in names) and " " not in folded),
        upper=short and all(n.text.isupper() or sum(map(str.isupper, n.text)) > 1 for n in names),
        beside=_group(folded),
        quality=all(kind_of(c) == "class" for c, _ in bearers) and _quality(folded),
    )


def _quality(folded: str) -> bool:
    return folded.endswith(_endings("participles" if " " in folded else "adjectives"))


def _variants(folded: str, kinds: Collection[str]) -> set[str]:
    """Plurals, words written apart or together, and a class with a noun behind it."""
    if not folded.isascii():
        return set()
    spellings = {folded, *_joined(folded)}
    if "class" in kinds:
        stems = {_stem(spelling) for spelling in spellings}
        spellings |= stems | {f"{stem} {noun}" for stem in stems for noun in _nouns()} | set(_described(folded))
    return spellings | {plural for spelling in spellings for plural in _plurals(spelling)}


def _described(folded: str) -> Iterator[str]:
    """`drug that affects the RAS` → `agents which affect the RAS`, `medications that may affect the RAS`, ..."""
    noun, _, rest = folded.partition(" ")
    if noun != "drug" or not rest:
        return
    told = _RELATIVE.match(rest)
    for other in _nouns():
        if told is None:
            yield from (f"{other} {rest}", f"{other}s {rest}")
            continue
        verb = "be" if told["verb"] == "is" else told["verb"].removesuffix("s")
        for link in ("that", "which"):
            yield f"{other} {link} {told['verb']} {told['what']}"
            yield f"{other}s {link} {'are' if verb == 'be' else verb} {told['what']}"
            yield f"{other}s {link} may {verb} {told['what']}"
            yield f"{other}s {link} can {verb} {told['what']}"
        yield f"{other}s known to {verb} {told['what']}"


def _joined(folded: str) -> Iterator[str]:
    """`beta blocker` → `betablocker`, `antiarrhythmic` → `anti arrhythmic`."""
    first, blank, rest = folded.partition(" ")
    beginnings = _words()["beginnings"]
    if blank and first in beginnings:
        yield first + rest
    for beginning in beginnings:
        if not blank and folded.startswith(beginning) and len(folded) > len(beginning) + 5:
            yield f"{beginning} {folded[len(beginning) :]}"


def _plurals(folded: str) -> Iterator[str]:
    words = folded.split(" ")
    if len(words) > 2:
        for at, word in enumerate(words[:-1]):
            if word in _words()["heads"] and not word.endswith("s"):
                yield " ".join([*words[:at], f"{word}s", *words[at + 1 :]])
    last = words[-1]
    if len(last) < 3 or not last.isalpha() or last.endswith("s"):
        return
    if last.endswith("y") and last[-2] not in "aeiou":
        yield f"{folded[:-1]}ies"
    else:
        yield f"{folded}s"


def _stem(folded: str) -> str:
    """A class without the noun behind it: `antifungal agent` → `antifungal`; short ones are left alone."""
    head, _, noun = folded.rpartition(" ")
    return head if noun in _nouns() and len(head) > 5 else folded


@cache
def _words() -> dict[str, frozenset[str]]:
    return {k: frozenset(v) for k, v in _data().items() if isinstance(v, list)}


@cache
def _beside() -> dict[str, dict[str, frozenset[str]]]:
    """Group → its names, and the words before and after that make another thing of one."""
    return {group: {k: frozenset(v) for k, v in row.items()} for group, row in _data()["beside"].items()}


@cache
def _around() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What before and behind a Chinese name makes it a part of another."""
    rows = _data()["part_of"]
    return re.compile(f"(?:{'|'.join(rows['before'])})$"), re.compile(f"(?:{'|'.join(rows['after'])})")


@cache
def _grouped() -> dict[str, str]:
    return {name: group for group, row in _beside().items() for name in row["names"]}


def _group(folded: str) -> str:
    """The group of `_beside` that a name is in; "" for none."""
    return _grouped().get(folded, "")


@cache
def _everyday() -> dict[str, frozenset[str]]:
    return {k: frozenset(v) for k, v in _data()["everyday"].items()}


def is_said_of_all(text: str) -> bool:
    """Whether running text uses a name for too many things for it to mean one concept: "antidote", "medicine"."""
    return fold(text) in _everyday()["never"]


@cache
def _effect() -> re.Pattern[str]:
    """What follows an adjective that names no drug: " effect", ", natriuretic, and antihypertensive effects"."""
    adjective = rf"[\w-]+(?:{'|'.join(_data()['adjectives'])})"
    return re.compile(
        rf"(?:,?\s+(?:and/or|and|or)|,)?(?:\s+{adjective},?(?:\s+(?:and/or|and|or))?)*\s+(?:{'|'.join(_data()['effects'])})\b"
    )


@cache
def _endings(kind: str) -> tuple[str, ...]:
    return tuple(_words()[kind])


@cache
def _nouns() -> tuple[str, ...]:
    return tuple(_data()["class_nouns"])


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.link", "mentions.toml")
