"""Stage 1 of the routing: what a question is about, and whether that is grave enough for deep search at once (FG-1).

FusionGraphRAG, section 3.2.1: a light module maps a question to a medical intent, and intents that touch a patient's
safety leave early. Here that is an ordered list of rules (`sentinel.toml`) over two kinds of features: what the links
name (two drugs; a drug and a disease; a drug and a food), and cues in English, Dutch and Chinese. Where neither says
otherwise, two drugs are an interaction and a drug with a condition is a contraindication: a needless deep search costs
milliseconds, a missed one is a danger.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.question import Link, Question
from pharmakon.model.tables import read_table
from pharmakon.retrieve.people import is_known

DRUGS = frozenset({"drug", "ingredient", "class"})
CONDITIONS = frozenset({"disease", "symptom", "outcome"})
FOOD = frozenset({"lifestyle"})
_ARTICLE = re.compile(r"\b(?:an?|the|my|een|de|het|mijn)$", re.IGNORECASE)
#: A text that goes on for longer is a document, and no question.
_READ = 1_000


@dataclass(frozen=True, slots=True)
class Cue:
    """`text[start:end]` is a cue of `group`."""

    group: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """`early`: to deep search without being measured. `features` are those that were there, in alphabetical order."""

    intent: str
    early: bool
    features: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class _Rule:
    intent: str
    all: tuple[frozenset[str], ...]  #: one of each set
    none: frozenset[str]
    early: bool

    def fits(self, features: frozenset[str]) -> bool:
        return all(features & any_of for any_of in self.all) and not features & self.none


@dataclass(frozen=True, slots=True)
class _Group:
    medical: bool
    place: str  #: "" for anywhere, "before a drug", "before a condition", "between" a drug and a class
    patterns: dict[str, re.Pattern[str]]


def judge(question: Question) -> Judgement:
    """The intent of `question`. Pure; raises `BadInput` for a language that there are no cues for."""
    features = _features(question)
    rule = next(rule for rule in _rules() if rule.fits(features))
    used = sorted(features & frozenset().union(*rule.all)) if rule.all else []
    return Judgement(rule.intent, rule.early, tuple(sorted(features)), ", ".join(used) or "nothing more special")


def intents() -> tuple[str, ...]:
    """Every intent there is, in alphabetical order."""
    return tuple(sorted({rule.intent for rule in _rules()}))


def cues(question: Question) -> tuple[Cue, ...]:
    """Every cue that stands in the question, in order of place; they may overlap."""
    return _all_cues(question.text[:_READ], question.lang)


@lru_cache(maxsize=256)
def _all_cues(text: str, lang: str) -> tuple[Cue, ...]:
    """Asked for ten times on the way of one question."""
    return tuple(sorted(_cues(text, lang), key=lambda cue: (cue.start, cue.end, cue.group)))


def medical_cues(question: Question) -> tuple[Cue, ...]:
    """Those that are terms of medicine or pharmacy."""
    return tuple(cue for cue in cues(question) if _groups()[cue.group].medical)


def sought(question: Question) -> tuple[Link, ...]:
    """What something is wanted for, or one of is wanted: "for pain", "which painkiller"."""
    # "hypertension with …, which blood pressure pill": of two links of one condition the one that wants something
    conditions = _distinct(sorted(question.links, key=lambda k: not k.wanted), CONDITIONS)
    wanted = [
        k
        for k in conditions
        if k.wanted
        or _before("what_for_it", k, question)
        or _behind("which_it", k, question)
        or (k.role != "had" and _behind("purpose", k, question))
    ]
    if not any(cue.group == "choosing" for cue in cues(question)):
        return tuple(k for k in wanted if k.wanted)
    drugs = [k for k in _distinct(question.links, DRUGS) if k.role != "taken"]
    classes = [k for k in drugs if k.concepts[0].startswith("class:")]
    return (*wanted, *(k for k in classes if _behind("which_of", k, question)))


def taken_beside(question: Question, link: Link) -> bool:
    """Whether what a link names is taken, or is to be: "on a blood thinner", "with an anticoagulant"."""
    if link.role == "taken":
        return True
    bare = _ARTICLE.sub("", question.text[: link.start].rstrip()).rstrip()
    pattern = _pattern(_groups()["with_drug"], question.lang)
    return link in question.links and any(m.end() == len(bare) for m in pattern.finditer(bare))


def leans(question: Question) -> bool:
    """Whether it is understood from what was said before: "and …", "what about …", or a pronoun and no drug."""
    leaning = [cue for cue in cues(question) if cue.group == "leaning"]
    at_the_start = any(not question.text[: cue.start].strip() for cue in leaning)
    return at_the_start or (bool(leaning) and not _distinct(question.links, DRUGS))


def _cues(text: str, lang: str) -> Iterator[Cue]:
    for name, group in _groups().items():
        if not group.place:
            yield from (Cue(name, *match.span()) for match in _pattern(group, lang).finditer(text))


def _features(question: Question) -> frozenset[str]:
    links = question.links
    here = tuple(cue for cue in cues(question) if not any(_within(cue, k) for k in links))
    found = {cue.group for cue in here}
    links = (*links, *question.carried)
    drugs, conditions = _distinct(links, DRUGS), _distinct(links, CONDITIONS)
    unnamed = {
        cue.start for cue in here if cue.group == "drug_kind" and not any(_overlap(cue, k) for k in question.links)
    }
    count = len(drugs) + len(unnamed)
    found |= {name for name, least in (("drug", 1), ("drugs", 2), ("several_drugs", 3)) if count >= least}
    if conditions:
        found.add("condition")
    if len(_distinct(conditions, frozenset({"disease"}))) > 1:
        found.add("diseases")
    if _distinct(links, FOOD):
        found.add("food")
    if is_known(question.patient):
        found.add("population")
    # what was complained of before is no complaint about the drug that is named now
    if any(kind_of(link.concepts[0]) == "symptom" and link in question.links for link in conditions):
        found.add("complaint")
    sought = [link for link in conditions if _behind("purpose", link, question)]
    if sought:
        found.add("purpose")
    if len(sought) < len(conditions):
        found.add("state")
    found |= {group for group in ("with_drug", "from_drug") if any(_behind(group, link, question) for link in drugs)}
    if count == 2 and len(drugs) == 2 and _is_a(question, *drugs):
        found = (found | {"kind_of"}) - {"drugs"}
    if links and not _outside(question):
        found.add("bare")
    return frozenset(found)


def _distinct(links: Sequence[Link], kinds: frozenset[str]) -> list[Link]:
    """The links of these kinds, one for each thing: an ambiguous name is one, a repeated one too.

    A name that may be of another kind as well counts as what its first meaning is.
    """
    seen: set[ConceptId] = set()
    chosen: list[Link] = []
    for link in links:
        if link.concepts and kind_of(link.concepts[0]) in kinds and seen.isdisjoint(link.concepts):
            chosen.append(link)
        seen.update(link.concepts)
    return chosen


def _overlap(cue: Cue, link: Link) -> bool:
    return cue.start < link.end and link.start < cue.end


def _within(cue: Cue, link: Link) -> bool:
    """Whether a cue is a part of a medicine's name, and says nothing: 疼 in 普拿疼."""
    shorter = cue.end - cue.start < link.end - link.start
    named = bool(link.concepts) and kind_of(link.concepts[0]) in ("drug", "ingredient")
    return shorter and named and link.start <= cue.start and cue.end <= link.end


