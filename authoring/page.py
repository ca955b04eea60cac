"""docs/formulary.md: what the starter formulary holds, and what it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pharmakon.ingest.formats.monograph import TOPICS, Monograph
from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import ConceptId, kind_of

_HEAD = """# The starter formulary

What the engine knows when it comes out of a fresh clone. This page is generated (`make formulary`) from the monographs
in `src/pharmakon/formulary/`; how they are written is in [monographs.md](monographs.md), how they are kept true in
[formulary-care.md](formulary-care.md).

A **deep** ingredient holds its indications, a dose limit in figures, a rule for the kidneys, contraindications and
interactions from a source that was read; "none stated" means that the source was read and states none. A **thin** one
is known by name, class, route and the effects that add up: the rules of its classes hold for it, and reports list it
as "known, but no rules are held for". A **carrier** is given and is no medicine to be audited. What stands on none of
the lists is not known at all, and a report says so.
"""


def coverage_page(monographs: Sequence[Monograph], change: ChangeSet) -> str:
    """The page as Markdown."""
    concepts = [c for c in change.concepts if kind_of(c.id) in ("ingredient", "drug")]
    depth = Counter(c.covered for c in concepts if kind_of(c.id) == "ingredient")
    kinds = Counter(kind_of(c.id) for c in change.concepts)
    relations = Counter(s.relation for s in change.statements)
    read = sum(any(e.citation and e.citation.read for e in s.evidence) for s in change.statements)
    lines = [
        _HEAD,
        "| | |", "|---|---:|",
        f"| deep ingredients | {depth['deep']} |", f"| thin ingredients | {depth['thin']} |",
        f"| carriers | {depth['carrier']} |", f"| fixed combinations | {kinds['drug']} |",
        f"| classes | {kinds['class']} |", f"| diseases | {kinds['disease']} |", f"| symptoms | {kinds['symptom']} |",
        f"| statements | {len(change.statements):,} |", f"| … with a source that was read | {read:,} |",
        "", "| relation | statements |", "|---|---:|",
        *(f"| {relation} | {n:,} |" for relation, n in relations.most_common()),
        "", "## Deep ingredients", "",
        "Statements on the ingredient itself, and the topics on which its source states nothing.", "",
        "| ingredient | statements | critical | none stated on |", "|---|---:|---:|---|",
    ]  # fmt: skip
    own = Counter(s.subject for s in change.statements)
    critical = Counter(s.subject for s in change.statements if s.tier == 3 and s.relation != "belongs_to")
    silent = {m.concept.id: [s.topic for s in m.silences] for m in monographs}
    for concept in sorted((c for c in concepts if c.covered == "deep" and kind_of(c.id) == "ingredient"), key=_name):
        none = ", ".join(t for t in TOPICS if t in silent.get(concept.id, ()))
        lines.append(f"| {concept.display} | {own[concept.id]} | {critical[concept.id]} | {none} |")
    lines += ["", "## Thin ingredients, by class", ""]
    by_class = _by_class(change)
    for name in sorted(by_class):
        lines.append(f"- **{name}**: {', '.join(sorted(by_class[name]))}")
    carriers = sorted(c.display for c in concepts if c.covered == "carrier")
    lines += ["", "## Carriers and non-drugs", "", ", ".join(carriers) + "."]
    lines += [
        "",
        "## Fixed combinations",
        "",
        ", ".join(sorted(c.display for c in concepts if kind_of(c.id) == "drug")) + ".",
    ]
    return "\n".join(lines) + "\n"


def _name(concept: object) -> str:
    return str(getattr(concept, "display", concept))


def _by_class(change: ChangeSet) -> dict[str, list[str]]:
    """Class → its thin members; a member stands under the first class its monograph names."""
    display = {c.id: c.display for c in change.concepts}
    first: dict[ConceptId, ConceptId] = {}
    for s in change.statements:
        if s.relation == "belongs_to" and s.object:
            first.setdefault(s.subject, s.object)
    found: dict[str, list[str]] = {}
    for concept in change.concepts:
        if concept.covered == "thin" and kind_of(concept.id) == "ingredient":
            group = first.get(concept.id)
            found.setdefault(display[group] if group else "without a class", []).append(concept.display)
    return found
