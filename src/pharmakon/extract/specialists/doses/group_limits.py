"""The upper bounds that doses of a group of patients set: "CrCl 15 to 29 mL/min: 250 mg once daily"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pharmakon.extract.claims import Claim, LabelContext, Sentence
from pharmakon.extract.specialists.doses.limits import bound, limiting
from pharmakon.extract.specialists.doses.quantities import Amount, limit
from pharmakon.extract.specialists.doses.routing import route_of
from pharmakon.extract.specialists.doses.tables import aside_of_table, heading_of, is_row
from pharmakon.extract.specialists.doses.uses import BEGINS, UNKNOWN, led_unread, unread
from pharmakon.extract.specialists.patients.group import Group
from pharmakon.extract.specialists.rules.advice import PART, Advice, part_of
from pharmakon.extract.specialists.rules.pertinence import sound
from pharmakon.extract.specialists.rules.statements import ORGANS, about, diseases
from pharmakon.extract.specialists.wording import cue, pattern
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Limit

#: Higher doses that nobody studied say nothing against the usual ones.
HIGHER = pattern(
    r"\bdos(?:es?|ages?) (?:in excess of|above|greater than|higher than|over|of more than|exceeding)"
    r"|\bdos(?:es|ages)\b[\w\s]{0,20}\bhigher than\b"
    r"|\bmore than one dose\b"
)
#: Sections that bound a dose only where they say so.
_ASIDE = ("warnings", "boxed_warning", "pregnancy", "lactation", "indications")
#: Before a disease that a dose brings about, and is not for.
_EFFECT = re.compile(r"\b(?:incidences?|risks?|cases?|rates?) of\s+(?:\w+\s+){0,3}$", re.IGNORECASE)
_FOR = pattern(r"\b(?:for|of|(?<!associated )with)\s+(?:an?\s+|the\s+)?(?:\w+\s+){0,3}$")
#: Behind a group, what makes it the head of what follows: "Pediatric patients:".
_HEAD = re.compile(r"\s*:")
#: Columns whose patients differ in how often, not in how much.
_OF_TIME = pattern(r"\b(?:frequency|interval|duration|infusion time)\b")
_DEGREE = pattern(r"\b(?:mild|moderate|severe)\b")
_GROWN_UP = 18
_ADULTS = re.compile(r"\badults?\b", re.IGNORECASE)
#: Before patients who are to have nothing.
_FORBIDDEN = pattern(r"\b(?:contraindicated|not (?:recommended|indicated)|do not use)\b[^.;:]{0,40}$")
#: A table with a column for each degree of an impairment.
_DEGREES = pattern(r"\bdegree of (?:renal|hepatic|kidney|liver)")


def as_clause(group: Group) -> Group:
    """A dose has no disease as its object that the patients have: the named disease becomes a condition."""
    return replace(group, clause=group.guard, concept=None)


def dosed(sentence: Sentence, text: str, nearest: Advice | None) -> bool:
    """Whether a figure in this sentence says how much a group may have."""
    if nearest and nearest.kind in ("avoid", "unproven"):
        return HIGHER.search(text) is not None and limiting(text)
    return limiting(text) if sentence.kind in _ASIDE else True


def group_limits(
    sentence: Sentence, text: str, label: LabelContext, group: Group, doses: Sequence[Amount]
) -> tuple[list[Claim], str]:
    """The bounds for a group, or why there are none."""
    if is_row(text) and _DEGREES.search(text):
        return [], "a table with a column for each degree"
    if cue("cues", "limits.soft").search(text):
        return [], "a maximum that some may pass"
    if is_row(text) and _OF_TIME.search(heading_of(text, group)):
        return [], "a column that says how often"
    if group.concept in ORGANS and not group.clause and _DEGREE.search(part_of(text, group.start)):
        return [], "an impairment whose degree stands apart"
    if _FORBIDDEN.search(text[: group.start]):
        return [], "a dose beside patients for whom it is not"
    doses = [d for d in doses if not (_of_next(sentence, text, group, d) or aside_of_table(text, d))]
    doses = [d for d in doses if d.start >= group.end or not group.end or not PART.search(text, d.end, group.start)]
    if _HEAD.match(text, group.end) and group.end and not is_row(text):
        doses = [d for d in doses if d.start >= group.end]
    each = {limit(d, "dose") for d in doses}
    usual = sound(group) and cue("cues", "limits.usual").search(text)
    alone = len(each) == 1 and group.end > 0 and not usual  # "400 mg/day (100 mg every 6 hours)" is one
    found: dict[tuple[Limit, Clause, ConceptId | None], None] = {}
    for dose in doses:
        bounded = bound(text, dose, alone)
        if bounded is None:
            continue
        target, why = _indication(sentence, text, group, dose)
        if not why and target is None and led_unread(sentence, text, dose):
            why = UNKNOWN
        if why:
            return [], why
        found[bounded, route_of(text, dose, label), target] = None
    claims = [
        about(sentence, label, "dose_limit", as_clause(group), limit=one, object=target, when=route,
              risk=group.risk or "DOSAGE_ERROR")
        for one, route, target in found
    ]  # fmt: skip
    return claims, "" if claims else "doses that bound nothing for certain"


def _of_next(sentence: Sentence, text: str, group: Group, dose: Amount) -> bool:
    """Whether a heading that lost its line stands between a group and a dose: "80 kg Prevention of falls The"."""
    young = any(c.factor == "age" and c.op in ("<", "<=") and c.number <= _GROWN_UP for c in group.clause)
    if young and _ADULTS.search(text, group.end, max(group.end, dose.start)):
        return True  # "Patients 5 to 17 years Adults: the dosage in adults is ..."
    begins = BEGINS.search(text, group.end, dose.start) if group.end <= dose.start else None
    if begins is None or not group.end:
        return False
    between = text[group.end : begins.start()]
    named = any(
        group.end <= m.start - sentence.start < begins.start() for m, c in diseases(sentence) if c not in ORGANS
    )
    return re.search(r"\b[A-Z][a-z]{4,}", between) is not None and (named or unread(between))


def _indication(sentence: Sentence, text: str, group: Group, dose: Amount) -> tuple[ConceptId | None, str]:
    """What the dose is for, where its part of the sentence names one; and why not, where it names several."""
    named = []
    for mention, concept in diseases(sentence):
        at = mention.start - sentence.start
        inside = group.start <= at < group.end
        parted = PART.search(text, *sorted((at, dose.start))) is not None
        said = _FOR.search(text[:at]) is not None and not _EFFECT.search(text[:at])
        if said and not inside and not parted and concept not in ORGANS:
            named.append(concept)
    asked = {v for c in group.clause if c.factor == "has" for v in c.values} - set(ORGANS)
    several = len({*named, *(asked if named else ())}) > 1
    return (None, "doses for several indications") if several else (named[0] if named else None, "")
