"""What the knowledge base must be able to answer. One contract suite (`tests/contract/`) holds every backend to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pharmakon.model.changes import Applied, ChangeSet, OpenDoubt
from pharmakon.model.concepts import Code, Concept, ConceptId, Name
from pharmakon.model.documents import Document, Section
from pharmakon.model.passages import Found, Passage
from pharmakon.model.refinement import Accepted, Draft, Entry, Proposal
from pharmakon.model.statements import Statement
from pharmakon.ports.communities import CommunityStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Step:
    """`child` is a kind of or belongs to `parent`, says the statement."""

    child: ConceptId
    parent: ConceptId
    statement: str


class Names(Protocol):
    """The names of a lexicon, all at once."""

    def names(self, kinds: Collection[str]) -> Sequence[tuple[str, ConceptId, Name]]:
        """All (folded name, concept, name) of live concepts of these kinds, in name order. For fuzzy search."""
        ...


class Lexicon(Names, Protocol):
    """Names and codes. All names passed in are folded (`model.concepts.fold`)."""

    def by_name(self, folded: Collection[str]) -> Mapping[str, Sequence[tuple[ConceptId, Name]]]:
        """Folded name → the concepts that bear it. Names nobody bears are absent."""
        ...

    def by_code(self, codes: Collection[Code]) -> Mapping[Code, Sequence[ConceptId]]:
        """Code → concepts, exact first; else the longest stored prefix (ICD). Unknown codes are absent."""
        ...

    def concepts(self, ids: Collection[ConceptId]) -> Mapping[ConceptId, Concept]:
        """Live concepts; a merged id answers with the concept it was merged into."""
        ...


class ConstraintStore(Protocol):
    """R: statements about given concepts, with their conditions, modifiers, exclusions and evidence."""

    def about(self, subjects: Collection[ConceptId], relations: Collection[str]) -> Sequence[Statement]:
        """Live statements with one of these subjects and relations, in id order."""
        ...

    def statements(self, ids: Collection[str]) -> Sequence[Statement]:
        """Live statements with these ids, in id order. Unknown and retired ids are absent."""
        ...


class TopologyStore(Protocol):
    """G: hierarchy and links. Answers with ids of statements; what they say is the constraint store's business."""

    def ancestors(self, concepts: Collection[ConceptId]) -> Mapping[ConceptId, Mapping[ConceptId, Sequence[Step]]]:
        """Concept → its ancestors (itself included, with no steps) by `belongs_to`, `is_a` → one shortest chain each.

        Unknown concepts map to themselves alone.
        """
        ...

    def descendants(self, concept: ConceptId) -> frozenset[ConceptId]:
        """Everything that is a kind of `concept`, itself included."""
        ...

    def links(
        self, subjects: Collection[ConceptId], objects: Collection[ConceptId], relations: Collection[str]
    ) -> Sequence[str]:
        """Ids of live statements from one of `subjects` to one of `objects`; symmetric relations both ways. Sorted."""
        ...

    def neighbours(self, concept: ConceptId) -> Sequence[tuple[ConceptId, str, ConceptId, str]]:
        """(subject, relation, object, statement id) of every live edge at `concept`, sorted."""
        ...


class TextStore(Protocol):
    """Documents and a word index over their sections."""

    def documents(self) -> Sequence[tuple[str, str, str]]:
        """(id, version, title) of the live documents, in id order."""
        ...

    def document(self, id: str) -> Document | None:
        """The live version, or None."""
        ...

    def same_text(self, hash: str) -> str | None:
        """The live document whose text has this hash, the first stored of several: a repackager's copy is found so."""
        ...

    def traces(self, id: str) -> Mapping[str, int]:
        """How much is held of a document (versions, sections, quotations, …); all zero once it is deleted."""
        ...

    def doubts(self) -> Sequence[OpenDoubt]:
        """What documents left for a person to decide, in order."""
        ...

    def section(self, document: str, version: str, ord: int) -> Section | None: ...

    def search(self, words: str, limit: int = 10) -> Sequence[Found]:
        """Passages by BM25 (or plain word count where the database has no word index), best first."""
        ...

    def nearest(self, vector: NDArray[np.float32], model: str, limit: int = 10) -> Sequence[Found]:
        """Passages by the cosine of their vector of this model, best first; empty where there are none of it."""
        ...

    def passages_of(self, documents: Collection[str]) -> Sequence[Passage]:
        """All passages of live documents with these ids, in order."""
        ...

    def document_frequency(self, words: Collection[str]) -> tuple[Mapping[str, int], int]:
        """Word → how many passages hold it in any of its forms; and how many passages there are."""
        ...

    def embedded(self, model: str) -> tuple[int, int]:
        """How many different passages there are, and how many of them have a vector of this model."""
        ...

    def unembedded(self, model: str, limit: int) -> Sequence[tuple[bytes, str]]:
        """(hash, text to embed) of passages without a vector of this model."""
        ...


