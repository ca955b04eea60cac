"""What a drug is labelled for: the diseases, symptoms and procedures of its indications.

Limitations of use, histories a patient must have, and what went before ("after failure of ...") are no indications.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pharmakon.extract.claims import Claim, LabelContext, Read, Sentence
from pharmakon.extract.specialists.rules.statements import NOTHING, about, distinct
from pharmakon.extract.specialists.rules.whose import is_own, of_another
from pharmakon.extract.specialists.wording import cue, pattern, without_references
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.vocabulary import relations

_KINDS = relations()["treats"].range
RISK = "INDICATION_MISMATCH"
#: What patients of an indication may be in, and no drug is for.
_STATES = frozenset({"disease:pregnancy", "disease:hypersensitivity", "disease:surgery"})
_INDICATED = pattern(r"\b(?:is|are) indicated\b")
_FINITE = pattern(r"\b(?:is|are|was|were|has|have|had|may|can|should|must|will|does|do|did)\b")


class Indication:
    """Reads `treats`."""

    name = "indication"
    sections = frozenset({"indications"})

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        if not label.subjects:
            return [NOTHING for _ in sentences]
        found = []
        limited = False
        for sentence in sentences:
            text = without_references(sentence.text)
            limited = _limited(text, limited)
            found.append(NOTHING if limited else _sentence(sentence, text, label))
        return found


def _limited(text: str, before: bool) -> bool:
    """Whether limitations of use are being listed: from their heading to the next sentence that says what it is for."""
    if cue("cues", "indication.limits").search(text):
        return True
    return before and not cue("cues", "indication.words").search(text)


def _sentence(sentence: Sentence, text: str, label: LabelContext) -> Read:
    if not any(kind_of(c) in _KINDS for m in sentence.mentions for c in m.concepts):
        return NOTHING
    starts = [m.end() for m in cue("cues", "indication.words").finditer(text)]
    listed = not _FINITE.search(text)
    if cue("cues", "indication.not").search(text) or not (starts or listed):
        return NOTHING
    named = any(is_own(m, label) for m in sentence.mentions)
    said = None if named else _INDICATED.search(text)
    if said is not None and of_another(sentence, text, said.start(), said.end(), label):
        return Read(why="what another drug is for")
    claims = distinct(_claims(sentence, text, 0 if listed else min(starts), label))
    if claims or not starts:
        return Read(claims)
    vague = any(len(m.concepts) > 1 for m in sentence.mentions)
    return Read(why="an ambiguous name") if vague else NOTHING


def _claims(sentence: Sentence, text: str, start: int, label: LabelContext) -> Iterator[Claim]:
    denied = {c for m in sentence.mentions for c in m.concepts if _denied(text, m.start - sentence.start)}
    for mention in sentence.mentions:
        at = mention.start - sentence.start
        concept = _use(mention.concepts)
        if (
            concept is None
            or concept in denied
            or at < start
            or mention.text.casefold().startswith("history")
            or _only_described(text, at, mention.end - sentence.start)
        ):
            continue
        yield about(sentence, label, "treats", object=concept, risk=RISK)


def _denied(text: str, at: int) -> bool:
    """Whether the words before a name, of its own statement, say that it is none of the uses."""
    start = max((m.end() for m in re.finditer(r"[;:•]|\.\s|\bbut\b", text[:at])), default=0)
    return cue("cues", "indication.denied").search(text, start, at) is not None


def _use(concepts: Sequence[ConceptId]) -> ConceptId | None:
    fitting = [c for c in concepts if kind_of(c) in _KINDS and c not in _STATES]
    return fitting[0] if len(fitting) == 1 and len(concepts) == 1 else None


def _only_described(text: str, at: int, end: int) -> bool:
    """Whether a disease only describes the patients: whose history it is, what went before, what is not meant."""
    head = text[:at]
    chunk = head[max((m.end() for m in _breaks().finditer(head)), default=0) :]
    if cue("cues", "indication.describes").search(chunk):
        return True
    return (
        re.match(
            r"[\s-]*(?:negative|refractory to|resistant to|free|who have failed|therapy|test"
            r"|(?:is|are|has been|have been|was|were) "
            r"(?:absent|excluded|ruled out|not present|lacking|treated|controlled))\b",
            text[end:],
        )
        is not None
    )


@cache
def _breaks() -> re.Pattern[str]:
    return pattern(r"[;:•]|\.\s|\b(?:treatment|management|relief|prophylaxis|prevention|control) of\b|\bindicated\b")
