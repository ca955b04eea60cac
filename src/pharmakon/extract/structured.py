"""What a label's structured part states: ingredients of a combination, classes and routes of what is new to us.

Of an ingredient whose monograph was written by hand, classes and routes are the monograph's; a label's data elements
add them only to what nobody has written about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pharmakon.extract.label import PROPOSER
from pharmakon.ingest.structured import HEADING, class_line, substance_line
from pharmakon.link.names import Finder
from pharmakon.link.products import Identified
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.documents import Document, Evidence, Section
from pharmakon.model.products import Product
from pharmakon.model.statements import Condition, Statement, identified

_SUFFIX = re.compile(r"\s*\[(?:EPC|MoA|PE|CS|Chemical/Ingredient)\]\s*$")

#: Chemistry that is no class of medicines: furosemide is a sulfonamide, and no antibiotic.
_CHEMISTRY = frozenset({"Sulfonamides [CS]"})


def structured(document: Document, products: Sequence[Product], found: Identified, finder: Finder) -> list[Statement]:
    """Statements quoted from the section `ingest.structured` has added; none where it is not there."""
    section = next((s for s in document.sections if s.heading == HEADING), None)
    if section is None:
        return []
    made = [*_compositions(products, found)]
    known = finder.lexicon.concepts([c.id for c in found.concepts])
    new = {c.id for c in found.concepts if known.get(c.id, c).covered in ("", "thin")}
    ingredients = [s for s in found.subjects if kind_of(s) == "ingredient"]
    if len(ingredients) == 1 and ingredients[0] in new:
        made += [*_classes(products, ingredients[0], finder), *_routes(products, ingredients[0])]
    return [identified(_with(s, section, line, document)) for s, line in made]


_Line = tuple[Statement, str]


def _compositions(products: Sequence[Product], found: Identified) -> Iterator[_Line]:
    """`has_ingredient`, where the line of a substance names the ingredient."""
    by_name = {c.id: {n.text.casefold() for n in c.names} for c in found.concepts}
    for part in found.composition:
        for substance in (s for p in products for s in p.substances if s.active):
            if {substance.moiety.casefold(), substance.name.casefold()} & by_name.get(part.ingredient, set()):
                yield Statement("", part.product, "has_ingredient", part.ingredient), substance_line(substance)
                break


def _classes(products: Sequence[Product], subject: ConceptId, finder: Finder) -> Iterator[_Line]:
    for name in dict.fromkeys(n for p in products for n in p.classes if n not in _CHEMISTRY):
        bare = _SUFFIX.sub("", name)
        known = {c for c, _ in finder.exact(bare, {"class"})}
        if len(known) == 1:
            yield Statement("", subject, "belongs_to", known.pop()), class_line(name)


def _routes(products: Sequence[Product], subject: ConceptId) -> Iterator[_Line]:
    for product in products:
        if product.routes:
            text = f"route in {', '.join(product.routes)}"
            when = ((Condition("route", "in", values=tuple(product.routes), text=text),),)
            line = f"{product.name or product.generic}, routes: {', '.join(product.routes)}"
            yield Statement("", subject, "given_by", risk="ROUTE_ERROR", when=when), line


def _with(statement: Statement, section: Section, line: str, document: Document) -> Statement:
    start = section.text.index(line)
    evidence = Evidence(
        document.id,
        document.version,
        document.kind,
        section.kind,
        section.ord,
        start,
        start + len(line),
        line,
        PROPOSER,
    )
    return Statement(
        "", statement.subject, statement.relation, statement.object, risk=statement.risk, when=statement.when,
        evidence=(evidence,),
    )  # fmt: skip
