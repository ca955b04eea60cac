"""What a text names: drugs however they are written, conditions, foods, and the people it speaks of.

Names are found by `link.mentions.MentionScanner`; what it leaves is tried as a brand in small letters and as a slip of
the pen. Here a slip need not stand apart from its neighbours as on a prescription (`link.slips`): a guard that takes a
word for a drug too often asks once too often. Everyday words for conditions, foods and people are data (`names.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from pharmakon.link.mentions import MentionScanner
from pharmakon.link.slips import BRAND_SLIP, SLIPS
from pharmakon.model.concepts import ConceptId, Name, fold, kind_of
from pharmakon.model.tables import read_table
from pharmakon.ports.knowledge import KnowledgeBase

Kind = Literal["drug", "class", "condition", "food", "person", "allergen"]
_KINDS: dict[str, Kind] = {
    "drug": "drug", "ingredient": "drug", "class": "class", "lifestyle": "food",
    "disease": "condition", "symptom": "condition", "process": "condition",
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
#: Letters of a word that may be a misspelt name.
_SHORTEST = 5
#: Characters before a name in which stands what qualifies it.
_BEFORE = 80


@dataclass(frozen=True, slots=True)
class Named:
    """`text[start:end]` names something. `concept` is "" for people, whose `state` is a field of the patient.

    `option` joins names of which one is meant at a time ("ibuprofen or naproxen"), and names of one thing
    ("Tylenol (paracetamol)"): 0 for none.
    """

    start: int
    end: int
    kind: Kind
    concept: ConceptId
    words: str
    state: tuple[str, int] | None = None
    option: int = 0
    brand: bool = False  #: a maker's name
    member_of: ConceptId | None = None  #: the class that was named, and for which this one stands

    @property
    def key(self) -> tuple[ConceptId, str]:
        """The same for every mention of one thing under one name; a class's members share that of the class."""
        return self.member_of or self.concept, fold(self.words)


class Namer:
    """Finds names against one state of the knowledge base."""

    def __init__(self, knowledge: KnowledgeBase, scanner: MentionScanner) -> None:
        self._scanner = scanner
        self._brands: dict[str, ConceptId] = {}
        self._made: set[str] = set()
        self._names: dict[str, ConceptId] = {}
        self._spelt: dict[str, list[str]] = {}
        for folded, concept, name in knowledge.names({"drug", "ingredient"}):
            self._learn(folded, concept, name)
        self._memory: dict[str, ConceptId | None] = {}

    def _learn(self, folded: str, concept: ConceptId, name: Name) -> None:
        if name.kind == "brand":
            self._made.add(folded)
        if not folded.isascii() or " " in folded or len(folded) < _SHORTEST - 1:
            return
        if name.kind == "brand" and folded not in _data()["ordinary"]["words"]:
            self._brands[folded] = concept
        if len(folded) >= _SHORTEST and folded not in self._names:
            self._names[folded] = concept
            self._spelt.setdefault(folded[0], []).append(folded)

    def find(self, text: str) -> tuple[Named, ...]:
        """Every name in `text`, in order, no two overlapping."""
        found = list(_people_in(text))
        found += [n for n in _special(text) if _free(n, found)]
        for hit in self._scanner.find(text):
            concept = hit.concepts[0]
            kind = _KINDS.get(kind_of(concept))
            if kind is not None:
                named = Named(hit.start, hit.end, kind, concept, text[hit.start : hit.end])
                found = [n for n in found if n.end <= named.start or n.start >= named.end or _longer(n, named)]
                found += [named] if _free(named, found) else []
        for word in _WORD.finditer(text):
            if len(word[0]) >= _SHORTEST - 1 and word[0].isascii() and _free_at(word.start(), word.end(), found):
                guess = self._guess(word[0])
                if guess is not None:
                    found.append(Named(word.start(), word.end(), "drug", guess, word[0]))
        return tuple(self._qualified(text, n) for n in sorted(found, key=lambda n: n.start))

    def of(self, concepts: Iterable[ConceptId], words: str = "") -> tuple[Named, ...]:
        """Names for concepts that somebody else has found, of the kinds that matter here."""
        kinds = [(c, _KINDS[kind_of(c)]) for c in concepts if kind_of(c) in _KINDS]
        return tuple(self._qualified("", Named(0, 0, kind, c, words or c.partition(":")[2])) for c, kind in kinds)

    def _qualified(self, text: str, named: Named) -> Named:
        """`named` as a brand, or as what somebody is allergic to."""
        if named.kind not in ("drug", "class"):
            return named
        before, after = _allergic()
        if before.search(just_before(text, named)) or after.match(text, named.end) or after.search(named.words):
            return replace(named, kind="allergen")
        return replace(named, brand=fold(named.words) in self._made)

    def _guess(self, word: str) -> ConceptId | None:
        """The drug that a word may be: a brand in small letters, or a name with a slip."""
        folded = fold(word)
        if folded in self._brands:
            return self._brands[folded]
        if len(folded) < _SHORTEST or folded in _data()["ordinary"]["words"]:
            return None
        if folded not in self._memory:
            if len(self._memory) > 50_000:
                self._memory.clear()
            self._memory[folded] = self._slip(folded)
        return self._memory[folded]

    def _slip(self, folded: str) -> ConceptId | None:
        near = process.extract(
            folded,
            self._spelt.get(folded[0], ()),
            scorer=DamerauLevenshtein.distance,
            score_cutoff=SLIPS[0][1],
            limit=8,
        )
        # "doxorubicinol" is no doxorubicin with a slip
        meant = [(d, n) for n, d, _ in near if d <= self._allowed(n) and not (d > 1 and folded.startswith(n))]
        return self._names[min(meant)[1]] if meant else None

    def _allowed(self, name: str) -> int:
        """Edits by which `name` is still recognised."""
        allowed = next((edits for letters, edits in SLIPS if len(name) >= letters), 0)
        made = name in self._made and self._brands.get(name) is not None
        return min(allowed, BRAND_SLIP if len(name) > _SHORTEST + 1 else 0) if made else allowed


