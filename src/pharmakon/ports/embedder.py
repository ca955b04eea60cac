"""Text → vectors of unit length, so that a dot product is a cosine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from pharmakon.model.errors import PharmakonError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NoEmbedder(PharmakonError):
    """There is none here, and why; what needs vectors does without and says so."""


class Embedder(Protocol):
    @property
    def name(self) -> str:
        """Model and variant; vectors of two names are never compared."""
        ...

    @property
    def dimension(self) -> int: ...

    def query(self, text: str) -> NDArray[np.float32]:
        """(dimension,) for a question."""
        ...

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(len(texts), dimension) for what is searched."""
        ...
