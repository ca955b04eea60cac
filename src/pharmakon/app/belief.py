"""Whether a loose text is a label: what a guess needs to be believed (`docs/labels.md`, "Loose texts").

A file of a format is a label by its form, and so is a text that says which drug it is about. Of any other text the
product is a guess. It is believed where the names that are known and the sections of the text bear it out: a change log
whose title became a drug would lend its sentences to audits.
"""

from __future__ import annotations

from collections.abc import Sequence

from pharmakon.ingest.incoming import Guess
from pharmakon.link.names import Finder
from pharmakon.link.products import moiety_name
from pharmakon.model.errors import BadInput
from pharmakon.model.products import Product

#: Kinds of section that only labels have, to be found in a text whose title is the name of a drug that is known, ...
KNOWN = 1
#: ... in one whose title has a generic name beside a brand, ...
GENERIC = 2
#: ... and in one whose title is an unknown name, whose first sentence names it, or that names no drug.
UNKNOWN = 3
_DRUGS = frozenset({"ingredient", "drug"})
_EXPECTED = 'a first line "# drug: NAME", or a known drug as its title above headings such as Contraindications'


def disbelieved(guess: Guess, products: Sequence[Product], finder: Finder) -> BadInput | None:
    """The refusal of a text that is too little of a label for what is guessed of it; None for one to be believed."""
    if guess.kinds >= _needed(guess, products, finder):
        return None
    named = f"{products[0].name!r} is a guess" if products else "it names no drug"
    sections = f"{guess.kinds or 'no'} section{'s' if guess.kinds != 1 else ''} of a label"
    return BadInput(f"it says of no drug that it is its label: {named}, and {sections} in it", where=guess.where,
                    expected=_EXPECTED)  # fmt: skip


def _needed(guess: Guess, products: Sequence[Product], finder: Finder) -> int:
    if guess.by in ("title", "generic") and all(_known(product, finder) for product in products):
        return KNOWN
    return GENERIC if guess.by == "generic" else UNKNOWN


def _known(product: Product, finder: Finder) -> bool:
    """Whether each substance is a known one; of a title without a generic name the substance is the title."""
    return all(
        finder.exact(substance.name, _DRUGS) or finder.exact(moiety_name(substance.name), _DRUGS)
        for substance in product.substances
    )
