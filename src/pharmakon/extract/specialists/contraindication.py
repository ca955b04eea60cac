"""Contraindications: the patients a drug must not be given to, by disease, organ function, age or state.

The section on contraindications and the boxed warning are read whole; elsewhere only what says "contraindicated".
Allergies are the specialist's for allergy, other drugs the one's for interactions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pharmakon.extract.claims import Claim, LabelContext, Read, Sentence
from pharmakon.extract.specialists.patients.antecedents import pointing
from pharmakon.extract.specialists.patients.group import AGE, HEPATIC, PREGNANCY, RENAL, Group, has
from pharmakon.extract.specialists.patients.mentioned import meant, with_disease
from pharmakon.extract.specialists.patients.populations import groups
from pharmakon.extract.specialists.rules.assertion import (
    allergic,
    at_once,
    comes_with,
    limited,
    past,
    purpose,
    taken_away,
    tier_of,
)
from pharmakon.extract.specialists.rules.forbidding import beside, brought, forbids_in, next_item, reason, regions_of
from pharmakon.extract.specialists.rules.listed import by_disease
from pharmakon.extract.specialists.rules.statements import (
    NOTHING,
    ORGANS,
    about,
    diseases,
    distinct,
    inside,
    other_drugs,
)
from pharmakon.extract.specialists.rules.whose import (
    DENIED,
    OF_ANOTHER,
    USAGE,
    beside_name,
    by_route,
    denies,
    of_another,
    spared,
    usage,
    with_route,
)
from pharmakon.extract.specialists.wording import cue, hints, pattern, without_references
from pharmakon.model.vocabulary import Tier

_WHOLE = frozenset({"contraindications"})
#: Sections whose advice against a drug is read where they do not say "contraindicated".
_ADVISING = frozenset({"warnings", "geriatric", "specific_populations"})
#: "Patients with bronchospastic disease should, in general, not receive beta blockers."
_NOT_RECEIVING = pattern(
    r"\bpatients (?:with|who have) (?P<who>(?:(?! (?:has|have|was|were|for) )[^.;:]){3,80}?) "
    r"(?:(?:should|must),?(?: in general,?| generally)? not receive|(?:is|are)(?: generally)? not recommended)\b"
)
#: Letters enough for a sentence to name somebody.
_SHORTEST = 4
#: Where further patients of a list begin.
_MORE_PATIENTS = pattern(r",? (?:and|or) (?:in )?(?:patients|those)\b|;")
#: Where a sentence begins to list the diseases of those whom the next one calls "such patients", and how many at most.
_WHO_HAVE = pattern(r"\b(?:patients|those|individuals|women|children) (?:with|who have)\b")
_MOST = 3
#: Drugs that are named by what they do to others.
_UNNAMED = pattern(
    r"(?<!or )(?<!, )\b(?:in conjunction with|(?:in )?combination with|together with|concomitantly with|"
    r"who (?:take|are taking))\s[^.;,]{0,60}\b(?:inhibitors?|inducers?|substrates?)\b"
)
_BRACKETS = re.compile(r"\([^()]*\)")
#: What a group must also be, and no condition says: "over 35 years of age who smoke", "renal impairment who take it".
_AND_MORE = pattern(
    r"\s*,?\s*(?:(?:and|who|that)\s+(?:\w+\s+)?smok|for\b|(?:patients? )?"
    r"(?:(?:who|that|and|if they|when)(?: are)? )?(?:also |already |currently )?"
    r"(?:taking|receiving|treated with|take|receive|use|using)\b|(?:in|with|within|under|for) (?:the )?indications?\b"
    r"|(?:in|with|within) the (?:treatment|management|prevention) of\b"
    r"|when (?:it is )?(?:used|given|taken|administered|injected|applied)\b)"
)
#: Those whom an age is said of, and more: "newborns with jaundice".
_AND_HAVE = pattern(r"\s*(?:patients?\s+)?(?:with|who|having|whose|approaching|weighing|requiring)\b(?! or without)")
#: A disease forbids only those whom the rest of the sentence names: "migraine is a contraindication in women over 35".
_TO_USE_IN = pattern(r"\bare contraindications? to (?:the )?use\b[^.;]{0,40}\bin\b")
#: "For diseases that are no cancer it is contraindicated in pregnancy".
_FOR_USES = pattern(
    r"^\W*except\b|\bfor (?:the treatment of )?non[\w\s-]{3,40},|\bat doses? [>≥]"
    r"|\bfor the treatment of [^.;,]{3,60} (?:in|to) (?:\w+ )?(?:patients|women)\b"
)


class Contraindication:
    """Reads `contraindicated_in`."""

    name = "contraindication"
    sections = frozenset(
        {"contraindications", "boxed_warning", "warnings", "dosage", "specific_populations", "renal",
         "hepatic", "pediatric", "geriatric", "pregnancy", "lactation"}
    )  # fmt: skip

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        found: list[Read] = []
        narrowed = denied = False
        for i, sentence in enumerate(sentences):
            if sentence.kind in _WHOLE and sentence.text.rstrip().endswith(":"):
                # "in patients treated for hypertension who have:" holds for some patients only
                narrowed = bool(diseases(sentence))
                denied = denies(sentence, without_references(sentence.text), label)
            if denied and "contraindication.forbids" in hints(sentence.text):
                denied = denies(sentence, without_references(sentence.text), label)
            if denied:
                found.append(Read(why=DENIED))
                continue
            read = self._sentence(sentence, label, narrowed)
            found.append(read if read.claims or not i else _pointed(sentences[i - 1], sentence, label) or read)
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
        forbidding = forbids_in(text, sentence.kind)
        others = [m for m in forbidding if of_another(sentence, text, m.start(), m.end(), label)]
        if forbidding and len(others) == len(forbidding):
            return Read(why=OF_ANOTHER)
        if any(usage(text, m.start()) for m in forbidding):
            return Read(why=USAGE)
        regions = regions_of(text, sentence.kind, lambda a, b: any(a <= p and q <= b for p, q in places), others)
        regions = [(a, beside(text, a, b, places)) for a, b in regions]
        if not regions and whole and (stopped := _stopped(sentence, text, found, label)):
            return Read(stopped)
        if not regions or not places:
            # "Do not use in patients with bleeding, see Contraindications" holds the word and not its advice
            return _advised_against(sentence, label) if sentence.kind in _ADVISING and not regions else NOTHING
        claims, lost = _claims(sentence, text, regions, found, label)
        if forbidding and (route := by_route(sentence, text, forbidding[0].start(), label)):
            claims = [with_route(c, route) for c in claims]
        some = spared(sentence, text) if forbidding else set()
        claims = [
            replace(c, statement=replace(c.statement, tier=Tier.WARNING))
            if narrowed or c.statement.object in some
            else c
            for c in claims
        ]
        return Read(distinct(claims)) if claims else Read(why=lost)


def _pointed(earlier: Sentence, sentence: Sentence, label: LabelContext) -> Read | None:
    """What forbids the drug in "such patients" forbids it to those of the sentence before, which is quoted too."""
    if not label.subjects or "contraindication.said" not in hints(sentence.text) or diseases(sentence):
        return None
    text = without_references(earlier.text)
    if groups(sentence.text, sentence.mentions, sentence.start):
        return None  # it names its patients itself
    if pointing(sentence.text) is None or not cue("cues", "contraindicated.words").search(sentence.text):
        return None
    denied = cue("cues", "contraindicated.not").search(sentence.text)
    if denied or _with_others(sentence, sentence.text, [(0, len(sentence.text))], label):
        return None
    said = _WHO_HAVE.search(text)
    regions = [(said.end(), reason(text, said.end()))] if said else []
    named = [g for g in meant(earlier) if g.known]
    claims = [about(earlier, label, "contraindicated_in", g, tier=Tier.CRITICAL) for g in named]
    claims += by_disease(earlier, text, regions, named, label, Tier.CRITICAL)[0]
    if not claims or len(claims) > _MOST:
        return None
    spoken = tuple(m for m in earlier.mentions if len(m.concepts) == 1)
    return Read(distinct(replace(c, end=sentence.end, spoken=(*c.spoken, *spoken)) for c in claims))


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
    others = [m for m in forbids if of_another(sentence, text, m.start(), m.end(), label)]
    if forbids and (len(others) == len(forbids) or any(usage(text, m.start()) for m in forbids)):
        return Read(why=OF_ANOTHER if len(others) == len(forbids) else USAGE)
    forbids = [m for m in forbids if m not in others]
    regions = [(m.end(), min(ends(text, m.end()) for ends in (reason, brought, next_item))) for m in forbids]
    regions += [m.span("who") for m in _NOT_RECEIVING.finditer(text)]
    regions = [own for region in regions if (own := _without_others(sentence, text, region, label))]
    if not regions:
        return NOTHING
    named = groups(text, sentence.mentions, sentence.start)
    found, lost = by_disease(sentence, text, regions, named, label, Tier.WARNING)
    found = [c for c in found if c.statement.object not in ORGANS]
    return Read(distinct(found)) if found else Read(why=lost)


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


def _claims(
    sentence: Sentence, text: str, regions: Sequence[tuple[int, int]], found: Sequence[Group], label: LabelContext
) -> tuple[list[Claim], str]:
    """The claims of `regions`, and why something named was not taken."""
    if _with_others(sentence, text, regions, label):
        return [], ""
    if cue("qualifiers", "packed.words").search(text):
        return [], "a form of the product that no condition says"
    if _TO_USE_IN.search(text):
        return [], "a disease that forbids the drug to a group of patients alone"
    if len(found) + len(diseases(sentence)) > 1 and any(at_once(text, a, b) for a, b in regions):
        return [], "patients who must have two things at once"
    tier = Tier.CRITICAL if _absolute(sentence, text) and not _FOR_USES.search(text) else Tier.WARNING
    named = [g for g in found if inside(regions, g.start, g.end)]
    plain = _BRACKETS.sub(lambda m: " " * len(m[0]), text)
    claims: list[Claim] = []
    lost = ""
    ill = [m.end - sentence.start for m, c in diseases(sentence) if c not in ORGANS]
    for group in named:
        if taken_away(text, group.start) or allergic(text, group.start, group.end):
            continue
        if group.concept is not None and not group.clause and purpose(text, group.start):
            continue  # "at risk of renal failure"
        if group.risk in (RENAL, HEPATIC) and past(text, group.start) and limited(plain, group.end):
            lost = "a harm that an earlier treatment did"
            continue
        if group.risk == AGE and _AND_HAVE.match(text, group.end):
            group = with_disease(sentence, text, group)
        if group.figures and any(comes_with(text, end, group.start) for end in ill):
            lost = "patients who must have two things at once"
            continue
        if _AND_MORE.match(text, group.end) or (group.risk == AGE and _AND_HAVE.match(text, group.end)):
            lost = "a group of patients that no condition can say"
            continue
        if group.known and not group.clause and group.concept and past(text, group.start):
            group = replace(group, clause=(has(group.concept, past=True),))
        if group.known:
            claims.append(about(sentence, label, "contraindicated_in", group, tier=tier_of(text, group, tier)))
        else:
            lost = "a group of patients that no condition can say"
    found_diseases, other = by_disease(sentence, text, regions, named, label, tier)
    claims += found_diseases
    lost = lost or other
    if not claims and not lost and any(len(m.concepts) > 1 for m in sentence.mentions):
        lost = "an ambiguous name" if not diseases(sentence) and not cue("cues", "allergy.words").search(text) else ""
    return claims, lost


def _absolute(sentence: Sentence, text: str) -> bool:
    """Whether what is said forbids and does not only advise; in a boxed warning "do not" does."""
    if sentence.kind in _WHOLE or "contraindication.said" in hints(text):
        return True
    return sentence.kind == "boxed_warning" and cue("cues", "forbidden.strictly").search(text) is not None


def _with_others(sentence: Sentence, text: str, regions: Sequence[tuple[int, int]], label: LabelContext) -> bool:
    """Whether it holds only together with another drug."""
    if any(beside_name(sentence, text, m) for m in other_drugs(sentence, label)):
        return True
    if not cue("cues", "together.words").search(text):
        return False
    if any(
        re.search(r"without\s+(?:an?\s+|the\s+)?$", text[: m.start - sentence.start])
        for m in other_drugs(sentence, label)
    ):
        return True
    if any(_UNNAMED.search(text, a, b) for a, b in regions):
        return True
    # "The use of X with Y is contraindicated in diabetes": what is forbidden is the pair, not X in diabetes
    subjects = [(max(text.rfind(";", 0, a), text.rfind(". ", 0, a), 0), a) for a, _ in regions]
    spoken = [*regions, *((a, b) for a, b in subjects if cue("cues", "together.words").search(text, a, b))]
    others = [
        m for m in other_drugs(sentence, label) if inside(spoken, m.start - sentence.start, m.end - sentence.start)
    ]
    return any(not allergic(text, m.start - sentence.start, m.end - sentence.start) for m in others)
