"""Products of a summary of product characteristics: names, strengths, form, routes, as sections 1 to 4.2 state them.

Only plain statements are read ("Each tablet contains 75 mg of irbesartan"); for the rest a remark says what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pharmakon.ingest.formats.blocks import squeeze
from pharmakon.ingest.formats.smpc_languages import Language, rules
from pharmakon.model.concepts import fold
from pharmakon.model.products import Product, Substance

#: A substance's name has no more words than this; more is a sentence.
_WORDS = 6
#: The same for the name of a product, in characters.
_LONGEST = 160
_NOT_READ = "the composition is not stated plainly; products have no active substance"
_NAME = r"[^\W\d_][^\d,;:()|]*?"
_END = r"(?=\s*(?:[,;:(|]|\.(?:\s|$)|$)|\s+\S+\s+\d)"
_Products = tuple[tuple[Product, ...], tuple[str, ...]]


def summary_products(summaries: Sequence[Mapping[str, Sequence[str]]], language: Language) -> _Products:
    """Products of several summaries (section number → its lines, subheadings among them), and remarks."""
    found: dict[Product, None] = {}
    remarks: dict[str, None] = {}
    for summary in summaries:
        products = list(_summary(summary, language))
        if not products:
            remarks["a summary of product characteristics without a name in section 1"] = None
        elif any(not p.substances for p in products):
            remarks[_NOT_READ] = None
        found.update(dict.fromkeys(products))
    return tuple(found), tuple(remarks)


def leaflet_products(lines: Sequence[str], language: Language) -> _Products:
    """The product of a leaflet: its name is the first line below the title, its substance what the leaflet says is active."""
    pattern = re.compile(language.product["active"], re.IGNORECASE) if language.product else None
    named = (m["what"] for line in lines if pattern and (m := pattern.search(line)))
    actives = next((s for what in named if (s := tuple(_substances(what, "", language)) or _plain(what))), ())
    name = squeeze(lines[0]) if lines and len(lines[0]) <= _LONGEST else ""
    if not name or not actives:
        return (Product(name, substances=actives),) if name else (), (_NOT_READ,)
    return (Product(name, _generic(actives), substances=actives),), ()


def _plain(what: str) -> tuple[Substance, ...]:
    """A substance without a strength: "ramipril"."""
    name = squeeze(re.split(r"[,;(]", what)[0]).strip(" .*")
    return (Substance(name, active=True),) if name and len(name.split()) <= _WORDS and name[0].isalpha() else ()


def _summary(summary: Mapping[str, Sequence[str]], language: Language) -> Iterator[Product]:
    names = [squeeze(line).rstrip(".") for line in summary.get("1", ()) if re.search(r"[^\W\d_]", line)]
    form = next((squeeze(line).rstrip(".") for line in summary.get("3", ())), "")
    routes = _routes(summary.get("4.2", ()), language)
    for name, substances in zip(names, _compositions(names, summary.get("2", ()), language), strict=True):
        yield Product(name, _generic(substances), form if len(form) <= 120 else "", routes, substances)


def _generic(substances: Sequence[Substance]) -> str:
    return " and ".join(s.moiety or s.name for s in substances)


def _compositions(names: Sequence[str], lines: Sequence[str], language: Language) -> list[tuple[Substance, ...]]:
    """For each name what section 2 says of it: below a line that repeats the name, or of all where there is one."""
    groups: list[list[tuple[Substance, ...]]] = [[]]
    heads: list[str] = [""]
    if not language.product:
        return [() for _ in names]
    excipient = re.compile(language.product["excipient"], re.IGNORECASE)
    closed = False
    for line in lines:
        again = _same_name(line, names)
        if again:
            groups.append([])
            heads.append(again)
            closed = False
        elif excipient.search(line):
            closed = True
        elif not closed:
            groups[-1] += _statements(line, language)
    by_name = dict(zip(heads, groups, strict=True))
    if len(groups) == 1:
        shared = groups[0]
        if len(names) == 1:
            return [_best(shared)]
        return [_best([s]) for s in shared] if len(shared) == len(names) else [() for _ in names]
    return [_best(by_name.get(name, [])) for name in names]


def _same_name(line: str, names: Sequence[str]) -> str:
    """The name that a subheading repeats, give or take a plural."""
    words = _stems(line)
    return next((name for name in names if len(names) > 1 and words == _stems(name)), "")


def _stems(text: str) -> list[str]:
    return [word.rstrip("s") for word in fold(text).split()]


def _best(statements: Sequence[tuple[Substance, ...]]) -> tuple[Substance, ...]:
    """What a millilitre holds rather than what a vial does: it is what doses are worked out from."""
    per_volume = (s for s in statements if s and all(x.strength.endswith("/ml") for x in s))
    return next(per_volume, statements[0] if statements else ())


def _statements(line: str, language: Language) -> Iterator[tuple[Substance, ...]]:
    """Each sentence of the form "each tablet contains ..."."""
    pattern = re.compile(language.product["each"], re.IGNORECASE)
    for sentence in re.split(r"(?<=[^\W\d_*)])\.\s+(?=[^\W\d_])", squeeze(line)):
        match = pattern.match(sentence)
        if match:
            substances = tuple(_substances(match["what"], match["unit"], language))
            if substances:
                yield substances


def _substances(what: str, unit: str, language: Language) -> Iterator[Substance]:
    """Amounts with the substances they are of; nothing where one of them does not read as a name."""
    words = language.product
    amount, of = rules()["amount"], f"(?:{words['of']} )?"
    what = re.sub(r"[*†‡®™]", "", what)
    salt_first = re.match(
        rf"(?P<salt>{_NAME})\s*[,(]?\s*{words['equivalent']} (?P<amount>{amount}) {of}(?P<name>{_NAME}){_END}",
        what,
        re.I,
    )
    if salt_first:
        yield _substance(salt_first["name"], salt_first["amount"], unit, salt_first["salt"])
        return
    moiety = rf"\s*[,(]?\s*{words['equivalent']} (?P<moiety_amount>{amount}) {of}(?P<moiety>{_NAME}){_END}"
    salt = rf"\s*\({words['as']} (?P<salt>{_NAME})\)"
    pattern = rf"(?P<amount>{amount}) {of}(?P<name>{_NAME}){_END}(?:{moiety}|{salt})?"
    for match in re.finditer(pattern, what, re.IGNORECASE):
        if match["moiety"]:
            made = _substance(match["moiety"], match["moiety_amount"], unit, match["name"])
        else:
            made = _substance(match["name"], match["amount"], unit, match["salt"] or "")
        if len((made.moiety or made.name).split()) <= _WORDS:
            yield made


def _substance(name: str, amount: str, unit: str, salt: str) -> Substance:
    """A salt stands as the substance, with the moiety that the strength is of."""
    strength = squeeze(amount) + (f"/{squeeze(unit)}" if unit else "")
    moiety = squeeze(name).strip(" .")
    made = Substance(moiety, active=True, strength=strength)
    other = squeeze(salt).strip(" .,")
    if not other:
        return made
    whole = other if fold(moiety) in fold(other) else f"{moiety} {other}"
    return replace(made, name=whole, moiety=moiety)


def _routes(lines: Sequence[str], language: Language) -> tuple[str, ...]:
    """Routes named where section 4.2 speaks of the way of giving, else anywhere in it."""
    start = next((i for i, line in enumerate(lines) if fold(line) in language.method), 0)
    text = "\n".join(lines[start:])
    return tuple(route for route, pattern in language.routes.items() if pattern.search(text))
