"""A splitter and a scanner for tests of single specialists: sentences with mentions from a few lines of text.

The rooms that do this for whole labels are larger; here a line or a full stop ends a sentence, and the names are those
of the shipped formulary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from ahocorasick_rs import AhoCorasick, MatchKind

from pharmakon.app.formulary import monographs, starter
from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence, Specialist
from pharmakon.model.concepts import ConceptId, concept_id, kind_of

_KINDS = frozenset(
    {"drug", "ingredient", "class", "disease", "symptom", "process", "allergen", "lifestyle", "effect", "outcome"}
)
_SHORT = 4
#: A full stop ends a sentence before a capital, save after an abbreviation.
_STOP = re.compile(
    r"(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bNo\.)(?<!\bDr\.)(?<!\bSt\.)(?<=[.?!])[)\]]*\s+(?=[A-Z•\[(])"
)


@cache
def _scanner() -> tuple[AhoCorasick, tuple[tuple[str, tuple[ConceptId, ...]], ...]]:
    names: dict[str, dict[ConceptId, None]] = {}
    for monograph in monographs():
        if kind_of(monograph.concept.id) not in _KINDS:
            continue
        for name in monograph.concept.names:
            if name.lang == "en" or name.kind in ("brand", "salt"):
                names.setdefault(name.text.lower(), {})[monograph.concept.id] = None
                if len(name.text) <= _SHORT:
                    names[name.text.lower()][monograph.concept.id] = None
    listed = tuple((name, tuple(found)) for name, found in names.items() if len(name) > 2)
    return AhoCorasick([name for name, _ in listed], matchkind=MatchKind.LeftmostLongest), listed


@cache
def _spelled() -> frozenset[str]:
    return frozenset(n.text for m in monographs() for n in m.concept.names)


def mentions(text: str) -> tuple[Mention, ...]:
    """Names of the formulary in `text`, longest first; abbreviations only as they are written there."""
    scanner, names = _scanner()
    found = []
    for index, start, end in scanner.find_matches_as_indexes(_even(text)):
        name, concepts = names[index]
        if (start and text[start - 1].isalnum()) or not _ends(text, end):
            continue
        if len(name) <= _SHORT and text[start:end] not in _spelled() and text[start:end].lower() not in _spelled():
            continue
        found.append(Mention(start, end, text[start:end], concepts))
    return tuple(found)


def _even(text: str) -> str:
    """Lower case, letter by letter, so that offsets stay."""
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _ends(text: str, end: int) -> bool:
    rest = text[end : end + 3]
    return not rest[:1].isalnum() or (rest[0] == "s" and not rest[1:2].isalnum())


def split(text: str) -> Iterator[tuple[int, int]]:
    """Spans of sentences."""
    start = 0
    for line in text.split("\n"):
        at = 0
        for stop in [*(m for m in _STOP.finditer(line)), None]:
            end = stop.start() if stop else len(line)
            inside = line[at:end]
            if inside.strip():
                lead = len(inside) - len(inside.lstrip())
                yield start + at + lead, start + at + len(inside.rstrip())
            at = stop.end() if stop else end
        start += len(line) + 1


def sentences(text: str, kind: str, heading: str = "", ord: int = 0) -> tuple[Sentence, ...]:
    """The sentences of one section."""
    found = []
    for start, end in split(text):
        inside = text[start:end]
        named = tuple(Mention(start + m.start, start + m.end, m.text, m.concepts) for m in mentions(inside))
        found.append(Sentence(ord, kind, heading, start, end, inside, named, mentions(heading)))
    return tuple(found)


@cache
def ancestors() -> Mapping[ConceptId, frozenset[ConceptId]]:
    """Concept → everything above it, by the formulary."""
    above: dict[ConceptId, set[ConceptId]] = {}
    for statement in starter().statements:
        if statement.relation in ("belongs_to", "is_a") and statement.object and not statement.negative:
            above.setdefault(statement.subject, set()).add(statement.object)

    def all_of(concept: ConceptId, seen: set[ConceptId]) -> set[ConceptId]:
        for parent in above.get(concept, ()):
            if parent not in seen:
                seen.add(parent)
                all_of(parent, seen)
        return seen

    return {concept: frozenset(all_of(concept, set())) for concept in above}


def label(*subjects: str, routes: Iterable[str] = ("oral",)) -> LabelContext:
    """`label("ingredient:metformin")`."""
    return LabelContext(tuple(concept_id(s) for s in subjects), frozenset(routes), ancestors())


def read(
    specialist: Specialist, text: str, kind: str, *subjects: str, heading: str = "", routes: Iterable[str] = ("oral",)
) -> list[Read]:
    """What `specialist` makes of one section's text."""
    return list(specialist.read(sentences(text, kind, heading), label(*subjects, routes=routes)))


def claims(
    specialist: Specialist, text: str, kind: str, *subjects: str, heading: str = "", routes: Iterable[str] = ("oral",)
) -> list[Claim]:
    """The claims alone."""
    return [c for r in read(specialist, text, kind, *subjects, heading=heading, routes=routes) for c in r.claims]


def said(claim: Claim) -> str:
    """A claim in the formulary's own language: `contraindicated_in any when crcl < 30 mL/min (critical)`."""
    s = claim.statement
    parts = [s.subject, "not " * s.negative + s.relation, str(s.object or "any")]
    parts += [f"limit {s.limit}"] if s.limit else []
    parts += ["when " + " or ".join(" & ".join(c.text for c in clause) for clause in s.when)] if s.when else []
    return " ".join([*parts, f"({s.tier})"])
