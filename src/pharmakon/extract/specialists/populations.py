"""Which patients a sentence is about: "severe renal impairment (CrCl < 30 mL/min)", "children under 6 years".

A group is an AND of conditions in the formulary's own language, with the place where it stands. What a degree of
impairment means where a label gives no figures stands in `populations.toml`, with its source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pharmakon.extract.claims import Mention
from pharmakon.extract.curated.expressions import read_condition
from pharmakon.extract.specialists.bounds import after, bounds, grammar
from pharmakon.extract.specialists.wording import any_of, cue, figure, holds, pattern, words
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Clause, Condition

RENAL, HEPATIC, AGE, PREGNANCY = "RENAL_IMPAIRMENT", "HEPATIC_IMPAIRMENT", "AGE_RESTRICTION", "PREGNANCY_LACTATION"
#: Risks from the one that speaks for a group of several conditions to the one that only narrows it.
_WEIGHT = (PREGNANCY, RENAL, HEPATIC, AGE, "CONTRAINDICATION_CONDITION", "DOSAGE_ERROR", "")
_AGED = re.compile(r"older|younger|\bage\b", re.IGNORECASE)
_AGE_HINT = re.compile(
    r"\d[\s-]*(?:years?|yrs?|months?|weeks?|days?|to)\b|\bage[ds]?\b|(?:patients|children|adults|women|men|infants)\s*[(,]?\s*"
    r"(?:[<>≥≤=\d]|over|under|above|below|older|younger|who are|aged)", re.IGNORECASE
)  # fmt: skip
_OLDEST = 120
#: How far apart, in characters, the words for a group and the figures that define it may stand.
_NEAR = 60


@dataclass(frozen=True, slots=True)
class Group:
    """Patients named at `start` to `end` of a text: those of `clause`, or those who have `concept`.

    Neither where the text names a group that no condition can say: an impairment of no degree and no name, a blood
    pressure below 90.
    """

    start: int
    end: int
    clause: Clause = ()
    risk: str = ""
    concept: ConceptId | None = None
    figures: bool = False  #: whether the label gave figures or classes, not only words

    @property
    def known(self) -> bool:
        return bool(self.clause) or self.concept is not None

    @property
    def guard(self) -> Clause:
        """The group as conditions, the named disease included."""
        return self.clause or ((has(self.concept),) if self.concept else ())


def groups(text: str, mentions: Sequence[Mention] = (), offset: int = 0) -> tuple[Group, ...]:
    """The groups named in `text`, in order; `mentions` are placed `offset` characters further on.

    >>> [c.text for g in groups("severe renal impairment (CrCl below 30 mL/min)") for c in g.clause]
    ['crcl < 30 mL/min']
    >>> [c.text for g in groups("pediatric patients 6 to 11 years of age") for c in g.clause]
    ['age >= 6 years', 'age <= 11 years']
    """
    found: list[Group] = []
    low = text.casefold()
    for stems, reader in _readers():
        if holds(low, stems):
            found += reader(text)
    named = [(m, c) for m in mentions if (c := _disease(m)) is not None]
    found = [_named(g, named, offset) for g in found]
    return tuple(_joined(text, _apart(found)))


def _disease(mention: Mention) -> ConceptId | None:
    kinds = {kind_of(c) for c in mention.concepts}
    return mention.concepts[0] if len(mention.concepts) == 1 and kinds <= {"disease", "symptom"} else None


def _named(group: Group, named: Sequence[tuple[Mention, ConceptId]], offset: int) -> Group:
    """A group known by a word alone takes the concept that is named there."""
    if group.clause:
        return group
    for mention, concept in named:
        within = mention.start - offset < group.end and group.start < mention.end - offset
        if within and any(name in mention.text.casefold() for name in _organ_names(group.risk)):
            return replace(group, concept=concept)
    return group


@cache
def _organ_names(risk: str) -> tuple[str, ...]:
    """What a name of the disease behind a word for a group holds: an impairment of the liver is no kidney disease."""
    organs = words("populations")["organs"].values()
    return next((tuple(row["names"]) for row in organs if row["risk"] == risk), ("",))


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _measured(text: str) -> Iterator[Group]:
    """Measures with their figures: "creatinine clearance of 30 to 50 mL/min"."""
    for name, spelled, risk, unit in _measures():
        for match in spelled.finditer(text):
            said = bounds(match, match["after"] or "")
            if name == "unheld":
                yield Group(match.start(), match.end(), figures=True)
            elif said:
                clause = tuple(read_condition(f"{name} {op} {value} {unit}".strip()) for op, value in said)
                yield Group(match.start(), match.end(), clause, risk, figures=True)


@cache
def _measures() -> tuple[tuple[str, re.Pattern[str], str, str], ...]:
    glue = any_of(_GLUE)
    found = []
    for name, row in words("populations")["measures"].items():
        units = [*row["units"]]
        named = rf"(?<![A-Za-z]){any_of(row['names'])}(?![A-Za-z])"
        between = rf"(?:[\s,:=()\[\]*]|{glue}(?![A-Za-z])|{any_of(units or ['(?!)'])}){{0,24}}"
        figures = grammar(units, required=name in ("weight", "creatinine", "potassium", "bilirubin"))
        found.append((name, pattern(rf"{named}{between}{figures}(?:[\s,.]*{after()})?"), row["risk"], row["unit"]))
    return tuple(found)


_GLUE = (
    "is", "are", "of", "was", "has", "have", "had", "an", "a", "the", "values?", "levels?", "rates?", "estimated",
    "calculated", "from", "in", "range", "ranging", "ranges", "falls?", "measured", "remains?", "persistently", "e?gfr",
    "clcr", "crcl", "ccr", "cl cr", "cl", "cr", "that", "i\\.e\\.", "patients?", "with",
    "p(?:a)?ediatric", "adult",
)  # fmt: skip


def _bare(text: str) -> Iterator[Group]:
    """A clearance by its unit alone: "renal impairment (< 30 mL/min)"; which one, the words around must say."""
    if not _renal_words().search(text):
        return
    factor, unit = ("egfr", "mL/min/1.73m2") if _filtration().search(text) else ("crcl", "mL/min")
    for match in _clearance().finditer(text):
        said = bounds(match, match["after"] or "")
        if said:
            clause = tuple(read_condition(f"{factor} {op} {value} {unit}") for op, value in said)
            yield Group(match.start(), match.end(), clause, RENAL, figures=True)


@cache
def _clearance() -> re.Pattern[str]:
    units = words("populations")["measures"]["egfr"]["units"]
    rate = r"(?<!rate of )(?<!rate )(?<!at )(?<![\d.,/A-Za-z])"
    return pattern(rf"{rate}{grammar(units, required=True)}(?:[\s,.]*{after()})?")


@cache
def _renal_words() -> re.Pattern[str]:
    return pattern(r"renal|kidney|clearance|creatinine|glomerular|gfr|crcl|clcr")


@cache
def _filtration() -> re.Pattern[str]:
    return pattern(r"glomerular|gfr")


def _bare_weight(text: str) -> Iterator[Group]:
    """A weight by its unit alone: "less than 60 kg | 15 mg/kg/day"."""
    for match in _kilograms().finditer(text):
        if said := bounds(match, match["after"] or ""):
            clause = tuple(read_condition(f"weight {op} {value} kg") for op, value in said)
            yield Group(match.start(), match.end(), clause, "DOSAGE_ERROR", figures=True)


@cache
def _kilograms() -> re.Pattern[str]:
    figures = grammar(words("populations")["measures"]["weight"]["units"], required=True)
    return pattern(rf"(?<![\d.,/A-Za-z]){figures}(?!\s*/|[A-Za-z])(?:[\s,.]*{after()})?(?:\s+(?:of\s+)?body\s+weight)?")


# ── ages ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _ages(text: str) -> Iterator[Group]:
    """Ages in figures, where words say that it is an age: "under 18 years of age", "patients over 65"."""
    if not _AGE_HINT.search(text):
        return
    for match in _age().finditer(text):
        unit = _age_unit(match["u2"] or match["u1"] or "")
        aged = match["of"] or _AGED.search(f"{match['op1'] or ''} {match['after'] or ''}")
        lead = match["lead"] or _AGED.search(match["op1"] or "")
        if not (aged or lead) or not (unit or lead):
            continue
        units = [_age_unit(match["u1"] or match["u2"] or "") or "years", unit or "years"]
        said = bounds(match, match["after"] or "", mixed=units[0] != units[1])
        if not said or (figure(said[-1][1]) > _OLDEST and units[1] == "years"):
            continue
        units = units[-len(said) :]
        clause = tuple(read_condition(f"age {op} {value} {u}") for (op, value), u in zip(said, units, strict=True))
        yield Group(match.start(), match.end(), clause, AGE, figures=True)


@cache
def _age() -> re.Pattern[str]:
    table = words("populations")["ages"]
    lead = rf"(?P<lead>(?<![A-Za-z])(?:{any_of(table['people'])}|ages?|aged)(?![A-Za-z])(?:[\s,(]|who|are|of|is|aged|ages?){{1,16}})"
    no_unit = r"(?!\s*(?:%|kg|mg|mcg|m[lL]|lb|g\b|units?\b|mm|hours?|weeks?|days?|doses?|times|\d|/|x\b))"
    return pattern(
        rf"{lead}?(?<![\d.,/A-Za-z≥≤<>=]){grammar(table['words'])}(?(u1)|(?(u2)|{no_unit}))"
        rf"(?P<of>(?:\s|-)*(?:of\s+age|old\b|in\s+age|age\s+group))?(?:[\s,.]*{after()})?"
    )


def _age_unit(text: str) -> str:
    head = text.strip(" -").lower()[:1]
    return {"y": "years", "m": "months", "w": "weeks", "d": "days"}.get(head, "")


def _age_words(text: str) -> Iterator[Group]:
    """The elderly and the young, where no figures say it."""
    for line, spelled in _age_lines():
        for match in spelled.finditer(text):
            yield Group(match.start(), match.end(), (read_condition(line),), AGE)


@cache
def _age_lines() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = words("populations")["ages"]
    return tuple((line, cue("populations", f"ages.{line}")) for line in table if line.startswith("age "))


# ── organs and states ─────────────────────────────────────────────────────────────────────────────────────────────


def _impaired(text: str) -> Iterator[Group]:
    """Kidney and liver by degree: "moderate to severe hepatic impairment", "impaired renal function"."""
    for match in _impairment().finditer(text):
        degrees = {
            d for d in ("mild", "moderate", "severe") if cue("populations", f"impairment.{d}").search(match["how"])
        }
        for organ, row in words("populations")["organs"].items():
            if any(re.search(rf"\b{name}\b", match[0], re.IGNORECASE) for name in row["names"]):
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
    how = rf"(?P<how>(?:{degrees}[\s,/-]*(?:(?:and/or|or|and|to|through)[\s-]+)?)*)(?:(?:pre-?existing|chronic|underlying|baseline)\s+)?"
    return pattern(
        rf"(?<![A-Za-z]){how}(?:{reduced}\s+{organs}\s+functions?|{organs}[\s-]+{any_of(table['impairment']['words'])}"
        rf"|(?:impairment|reduction|insufficiency)\s+(?:of|in)\s+{organs}\s+function)(?![A-Za-z])"
    )


def _child_pugh(text: str) -> Iterator[Group]:
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


def _states(text: str) -> Iterator[Group]:
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


def _readers() -> tuple[tuple[tuple[str, ...], Callable[[str], Iterator[Group]]], ...]:
    """What a text must hold for a reader to be asked, and the reader; the earlier one wins where two overlap."""
    return (
        (("clearance", "crcl", "clcr", "ccr", "cl cr", "cr cl", "filtration", "gfr", "creatinine", "potassium", "weigh",
          "body mass", "bmi", "inr", "bilirubin", "blood pressure", "ejection", "lvef", "platelet", "neutrophil",
          "hemoglobin", "heart rate", "cd4", "triglycerid", "pulse"), _measured),
        (("pugh",), _child_pugh),
        (("ml/min", "ml per min"), _bare),
        ((" kg", "-kg"), _bare_weight),
        (("year", "month", " week", "aged", " age", "-old", "younger", "older", "patients", "child", "adults"), _ages),
        (("renal", "kidney", "hepatic", "liver"), _impaired),
        (("dialysis", "capd", "pregnan", "nursing", "breast", "lactat"), _states),
        (("elderly", "geriatric", "older", "aged", "pediatric", "paediatric", "child", "adolescent", "neonat", "newborn",
          "infant"), _age_words),
    )  # fmt: skip


# ── several groups ────────────────────────────────────────────────────────────────────────────────────────────────


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
    return _same().fullmatch(between) is not None


def _narrows(between: str) -> bool:
    return _both().fullmatch(between) is not None


def both(first: Group, second: Group) -> Group:
    """Those who belong to the first and to the second."""
    clause = tuple(dict.fromkeys((*first.guard, *second.guard)))
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


def has(concept: ConceptId, past: bool = False) -> Condition:
    """The condition that a patient has, or ever had, a disease."""
    return read_condition(f"{'had' if past else 'has'} {concept}")
