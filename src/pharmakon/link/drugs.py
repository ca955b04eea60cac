"""Drug text → ingredients: resolved, assumed in the open, or named as unknown. Never corrected in silence.

Codes come first, then the words: strengths and forms are taken off, the longest known names are found, a combination
is all of its parts. What is left over is said. A spelling slip becomes an assumption with its candidates only where one
candidate stands well apart; look-alikes are offered, not chosen between.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from pharmakon.link.dosing.strength import read_form, read_strengths
from pharmakon.link.names import Finder, Match, concept_ids, join, pieces
from pharmakon.link.slips import Near, Speller
from pharmakon.link.words import word_list, words_of
from pharmakon.model.concepts import ConceptId, fold, is_han, kind_of
from pharmakon.model.prescription import Text

KINDS = frozenset({"drug", "ingredient"})
CODE_SYSTEMS = frozenset({"rxnorm", "unii", "ndc", "atc"})
_JOINERS = re.compile(r"\s*(?:/|\+|,|;|&|、|／|＋|\band\b|\bwith\b|\ben\b|\bmet\b)\s*", re.IGNORECASE)
#: What parts a drug from the fluid that carries it; a slash may stand within a strength.
_CARRIED = re.compile(r"\s*(?:\+|,|;|&|、|＋|\bin\b|\band\b|\bwith\b|\ben\b|\bmet\b)\s*", re.IGNORECASE)
_SHARE = re.compile(r"\d+(?:[.,]\d+)?\s*%")
#: Dutch writes a salt and its base as one word: metoprololtartraat.
_GLUED = re.compile(
    r"\b(\w{4,}?)(natrium|kalium|calcium|magnesium|hydrochloride|tartraat|succinaat|fumaraat|maleaat|mesilaat|mesylaat"
    r"|besilaat|sulfaat|citraat|fosfaat|bromide|acetaat|nitraat|axetil)\b",
    re.IGNORECASE,
)


#: Four letters without a meaning tell makers of one biological apart: trastuzumab-anns, epoetin alfa-epbx.
_BIOSIMILAR = re.compile(r"\b(\w*(?:mab|cept|stim|alfa|beta|ase|tide|ropin|kin))-[a-z]{4}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DrugMatch:
    """`concepts`: one product or ingredient, or all ingredients that were written out. `how`: code, exact, assumed."""

    concepts: tuple[ConceptId, ...]
    how: str
    matched: str
    ignored: str = ""  #: words that name nothing and stand for no part of a combination
    missing: tuple[str, ...] = ()  #: parts of a combination that were not recognised
    candidates: tuple[str, ...] = ()  #: for an assumed one, the names it was chosen from
    conflict: str = ""  #: what the words say where the code says something else
    carriers: frozenset[ConceptId] = frozenset()  #: fluids that carry the others: "1 g in 250 mL NaCl 0.9%"


@dataclass(frozen=True, slots=True)
class NoDrug:
    text: str
    suggestions: tuple[str, ...] = field(default=())
    supply: bool = False  #: a vial, a syringe, test strips: known to be no drug


class DrugLinker:
    """Resolves drug texts against one state of the lexicon; answers are remembered."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self._seen: dict[Text, DrugMatch | NoDrug] = {}
        self._speller = Speller(finder, KINDS)

    def resolve(self, drug: Text) -> DrugMatch | NoDrug:
        if drug not in self._seen:
            if len(self._seen) > 50_000:
                self._seen.clear()
            found = self._resolve(drug)
            self._seen[drug] = self._with_carriers(found) if isinstance(found, DrugMatch) else found
        return self._seen[drug]

    def dosed_text(self, text: str, match: DrugMatch) -> str:
        """`text` without the fluids that carry the drug, so that what strengths are left are those of the drug."""
        if not match.carriers:
            return text
        kept: list[str] = []
        for part in _CARRIED.split(text):
            named = {c for m in self.finder.find(without_strengths(part), KINDS) for c in concept_ids(m)}
            if not named or named - match.carriers:
                kept.append(_SHARE.sub(" ", part) if named & match.carriers else part)
        return ", ".join(kept)

    def _with_carriers(self, match: DrugMatch) -> DrugMatch:
        """What was given before what carries it."""
        if len(match.concepts) < 2:
            return match
        known = self.finder.lexicon.concepts(match.concepts)
        carriers = frozenset(c for c in match.concepts if known[c].covered == "carrier")
        if not carriers or len(carriers) == len(match.concepts):
            return match
        ordered = tuple(sorted(match.concepts, key=carriers.__contains__))
        return replace(match, concepts=ordered, carriers=carriers)

    def _resolve(self, drug: Text) -> DrugMatch | NoDrug:
        supply = is_supply(drug.text)
        by_words = None if supply else self._by_words(drug.text)
        if isinstance(by_words, NoDrug):
            return self._by_code(drug, None) or by_words
        by_code = self._by_code(drug, by_words)
        if by_code is None and supply:
            return NoDrug(drug.text, supply=True)
        if by_code is None:
            return by_words if by_words is not None else self._by_slip(drug.text)
        if by_words is None or set(by_words.concepts) == set(by_code.concepts):
            return by_code
        if set(by_code.concepts) < self._ingredients(by_words) or by_words.missing:
            return by_words  # an ingredient's code on a combination's text: the words know more
        if self._agree(by_code, by_words):
            return by_code
        return DrugMatch(by_code.concepts, "code", by_code.matched, conflict=by_words.matched)

    def _by_code(self, drug: Text, by_words: DrugMatch | None) -> DrugMatch | None:
        """The first code that is known; of several that differ, the one the words agree with."""
        wanted = [c for c in drug.codes if c.system in CODE_SYSTEMS]
        found = self.finder.lexicon.by_code(wanted) if wanted else {}
        matches = [
            DrugMatch((concepts[0],), "code", f"{code.system} {code.value}")
            for code in wanted
            if len(concepts := [c for c in found.get(code, ()) if kind_of(c) in KINDS]) == 1
        ]
        agreeing = (m for m in matches if by_words is not None and m.concepts == by_words.concepts)
        return next(agreeing, matches[0] if matches else None)

    def _agree(self, a: DrugMatch, b: DrugMatch) -> bool:
        return bool(set(a.concepts) & set(b.concepts)) and len(a.concepts) == len(b.concepts)

    def _ingredients(self, match: DrugMatch) -> frozenset[ConceptId]:
        """The ingredients of a match; those of a product as its own names list them."""
        products = [c for c in match.concepts if kind_of(c) == "drug"]
        named = [n.text for c in self.finder.lexicon.concepts(products).values() for n in c.names] if products else []
        within = {c for text in named for m in self.finder.find(text, {"ingredient"}) for c in concept_ids(m)}
        return frozenset(match.concepts) | within

    def _by_words(self, text: str) -> DrugMatch | NoDrug | None:
        text = _BIOSIMILAR.sub(r"\1", text)
        bare = re.sub(r"\s*\+\s*", " + ", bare_name(text))
        whole = self.finder.exact(bare, KINDS) or self.finder.exact(text, KINDS)
        if whole:
            concepts = tuple(dict.fromkeys(c for c, _ in whole))
            return DrugMatch(concepts, "exact", bare) if len(concepts) == 1 else None
        # names may hold what looks like a form ("Cartia XT"), so only strengths are taken off here
        plain = without_strengths(text).replace("+", " + ")
        named = [m for m in self.finder.find(plain, KINDS) if len(concept_ids(m)) == 1]
        matches = [m for m in named if not _denied(pieces(fold(plain)), m)]
        if named and not matches:
            return NoDrug(text)
        matches = [m for m in matches if not re.search(rf"\b\d\s*-\s*{re.escape(m.text)}\b", text, re.IGNORECASE)]
        if not matches and (apart := _GLUED.sub(r"\1 \2", bare)) != bare:
            return self._by_words(apart)
        if not matches:
            return None
        concepts = tuple(dict.fromkeys(concept_ids(m)[0] for m in self._without_parents(matches)))
        products = [c for c in concepts if kind_of(c) == "drug"]
        if products:  # a brand in brackets after its ingredients, or before them; "Exforge HCT" holds one more
            held = self._ingredients(DrugMatch((products[0],), "exact", bare))
            concepts = (products[0], *(c for c in concepts if c not in held and c not in products))
        ignored, missing = self._left_over(bare, matches)
        found = DrugMatch(concepts, "exact", ", ".join(m.text for m in matches), ignored, missing)
        return self._with_slips(replace(found, missing=missing + _additions(bare, matches)), text)

    def _without_parents(self, matches: Sequence[Match]) -> list[Match]:
        """Without general words beside the particular: in "Levemir insulin" the second word says what Levemir is."""
        names = {
            m: [n.text for n in self.finder.lexicon.concepts(concept_ids(m))[concept_ids(m)[0]].names] for m in matches
        }
        return [
            m
            for m in matches
            if not any(
                kind_of(concept_ids(other)[0]) == "ingredient" and _within(m.text, fold(name))
                for other in matches
                if concept_ids(other) != concept_ids(m)
                for name in names[other]
            )
        ]

    def _left_over(self, bare: str, matches: Sequence[Match]) -> tuple[str, tuple[str, ...]]:
        """(words that say nothing, unrecognised parts of a combination)."""
        named = {w for m in matches for w in pieces(m.text)}
        ignored: list[str] = []
        missing: list[str] = []
        parts = self._combined(bare)
        for part in parts:
            words = pieces(fold(part))
            strange = [
                w for w in words if w not in named | _noise() and not w[0].isdigit() and (len(w) > 2 or is_han(w[0]))
            ]
            maker = word_list("makers").issuperset(strange)
            if strange and not maker and len(parts) > 1 and not named.intersection(words):
                missing.append(join(strange))
            else:
                ignored += strange
        return join(ignored), tuple(missing)

    def _combined(self, bare: str) -> list[str]:
        """The parts of a combination as written. A hyphen joins drugs only where one side of it is a drug by itself."""
        found: list[str] = []
        for part in _JOINERS.split(bare):
            sides = [side for side in part.split("-") if side.strip()]
            known = len(sides) > 1 and any(self.finder.exact(bare_name(side), KINDS) for side in sides)
            found += sides if known else [part]
        return [part for part in found if part.strip()]

    def _with_slips(self, match: DrugMatch, text: str) -> DrugMatch:
        """With the parts that are misspelt, in the order of the text: strengths are written in that order too."""
        near = {part: self._speller.near(part) for part in match.missing}
        slips = {part: n for part, n in near.items() if n.concept is not None}
        if not slips:
            return match
        written = list(zip(match.matched.split(", "), match.concepts, strict=False))
        written += [(part, n.concept) for part, n in slips.items() if n.concept]
        written.sort(key=lambda one: fold(text).find(one[0]))
        return replace(
            match,
            concepts=tuple(dict.fromkeys(concept for _, concept in written)),
            how="assumed",
            matched=", ".join(filter(None, (match.matched, *(n.name for n in slips.values())))),
            missing=tuple(part for part in match.missing if part not in slips),
            candidates=tuple(dict.fromkeys(name for n in slips.values() for name in n.names)),
        )

    def _by_slip(self, text: str) -> DrugMatch | NoDrug:
        parts = [" ".join(w for w in pieces(fold(p)) if w not in _noise()) for p in self._combined(bare_name(text))]
        parts = [part for part in parts if len(part) > 2]
        if len(parts) > 1:
            found = self._with_slips(DrugMatch((), "assumed", "", missing=tuple(parts)), text)
            if found.concepts:
                return found
        folded = " ".join(w for w in pieces(fold(bare_name(text))) if w not in _noise())
        near = self._speller.near(folded)
        first = folded.split()[0] if folded else ""
        if near.concept is None and first != folded and len(first) >= 7:  # a short first word says too little
            by_first = self._speller.near(first)
            near = Near(tuple(dict.fromkeys(by_first.names + near.names))[:4], by_first.concept, by_first.name)
        if near.concept is None:
            return NoDrug(text, near.names)
        return DrugMatch((near.concept,), "assumed", near.name, candidates=near.names)


