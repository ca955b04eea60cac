"""The corpus of `extract-ddi` as labels of a knowledge base: sections, sentences, and who each label is about.

Each label is seen twice: as the gold's sentences with the gold's names, linked where our lexicon knows them, and as its
plain text with our own sections, sentences and names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pharmakon.evaluate.extraction.ddi_gold import Entity, GoldSentence, read_gold, title_names
from pharmakon.extract.claims import LabelContext, Mention, Sentence
from pharmakon.extract.sentences import mentioned
from pharmakon.extract.specialists.interaction.sketch import Sketch, named
from pharmakon.ingest.topics import topic
from pharmakon.link.mentions import Hit, MentionScanner, OwnNames
from pharmakon.link.names import Finder
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.documents import Section
from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import KnowledgeBase

_KINDS = frozenset(["ingredient", "drug", "class", "lifestyle"])
_LONGEST_HEADING = 90
_NUMBERED = re.compile(r"(\d{1,2})((?:\.\d{1,2})*)\s+")
_VERB = re.compile(r"\b(?:is|are|was|were|may|should|has|have|can)\b")
#: What the lexicon does not know is a class where it looks like one.
_CLASSLIKE = re.compile(
    r"(?:\w{3,}s|agent|drug|inhibitor|blocker|diuretic|therapy|product|inducer|substrate|supplements?.*)$",
    re.IGNORECASE,
)
#: The share of a gold name that one of ours must cover to mean the same.
_COVERS = 0.6

Key = frozenset[ConceptId]
"""Two concepts."""
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Read:
    """One sentence of the gold as the specialist sees it, and which pairs of its concepts are gold."""

    sentence: Sentence
    concepts: Sequence[ConceptId]
    sketch: Sketch
    said: frozenset[Key]
    unsaid: frozenset[ConceptId]  #: with the label's own drug, which the sentence does not name
    speaks: bool  #: whether it says any interaction


@dataclass(frozen=True, slots=True)
class Label:
    """A file of the corpus; `blocks` are its sections, each with where it begins in the text."""

    name: str
    text: str
    blocks: Sequence[tuple[int, Section]]
    gold: Sequence[tuple[int, GoldSentence]]  #: with where the sentence stands in the text, -1 where it does not
    context: LabelContext
    own: OwnNames


class Corpus:
    """The files of the corpus as labels of `knowledge`."""

    def __init__(self, folder: Path, ingredients: Mapping[str, Collection[str]], knowledge: KnowledgeBase) -> None:
        self.folder = folder
        self.ingredients = ingredients
        self.knowledge = knowledge
        self.scanner = MentionScanner(knowledge)
        self.finder = Finder(knowledge)

    def texts(self) -> dict[str, str]:
        """Name → plain text of every label."""
        return {name: self._file(f"{name}.txt").decode("utf-8", errors="replace") for name in self.ingredients}

    def _file(self, name: str) -> bytes:
        try:
            return (self.folder / name).read_bytes()
        except OSError as error:
            raise BadInput(f"{name} can't be read: {error.strerror}", where=str(self.folder), expected=name) from None

    def label(self, name: str) -> Label:
        text = self._file(f"{name}.txt").decode("utf-8", errors="replace")
        gold = read_gold(self._file(f"{name}.xml"), f"{name}.xml")
        names = {n: self.finder.exact(n, {"ingredient"}) for n in self.ingredients[name]}
        ingredients = [found[0][0] if found else _unknown("ingredient", n) for n, found in names.items()]
        title = title_names(text.lstrip("\ufeff\n ").partition("\n")[0])
        product = [c for n in title for c, _ in self.finder.exact(n, {"drug"})[:1]]
        subjects = tuple(dict.fromkeys([*product, *ingredients]))
        if len(ingredients) > 1 and not product:
            subjects = (ConceptId(f"drug:{name}"), *subjects)
        above = self.knowledge.ancestors(subjects)
        context = LabelContext(subjects, ancestors={c: frozenset(a) - {c} for c, a in above.items()})
        new = [n for n in title if not self.finder.exact(n, {"ingredient", "drug"})]
        own = OwnNames([*new, *(n for n, found in names.items() if not found)], subjects[:1])
        return Label(name, text, list(blocks(text)), list(_located(gold, text)), context, own)

    def reads(self, label: Label) -> Iterator[Read]:
        """The gold's sentences with the gold's names."""
        for at, gold in label.gold:
            section = next((s for start, s in label.blocks if start <= at < start + len(s.text)), _HEADING)
            hits = self.scanner.find(gold.text, label.own)
            concept = {e.id: self._concept(gold.text, e, label, hits) for e in gold.entities}
            mentions = tuple(
                Mention(*e.place, gold.text[slice(*e.place)], (concept[e.id],))
                for e in sorted(gold.entities, key=lambda e: e.place)
            )
            sentence = Sentence(section.ord, section.kind, section.heading, 0, len(gold.text), gold.text, mentions)
            concepts, things = named(sentence, label.context)
            pairs = [frozenset(concept[i] for i in pair) for pair in gold.pairs if len(pair) == 2]
            alone = frozenset(concept[i] for pair in gold.pairs if len(pair) == 1 for i in pair)
            said = frozenset(p for p in pairs if len(p) == 2)
            yield Read(
                sentence,
                concepts,
                Sketch(gold.text, things, section.kind, section.heading),
                said,
                alone,
                bool(gold.pairs),
            )

    def own_reads(self, label: Label) -> Iterator[Read]:
        """Our own sentences with our own names, and which of their pairs are gold by where the names stand."""
        marked = [
            (at, gold, [[_shifted(by_id[i].place, at) for i in pair] for pair in gold.pairs])
            for at, gold in label.gold
            if at >= 0
            for by_id in [{e.id: e for e in gold.entities}]
        ]
        for start, sentence in self.found(label):
            concepts, things = named(sentence, label.context)
            if not concepts:
                continue
            offset = start + sentence.start
            end = offset + len(sentence.text)
            here = [m for m in marked if m[0] < end and offset < m[0] + len(m[1].text)]
            pairs = [pair for _, _, found in here for pair in found]
            at = [[_shifted(place, offset) for place in thing.places] for thing in things]
            said = frozenset(
                frozenset((concepts[a], concepts[b]))
                for a in range(len(things))
                for b in range(a + 1, len(things))
                if any(len(p) == 2 and _both(at[a], at[b], p) for p in pairs)
            )
            unsaid = frozenset(
                c for c, places in zip(concepts, at, strict=True)
                if any(len(p) == 1 and any(overlap(x, p[0]) for x in places) for p in pairs)
            )  # fmt: skip
            sketch = Sketch(sentence.text, things, sentence.kind, sentence.heading)
            yield Read(sentence, concepts, sketch, said, unsaid, bool(pairs))

    def _concept(self, text: str, entity: Entity, label: Label, hits: Sequence[Hit]) -> ConceptId:
        """What a gold name means to us: a concept, or one of its own where the lexicon does not know it."""
        start, end = entity.place
        written = text[start:end]
        known = [h for h in self.scanner.find(written, label.own) if h.end - h.start >= _COVERS * len(written)]
        taken = [c for h in sorted(known, key=lambda h: h.start - h.end) for c in h.concepts if kind_of(c) in _KINDS]
        classlike = bool(_CLASSLIKE.search(written.strip()))
        here = any(h.start < end and start < h.end and kind_of(h.concepts[0]) in _KINDS for h in hits)
        if taken and (here or classlike):
            return taken[0]
        return _unknown("class" if classlike else "ingredient" if here else "indicator", written)

    def found(self, label: Label) -> Iterator[tuple[int, Sentence]]:
        """Our own sentences with our own names, and where the section begins in the text."""
        for start, section in label.blocks:
            for sentence in mentioned(section, self.scanner, label.own):
                yield start, sentence


def overlap(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether two stretches share a character."""
    return a[0] < b[1] and b[0] < a[1]