def _behind(group: str, link: Link, question: Question) -> bool:
    """Whether a cue of `group` ends where a link of this question begins."""
    if link not in question.links:
        return False
    before = question.text[: link.start].rstrip()
    return any(match.end() == len(before) for match in _pattern(_groups()[group], question.lang).finditer(before))


def _before(group: str, link: Link, question: Question) -> bool:
    """Whether a cue of `group` begins where a link of this question ends."""
    behind = question.text[link.end :].lstrip()
    return link in question.links and _pattern(_groups()[group], question.lang).match(behind) is not None


def _is_a(question: Question, first: Link, second: Link) -> bool:
    """Whether the question says, or asks, that the first is one of the second."""
    if first not in question.links or second not in question.links or kind_of(second.concepts[0]) != "class":
        return False
    between = question.text[first.end : second.start].strip()
    return _pattern(_groups()["is_a"], question.lang).fullmatch(between) is not None


def _outside(question: Question) -> str:
    """The letters and digits that stand in no link."""
    named = {place for link in question.links for place in range(link.start, link.end)}
    return "".join(c for place, c in enumerate(question.text) if place not in named and c.isalnum())


def _pattern(group: _Group, lang: str) -> re.Pattern[str]:
    try:
        return group.patterns[lang]
    except KeyError:
        raise BadInput(f"language {lang!r}", expected="one of " + ", ".join(group.patterns)) from None


@cache
def _rules() -> tuple[_Rule, ...]:
    return tuple(
        _Rule(
            row["intent"],
            tuple(frozenset(any_of.split("|")) for any_of in row.get("all", ())),
            frozenset(row.get("none", ())),
            row.get("early", False),
        )
        for row in _data()["rules"]
    )


@cache
def _groups() -> dict[str, _Group]:
    return {
        name: _Group(
            row.get("medical", False),
            row.get("place", ""),
            {lang: _compiled(row[lang], words=lang != "zh") for lang in ("en", "nl", "zh")},
        )
        for name, row in _data()["cues"].items()
    }


def _compiled(alternatives: Sequence[str], *, words: bool) -> re.Pattern[str]:
    joined = "|".join(sorted(alternatives, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)" if words else f"(?:{joined})", re.IGNORECASE)


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.ask", "sentinel.toml")