def _within(part: str, whole: str) -> bool:
    """Whether the words of `part` are some, not all, of the words of `whole`.

    >>> _within("insulin", "insulin detemir"), _within("insulin", "insulin")
    (True, False)
    """
    return set(part.split()) < set(whole.split())


def _denied(words: Sequence[str], match: Match) -> bool:
    """Whether what stands around a name says that it is not given: "no heparin", "heparin-free", "heparin antidote".

    >>> _denied(["heparin", "free"], Match(0, 1, "heparin", ())), _denied(["heparin"], Match(0, 1, "heparin", ()))
    (True, False)
    """
    before, after = words[max(match.start - 1, 0) : match.start], words[match.end : match.end + 1]
    return not words_of("not_given", "before").isdisjoint(before) or not words_of("not_given", "after").isdisjoint(
        after
    )


def is_supply(text: str) -> bool:
    """Whether `text` names a container, a device or a dressing, and nothing else.

    >>> is_supply("Syringe (IV Room)"), is_supply("Insulin pen needles 31G"), is_supply("Insulin pen")
    (True, True, False)
    """
    words = frozenset(w for w in pieces(fold(text)) if not w[0].isdigit())
    named = words_of("supplies", "en")
    return bool(words & named) and words <= named | words_of("supplies", "beside")