class KnowledgeWriter(Protocol):
    def apply(self, change: ChangeSet) -> Applied:
        """Store all of `change` in one transaction and give it the next change number.

        Evidence that does not stand is refused and counted (KB-3); a statement left without evidence is not stored.
        A new version of a document retires the evidence of the old; statements without evidence left are retired.
        Raises `KnowledgeBusy` when another process keeps the lock, `KnowledgeError` when the folder can't be written.
        """
        ...

    def put_vectors(self, model: str, dimension: int, found: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Keep vectors by the hash of their text (`unembedded`). No change of what is known, so none is numbered.

        Raises `BadInput` where the model's vectors have another dimension.
        """
        ...

    def project_vectors(self, model: str) -> None:
        """Bring what finds the nearest vectors of a model up to date, where it is kept apart from them."""
        ...

    def delete_document(self, id: str, actor: str, why: str) -> Applied:
        """Every version of the document goes, with every statement, name and code that only it held, in the file too.

        Raises `BadInput` where there is none.
        """
        ...

    def merge_concepts(self, old: ConceptId, into: ConceptId, actor: str, why: str) -> Applied:
        """`old` becomes another way to say `into`, with all its names, codes and statements."""
        ...

    def decide(self, doubt: int, decision: str, actor: str, why: str) -> Applied:
        """Close a doubt. Raises `BadInput` where there is no such open doubt."""
        ...


class SchemaStore(Protocol):
    """The schema beyond the seed (PG-3): what was proposed, what was decided, and what documents leave unsaid."""

    def accepted(self) -> Sequence[Accepted]:
        """The entries on top of the seed, in the order of their versions."""
        ...

    def proposals(self) -> Sequence[Proposal]:
        """Decided ones too; those that the most documents show come first."""
        ...

    def label_subjects(self) -> Mapping[str, Sequence[ConceptId]]:
        """Live label → the concepts its statements are about, the most frequent first; one without any is absent."""
        ...

    def quoted(self, document: str) -> Sequence[tuple[int, int, int]]:
        """(section, start, end) of every live quotation from the live version of a document, in order."""
        ...

    def propose(self, drafts: Sequence[Draft], actor: str, why: str) -> Applied:
        """Keep new gaps; one that waits already takes the new count and quotations, a decided one stays decided."""
        ...

    def revise(self, proposal: int, entry: Entry, actor: str) -> Applied:
        """Another entry for the same gap. Raises `BadInput` where none waits or the vocabulary could not take it."""
        ...

    def accept(self, proposal: int, actor: str, why: str) -> Applied:
        """The entry is part of the schema from now on, and the schema has its next version. Raises as `revise`."""
        ...

    def reject(self, proposal: int, actor: str, why: str) -> Applied:
        """The same gap is not proposed again. Raises `BadInput` where the proposal does not wait."""
        ...


class KnowledgeBase(Lexicon, ConstraintStore, TopologyStore, TextStore, SchemaStore, KnowledgeWriter, Protocol):
    """All of it, as one backend offers it."""

    @property
    def communities(self) -> CommunityStore: ...

    def change_no(self) -> int:
        """The number of the last change; 0 for an empty knowledge base."""
        ...

    def version(self) -> str:
        """A word for exactly this state, printed in every report."""
        ...

    def snapshot(self) -> AbstractContextManager[None]:
        """Everything this thread reads inside is of one state, whatever is written meanwhile."""
        ...

    def check(self) -> Sequence[str]:
        """Everything that is inconsistent, one line each: φ, foreign keys, spans, closure. Empty when sound (KB-1)."""
        ...

    def stats(self) -> Mapping[str, int]: ...

    def close(self) -> None: ...
