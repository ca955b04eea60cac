"""Groups of patients in words: the elderly, impaired organs, Child-Pugh classes, dialysis, pregnancy, breastfeeding."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from pharmakon.extract.curated.expressions import read_condition
from pharmakon.extract.specialists.patients.bounds import after, bounds, grammar
from pharmakon.extract.specialists.patients.group import AGE, HEPATIC, Group
from pharmakon.extract.specialists.wording import any_of, cue, figure, pattern, words
from pharmakon.model.statements import Clause


def age_words(text: str) -> Iterator[Group]:
    """The elderly and the young, where no figures say it."""
    for line, spelled in _age_lines():
        for match in spelled.finditer(text):
            if _ADULTS_AND.search(text, 0, match.start()) or _AND_ADULTS.match(text, match.end()):
                continue  # "adult or pediatric patients": everybody
            yield Group(match.start(), match.end(), (read_condition(line),), AGE)


#: Beside these an age is no group: the sentence speaks of all ages.
_ADULTS_AND = re.compile(r"\badults?(?: patients)?(?:,| and| or|/|,? as well as)(?: \w+)? ?$", re.IGNORECASE)
_AND_ADULTS = re.compile(r"(?: patients)?(?: and| or|/|,? as well as) (?:\w+ )?adults?\b", re.IGNORECASE)


@cache
def _age_lines() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = words("populations")["ages"]
    return tuple((line, cue("populations", f"ages.{line}")) for line in table if line.startswith("age "))


def impaired(text: str) -> Iterator[Group]:
    """Kidney and liver by degree: "moderate to severe hepatic impairment", "impaired renal function"."""
    for match in _impairment().finditer(text):
        degrees = {
            d for d in ("mild", "moderate", "severe") if cue("populations", f"impairment.{d}").search(match["how"])
        }
        for organ, row in words("populations")["organs"].items():
            if any(re.search(rf"\b{name}(?:al)?(?:ly)?\b", match[0], re.IGNORECASE) for name in row["names"]):
                yield Group(match.start(), match.end(), degree(organ, degrees), row["risk"])


def degree(organ: str, degrees: set[str]) -> Clause:
    """The clause of one or more degrees of impairment of an organ; nothing where no degree is said."""
    if not degrees:
        return ()
    row = words("populations")["organs"][organ]
    if organ == "hepatic":
        levels = [level for degree in ("mild", "moderate", "severe") if degree in degrees for level in row[degree]]
        return (read_condition(f"child_pugh in {', '.join(levels)}"),)
    low = min(row[d][0] for d in degrees)
    high = max(row[d][1] for d in degrees)
    lines = ([f"crcl >= {low} mL/min"] if low else []) + [f"crcl < {high} mL/min"]
    return tuple(read_condition(line) for line in lines)


@cache
def _impairment() -> re.Pattern[str]:
    table = words("populations")
    organ = any_of(n for row in table["organs"].values() for n in row["names"])
    organs = rf"{organ}(?:(?:\s+|\s*[,/]\s*)(?:(?:and/or|or|and)\s+)?{organ})*"
    degrees = any_of(p for d in ("mild", "moderate", "severe") for p in table["impairment"][d])
    reduced = any_of(table["impairment"]["reduced"])
    listed = rf"(?:(?<!less\s){degrees}[\s,/-]*(?:(?:and/or|or|and|to|through)[\s-]+)?)*"
    how = rf"(?P<how>{listed})(?:(?:pre-?existing|chronic|underlying|baseline)\s+)?"
    return pattern(
        rf"(?<![A-Za-z]){how}(?:{reduced}\s+{organs}\s+functions?|{organs}[\s-]+{any_of(table['impairment']['words'])}"
        rf"|(?:impairment|reduction|insufficiency)\s+(?:of|in)\s+{organs}\s+(?:excretory\s+)?function"
        rf"|(?:renal|hepatic|hepatical)ly\s+(?:impaired|compromised))(?![A-Za-z])"
    )


def child_pugh(text: str) -> Iterator[Group]:
    """Child-Pugh classes and scores."""
    for match in _pugh().finditer(text):
        levels = _classes(match)
        if levels:
            clause = (read_condition(f"child_pugh in {', '.join(levels)}"),)
            yield Group(match.start(), match.end(), clause, HEPATIC, figures=True)


def _classes(match: re.Match[str]) -> list[str]:
    if match["classes"]:
        said = set(re.findall(r"\b[ABC]\b", match["classes"].upper()))
        return [level for level in "ABC" if level in said]
    table = words("populations")["child_pugh"]
    kept = bounds(match, match["after"] or "")
    tests: dict[str, Callable[[float, float], bool]] = {
        "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    }  # fmt: skip
    return [
        level
        for level in "ABC"
        if kept
        and any(all(tests[op](n, figure(v)) for op, v in kept) for n in range(table[level][0], table[level][1] + 1))
    ]


@cache
def _pugh() -> re.Pattern[str]:
    name = any_of(words("populations")["child_pugh"]["names"])
    classes = r"(?P<classes>[ABC](?:\s*(?:,|or|and|/|to|-|–|&)*\s*(?:class\s+)?[ABC](?![A-Za-z]))*(?![A-Za-z]))"
    between = r"(?:[\s,:=()\[\]\"“”‘’'-]|class(?:es)?|category|grade|stage|scores?|total|points?|of|is)"
    return pattern(rf"{name}{between}{{0,16}}?(?:{classes}|{grammar(())}(?:\s*{after()})?)")


def states(text: str) -> Iterator[Group]:
    """Dialysis, pregnancy and breastfeeding."""
    for name, row in words("populations")["states"].items():
        without = [(m.start(), m.end()) for m in cue("populations", f"states.{name}.without").finditer(text)]
        for match in cue("populations", f"states.{name}.names").finditer(text):
            if any(a < match.end() and match.start() < b for a, b in without):
                continue
            clause: Clause = (read_condition(row["line"]),)
            start = match.start()
            if name == "pregnant":
                clause, start = _trimester(text, match, clause)
            yield Group(start, match.end(), clause, row["risk"], figures=name == "dialysis")


def _trimester(text: str, match: re.Match[str], clause: Clause) -> tuple[Clause, int]:
    said = _trimesters().search(text[max(0, match.start() - 60) : match.start()])
    if not said:
        return clause, match.start()
    table = words("populations")["trimesters"]
    which = [n for n in "123" if re.search(any_of(table[n]), said["which"], re.IGNORECASE)]
    condition = read_condition(f"trimester in {', '.join(which)}")
    return (*clause, condition), max(0, match.start() - 60) + said.start()


@cache
def _trimesters() -> re.Pattern[str]:
    ordinal = any_of(p for list_ in words("populations")["trimesters"].values() for p in list_)
    return pattern(rf"(?P<which>{ordinal}(?:\s*(?:,|and|or|to)*\s*{ordinal})*)\s+trimesters?\s+(?:of\s+)?(?:a\s+)?$")