def _both(left: Sequence[Place], right: Sequence[Place], pair: Sequence[Place]) -> bool:
    return any(
        (overlap(x, pair[0]) and overlap(y, pair[1])) or (overlap(x, pair[1]) and overlap(y, pair[0]))
        for x in left
        for y in right
    )


def _shifted(place: Place, by: int) -> Place:
    return place[0] + by, place[1] + by


def _unknown(kind: str, name: str) -> ConceptId:
    """A concept for what the lexicon does not know."""
    return ConceptId(f"{kind}:{fold(name).replace(' ', '-') or 'nameless'}")


#: A heading is no sentence of any topic; the gold has some.
_HEADING = Section(0, "identity", "", "")


def blocks(text: str) -> Iterator[tuple[int, Section]]:
    """The sections of a plain text by its headings: short lines that are no sentence."""
    kind, top, heading, at, start, number = "other", "other", "", 0, 0, 0
    for line in [*text.splitlines(keepends=True), ""]:
        title = _heading(line)
        if title is not None or not line:
            if text[start:at].strip():
                yield start, Section(number, kind, heading, text[start:at])
                number += 1
            start = at + len(line)
        if title is not None:
            numbered = _NUMBERED.match(line.strip())
            first = not numbered[2] if numbered else title.isupper()
            kind = topic("", title, "" if first else top)
            top = kind if first else top
            heading = title
        at += len(line)


def _heading(line: str) -> str | None:
    """A heading without its number; None for other lines."""
    text = line.strip()
    title = _NUMBERED.sub("", text, count=1)
    if not title or len(text) > _LONGEST_HEADING or text[-1] in ".;,:?" or not (title[0].isupper()):
        return None
    return title if _NUMBERED.match(text) or not _VERB.search(text) else None


def _located(gold: Iterable[GoldSentence], text: str) -> Iterator[tuple[int, GoldSentence]]:
    """The gold's sentences stand in the order of the text."""
    at = 0
    for sentence in gold:
        found = text.find(sentence.text.strip(), at)
        found = found if found >= 0 else text.find(sentence.text.strip())
        at = max(at, found)
        yield found, sentence
