"""The first pass over documents: who they are about, and which loose texts are labels at all.

What is read here is read again by the second pass, unless all of it is small enough to be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pharmakon.app.belief import disbelieved
from pharmakon.app.summary import Summary
from pharmakon.ingest.incoming import Incoming
from pharmakon.link.names import Finder
from pharmakon.link.products import ProductOf, identify, misnamed
from pharmakon.link.widened import Widened
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import KnowledgeBase

#: Characters of text that are kept between the two passes; what is more is read twice.
KEPT = 40_000_000

Source = Callable[[], Iterable[Incoming | BadInput]]
"""Yields the documents; may be called twice, and must yield the same both times."""
Progress = Callable[[int, int | None, str], object]
"""Documents done, how many there are (None while that is not known), and what is being done."""


def silent(_done: int, _total: int | None, _what: str) -> None:
    """No progress is shown."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """`names`: those of all documents, over the ones that are stored. `total`: documents that can be read."""

    names: Widened
    total: int
    refused: frozenset[tuple[str, str]]  #: (document, hash) of the texts that are no labels, or of what is no drug

    def readable(self, source: Source) -> Iterator[Incoming]:
        """The labels of `source`."""
        return (i for i in source() if isinstance(i, Incoming) and not self.refuses(i))

    def refuses(self, incoming: Incoming) -> bool:
        return _key(incoming) in self.refused


def gather(knowledge: KnowledgeBase, source: Source, summary: Summary, progress: Progress = silent) -> Gathered:
    """The names that all labels of `source` bring. What can't be read and what is no label is in `summary`.

    Texts whose drug is a guess are judged after all others, by the names that are stored and those that the others
    bring: so it does not matter which comes first, and no guess bears out another.
    """
    pass_ = _Gathering(Widened(knowledge), summary, combinations(knowledge))
    guessed: list[Incoming] = []
    count = 0
    for incoming in source():
        if isinstance(incoming, BadInput):
            summary.refused.append(incoming)
            continue
        count += 1
        progress(count, None, "looking who the labels are about")
        if incoming.guess is None:
            pass_.learn(incoming)
        else:
            guessed.append(_without_text(incoming))
    finder = Finder(pass_.names)
    refused = {_key(i): why for i in guessed if i.guess and (why := disbelieved(i.guess, i.products, finder))}
    for incoming in guessed:
        if _key(incoming) not in refused:
            pass_.learn(incoming)
    refused |= pass_.refused
    summary.refused += refused.values()
    return Gathered(pass_.names, count - len(refused), frozenset(refused))


@dataclass(frozen=True, slots=True)
class _Gathering:
    names: Widened
    summary: Summary
    products_of: ProductOf
    refused: dict[tuple[str, str], BadInput] = field(default_factory=dict)

    def learn(self, incoming: Incoming) -> None:
        if why := misnamed(incoming.products, Finder(self.names)):
            self.refused[_key(incoming)] = BadInput(why, where=incoming.document.id, expected="the name of a drug")
            return
        found = identify(incoming.document.id, incoming.products, Finder(self.names), self.products_of)
        own = [c.id for c in found.concepts]
        self.summary.concepts.update(set(own).difference(self.names.concepts(own)))
        self.names.add(found.concepts)


def _key(incoming: Incoming) -> tuple[str, str]:
    return incoming.document.id, incoming.document.hash


def _without_text(incoming: Incoming) -> Incoming:
    return replace(incoming, document=replace(incoming.document, sections=()))


def combinations(knowledge: KnowledgeBase) -> ProductOf:
    """Combinations by their ingredients, as the knowledge base holds them now."""
    products = {concept for _, concept, _ in knowledge.names({"drug"})}
    held: dict[ConceptId, set[ConceptId]] = {}
    for statement in knowledge.about(products, ("has_ingredient",)):
        if statement.object is not None:
            held.setdefault(statement.subject, set()).add(statement.object)
    by = {frozenset(parts): product for product, parts in sorted(held.items(), reverse=True)}
    return by.get


def files(paths: Iterable[Path]) -> Source:
    """The documents of files and folders, in the order of `paths`."""
    from pharmakon.ingest.read import read_path  # brings the libraries of the formats

    chosen = tuple(paths)
    return lambda: (incoming for path in chosen for incoming in read_path(path))


def kept(source: Source) -> Source:
    """`source`, remembered while it is read the first time where it is not too large for that."""
    held: list[Incoming | BadInput] | None = []
    read = False

    def again() -> Iterator[Incoming | BadInput]:
        nonlocal held, read
        if read and held is not None:
            yield from held
            return
        size = 0
        for incoming in source():
            if held is not None:
                held.append(incoming)
                size += sum(len(s.text) for s in incoming.document.sections) if isinstance(incoming, Incoming) else 0
                if size > KEPT:
                    held = None
            yield incoming
        read = True

    return again
