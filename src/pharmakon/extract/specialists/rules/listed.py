"""The diseases in a list of patients to whom a drug is forbidden: each alone, or two that forbid only together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from pharmakon.extract.claims import Claim, LabelContext, Sentence
from pharmakon.extract.specialists.patients.group import AGE, Group, has
from pharmakon.extract.specialists.patients.qualifiers import NARROWER, other_than_named, reach
from pharmakon.extract.specialists.rules.assertion import (
    allergic,
    harmed,
    lacking,
    limited,
    past,
    purpose,
    taken_away,
    tier_of,
)
from pharmakon.extract.specialists.rules.statements import about, diseases, inside
from pharmakon.extract.specialists.wording import cue, pattern
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Tier

_SURGERY, _BESIDE = ConceptId("disease:surgery"), 3
#: Two diseases of which only both together forbid.
_TOGETHER_ONLY = pattern(
    r" with | and (?=[\w -]{3,40}\b(?:documented|confirmed|demonstrated|evidenced) (?:by|on)\b)"
    r"| and an? (?=(?:[\w-]+ ){1,3}(?:tract|pathway)s?\b)"
)
#: Between an age and a disease that is the age's: "newborns with jaundice".
_OF_AGE = pattern(r"\s*(?:patients?\s+)?(?:with|who|having)\b[^,;:.]*")


def by_disease(
    sentence: Sentence, text: str, regions: Sequence[tuple[int, int]], named: Sequence[Group], label: LabelContext,
    tier: Tier,
) -> tuple[list[Claim], str]:  # fmt: skip
    """One claim for each disease, and why one was not taken; what forbids only together with another is none alone."""
    lost: list[str] = []
    found = list(_each_disease(sentence, text, regions, named, label, tier, lost))
    together = {
        v for c in found for clause in c.statement.when if len(clause) > 1 for one in clause for v in one.values
    }
    return [c for c in found if c.statement.object not in together], lost[0] if lost else ""


def _each_disease(
    sentence: Sentence, text: str, regions: Sequence[tuple[int, int]], named: Sequence[Group], label: LabelContext,
    tier: Tier, lost: list[str],
) -> Iterator[Claim]:  # fmt: skip
    taken = [(g.start, g.end) for g in named]
    listed = diseases(sentence)
    names = [(m.start - sentence.start, m.end - sentence.start) for m, _ in listed]
    last = ConceptId("")
    for (mention, concept), following in zip_longest(listed, listed[1:]):
        if last:  # the second of "diabetes with microalbuminuria"
            last = ConceptId("")
            continue
        start, end = mention.start - sentence.start, mention.end - sentence.start
        overlaps = any(a < end and start < b for a, b in taken)
        if overlaps or not inside(regions, start, end) or taken_away(text, start) or allergic(text, start, end):
            continue
        if concept == _SURGERY and any(0 < mention.start - m.end <= _BESIDE for m in sentence.mentions):
            continue  # "coronary artery bypass graft (CABG) surgery" is that surgery
        if purpose(text, start) or harmed(text, start) or cue("cues", "allergy.words").match(mention.text):
            continue
        joined = _TOGETHER_ONLY.match(text, end) if following else None
        both = following is not None and joined is not None and joined.end() == following[0].start - sentence.start
        if any(g.risk == AGE and _OF_AGE.fullmatch(text, g.end, start) for g in named):
            continue
        if not both and other_than_named(concept, text, start, end, names):
            lost.append(NARROWER)
            continue
        part = reach(text, start, end, names) == "part" or limited(text, end) or lacking(text, start)
        tier_here = Tier.WARNING if part else tier
        if both and following is not None:
            last = following[1]
            whole = Group(start, following[0].end - sentence.start)
            together = (has(concept), has(last))
            yield about(sentence, label, "contraindicated_in", when=together, tier=tier_of(text, whole, tier))
        elif past(text, start):
            yield about(sentence, label, "contraindicated_in", when=(has(concept, past=True),), tier=tier_here)
        else:
            yield about(sentence, label, "contraindicated_in", object=concept, tier=tier_here)
