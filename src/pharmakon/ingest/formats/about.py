"""Which drug a text is about, where nothing but its words says so."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pharmakon.model.products import Product, Substance
from pharmakon.model.tables import read_table

#: In how much of a text its drug must be named to be believed (characters).
_FIRST = 600
_IS = re.compile(
    r"(?:^|(?<=[.:] ))(?P<name>[A-Z][\w'-]*(?: [\w'-]+){0,3}?)(?: ?[®™])?"
    r"(?: \((?P<generic>[A-Za-z][^()]*)\))?(?: ?[®™])?(?: [\w-]+){0,4}? (?:is|are) (?:an? |indicated|contraindicated)"
)
_CONTAINING = re.compile(r"\bbrand (?P<name>\S.*?), containing (?P<generic>\S.*?)\.?$")
_WITH_GENERIC = re.compile(r"(?P<name>[A-Z0-9][^()®™]*?) ?[®™]? ?\((?P<generic>[A-Za-z][^()]+)\) ?[®™]?(?P<rest>.*)")
_NAMES = re.compile(r"[^\W\d_][\w'’./+-]*(?: [\w'’./+-]+){0,4}")


def product(name: str, generic: str = "", routes: tuple[str, ...] = ()) -> Product:
    """A product that is known by name alone; a combination's generic name is taken apart."""
    written = generic or name
    substances = tuple(Substance(_without_form(part), active=True) for part in split_names(written))
    return Product(_without_form(name), generic, routes=routes, substances=substances)


def split_names(generic: str) -> list[str]:
    """The names in the generic name of a combination.

    >>> split_names("DROSPIRENONE AND ETHINYL ESTRADIOL"), split_names("Atenolol")
    (['DROSPIRENONE', 'ETHINYL ESTRADIOL'], ['Atenolol'])
    """
    parts = re.split(_knowledge()["joints"], generic.strip(), flags=re.IGNORECASE)
    return list(dict.fromkeys(part for part in parts if part))


def from_title(line: str) -> Product | None:
    """The product a title names; None for what is no title of that kind.

    >>> [(p.name, p.generic) for p in map(from_title, ["ZESTRIL (lisinopril) tablet", "Warfarin Sodium Tablets, USP"])]
    [('ZESTRIL', 'lisinopril'), ('Warfarin Sodium', '')]
    """
    line = " ".join(line.split())
    match = _CONTAINING.search(line) or _WITH_GENERIC.fullmatch(line)
    if match:
        rest = match.groupdict().get("rest") or ""
        if not rest or _is_form(rest):
            return product(match["name"], match["generic"])
        return None
    if line.endswith(".") and not line.isupper():
        return None  # a short sentence
    name = _without_form(line)
    if not _NAMES.fullmatch(name) or any(word.casefold() in _listed("not_in_a_name") for word in name.split()):
        return None
    return product(name)


def kind_of_title(named: Product | None) -> str:
    """How much a title says of its product: its "generic" name too, or no more than a "title" does."""
    return "generic" if named is not None and named.generic else "title"


def from_sentence(text: str) -> Product | None:
    """The product a text begins with: "Zestril (lisinopril) is indicated ...", "Zestril is a ...".

    >>> from_sentence("INDICATIONS: Zestril (lisinopril) is indicated for hypertension.").generic
    'lisinopril'
    """
    for match in _IS.finditer(text[:_FIRST]):
        name, generic = match["name"], match["generic"] or ""
        if name.split()[0].casefold() not in _listed("nobody") and not _listed("not_in_a_name") & set(
            name.casefold().split()
        ):
            return product(name, generic)
    return None


def _without_form(name: str) -> str:
    """A name without the words of form and quality after it: "calcium acetate oral solution" is calcium acetate."""
    words = name.replace(",", " ").split()
    while len(words) > 1 and words[-1].casefold().strip(".") in _listed("form"):
        words.pop()
    return " ".join(words).rstrip(":.®™")


def _is_form(text: str) -> bool:
    return all(word.casefold() in _listed("form") for word in re.findall(r"[\w-]+", text))


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(_knowledge()[name])


@cache
def _knowledge() -> dict[str, Any]:
    return read_table("pharmakon.ingest.formats", "about.toml")
