"""What a section is about: by its code, else by its heading, else as its parent (PG-1).

A section inside contraindications, interactions or a boxed warning is about that, whatever its own code says: "4.3
Pregnancy" under Contraindications is a contraindication, and 7.3 names the interacting drug.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from pharmakon.model.vocabulary import section_kinds

#: Topics that all of their subsections share.
_WHOLE = frozenset(
    {"contraindications", "interactions", "boxed_warning", "patient_information", "highlights", "packaging"}
)
#: Topics a heading may give to a subsection of any parent.
_WITHIN = ("renal", "hepatic", "geriatric", "pediatric", "pregnancy", "lactation", "interactions", "dosage")
OTHER = "other"


@lru_cache(4096)  # labels have the same few hundred headings
def topic(code: str, heading: str, parent: str = "") -> str:
    """The section kind of a section with this LOINC code (or none) and heading inside a section of kind `parent`.

    >>> topic("42228-7", "4.3 Pregnancy", "contraindications"), topic("42228-7", "8.1 Pregnancy", "other")
    ('contraindications', 'pregnancy')
    >>> topic("42229-5", "2.5 Renal Impairment", "dosage"), topic("", "Something else", "warnings")
    ('renal', 'warnings')
    """
    if parent in _WHOLE:
        return parent
    by_code = _codes().get(code)
    if by_code:
        return by_code
    wanted = _WITHIN if parent else tuple(section_kinds())
    found = next((kind for kind in wanted if _heading(kind, heading)), "")
    return found or parent or OTHER


def by_field(field: str) -> str:
    """The section kind of a field of an openFDA record; "" for what is no section."""
    return _fields().get(field.removesuffix("_table"), "")


def by_number(number: str) -> str:
    """The section kind of a section number of a European summary of product characteristics; "" for unknown ones."""
    return _numbers().get(number, "")


def _heading(kind: str, heading: str) -> bool:
    return any(re.search(pattern, heading, re.IGNORECASE) for pattern in section_kinds()[kind].headings)


@cache
def _codes() -> dict[str, str]:
    return {code: kind.name for kind in section_kinds().values() for code in kind.loinc}


@cache
def _fields() -> dict[str, str]:
    return {field: kind.name for kind in section_kinds().values() for field in kind.openfda}


@cache
def _numbers() -> dict[str, str]:
    return {number: kind.name for kind in section_kinds().values() for number in kind.smpc}
