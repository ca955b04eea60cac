"""Which patients a sentence is about: "severe renal impairment (CrCl < 30 mL/min)", "children under 6 years".

A group is an AND of conditions in the formulary's own language, with the place where it stands. What a degree of
impairment means where a label gives no figures stands in `populations.toml`, with its source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from pharmakon.extract.claims import Mention
from pharmakon.extract.specialists.patients.figures import ages, bare_clearance, bare_weight, measured
from pharmakon.extract.specialists.patients.group import AGE, HEPATIC, PREGNANCY, RENAL, Group
from pharmakon.extract.specialists.patients.states import age_words, child_pugh, impaired, states
from pharmakon.extract.specialists.wording import REMEMBERED, any_of, hints, pattern, words
from pharmakon.model.concepts import ConceptId, kind_of

#: Risks from the one that speaks for a group of several conditions to the one that only narrows it.
_WEIGHT = (PREGNANCY, RENAL, HEPATIC, AGE, "CONTRAINDICATION_CONDITION", "DOSAGE_ERROR", "")
_CHILDREN = "age < 18 years"
#: How far apart, in characters, the words for a group and the figures that define it may stand.
_NEAR = 60


def groups(text: str, mentions: Sequence[Mention] = (), offset: int = 0) -> tuple[Group, ...]:
    """The groups named in `text`, in order; `mentions` are placed `offset` characters further on.

    >>> [c.text for g in groups("severe renal impairment (CrCl below 30 mL/min)") for c in g.clause]
    ['crcl < 30 mL/min']
    >>> [c.text for g in groups("pediatric patients 6 to 11 years of age") for c in g.clause]
    ['age >= 6 years', 'age <= 11 years']
    """
    found = _in_words(text)
    if not found:
        return ()
    if not all(g.clause for g in found):
        named = [(m, c) for m in mentions if (c := _disease(m)) is not None]
        found = tuple(_by_organ(_named(g, named, offset)) for g in found)
    return found if len(found) == 1 else tuple(_joined(text, _apart(found)))


@lru_cache(REMEMBERED)  # several specialists ask for the same sentences
def _in_words(text: str) -> tuple[Group, ...]:
    """What the words alone say, in the order of the readers."""
    hinted = hints(text)
    return tuple(group for name, reader in _READERS if name in hinted for group in reader(text))


def _disease(mention: Mention) -> ConceptId | None:
    one = len(mention.concepts) == 1 and kind_of(mention.concepts[0]) in ("disease", "symptom")
    return mention.concepts[0] if one else None


def _named(group: Group, named: Sequence[tuple[Mention, ConceptId]], offset: int) -> Group:
    """A group known by a word alone takes the concept that is named there."""
    if group.clause:
        return group
    for mention, concept in named:
        within = mention.start - offset < group.end and group.start < mention.end - offset
        if within and any(name in mention.text.casefold() for name in _organ_names(group.risk)):
            return replace(group, concept=concept)
    return group


def _by_organ(group: Group) -> Group:
    """An impairment of no degree and no name of its own ("impaired hepatic function") is the disease of that organ."""
    disease = organ_disease(group.risk)
    return replace(group, concept=disease) if disease and not group.known and not group.figures else group


@cache
def organ_disease(risk: str) -> ConceptId | None:
    """What a patient has whose kidney or liver a label calls impaired without a degree; None for other risks."""
    organs = words("populations")["organs"].values()
    return next((ConceptId(row["disease"]) for row in organs if row["risk"] == risk), None)


@cache
def _organ_names(risk: str) -> tuple[str, ...]:
    """What a name of the disease behind a word for a group holds: an impairment of the liver is no kidney disease."""
    organs = words("populations")["organs"].values()
    return next((tuple(row["names"]) for row in organs if row["risk"] == risk), ("",))


#: What hints at a group, and who reads it; the earlier one wins where two overlap.
_READERS: tuple[tuple[str, Callable[[str], Iterator[Group]]], ...] = (
    ("groups.measured", measured),
    ("groups.child_pugh", child_pugh),
    ("groups.bare_clearance", bare_clearance),
    ("groups.bare_weight", bare_weight),
    ("groups.ages", ages),
    ("groups.impaired", impaired),
    ("groups.states", states),
    ("groups.age_words", age_words),
)


def _apart(found: Sequence[Group]) -> list[Group]:
    """Without those that overlap one found by an earlier reader; both organs of "renal or hepatic" stay."""
    kept: list[Group] = []
    for group in found:
        twin = [k for k in kept if (k.start, k.end) == (group.start, group.end) and k.risk != group.risk]
        if twin or all(group.end <= k.start or k.end <= group.start for k in kept):
            kept.append(group)
    return sorted(kept, key=lambda g: g.start)


def _joined(text: str, found: Sequence[Group]) -> Iterator[Group]:
    """Words with the figures that define them are one group; so are two of which one narrows the other."""
    waiting: Group | None = None
    for group in found:
        between = text[waiting.end : group.start] if waiting else ""
        if waiting is None:
            waiting = group
        elif group.start >= waiting.end and _defines(waiting, group, between):
            waiting = replace(group if group.figures else waiting, start=waiting.start, end=group.end)
        elif group.start >= waiting.end and waiting.known and group.known and _narrows(between):
            waiting = both(waiting, group)
        else:
            yield waiting
            waiting = group
    if waiting:
        yield waiting


def _defines(first: Group, second: Group, between: str) -> bool:
    """Whether one gives the figures of the other: "severe renal impairment (CrCl < 30)", "the elderly (over 65)"."""
    if first.risk != second.risk or first.figures == second.figures or len(between) > _NEAR:
        return False
    if first.risk == AGE and second.figures and between.strip() in ("and", "or"):
        return True  # "infants and children 1 month to 12 years of age"
    return _same().fullmatch(between) is not None


def _narrows(between: str) -> bool:
    return _both().fullmatch(between) is not None


def both(first: Group, second: Group) -> Group:
    """Those who belong to the first and to the second."""
    if first.guard == second.guard:
        return replace(first, end=second.end)
    clause = tuple(dict.fromkeys((*first.guard, *second.guard)))
    if sum(c.factor == "age" for c in clause) > 1:
        clause = tuple(c for c in clause if c.text != _CHILDREN)  # figures say it better
    risk = min((first.risk, second.risk), key=lambda r: _WEIGHT.index(r) if r in _WEIGHT else len(_WEIGHT))
    return Group(first.start, second.end, clause, risk, figures=first.figures or second.figures)


@cache
def _same() -> re.Pattern[str]:
    return pattern(rf"(?:[\s,:;()\[\]–—-]|{any_of(words('populations')['joins']['same'])}(?![A-Za-z]))*")


@cache
def _both() -> re.Pattern[str]:
    people = any_of(words("populations")["ages"]["people"])
    return pattern(
        rf"\s*(?:{people}\s+)?{any_of(words('populations')['joins']['both'])}\s+(?:an?\s+|the\s+)?|\s+(?:{people}\s+)?"
    )
