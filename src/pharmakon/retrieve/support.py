"""Whether a sentence is supported by the evidence it cites: by code alone, one rule after the other.

What a language model writes is a draft. A sentence of it is said only where one quotation says the same: word for word,
or with the same figures, names, polarity and most of its words. Rules that can't be sure refuse: a faithful sentence
that is dropped costs a reader some fluency, an unfaithful one that passes may cost more.

Each part of a sentence is held against single sentences of the quotations, never against all of them together, so that
two true halves do not make a false whole.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pharmakon.model.concepts import ConceptId, fold
from pharmakon.model.documents import Evidence
from pharmakon.model.question import Link
from pharmakon.retrieve.supporting.reading import Above, Links, Reading, clauses, instructs, read, sentences
from pharmakon.retrieve.supporting.roles import roles_swapped
from pharmakon.retrieve.supporting.rules import (
    concepts_missing,
    denied_otherwise,
    figures_missing,
    lacking,
    not_covered,
    only_names,
    smuggled,
    stance_differs,
    substituted,
)

#: The rules in order; a sentence that is refused is refused by the first that fails for the best of its quotations.
RULES = ("verbatim", "figures", "concepts", "stance", "coverage")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`rule`: which one decided (one of `RULES`, or "evidence" where nothing is cited); `missing`: what it lacked."""

    supported: bool
    rule: str
    missing: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.rule + (f": {', '.join(self.missing)}" if self.missing else "")


@dataclass(frozen=True, slots=True)
class _Unit:
    """One sentence of a quotation, and what its document is about."""

    reading: Reading
    about: frozenset[ConceptId]
    before: frozenset[ConceptId]  #: named earlier in the same quotation: "Avoid the pair."
    document: str

    def concepts(self) -> frozenset[ConceptId]:
        return self.reading.concepts | self.about | self.before


def check(sentence: str, evidence: Sequence[Evidence], links: Links, above: Above, lang: str = "") -> Verdict:
    """The verdict on `sentence`. `links` reads names in any text, `above` is the hierarchy of the knowledge base.
    `lang` is the sentence's language, worked out where it is empty.

    A quotation that tells its reader what to say supports nothing.
    """
    evidence = [e for e in evidence if not instructs(e.quote)]
    if not evidence or not sentence.strip():
        return Verdict(False, "evidence")
    if sentence.rstrip().endswith(("?", "？")) or any(unicodedata.category(c) == "So" for c in sentence):
        return Verdict(False, "form")  # a question or a picture takes back what the words say
    if verbatim(sentence, evidence, lang):
        return Verdict(True, "verbatim")
    units = list(_units(evidence, links))
    whole = read(sentence, links, lang)
    if not (whole.links or whole.figures) and all(u.reading.lang != whole.lang for u in units):
        return Verdict(False, "coverage", ("a name or a figure",))
    parts = [read(part, links, whole.lang) for part in clauses(sentence, whole.lang)]
    best = _best(whole, units, above)
    if best[0].supported and not any(smuggled(part, best[1].reading, best[1].about) for part in parts):
        return best[0]
    if len(parts) < 2:
        return best[0] if not best[0].supported else Verdict(False, "coverage", ("a part of it",))
    return _by_parts(parts, units, above)


def _by_parts(parts: Sequence[Reading], units: Sequence[_Unit], above: Above) -> Verdict:
    """Every part by a sentence of its own; parts of different documents must each name what they are about."""
    used: set[str] = set()
    for at, part in enumerate(parts):
        if only_names(part) and any(not lacking(part, u.reading, u.about, above) for u in units):
            continue
        verdict, unit = _best(part, units, above)
        if not verdict.supported:
            return verdict
        names = part.concepts & frozenset(c for u in unit.about for c in above(u)) or part.concepts & unit.about
        if used and unit.document not in used and not names and unit.about:
            return Verdict(False, "concepts", (f"what part {at + 1} is about",))
        used.add(unit.document)
    return Verdict(True, "coverage") if used else Verdict(False, "coverage", ("anything said of what it names",))


