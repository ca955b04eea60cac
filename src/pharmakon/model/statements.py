"""What the knowledge base holds: statements with conditions, each with the sentence that says so.

A fact ("warfarin interacts with NSAIDs") and a rule ("at most 1,000 mg a day where CrCl is below 45 mL/min") are one
kind of row. `when` guards a statement: an OR of ANDs, true where it is empty. `modifiers` change its tier.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Evidence
from pharmakon.model.vocabulary import Tier

Op = Literal["<", "<=", ">", ">=", "is", "in", "not"]


@dataclass(frozen=True, slots=True)
class Condition:
    """One question about a patient, an order or a pair.

    `of` is "subject" or "object" where the question is about one side of a pair; the side defaults to the subject's
    order. `values` holds one number as text-free float in `number`, or tokens (routes, levels, concept ids).

    Numbers are in the factor's own unit (`factors.toml`). `negated` turns `has` into "lacks", `with` into "without".
    """

    factor: str
    op: str  #: one of < <= > >= is in
    number: float = 0.0
    values: tuple[str, ...] = ()
    of: str = "subject"
    negated: bool = False
    text: str = ""  #: as written, for people


Clause = tuple[Condition, ...]
"""An AND."""


@dataclass(frozen=True, slots=True)
class Modifier:
    """Where all of `clause` holds, the finding has this tier, and this advice if there is one."""

    clause: Clause
    tier: Tier
    management: str = ""


def plain_figure(value: float, places: int = 6) -> str:
    """A figure of so many places without an exponent, as prescriptions are written: 0.00001 and never 1e-05."""
    return format(Decimal(f"{value:.{places}g}"), "f")


@dataclass(frozen=True, slots=True)
class Limit:
    """An upper bound: `value` `unit` per `per`.

    per: dose, day, week, hour, course. unit: a mass, activity, mEq or volume; `…/kg` or `…/m2` of it; `times` for a
    frequency; `days` for a duration (per course); `drugs` or `MME` for a cumulative burden.
    """

    value: float
    unit: str
    per: str

    def __str__(self) -> str:
        return f"{plain_figure(self.value)} {self.unit} per {self.per}"


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that is held to be so, and by whom.

    `id` is a hash of what is said, so that two sources of the same statement meet in one row with two pieces of
    evidence. `negative` statements say that something is *not* so (no relevant interaction), and silence.
    """

    id: str
    subject: ConceptId
    relation: str
    object: ConceptId | None = None
    negative: bool = False
    risk: str = ""
    tier: Tier = Tier.WARNING
    limit: Limit | None = None
    strength: str = ""  #: of an effect or a metabolic role: weak, moderate, strong
    when: tuple[Clause, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    first_true: bool = False  #: the modifiers are an ordered list: the first true one decides
    excluded: frozenset[ConceptId] = frozenset()  #: where a class over-reaches
    mechanism: str = ""
    effect: str = ""
    management: str = ""
    evidence: tuple[Evidence, ...] = ()

    def __hash__(self) -> int:
        """By id, which is a hash of what is said: statements are put into sets by the thousand."""
        return hash(self.id)

    @property
    def by_machine(self) -> bool:
        """Whether patterns or a model read it and no person has written it."""
        return bool(self.evidence) and not any(e.by_hand for e in self.evidence)

    @property
    def read(self) -> bool:
        """Whether somebody had a source of this open. Unread statements never give more than a warning."""
        return any(e.citation is None or e.citation.read for e in self.evidence)


def identified(statement: Statement) -> Statement:
    """`statement` with the id its content gives it. Evidence and wording do not count, what is claimed does."""
    claim = (
        statement.subject, statement.relation, statement.object, statement.negative, statement.risk,
        int(statement.tier), statement.limit, statement.strength, statement.when,
        tuple((m.clause, int(m.tier)) for m in statement.modifiers), statement.first_true, sorted(statement.excluded),
    )  # fmt: skip
    digest = hashlib.sha256(repr(claim).encode()).hexdigest()
    return replace(statement, id=f"st-{digest[:16]}")
