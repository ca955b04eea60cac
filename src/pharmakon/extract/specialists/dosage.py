"""How much at most: daily and single doses that a label calls a maximum, and the upper ends of usual ranges.

A limit that belongs to one indication, age or weight gets that condition. Doses by kidney, liver, pregnancy or another
drug are other specialists'. A dose that a label merely recommends bounds nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence
from pharmakon.extract.specialists.doses.limits import (
    combined,
    limiting,
    of_genotype,
    ranged,
    run_together,
    stated,
    unbounded,
    undated,
)
from pharmakon.extract.specialists.doses.quantities import Amount, counted, frequency, named_frequency
from pharmakon.extract.specialists.doses.routing import route_of
from pharmakon.extract.specialists.doses.surroundings import narrowed
from pharmakon.extract.specialists.doses.tables import of_neighbour
from pharmakon.extract.specialists.doses.uses import UNKNOWN, led_unread
from pharmakon.extract.specialists.patients.group import AGE, Group
from pharmakon.extract.specialists.patients.populations import groups
from pharmakon.extract.specialists.rules.advice import IN, PART, part_of
from pharmakon.extract.specialists.rules.statements import NOTHING, ORGANS, about, diseases, distinct, other_drugs
from pharmakon.extract.specialists.wording import any_of, cue, hints, pattern, without_references, words
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Clause, Limit
from pharmakon.model.vocabulary import Tier

_DIGIT = re.compile(r"\d")
#: A sentence that sets a maximum and names neither drug nor dose.
_BARE = re.compile(r"\s*(?:do not exceed|not to exceed|maximum)\b", re.IGNORECASE)
#: Behind a group, what makes it the head of what follows: "Pediatric patients:".
_COLON = re.compile(r"\s*:")
#: Groups that belong to a dose; doses by organ are the specialist's for adjustments.
_GROUPS = frozenset({AGE, "DOSAGE_ERROR"})


class Dosage:
    """Reads `dose_limit`."""

    name = "dosage"
    sections = frozenset({"dosage", "boxed_warning", "warnings"})

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        if not sentences or not label.subjects:
            return [NOTHING for _ in sentences]
        headed = groups(sentences[0].heading, sentences[0].heading_mentions)
        if any(g.risk not in _GROUPS for g in headed):
            return [NOTHING for _ in sentences]
        found: list[Read] = []
        for i, sentence in enumerate(sentences):
            one = narrowed(_sentence(sentence, label, headed, sentences), sentences, i, label)
            if one.claims and i and _row_of_another(sentence, sentences[i - 1], label):
                one = Read(why="a maximum for a group named elsewhere")
            found.append(one)
        return found


def _row_of_another(sentence: Sentence, earlier: Sentence, label: LabelContext) -> bool:
    """Whether a bare "Do not exceed 10 mg once daily." stands in a table of other drugs that lost its rows."""
    return _BARE.match(sentence.text) is not None and _led_by(earlier, other_drugs(earlier, label), label)


def _sentence(sentence: Sentence, label: LabelContext, headed: Sequence[Group], section: Sequence[Sentence]) -> Read:
    if "dosage.limiting" not in hints(sentence.text) or not _DIGIT.search(sentence.text):
        return NOTHING
    text = without_references(sentence.text)
    if run_together(text):
        return Read(why="a table without its rows")
    daily = sentence.kind == "dosage" and undated(text) and _once_daily(section)
    found = [(amount, limit, Tier.WARNING) for amount, limit in stated(text, "day" if daily else "")]
    if sentence.kind == "dosage":
        known = {limit for _, limit, _ in found}
        found += [(amount, limit, Tier.INFO) for amount, limit in ranged(text) if limit not in known]
    others = other_drugs(sentence, label)
    found = [(a, limit, tier) for a, limit, tier in found if not of_neighbour(sentence, others, text, a)]
    found = [f for f in found if cue("cues", "limits.beside").search(part_of(text, f[0].start)) is None]
    if found and of_genotype(text):
        return Read(why="a dose for a genotype")
    if found and cue("cues", "limits.elsewhere").search(text):
        return Read(why="a maximum for a group named elsewhere")
    if found and cue("cues", "limits.soft").search(text):
        return Read(why="a maximum that some may pass")
    if found and cue("cues", "limits.resumed").search(text):
        return Read(why="a dose after an adverse reaction")
    if not found and (each := _of_combination(sentence, text, label)):
        return Read(each)
    if not found:
        return Read(why=_unsaid(text)) if sentence.kind == "dosage" else NOTHING
    if others and (_led_by(sentence, others, label) or cue("cues", "together.words").search(text)):
        return NOTHING
    if _of_animals().search(text) or (sentence.kind != "dosage" and _reported(text)):
        return NOTHING
    named = groups(text, sentence.mentions, sentence.start)
    organs = [g for g in named if g.risk not in _GROUPS]
    found = [f for f in found if all(_apart(text, f[0], g) for g in organs)]
    if not found:
        return NOTHING
    own = [g for g in named if g.risk in _GROUPS and not all(_apart(text, f[0], g) for f in found) and g.clause]
    return _read(sentence, text, label, found, own or [replace(g, start=0, end=0) for g in headed if g.clause])


def _apart(text: str, amount: Amount, group: Group) -> bool:
    """Whether a group is only named after a maximum, in another part of the sentence."""
    if group.start < amount.end:
        return False
    return PART.search(text, amount.end, group.start) is not None or _COLON.match(text, group.end) is not None


def _once_daily(section: Sequence[Sentence]) -> bool:
    """Whether all that a section says of how often the drug is given is "once daily": then a dose is that of a day."""
    said = [frequency(s.text) for s in section if named_frequency(s.text)]
    return bool(said) and all(times == 1.0 for times in said)


def _of_combination(sentence: Sentence, text: str, label: LabelContext) -> tuple[Claim, ...]:
    """The maximum of a combination, "10/40 mg once daily", for each ingredient in the order of the label's title."""
    ingredients = [s for s in label.subjects if kind_of(s) == "ingredient"]
    claims: list[Claim] = []
    if groups(text, sentence.mentions, sentence.start) or diseases(sentence):
        return ()
    for _, limits in combined(text):
        if len(limits) != len(ingredients):
            continue
        for ingredient, limit in zip(ingredients, limits, strict=True):
            claim = about(sentence, label, "dose_limit", limit=limit, risk="DOSAGE_ERROR")
            claims.append(replace(claim, statement=replace(claim.statement, subject=ingredient)))
    return distinct(claims)


