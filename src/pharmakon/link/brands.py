"""What stands behind a brand and makes it another product: Nurofen Plus holds more than Nurofen.

Which words do so is data (`words.toml`, `brand_additions`). A product whose whole name is known never comes here, for
the longest name is the one that is found.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from pharmakon.link.words import words_of

#: In Chinese what says that a product holds several drugs stands before the one that is named.
_COMPOUND = re.compile("复方$")


def product(text: str, start: int, end: int, others: Collection[int] = (), *, brand: bool = True) -> tuple[int, int]:
    """Where the product begins and ends that the name `text[start:end]` stands in, if it is longer than the name.

    `others` are the places where other things are named: "Nurofen plus codeine" is two of them. Behind a name that is
    no `brand` fewer words make a product: "losartan HCT" is one, "paracetamol cold" is none.

    >>> product("is Nurofen Plus safe", 3, 10), product("is Nurofen safe", 3, 10)
    ((3, 15), (3, 10))
    """
    begin = start - 2 if _COMPOUND.search(text[:start]) else start
    match = _behind().match(text, end)
    if match is not None and match["han"]:
        return begin, match.end()
    if match is None or match.start("word") in others:
        return begin, end
    word, small = match["word"], match["word"].islower()
    if word == "plus" and not _ends().match(text, match.end()):
        return begin, end
    if match["capital"] and (not brand or (small and not text[start:end].islower())):
        return begin, end
    return (begin, end) if match["letter"] and (small or not brand) else (begin, match.end())


@cache
def _behind() -> re.Pattern[str]:
    kinds = (
        f"(?P<{kind}>{'|'.join(sorted(words_of('brand_additions', kind), key=len, reverse=True))})"
        for kind in ("always", "capital", "letter")
    )
    han = "|".join(words_of("brand_additions", "han"))
    return re.compile(rf"(?:®|™)?[ -](?P<word>{'|'.join(kinds)})(?![\w-])|(?P<han>{han})", re.IGNORECASE)


@cache
def _ends() -> re.Pattern[str]:
    """What stands behind a product, and not behind a word that joins two."""
    return re.compile(rf"\s*(?:[?!.,;]|$|\s(?:{'|'.join(words_of('brand_additions', 'after_plus'))})\b)", re.IGNORECASE)
