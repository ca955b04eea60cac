"""Condition and allergy text → concepts.

A code decides where the lexicon knows it (the longest ICD prefix counts). Else the whole text, else the longest name
in it, if the words around it change nothing: "chronic atrial fibrillation" is atrial fibrillation, "pulmonary
hypertension" is not hypertension.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from pharmakon.link.names import Finder, Match, concept_ids, pieces
from pharmakon.link.slips import Near, Speller
from pharmakon.link.words import word_list
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.prescription import Text

CONDITIONS = frozenset({"disease", "symptom"})
INDICATIONS = frozenset({"disease", "symptom", "process"})
CODE_SYSTEMS = frozenset({"icd10", "icd9", "snomed", "mesh"})
ALLERGENS = frozenset({"ingredient", "class", "drug", "allergen"})
_STATUS_WORDS = re.compile(
    r"^\s*(?P<refuted>no|not|geen|denies|without|zonder|ontkent)\b|"
    r"^\s*(?P<history>(?:personal )?history of|past medical history of|h/o|hx of|past|previous|prior|status post|s/p|"
    r"voorgeschiedenis van|eerdere?|status na|doorgemaakte?)\b|"
    r"^\s*(?P<uncertain>possible|probable|suspected|rule out|r/o|\?|mogelijke?|verdenking op|vermoedelijke?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ConditionMatch:
    concept: ConceptId
    how: str  #: code, words or assumed
    status: str = ""  #: what the text itself says: refuted, history, uncertain, or ""
    name: str = ""  #: the name an assumed one was taken for


class ConditionLinker:
    """Resolves condition, indication and allergy texts against one state of the lexicon."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self._seen: dict[tuple[Text, frozenset[str]], ConditionMatch | None] = {}
        self._spellers: dict[frozenset[str], Speller] = {}

    def condition(self, text: Text, kinds: frozenset[str] = CONDITIONS) -> ConditionMatch | None:
        """The condition that `text` names, or None. Answers are remembered."""
        if (text, kinds) not in self._seen:
            if len(self._seen) > 50_000:
                self._seen.clear()
            self._seen[text, kinds] = self._condition(text, kinds)
        return self._seen[text, kinds]

    def _condition(self, text: Text, kinds: Collection[str]) -> ConditionMatch | None:
        wanted = [c for c in text.codes if c.system in CODE_SYSTEMS]
        coded = self.finder.lexicon.by_code(wanted) if wanted else {}
        for code in text.codes:
            concepts = [c for c in coded.get(code, ()) if kind_of(c) in kinds]
            if len(concepts) == 1:
                return ConditionMatch(concepts[0], "code")
        said = _STATUS_WORDS.match(text.text)
        status = next((k for k, v in said.groupdict().items() if v), "") if said else ""
        rest = text.text[said.end() :] if said else text.text
        rest = re.sub(r"\((?:disorder|finding|situation|procedure)\)", " ", rest)
        whole = self.finder.exact(rest, kinds)
        if whole and len({c for c, _ in whole}) == 1:
            return ConditionMatch(whole[0][0], "words", status)
        for match in sorted(self.finder.find(rest, kinds), key=lambda m: m.start - m.end):
            if len(concept_ids(match)) == 1 and _nothing_changes(rest, match):
                return ConditionMatch(concept_ids(match)[0], "words", status)
        near = self._near(rest, frozenset(kinds))
        return ConditionMatch(near.concept, "assumed", status, near.name) if near.concept else None

    def suggestions(self, text: str, kinds: frozenset[str]) -> tuple[str, ...]:
        """Names that lie near a text which names nothing we know."""
        return self._near(text, kinds).names

    def _near(self, text: str, kinds: frozenset[str]) -> Near:
        if kinds not in self._spellers:
            self._spellers[kinds] = Speller(self.finder, kinds)
        return self._spellers[kinds].near(text)

    def allergy(self, text: Text) -> ConditionMatch | None:
        """The ingredient, class, product or allergen that `text` names; a class before an ingredient of that name."""
        coded = self.finder.lexicon.by_code(text.codes) if text.codes else {}
        for code in text.codes:
            concepts = [c for c in coded.get(code, ()) if kind_of(c) in ALLERGENS]
            if len(concepts) == 1:
                return ConditionMatch(concepts[0], "code")
        rest = re.sub(
            r"\b(?:allerg\w*|to|for|voor|hypersensitivity|intolerance|overgevoelig\w*)\b", " ", text.text, flags=re.I
        )
        whole = self.finder.exact(rest, ALLERGENS)
        found = [c for c, _ in whole] or [
            c for m in sorted(self.finder.find(rest, ALLERGENS), key=lambda m: m.start - m.end) for c in concept_ids(m)
        ]
        if found:
            first = min(found, key=lambda c: ("class", "ingredient", "drug", "allergen").index(kind_of(c)))
            return ConditionMatch(first, "words")
        near = self._near(rest.strip(), ALLERGENS)
        return ConditionMatch(near.concept, "assumed", name=near.name) if near.concept else None


def _nothing_changes(text: str, match: Match) -> bool:
    """Whether the words beside a name only qualify it."""
    words = pieces(fold(text))
    beside = words[: match.start] + words[match.end :]
    return all(w in word_list("condition_noise") or w.isdigit() for w in beside)