def _read(
    sentence: Sentence, text: str, label: LabelContext, found: Sequence[tuple[Amount, Limit, Tier]],
    named: Sequence[Group],
) -> Read:  # fmt: skip
    targets = _indications(sentence, text)
    claims: list[Claim] = []
    for amount, limit, tier in found:
        near = [t for t in targets if not PART.search(text, *sorted((t[0], amount.start)))]
        of = [t for t in near if t[0] <= amount.end] or near
        clause = _group(text, amount, named) if len(found) > 1 or len(named) > 1 else (named[0].clause if named else ())
        if clause is None or len({c for _, c in of}) > 1:
            return Read(why="which group or indication a maximum belongs to")
        if not of and led_unread(sentence, text, amount):
            return Read(why=UNKNOWN)
        when = (*clause, *route_of(text, amount, label))
        risk = AGE if any(c.factor == "age" for c in clause) else "DOSAGE_ERROR"
        target = of[0][1] if of else None
        claims.append(about(sentence, label, "dose_limit", limit=limit, object=target, when=when, tier=tier, risk=risk))
    return Read(distinct(claims))


def _unsaid(text: str) -> str:
    """Why a sentence that sets a maximum gave none; "" where it sets none."""
    if limiting(text) and counted(text) is not None and _maximal(text):
        return "a maximum counted in pieces or measured by volume"
    return "a maximum without its period" if limiting(text) and unbounded(text) else ""


def _led_by(sentence: Sentence, others: Sequence[Mention], label: LabelContext) -> bool:
    """Whether the sentence is about another drug: it names one, and its own not."""
    return bool(others) and not any(set(label.subjects).intersection(m.concepts) for m in sentence.mentions)


def _group(text: str, amount: Amount, named: Sequence[Group]) -> Clause | None:
    """The group a maximum belongs to where a sentence has several: right behind it, else before it; None if none is."""
    ahead = [g for g in named if g.start >= amount.end]
    if ahead and IN.fullmatch(text, amount.end, ahead[0].start):
        return ahead[0].clause
    before = [g for g in named if g.end <= amount.start]
    return before[-1].clause if before else (() if not named else None)


def _indications(sentence: Sentence, text: str) -> list[tuple[int, ConceptId]]:
    """Diseases the sentence says the dose is for, with their places."""
    return [
        (m.start - sentence.start, concept)
        for m, concept in diseases(sentence)
        if concept not in ORGANS
        and (_for().search(text[: m.start - sentence.start]) or not text[: m.start - sentence.start].strip(" :•-"))
    ]


@cache
def _for() -> re.Pattern[str]:
    return pattern(
        r"(?:\b(?:for|in)|\bindications?[^|:]{0,20}:|\b(?:treatment|management|relief|prevention|prophylaxis) of|"
        r"\b(?:patients?|adults?|children|women|men|those|persons) with)\s+(?:an?\s+|the\s+)?(?:[\w-]+\s+){0,2}$"
    )


def _maximal(text: str) -> bool:
    return _pieces().search(text) is not None


@cache
def _pieces() -> re.Pattern[str]:
    pieces = any_of(words("quantities")["counted"]["words"])
    return pattern(
        rf"(?:not (?:to )?(?:be )?exceed\w*|max\w* (?:\w+ )*dos\w+|(?:no|not) more than)[^.;]{{0,30}}\d\s+{pieces}\b"
    )


@cache
def _of_animals() -> re.Pattern[str]:
    """Doses that animals had, and the largest one of people that they are compared with."""
    return pattern(
        r"times the|MRHD|maximum (?:recommended )?human|teratogen|no.?effect dose|\b(?:rats?|mice|rabbits?|dogs?)\b"
    )


def _reported(text: str) -> bool:
    """Whether a warning tells what happened at a dose, and sets none."""
    return cue("cues", "study.words").search(text) is not None or re.search(
        r"\b(?:has|have) been reported|incidences?|occurred|overdos", text, re.IGNORECASE
    ) is not None  # fmt: skip
