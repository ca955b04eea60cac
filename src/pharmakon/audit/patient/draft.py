"""A profile while it is put together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pharmakon.audit.patient.show import shown
from pharmakon.model.finding import Unresolved
from pharmakon.model.profile import Assumption, Interval, Known
from pharmakon.model.vocabulary import factors


@dataclass(slots=True)
class Draft:
    """Factors, what was assumed on the way, and what names nothing we know."""

    known: dict[str, Known] = field(default_factory=dict)
    assumptions: list[Assumption] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)

    def assume(self, text: str, why: str) -> None:
        self.assumptions.append(Assumption(text, why))

    def learn(self, factor: str, other: Known) -> None:
        """Take `other` beside what is known.

        Two sources that agree give the narrower one. Two that do not give everything between them: what both say
        stays decided, a cut-off between them becomes a question, and the report shows the contradiction.
        """
        known = self.known.get(factor)
        if known is None:
            self.known[factor] = other
        elif isinstance(known.value, Interval) and isinstance(other.value, Interval):
            self._intervals(factor, known, other, known.value, other.value)
        elif isinstance(known.value, frozenset) and isinstance(other.value, frozenset) and known.value != other.value:
            both = known.value & other.value
            self.known[factor] = replace(known, value=both or known.value | other.value)
            if not both:
                self._contradiction(factor, known, other)

    def _intervals(self, factor: str, known: Known, other: Known, a: Interval, b: Interval) -> None:
        slack = 0.1 * max(abs(a.high), abs(b.high)) if max(a.high, b.high) < float("inf") else 0
        if a.low <= b.high + slack and b.low <= a.high + slack:
            if b.high - b.low < a.high - a.low:
                self.known[factor] = other
            return
        self.known[factor] = replace(
            known, value=Interval(min(a.low, b.low), max(a.high, b.high)), source=f"{known.source}; {other.source}"
        )
        self._contradiction(factor, known, other)

    def _contradiction(self, factor: str, known: Known, other: Known) -> None:
        label = factors()[factor].label
        self.assume(
            f"{label}: {shown(known)} ({known.source}) against {shown(other)} ({other.source})",
            "the two sources contradict each other; only what holds for both is taken as certain",
        )

    def plain(self, factor: str) -> float | None:
        """The value where it is a single number."""
        known = self.known.get(factor)
        if known is None or not isinstance(known.value, Interval) or known.value.low != known.value.high:
            return None
        return known.value.low

    def interval(self, factor: str) -> Interval | None:
        known = self.known.get(factor)
        return known.value if known is not None and isinstance(known.value, Interval) else None
