"""Documents from files into the knowledge base: read, identify, extract, store, and say what came of each.

Two passes. The first gathers who the labels are about, so that a label may name a drug whose own label comes later; the
second extracts and stores. Documents are stored in small batches, each whole: what an interrupted run has stored is
passed over by the next one, because its version and text are there already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pharmakon.app.extraction import Extract, SentencesOf, extracting, in_order, workers
from pharmakon.app.gathering import Progress, Source, combinations, gather, kept, silent
from pharmakon.app.summary import Summary
from pharmakon.extract.claims import LabelContext, Specialist
from pharmakon.extract.label import Extracted, extract, spoken_of
from pharmakon.extract.structured import structured
from pharmakon.ingest.copies import copy_of, source_hash
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.structured import with_products
from pharmakon.ingest.versions import earlier
from pharmakon.link.names import Finder
from pharmakon.link.products import Identified, identify
from pharmakon.link.widened import Widened
from pharmakon.model.changes import ChangeSet, Doubt, Learned
from pharmakon.model.concepts import Concept, ConceptId, Name
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput, ProcessDied
from pharmakon.model.products import Product
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import KnowledgeBase

ACTOR = "ingest"
#: The kind of a document that is about no drug of its own, and from which nothing is extracted.
ARTICLE = "encyclopaedia"
#: Documents stored in one transaction: a few seconds' work, so that little is done twice after an interruption. With 25
#: the pages of the indexes were written four times as often, and storing took half as long again.
BATCH = 100

#: Documents on their way to each process that reads, so that none waits for this one to store a batch.
_AHEAD = 6


def ingest(
    knowledge: KnowledgeBase,
    source: Source,
    sentences_of: SentencesOf,
    specialists: Sequence[Specialist],
    progress: Progress = silent,
    *,
    again: bool = False,
    jobs: int = 1,
) -> Summary:
    """Bring in everything `source` yields. A document that can't be read is refused and the others come in.

    A document that is stored already is passed over; with `again` it is read anew, as after an upgrade of the
    specialists. `jobs`: at most so many processes read beside this one (1: none do); what is stored is the same.
    Raises `ProcessDied` where one of those is killed; what was read before is stored.
    """
    summary = Summary()
    source = kept(source)
    gathered = gather(knowledge, source, summary, progress)
    names, total = gathered.names, gathered.total
    if not total:
        return summary
    jobs = workers(jobs, total)
    work = _Work(knowledge, names, summary, again)
    try:
        with extracting(names, sentences_of, specialists, jobs) as start:
            tasks = map(work.take, gathered.readable(source))
            ahead = 0 if jobs == 1 else _AHEAD * jobs
            for done, (task, extracted) in enumerate(in_order(partial(_started, start), tasks, ahead), 1):
                progress(done, total, "reading labels")
                work.put(task, extracted)
    except ProcessDied as died:
        work.store()  # the labels that were read before are not read again
        raise ProcessDied(
            f"{died}; {summary.stored} documents are stored, and the next run goes on from there"
        ) from None
    work.store()
    return summary


def reader(
    knowledge: KnowledgeBase, source: Source, sentences_of: SentencesOf, specialists: Sequence[Specialist]
) -> Callable[[Incoming], tuple[Document, Sequence[Statement]]]:
    """What `ingest` would store of a document, without storing it; no statements of what it would refuse.

    The names are those that all of `source` bring.
    """
    gathered = gather(knowledge, source, Summary())
    work = _Work(knowledge, gathered.names, Summary(), again=True)
    sentences = sentences_of(gathered.names)

    def look(incoming: Incoming) -> tuple[Document, Sequence[Statement]]:
        if gathered.refuses(incoming):
            return incoming.document, ()
        task = work.task(incoming)
        extracted = extract(task.document, task.label, sentences, specialists) if task.label else None
        return task.document, task.made + (extracted.statements if extracted else ())

    return look


@dataclass(frozen=True, slots=True)
class _Task:
    """A document with what is known of it before its text is read; without `label` it is not."""

    document: Document
    found: Identified
    label: LabelContext | None = None
    made: tuple[Statement, ...] = ()
    original: str | None = None  #: the document whose text this one repeats


def _started(extract: Extract, task: _Task) -> Callable[[], Extracted | None]:
    return extract(task.document, task.label) if task.label else lambda: None


@dataclass(frozen=True, slots=True)
class _Ready:
    """A document with all that goes into the knowledge base with it."""

    document: Document
    learned: tuple[Concept, ...] = ()
    statements: tuple[Statement, ...] = ()
    doubts: tuple[Doubt, ...] = ()


class _Work:
    """The second pass: what each document is about, before its text is read; storing in batches, after."""

    def __init__(self, knowledge: KnowledgeBase, names: Widened, summary: Summary, again: bool) -> None:
        self.knowledge = knowledge
        self.names = names
        self.summary = summary
        self.again = again
        self.finder = Finder(names)
        self.products_of = combinations(knowledge)
        self.batch: list[_Ready] = []
        #: Hash → document, of those that are taken and not stored yet.
        self.texts: dict[str, str] = {}

    def take(self, incoming: Incoming) -> _Task:
        """What is to be done with a document. Those taken before it count as stored."""
        self.summary.remarks.update(incoming.remarks)
        found = self._identified(incoming)
        hash = source_hash(incoming.document, found.subjects)
        document = with_products(replace(incoming.document, hash=hash, dated=incoming.effective), incoming.products)
        original = self._original(document) if found.subjects else None
        if original is not None:
            document = copy_of(document, original, incoming.products)
        if original is not None or self._unchanged(document):
            return _Task(document, found, original=original)
        self.texts.setdefault(hash, document.id)
        return self._task(document, incoming.products, found)

    def task(self, incoming: Incoming) -> _Task:
        """The same for a document that will not be stored."""
        document = with_products(incoming.document, incoming.products)
        return self._task(document, incoming.products, self._identified(incoming))

    def put(self, task: _Task, extracted: Extracted | None) -> None:
        """A document whose text was read, or needed no reading. Of one that comes twice the later version counts."""
        document = task.document
        if any(ready.document.id == document.id for ready in self.batch):
            self.store()
        held = self.knowledge.document(document.id)
        older = earlier(document, held) if held is not None else False
        if held is not None and older:
            what = f"version {document.version} is older than {held.version}, which is held"
            self.summary.refused.append(BadInput(what, where=document.id))
            self.texts.pop(document.hash, None)
            return
        if held is not None and older is None:
            what = f"version {document.version} and {held.version} have no order; what was read last is kept"
            self.summary.remarks[f"{document.id}: {what}"] += 1
        if task.original is not None:
            self.summary.copies.append((document.id, task.original))
        if self._unchanged(document):
            self.summary.unchanged += task.original is None
            return
        made = task.made
        if extracted is not None:
            self.summary.count(extracted.account)
            made += extracted.statements
        elif task.original is None and document.kind != ARTICLE:
            self.summary.remarks["no product was recognised; the text is stored, and nothing is extracted from it"] += 1
        self.summary.claims.update((e.section, s.relation) for s in made for e in s.evidence)
        learned = self._learned(task.found, made) if task.original is None else task.found.concepts
        self.batch.append(_Ready(document, learned, made, task.found.doubts))
        if len(self.batch) >= BATCH:
            self.store()

    def _unchanged(self, document: Document) -> bool:
        held = None if self.again else self.knowledge.document(document.id)
        return held is not None and (held.version, held.hash) == (document.version, document.hash)

    def _identified(self, incoming: Incoming) -> Identified:
        return identify(incoming.document.id, incoming.products, self.finder, self.products_of)

    def _original(self, document: Document) -> str | None:
        """The document that has this text already, where that is another one."""
        held = self.knowledge.same_text(document.hash) or self.texts.get(document.hash)
        return held if held != document.id else None

    def _task(self, document: Document, products: Sequence[Product], found: Identified) -> _Task:
        made = structured(document, products, found, self.finder)
        if not found.subjects:
            return _Task(document, found, None, tuple(made))
        above = self.knowledge.ancestors((*found.subjects, *(s.object for s in made if s.object is not None)))
        label = LabelContext(
            found.subjects,
            frozenset(route for product in products for route in product.routes),
            {subject: _above(subject, made, above) for subject in found.subjects},
            frozenset(c.id for c in self.names.concepts(found.subjects).values() if c.covered == "deep"),
        )
        return _Task(document, found, label, tuple(made))

    def _learned(self, found: Identified, made: Sequence[Statement]) -> tuple[Concept, ...]:
        """What the label gives, and one name of everything it speaks of: those may come from a label that goes."""
        own = {c.id for c in found.concepts}
        spoken = {c for s in made for c in spoken_of(s)} - own
        known = self.names.concepts(spoken)
        return (*found.concepts, *(Concept(id, _display(known[id])) for id in sorted(spoken)))

    def store(self) -> None:
        batch, self.batch = self.batch, []
        if not batch:
            return
        for ready in batch:
            self.texts.pop(ready.document.hash, None)
        documents = tuple(ready.document for ready in batch)
        why = documents[0].id if len(documents) == 1 else f"{documents[0].id} and {len(documents) - 1} more"
        applied = self.knowledge.apply(
            ChangeSet(
                ACTOR, why,
                documents=documents,
                statements=tuple(s for ready in batch for s in ready.statements),
                learned=tuple(Learned(ready.document.id, c) for ready in batch for c in ready.learned),
                doubts=tuple(d for ready in batch for d in ready.doubts),
                anew=self.again,
            )
        )  # fmt: skip
        self.summary.doubts.update(d for ready in batch for d in ready.doubts)
        self.summary.stored += sum(1 for d in documents if not d.hash.startswith("copy of "))
        self.summary.statements += applied.statements
        self.summary.retired += applied.retired
        self.summary.claims_refused.update(applied.refused)


def _above(
    subject: ConceptId, made: Sequence[Statement], above: Mapping[ConceptId, Mapping[ConceptId, object]]
) -> frozenset[ConceptId]:
    """What is above a subject by what is stored and by what its own label states."""
    stated = {s.object for s in made if s.subject == subject and s.relation == "belongs_to" and s.object is not None}
    return frozenset(above[subject]).union(*(above[c] for c in stated))


def _display(concept: Concept) -> tuple[Name, ...]:
    return tuple(n for n in concept.names if n.text == concept.display)[:1]
