"""Which of its names a sentence speaks of: no class that stands for its members alone, no drug that is named aside.

"CYP3A4 inhibitors, such as macrolides (e.g., erythromycin)" means the macrolides that inhibit CYP3A4, and names one;
"the following macrolides: erythromycin" and, in a table's cell, "Ergot derivatives: dihydroergotamine" name the drugs
that are meant. A finding on the whole class would be said of drugs that the label does not mean. "Consider an
alternative antihypertensive" is advice for something else, and "hypersensitivity to citalopram" a reason of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pharmakon.extract.specialists.interaction.sketch import CLASS, DRUG, FOOD, OWN, Named, Sketch
from pharmakon.model.concepts import ConceptId

_NAMES = frozenset(role.upper() for role in (CLASS, DRUG, OWN))
_SHOWS = frozenset(["such", "including", "like", "eg", "especially", "particularly"])
_SOME = frozenset(["some", "certain", "several", "following"])
_LINKS = frozenset([",", "and", "or", "/", "&", "(", ")", "-", "the", "a", "other"])
#: How many words may stand between two members of a list, or behind a class: "azole antifungal agents (…)".
_QUALIFIED = 3
#: How many tokens a clause that narrows a class may have, with the first drug it gives.
_CLAUSE = 16
#: What stands before a drug that is the way out, before one that a patient can't stand or had once, and before a class
#: that is part of what is meant: "less strong inhibitors", "dual CYP3A4 and CYP2C19 inhibitors".
_ASIDE = re.compile(
    r"(?:\balternat(?:iv)?es?\b(?:(?! to\b| for\b)[^.;:,|]){0,40}(?:\b(?:including|such as|e\.g\.)[^.;:|]{0,80})?"
    r"|\b(?:hypersensitiv\w+|allerg\w+|sensitivity|intoleran\w+|anaphyla\w+|urticaria|bronchospasm|rhinitis)"
    r"(?:[ -][^.;:|]{0,60})?\b(?:to|after|following|(?:induced|caused|precipitated) by)\b[^.;:|]{0,80}"
    r"|\bprevious(?:ly)?\s(?:receiv\w+|taking|taken|treated with|exposed to|exposure to|use of|treatment with)\s"
    r"[^.;:|]{0,60}"
    r"|\bless\s+|\bdual\s[\w /-]{0,20})\Z",
    re.IGNORECASE,
)
#: Food to take more of, or to take the drug with, is a remedy: "increase salt intake", "take with food or milk".
_REMEDY = re.compile(
    r"\bincreas(?:e|ing)\s(?:[\w-]+\s){0,2}\Z|\b(?:take|taken|give|given|administer(?:ed)?)\s(?:it\s)?with\s(?:food|meals?)\s*(?:,|or|and)+\s*(?:or\s)?\Z",
    re.IGNORECASE,
)
#: Between a class and the members that a cell lists under it.
_HEADS = re.compile(r"s?\s*:\s*\Z")


#: Classes told by what they do: as an example of something else they are meant whole all the same.
_MECHANISM = re.compile(r"class:(?:strong-|moderate-|weak-)*(?:cyp|p-gp|bcrp|oatp|oat|oct|ugt|qt-)")


def out_of_scope(sketch: Sketch, concepts: Sequence[ConceptId]) -> set[int]:
    """The named things that the sentence does not speak of, as numbers of `sketch.things`, which are `concepts`."""
    return {
        n
        for n, (thing, concept) in enumerate(zip(sketch.things, concepts, strict=True))
        if _aside(sketch.text, thing) or _stands_in(sketch, n, mechanism=_MECHANISM.match(concept) is not None)
    }


def headings(cell: str, things: Sequence[Named]) -> set[int]:
    """The classes that head a list of drugs in the first cell of a row: "Ergot derivatives: dihydroergotamine"."""
    within = [[place for place in thing.places if place[1] <= len(cell)] for thing in things]
    drugs = [start for thing, places in zip(things, within, strict=True) if thing.role == DRUG for start, _ in places]
    return {
        n
        for n, places in enumerate(within)
        if things[n].role == CLASS
        and places
        and all(any(end < at and _HEADS.match(cell[end:at]) for at in drugs) for _, end in places)
    }


def _aside(text: str, thing: Named) -> bool:
    before = _REMEDY if thing.role == FOOD else _ASIDE if thing.role in (DRUG, CLASS) else None
    return before is not None and all(before.search(text[max(0, at - 140) : at]) for at, _ in thing.places)


def _stands_in(sketch: Sketch, n: int, *, mechanism: bool) -> bool:
    """Whether a class is named for the members it gives alone: "some" of it, or an example of something else itself."""
    words = sketch.words
    return sketch.things[n].role == CLASS and all(
        _restricted(sketch, i)
        or (
            _has_members(words, i)
            and (_SOME & set(words[max(0, i - _QUALIFIED) : i]) or (_is_example(words, i) and not mechanism))
        )
        for i in sketch.at[n]
    )


def _restricted(sketch: Sketch, at: int) -> bool:
    """Whether the class at token `at` is narrowed and the drugs meant are given: "statins that … (lovastatin)"."""
    behind = at + 1
    while sketch.words[behind : behind + 1] in (["("], [")"]) or sketch.thing[behind : behind + 1] == [
        sketch.thing[at]
    ]:
        behind += 1  # the class in other words: "HMG-CoA reductase inhibitors (statins)"
    clause = sketch.words[behind : behind + 1 + _CLAUSE]
    if not clause or clause[0] not in ("that", "which"):
        return False
    opened = clause.index("(") if "(" in clause else len(clause)
    return DRUG.upper() in clause[opened:] and not {".", ";", ":"} & set(clause[:opened])


def _has_members(words: Sequence[str], at: int) -> bool:
    """Whether drugs are given right behind the class at token `at`: in brackets, or behind "such as" or a colon."""
    opened = False
    for word in words[at + 1 : at + 2 + _QUALIFIED + 5]:
        if word == DRUG.upper():
            return opened
        if word in _SHOWS or word in ("(", ":") or (word == "e" and not opened):
            opened = True
        elif word in (")", ";") or word in _NAMES:
            return False
    return False


def _is_example(words: Sequence[str], at: int) -> bool:
    """Whether the list that token `at` is in goes back to "such as", "including" or "e.g." that still holds for it."""
    closed = between = 0
    for i in range(at - 1, -1, -1):
        word = words[i]
        if word == ")":
            closed += 1
        elif word == "(" and closed:
            closed -= 1
        elif closed:
            continue
        elif word in _SHOWS or (word == "g" and words[i - 2 : i] == ["e", "."]):
            return True
        elif word in _LINKS or word in _NAMES:
            between = 0
        else:
            between += 0 if word == "." and words[i - 1] == "g" else 1
            if between > _QUALIFIED or (between and word in (".", ";", ":", "|")):
                return False
    return False
