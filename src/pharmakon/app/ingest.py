"""Documents from files into the knowledge base: read, identify, extract, store, and say what came of each.

Two passes. The first learns who the labels are about, so that a label may name a drug whose own label comes later; the
second extracts. Documents are stored in small batches, each whole: what an interrupted run has stored is passed over by
the next one, because its version and text are there already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pharmakon.extract.claims import LabelContext, Specialist
from pharmakon.extract.label import UNREAD, Account, Sentences, extract
from pharmakon.extract.structured import structured
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.structured import with_products
from pharmakon.link.names import Finder
from pharmakon.link.products import Identified, ProductOf, Uncertain, identify
from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import KnowledgeBase

ACTOR = "ingest"
#: Documents stored in one transaction: few enough that little is done twice after an interruption.
BATCH = 25

Source = Callable[[], Iterable[Incoming | BadInput]]
"""Yields the documents; called twice, and must yield the same both times."""
Progress = Callable[[int, int | None, str], None]
"""Documents done, how many there are (None while that is not known), and what is being done."""


def silent(_done: int, _total: int | None, _what: str) -> None:
    """No progress is shown."""


SentencesOf = Callable[[KnowledgeBase], Sentences]
"""Builds the splitter with the names of a knowledge base as it stands."""


@dataclass(slots=True)
class Summary:
    """What came in, what was refused and why."""

    stored: int = 0
    unchanged: int = 0
    copies: list[tuple[str, str]] = field(default_factory=list)  #: (id, the id of the text it repeats)
    refused: list[BadInput] = field(default_factory=list)  #: documents that could not be read
    remarks: Counter[str] = field(default_factory=Counter)
    concepts: int = 0  #: new ones
    statements: int = 0
    retired: int = 0
    uncertain: list[Uncertain] = field(default_factory=list)
    sentences: Counter[tuple[str, str]] = field(default_factory=Counter)  #: (section kind, what became of it)
    unread: Counter[str] = field(default_factory=Counter)  #: reasons
    claims_refused: Counter[str] = field(default_factory=Counter)

    def count(self, account: Account) -> None:
        self.sentences.update(account.sentences)
        self.unread.update(account.why)
        self.claims_refused.update(account.refused)

    @property
    def accounted(self) -> float | None:
        """The share of sentences for clinicians that gave facts or hold nothing to extract; None without any."""
        fates = Counter[str]()
        for (_, fate), n in self.sentences.items():
            fates[fate] += n
        read = fates["facts"] + fates["nothing to extract"] + fates[UNREAD]
        return 1 - fates[UNREAD] / read if read else None


def ingest(
    knowledge: KnowledgeBase,
    source: Source,
    sentences_of: SentencesOf,
    specialists: Sequence[Specialist],
    progress: Progress = silent,
) -> Summary:
    """Bring in everything `source` yields. A document that can't be read is refused and the others come in."""
    summary = Summary()
    total = _learn_names(knowledge, source, summary, progress)
    work = _Work(knowledge, sentences_of(knowledge), specialists)
    batch: list[tuple[Document, Identified, list[Statement]]] = []
    for done, incoming in enumerate(_readable(source), 1):
        progress(done, total, "reading labels")
        document = with_products(incoming.document, incoming.products)
        summary.remarks.update(incoming.remarks)
        known = knowledge.same_text(document.hash)
        if known is not None and known != document.id:
            summary.copies.append((document.id, known))
        elif known == document.id and _same_version(knowledge, document):
            summary.unchanged += 1
        elif all(document.hash != d.hash for d, _, _ in batch):
            batch.append((document, *work.read(document, incoming, summary)))
        else:
            original = next(d.id for d, _, _ in batch if d.hash == document.hash)
            summary.copies.append((document.id, original))
        if len(batch) == BATCH:
            _store(knowledge, batch, summary)
            batch = []
    if batch:
        _store(knowledge, batch, summary)
    return summary


def _learn_names(knowledge: KnowledgeBase, source: Source, summary: Summary, progress: Progress) -> int:
    """First pass: the concepts of all products; the number of documents that can be read."""
    finder = Finder(knowledge)
    products_of = _products_of(knowledge)
    new: dict[ConceptId, Identified] = {}
    count = 0
    for incoming in source():
        if isinstance(incoming, BadInput):
            summary.refused.append(incoming)
            continue
        count += 1
        progress(count, None, "looking who the labels are about")
        found = identify(incoming.products, finder, products_of)
        known = knowledge.concepts([c.id for c in found.concepts])
        new |= {c.id: found for c in found.concepts if c.id not in known}
    if new:
        concepts = {c.id: c for found in new.values() for c in found.concepts}
        summary.concepts = len(new)
        knowledge.apply(ChangeSet(ACTOR, f"names of {len(new)} products and substances", tuple(concepts.values())))
    return count


def _readable(source: Source) -> Iterator[Incoming]:
    return (incoming for incoming in source() if isinstance(incoming, Incoming))


def _same_version(knowledge: KnowledgeBase, document: Document) -> bool:
    stored = knowledge.document(document.id)
    return stored is not None and stored.version == document.version


class _Work:
    """Extraction against one state of the names."""

    def __init__(self, knowledge: KnowledgeBase, sentences: Sentences, specialists: Sequence[Specialist]) -> None:
        self.knowledge = knowledge
        self.sentences = sentences
        self.specialists = specialists
        self.finder = Finder(knowledge)
        self.products_of = _products_of(knowledge)

    def read(self, document: Document, incoming: Incoming, summary: Summary) -> tuple[Identified, list[Statement]]:
        found = identify(incoming.products, self.finder, self.products_of)
        summary.uncertain += found.uncertain
        made = structured(document, incoming.products, found, self.finder)
        if not found.subjects:
            summary.remarks["no product was recognised; the text is stored, and nothing is extracted from it"] += 1
            return found, made
        above = self.knowledge.ancestors(found.subjects)
        label = LabelContext(
            found.subjects,
            frozenset(route for product in incoming.products for route in product.routes),
            {c: frozenset(chains) for c, chains in above.items()},
        )
        extracted = extract(document, label, self.sentences, self.specialists)
        summary.count(extracted.account)
        return found, [*made, *extracted.statements]


def _store(
    knowledge: KnowledgeBase, batch: Sequence[tuple[Document, Identified, list[Statement]]], summary: Summary
) -> None:
    concepts = {c.id: c for _, found, _ in batch for c in found.concepts}
    documents = tuple(document for document, _, _ in batch)
    statements = tuple(s for _, _, made in batch for s in made)
    why = documents[0].id if len(documents) == 1 else f"{documents[0].id} and {len(documents) - 1} more"
    applied = knowledge.apply(ChangeSet(ACTOR, why, tuple(concepts.values()), documents, statements))
    summary.stored += len(documents)
    summary.statements += applied.statements
    summary.retired += applied.retired
    summary.claims_refused.update(applied.refused)


def _products_of(knowledge: KnowledgeBase) -> ProductOf:
    """Combinations by their ingredients, as the knowledge base holds them now."""
    products = {concept for _, concept, _ in knowledge.names({"drug"})}
    held: dict[ConceptId, set[ConceptId]] = {}
    for statement in knowledge.about(products, ("has_ingredient",)):
        if statement.object is not None:
            held.setdefault(statement.subject, set()).add(statement.object)
    by = {frozenset(parts): product for product, parts in sorted(held.items(), reverse=True)}
    return by.get


def paths_source(paths: Sequence[Path], read: Callable[[Path], Iterable[Incoming | BadInput]]) -> Source:
    """A source over files and folders."""
    return lambda: (incoming for path in paths for incoming in read(path))
