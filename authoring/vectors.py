"""The vectors of a knowledge base, by the hash of their text, to be shipped with the formulary."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pharmakon.app.settings import settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def all_vectors(home: Path) -> tuple[str, Mapping[bytes, NDArray[np.float32]]]:
    """(model, hash → vector) of the only model that the knowledge base at `home` has vectors of."""
    import numpy as np

    connection = sqlite3.connect(settings(home).knowledge / "knowledge.db")
    try:
        ((name,),) = connection.execute("SELECT name FROM embedding_model").fetchall()
        rows = connection.execute("SELECT hash, value FROM vector").fetchall()
    finally:
        connection.close()
    return name, {hash: np.frombuffer(value, dtype="<f2").astype(np.float32) for hash, value in rows}