def just_before(text: str, named: Named) -> str:
    """The last words before a name."""
    return text[max(0, named.start - _BEFORE) : named.start]


def _special(text: str) -> Iterator[Named]:
    """Everyday names of conditions and foods, the longest first."""
    for match in _spots("everyday").finditer(text):
        concept = _everyday()[fold(match[0])]
        yield Named(*match.span(), _KINDS[kind_of(concept)], concept, match[0])


def _people_in(text: str) -> Iterator[Named]:
    taken: list[Named] = []
    for pattern in _ages():
        for match in pattern.finditer(text):
            named = Named(*match.span(), "person", ConceptId(""), match[0], ("age", min(int(match[1]), 120)))
            taken += [named] if _free(named, taken) else []
    for match in _spots("people").finditer(text):
        named = Named(*match.span(), "person", ConceptId(""), match[0], _people()[fold(match[0])])
        taken += [named] if _free(named, taken) else []
    yield from taken


def _longer(a: Named, b: Named) -> bool:
    return a.end - a.start > b.end - b.start or (a.end - a.start == b.end - b.start and a.kind == "person")


def _free(named: Named, found: Iterable[Named]) -> bool:
    return _free_at(named.start, named.end, found)


def _free_at(start: int, end: int, found: Iterable[Named]) -> bool:
    return all(end <= n.start or n.end <= start for n in found)


# ── the data ──────────────────────────────────────────────────────────────────────────────────────

State = tuple[str, int]
"""A field of the patient and its value: ("pregnant", 1), ("trimester", 3), ("age", 80)."""


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.verify", "names.toml")


@cache
def _everyday() -> Mapping[str, ConceptId]:
    """Everyday name of a condition or a food, folded → its concept."""
    rows = (*_data()["conditions"].items(), *_data()["foods"].items())
    return {fold(word): ConceptId(concept) for concept, words in rows for word in words}


@cache
def _people() -> Mapping[str, State]:
    found: dict[str, State] = {}
    for row in _data()["people"]:
        field = row.get("flag") or next(key for key in ("trimester", "age") if key in row)
        found |= {fold(word): (field, row.get(field, 1)) for word in row["words"]}
    return found


@cache
def _ages() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in _data()["ages"]["patterns"])


@cache
def same_thing() -> re.Pattern[str]:
    """What may stand between two names of one thing: "Tylenol (paracetamol"."""
    return re.compile("|".join(f"(?:{p})" for p in _data()["same_thing"]["patterns"]), re.IGNORECASE)


@cache
def not_had() -> re.Pattern[str]:
    """What stands before a condition that nobody is said to have: "it can cause kidney failure"."""
    rows = _data()["not_had"]
    far, near = _either(rows["words"]), _either(rows["beside"])
    word = r"(?:[\s,]+(?!with|who|whose|have|having|people|patients?|those|met|mensen|pati[eë]nten)[\w-]+)"
    return re.compile(rf"(?:{far}(?:{word}{{0,2}}\s+|\w{{0,3}})|{near}\s*)$", re.IGNORECASE)


def _either(words: Iterable[str]) -> str:
    return "(?:" + "|".join(rf"\b{re.escape(w)}" if w.isascii() else re.escape(w) for w in words) + ")"


@cache
def two_packets() -> re.Pattern[str]:
    """What may stand between two names of one drug that are both taken."""
    return re.compile(_data()["two_packets"]["pattern"], re.IGNORECASE)


@cache
def _allergic() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before, and what behind, the name of a drug that somebody can't bear."""
    rows = _data()["allergic"]
    return re.compile(rows["before"] + "$", re.IGNORECASE), re.compile(rows["after"], re.IGNORECASE)


@cache
def _spots(table: str) -> re.Pattern[str]:
    """The names of a table as they may be written, the longest first; a blank stands for a hyphen or an apostrophe."""
    names = sorted({"everyday": _everyday, "people": _people}[table](), key=len, reverse=True)
    latin = "|".join(re.escape(n).replace("\\ ", r"[\s’'-]+") for n in names if n.isascii())
    han = "|".join(re.escape(n) for n in names if not n.isascii())
    return re.compile(rf"(?<!\w)(?:{latin})(?!\w)|{han}", re.IGNORECASE)
