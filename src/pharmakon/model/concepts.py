"""Concepts and their names: `ingredient:warfarin` is the key in SQL and in the graph alike (KB-1)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NewType

from pharmakon.model.errors import BadInput
from pharmakon.model.simplified import simplified
from pharmakon.model.vocabulary import concept_kinds

ConceptId = NewType("ConceptId", str)
"""`kind:slug`; compared as text, made by `concept_id` only."""

_ID = re.compile(r"([a-z]+):([a-z0-9]+(?:-[a-z0-9]+)*)")


def concept_id(text: str) -> ConceptId:
    """`text` checked to be `kind:slug` with a kind of the vocabulary.

    >>> concept_id("ingredient:warfarin")
    'ingredient:warfarin'
    """
    match = _ID.fullmatch(text.strip())
    if not match or match[1] not in concept_kinds():
        raise BadInput(f"{text!r} is no concept id", expected="kind:slug, such as ingredient:warfarin")
    return ConceptId(match[0])


def kind_of(concept: ConceptId) -> str:
    return concept.partition(":")[0]


@dataclass(frozen=True, slots=True, order=True)
class Code:
    """A code of a terminology. `prefix` codes stand for everything that starts with them (ICD chapters)."""

    system: str  #: rxnorm, unii, ndc, atc, snomed, icd10, icd9, loinc, mesh
    value: str
    prefix: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """One way to write a concept. `kind`: preferred, synonym, brand, salt, lay."""

    text: str
    lang: str
    kind: str


@dataclass(frozen=True, slots=True)
class Concept:
    """`covered` says how far a drug's knowledge reaches: deep, thin, carrier, or "" where that does not apply."""

    id: ConceptId
    names: tuple[Name, ...]
    codes: tuple[Code, ...] = ()
    covered: str = ""

    @property
    def display(self) -> str:
        """The canonical English name."""
        return next((n.text for n in self.names if n.kind == "preferred" and n.lang == "en"), self.names[0].text)


#: Chinese characters, as inside the brackets of a pattern; rare ones of drug names included (䓬, U+44EC).
_HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"


def is_han(character: str) -> bool:
    """Whether a character is a Chinese one."""
    return (
        "\u3400" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character <= "\U0003ffff"
    )


_BESIDE_HAN = re.compile(rf"(?<=[{_HAN}]) | (?=[{_HAN}])")
_SEPARATORS = re.compile(r"[^\w%+]+|_+")


@lru_cache(maxsize=65_536)  # the same names all day
def fold(text: str) -> str:
    """A name as it is compared: width and case folded, accents dropped, all but letters, digits, % and + made a space.

    Beside a Chinese character no space counts, and traditional characters are as the simplified ones.

    >>> fold("Co-Diovan® 80/12,5 mg"), fold("维 C 银翘片"), fold("華法林")
    ('co diovan 80 12 5 mg', '维c银翘片', '华法林')
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in decomposed if not unicodedata.combining(c))
    folded = _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", plain)).strip()
    return folded if folded.isascii() else _BESIDE_HAN.sub("", simplified(folded))
