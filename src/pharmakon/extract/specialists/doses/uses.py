"""What a dose is for: the disease a sentence or heading names, or that one is named which nothing here can read.

A maximum "for gout" is no maximum of the drug, and neither is one behind "FMF:". Where the words before a dose hold a
use that no disease of the knowledge base stands for, the dose is left unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from pharmakon.extract.claims import Mention, Sentence
from pharmakon.extract.specialists.doses.quantities import Amount
from pharmakon.extract.specialists.doses.tables import cell_of, is_row
from pharmakon.extract.specialists.patients.populations import groups
from pharmakon.extract.specialists.rules.advice import PART
from pharmakon.extract.specialists.rules.statements import ORGANS, diseases
from pharmakon.extract.specialists.wording import any_of, pattern, words
from pharmakon.model.concepts import ConceptId, kind_of

UNKNOWN = "a maximum for a use that has no name here"
#: Where a sentence begins whose predecessor has no full stop.
BEGINS = re.compile(r"(?<=[\w)]) (?:The|For|In) [a-z]")
_LED = re.compile(r"(?:^|[.;|•)\]]\s*|\s{2,})([^:|;.•]{2,90}?)\s*:\s")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]+")
#: A brand, as labels set it in capitals.
_BRAND = re.compile(r"[A-Z]{4,}[®™]?")
_DISEASES = ("disease", "symptom", "process", "outcome")


def headed_for(sentence: Sentence) -> list[ConceptId]:
    """The diseases that the section's heading names."""
    found = [
        m.concepts[0]
        for m in sentence.heading_mentions
        if len(m.concepts) == 1 and kind_of(m.concepts[0]) in ("disease", "symptom") and m.concepts[0] not in ORGANS
    ]
    return list(dict.fromkeys(found))


def subheaded(sentence: Sentence, uses: Sequence[ConceptId]) -> bool:
    """Whether a heading that lost its line stands before a sentence and names another use than the section's."""
    begins = BEGINS.search(sentence.text)
    if begins is None:
        return False
    lead = sentence.text[: begins.start()]
    named = {c for m, c in diseases(sentence) if m.start - sentence.start < len(lead) and c not in ORGANS}
    return (bool(named) and not named & set(uses)) or unread(lead, sentence.mentions, sentence.start)


def headed_unread(sentence: Sentence) -> bool:
    """Whether the heading names a use or patients that neither a disease nor a group stands for."""
    return not headed_for(sentence) and unread(sentence.heading, sentence.heading_mentions, 0)


def leads_on(sentence: Sentence) -> bool:
    """Whether a sentence begins with a use or patients that the next may share: "Prevention of gout: ..."."""
    return any(
        groups(m[1]) or unread(m[1], sentence.mentions, sentence.start + m.start(1))
        for m in _LED.finditer(sentence.text)
    )


def led_unread(sentence: Sentence, text: str, amount: Amount) -> bool:
    """Whether words with a colon before an amount name a use that nothing stands for: "FMF: 1.2 to 2.4 mg"."""
    start = max((m.end() for m in PART.finditer(text, 0, amount.start)), default=0)
    spans = [(start, amount.start)]
    if is_row(text):
        spans = [(0, cell_of(text, 0)[1]), (cell_of(text, amount.start)[0], amount.start)]
    for begin, end in spans:
        for match in _LED.finditer(text, begin, end):
            if unread(match[1], sentence.mentions, sentence.start + match.start(1)):
                return True
        if is_row(text) and begin == 0:
            content = text[begin:end].rpartition(": ")
            if content[1] and _INDICATION.search(content[0]) and unread(
                content[2], sentence.mentions, sentence.start + end - len(content[2])
            ):  # fmt: skip
                return True
    return False


_INDICATION = pattern(r"\b(?:indications?|infections?|diseases?|conditions?|uses?)\b")


def unread(text: str, mentions: Iterable[Mention] = (), offset: int = 0) -> bool:
    """Whether words are left of a heading once its diseases, drugs, patients and small words are taken away."""
    here: Sequence[Mention] = [m for m in mentions if offset <= m.start and m.end <= offset + len(text)]
    if any(kind_of(c) in _DISEASES and c not in ORGANS for m in here for c in m.concepts):
        return False
    left = list(text)
    spans = [(m.start - offset, m.end - offset) for m in here]
    spans += [(g.start, g.end) for g in groups(text, here, offset)]
    for start, end in spans:
        left[start:end] = " " * (end - start)
    rest = _small().sub(" ", "".join(left))
    return any(not _BRAND.fullmatch(word) or len(word) < 5 for word in _WORD.findall(rest))


@cache
def _small() -> re.Pattern[str]:
    return pattern(rf"(?<![A-Za-z]){any_of(words('uses')['small']['words'])}(?![A-Za-z])")
