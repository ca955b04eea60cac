"""The embedded backend as one object: `ports.knowledge.KnowledgeBase` over a folder."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pharmakon.adapters.store.embedded import checks, lexicon, passages, schema, texts, topology, vectors, writer
from pharmakon.adapters.store.embedded import statements as stored
from pharmakon.adapters.store.embedded.cache import Cache
from pharmakon.adapters.store.embedded.communities import EmbeddedCommunities
from pharmakon.adapters.store.embedded.cypher import CypherTopology, only_reads
from pharmakon.adapters.store.embedded.database import Database, Snapshot
from pharmakon.adapters.store.embedded.forgetting import traces
from pharmakon.adapters.store.embedded.graph import Graph, inconsistencies, missing_engine
from pharmakon.adapters.store.embedded.nearest import NearestVectors
from pharmakon.adapters.store.embedded.sql import queries
from pharmakon.adapters.store.embedded.words import ability, counted, current, stems, terms
from pharmakon.model.changes import Applied, ChangeSet, OpenDoubt
from pharmakon.model.concepts import Code, Concept, ConceptId, Name
from pharmakon.model.documents import Document, Section
from pharmakon.model.errors import KnowledgeError
from pharmakon.model.passages import Found, Passage
from pharmakon.model.refinement import Accepted, Draft, Entry, Proposal
from pharmakon.model.statements import Statement
from pharmakon.ports.communities import CommunityStore
from pharmakon.ports.knowledge import Step, TopologyStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def open_embedded(folder: Path, *, create: bool = True, lock_timeout: float = 10.0) -> EmbeddedKnowledge:
    """The knowledge base in `folder`, made there if it is absent and `create` says so; `lock_timeout` in seconds.

    Raises `KnowledgeError` where there is none, it can't be read, or a newer release made it.
    """
    return EmbeddedKnowledge(Database(Path(folder), create, lock_timeout))


@dataclass(slots=True, eq=False)
class EmbeddedKnowledge:
    """Everything the port promises, and Cypher. Threads may share one; a forked process reads by itself."""

    database: Database
    _graph: Graph = field(init=False)
    _nearest: NearestVectors = field(init=False)
    _cache: Cache = field(init=False, default_factory=lambda: Cache(-1))

    def __post_init__(self) -> None:
        self._graph = Graph(self.database.folder, self.database.lock_timeout)
        self._nearest = NearestVectors(self.database.folder, self.database.lock_timeout)
        with self.database.reading() as snapshot:
            self._cache_of(snapshot)
            behind = passages.missing(snapshot)
        if behind and self.database.writable:
            with self.database.writing("upgrade", "passages") as connection:
                writer.rebuild(connection)

    # ── names and codes ────────────────────────────────────────────────────────────────────────────

    def by_name(self, folded: Collection[str]) -> Mapping[str, Sequence[tuple[ConceptId, Name]]]:
        with self.database.reading() as snapshot:
            return lexicon.by_name(snapshot, self._cache_of(snapshot).redirects, folded)

    def by_code(self, codes: Collection[Code]) -> Mapping[Code, Sequence[ConceptId]]:
        with self.database.reading() as snapshot:
            return lexicon.by_code(snapshot, self._cache_of(snapshot).redirects, codes)

    def names(self, kinds: Collection[str]) -> Sequence[tuple[str, ConceptId, Name]]:
        with self.database.reading() as snapshot:
            return lexicon.names(snapshot, self._cache_of(snapshot).redirects, kinds)

    def concepts(self, ids: Collection[ConceptId]) -> Mapping[ConceptId, Concept]:
        with self.database.reading() as snapshot:
            return lexicon.concepts(snapshot, self._cache_of(snapshot).redirects, ids)

    # ── statements ─────────────────────────────────────────────────────────────────────────────────

    def about(self, subjects: Collection[ConceptId], relations: Collection[str]) -> Sequence[Statement]:
        with self.database.reading() as snapshot:
            cache = self._cache_of(snapshot)
            return stored.about(snapshot, cache, cache.live(subjects), frozenset(relations))

    def statements(self, ids: Collection[str]) -> Sequence[Statement]:
        with self.database.reading() as snapshot:
            return stored.by_id(snapshot, self._cache_of(snapshot), ids)

    # ── hierarchy and links ────────────────────────────────────────────────────────────────────────

    def ancestors(self, concepts: Collection[ConceptId]) -> Mapping[ConceptId, Mapping[ConceptId, Sequence[Step]]]:
        with self.database.reading() as snapshot:
            return topology.ancestors(snapshot, self._cache_of(snapshot), concepts)

    def descendants(self, concept: ConceptId) -> frozenset[ConceptId]:
        with self.database.reading() as snapshot:
            return topology.descendants(snapshot, self._cache_of(snapshot).target(concept))

    def links(
        self, subjects: Collection[ConceptId], objects: Collection[ConceptId], relations: Collection[str]
    ) -> Sequence[str]:
        with self.database.reading() as snapshot:
            cache = self._cache_of(snapshot)
            return topology.links(snapshot, cache, cache.live(subjects), cache.live(objects), relations)

    def neighbours(self, concept: ConceptId) -> Sequence[tuple[ConceptId, str, ConceptId, str]]:
        with self.database.reading() as snapshot:
            return topology.neighbours(snapshot, self._cache_of(snapshot).target(concept))

    # ── documents ──────────────────────────────────────────────────────────────────────────────────

    def documents(self) -> Sequence[tuple[str, str, str]]:
        with self.database.reading() as snapshot:
            return texts.documents(snapshot)

    def document(self, id: str) -> Document | None:
        with self.database.reading() as snapshot:
            return texts.document(snapshot, id)

    def same_text(self, hash: str) -> str | None:
        with self.database.reading() as snapshot:
            return texts.same_text(snapshot, hash)

    def section(self, document: str, version: str, ord: int) -> Section | None:
        with self.database.reading() as snapshot:
            return texts.section(snapshot, document, version, ord)

    def traces(self, id: str) -> Mapping[str, int]:
        with self.database.reading() as snapshot:
            return traces(snapshot, id)

    # ── communities ────────────────────────────────────────────────────────────────────────────────

    @property
    def communities(self) -> CommunityStore:
        return EmbeddedCommunities(self.database)

    # ── passages ───────────────────────────────────────────────────────────────────────────────────

    def search(self, words: str, limit: int = 10) -> Sequence[Found]:
        with self.database.reading() as snapshot:
            return passages.search(snapshot, words, limit, self._terms(snapshot))

    def nearest(self, vector: NDArray[np.float32], model: str, limit: int = 10) -> Sequence[Found]:
        with self.database.reading() as snapshot:
            held = vectors.model(snapshot.connection, model)
            if held is None:
                return []
            wanted = limit
            while True:  # vectors that no passage has any more stay in the file: as many more are asked for
                near = self._nearest.search(snapshot, held, vector, wanted)
                hits = vectors.passages_of(snapshot, near)
                if len(hits) >= limit or len(near) < wanted:
                    return passages.found(snapshot, sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit])
                wanted *= 2

    def passages_of(self, documents: Collection[str]) -> Sequence[Passage]:
        with self.database.reading() as snapshot:
            return passages.of_documents(snapshot, documents)

    def document_frequency(self, words: Collection[str]) -> tuple[Mapping[str, int], int]:
        with self.database.reading() as snapshot:
            return self._frequency(snapshot, words), passages.count(snapshot)

    def embedded(self, model: str) -> tuple[int, int]:
        with self.database.reading() as snapshot:
            held, cache = vectors.model(snapshot.connection, model), self._cache_of(snapshot)
            if held not in cache.embedded:
                cache.embedded = {held: vectors.embedded(snapshot, held)}
            return cache.embedded[held]

    def unembedded(self, model: str, limit: int) -> Sequence[tuple[bytes, str]]:
        with self.database.reading() as snapshot:
            return vectors.pending(snapshot, model, limit)

    def put_vectors(self, model: str, dimension: int, found: Mapping[bytes, NDArray[np.float32]]) -> None:
        with self.database.writing(model, "vectors") as connection:
            vectors.put(connection, model, dimension, found)

    def project_vectors(self, model: str) -> None:
        """Bring the index file of a model's vectors up to date, where they are many."""
        with self.database.reading() as snapshot:
            if held := vectors.model(snapshot.connection, model):
                self._nearest.project(snapshot, held)

    def _frequency(self, snapshot: Snapshot, words: Collection[str]) -> Mapping[str, int]:
        if not current(snapshot):
            return counted(snapshot, words)
        held = self._terms(snapshot)
        return {word: max((held.get(t, 0) for t in kept), default=0) for word, kept in stems(words).items()}

    def _terms(self, snapshot: Snapshot) -> Mapping[str, int]:
        cache = self._cache_of(snapshot)
        if cache.terms is None:
            cache.terms = terms(snapshot)
        return cache.terms

    # ── changes ────────────────────────────────────────────────────────────────────────────────────

    def apply(self, change: ChangeSet) -> Applied:
        with self.database.writing(change.actor, change.why) as connection:
            schema.offer(connection)
            return writer.apply(connection, change)

    def delete_document(self, id: str, actor: str, why: str) -> Applied:
        with self.database.writing(actor, why, erase=True) as connection:
            applied, erased = writer.delete_document(connection, id, actor, why)
        if erased:
            self._nearest.forget()
        return applied

    def merge_concepts(self, old: ConceptId, into: ConceptId, actor: str, why: str) -> Applied:
        with self.database.writing(actor, why) as connection:
            return writer.merge_concepts(connection, old, into, actor, why)

    def doubts(self) -> Sequence[OpenDoubt]:
        with self.database.reading() as snapshot:
            return texts.doubts(snapshot)

    def decide(self, doubt: int, decision: str, actor: str, why: str) -> Applied:
        with self.database.writing(actor, why) as connection:
            return writer.decide(connection, doubt, decision, actor, why)

    # ── the schema ─────────────────────────────────────────────────────────────────────────────────

    def accepted(self) -> Sequence[Accepted]:
        with self.database.reading() as snapshot:
            return schema.accepted(snapshot)

    def proposals(self) -> Sequence[Proposal]:
        with self.database.reading() as snapshot:
            return schema.proposals(snapshot)

    def label_subjects(self) -> Mapping[str, Sequence[ConceptId]]:
        with self.database.reading() as snapshot:
            return schema.subjects(snapshot, "label")

    def quoted(self, document: str) -> Sequence[tuple[int, int, int]]:
        with self.database.reading() as snapshot:
            return schema.quoted(snapshot, document)

    def propose(self, drafts: Sequence[Draft], actor: str, why: str) -> Applied:
        with self.database.writing(actor, why) as connection:
            return writer.propose(connection, drafts, actor, why)

    def revise(self, proposal: int, entry: Entry, actor: str) -> Applied:
        with self.database.writing(actor, f"proposal {proposal} revised") as connection:
            schema.offer(connection)
            return writer.revise(connection, proposal, entry, actor)

    def accept(self, proposal: int, actor: str, why: str) -> Applied:
        with self.database.writing(actor, why) as connection:
            schema.offer(connection)
            applied = writer.accept(connection, proposal, actor, why)
        with self.database.reading() as snapshot:
            self._cache_of(snapshot)
        return applied

    def reject(self, proposal: int, actor: str, why: str) -> Applied:
        with self.database.writing(actor, why) as connection:
            return writer.reject(connection, proposal, actor, why)

    # ── the graph ──────────────────────────────────────────────────────────────────────────────────

    def project(self) -> int:
        """Build the graph for the last change unless it is there; returns that change's number.

        Raises `KnowledgeError` where there is no Ladybug or nothing can be written.
        """
        with self.database.reading() as snapshot:
            if self._graph.change_no() != snapshot.change_no:
                self._graph.build(snapshot)
            return snapshot.change_no

    def cypher(self, text: str) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
        """Columns and rows of one reading query; the graph catches up first. Raises `BadInput` for anything else."""
        query = only_reads(text)
        self.project()
        return self._graph.table(query, {})

    def graph(self) -> TopologyStore:
        """The topology by Cypher; where the graph can't be brought up to date, by SQL (`capabilities` says why)."""
        try:
            self.project()
        except KnowledgeError:
            return self
        with self.database.reading() as snapshot:
            return CypherTopology(self._graph, self._cache_of(snapshot).redirects)

    def rebuild(self) -> None:
        """Work out anew all that follows from the statements and texts: closure, word index and graph.

        The graph is left out where there is no Ladybug.
        """
        with self.database.writing("rebuild", "closure and word index") as connection:
            writer.rebuild(connection)
        with self.database.reading() as snapshot:
            if not missing_engine():
                self._graph.build(snapshot, anew=True)

    # ── the whole ──────────────────────────────────────────────────────────────────────────────────

    def change_no(self) -> int:
        with self.database.reading() as snapshot:
            return snapshot.change_no

    def version(self) -> str:
        """The number of the last change and the first digits of the digest over everything told so far."""
        with self.database.reading() as snapshot:
            rows = snapshot.rows(queries("check.sql")["state"], no=snapshot.change_no)
            return f"{snapshot.change_no}-{rows[0][0][:8]}" if rows else "0-empty"

    def check(self) -> Sequence[str]:
        with self.database.reading() as snapshot:
            return [*checks.everything(snapshot), *inconsistencies(self._graph, snapshot)]

    def stats(self) -> Mapping[str, int]:
        with self.database.reading() as snapshot:
            return dict(snapshot.rows(queries("check.sql")["stats"]))

    def capabilities(self) -> Mapping[str, str]:
        """What this installation can do with this folder, in a line each for writing, text and Cypher."""
        with self.database.reading() as snapshot:
            return {
                "write": "yes" if self.database.writable else f"no: {self.database.folder} is read-only",
                "text": ability(snapshot),
                "cypher": self._graph.ability(snapshot.change_no),
            }

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything this thread reads inside is of the same change, whatever is written meanwhile."""
        with self.database.reading():
            yield

    def close(self) -> None:
        self._graph.close()
        self.database.close()

    def _cache_of(self, snapshot: Snapshot) -> Cache:
        cache = self._cache
        if cache.change_no != snapshot.change_no:
            schema.offer(snapshot.connection)  # another process may have accepted what this one has not heard of
            cache = Cache(snapshot.change_no, snapshot.redirects())
            self._cache = cache
        return cache
