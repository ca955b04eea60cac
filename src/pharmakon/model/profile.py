"""The patient as the checks see it: factors as sets of possible values, each with where it came from.

A number is an interval, because much of what is known is one: "CKD stage 4" is an eGFR of 15 up to 30, a birth year is
two ages, "at least Child-Pugh B" is B or C. A plain value is an interval of no width. Absent means unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from pharmakon.model.concepts import ConceptId


@dataclass(frozen=True, slots=True)
class Interval:
    """`low` to `high`, both possible unless `open_high` (15 <= eGFR < 30). In the factor's own unit."""

    low: float
    high: float
    open_high: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one factor: an interval, or the set of tokens still possible ("true"/"false" for a flag)."""

    value: Interval | frozenset[str]
    unit: str = ""
    source: str = ""  #: "input", "Cockcroft-Gault, actual weight 58 kg", "note: 'CKD stage 4'"
    dated: date | None = None
    stale: bool = False


@dataclass(frozen=True, slots=True)
class HeldCondition:
    """A condition as a concept; `status` is active, history or uncertain, `ancestors` holds itself and all above it."""

    concept: ConceptId
    status: str
    source: str
    ancestors: frozenset[ConceptId] = frozenset()


@dataclass(frozen=True, slots=True)
class HeldAllergy:
    concept: ConceptId
    intolerance: bool
    reaction: str
    source: str


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Something a note says is taken, with the note's words."""

    concept: ConceptId
    words: str


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that was taken to be so, and why; always shown."""

    text: str
    why: str
    concept: ConceptId | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """All factors of one patient. `conditions` and `allergies` are None where nothing was recorded either way.

    Conditions that come from notes alone are `complete=False`: what they do not name is unknown, save what they deny.
    `unread` says which lists hold an entry that names nothing we know ("condition", "allergy").
    """

    factors: Mapping[str, Known] = field(default_factory=dict)
    conditions: tuple[HeldCondition, ...] | None = None
    allergies: tuple[HeldAllergy, ...] | None = None
    assumptions: tuple[Assumption, ...] = ()
    complete: bool = True
    denied: frozenset[ConceptId] = frozenset()
    unread: frozenset[str] = frozenset()
    taken: tuple[Mentioned, ...] = ()  #: drugs that notes say are taken
    habits: tuple[Mentioned, ...] = ()  #: food, drink and habits that notes mention
