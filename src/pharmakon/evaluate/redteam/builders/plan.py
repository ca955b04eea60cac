"""What a builder hands over: a sketch that breaks one rule, and twins that do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from pharmakon.evaluate.redteam.ordinary import Ordinary
from pharmakon.evaluate.redteam.sketch import Line, Sketch
from pharmakon.evaluate.redteam.world import World
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Statement


@dataclass(frozen=True, slots=True)
class Planned:
    """A violation of `statement`. Of `controls` the one that breaks least becomes the twin, of `farther` where none of
    them will do; `spared` are near misses of their own, which a more general rule would forbid and this one allows.
    """

    name: str
    type: str
    drugs: frozenset[str]
    statement: Statement
    violation: Sketch
    controls: tuple[Sketch, ...]
    farther: tuple[Sketch, ...] = ()
    spared: tuple[Sketch, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A rule no prescription was made for, and why."""

    statement: Statement
    why: str


@dataclass(frozen=True, slots=True)
class Workshop:
    """What builders share. `rng` gives each rule its own stream, so that a new rule changes no other's cases."""

    world: World
    ordinary: Ordinary
    seed: int

    def rng(self, *parts: str) -> Random:
        return Random("/".join((str(self.seed), *parts)))

    def beside(self, taken: Sequence[ConceptId], rng: Random) -> Callable[[Sequence[ConceptId]], Line | None]:
        """Finds an ordinary order of one of some concepts, other than the drugs that are taken already."""

        def find(wanted: Sequence[ConceptId]) -> Line | None:
            members = {m for w in wanted for m in self.world.members(w)} - set(taken)
            return self.ordinary.line(rng.choice(sorted(members))) if members else None

        return find

    def name(self, ingredient: ConceptId) -> frozenset[str]:
        return frozenset({self.world.name(ingredient)})


Builder = Callable[[Workshop], Iterator[Planned | Skipped]]


def some(items: Sequence[ConceptId], most: int, rng: Random) -> list[ConceptId]:
    """At most `most` of `items`, in their order."""
    if len(items) <= most:
        return list(items)
    chosen = set(rng.sample(list(items), most))
    return [i for i in items if i in chosen]


def slug(concept: str) -> str:
    return concept.partition(":")[2]
