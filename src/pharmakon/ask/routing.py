"""Stage 2 of the routing: how much searching a question deserves, by a fuzzy controller (FG-2).

FusionGraphRAG, section 3.2.2, equation by equation: V and D (1, 2), their Gaussian memberships (3), a rule for each
pair of terms that fires by the product of its memberships (4), the centre of gravity of what the rules say (5), and
two thresholds on it (6). Questions that the sentinel finds grave never come here. The numbers are in `routing.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pharmakon.ask.sentinel import Judgement, cues, judge, medical_cues
from pharmakon.model.answer import Route
from pharmakon.model.concepts import is_han
from pharmakon.model.errors import BadInput
from pharmakon.model.question import Question
from pharmakon.model.tables import read_table

NAIVE, DUAL_GRANULARITY, DEEP_SEARCH = "naive", "dual_granularity", "deep_search"


@dataclass(frozen=True, slots=True)
class Membership:
    """How far a value is what the term says, in [0, 1]."""

    term: str
    degree: float


@dataclass(frozen=True, slots=True)
class Fired:
    """One rule: where V is `volume` and D is `density`, the score is `z`. `strength` is w of Eq. 4."""

    volume: str
    density: str
    z: float
    strength: float


@dataclass(frozen=True, slots=True)
class Thresholds:
    """τ₁ and τ₂ of Eq. 6. Raises `BadInput` unless 0 ≤ τ₁ ≤ τ₂ ≤ 1."""

    tau1: float
    tau2: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.tau1 <= self.tau2 <= 1.0:
            raise BadInput(f"thresholds {self.tau1} and {self.tau2}", expected="0 ≤ τ₁ ≤ τ₂ ≤ 1")


@dataclass(frozen=True, slots=True)
class Measured:
    """What stage 2 found: lengths, frequencies, memberships, and every rule with its strength, the strongest first."""

    length: float  #: L(q), in characters of English
    inquiries: int
    f_quest: float
    f_key: float
    volume: tuple[Membership, ...]
    density: tuple[Membership, ...]
    rules: tuple[Fired, ...]


@dataclass(frozen=True, slots=True)
class RouteExplanation:
    """Everything that led to `route`. `measured` is None where the sentinel sent the question off early."""

    route: Route
    judgement: Judgement
    thresholds: Thresholds
    measured: Measured | None = None


def route(question: Question, thresholds: Thresholds | None = None) -> RouteExplanation:
    """The agent for `question`, and why. Pure. Raises `BadInput` for a language without cues."""
    limits = thresholds or published()
    judgement = judge(question)
    if judgement.early:
        way = Route(judgement.intent, DEEP_SEARCH, why=f"{judgement.intent}: {judgement.why}")
        return RouteExplanation(way, judgement, limits)
    length, inquiries = effective_length(question.text), inquiry_count(question)
    f_quest, f_key = inquiry_frequency(inquiries), term_density(question)
    v, d = volume(length), semantic_density(f_quest, f_key)
    of_v, of_d = memberships(v), memberships(d)
    rules = fired(of_v, of_d)
    z = centre_of_gravity((rule.strength, rule.z) for rule in rules)
    strongest = rules[0]
    way = Route(
        judgement.intent, choose_agent(z, limits), v=v, d=d, z=z,
        why=f"{judgement.intent}: {strongest.volume} volume and {strongest.density} density",
    )  # fmt: skip
    measured = Measured(length, inquiries, f_quest, f_key, of_v, of_d, rules)
    return RouteExplanation(way, judgement, limits, measured)


# ── features ───────────────────────────────────────────────────────────────────────────────────────


def effective_length(text: str) -> float:
    """L(q): characters, a Chinese one counted as the English ones it stands for. Blanks at the ends don't count."""
    han: float = _data()["lengths"]["han"]
    return sum(han if is_han(c) else 1.0 for c in text.strip())


def volume(length: float) -> float:
    """V = min(L / 100, 1) (Eq. 1)."""
    return min(length / float(_data()["lengths"]["full"]), 1.0)


def inquiry_count(question: Question) -> int:
    """How many things are asked: words that ask, or question marks where those are more; at least one."""
    words = sum(cue.group == "asking" for cue in cues(question))
    return max(words, question.text.count("?") + question.text.count("？"), 1)


def inquiry_frequency(inquiries: int) -> float:
    """F_quest in [0, 1]: inquiries, as a share of those that make a question as manifold as it can count."""
    return min(inquiries / int(_data()["density"]["inquiries"]), 1.0)


def term_density(question: Question) -> float:
    """F_key in [0, 1]: the share of the letters and digits that stand in a linked name or in a medical cue."""
    named = [(link.start, link.end) for link in question.links]
    terms = {place for start, end in (*named, *((c.start, c.end) for c in medical_cues(question)))
             for place in range(start, end)}  # fmt: skip
    counted = [place for place, c in enumerate(question.text) if c.isalnum()]
    return sum(place in terms for place in counted) / len(counted) if counted else 0.0


def semantic_density(f_quest: float, f_key: float, alpha: float | None = None) -> float:
    """D = (1 − α) · F_quest + α · F_key (Eq. 2), α = 0.6 unless given."""
    weight = float(_data()["density"]["alpha"]) if alpha is None else alpha
    return (1.0 - weight) * f_quest + weight * f_key


# ── inference ──────────────────────────────────────────────────────────────────────────────────────


def gaussian_membership(x: float, centre: float, sigma: float) -> float:
    """μ(x; c, σ) = exp(−½ ((x − c) / σ)²) (Eq. 3)."""
    return math.exp(-0.5 * ((x - centre) / sigma) ** 2)


def memberships(x: float) -> tuple[Membership, ...]:
    """How far x is low, medium and high."""
    shape = _data()["membership"]
    terms = zip(shape["terms"], shape["centres"], strict=True)
    return tuple(Membership(term, gaussian_membership(x, centre, shape["sigma"])) for term, centre in terms)


def firing_strength(of_volume: float, of_density: float) -> float:
    """w = μ_V · μ_D, the product T-norm (Eq. 4)."""
    return of_volume * of_density


def fired(of_volume: Sequence[Membership], of_density: Sequence[Membership]) -> tuple[Fired, ...]:
    """Every rule of the matrix, the strongest first."""
    matrix = _data()["matrix"]
    rules = [
        Fired(v.term, d.term, z, firing_strength(v.degree, d.degree))
        for v in of_volume
        for d, z in zip(of_density, matrix[v.term], strict=True)
    ]
    return tuple(sorted(rules, key=lambda rule: -rule.strength))


def centre_of_gravity(rules: Iterable[tuple[float, float]]) -> float:
    """z = Σ wᵢ zᵢ / Σ wᵢ (Eq. 5) of (w, z). A Gaussian is never 0 on [0, 1], so that some rule always fires."""
    weighted = list(rules)
    return math.fsum(w * z for w, z in weighted) / math.fsum(w for w, _ in weighted)


def choose_agent(z: float, thresholds: Thresholds) -> str:
    """naive below τ₁, dual_granularity below τ₂, deep_search from there on (Eq. 6)."""
    if z < thresholds.tau1:
        return NAIVE
    return DUAL_GRANULARITY if z < thresholds.tau2 else DEEP_SEARCH


def published() -> Thresholds:
    """τ₁ = 0.35 and τ₂ = 0.70, the paper's."""
    return Thresholds(**_data()["thresholds"])


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.ask", "routing.toml")
