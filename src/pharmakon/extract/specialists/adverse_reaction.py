"""What a drug may cause, by its label's adverse reactions and warnings, with the frequency where one is stated.

Rates under placebo, the patients' own diseases and what the drug treats are no reactions. The frequency is kept as the
label words it, in `effect`: labels count in ways that can't be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence
from pharmakon.extract.specialists.statements import NOTHING, about, diseases, distinct, other_drugs
from pharmakon.extract.specialists.wording import cue, holds, pattern, without_references
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Tier

#: Verbs that make even a warning say what the drug does.
_STEMS = ("report", "cause", "occur", "observ", "associat", "result", "reaction", "risk", "incidence", "produce",
          "induce", "precipitate", "lead", "exacerbate", "advers")  # fmt: skip
_STATES = frozenset({"disease:pregnancy", "disease:surgery", "disease:injury"})
_FREQUENCY = pattern(
    r"(?:in|by|of)?\s*(?:up to|about|approximately|<|>|≥|≤|less than|more than|at least)?\s*\d+(?:\.\d+)?\s*%"
    r"(?:\s*(?:to|-|–)\s*\d+(?:\.\d+)?\s*%)?|\b(?:very common|common|uncommon|rare|very rare)\b(?=\s*[:(])"
    r"|\b\d+ (?:in|of|per) (?:\d{1,3}(?:,\d{3})+|\d{3,})(?: patients)?"
)
_PLACEBO = pattern(r"placebo|vehicle|comparator|control(?:s| group)?\b|versus|\bvs\.?\b")


class AdverseReaction:
    """Reads `causes`."""

    name = "adverse_reaction"
    sections = frozenset({"adverse_reactions", "warnings", "boxed_warning"})

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        if not label.subjects:
            return [NOTHING for _ in sentences]
        return [_sentence(s, label) for s in sentences]


def _sentence(sentence: Sentence, label: LabelContext) -> Read:
    named = diseases(sentence)
    if not named:
        return NOTHING
    listing = sentence.kind == "adverse_reactions"
    low = sentence.text.casefold()
    if not listing and not holds(low, _STEMS):
        return NOTHING
    text = without_references(sentence.text)
    start = 0 if listing else _told(text)
    if start is None or cue("cues", "reactions.not").search(text) or cue("cues", "advice.avoid").search(text):
        return NOTHING
    if other_drugs(sentence, label) and cue("cues", "together.words").search(text):
        return NOTHING
    return Read(distinct(_claims(sentence, text, named, label)))


def _told(text: str) -> int | None:
    """Where the words stand that say something happens with the drug; None where there are none."""
    found = _cause().search(text)
    return found.start() if found else None


@cache
def _cause() -> re.Pattern[str]:
    return cue("cues", "reactions.words")


def _claims(
    sentence: Sentence, text: str, named: Sequence[tuple[Mention, ConceptId]], label: LabelContext
) -> Iterator[Claim]:
    for mention, concept in named:
        at, end = mention.start - sentence.start, mention.end - sentence.start
        if concept in _STATES or _described(text, at):
            continue
        yield about(sentence, label, "causes", object=concept, tier=Tier.INFO, risk="", effect=_frequency(text, end))


def _described(text: str, at: int) -> bool:
    """Whether a disease is the patients' own, or what one is treated for."""
    head = text[:at]
    chunk = head[max((m.end() for m in _breaks().finditer(head)), default=0) :]
    return cue("cues", "reactions.describes").search(chunk) is not None


@cache
def _breaks() -> re.Pattern[str]:
    return pattern(
        r"[;:•]|\.\s|\b(?:has|have|had|may|can|could|was|were|is|are)\b|\b(?:cause[sd]?|including|such as)\b"
    )


def _frequency(text: str, end: int) -> str:
    """The frequency that stands right behind a reaction, as it is written; "" beside a comparison with others."""
    if _PLACEBO.search(text):
        return ""
    found = re.match(
        rf"[\s,(]*(?:occurred|was reported|were reported)?[\s,(]*({_FREQUENCY.pattern})", text[end:], re.IGNORECASE
    )
    return found[1].strip(" ,(") if found else ""
