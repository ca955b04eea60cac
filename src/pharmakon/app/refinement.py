"""Iterative Schema Refinement as a use case: sample, propose, and what a person decides (PG-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge
from pharmakon.extract.claims import LabelContext, Sentence
from pharmakon.extract.label import Sentences, extract
from pharmakon.extract.refinement.areas import area_of, areas, sample
from pharmakon.extract.refinement.found import Proposer, unaccounted
from pharmakon.extract.refinement.loop import LEAST, N_STABLE, Gathered, Refined, refine
from pharmakon.extract.refinement.model import ModelProposer
from pharmakon.extract.refinement.overlap import Overlap, overlap
from pharmakon.extract.refinement.patterns import PatternProposer
from pharmakon.extract.sentences import sentences_of
from pharmakon.extract.specialists import ALL
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.read import read_path
from pharmakon.link.names import Finder
from pharmakon.link.products import identify
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput, KnowledgeError
from pharmakon.model.refinement import Accepted, Proposal, body_of, entry_of
from pharmakon.ports.language_model import LanguageModel

PER_AREA = 20  #: labels of each area: a hundred in all, as in PharmGraph-Auditor
SEED = 1

Progress = Callable[[int, int | None, str], object]


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which documents are read: drawn by `seed`, at most `per_area` of each area, of `paths` or of what is stored."""

    paths: tuple[Path, ...] = ()
    per_area: int = PER_AREA
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a run found. `drawn`: labels of the sample by area; `held`: of all that could be drawn ("": of no area)."""

    refined: Refined
    drawn: Mapping[str, int]
    held: Mapping[str, int]
    unreadable: tuple[BadInput, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A proposal that waits for a decision, and what it would fragment."""

    proposal: Proposal
    overlap: Overlap | None


@dataclass(frozen=True, slots=True)
class Decided:
    """An accepted entry; `graph` says in a line what became of the graph."""

    accepted: Accepted
    graph: str


def propose(
    knowledge: EmbeddedKnowledge, sampling: Sampling, *, actor: str, n_stable: int = N_STABLE, least: int = LEAST,
    model: LanguageModel | None = None, progress: Progress = lambda _done, _total, _what: None,
) -> Proposed:  # fmt: skip
    """Read the sample, keep a proposal for each gap, and say whether the schema is stable.

    Raises `BadInput` where no document can be drawn.
    """
    unreadable: list[BadInput] = []
    source = _Beside(knowledge, sampling.paths, unreadable) if sampling.paths else _Stored(knowledge)
    held = source.areas(progress)
    chosen = sample(held, sampling.per_area, sampling.seed)
    if not chosen:
        raise BadInput(
            "there is no label of the five areas to read", expected="labels, by `pharmakon ingest` or as PATH"
        )
    proposers: list[Proposer] = [PatternProposer(), *([ModelProposer(model)] if model else [])]
    settled = {(p.draft.kind, p.draft.pattern) for p in knowledge.proposals() if not p.waits}
    refined = refine(
        source.gathered(chosen), proposers, settled, n_stable=n_stable, least=least,
        progress=lambda done: progress(done, len(chosen), "looking for what the schema can't hold"),
    )  # fmt: skip
    if refined.drafts:
        knowledge.propose(refined.drafts, actor, f"gaps in {refined.read} labels, seed {sampling.seed}")
    drawn = Counter(held[id] for id in chosen)
    return Proposed(refined, {area: drawn[area] for area in areas()}, Counter(held.values()), tuple(unreadable))


def waiting(knowledge: EmbeddedKnowledge) -> list[Waiting]:
    """What waits for a decision, the gaps of the most documents first."""
    return [Waiting(p, overlap(p.draft.entry)) for p in knowledge.proposals() if p.waits]


def accept(knowledge: EmbeddedKnowledge, no: int, *, actor: str, why: str, anyway: bool = False) -> Decided:
    """The entry becomes part of the schema, and the graph is built with its table.

    Raises `BadInput` where it would fragment the schema and nobody said `anyway`.
    """
    fragment = overlap(_one(knowledge, no).draft.entry)
    if fragment is not None and not anyway:
        raise BadInput(f"proposal {no} would fragment the schema: {fragment}", expected="--anyway, or `schema revise`")
    knowledge.accept(no, actor, why)
    try:
        graph = f"the graph is built at change {knowledge.project()}"
    except KnowledgeError as error:  # it is a projection: the next query that can build it will
        graph = f"the graph waits: {error}"
    return Decided(knowledge.accepted()[-1], graph)


