"""Lists: what leads them in ("is contraindicated with the following:"), and the items that go on with it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pharmakon.extract.claims import LabelContext, Read, Sentence
from pharmakon.extract.specialists.interaction.claims import accused, claim_of, subject_of
from pharmakon.extract.specialists.interaction.sketch import CLASS, DRUG, FOOD, named
from pharmakon.extract.specialists.interaction.wording import Tone, elsewhere, permits, together, tone_of

FAR = "an item too far from what its list says"
PERMITTED = "an item of a list whose first words permit or deny"
_OTHERS = (DRUG, CLASS, FOOD)
_LONGEST_SPAN = 700
_LONGEST_ITEM = 160
#: Words of a whole sentence: with them a line that ends in a colon leads in a list of its own.
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|may|can|should|must|do|does|did|has|have|had|include\w*)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Lead:
    """The words above a list, which its items go on with; `permits`: they permit them, or may deny what they say."""

    sentence: Sentence
    tone: Tone
    permits: bool = False


def led(sentence: Sentence, lead: Lead | None) -> Lead | None:
    """The lead-in that holds behind a sentence, which stands under `lead` or under none."""
    if not sentence.text.endswith(":"):
        return lead
    tone = tone_of(sentence.text, sentence.kind)
    if permits(sentence.text):
        return Lead(sentence, tone, permits=True)
    if tone.name and together(sentence.text) and not elsewhere(sentence.text):
        return Lead(sentence, tone)
    return None if _VERB.search(sentence.text) else lead


def is_item(sentence: Sentence, before: Sentence) -> bool:
    """Whether a sentence goes on a list: behind a bullet, or short without a full stop."""
    bullet = sentence.start - before.end >= 2
    bare = len(sentence.text) <= _LONGEST_ITEM and not sentence.text.endswith(".")
    return len(sentence.text) <= 2 * _LONGEST_ITEM and (bullet or bare or before.text.endswith(":"))


def in_list(sentence: Sentence, lead: Lead, label: LabelContext) -> Read:
    """What an item says together with its lead-in."""
    concepts, things = named(sentence, label)
    meant = {n for n, thing in enumerate(things) if thing.role in _OTHERS}
    if not meant or elsewhere(sentence.text):
        return Read()
    if lead.permits:
        return Read(why=PERMITTED)
    if sentence.end - lead.sentence.start > _LONGEST_SPAN:
        return Read(why=FAR)
    own = tone_of(sentence.text, "")
    tone = own if own.name and own.tier > lead.tone.tier else lead.tone
    subject = subject_of([], (), label)
    return Read(
        tuple(
            claim_of(sentence, subject, concepts[n], tone, since=lead.sentence.start, excluded=left_out)
            for n, left_out in accused(sentence, things, meant, tone, label).items()
        )
    )
