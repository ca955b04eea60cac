"""The products of a record: out of its openfda block, else out of its data elements or first sentences.

The block is flat and holds the values of all products of a label together. `unii` and `substance_name` are those of the
substance as it is made (the salt); no code is of the moiety, whose name shows only where the generic name or the data
elements leave the salt away. With more than one substance nothing tells which code is whose, and a wrong code would
make one drug of two, so none is given to any.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile

from pharmakon.ingest.formats.about import from_sentence, product, split_names
from pharmakon.ingest.formats.openfda.knowledge import knowledge
from pharmakon.ingest.formats.openfda.values import texts
from pharmakon.model.concepts import Code, fold
from pharmakon.model.products import Product, Substance
from pharmakon.model.vocabulary import routes

#: A name longer than this is no name (words).
_LONGEST = 8


def read_products(record: Mapping[str, object]) -> tuple[tuple[Product, ...], list[str]]:
    """The products, and remarks on what had to be guessed or could not be told."""
    block = record.get("openfda")
    block = block if isinstance(block, Mapping) else {}
    set_id = str(record.get("set_id") or "").casefold()
    theirs = [text.casefold() for text in texts(block, "spl_set_id")]
    if set_id and theirs and set_id not in theirs:
        products, remarks = _from_text(record)
        return products, [f"openfda block: it is that of another label ({theirs[0]}), and not used", *remarks]
    if any(texts(block, key) for key in ("substance_name", "generic_name", "brand_name")):
        return _from_block(block, " ".join(texts(record, "spl_product_data_elements")))
    return _from_text(record)


def own_names(products: Sequence[Product]) -> list[str]:
    """What a label may call its own drug."""
    named = [[p.name, p.generic, *(s.name for s in p.substances)] for p in products]
    return list(dict.fromkeys(name for names in named for name in names if name))


def _from_block(block: Mapping[str, object], elements: str) -> tuple[tuple[Product, ...], list[str]]:
    remarks: list[str] = []
    names, uniis = texts(block, "substance_name"), texts(block, "unii")
    generics, brands = texts(block, "generic_name"), texts(block, "brand_name")
    if len(names) == 1 == len(uniis):
        substances = [Substance(names[0], active=True, codes=(Code("unii", uniis[0]),))]
    else:
        substances = [Substance(name, active=True) for name in names]
        if uniis and len(names) > 1:
            remarks.append(
                "openfda block: several substances, and nothing tells which UNII is whose; their names decide"
            )
    if not substances:
        written = generics or brands
        substances = [Substance(part, active=True) for name in written for part in split_names(name)]
        remarks.append("openfda block: no substances; their names are taken from the product's name")
    bases = [part for name in generics for part in split_names(name)]
    substances = [replace(s, moiety=moiety(s.name, bases, elements)) for s in substances]
    codes = knowledge()["block"]["codes"].items()
    whole = Product(
        brands[0] if brands else generics[0] if generics else "",
        generic=generics[0] if generics else "",
        routes=_routes(texts(block, "route"), remarks),
        substances=tuple(dict.fromkeys(substances)),
        classes=tuple(text for key in knowledge()["block"]["classes"] for text in texts(block, key)),
        codes=tuple(Code(system, text) for system, keys in codes for key in keys for text in texts(block, key)),
    )
    return _apart(whole, brands, generics), remarks


def moiety(substance: str, generics: Sequence[str], elements: str = "") -> str:
    """The name of a salt's active moiety, where the label itself says it: "" where it does not.

    In data elements it follows the substance; a generic name is one where it is the substance's name but for the salt.

    >>> moiety("ABACAVIR SULFATE", ["Abacavir"]), moiety("INSULIN GLARGINE", ["INSULIN"])
    ('Abacavir', '')
    >>> moiety("LITHIUM CARBONATE", ["LITHIUM"], "LITHIUM CARBONATE LITHIUM CATION STARCH, CORN")
    'LITHIUM CATION'
    """
    rules = knowledge()["moieties"]
    words = substance.casefold().split()
    place = re.search(rf"(?<!\S){re.escape(substance)} (?={re.escape(words[0])}(?: |$))", elements, re.IGNORECASE)
    if place:
        following = elements[place.end() :].split()
        same = sum(
            1 for _ in takewhile(lambda pair: pair[0] == pair[1].casefold(), zip(words, following, strict=False))
        )
        ion = same < len(following) and following[same].casefold() in rules["ions"]
        if same < len(words):
            return " ".join(following[: same + ion])
    salts = frozenset(rules["salts"])
    for generic in generics:
        base = generic.casefold().split()
        salt = words[len(base) :]
        whole = not salts.isdisjoint(base) or base[0] in rules["metals"]  # a salt itself, or one without a moiety
        if words[: len(base)] == base and salt and salts.issuperset(salt) and not whole:
            return generic
    return ""


def _apart(whole: Product, brands: Sequence[str], generics: Sequence[str]) -> tuple[Product, ...]:
    """One product, or one for each generic name where these part the substances among themselves.

    Codes and classes can't be parted: they stay with a single product, and are left out where there are several.
    """
    if len(generics) < 2 or len(whole.substances) < 2:
        return (whole,)
    held = [tuple(s for s in whole.substances if fold(s.name).startswith(fold(generic))) for generic in generics]
    placed = [s for of in held for s in of]
    if not all(held) or sorted(s.name for s in placed) != sorted(s.name for s in whole.substances):
        return (whole,)
    paired = brands if len(brands) == len(generics) else generics
    return tuple(
        Product(name, generic, routes=whole.routes, substances=of)
        for name, generic, of in zip(paired, generics, held, strict=True)
    )


def _routes(written: Sequence[str], remarks: list[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    own: dict[str, str] = knowledge()["block"]["routes"]
    for text in written:
        key = own.get(text.casefold()) or _route_names().get(fold(text))
        if key:
            found[key] = None
        else:
            remarks.append(f"route: {text} is none of the vocabulary")
    return tuple(found)


@cache
def _route_names() -> dict[str, str]:
    return {fold(name): route.name for route in routes().values() for name in route.names}


def _from_text(record: Mapping[str, object]) -> tuple[tuple[Product, ...], list[str]]:
    elements = " ".join(texts(record, "spl_product_data_elements"))
    named = from_data_elements(elements)
    if named:
        return (named,), ["product: no openfda block; its name is taken from the data elements"]
    for key in ("indications_and_usage", "contraindications", "warnings_and_cautions", "warnings", "description"):
        for text in texts(record, key):
            found = from_sentence(text)
            if found:
                return (found,), [f"product: no openfda block; its name is taken from {key}"]
    return (), ["product: no openfda block, and neither data elements nor text tell which drug it is"]


def from_data_elements(text: str) -> Product | None:
    """The product at the beginning of flattened data elements: brand, generic name, substance, moiety, all in a row.

    The generic name shows where it is said again as the substance.

    >>> found = from_data_elements("Zestril lisinopril LISINOPRIL LISINOPRIL MANNITOL STARCH, CORN")
    >>> found.name, found.generic
    ('Zestril', 'lisinopril')
    """
    words = text.split()[: 3 * _LONGEST]
    plain = [word.casefold() for word in words]
    for start in range(min(len(words), _LONGEST + 1)):
        for length in range(1, _LONGEST + 1):
            if plain[start : start + length] == plain[start + length : start + 2 * length] and start + length < len(
                words
            ):
                generic = " ".join(words[start : start + length])
                brand = " ".join(words[:start]) or generic
                return product(brand, generic)
    return None
