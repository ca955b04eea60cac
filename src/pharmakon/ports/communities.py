"""Communities and their summaries, as a store keeps them: a projection that follows the statements when told to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from pharmakon.model.communities import Community, Edge, Summary
from pharmakon.model.concepts import ConceptId

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CommunityStore(Protocol):
    def edges(self) -> Sequence[Edge]:
        """Every live, positive statement of the graph, in id order."""
        ...

    def labels(self) -> Mapping[ConceptId, Mapping[str, str]]:
        """Concept → language → the name it is shown by."""
        ...

    def seen(self) -> int | None:
        """The change that the communities are up to; None where none were ever found."""
        ...

    def load(self, recipe: str) -> Sequence[Community]:
        """As they were found last; none where they were found by another `recipe`."""
        ...

    def save(self, found: Sequence[Community], summaries: Sequence[Summary], recipe: str, change_no: int) -> None:
        """A community with the digest it had keeps its summaries and their vectors. Raises as every write does."""
        ...

    def homes(self, concepts: Collection[ConceptId]) -> Mapping[ConceptId, Sequence[str]]:
        """Concept → its communities, the coarsest first; one in none is absent."""
        ...

    def summaries(self, lang: str, communities: Collection[str]) -> Sequence[Summary]:
        """With the sentences that are still so: one that lags tells less, never what is not so any more."""
        ...

    def unembedded(self, model: str, limit: int) -> Sequence[tuple[int, str]]:
        """(number, text) of summaries without a vector of this model."""
        ...

    def put_vectors(self, model: str, dimension: int, found: Mapping[int, NDArray[np.float32]]) -> None: ...

    def nearest(self, vector: NDArray[np.float32], model: str, limit: int) -> Sequence[tuple[str, float]]:
        """(community, cosine) by the vectors of their summaries, the best first."""
        ...
