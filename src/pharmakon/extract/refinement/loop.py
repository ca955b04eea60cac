"""The loop over documents: gaps are gathered into drafts until the schema is stable (PharmGraph-Auditor, 2.2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from pharmakon.extract.claims import Sentence
from pharmakon.extract.refinement.found import Gap, Proposer
from pharmakon.extract.refinement.overlap import Overlap, overlap
from pharmakon.model.documents import Document
from pharmakon.model.refinement import Draft, Quotation, kind_of_entry

N_STABLE = 10  #: documents in a row without a valid new proposal
LEAST = 2  #: documents that must show a gap before it is put to a person; one label may say it in its own way
QUOTED = 5  #: quotations of a proposal

Gathered = tuple[Document, Sequence[Sentence]]
"""A document and its sentences that no fact accounts for."""


@dataclass(frozen=True, slots=True)
class Refined:
    """`drafts` by the number of documents; `overlaps`: pattern → what the draft would fragment.

    `stable` says that the loop ended because `read` documents were enough, not because there were no more.
    """

    drafts: tuple[Draft, ...]
    overlaps: dict[str, Overlap]
    read: int
    sentences: int
    stable: bool
    quiet: int  #: documents in a row, at the end, without a valid new proposal
    refused: Counter[str]


@dataclass(slots=True)
class _Gathering:
    """All that shows one gap."""

    first: Gap
    documents: int = 0
    quotations: list[Quotation] = field(default_factory=list)


def refine(
    documents: Iterable[Gathered],
    proposers: Sequence[Proposer],
    settled: Collection[tuple[str, str]],
    *,
    n_stable: int = N_STABLE,
    least: int = LEAST,
    progress: Callable[[int], object] = lambda _done: None,
) -> Refined:
    """Drafts for what `documents` show; gaps of `settled` (kind, pattern) are decided and left alone.

    A document is quiet if every gap it shows has been seen before, is decided or would only fragment the schema. After
    `n_stable` quiet ones in a row the schema is stable and the loop ends; 0 reads everything. Drafts are made of what
    `least` documents show, the ones shown by most first.
    """
    gathered: dict[tuple[str, str], _Gathering] = {}
    overlaps: dict[str, Overlap] = {}
    refused: Counter[str] = Counter()
    read = sentences = quiet = 0
    stable = False
    for document, unsaid in documents:
        read += 1
        sentences += len(unsaid)
        loud = False
        shown: dict[tuple[str, str], list[Gap]] = {}
        for proposer in proposers:
            found = proposer.read(unsaid)
            refused.update(found.refused)
            for gap in found.gaps:
                shown.setdefault((kind_of_entry(gap.entry), gap.pattern), []).append(gap)
        for key, gaps in shown.items():
            if key in settled:
                continue
            one = gathered.setdefault(key, _Gathering(gaps[0]))
            one.documents += 1
            _quote(one, document, gaps)
            if one.documents == 1:
                fragment = overlap(one.first.entry)
                loud = loud or fragment is None
                if fragment is not None:
                    overlaps[key[1]] = fragment
        quiet = 0 if loud else quiet + 1
        progress(read)
        if n_stable and quiet >= n_stable:
            stable = True
            break
    drafts = tuple(_draft(one, pattern) for (_, pattern), one in gathered.items() if one.documents >= least)
    ranked = tuple(sorted(drafts, key=lambda d: (-d.documents, d.kind, d.pattern)))
    return Refined(ranked, overlaps, read, sentences, stable, quiet, refused)


def _quote(one: _Gathering, document: Document, gaps: Sequence[Gap]) -> None:
    """One sentence a document, so that the quotations show different labels."""
    if len(one.quotations) < QUOTED:
        s = gaps[0].sentence
        one.quotations.append(Quotation(document.id, document.version, s.ord, s.start, s.end, s.text))


def _draft(one: _Gathering, pattern: str) -> Draft:
    first = one.first
    return Draft(first.entry, pattern, first.why, one.documents, tuple(one.quotations), first.proposer)
