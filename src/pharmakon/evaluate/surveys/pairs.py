"""Pairs of drugs that must alert, and pairs of classes that must not interrupt.

High-priority pairs come as lines `drug TAB drug` (Phansalkar 2012, as merged by others: the file is not ours to ship);
`also` adds what such a file lacks. A pair is held where both names are known, covered where both are known in depth.
Low-priority pairs are pairs of classes (Phansalkar 2013): every two held members must not come out critical.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from pharmakon.evaluate.runner import Reader, System
from pharmakon.evaluate.surveys.survey import Survey, share
from pharmakon.link.names import Finder
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Finding
from pharmakon.model.vocabulary import Tier
from pharmakon.ports.knowledge import KnowledgeBase

#: Members of a class that stand for it, so that no pair of classes outweighs the others.
_MEMBERS = 12


@dataclass(frozen=True, slots=True)
class Pairs:
    high: Sequence[tuple[str, str]]
    low: Sequence[tuple[ConceptId, ConceptId]]
    groups: Mapping[str, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)
    """Group → the drugs of its two sides; a pair is counted in the first that holds it."""


def read_pairs(text: str, name: str) -> list[tuple[str, str]]:
    """Every pair of a tab-separated file once, whichever way round; lines that begin with # are remarks."""
    found: dict[frozenset[str], tuple[str, str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        parts = tuple(part.strip() for part in line.split("\t"))
        if len(parts) != 2 or not all(parts):
            raise BadInput("no pair", where=f"{name}, line {number}", expected="drug TAB drug")
        found.setdefault(frozenset(parts), (parts[0], parts[1]))
    return list(found.values())


def read_groups(rows: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """`groups` of rules.yaml."""
    return {name: (frozenset(row["a"]), frozenset(row["b"])) for name, row in rows.items()}


def survey(pairs: Pairs, knowledge: KnowledgeBase, system: System, read: Reader) -> Survey:
    """Every pair as a prescription of two drugs for a patient nothing is known of."""
    names = _Names(knowledge)
    counts: Counter[str] = Counter()
    by_group: dict[str, Counter[str]] = {}
    failures: list[Mapping[str, Any]] = []
    uncovered: Counter[str] = Counter()
    seconds = 0.0
    for a, b in pairs.high:
        known = [names.find(n) for n in (a, b)]
        uncovered.update(n for n, k in zip((a, b), known, strict=True) if k is None)
        if None in known:
            continue
        start = time.perf_counter()
        found = _between(system(read(_prescription(a, b))).findings, [names.display(k) for k in known if k])
        seconds += time.perf_counter() - start
        alert = any(f.tier >= Tier.WARNING for f in found)
        deep = all(names.deep(k) for k in known if k)
        counts.update(held=1, found=alert, deep=deep, deep_found=deep and alert)
        by_group.setdefault(_group(pairs.groups, a, b), Counter()).update(held=1, found=alert)
        if not alert:
            said = ", ".join(f"{f.type} ({f.tier})" for f in found) or "nothing"
            line = f"{_group(pairs.groups, a, b)}: wanted a warning, got {said}"
            failures.append({"id": f"{a} + {b}", "line": line})
    for left, right in pairs.low:
        for a, b in _members(knowledge, left, right):
            start = time.perf_counter()
            found = _between(system(read(_prescription(a, b))).findings, [a, b])
            seconds += time.perf_counter() - start
            loud = [f for f in found if f.tier >= Tier.CRITICAL]
            counts.update(low=1, quiet=not loud)
            if loud:
                line = f"{left} with {right}: must not be critical, got {loud[0].type}: {loud[0].summary}"
                failures.append({"id": f"{a} + {b}", "line": line})
    return Survey(
        n=len(pairs.high) + counts["low"],
        seconds=seconds,
        metrics={
            "recall": share(counts["found"], counts["held"]),
            "recall_deep": share(counts["deep_found"], counts["deep"]),
            "covered": share(counts["held"], len(pairs.high)),
            "quiet": share(counts["quiet"], counts["low"]),
        },
        tables={
            "groups": {
                name: {"held": n["held"], "found": n["found"], "recall": share(n["found"], n["held"])}
                for name, n in sorted(by_group.items())
            },
            "counts": {k: {"n": v} for k, v in counts.items()},
            "not_held": {drug: {"pairs": n} for drug, n in uncovered.most_common()},
        },
        failures=failures,
    )


def _group(groups: Mapping[str, tuple[frozenset[str], frozenset[str]]], a: str, b: str) -> str:
    return next((g for g, (x, y) in groups.items() if (a in x and b in y) or (b in x and a in y)), "other")


def _prescription(a: str, b: str) -> Mapping[str, Any]:
    return {"medications": [{"drug": a}, {"drug": b}]}


def _between(findings: Iterable[Finding], drugs: Sequence[str]) -> list[Finding]:
    return [f for f in findings if set(drugs) <= set(f.drugs)]


def _members(knowledge: KnowledgeBase, left: ConceptId, right: ConceptId) -> Iterator[tuple[str, str]]:
    """Pairs of different members, in the order of their names."""
    sides = [_deep(knowledge, concept) for concept in (left, right)]
    yield from ((a, b) for a in sides[0] for b in sides[1] if a != b)


def _deep(knowledge: KnowledgeBase, concept: ConceptId) -> list[str]:
    """Members known in depth; in a knowledge base of labels alone, where none is, all of them."""
    below = [c for c in knowledge.descendants(concept) if kind_of(c) == "ingredient"]
    known = knowledge.concepts(below).values()
    deep = [c for c in known if c.covered == "deep"]
    return list(islice(sorted(c.display for c in deep or known), _MEMBERS))


class _Names:
    def __init__(self, knowledge: KnowledgeBase) -> None:
        self._knowledge, self._finder = knowledge, Finder(knowledge)

    def find(self, name: str) -> ConceptId | None:
        found = self._finder.exact(name, {"ingredient"})
        return found[0][0] if found else None

    def display(self, concept: ConceptId) -> str:
        return self._knowledge.concepts({concept})[concept].display

    def deep(self, concept: ConceptId) -> bool:
        return self._knowledge.concepts({concept})[concept].covered == "deep"
