"""The products of a label from its structured part (`subject/manufacturedProduct`), kits and their parts included.

Field by field this follows FDA's SPL implementation guide; what varies between its versions is read in all its forms
(manufacturedMedicine before 2010, containerPackagedMedicine, activeIngredient without a class code).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache

from pharmakon.ingest.formats.spl.text import tidy
from pharmakon.ingest.formats.spl.xml import Element, attribute, child, children, knowledge, local, words
from pharmakon.model.concepts import Code, fold
from pharmakon.model.products import Product, Substance
from pharmakon.model.vocabulary import routes

_PRODUCT = "manufacturedProduct|manufacturedMedicine"
_PACKAGE = "containerPackagedProduct|containerPackagedMedicine"
_INGREDIENT = "ingredient|activeIngredient|inactiveIngredient"
_SUBSTANCE = "ingredientSubstance|activeIngredientSubstance|inactiveIngredientSubstance"


def read_products(root: Element, as_of: date) -> tuple[tuple[Product, ...], list[str]]:
    """All products in order, the parts of a kit after it, and remarks; the same product twice is one.

    A kit has no substances or routes of its own: what is injected and what wipes the skin are different parts.
    `as_of`: a product whose marketing ended before that day is discontinued.
    """
    reader = _Reader(as_of)
    found: list[Product] = []
    for section in root.iter("{*}section"):
        for role in children(section, "subject", _PRODUCT):
            for inner in children(role, _PRODUCT):
                found += reader.product(role, inner)
    return tuple(dict.fromkeys(found)), list(dict.fromkeys(reader.remarks))


class _Reader:
    def __init__(self, as_of: date) -> None:
        self.remarks: list[str] = []
        self._today = as_of.strftime("%Y%m%d")

    def product(
        self, role: Element, inner: Element, gone: bool = False, given: tuple[str, ...] = ()
    ) -> Iterator[Product]:
        """A product and, where it is a kit, its parts, which end with it (`gone`) and are given as it is (`given`).

        `role` holds what is done with the product (marketing, routes), `inner` what it is.
        """
        name = _name(inner)
        gone = gone or self._ended(role)
        routed = self._routes([role, inner], name) or given
        parts = [(part, of) for part in children(inner, "part") for of in children(part, "partProduct|partMedicine")]
        form = attribute(inner, "displayName", "formCode")
        sources = _codes(children(inner, "asEquivalentEntity", "definingMaterialKind", "code"))
        self.remarks += [f"repackaged: {name} comes from {code.system} {code.value}" for code in sources]
        yield Product(
            name,
            generic="; ".join(dict.fromkeys(_texts(inner, "asEntityWithGeneric", "genericMedicine", "name"))),
            form=form,
            routes=() if parts else routed,
            substances=tuple(_substance(i, form) for i in children(inner, _INGREDIENT)),
            codes=tuple(dict.fromkeys([*_codes(children(inner, "code")), *_packages(inner)])),
            discontinued=gone,
        )
        for part, of in parts:
            yield from self.product(part, of, gone, routed)

    def _ended(self, role: Element) -> bool:
        """Whether marketing ended: completed, or the end of its period has passed (dates may be YYYY or YYYYMM)."""
        for act in children(role, "subjectOf", "marketingAct"):
            end = attribute(act, "value", "effectiveTime", "high")[:8]
            if attribute(act, "code", "statusCode").casefold() == "completed":
                return True
            if end and end.isdigit() and end < self._today[: len(end)]:
                return True
        return False

    def _routes(self, places: Iterable[Element], product: str) -> tuple[str, ...]:
        by_code, by_name = _known_routes()
        found: dict[str, None] = {}
        for place in places:
            for route in children(place, "consumedIn", "substanceAdministration", "routeCode"):
                code, words = route.get("code") or "", route.get("displayName") or ""
                key = by_code.get(code) or by_name.get(fold(words))
                if key:
                    found[key] = None
                elif code or words:
                    self.remarks.append(f"route: {words or code} of {product} is none of the vocabulary")
        return tuple(found)


def _substance(ingredient: Element, form: str) -> Substance:
    role = (ingredient.get("classCode") or "").upper()
    substance = child(ingredient, _SUBSTANCE)
    what = ingredient if substance is None else substance
    # a moiety stands in an element of the same name; a complex of two drugs has two
    moieties = list(children(what, "activeMoiety", "activeMoiety"))
    return Substance(
        "".join(_texts(what, "name")[:1]),
        active=role.startswith("ACTI") or (not role and local(ingredient) == "activeIngredient"),
        strength=_strength(ingredient, form),
        codes=_codes(children(what, "code")),
        moiety="; ".join(text for moiety in moieties for text in _texts(moiety, "name")),
        moiety_codes=_codes(code for moiety in moieties for code in children(moiety, "code")),
    )


def _strength(ingredient: Element, form: str) -> str:
    """ "10 mg/1 tablet", "6.25 mg/5 mL"; the unit "1" is one piece of the product's form."""
    above = _quantity(child(ingredient, "quantity", "numerator"), "")
    below = _quantity(child(ingredient, "quantity", "denominator"), form.partition(",")[0].casefold())
    return f"{above}/{below}" if above and below else above


def _quantity(element: Element | None, piece: str) -> str:
    if element is None or not element.get("value"):
        return ""
    unit = element.get("unit") or ""
    return f"{element.get('value')} {piece if unit in ('', '1') else unit}".strip()


def _name(inner: Element) -> str:
    """The name and its suffix, which stands inside `name` or beside it ("TRIAMINIC" + "Childrens Night Time")."""
    names = [tidy(name.text or "") for name in children(inner, "name")]
    return " ".join([*names, *_texts(inner, "name", "suffix"), *_texts(inner, "suffix")]).strip()


def _packages(inner: Element) -> Iterator[Code]:
    """Codes of the packages a product comes in, inner ones first; outer ones stand inside the inner ones."""
    for package in children(inner, "asContent", _PACKAGE):
        yield from _codes(children(package, "code"))
        yield from _packages(package)


def _codes(elements: Iterable[Element]) -> tuple[Code, ...]:
    systems: dict[str, str] = knowledge()["systems"]
    found = ((systems.get(e.get("codeSystem") or ""), (e.get("code") or "").strip()) for e in elements)
    return tuple(dict.fromkeys(Code(system, value) for system, value in found if system and value))


def _texts(element: Element, *path: str) -> list[str]:
    return [text for e in children(element, *path) if (text := tidy(words(e)))]


@cache
def _known_routes() -> tuple[dict[str, str], dict[str, str]]:
    """NCI code → route, and folded name → route."""
    known = routes().values()
    return {code: r.name for r in known for code in r.nci}, {fold(n): r.name for r in known for n in r.names}
