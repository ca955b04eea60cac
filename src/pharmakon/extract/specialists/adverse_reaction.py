"""What a drug may cause, by its label's adverse reactions and warnings, with the frequency where one is stated.

Rates under placebo, the patients' own diseases and what the drug treats are no reactions. The frequency is kept as the
label words it, in `effect`: labels count in ways that can't be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence
from pharmakon.extract.specialists.rules.statements import NOTHING, about, diseases, distinct, inside, other_drugs
from pharmakon.extract.specialists.wording import cue, hints, pattern, without_references
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Tier

_STATES = frozenset({"disease:pregnancy", "disease:surgery", "disease:injury"})
_FREQUENCY = pattern(
    r"(?:in|by|of)?\s*+(?:up to|about|approximately|<|>|≥|≤|less than|more than|at least)?\s*+\d+(?:\.\d+)?\s*%"
    r"(?:\s*(?:to|-|–)\s*\d+(?:\.\d+)?\s*%)?|\b(?:very common|common|uncommon|rare|very rare)\b(?=\s*[:(])"
    r"|\b\d+ (?:in|of|per) (?:\d{1,3}(?:,\d{3})+|\d{3,})(?: patients)?"
)
#: How far into a sentence, in letters, a disease may stand that is its subject.
_LEAD = 30
_TREATED = pattern(
    r"\b(?:treat(?:ed|ment)|therapy|use|drugs?|receiving|taking|exposure|tablets|capsules|injection|inhibitors?|agents)\b"
)
#: What follows a disease makes it the patients' own: "in RA patients", "in the multiple myeloma study".
_OWN = pattern(r"[\s)-]*+(?:patients?|stud(?:y|ies)|trials?|population|who\b|subjects)")
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
    hinted = hints(sentence.text)
    if not listing and "reactions.says" not in hinted:
        return NOTHING
    text = without_references(sentence.text)
    places = [(0, len(text))] if listing else _told(sentence, text, named, label)
    if not places:
        return NOTHING
    denied = "reactions.denies" in hinted
    if denied and (cue("cues", "reactions.not").search(text) or cue("cues", "advice.avoid").search(text)):
        return NOTHING
    if other_drugs(sentence, label) and cue("cues", "together.words").search(text):
        return NOTHING
    return Read(distinct(_claims(sentence, text, named, places, label)))


def _told(
    sentence: Sentence, text: str, named: Sequence[tuple[Mention, ConceptId]], label: LabelContext
) -> list[tuple[int, int]]:
    """The stretches of a warning that name what happens: behind "may cause", before "has been reported"."""
    passive = [m.start() for m in cue("cues", "reactions.passive").finditer(text)]
    active = [m.end() for m in cue("cues", "reactions.active").finditer(text)]
    if active and not any(set(label.subjects).intersection(m.concepts) for m in sentence.mentions):
        # "Uncontrolled hypertension increases the risk of stroke" is about no drug
        first = named[0][0]
        leads = first.start - sentence.start < _LEAD and first.end - sentence.start < active[0]
        if leads and not _TREATED.search(text[: active[0]]):
            active = []
    found = [(min(active), len(text))] if active else []
    return [*found, (0, max(passive))] if passive else found


def _claims(
    sentence: Sentence, text: str, named: Sequence[tuple[Mention, ConceptId]], places: Sequence[tuple[int, int]],
    label: LabelContext,
) -> Iterator[Claim]:  # fmt: skip
    for mention, concept in named:
        at, end = mention.start - sentence.start, mention.end - sentence.start
        if concept in _STATES or not inside(places, at, end) or _described(text, at) or _OWN.match(text, end):
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
    found = _behind().match(text, end)
    return found[1].strip(" ,(") if found else ""


@cache
def _behind() -> re.Pattern[str]:
    # possessive, because blanked references leave long runs of white space
    return pattern(rf"[\s,(]*+(?:occurred|was reported|were reported)?[\s,(]*+({_FREQUENCY.pattern})")
