"""Sentences of the audit in the reader's language: it names what it speaks of by canonical English names.

Beside the names that the caller knows of, whatever words of a sentence are a concept's canonical name take its name in
the reader's language; labels of factors, units and the small words between them stand in `phrases.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from pharmakon.ask.words import Words, said_otherwise
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.facts import name_in

#: "had disease:peptic-ulcer", as conditions of rules are written.
_CONDITION = re.compile(r"\b(?:(had|has|with) )?([a-z]+:[a-z0-9]+(?:-[a-z0-9]+)*)\b")
#: Chinese parts no words.
_BESIDE_HAN = re.compile(r"(?<=[\u3400-\u9fff]) +(?=[\u3400-\u9fff])|(?<=[\d%]) +(?=[\u5c81\u5929\u6b21\u5468])")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f](?:[A-Za-z\u00c0-\u024f0-9'-])*")
#: What may stand between two words of a name: "cattle gallstone (niuhuang)", "measles, mumps and rubella vaccine".
_WITHIN = re.compile(r", |[ /+-]| \(")
_WORDS = 8  #: of a name
#: Of a word; Chinese parts no words, so that a name may stand right beside its characters.
_LETTER = r"(?:[^\W\u3400-\u9fff]|-)"
#: What an indicator is called (eGFR) stands among the labels.
_NAMED = frozenset({"ingredient", "drug", "class", "disease", "symptom", "process", "effect", "lifestyle", "allergen"})


class Localiser:
    """Replaces `names` (canonical → the reader's), whole words alone, and ids of concepts by their names."""

    def __init__(self, names: Mapping[str, str], knowledge: KnowledgeBase, words: Words) -> None:
        self._names = {known.casefold(): name for known, name in names.items() if known != name}
        self._knowledge, self._words = knowledge, words
        longest_first = sorted((re.escape(n) for n in self._names), key=len, reverse=True)
        self._known = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE) if self._names else None

    def __call__(self, text: str) -> str:
        text = _CONDITION.sub(self._condition, text)
        named = self._known.sub(lambda m: self._names[m[0].casefold()], text) if self._known else text
        if self._words.lang == "en":
            return named
        told = _otherwise(self._words.lang)
        named = told[0].sub(lambda m: told[1][m[0].casefold()], self._with_names(named))
        named = named.replace(">=", "≥").replace("<=", "≤")
        return _BESIDE_HAN.sub("", named) if self._words.lang == "zh" else named

    def _with_names(self, text: str) -> str:
        """`text` with the canonical names that still stand in it in the reader's language, the longest first."""
        stretches = list(_stretches(text))
        named = self._knowledge.by_name({fold(text[a:b]) for a, b in stretches})
        known = self._knowledge.concepts({c for rows in named.values() for c, _ in rows})
        found: list[tuple[int, int, str]] = []
        for start, end in sorted(stretches, key=lambda s: s[0] - s[1]):
            folded = fold(text[start:end])
            meant = {c for c, _ in named.get(folded, ()) if kind_of(c) in _NAMED and fold(known[c].display) == folded}
            if len(meant) == 1 and not any(start < b and a < end for a, b, _ in found):
                found.append((start, end, name_in(known[meant.pop()], self._words.lang)))
        for start, end, name in sorted(found, reverse=True):
            text = text[:start] + name + text[end:]
        return text

    def _condition(self, match: re.Match[str]) -> str:
        concept = self._knowledge.concepts({ConceptId(match[2])}).get(ConceptId(match[2]))
        if concept is None:
            return match[0]
        return self._words.condition(match[1] or "has", name_in(concept, self._words.lang))


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Where rows of Latin words stand that may be one name."""
    words = [m.span() for m in _LATIN.finditer(text)]
    for at, (start, end) in enumerate(words):
        yield start, end
        for (_, before), (after, end) in zip(words[at:], words[at + 1 : at + _WORDS], strict=False):
            if not _WITHIN.fullmatch(text, before, after):
                break
            yield start, end + (text[end : end + 1] == ")" and "(" in text[start:end])


@cache
def _otherwise(lang: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """(what an English sentence of the audit says, how it is said in `lang`)."""
    measured, others = ({k.casefold(): v for k, v in said.items()} for said in said_otherwise(lang))
    pattern = rf"(?:{_any(measured)})(?= (?:[\d?<>=≥≤(]|at least\b)|[^()（）]*[)）])|(?:{_any(others)})"
    return re.compile(rf"(?<!{_LETTER})(?:{pattern})(?!{_LETTER})", re.IGNORECASE), measured | others


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))
