"""A group of patients, as the formulary's conditions say it."""

from __future__ import annotations

from dataclasses import dataclass

from pharmakon.extract.curated.expressions import read_condition
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Condition

RENAL, HEPATIC, AGE, PREGNANCY = "RENAL_IMPAIRMENT", "HEPATIC_IMPAIRMENT", "AGE_RESTRICTION", "PREGNANCY_LACTATION"


@dataclass(frozen=True, slots=True)
class Group:
    """Patients named at `start` to `end` of a text: those of `clause`, or those who have `concept`.

    Neither where the text names a group that no condition can say: an impairment of no degree and no name, a blood
    pressure below 90.
    """

    start: int
    end: int
    clause: Clause = ()
    risk: str = ""
    concept: ConceptId | None = None
    figures: bool = False  #: whether the label gave figures or classes, not only words

    @property
    def known(self) -> bool:
        return bool(self.clause) or self.concept is not None

    @property
    def guard(self) -> Clause:
        """The group as conditions, the named disease included."""
        return self.clause or ((has(self.concept),) if self.concept else ())


def has(concept: ConceptId, past: bool = False) -> Condition:
    """The condition that a patient has, or ever had, a disease."""
    return read_condition(f"{'had' if past else 'has'} {concept}")
