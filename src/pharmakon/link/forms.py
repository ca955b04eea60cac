"""The route an order's form and directions imply where none is said: spread on the skin, a patch, swallowed.

What is applied to the skin acts there, save for drugs that are made to pass through it (`[skin]` in
`dosing/words.toml`): a fentanyl patch is systemic, a diclofenac patch is not.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from pharmakon.link.dosing.words import read_words, vocabulary
from pharmakon.model.concepts import ConceptId


def route_implied(
    text: str, form: str | None, sig: str, unit: str, parts: Collection[ConceptId]
) -> tuple[str | None, str]:
    """(route, what to tell of it); None where form and directions leave it open.

    Args:
        text: the drug as written.
        form: the route its form is made for, where the name says so.
        sig: the directions, which name no route; empty where there are none.
        unit: the unit of the dose, as written.
        parts: the ingredients.
    """
    through, patch = _among(parts, "through"), _said("patch", text, sig, unit)
    if form == "transdermal" or (patch and form is None):
        if through:
            return "transdermal", ""
        return ("topical" if _among(parts, "local_patch") else form), ""
    if form is not None:
        return ("transdermal" if form == "topical" and through else form), ""
    on_skin = "transdermal" if through else "topical"
    if _said("swallowed", text):  # "gel caps" are swallowed, whatever a gel is otherwise
        return "oral", ""
    said_so = _said("taken", sig) or _said("swallowed", sig, unit)
    if _said("spread", text) and not said_so and not _among(parts, "not_spread"):
        return on_skin, ""
    if _spread_on(sig) and not _said("not_skin", text, sig) and not _said("swallowed", sig, unit):
        return on_skin, ""
    if _said("swallowed", sig, unit) and not _said("elsewhere", text, sig):
        if any(word.tag == "v" for word in read_words(sig)):  # two routes that can't be one
            return None, ""
        return "oral", "its dose is counted in tablets, capsules or pills, and no other route is said"
    return None, ""


def skin_form(text: str, end: int, start: int | None = None) -> str:
    """The form for the skin that stands behind a drug's name, or ends it, as it is written there; "" for none.

    >>> skin_form("Voltaren gel with warfarin", 8), skin_form("an oral miconazole gel", 18, 8), skin_form("gel", 0)
    ('gel', '', 'gel')
    """
    start = end if start is None else start
    place = _pattern("other_place").search(text, max(0, start - 12), end + 12)
    if place is not None:
        return ""
    for kind in ("spread", "patch"):
        behind = re.compile(rf"\s*(?:{_pattern(kind).pattern})", re.IGNORECASE).match(text, end)
        if behind is not None:
            return behind[0].strip()
        within = list(_pattern(kind).finditer(text[start:end]))
        if within and within[-1].end() == end - start:
            return within[-1][0]
    return ""


def passes_through(parts: Collection[ConceptId]) -> bool:
    """Whether a drug on the skin is made to pass through it."""
    return _among(parts, "through")


def is_patch(*texts: str) -> bool:
    """Whether one of the texts speaks of a patch."""
    return _said("patch", *texts)


def acts_in_skin(form: str | None, parts: Collection[ConceptId]) -> bool:
    """Whether a patch is made to act where it is stuck on: it may be ordered as topical or as transdermal."""
    return form == "transdermal" and _among(parts, "local_patch") and not _among(parts, "through")


def _spread_on(sig: str) -> bool:
    """ "Apply 2 g to the knee", "smeer dun op de huid", "涂": a verb of spreading; a wide one needs a place."""
    if _said("spreads", sig):
        return True
    verb = _pattern("applies").search(sig)
    return verb is not None and _pattern("places").search(sig, verb.end()) is not None


def _among(parts: Collection[ConceptId], kind: str) -> bool:
    named = vocabulary()["skin"][kind]
    return any(part.partition(":")[2] in named for part in parts)


def _said(kind: str, *texts: str) -> bool:
    return any(_pattern(kind).search(text) for text in texts)


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    words = sorted(vocabulary()["implied"][kind], key=len, reverse=True)
    latin = "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in words if word.isascii())
    others = "|".join(re.escape(word) for word in words if not word.isascii())
    return re.compile("|".join(filter(None, (rf"(?<![^\W\d_])(?:{latin})(?![^\W\d_])", others))), re.IGNORECASE)
