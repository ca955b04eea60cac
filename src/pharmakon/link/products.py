"""Products of a label → the concepts they are: by code, else by name; what is not known becomes a concept of its own.

Codes decide (UNII of the moiety, then of the salt, then RxNorm). A name that says another concept than the code does is
put before a person and not merged; an unknown substance never takes the place of a known one whose name is near.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from pharmakon.link.names import Finder
from pharmakon.link.widened import joined
from pharmakon.model.changes import Doubt
from pharmakon.model.concepts import Code, Concept, ConceptId, Name, concept_id, fold, kind_of
from pharmakon.model.products import Product, Substance
from pharmakon.model.tables import read_table

_INGREDIENT = frozenset({"ingredient"})
#: What else has names: a drug that took one of them would take the place of a class or disease in every text.
_NO_DRUGS = frozenset({"class", "lifestyle", "disease", "symptom", "process", "effect", "indicator", "allergen"})
_SHORTEST = 3  #: letters; what is left of a name has to be one
ProductOf = Callable[[frozenset[ConceptId]], ConceptId | None]
"""Ingredients → the fixed combination that holds exactly these, where one is known."""


@dataclass(frozen=True, slots=True)
class Composition:
    """`product` holds `ingredient`; `strength` as the label writes it."""

    product: ConceptId
    ingredient: ConceptId
    strength: str


@dataclass(frozen=True, slots=True)
class Identified:
    """`subjects` are what the label's statements are about: one ingredient, or a combination and its ingredients.

    `concepts` hold the names and codes that the label itself gives, and no others.
    """

    subjects: tuple[ConceptId, ...]
    concepts: tuple[Concept, ...]
    composition: tuple[Composition, ...]
    doubts: tuple[Doubt, ...] = ()


def identify(document: str, products: Sequence[Product], finder: Finder, product_of: ProductOf) -> Identified:
    """The concepts of the products of the label `document`; what is doubtful names it."""
    concepts: dict[ConceptId, Concept] = {}
    composition: list[Composition] = []
    doubts: list[Doubt] = []
    subjects: list[ConceptId] = []
    for product in products:
        actives = [s for s in product.substances if s.active]
        found: list[tuple[Substance, ConceptId]] = []
        for substance in actives:
            concept, doubt = _substance(document, substance, finder)
            doubts += doubt
            _add(concepts, concept)
            if all(concept.id != known for _, known in found):
                found.append((substance, concept.id))
        ids = frozenset(c for _, c in found)
        if len(ids) > 1:
            whole = product_of(ids) or _new_id("drug", "-".join(sorted(c.partition(":")[2] for c in ids)))
            _add(concepts, Concept(whole, _product_names(product, [s for s, _ in found], finder), product.codes))
            composition += [Composition(whole, c, s.strength) for s, c in found]
            subjects += [whole, *(c for _, c in found)]
        elif found:
            (only,) = ids
            brand, doubt = _brand(document, product, concepts[only], finder)
            doubts += doubt
            _add(concepts, Concept(only, brand, product.codes))
            subjects.append(only)
    return Identified(
        tuple(dict.fromkeys(subjects)),
        tuple(concepts.values()),
        tuple(dict.fromkeys(composition)),
        tuple(dict.fromkeys(doubts)),
    )


def misnamed(products: Sequence[Product], finder: Finder) -> str:
    """Why a substance that neither code nor name tells can be no drug by that name; "" where each can.

    "NSAIDs" would take the place of the class wherever it is written, and "daily" stands in every order.
    """
    for substance in (s for product in products for s in product.substances if s.active):
        names = [n for n in (substance.moiety, substance.name) if n]
        known = _by_code((*substance.moiety_codes, *substance.codes), finder) is not None
        if known or any(_by_name(n, finder) or _by_name(moiety_name(n), finder) for n in names):
            continue
        for name in names:
            if why := _taken(name, finder):
                return f"{name!r} {why}"
    return ""


def _taken(name: str, finder: Finder) -> str:
    """What a name says that is no drug's; "" where it may be one."""
    folded = fold(name)
    if not any(c.isalpha() for c in folded) or all(w in _data()["words"] or w.isdigit() for w in folded.split()):
        return "is a word of prescriptions"
    for written in (folded, folded.removesuffix("s")):
        if others := [c for c, _ in finder.exact(written, _NO_DRUGS)]:
            return f"is a name of {others[0]}"
    return ""


