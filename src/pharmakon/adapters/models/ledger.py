"""What calls of a language model took: tokens, money, and the limit on it."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from pharmakon.ports.language_model import ModelError

_PER = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """Of a million tokens that go in, and of a million that come out, in the caller's currency."""

    given: float = 0.0
    made: float = 0.0

    def of(self, usage: Usage) -> float:
        return (self.given * usage.given + self.made * usage.made) / _PER


#: Of a model that is one's own.
FREE = Price()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call: of the prompt, and of the answer; 0 where the server does not count."""

    given: int = 0
    made: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    prompt: str  #: its name
    model: str
    usage: Usage
    cost: float


@dataclass(slots=True)
class Ledger:
    """Every call, and their sum. `budget`: no call is made once so much is spent; None for no limit."""

    budget: float | None = None
    entries: list[Entry] = field(default_factory=list)
    remembered: int = 0  #: answers that cost nothing: they were given before
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def spent(self) -> float:
        return sum(e.cost for e in self.entries)

    @property
    def tokens(self) -> Usage:
        return Usage(sum(e.usage.given for e in self.entries), sum(e.usage.made for e in self.entries))

    def check(self) -> None:
        """Raises `ModelError` where the budget is spent."""
        if self.budget is not None and self.spent >= self.budget:
            raise ModelError(
                f"the budget of {self.budget:g} for the language model is spent "
                f"({self.spent:.4g} in {len(self.entries)} calls); no further call is made",
                "budget spent",
            )

    def add(self, prompt: str, model: str, usage: Usage, price: Price) -> None:
        with self._lock:
            self.entries.append(Entry(prompt, model, usage, price.of(usage)))

    def remember(self) -> None:
        with self._lock:
            self.remembered += 1