def _additions(bare: str, matches: Sequence[Match]) -> tuple[str, ...]:
    """`Tylenol PM` is not Tylenol: words after a brand that announce another ingredient."""
    words = pieces(fold(bare))
    if (
        "复方" in bare and matches and "复方" not in matches[0].text
    ):  # "compound …": more than the one part that is known
        return (bare,)
    numbered = re.search(r"#\s*\d|\bextra\b(?!\s+strength)", bare, re.IGNORECASE)  # Tylenol #3, Panadol Extra
    if numbered and matches:
        return (f"{matches[0].text} {numbered[0]}",)
    return tuple(
        f"{m.text} {words[m.end]}"
        for m in matches
        if m.end < len(words)
        and words[m.end] in word_list("drug_additions")
        and all(n.kind == "brand" for _, n in m.concepts)
    )


@cache
def _noise() -> frozenset[str]:
    """Words of a drug text that name no drug: salts, forms, packs, makers' habits."""
    return word_list("drug_noise")


def without_strengths(text: str) -> str:
    """`text` without its strengths."""
    return _without(text, [(s.start, s.end) for s in read_strengths(text)])


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    kept = "".join(" " if any(a <= i < b for a, b in spans) else c for i, c in enumerate(text))
    return re.sub(r"\s*/\s*(?=/|$)|[\[\]{}()]", " ", re.sub(r"\s+", " ", kept)).strip(" /,;-+")


def bare_name(text: str) -> str:
    """`text` without its strengths and form words.

    >>> bare_name("Coumadin 5 mg tab")
    'Coumadin'
    """
    return _without(text, [(s.start, s.end) for s in read_strengths(text)] + list(read_form(text).spans))