def revise(
    knowledge: EmbeddedKnowledge, no: int, *, key: str, kind: str, fields: Mapping[str, Any], actor: str
) -> Waiting:
    """Another name, kind or body for the same gap; `fields` replace those of the body, empty ones stay."""
    draft = _one(knowledge, no).draft
    body = body_of(draft.entry) if kind in ("", draft.kind) else {}
    if fields.get("shape", body.get("shape")) != body.get("shape"):
        body = {field: body[field] for field in ("label", "of") if field in body}  # the rest belongs to the old shape
    revised = entry_of(kind or draft.kind, key or draft.entry.name, body | dict(fields))
    knowledge.revise(no, revised, actor)
    return next(w for w in waiting(knowledge) if w.proposal.no == no)


def reject(knowledge: EmbeddedKnowledge, no: int, *, actor: str, why: str) -> None:
    """The gap is not proposed again."""
    knowledge.reject(no, actor, why)


def _one(knowledge: EmbeddedKnowledge, no: int) -> Proposal:
    found = next((p for p in knowledge.proposals() if p.no == no and p.waits), None)
    if found is None:
        raise BadInput(f"no proposal {no} waits for a decision", expected="a number from `pharmakon schema review`")
    return found


# ── where the documents come from ──────────────────────────────────────────────────────────────────


class _Areas:
    """The area of a label by what is known of the ingredient it is about."""

    def __init__(self, knowledge: EmbeddedKnowledge) -> None:
        self.knowledge = knowledge
        self.known: dict[ConceptId, str] = {}

    def of(self, subjects: Sequence[ConceptId]) -> str:
        if not subjects:
            return ""
        if subjects[0] not in self.known:
            self.known[subjects[0]] = self._work_out(subjects[0])
        return self.known[subjects[0]]

    def _work_out(self, subject: ConceptId) -> str:
        concept = self.knowledge.concepts([subject]).get(subject)
        atc = [code.value for code in concept.codes if code.system == "atc"] if concept else []
        treated = [s.object for s in self.knowledge.about([subject], ["treats"]) if s.object and not s.negative]
        diseases = {above for chains in self.knowledge.ancestors(treated).values() for above in chains}
        return area_of(atc, tuple(self.knowledge.ancestors([subject])[subject]), diseases)


class _Stored:
    """The labels of the knowledge base; what is quoted from a sentence accounts for it."""

    def __init__(self, knowledge: EmbeddedKnowledge) -> None:
        self.knowledge = knowledge

    def areas(self, _progress: Progress) -> dict[str, str]:
        known = _Areas(self.knowledge)
        return {id: known.of(subjects) for id, subjects in self.knowledge.label_subjects().items()}

    def gathered(self, ids: Sequence[str]) -> Iterator[Gathered]:
        split = sentences_of(self.knowledge)
        for id in ids:
            document = self.knowledge.document(id)
            if document is not None:  # deleted by somebody in the meantime
                yield document, unaccounted(_sentences(document, split), self.knowledge.quoted(id))


def _sentences(document: Document, split: Sentences) -> Iterator[Sentence]:
    return (sentence for section in document.sections for sentence in split(section))


class _Beside:
    """Labels of files, read and extracted as `ingest` would and not stored."""

    def __init__(self, knowledge: EmbeddedKnowledge, paths: Sequence[Path], unreadable: list[BadInput]) -> None:
        self.knowledge = knowledge
        self.paths = paths
        self.unreadable = unreadable

    def areas(self, progress: Progress) -> dict[str, str]:
        known, finder, found = _Areas(self.knowledge), Finder(self.knowledge), {}
        texts: set[str] = set()
        for done, incoming in enumerate(self._read(), 1):
            progress(done, None, "looking what the labels are about")
            if isinstance(incoming, BadInput):
                self.unreadable.append(incoming)
            elif incoming.document.hash not in texts:  # a repackager's copy is no second document
                texts.add(incoming.document.hash)
                found[incoming.document.id] = known.of(self._subjects(incoming, finder))
        return found

    def gathered(self, ids: Sequence[str]) -> Iterator[Gathered]:
        wanted = frozenset(ids)
        kept = {i.document.id: i for i in self._read() if isinstance(i, Incoming) and i.document.id in wanted}
        split, finder = sentences_of(self.knowledge), Finder(self.knowledge)
        for id in ids:
            document = kept[id].document
            context = LabelContext(
                self._subjects(kept[id], finder), frozenset(r for p in kept[id].products for r in p.routes)
            )
            made = extract(document, context, split, ALL).statements
            quoted = [(e.ord, e.start, e.end) for s in made for e in s.evidence]
            yield document, unaccounted(_sentences(document, split), quoted)

    def _read(self) -> Iterator[Incoming | BadInput]:
        for path in self.paths:
            yield from read_path(path)

    def _subjects(self, incoming: Incoming, finder: Finder) -> tuple[ConceptId, ...]:
        return identify(incoming.document.id, incoming.products, finder, lambda _: None).subjects
