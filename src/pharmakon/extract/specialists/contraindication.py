"""Contraindications: the patients a drug must not be given to, by disease, organ function, age or state.

The section on contraindications and the boxed warning are read whole; elsewhere only what says "contraindicated".
Allergies are the specialist's for allergy, other drugs the one's for interactions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from pharmakon.extract.claims import Claim, LabelContext, Read, Sentence
from pharmakon.extract.specialists.assertion import allergic, past, purpose, taken_away, tier_of
from pharmakon.extract.specialists.group import PREGNANCY, Group, has
from pharmakon.extract.specialists.populations import groups
from pharmakon.extract.specialists.statements import (
    NOTHING,
    ORGANS,
    about,
    diseases,
    distinct,
    inside,
    other_drugs,
)
from pharmakon.extract.specialists.wording import cue, hints, pattern, without_references
from pharmakon.model.concepts import ConceptId
from pharmakon.model.vocabulary import Tier

_WHOLE = frozenset({"contraindications"})
#: Sections whose advice against a drug is read where they do not say "contraindicated".
_ADVISING = frozenset({"warnings", "geriatric", "specific_populations"})
#: "Patients with bronchospastic disease should, in general, not receive beta blockers."
_NOT_RECEIVING = pattern(
    r"\bpatients (?:with|who have) (?P<who>(?:(?! (?:has|have|was|were) )[^.;:]){3,80}?) "
    r"(?:(?:should|must),?(?: in general,?| generally)? not receive|(?:is|are)(?: generally)? not recommended)\b"
)
#: Letters enough for a sentence to name somebody.
_SHORTEST = 4
#: Letters at most of the head of a list item that is explained behind a colon.
_HEAD = 90
_SURGERY, _BESIDE = ConceptId("disease:surgery"), 3
#: An item of a list that is another drug.
_ANOTHER_DRUG = pattern(r"(?:[,;]|\bor\b)\s*(?:(?:or|and)\s+)?(?:with\s+)?(?:concomitant|concurrent|co-?administ)\w*")
#: A verb of a full sentence. List items have none, or one that tells of the patient ("who have had").
_FINITE = pattern(
    r"(?<!who )(?<!that )(?<!which )(?<!whom )(?<!also )\b(?:is|are|was|were|has|have|had|may|can|could|should|must|"
    r"will|might|include[sd]?|occur(?:s|red)?|cause[sd]?|does|do|did|increase[sd]?|need)\b"
)
#: What gives a list item its reason, which may be a full sentence.
_BECAUSE = pattern(r"\b(?:because|since)\b")
#: What is allowed with care is not forbidden, whatever section lost its end.
_CAREFUL = pattern(r"\b(?:exercise|with|use) caution\b|\bcautious\w*")
#: The heading of a warning: what happens, and in whom.
_HAPPENS_IN = pattern(
    r"[A-Z][\w-]+(?: [\w-]+){0,2} in (?!patients|those|women|children)[\w ,/-]{3,60} (?:patients|individuals)"
)
#: Where further patients of a list begin.
_MORE_PATIENTS = pattern(r",? (?:and|or) (?:in )?(?:patients|those)\b|;")
#: Two diseases of which only both together forbid.
_TOGETHER_ONLY = pattern(
    r" with | and (?=[\w -]{3,40}\b(?:documented|confirmed|demonstrated|evidenced) (?:by|on)\b)"
    r"| and an? (?=(?:[\w-]+ ){1,3}(?:tract|pathway)s?\b)"
)
#: What a group must also be, and no condition says: "over 35 years of age who smoke".
_AND_MORE = pattern(r"\s*,?\s*(?:and|who|that)\s+(?:\w+\s+)?smok")
#: What is forbidden is a dose, not the drug.
_DOSES = pattern(r"\b(?:dos(?:es?|ages?)|\d+ mg(?: \w+){0,3})\s*$")


class Contraindication:
    """Reads `contraindicated_in`."""

    name = "contraindication"
    sections = frozenset(
        {"contraindications", "boxed_warning", "warnings", "dosage", "specific_populations", "renal",
         "hepatic", "pediatric", "geriatric", "pregnancy", "lactation"}
    )  # fmt: skip

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        found: list[Read] = []
        narrowed = False
        for sentence in sentences:
            if sentence.kind in _WHOLE and sentence.text.rstrip().endswith(":"):
                # "in patients treated for hypertension who have:" holds for some patients only
                narrowed = bool(diseases(sentence))
            found.append(self._sentence(sentence, label, narrowed))
        return found

    def _sentence(self, sentence: Sentence, label: LabelContext, narrowed: bool) -> Read:
        if not label.subjects or len(sentence.text) < _SHORTEST:
            return NOTHING
        whole = sentence.kind in _WHOLE
        forbids = "contraindication.forbids" if sentence.kind == "boxed_warning" else "contraindication.said"
        if not whole and forbids not in hints(sentence.text):
            return _advised_against(sentence, label) if sentence.kind in _ADVISING else NOTHING
        text = without_references(sentence.text)
        found = groups(text, sentence.mentions, sentence.start)
        places = [(g.start, g.end) for g in found]
        places += [(m.start - sentence.start, m.end - sentence.start) for m, _ in diseases(sentence)]
        regions = _regions(text, sentence.kind, lambda a, b: any(a <= p and q <= b for p, q in places))
        regions = [(a, _beside(text, a, b, places)) for a, b in regions]
        if not regions and whole and (stopped := _stopped(sentence, text, found, label)):
            return Read(stopped)
        if not regions or not places:
            # "Do not use in patients with bleeding, see Contraindications" holds the word and not its advice
            return _advised_against(sentence, label) if sentence.kind in _ADVISING and not regions else NOTHING
        claims, lost = _claims(sentence, text, regions, found, label)
        if narrowed:
            claims = [replace(c, statement=replace(c.statement, tier=Tier.WARNING)) for c in claims]
        return Read(distinct(claims)) if claims else Read(why=lost)


def _stopped(sentence: Sentence, text: str, found: Sequence[Group], label: LabelContext) -> tuple[Claim, ...]:
    """Pregnancy and breastfeeding, where they end a treatment: "women taking it should not breastfeed"."""
    ended = cue("cues", "advice.stop").search(text) if "advice.stop" in hints(text) else None
    if ended is None:
        return ()
    states = [g for g in found if g.risk == PREGNANCY and g.start < ended.end() and ended.start() < g.end]
    return distinct(about(sentence, label, "contraindicated_in", g, tier=Tier.WARNING) for g in states)


def _advised_against(sentence: Sentence, label: LabelContext) -> Read:
    """Diseases in which a warning advises against the drug; other groups are the specialist's for adjustments."""
    if "contraindication.avoids" not in hints(sentence.text):
        return NOTHING
    text = without_references(sentence.text)
    forbids = list(cue("cues", "forbidden.avoided").finditer(text))
    regions = [(m.end(), min(ends(text, m.end()) for ends in (_reason, _brought, _next_item))) for m in forbids]
    regions += [m.span("who") for m in _NOT_RECEIVING.finditer(text)]
    regions = [own for region in regions if (own := _without_others(sentence, text, region, label))]
    if not regions:
        return NOTHING
    named = groups(text, sentence.mentions, sentence.start)
    found = _by_disease(sentence, text, regions, named, label, Tier.WARNING)
    return Read(distinct(c for c in found if c.statement.object not in ORGANS))


