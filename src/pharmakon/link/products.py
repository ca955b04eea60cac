"""Products of a label → the concepts they are: by code, else by name; what is not known becomes a concept of its own.

Codes decide (UNII of the moiety, then of the salt, then RxNorm). A name that says another concept than the code does is
put before a person and not merged; an unknown substance never takes the place of a known one whose name is near.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pharmakon.link.names import Finder
from pharmakon.model.concepts import Code, Concept, ConceptId, Name, concept_id, fold, kind_of
from pharmakon.model.products import Product, Substance

_INGREDIENT = frozenset({"ingredient"})
ProductOf = Callable[[frozenset[ConceptId]], ConceptId | None]
"""Ingredients → the fixed combination that holds exactly these, where one is known."""


@dataclass(frozen=True, slots=True)
class Uncertain:
    """Something a person has to decide: may `name` be merged with one of `candidates`?"""

    name: str
    taken_as: ConceptId
    candidates: tuple[ConceptId, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Composition:
    """`product` holds `ingredient`; `strength` as the label writes it."""

    product: ConceptId
    ingredient: ConceptId
    strength: str


@dataclass(frozen=True, slots=True)
class Identified:
    """`subjects` are what the label's statements are about: one ingredient, or a combination and its ingredients."""

    subjects: tuple[ConceptId, ...]
    concepts: tuple[Concept, ...]
    composition: tuple[Composition, ...]
    uncertain: tuple[Uncertain, ...] = ()


def identify(products: Sequence[Product], finder: Finder, product_of: ProductOf) -> Identified:
    """The concepts of a label's products. Concepts that are known come back with the names and codes the label adds."""
    concepts: dict[ConceptId, Concept] = {}
    composition: list[Composition] = []
    uncertain: list[Uncertain] = []
    subjects: list[ConceptId] = []
    for product in products:
        actives = [s for s in product.substances if s.active]
        found: list[tuple[Substance, ConceptId]] = []
        for substance in actives:
            concept, doubt = _substance(substance, finder)
            uncertain += doubt
            _add(concepts, concept)
            if all(concept.id != known for _, known in found):
                found.append((substance, concept.id))
        ids = frozenset(c for _, c in found)
        if len(ids) > 1:
            whole = product_of(ids) or _new_id("drug", "-".join(sorted(c.partition(":")[2] for c in ids)))
            _add(concepts, Concept(whole, _product_names(product, [s for s, _ in found]), product.codes))
            composition += [Composition(whole, c, s.strength) for s, c in found]
            subjects += [whole, *(c for _, c in found)]
        elif found:
            (only,) = ids
            brand = _brand(product, concepts[only], finder)
            _add(concepts, Concept(only, brand, product.codes))
            subjects.append(only)
    return Identified(
        tuple(dict.fromkeys(subjects)),
        tuple(_with_known(concepts, finder)),
        tuple(dict.fromkeys(composition)),
        tuple(dict.fromkeys(uncertain)),
    )


def _substance(substance: Substance, finder: Finder) -> tuple[Concept, list[Uncertain]]:
    by_code = _by_code((*substance.moiety_codes, *substance.codes), finder)
    written = [name for name in (substance.moiety, substance.name) if name]
    by_name = list(dict.fromkeys(c for name in written for c in _by_name(name, finder)))
    names = tuple(_salts(substance))
    if by_code is not None:
        doubt = [c for c in by_name if c != by_code]
        why = f"the label's code says {by_code}, its name {doubt[0]}" if doubt else ""
        uncertain = [Uncertain(written[-1] if written else by_code, by_code, tuple(doubt), why)] if doubt else []
        return Concept(by_code, () if doubt else names, substance.moiety_codes), uncertain
    if len(by_name) == 1:
        return Concept(by_name[0], names, substance.moiety_codes), []
    name = (substance.moiety or substance.name).lower()
    new = _new_id("ingredient", name)
    own = (Name(name, "en", "preferred"), *names)
    concept = Concept(new, tuple(dict.fromkeys(own)), substance.moiety_codes or substance.codes)
    if by_name:
        why = "its name is that of several concepts"
        return concept, [Uncertain(name, new, tuple(by_name), why)]
    return concept, []


def _by_code(codes: Sequence[Code], finder: Finder) -> ConceptId | None:
    """The first code that belongs to exactly one ingredient."""
    found = finder.lexicon.by_code(codes) if codes else {}
    for code in codes:
        concepts = [c for c in found.get(code, ()) if kind_of(c) == "ingredient"]
        if len(concepts) == 1:
            return concepts[0]
    return None


def _by_name(name: str, finder: Finder) -> list[ConceptId]:
    return list(dict.fromkeys(c for c, _ in finder.exact(name, _INGREDIENT)))


def _salts(substance: Substance) -> Iterator[Name]:
    """The substance's own name beside its moiety's: a salt of it."""
    if substance.moiety and fold(substance.name) != fold(substance.moiety):
        yield Name(substance.name.lower(), "en", "salt")


def _brand(product: Product, concept: Concept, finder: Finder) -> tuple[Name, ...]:
    """The product's name, unless it says no more than the ingredient's, or already names something else."""
    bare = re.sub(r"[®™]", "", product.name).strip()
    stored = finder.lexicon.concepts((concept.id,)).get(concept.id, concept)
    known = {fold(n.text) for c in (concept, stored) for n in c.names if n.kind != "brand"} | {fold(product.generic)}
    if not bare or fold(bare) in known or finder.exact(bare, {"ingredient", "drug"}) or _holds(bare, known):
        return ()
    return (Name(bare, "en", "brand"),)


def _holds(text: str, names: set[str]) -> bool:
    """Whether `text` is a known name with words of salt or form around it: "Metformin Hydrochloride"."""
    words = set(fold(text).split())
    return any(name and set(name.split()) & words for name in names)


def _product_names(product: Product, substances: Sequence[Substance]) -> tuple[Name, ...]:
    generic = " and ".join((s.moiety or s.name).lower() for s in substances)
    names = [Name(generic, "en", "preferred")]
    if product.name and fold(product.name) not in (fold(generic), fold(product.generic)):
        names.append(Name(product.name, "en", "brand"))
    return tuple(names)


def _new_id(kind: str, name: str) -> ConceptId:
    slug = re.sub(r"[^a-z0-9]+", "-", fold(name)).strip("-") or "unnamed"
    return concept_id(f"{kind}:{slug}")


def _with_known(concepts: dict[ConceptId, Concept], finder: Finder) -> Iterator[Concept]:
    """Each concept with what is known of it already, so that its first name stays its first name."""
    known = finder.lexicon.concepts(concepts)
    for id, concept in concepts.items():
        before = known.get(id)
        if before is None:
            yield concept
            continue
        names = tuple(dict.fromkeys((*before.names, *concept.names)))
        yield Concept(id, names, tuple(dict.fromkeys((*before.codes, *concept.codes))), before.covered)


def _add(concepts: dict[ConceptId, Concept], new: Concept) -> None:
    known = concepts.get(new.id)
    if known is None:
        concepts[new.id] = new
        return
    names, codes = dict.fromkeys((*known.names, *new.names)), dict.fromkeys((*known.codes, *new.codes))
    concepts[new.id] = Concept(new.id, tuple(names), tuple(codes), known.covered or new.covered)
