"""Everything the checks work on, gathered once: the patient, the exposures with their rules, and the pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pharmakon.audit.curate import Selection, select
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.truth import Scene
from pharmakon.model.concepts import ConceptId
from pharmakon.model.profile import Profile
from pharmakon.model.statements import Condition, Statement
from pharmakon.model.vocabulary import Tier
from pharmakon.ports.knowledge import Step


@dataclass(frozen=True, slots=True)
class Case:
    """`pairs` are the statements between any two of the drugs and allergies; `limits` those of effects that add up."""

    profile: Profile
    exposures: Sequence[Exposure]  #: current ones, one per ingredient and order
    past: Sequence[Exposure]  #: stopped and completed ones
    totals: Sequence[Exposure]  #: the sum of several current orders of one ingredient
    pairs: Sequence[Statement]
    limits: Mapping[ConceptId, Sequence[Statement]]
    names: Mapping[ConceptId, str]
    as_of: date
    covered: Mapping[ConceptId, str]  #: ingredient → deep, label, thin, carrier or ""
    allergens: Mapping[ConceptId, frozenset[ConceptId]]  #: recorded allergy → itself and its ancestors
    select: Selection = select

    def scene(self, subject: Exposure, object: Exposure | None = None) -> Scene:
        return Scene(self.profile, self.exposures, subject, object)


@dataclass(frozen=True, slots=True)
class Breach:
    """One check's result against a rule, before findings are merged. `problem` names the clinical problem.

    The first of `statements` is the one that decides.
    """

    type: str
    tier: Tier
    exposures: tuple[Exposure, ...]
    problem: str
    summary: str
    management: str
    statements: tuple[Statement, ...]
    chains: tuple[Sequence[Step], ...] = ()
    undecided: tuple[tuple[Tier, tuple[Condition, ...]], ...] = ()
    inputs: tuple[str, ...] = ()
    engine: str = ""  #: why the engine itself may speak critically, see `critical.toml`


@dataclass(frozen=True, slots=True)
class Waiting:
    """A rule that can't be decided: which conditions it waits for, and what it would then be."""

    type: str
    tier: Tier
    exposures: tuple[Exposure, ...]
    problem: str
    conditions: tuple[Condition, ...]
    statement: Statement
    needs: tuple[str, ...] = ()  #: named outright where no condition is behind it (dose, weight)
    why: str = ""


@dataclass(frozen=True, slots=True)
class Looked:
    """One row of the report's `checked` table."""

    task: str
    drugs: tuple[str, ...]
    result: str
    why: str = ""


Outcome = Breach | Waiting | Looked
