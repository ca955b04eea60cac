"""Communities of concepts that belong together in the graph, and what is said of each (KB-9)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Tier

#: One or two concepts are no community.
FEWEST = 3
#: Characters of a summary that are embedded: a vector of much more is of nothing in particular.
EMBEDDED = 600


@dataclass(frozen=True, slots=True)
class Edge:
    """A live, positive statement of the graph. `conditional`: it holds under conditions, which are not told here."""

    statement: str
    subject: ConceptId
    relation: str
    object: ConceptId
    tier: Tier = Tier.WARNING
    conditional: bool = False


@dataclass(frozen=True, slots=True)
class Community:
    """`id` follows from the members alone. Level 0 is the coarsest; `parent` is "" there.

    `digest` follows from every edge at one of the members and from the names of their ends: all that a summary says.
    """

    id: str
    level: int
    parent: str
    members: tuple[ConceptId, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """One sentence and the statements that it says: each is needed, and none else is said."""

    text: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a community holds, in one language. The title claims nothing. `proposer`: template, or a model's name."""

    community: str
    lang: str
    title: str
    sentences: tuple[SummarySentence, ...]
    proposer: str = "template"

    @property
    def text(self) -> str:
        """What is embedded: the title and the sentences from the first on, as far as an embedder reads well."""
        said = self.title
        for sentence in self.sentences:
            if len(said) + len(sentence.text) > EMBEDDED:
                break
            said = f"{said}\n{sentence.text}"
        return said


def community_id(members: Iterable[ConceptId]) -> str:
    """The same members are the same community, whenever and in whatever order they were found."""
    return f"co-{hashlib.sha256(' '.join(sorted(members)).encode()).hexdigest()[:16]}"