def _without_others(
    sentence: Sentence, text: str, region: tuple[int, int], label: LabelContext
) -> tuple[int, int] | None:
    """The patients of `region` up to those who take another drug; None where all of it turns on another drug."""
    start, end = region
    excepted = cue("cues", "reason.except").search(text, start, end)
    places = [m.start - sentence.start for m in other_drugs(sentence, label)]
    first = min((p for p in places if p < (excepted.start() if excepted else end)), default=None)
    if first is None:
        return region
    last = [m.start() for m in _MORE_PATIENTS.finditer(text, start, first)] if first >= start else []
    return (start, last[-1]) if last else None


def _regions(text: str, kind: str, named: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """The stretches of `text` that list patients; none where it forbids nothing."""
    forbids = list(cue("cues", "contraindicated.words").finditer(text))
    denied = [m.span() for m in cue("cues", "contraindicated.not").finditer(text)]
    forbids = [m for m in forbids if not any(a <= m.start() < b for a, b in denied)]
    if not forbids and kind in ("contraindications", "boxed_warning"):
        forbids = [m for m in cue("cues", "forbidden.words").finditer(text) if not _DOSES.search(text[: m.start()])]
    if not forbids:
        end = _item(text) if kind in _WHOLE and not denied else 0
        return [(0, min(end, _reason(text, 0)))] if end else []
    found = []
    for i, match in enumerate(forbids):
        behind = forbids[i + 1].start() if i + 1 < len(forbids) else len(text)
        end = min(_reason(text, match.end()), behind)
        start = forbids[i - 1].end() if i else 0
        # "Use in patients with asthma is contraindicated": in whom, stands before where nothing is named behind
        found.append((match.end(), end) if named(match.end(), end) else (start, match.start()))
    return found


def _item(text: str) -> int:
    """Where a list item ends, before what explains it ("Heart block: may worsen"); 0 where it is a full sentence."""
    if _CAREFUL.search(text) or _HAPPENS_IN.fullmatch(text):
        return 0
    cuts = [cue("cues", "reason.except").search(text), _BECAUSE.search(text)]
    end = min((m.start() for m in cuts if m), default=len(text))
    if end and not _FINITE.search(text[:end]):
        return end
    colon = text.find(":")
    return colon if 0 < colon < _HEAD and not _FINITE.search(text[:colon]) else 0


def _beside(text: str, start: int, end: int, places: Sequence[tuple[int, int]]) -> int:
    """Where a list of patients ends before its last item, another drug: "anuria, or concomitant use of nitrates"."""
    item = _ANOTHER_DRUG.search(text, start, end)
    return item.start() if item and any(start <= a and b <= item.start() for a, b in places) else end


def _brought(text: str, at: int) -> int:
    """Where it begins what a disease comes with."""
    found = text.find("associated with", at)
    return found if found >= 0 else len(text)


def _next_item(text: str, at: int) -> int:
    """Where the next item of a list begins that was run together, behind a reference that was blanked."""
    found = text.find(";  ", at)
    return found if found >= 0 else len(text)


def _reason(text: str, at: int) -> int:
    """Where an explanation begins."""
    found = cue("cues", "reason.words").search(text, at)
    return found.start() if found else len(text)


def _claims(
    sentence: Sentence, text: str, regions: Sequence[tuple[int, int]], found: Sequence[Group], label: LabelContext
) -> tuple[list[Claim], str]:
    """The claims, and why something named was not taken."""
    if _with_others(sentence, text, regions, label):
        return [], ""
    absolute = sentence.kind in _WHOLE or "contraindication.said" in hints(text)
    tier = Tier.CRITICAL if absolute else Tier.WARNING
    named = [g for g in found if inside(regions, g.start, g.end)]
    claims: list[Claim] = []
    lost = ""
    for group in named:
        if taken_away(text, group.start) or allergic(text, group.start, group.end):
            continue
        if _AND_MORE.match(text, group.end):
            lost = "a group of patients that no condition can say"
            continue
        if group.known and not group.clause and group.concept and past(text, group.start):
            group = replace(group, clause=(has(group.concept, past=True),))
        if group.known:
            claims.append(about(sentence, label, "contraindicated_in", group, tier=tier_of(text, group, tier)))
        else:
            lost = "a group of patients that no condition can say"
    claims += _by_disease(sentence, text, regions, named, label, tier)
    if not claims and not lost and any(len(m.concepts) > 1 for m in sentence.mentions):
        lost = "an ambiguous name" if not diseases(sentence) and not cue("cues", "allergy.words").search(text) else ""
    return claims, lost


def _by_disease(
    sentence: Sentence, text: str, regions: Sequence[tuple[int, int]], named: Sequence[Group], label: LabelContext,
    tier: Tier,
) -> list[Claim]:  # fmt: skip
    """One claim for each disease; what forbids only together with another is none alone."""
    found = list(_each_disease(sentence, text, regions, named, label, tier))
    together = {
        v for c in found for clause in c.statement.when if len(clause) > 1 for one in clause for v in one.values
    }
    return [c for c in found if c.statement.object not in together]


def _each_disease(
    sentence: Sentence, text: str, regions: Sequence[tuple[int, int]], named: Sequence[Group], label: LabelContext,
    tier: Tier,
) -> Iterator[Claim]:  # fmt: skip
    taken = [(g.start, g.end) for g in named]
    listed = diseases(sentence)
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
        if purpose(text, start) or cue("cues", "allergy.words").match(mention.text):
            continue
        tier_here = tier_of(text, Group(start, end), tier)
        joined = _TOGETHER_ONLY.match(text, end) if following else None
        if following and joined and joined.end() == following[0].start - sentence.start:
            last = following[1]
            both = (has(concept), has(last))
            whole = Group(start, following[0].end - sentence.start)
            yield about(sentence, label, "contraindicated_in", when=both, tier=tier_of(text, whole, tier))
        elif past(text, start):
            yield about(sentence, label, "contraindicated_in", when=(has(concept, past=True),), tier=tier_here)
        else:
            yield about(sentence, label, "contraindicated_in", object=concept, tier=tier_here)


def _with_others(sentence: Sentence, text: str, regions: Sequence[tuple[int, int]], label: LabelContext) -> bool:
    """Whether it holds only together with another drug."""
    if not cue("cues", "together.words").search(text):
        return False
    if any(
        re.search(r"without\s+(?:an?\s+|the\s+)?$", text[: m.start - sentence.start])
        for m in other_drugs(sentence, label)
    ):
        return True
    # "The use of X with Y is contraindicated in diabetes": what is forbidden is the pair, not X in diabetes
    subjects = [(max(text.rfind(";", 0, a), text.rfind(". ", 0, a), 0), a) for a, _ in regions]
    spoken = [*regions, *((a, b) for a, b in subjects if cue("cues", "together.words").search(text, a, b))]
    others = [
        m for m in other_drugs(sentence, label) if inside(spoken, m.start - sentence.start, m.end - sentence.start)
    ]
    return any(not allergic(text, m.start - sentence.start, m.end - sentence.start) for m in others)
