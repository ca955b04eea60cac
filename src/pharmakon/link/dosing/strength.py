"""The strengths and the form in a drug's name, with the characters they cover, so that a name can be stripped.

RxNorm style ("Amoxicillin 250 MG / Clavulanate 125 MG Oral Tablet", "10 ML Furosemide 10 MG/ML Injection"), pharmacy
style ("oxycodone-acetaminophen 5-325 mg", "40mg Tab") and percentages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import zip_longest

from pharmakon.link.dosing.numbers import FIGURE, is_negative, read_number
from pharmakon.link.dosing.words import vocabulary
from pharmakon.model.prescription import Amount
from pharmakon.model.units import canonical, convert, dimension, is_unit


@dataclass(frozen=True, slots=True)
class Strength:
    """`amount` of the ingredient in one `per`.

    `per`: "piece" (tablet, puff, patch), "mL", "mg" or "g" (creams), "hour" or "day" (patches); "" for a percentage,
    whose `amount.unit` is "%". `role`: "strength", or "volume" for the size of the package
    ("10 ML Furosemide 10 MG/ML").
    `start` and `end` count code points of the text, end exclusive; strengths said together ("5-325 mg") share theirs.
    """

    amount: Amount
    per: str
    start: int
    end: int
    role: str = "strength"


@dataclass(frozen=True, slots=True)
class Form:
    """What the name says of form: `release` and `route` are None where it says nothing. `spans` are end exclusive."""

    release: str | None
    route: str | None
    spans: tuple[tuple[int, int], ...]


_UNIT = r"(?:million units?|\[?[a-zµμ%]+?\]?|毫克|微克|克|毫升|单位|国际单位|毫当量)"
_SEVERAL = rf"{FIGURE}(?:\s?[-/]\s?{FIGURE}){{0,4}}"
#: where a unit ends; pharmacy systems write "5mgTablet"
_END = r"(?:\s?PE)?(?:(?![a-z\d])|(?=tab|cap|vial|syr|amp|bag))"
_STRENGTH = re.compile(
    rf"(?<![\d.,])(?P<figures>{_SEVERAL})(?P<gap>[\s-]?)\s*(?P<unit>{_UNIT}){_END}"
    rf"(?:(?P<slash>\s*/\s*|\s+per\s+)(?P<size>{FIGURE})?\s*(?P<per>{_UNIT}){_END})?",
    re.IGNORECASE,
)
_FIGURE = re.compile(FIGURE)
#: grams beside one of these are what the canister weighs: "12.9g Inhaler"
_INHALER = re.compile(r"\b(?:inhaler|mdi|hfa|aerosol|dosisaerosol)\b|吸入气雾剂", re.IGNORECASE)
_MASSES = ("mass", "activity", "equivalents", "amount")


def _per(size: str | None, unit: str) -> tuple[float, str] | None:
    """How many of which: "5 mL" → (5, "mL"); a counted thing is a piece, a time or a mass stays what it is."""
    many = read_number(size) if size else 1.0
    if not is_unit(unit) or not many:
        return None
    kind, name = dimension(unit), canonical(unit)
    if kind == "events":
        return many, "piece"
    if (kind == "volume" and name == "mL") or name in ("mg", "g", "hour", "day") or kind == "count":
        return many, name
    return None


#: characters of a drug's name that are read
_LIMIT = 4000


def _head(text: str) -> str:
    """The part of a name that is read; it ends at a blank, so that no figure is cut in two."""
    return text if len(text) <= _LIMIT else text[: text.rfind(" ", 0, _LIMIT) + 1]


def read_strengths(text: str) -> tuple[Strength, ...]:
    """Every strength in a drug's name, in the order of the text; none where there is none. Never raises.

    A volume before or after a concentration is the size of the package; alone it is left alone (a dose, perhaps).
    "5/10 mg" and "5-325 mg" are two strengths; "250 mg/5 mL" is 50 mg in one mL. A negative figure is none.
    Only the first 4,000 characters are read.
    """
    return _strengths(_head(text))


@lru_cache(maxsize=8192)  # a ward writes the same few words all day
def _strengths(text: str) -> tuple[Strength, ...]:
    found: list[Strength] = []
    for match in _STRENGTH.finditer(text):
        unit = match["unit"]
        if not is_unit(unit) or is_negative(text, match.start()):
            continue
        name, kind = canonical(unit), dimension(unit)
        figures = [read_number(figure[0]) for figure in _FIGURE.finditer(match["figures"])]
        values = [value for value in figures if value is not None]
        if len(values) < len(figures):
            continue
        end = match.end()
        per: tuple[float, str] | None = (1.0, "piece")
        if match["per"]:
            per = _per(match["size"], match["per"])
            second = _second(values, name, match["size"], per)
            if second is not None:
                span = match.start(), match.end()
                found += [
                    Strength(Amount(values[0], values[0], name), "piece", *span),
                    Strength(second, "piece", *span),
                ]
                continue
            if per is None:  # "500 mg/Clavulanate": the slash belongs to the next ingredient
                per, end = (1.0, "piece"), match.end("unit")
        many, one = per or (1.0, "piece")
        if name == "%" and one == "piece":
            found += [Strength(Amount(value, value, "%"), "", match.start(), end) for value in values]
        elif kind in _MASSES:
            found += [Strength(_share(value, many, name), one, match.start(), end) for value in values]
        elif kind == "volume" and one == "piece" and len(values) == 1:
            found.append(Strength(Amount(values[0], values[0], name), "piece", match.start(), end, "volume"))
        elif kind == "count" and len(values) == 1 and unit.casefold() in ("actuat", "actuations", "actuation"):
            found.append(Strength(Amount(values[0], values[0], "piece"), "package", match.start(), end, "volume"))
    found = [_of_one_volume(s, after, text) for s, after in zip_longest(found, found[1:])]
    if any(strength.amount.unit == "%" or strength.per in ("mg", "g") for strength in found):
        found = [_package(strength) for strength in found]
    if _INHALER.search(text):
        found = [replace(s, role="volume") if s.per == "piece" and s.amount.unit == "g" else s for s in found]
    return tuple(found)


def _second(values: list[float], unit: str, size: str | None, per: tuple[float, str] | None) -> Amount | None:
    """The second ingredient of "4 g/0.5 g" and "25 mg/100 mg"; None where the slash means a share: "1 g/100 g"."""
    if per is None or size is None or len(values) != 1 or not is_unit(unit) or dimension(unit) != "mass":
        return None
    many, one = per
    if one not in ("mg", "g"):
        return None
    share = one == "g" and many in (1, 10, 100) and convert(values[0], unit, "g") < many
    return None if share else Amount(many, many, one)


def _of_one_volume(strength: Strength, after: Strength | None, text: str) -> Strength:
    """ "400 mg-57 mg/5 mL": both are in the 5 mL."""
    if after is None or strength.per != "piece" or after.per != "mL" or strength.role != "strength":
        return strength
    if text[strength.end : after.start].strip() not in ("-", "/"):
        return strength
    written = re.search(rf"/\s*({FIGURE})?\s*[a-z毫升]+$", text[after.start : after.end], re.IGNORECASE)
    many = (read_number(written[1]) if written and written[1] else 1.0) or 1.0
    return replace(strength, amount=_share(strength.amount.low, many, strength.amount.unit), per="mL")


def _package(strength: Strength) -> Strength:
    """ "hydrocortisone 1% 30 g cream": beside a share of the whole, a mass is the size of the tube."""
    tube = strength.per == "piece" and strength.amount.unit in ("g", "mg")
    return replace(strength, role="volume") if tube else strength


def _share(value: float, many: float, unit: str) -> Amount:
    return Amount(value / many, value / many, unit)


_BLANKS = re.compile(r"[\s-]+")


@cache
def _forms() -> tuple[re.Pattern[str], dict[str, tuple[str, str]]]:
    """One pattern for all words of form, the longest first ("vaginal tablet" before "tablet"), and what each says."""
    said: dict[str, tuple[str, str]] = {}
    for kind, table in vocabulary()["forms"].items():
        for name, words in table.items():
            for word in words:
                said[_BLANKS.sub(" ", word.casefold())] = (name, "") if kind == "release" else ("", name)
    longest = sorted(said, key=lambda word: -len(word))
    parted = "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in longest if word.isascii())
    others = "|".join(re.escape(word) for word in longest if not word.isascii())
    return re.compile(rf"(?<![\w-])(?:{parted})(?!\w)|{others}", re.IGNORECASE), said


def read_form(text: str) -> Form:
    """Release form and route hint of a drug's name, and the characters of all words of form. Never raises.

    "Injection" is a form without a route (it may be any of four); "tablet" alone has none either. Two different routes
    give none. Only the first 4,000 characters are read.
    """
    return _form(_head(text))


@lru_cache(maxsize=8192)  # a ward writes the same few words all day
def _form(text: str) -> Form:
    releases: set[str] = set()
    found: set[str] = set()
    spans: list[tuple[int, int]] = []
    pattern, meanings = _forms()
    for match in pattern.finditer(text):
        word = _BLANKS.sub(" ", match[0].casefold())
        if word not in meanings:  # a letter that folds to two
            continue
        release, route = meanings[word]
        spans.append(match.span())
        releases |= {release} - {""}
        found |= {route} - {"", "none"}
    said = releases.pop() if len(releases) == 1 else None
    return Form(said, found.pop() if len(found) == 1 else None, tuple(sorted(spans)))
