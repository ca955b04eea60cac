"""Vectors of texts, by model, in SQL: equal texts are embedded once, and what is stored is never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.model.errors import BadInput
from pharmakon.model.passages import embedded_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SQL = "vectors.sql"
_STORED = "<f2"  #: float16 loses nothing that a ranking would show


class Model(NamedTuple):
    """A model whose vectors are held; another `revision` means that some were put in or dropped."""

    no: int
    dimension: int
    revision: int


def model(connection: sqlite3.Connection, name: str) -> Model | None:
    row = connection.execute(queries(_SQL)["model"], {"name": name}).fetchone()
    return None if row is None else Model(*row)


def models(snapshot: Snapshot) -> Sequence[tuple[str, int, int]]:
    """(name, dimension, vectors) of every model."""
    return [(name, dimension, count) for name, dimension, count in snapshot.rows(queries(_SQL)["models"])]


def pending(snapshot: Snapshot, name: str, limit: int) -> Sequence[tuple[bytes, str]]:
    """(hash, text) of passages that have no vector of this model yet."""
    held = model(snapshot.connection, name)
    rows = snapshot.rows(queries(_SQL)["pending"], model=held.no if held else 0, limit=limit)
    return [(hash, embedded_text(title, heading, text)) for hash, title, heading, text in rows]


def embedded(snapshot: Snapshot, held: Model | None) -> tuple[int, int]:
    """How many different passages there are, and how many of them have a vector of this model."""
    total, done = snapshot.rows(queries(_SQL)["how_many"], model=held.no if held else 0)[0]
    return total, done


def put(connection: sqlite3.Connection, name: str, dimension: int, rows: Mapping[bytes, NDArray[np.float32]]) -> None:
    """Raises `BadInput` where a model of this name has vectors of another length."""
    held = model(connection, name)
    if held is None:
        connection.execute(queries(_SQL)["new_model"], {"name": name, "dimension": dimension})
        held = model(connection, name)
    assert held is not None  # it has just been put in
    if held.dimension != dimension or any(v.shape != (dimension,) for v in rows.values()):
        raise BadInput(f"vectors of {name} of another length", expected=f"{held.dimension} numbers")
    values = ((held.no, hash, vector.astype(_STORED).tobytes()) for hash, vector in rows.items())
    connection.executemany(queries(_SQL)["put"], values)
    connection.execute(queries(_SQL)["changed"], {"model": held.no})


def drop_unused(connection: sqlite3.Connection) -> bool:
    """Vectors of texts that no passage has any more; whether there were any."""
    dropped = connection.execute(queries(_SQL)["drop_unused"]).rowcount > 0
    if dropped:
        connection.execute(queries(_SQL)["changed"], {"model": 0})
    return dropped


def load(
    snapshot: Snapshot, model_no: int, dimension: int, after: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Numbers (n,) and vectors (n, dimension) behind number `after`."""
    import numpy as np

    rows = snapshot.rows(queries(_SQL)["values"], model=model_no, after=after)
    numbers = np.array([no for no, _ in rows], dtype=np.int64)
    joined = np.frombuffer(b"".join(value for _, value in rows), dtype=_STORED)
    return numbers, joined.astype(np.float32).reshape(len(rows), dimension)


def passages_of(snapshot: Snapshot, hits: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """(vector number, score) → (passage number, score); several passages may share a vector."""
    return snapshot.rows(queries(_SQL)["passages_of"], hits=as_json(hits))