def _substance(document: str, substance: Substance, finder: Finder) -> tuple[Concept, list[Doubt]]:
    by_code = _by_code((*substance.moiety_codes, *substance.codes), finder)
    written = [name for name in (substance.moiety, substance.name) if name]
    by_name = list(dict.fromkeys(c for name in written for c in _by_name(name, finder)))
    by_name = by_name or list(dict.fromkeys(c for name in written for c in _by_name(moiety_name(name), finder)))
    if by_code is not None:
        others = tuple(c for c in by_name if c != by_code)
        if not others:
            return _given(by_code, substance, finder), []
        known = finder.lexicon.concepts((by_code,))[by_code]
        why = f"the label's code says {by_code}, its name {others[0]}"
        return Concept(by_code, known.names[:1], ()), [Doubt(document, written[-1], by_code, others, why)]
    if len(by_name) == 1:
        return _given(by_name[0], substance, finder), []
    name = moiety_name(written[0])
    new = _new_id("ingredient", name)
    doubt = [Doubt(document, name, new, tuple(by_name), "its name is that of several concepts")] if by_name else []
    return _given(new, substance, finder), doubt


def moiety_name(name: str) -> str:
    """A substance's name without the words of its salt, in lower case; as it is where the salt is the drug.

    >>> [moiety_name(n) for n in ("Cefoxitin Sodium", "Potassium Chloride", "Isosorbide Mononitrate")]
    ['cefoxitin', 'potassium chloride', 'isosorbide mononitrate']
    """
    parts = name.lower().split()
    while len(parts) > 1 and parts[-1].strip(",") in _data()["salts"]:
        parts.pop()
    left = " ".join(parts).strip(", ")
    return left if len(left) > _SHORTEST and left not in _data()["elements"] else name.lower()


@cache
def _data() -> dict[str, frozenset[str]]:
    return {key: frozenset(words) for key, words in read_table("pharmakon.link", "products.toml").items()}


def _given(id: ConceptId, substance: Substance, finder: Finder) -> Concept:
    """The concept with the names and codes that the label gives it; a name that is known keeps its kind."""
    known = finder.lexicon.concepts((id,)).get(id)
    held = {fold(n.text): n for n in known.names} if known else {}
    moiety = moiety_name(substance.moiety or substance.name)
    names = [held.get(fold(moiety), Name(moiety, "en", "synonym" if known else "preferred"))]
    salts = [w for w in (substance.moiety, substance.name) if w and fold(w) != fold(moiety)]
    names += [held.get(fold(w), Name(w.lower(), "en", "salt")) for w in salts]
    return Concept(id, tuple(dict.fromkeys(names)), tuple(dict.fromkeys((*substance.moiety_codes, *substance.codes))))


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


def _brand(document: str, product: Product, concept: Concept, finder: Finder) -> tuple[tuple[Name, ...], list[Doubt]]:
    """The product's name, unless it says no more than the ingredient's; a doubt where it names another drug already."""
    bare = re.sub(r"[®™]", "", product.name).strip()
    stored = finder.lexicon.concepts((concept.id,)).get(concept.id, concept)
    held = {fold(n.text): n for c in (concept, stored) for n in c.names}
    if fold(bare) in held:
        return (held[fold(bare)],), []
    if (
        not bare
        or fold(bare) == fold(product.generic)
        or _taken(bare, finder)
        or _holds(bare, {f for f, n in held.items() if n.kind != "brand"})
    ):
        return (), []
    if others := tuple(dict.fromkeys(c for c, _ in finder.exact(bare, {"ingredient", "drug"}))):
        return (), [Doubt(document, bare, concept.id, others, f"it is a name of {others[0]} already")]
    return (Name(bare, "en", "brand"),), []


def _holds(text: str, names: set[str]) -> bool:
    """Whether `text` is a known name with words of salt or form around it: "Metformin Hydrochloride"."""
    words = set(fold(text).split())
    return any(name and set(name.split()) & words for name in names)


def _product_names(product: Product, substances: Sequence[Substance], finder: Finder) -> tuple[Name, ...]:
    generic = " and ".join((s.moiety or s.name).lower() for s in substances)
    names = [Name(generic, "en", "preferred")]
    said = (fold(generic), fold(product.generic))
    if product.name and fold(product.name) not in said and not _taken(product.name, finder):
        names.append(Name(product.name, "en", "brand"))
    return tuple(names)


def _new_id(kind: str, name: str) -> ConceptId:
    slug = re.sub(r"[^a-z0-9]+", "-", fold(name)).strip("-") or "unnamed"
    return concept_id(f"{kind}:{slug}")


def _add(concepts: dict[ConceptId, Concept], new: Concept) -> None:
    known = concepts.get(new.id)
    concepts[new.id] = joined(known, new) if known else new
