"""What a track of the guard is: claims and their context in, contradictions out (paper section 3.4.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from pharmakon.model.answer import Conflict
from pharmakon.model.prescription import Patient
from pharmakon.verify.claims import Claims


@dataclass(frozen=True, slots=True)
class Context:
    """What is known of the reader beyond the question's words: by the session, by a record.

    `drugs` are texts as on a prescription. An unknown field of the patient is None.
    """

    drugs: tuple[str, ...] = ()
    patient: Patient = field(default_factory=Patient)
    as_of: date = field(default_factory=date.today)


class Track(Protocol):
    """One way to find that a draft contradicts what is known. The guard asks each; one conflict is enough."""

    def conflicts(self, claims: Claims, context: Context, lang: str) -> tuple[Conflict, ...]:
        """Every contradiction, the gravest first; summaries in `lang` (en, nl, zh). No conflict found: ()."""
        ...
