"""Which of the groups that a sentence or heading names its advice is for, and what it says of them besides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from pharmakon.extract.claims import Mention, Sentence
from pharmakon.extract.specialists.patients.group import AGE, HEPATIC, PREGNANCY, RENAL, Group, has
from pharmakon.extract.specialists.patients.populations import both, groups
from pharmakon.extract.specialists.patients.states import degree
from pharmakon.extract.specialists.rules.statements import diseases
from pharmakon.extract.specialists.wording import cue, without_references

#: Risks of the groups that doses and advice are read for.
_KINDS = frozenset({RENAL, HEPATIC, AGE, PREGNANCY, "DOSAGE_ERROR"})
_HEADING_WORDS = re.compile(
    r"\b(?:recommended|recommendations?|dos(?:e|age|ing)|modifications?|adjustments?|reductions?|use|patients?|adults?|"
    r"with|in|for|of|and|or|the|specific|hypertensive|populations?|special|impaired|function|regimens?|usage|mothers)\b|"
    r"[\d.,:()®™-]+", re.IGNORECASE
)  # fmt: skip
_WITH = re.compile(r"\s*(?:patients\s+)?(?:with|who have|having)\s+(?:an?\s+)?(?:[\w-]+\s+){0,2}", re.IGNORECASE)
#: Between an age and what those of it have.
_WHOSE = re.compile(r"\s*(?:patients\s+)?(?:with|whose|who have|having)\b[^,;.:]*", re.IGNORECASE)
#: A disease of an organ that is feared, not had: "at risk of oliguria or acute renal failure".
_RISK_OF = re.compile(r"\brisks? (?:of|for)\b[^.;]*$", re.IGNORECASE)
#: Before a group that is spoken of as absent.
_DENIED = re.compile(r"\b(?:without|absence of|no|not|normal)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
#: Behind "pregnant": that it is said of animals.
_BEASTS = re.compile(r"\s*(?:\w+\s+)?(?:rats?|rabbits?|mice|mouse|monkeys?|dogs?|animals?|hamsters?)\b", re.IGNORECASE)
#: Before kidney or liver: patients in whom they are sound.
_LACKING = re.compile(r"\b(?:without|absence of|in those with no)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
#: Letters between a measure and the other one in brackets behind it.
_BESIDE = 25


def named_in(sentence: Sentence, text: str) -> tuple[Group, ...]:
    """The groups named in a sentence whose doses and advice are read here."""
    return tuple(g for g in groups(text, sentence.mentions, sentence.start) if g.risk in _KINDS)


def meant(sentence: Sentence) -> tuple[Group, ...]:
    """The patients a sentence speaks of, without diseases that they may get or do not have."""
    text = without_references(sentence.text)
    return tuple(g for g in named_in(sentence, text) if not aside(text, g) and not _DENIED.search(text[: g.start]))


def single(named: Sequence[Group]) -> bool:
    """Whether a sentence is about one group, and others measure it: "CrCl < 30 mL/min (creatinine > 3 mg/dL)"."""
    first = named[0]
    return all(g.risk == first.risk and g.figures and g.start - first.end <= _BESIDE for g in named[1:])


def sayable(group: Group) -> bool:
    """Whether a group is one of the kinds that advice is read for, and a condition says it."""
    return group.known and (group.risk in _KINDS or group.concept is not None)


def headed_by(heading: str, group: Group, mentions: Sequence[Mention]) -> bool:
    """Whether a heading names the group and nothing else: "2.5 Dosage in Patients with Renal Impairment"."""
    if group.concept is not None and all(group.concept not in m.concepts for m in mentions):
        return False
    rest = heading[: group.start] + " " + heading[group.end :]
    return not _HEADING_WORDS.sub("", rest).strip()


def of_degree(text: str, group: Group) -> Group:
    """The degree a sentence names under a heading that names the organ: "in patients with mild impairment"."""
    said = {
        d
        for d in ("mild", "moderate", "severe")
        if re.search(rf"\b{d}\b[\w\s,]{{0,20}}\bimpairment", text, re.IGNORECASE)
    }
    organ = {RENAL: "renal", HEPATIC: "hepatic"}.get(group.risk)
    return replace(group, clause=degree(organ, said), concept=None) if said and organ else group


def with_disease(sentence: Sentence, text: str, group: Group) -> Group:
    """A group of those who also have a disease: "elderly patients with dementia"."""
    for mention, concept in diseases(sentence):
        at = mention.start - sentence.start
        if at >= group.end and _WITH.fullmatch(text[group.end : at]):
            return replace(group, clause=(*group.guard, has(concept)), concept=None, end=mention.end - sentence.start)
    return group


def of_age(text: str, found: Sequence[Group]) -> list[Group]:
    """Those of an age whose kidney or liver is named with it: "children whose liver is impaired" are children."""
    kept: list[Group] = []
    for group in found:
        first = kept[-1] if kept else None
        aged = first is not None and first.risk == AGE and group.risk in (RENAL, HEPATIC)
        if first is not None and aged and first.end <= group.start and _WHOSE.fullmatch(text, first.end, group.start):
            kept[-1] = both(first, group)
        else:
            kept.append(group)
    return kept


def special(found: Sequence[Group]) -> list[Group]:
    """Without groups of no degree where another has one: "Hepatic impairment: lower doses in severe impairment"."""
    exact = {g.risk for g in found if g.clause}
    aged = any(g.figures and _young(g) for g in found)
    found = [g for g in found if g.figures or not (aged and _young(g))]
    return [g for g in found if g.clause or g.risk not in exact]


def _young(group: Group) -> bool:
    return group.risk == AGE and any(c.factor == "age" and c.op in ("<", "<=") for c in group.clause)


def aside(text: str, group: Group) -> bool:
    """Whether a group is only spoken of: "keep out of reach of children", "not removed by hemodialysis"."""
    if _asides().search(text[: group.start]):
        return True
    if group.risk == PREGNANCY and _BEASTS.match(text, group.end):
        return True
    if group.risk != PREGNANCY and _asides_behind().match(text, group.end):
        return True
    if group.risk in (RENAL, HEPATIC) and _LACKING.search(text[: group.start]):
        return True
    return group.risk in (RENAL, HEPATIC) and _RISK_OF.search(text[: group.start]) is not None


@cache
def _asides_behind() -> re.Pattern[str]:
    return re.compile(rf"\s*{cue('cues', 'advice.aside_behind').pattern}", re.IGNORECASE)


@cache
def _asides() -> re.Pattern[str]:
    return re.compile(rf"{cue('cues', 'advice.aside').pattern}\s+(?:an?\s+|the\s+)?$", re.IGNORECASE)
