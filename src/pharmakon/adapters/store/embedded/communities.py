"""Communities and their summaries, as rows: what they are found from, what was found, and the vectors of summaries.

They lag behind the statements until somebody has them follow; `seen` says how far. What a summary says is filtered by
what is live, so that one that lags tells less, never what is not so any more.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pharmakon.adapters.store.embedded import vectors
from pharmakon.adapters.store.embedded.database import Database, Snapshot
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.adapters.store.embedded.topology import graph_relations
from pharmakon.model.communities import Community, Edge, Summary, SummarySentence
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Tier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SQL = "communities.sql"
_STORED = "<f2"


# ── what they are found from ───────────────────────────────────────────────────────────────────────


def edges(snapshot: Snapshot) -> list[Edge]:
    """Every live, positive statement of the graph, in id order."""
    rows = snapshot.rows(queries(_SQL)["edges"], relations=as_json(graph_relations()))
    return [Edge(id, subject, relation, object, Tier(tier), bool(conditional))
            for id, subject, relation, object, tier, conditional in rows]  # fmt: skip


def labels(snapshot: Snapshot) -> dict[ConceptId, dict[str, str]]:
    """Concept → language → the name it is shown by: the preferred one, else the first."""
    found: dict[ConceptId, dict[str, str]] = {}
    for concept, lang, text in snapshot.connection.execute(queries(_SQL)["labels"]):
        found.setdefault(concept, {}).setdefault(lang, text)
    return found


# ── what was found ─────────────────────────────────────────────────────────────────────────────────


def seen(connection: sqlite3.Connection) -> int | None:
    """The change that the communities are up to; None where none were ever found."""
    row = connection.execute(queries(_SQL)["seen"]).fetchone()
    return None if row is None else int(row[0])


def load(snapshot: Snapshot, recipe: str) -> tuple[Community, ...]:
    """The communities as they were found last; none where they were found with other numbers (`recipe`)."""
    if snapshot.rows(queries(_SQL)["state"]) != [(recipe,)]:
        return ()
    members: dict[str, list[ConceptId]] = {}
    for community, concept in snapshot.connection.execute(queries(_SQL)["members"]):
        members.setdefault(community, []).append(concept)
    rows = snapshot.rows(queries(_SQL)["communities"])
    return tuple(Community(id, level, parent, tuple(members[id]), digest) for id, level, parent, digest in rows)


def save(
    connection: sqlite3.Connection,
    found: Sequence[Community],
    summaries: Iterable[Summary],
    recipe: str,
    change_no: int,
) -> None:
    """Keep what was found at `change_no`. A community with the digest it had keeps its summaries and their vectors."""
    sql = queries(_SQL)
    held = {(id, digest) for id, _, _, digest in connection.execute(sql["communities"])}
    wanted = {(community.id, community.digest) for community in found}
    connection.execute(sql["drop"], {"ids": as_json(sorted(id for id, _ in held - wanted))})
    connection.executemany(sql["put"], ((c.id, c.level, c.parent, c.digest) for c in found))
    new = [community for community in found if (community.id, community.digest) not in held]
    connection.executemany(sql["put_member"], ((c.id, member) for c in new for member in c.members))
    for summary in summaries:
        put_summary(connection, summary)
    connection.execute(sql["set_state"], {"recipe": recipe})
    connection.execute(sql["saw"], {"change_no": change_no})


def put_summary(connection: sqlite3.Connection, summary: Summary) -> None:
    """In place of the one in the same language, whose vectors go with it."""
    sql = queries(_SQL)
    connection.execute(sql["drop_summary"], {"community": summary.community, "lang": summary.lang})
    no = connection.execute(
        sql["put_summary"],
        {"community": summary.community, "lang": summary.lang, "title": summary.title, "proposer": summary.proposer},
    ).lastrowid
    rows = ((no, at, s.text, json.dumps(s.statements)) for at, s in enumerate(summary.sentences))
    connection.executemany(sql["put_sentence"], rows)


def homes(snapshot: Snapshot, concepts: Collection[ConceptId]) -> dict[ConceptId, list[str]]:
    """Concept → the communities it is in, the coarsest first; one in none is absent."""
    found: dict[ConceptId, list[str]] = {}
    for concept, community in snapshot.rows(queries(_SQL)["homes"], concepts=as_json(concepts)):
        found.setdefault(concept, []).append(community)
    return found


def summaries(snapshot: Snapshot, langs: Collection[str], communities: Collection[str] | None = None) -> list[Summary]:
    """The summaries in these languages, of these communities or of all, with the sentences that are still so."""
    numbers = snapshot.rows(
        queries(_SQL)["numbers"], langs=as_json(langs), ids=as_json(communities or ()), every=communities is None
    )
    return [summary for _, summary in _read(snapshot, [no for (no,) in numbers])]


def _read(snapshot: Snapshot, numbers: Sequence[int]) -> list[tuple[int, Summary]]:
    heads: dict[int, tuple[str, str, str, str]] = {}
    said: dict[int, list[SummarySentence]] = {no: [] for no in numbers}
    for no, community, lang, title, proposer, text, statements in snapshot.rows(
        queries(_SQL)["summaries"], nos=as_json(numbers)
    ):
        heads[no] = (community, lang, title, proposer)
        if text is not None:
            said[no].append(SummarySentence(text, tuple(json.loads(statements))))
    made = []
    for no in numbers:
        community, lang, title, proposer = heads[no]
        made.append((no, Summary(community, lang, title, tuple(said[no]), proposer)))
    return made


# ── vectors of summaries ───────────────────────────────────────────────────────────────────────────


def pending(snapshot: Snapshot, model: str, limit: int) -> list[tuple[int, str]]:
    """(number, text) of summaries that have no vector of this model yet."""
    held = vectors.model(snapshot.connection, model)
    rows = snapshot.rows(queries(_SQL)["pending"], model=held.no if held else 0, limit=limit)
    return [(no, summary.text) for no, summary in _read(snapshot, [no for (no,) in rows])]


def put_vectors(
    connection: sqlite3.Connection, model: str, dimension: int, rows: Mapping[int, NDArray[np.float32]]
) -> None:
    """Vectors of unit length by number of summary. Raises `BadInput` where the model has vectors of another length."""
    vectors.put(connection, model, dimension, {})
    held = vectors.model(connection, model)
    assert held is not None  # it has just been put in
    values = ((no, held.no, vector.astype(_STORED).tobytes()) for no, vector in rows.items())
    connection.executemany(queries(_SQL)["put_vector"], values)


def load_vectors(snapshot: Snapshot, model: str) -> tuple[list[tuple[str, str]], NDArray[np.float32]]:
    """(community, language) of every summary with a vector of this model, and the vectors, (n, dimension)."""
    import numpy as np

    held = vectors.model(snapshot.connection, model)
    if held is None:
        return [], np.empty((0, 0), dtype=np.float32)
    rows = snapshot.rows(queries(_SQL)["vectors"], model=held.no)
    joined = np.frombuffer(b"".join(value for _, _, value in rows), dtype=_STORED).astype(np.float32)
    return [(community, lang) for community, lang, _ in rows], joined.reshape(len(rows), held.dimension)


# ── as the port has it ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class EmbeddedCommunities:
    """`ports.communities.CommunityStore` over the knowledge base's file."""

    database: Database

    def edges(self) -> Sequence[Edge]:
        with self.database.reading() as snapshot:
            return edges(snapshot)

    def labels(self) -> Mapping[ConceptId, Mapping[str, str]]:
        with self.database.reading() as snapshot:
            return labels(snapshot)

    def seen(self) -> int | None:
        with self.database.reading() as snapshot:
            return seen(snapshot.connection)

    def load(self, recipe: str) -> Sequence[Community]:
        with self.database.reading() as snapshot:
            return load(snapshot, recipe)

    def save(self, found: Sequence[Community], made: Sequence[Summary], recipe: str, change_no: int) -> None:
        with self.database.writing("communities", "follow the statements") as connection:
            save(connection, found, made, recipe, change_no)

    def homes(self, concepts: Collection[ConceptId]) -> Mapping[ConceptId, Sequence[str]]:
        with self.database.reading() as snapshot:
            return homes(snapshot, concepts)

    def summaries(self, lang: str, communities: Collection[str]) -> Sequence[Summary]:
        with self.database.reading() as snapshot:
            return summaries(snapshot, [lang], communities)

    def unembedded(self, model: str, limit: int) -> Sequence[tuple[int, str]]:
        with self.database.reading() as snapshot:
            return pending(snapshot, model, limit)

    def put_vectors(self, model: str, dimension: int, found: Mapping[int, NDArray[np.float32]]) -> None:
        with self.database.writing(model, "vectors of summaries") as connection:
            put_vectors(connection, model, dimension, found)

    def nearest(self, vector: NDArray[np.float32], model: str, limit: int) -> Sequence[tuple[str, float]]:
        with self.database.reading() as snapshot:
            owners, held = load_vectors(snapshot, model)
        if not owners:
            return []
        near: dict[str, float] = {}
        for (community, _), cosine in zip(owners, held @ vector, strict=True):
            near[community] = max(near.get(community, -1.0), float(cosine))
        return sorted(near.items(), key=lambda hit: (-hit[1], hit[0]))[:limit]
