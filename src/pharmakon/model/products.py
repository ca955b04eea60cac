"""What a label says of its products in structured form: composition, form, routes, codes."""

from __future__ import annotations

from dataclasses import dataclass

from pharmakon.model.concepts import Code


@dataclass(frozen=True, slots=True)
class Substance:
    """One ingredient of a product as the label states it.

    `strength` is as written ("10 mg/1 tablet"), "" where none is given. `codes` are those of the substance (the salt),
    `moiety_codes` those of the active moiety, which is what concepts of kind ingredient are.
    """

    name: str
    active: bool
    strength: str = ""
    codes: tuple[Code, ...] = ()
    moiety: str = ""
    moiety_codes: tuple[Code, ...] = ()


@dataclass(frozen=True, slots=True)
class Product:
    """One product, or one part of a kit; a label may hold several."""

    name: str
    generic: str = ""
    form: str = ""
    routes: tuple[str, ...] = ()  #: keys of the route vocabulary; what is none of them stays out
    substances: tuple[Substance, ...] = ()
    classes: tuple[str, ...] = ()  #: established pharmacologic classes and mechanisms, as the label's own block says
    codes: tuple[Code, ...] = ()  #: ndc, rxnorm
    discontinued: bool = False