def _best(reading: Reading, units: Sequence[_Unit], above: Above) -> tuple[Verdict, _Unit]:
    """The verdict by the unit that gets furthest."""
    verdicts = [(_judge(reading, unit, above), unit) for unit in units]
    for verdict, unit in verdicts:
        if verdict.rule == "stance" and _says_the_same(reading, unit) and _turned(reading, unit.reading):
            return verdict, unit  # it turns what one sentence says, whatever another one allows
    return max(verdicts, key=lambda v: (v[0].supported, RULES.index(v[0].rule), -len(v[0].missing)))


def _judge(reading: Reading, unit: _Unit, above: Above) -> Verdict:
    quoted, about = unit.reading, unit.about
    if missing := figures_missing(reading, quoted):
        return Verdict(False, "figures", tuple(missing))
    missing = concepts_missing(reading, unit.concepts(), quoted, above) or substituted(reading, quoted, about, above)
    if missing:
        return Verdict(False, "concepts", tuple(missing))
    if missing := stance_differs(reading, quoted) or roles_swapped(reading, quoted, about, above):
        return Verdict(False, "stance", tuple(missing))
    if missing := not_covered(reading, quoted, about, above):
        return Verdict(False, "coverage", tuple(missing))
    return Verdict(True, "coverage")


def _says_the_same(reading: Reading, unit: _Unit) -> bool:
    """Whether nearly all of the words stand in this one sentence."""
    absent = lacking(reading, unit.reading, (), _alone)
    return len(reading.items) > 2 and len(absent) <= 0.2 * len(reading.items)


def _turned(reading: Reading, quotation: Reading) -> bool:
    """Whether one denies or forbids what the other does not, or says the opposite."""
    opposite = any(
        mine and theirs and mine.isdisjoint(theirs)
        for group in ("direction", "bearing", "change")
        for mine, theirs in [(reading.members(group), quotation.members(group))]
    )
    forbids = "against" in quotation.members("stance") and "against" not in reading.members("stance")
    return opposite or forbids or any(denied_otherwise(reading, quotation))


def _units(evidence: Sequence[Evidence], links: Links) -> Iterator[_Unit]:
    for one in dict.fromkeys(evidence):
        title = frozenset(c for k in links(one.title) for c in k.concepts)
        before: frozenset[ConceptId] = frozenset()
        for sentence in sentences(one.quote):
            reading = read(sentence, links)
            yield _Unit(reading, title, before, one.document)
            before |= reading.concepts


def verbatim(sentence: str, evidence: Sequence[Evidence], lang: str = "") -> bool:
    """Whether the words stand in one quotation, or in two of one section that follow one another.

    Signs do not count in comparing words, so figures are compared with their bounds: "< 30" is not "> 30".
    """
    wanted = f" {fold(sentence)} "
    if not wanted.strip():
        return False
    ordered = sorted(set(evidence), key=lambda e: (e.document, e.version, e.ord, e.start))
    quotes = [fold(e.quote) for e in ordered]
    joined = [
        f"{x} {y}"
        for (a, b), (x, y) in zip(pairwise(ordered), pairwise(quotes), strict=True)
        if (a.document, a.version, a.ord) == (b.document, b.version, b.ord) and a.end <= b.start
    ]
    texts = [f" {quote} " for quote in (*quotes, *joined)]
    wanted = wanted if wanted.isascii() else wanted.strip()
    if not any(wanted in text for text in texts) or _bare(sentence, ordered, lang):
        return False
    mine = read(sentence, _nothing, lang)
    return not figures_missing(mine, read(" ".join(e.quote for e in ordered), _nothing, mine.lang))


def _bare(sentence: str, evidence: Sequence[Evidence], lang: str) -> bool:
    """Whether the words are a piece of a sentence that the rest of it turns: "… must not be used" without its "not"."""
    lang = lang or read(sentence, _nothing).lang
    for one in evidence:
        for whole in sentences(one.quote):
            inside, piece = fold(whole), fold(sentence)
            if piece in inside and piece != inside:
                mine, theirs = read(sentence, _nothing, lang), read(whole, _nothing, lang)
                return bool(stance_differs(mine, theirs))
    return False


def _nothing(_: str) -> Sequence[Link]:
    """No names."""
    return ()


def _alone(concept: ConceptId) -> tuple[ConceptId, ...]:
    """No hierarchy."""
    return (concept,)
