"""What an answer is made of. The names are the contract of `ask --json`: additions only (`schema-of ask`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Evidence
from pharmakon.model.vocabulary import Tier


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of an answer and the evidence that supports it.

    `role`: claim, a quotation or what a model wrote; finding, a risk told in our words; list, what stands at one end of
    a relation: choices, not things to be taken together. All three must be supported by `evidence`. A frame claims
    nothing about the world: "The sources here do not say.", a heading, a referral.
    """

    text: str
    evidence: tuple[Evidence, ...] = ()
    role: Literal["claim", "finding", "list", "frame"] = "claim"


@dataclass(frozen=True, slots=True)
class Draft:
    """What an agent proposes to say; it reaches nobody before the guard has seen it."""

    sentences: tuple[Said, ...]
    concepts: tuple[ConceptId, ...] = ()  #: what it is about, beyond what its sentences name
    abstained: bool = False
    by_model: bool = False  #: a language model wrote it: nothing in it is known to be what it looks like


@dataclass(frozen=True, slots=True)
class Conflict:
    """Why a draft may not be said: one contradiction with what is known (FG-7).

    `path` is the way through the graph, names and relations in turn: ("Advil", "has_ingredient", "ibuprofen", …).
    """

    type: str  #: a risk type of the vocabulary
    tier: Tier
    drugs: tuple[str, ...]
    path: tuple[str, ...]
    summary: str
    management: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    status: Literal["passed", "intercepted", "not_required"]
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """Why this agent (FG-1, FG-2). `intent` is the sentinel's; `v`, `d`, `z` are None where it left early."""

    intent: str
    agent: str
    v: float | None = None
    d: float | None = None
    z: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the trace (FG-10): what was done, with what, in how many milliseconds."""

    name: str
    detail: Mapping[str, Any]
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """`sentences` in reading order. `notes` are said beside them: which language is quoted, what was not searched."""

    sentences: tuple[Said, ...]
    lang: str
    agent: str
    route: Route
    verification: Verification
    abstained: bool
    knowledge_version: str
    notes: tuple[str, ...] = ()
    dropped: int = 0  #: sentences of a model that nothing supports
    trace_id: str | None = None
    steps: tuple[Step, ...] = field(default=())
