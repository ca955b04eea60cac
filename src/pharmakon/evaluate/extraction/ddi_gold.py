"""The gold of `extract-ddi` as it is read: 98 label texts and the drug pairs two annotators marked in them.

Files and scheme: NLM's corpus of cardiovascular labels, 2014 (dbmi-pitt/public-PDDI-analysis). The scheme gives the
answer away in several places (sentence types, entity types, entity texts in lower case where nothing interacts), so
only texts, offsets and pairs are read here: a system under test never sees anything else.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from lxml import etree

from pharmakon.model.concepts import fold
from pharmakon.model.errors import BadInput

Pair = frozenset[str]
"""Two ids of entities; one where the other is the label's own drug, which the sentence leaves unsaid."""
#: Whatever is no substance: triggers of an interaction and spans about patients. The rest are drugs and classes.
_NO_SUBSTANCE = frozenset(["SPAN"])
_TRIGGER = "_Interaction"
_LABEL = "labelDrug"
_SENTENCE_WORDS = 8
_ALIKE = 0.2
_PARTS = 3


@dataclass(frozen=True, slots=True)
class Entity:
    """`spans` are offsets into the sentence, several where other words stand inside the name."""

    id: str
    spans: tuple[tuple[int, int], ...]
    rxcui: str = ""

    @property
    def place(self) -> tuple[int, int]:
        """The longest stretch of it."""
        return max(self.spans, key=lambda s: s[1] - s[0])


@dataclass(frozen=True, slots=True)
class GoldSentence:
    text: str
    entities: tuple[Entity, ...]
    pairs: frozenset[Pair]  #: those that interact


def read_gold(data: bytes, name: str) -> list[GoldSentence]:
    """The sentences of one file. A pair that names an entity the file lacks can't be known and is left out."""
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise BadInput(f"no XML: {error}", where=name, expected="a file of the corpus") from None
    return [_sentence(s) for s in root.iter("sentence")]


def _sentence(sentence: etree._Element) -> GoldSentence:
    entities = [
        Entity(e.get("id", ""), _spans(e.get("charOffset", "")), _rxcui(e))
        for e in sentence.findall("entity")
        if e.get("type") not in _NO_SUBSTANCE and not e.get("type", "").endswith(_TRIGGER)
    ]
    known = {e.id for e in entities} | {_LABEL}
    pairs = set()
    for pair in sentence.iter("pair"):
        ends = {pair.get("e1", ""), pair.get("e2", "")}
        if pair.get("ddi") == "true" and ends <= known and ends != {_LABEL}:
            pairs.add(frozenset(ends - {_LABEL}))
    return GoldSentence(sentence.get("text", ""), tuple(entities), frozenset(pairs))


def _spans(offsets: str) -> tuple[tuple[int, int], ...]:
    """`4:14|30:54` → two spans."""
    parts = [part.split(":") for part in offsets.split("|")]
    return tuple((int(a), int(b)) for a, b in parts)


def _rxcui(entity: etree._Element) -> str:
    found = entity.find("Normalization/RxNorm")
    return found.get("RxCui", "") if found is not None else ""


def held_out(texts: Mapping[str, str], ingredients: Mapping[str, Collection[str]]) -> list[str]:
    """The names of the held-out files by the rule of spec.yaml, family by family.

    Args:
        texts: name → text of the label.
        ingredients: name → the active ingredients it is about.
    """
    found: list[str] = []
    for family in families(texts, ingredients):
        if int(hashlib.sha256(family[0].encode()).hexdigest(), 16) % _PARTS == 0:
            found += family
    return found


def families(texts: Mapping[str, str], ingredients: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Labels that share an ingredient or a fifth of their sentences, sorted; the families by their first name."""
    names = sorted(texts)
    sentences = {name: _masked(texts[name], ingredients[name]) for name in names}
    root = {name: name for name in names}

    def top(name: str) -> str:
        while root[name] != name:
            name = root[name]
        return name

    for a, b in combinations(names, 2):
        shorter = min(len(sentences[a]), len(sentences[b]))
        alike = shorter and len(sentences[a] & sentences[b]) >= _ALIKE * shorter
        if alike or set(ingredients[a]) & set(ingredients[b]):
            first, second = sorted((top(a), top(b)))
            root[second] = first
    grouped: dict[str, list[str]] = {}
    for name in names:
        grouped.setdefault(top(name), []).append(name)
    return list(grouped.values())


def _masked(text: str, own: Iterable[str]) -> frozenset[str]:
    """Sentences of eight words and more, numbers and the label's own names masked."""
    title = text.lstrip("\ufeff\n ").partition("\n")[0]
    mine = {word for name in (*own, *title_names(title)) for word in fold(name).split()}
    found = set()
    for sentence in re.split(r"(?<=[.!?])\s+|\n", text):
        words = ["0" if w[0].isdigit() else "own" if w in mine else w for w in fold(sentence).split()]
        if len(words) >= _SENTENCE_WORDS:
            found.add(" ".join(words))
    return frozenset(found)


_TITLE = re.compile(r"(.{2,60}?)\s*\(([^()]+)\)")
_BRAND = re.compile(r"Drug Label for drug brand (.+?), containing (.+?)\.?$")


def title_names(title: str) -> tuple[str, ...]:
    """The names in the first line of a text: "EXAMPLON (zorfan sodium) tablet" → both."""
    match = _BRAND.match(title.strip()) or _TITLE.match(title.strip())
    return tuple(name.strip() for name in match.groups()) if match else ()
