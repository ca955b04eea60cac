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
    """The product of a leaflet: named in the first line below the title, with what the leaflet says is active."""
    actives = next((s for line in lines if (s := _said_active(line, language))), ())
    name = squeeze(lines[0]) if lines and len(lines[0]) <= _LONGEST else ""
    if not name or not actives:
        return (Product(name),) if name else (), (_NOT_READ,)
    return (Product(name, _generic(actives), substances=actives),), ()


def _said_active(line: str, language: Language) -> tuple[Substance, ...]:
    """What a line calls the active substance, with its strength where the same line states it."""
    match = re.search(language.product["active"], line, re.IGNORECASE) if language.product else None
    if match is None:
        return ()
    stated = [*_statements(line[match.end() :].lstrip(". "), language), *_statements(match["what"], language)]
    return stated[0] if stated else _plain(match["what"], language)


def _plain(what: str, language: Language) -> tuple[Substance, ...]:
    """A substance without a strength: "ramipril", "atorvastatin (as atorvastatin calcium)"."""
    name, _, salt = re.sub(rf"\s*[,(]?\s*\b{language.product['as']} ", "|", what, count=1).partition("|")
    name = squeeze(re.split(r"[,;(]", name)[0]).strip(" .*")
    if not name or len(name.split()) > _WORDS or not name[0].isalpha():
        return ()
    return (replace(_substance(name, "", "", re.split(r"[,;)]", salt)[0]), strength=""),)


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
    joined = "|".join(map(re.escape, rules()["conjunctions"]))
    amount = rf"{rules()['amount']}(?:\s*(?:,|{joined})\s+{rules()['amount']})*"
    # a name ends at a sign, before a word with a figure after it ("and 5 mg"), and before what parts salt and moiety
    end = rf"(?=\s*(?:[,;:(|]|\.(?:\s|$)|$)|\s+\S+\s+\d|\s+(?:{words['equivalent']}|{words['as']})\s)"
    of = f"(?:{words['of']} )?"
    equivalent = rf"\s*[,(]?\s*{words['equivalent']} "
    what = re.sub(r"[*†‡®™]", "", what)
    salt_first = re.match(
        rf"(?P<salt>{_NAME}){equivalent}(?P<amount>{amount}) {of}(?P<name>{_NAME}){end}", what, re.IGNORECASE
    )
    if salt_first:
        yield _substance(salt_first["name"], salt_first["amount"], unit, salt_first["salt"])
        return
    moiety = rf"{equivalent}(?P<moiety_amount>{amount}) {of}(?P<moiety>{_NAME}){end}"
    salt = rf"\s*[,(]?\s*{words['as']} (?P<salt>{_NAME}){end[:-1]}|\))"
    pattern = rf"(?P<amount>{amount}) {of}(?P<name>{_NAME}){end}(?:{moiety}|{salt})?"
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
