"""Statements beside the label sections they cite, for a second reader; and blind samples of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

from authoring.crosscheck import OWN, reference
from authoring.labels import Label
from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Statement


def beside(change: ChangeSet, labels: Mapping[str, Label], subject: ConceptId) -> Iterator[str]:
    """What is held on `subject`, section by section of what it cites, each followed by that section's text."""
    cited: dict[tuple[str, str], list[Statement]] = {}
    unheld: list[Statement] = []
    for s in change.statements:
        if s.subject != subject or s.relation in OWN:
            continue
        places = list(_places(s, labels))
        for place in places:
            cited.setdefault(place, []).append(s)
        if not places:
            unheld.append(s)
    for (ref, section), statements in sorted(cited.items()):
        yield f"\n## {ref}, {section}\n"
        yield from map(line, statements)
        label = labels[ref]
        yield f"\n> {label.get(section) or label.get('') or 'The data lack this section.'}"
    if unheld:
        yield "\n## The data hold no label for these\n"
        yield from map(line, unheld)


def sample(change: ChangeSet, labels: Mapping[str, Label], *, seed: int, size: int) -> Iterator[str]:
    """`size` statements drawn at random among those that cite a section the data hold."""
    held = [
        s
        for s in change.statements
        if s.relation not in OWN
        and any(labels[ref].get(section) or labels[ref].get("") for ref, section in _places(s, labels))
    ]
    drawn = random.Random(seed).sample(held, min(size, len(held)))
    return (f"{i}. {line(s)}" for i, s in enumerate(drawn, 1))


def line(s: Statement) -> str:
    """One statement: what fires, how strongly, what is said, and on which section."""
    parts = [s.subject, s.relation, s.object or "any"]
    parts += [f"limit {s.limit}"] if s.limit else []
    parts += [f"when {' or '.join(' and '.join(c.text for c in clause) for clause in s.when)}"] if s.when else []
    parts += [f"except {', '.join(sorted(s.excluded))}"] if s.excluded else []
    parts += [f"{m.tier.name.lower()} if {' and '.join(c.text for c in m.clause)}" for m in s.modifiers]
    fact = "; ".join((" ".join(parts[:3]), *parts[3:], f"tier {s.tier.name.lower()}"))
    cites = "; ".join(
        f"{c.title} {c.section} {c.locator}".strip() + ("" if c.read else " (not read)")
        for e in s.evidence
        if (c := e.citation)
    )
    return f'[{fact}] "{" ".join(dict.fromkeys(e.quote for e in s.evidence))}" <- {cites}'


def _places(s: Statement, labels: Mapping[str, Label]) -> Iterator[tuple[str, str]]:
    """Reference and section of every source of `s` that was read and is in the data."""
    for e in s.evidence:
        if e.citation and e.citation.read and (ref := reference(e.citation)) in labels:
            yield ref, e.citation.section
