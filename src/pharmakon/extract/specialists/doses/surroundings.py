"""What stands around a sentence and narrows the dose it sets: the section's heading, the caption of a table, the ways
in which the products are given.

A maximum loses its patients, its use or its route where these are overlooked; where they can't be told for certain, the
maximum is left unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pharmakon.extract.claims import Claim, LabelContext, Read, Sentence
from pharmakon.extract.curated.expressions import read_condition
from pharmakon.extract.specialists.doses.limits import limiting
from pharmakon.extract.specialists.doses.routing import only_named, routed
from pharmakon.extract.specialists.doses.steps import begun
from pharmakon.extract.specialists.doses.tables import is_row
from pharmakon.extract.specialists.doses.uses import UNKNOWN, headed_for, headed_unread, leads_on, subheaded, unread
from pharmakon.extract.specialists.patients.group import AGE, HEPATIC, RENAL, Group
from pharmakon.extract.specialists.patients.populations import groups
from pharmakon.extract.specialists.rules.statements import ORGANS, diseases
from pharmakon.extract.specialists.wording import cue, pattern, words
from pharmakon.model.concepts import ConceptId
from pharmakon.model.statements import Clause, Condition
from pharmakon.model.vocabulary import routes

_YOUNG = pattern(r"\b(?:p(?:a)?ediatrics?|child(?:ren|hood)?|infants?|adolescents?|neonat\w+|juvenile)\b")
_GROWN = pattern(r"\badults?\b")
_BOTH = pattern(rf"{_GROWN.pattern}[^.;:|\d]{{0,40}}{_YOUNG.pattern}|{_YOUNG.pattern}[^.;:|\d]{{0,40}}{_GROWN.pattern}")
_CHILDREN, _ADULTS = "age < 18 years", "age >= 18 years"
_GRAMS = re.compile(r"\d[\s-]*(?:g|gm|grams?)\b", re.IGNORECASE)
#: Factors that say how kidney or liver work.
_OF_ORGANS = {
    "renal": (RENAL, frozenset({"crcl", "egfr", "creatinine", "dialysis"})),
    "hepatic": (HEPATIC, frozenset({"child_pugh", "bilirubin"})),
}
#: How many lines that are no rows may stand over a table and tell whose it is, and how many lines go back to them.
_CAPTIONS, _BACK = 2, 40
#: Letters that may stand between a caption and a row that are quoted together.
_QUOTED = 700
#: Letters of a line that is a heading within a table.
_HEADING = 40
#: An item of a list that holds no more than a dose and its patients.
_ITEM = re.compile(r"\W*\d[\d.,]*\s*(?:mg|mcg|g|units?)\b[^.;]{0,60}\b(?:for|in)\b", re.IGNORECASE)
#: The weight in a sentence, and how many letters further its patients may be named.
_KILOGRAMS, _BESIDE = re.compile(r"\d\s*(?:kg|kilograms?)\b", re.IGNORECASE), 20
#: A maximum that names nobody; and that a dose may grow.
_BARE = pattern(r"\W*(?:do not exceed|not to exceed|max(?:imum)?\b)")
_GROWS = pattern(
    r"\b(?:dos(?:e|age)|it)\b[^.;]{0,40}\b(?:may|can|could|should) (?:then )?be (?:increas|titrat|escalat|rais)\w*"
)
_POUNDS = re.compile(r"\d\s*(?:lbs?|pounds)\b", re.IGNORECASE)
_MAINTAINED = pattern(r"\bmaintenance dos")
_LOADING = pattern(r"\bloading dos")
#: What is prevented and treated by the same doses.
_PREVENTED = frozenset(map(ConceptId, words("uses")["prevented"]["same"]))
#: How many sentences back the patients may be named for whom a dose is given by weight.
_LATELY = 3
#: Kilograms below which only children are found in practice.
_SMALL, _GROWN_UP = 50, 18
#: Routes whose doses are not the same, unless a label says so.
_VEINS = frozenset({"intravenous", "intravenous_push", "line_lock"})


def narrowed(read: Read, sentences: Sequence[Sentence], at: int, label: LabelContext) -> Read:
    """`read`, made of sentence `at`, with the conditions that its surroundings add to limits of doses."""
    if not any(c.statement.relation == "dose_limit" for c in read.claims):
        return read
    captions = _captions(sentences, at)
    kept: list[Claim] = []
    why = read.why or _why_not(sentences, at, captions, label)
    for claim in read.claims:
        if claim.statement.relation != "dose_limit":
            kept.append(claim)
        elif not why:
            made = _narrowed(claim, sentences, at, captions, label)
            why = made if isinstance(made, str) else ""
            kept += [] if isinstance(made, str) else made
    return Read(tuple(kept), why="" if kept else why, refused=read.refused)


def _why_not(sentences: Sequence[Sentence], at: int, captions: Sequence[Sentence], label: LabelContext) -> str:
    """Why no limit can be taken from a sentence that stands here; "" where one can."""
    sentence = sentences[at]
    over = [sentence.heading, *(c.text for c in captions)]
    if any(cue("cues", "limits.harmed").search(text) for text in over):
        return "a dose after an adverse reaction"
    if len(_POUNDS.findall(sentence.text)) > 1 and not _KILOGRAMS.search(sentence.text):
        return "doses by weight in pounds"
    earlier, later = sentences[max(0, at - 1) : at], sentences[at + 1 : at + 2]
    if _BARE.match(sentence.text) and any(leads_on(s) for s in earlier):
        return "a maximum for a group or use named before"
    if later and not limiting(sentence.text) and not is_row(later[0].text) and _GROWS.search(later[0].text):
        return "a dose that the next sentence lets grow"
    if cue("cues", "limits.condition").search(sentence.text):
        return "a maximum under a condition that no group says"
    if cue("cues", "limits.before").search(sentence.text):
        return "a dose of what is given before"
    if any(begun(text) for text in over) and not limiting(sentence.text):
        return "a dose to start with"
    if cue("cues", "limits.instilled").search(sentence.text):
        return "an amount that is instilled"
    if label.routes and all(routes()[r].local for r in label.routes) and _GRAMS.search(sentence.text):
        return "an amount of the product, not of the drug"
    if _MAINTAINED.search(sentence.text) and any(_LOADING.search(s.text) for s in sentences):
        return "a maintenance dose beside a loading dose"
    return ""


def _narrowed(
    claim: Claim, sentences: Sequence[Sentence], at: int, captions: Sequence[Sentence], label: LabelContext
) -> list[Claim] | str:
    """The claim as its surroundings have it, for each use that they name; or why it can't be told."""
    sentence, statement = sentences[at], claim.statement
    clause: Clause = statement.when[0] if statement.when else ()
    risk = statement.risk
    organ, factors = _OF_ORGANS.get(sentence.kind, ("", frozenset()))
    if organ and not any(c.factor in factors or (c.factor == "has" and risk == organ) for c in clause):
        headed = _headed(organ, sentence, captions)
        if len(headed) != 1 or not clause:
            return "a maximum whose patients the heading does not tell apart"
        clause, risk = (*headed[0].guard, *clause), organ
    young = _young(clause, sentence, captions)
    if young is None:
        return "patients of an age or weight that others have too"
    clause = (*clause, *young)
    if young and risk == "DOSAGE_ERROR":
        risk = AGE
    unit = statement.limit.unit if statement.limit else ""
    if "/" in unit and not clause and _of_children(sentences, at):
        return "a maximum by weight for patients named elsewhere"
    route = _route(clause, sentence, captions, label)
    if route is None:
        return "by which route a maximum is given"
    clause = (*clause, *route)
    made = replace(claim, statement=replace(statement, when=(clause,) if clause else (), risk=risk))
    return [made] if sentence.kind in ("warnings", "boxed_warning") else _used(made, sentence, captions)


def _headed(organ: str, sentence: Sentence, captions: Sequence[Sentence]) -> list[Group]:
    """The patients with a diseased organ whom the caption of a table, or else the section's heading, names."""
    for caption in captions:
        if found := [g for g in groups(caption.text) if g.risk == organ and g.clause]:
            return found
    return [g for g in groups(sentence.heading, sentence.heading_mentions) if g.risk == organ and g.known]


def _used(claim: Claim, sentence: Sentence, captions: Sequence[Sentence]) -> list[Claim] | str:
    """The claim for each use that its own words, the caption of its table or the section's heading name."""
    statement = claim.statement
    over = [sentence.heading, *(c.text for c in captions)]
    if statement.object not in _PREVENTED and any(
        cue("cues", "limits.prevention").search(text) for text in (sentence.text, *over)
    ):  # fmt: skip
        return "a dose for prevention"
    if statement.object is not None:
        return [claim]
    uses = headed_for(sentence)
    if uses and subheaded(sentence, uses):
        return UNKNOWN
    if uses:
        has = {v for clause in statement.when for c in clause if c.factor == "has" for v in c.values}
        return [
            replace(claim, statement=replace(statement, object=use)) for use in uses if use not in has
        ] or [claim]  # fmt: skip
    if headed_unread(sentence):
        return UNKNOWN
    for caption in captions if is_row(sentence.text) else ():
        named = [(m, c) for m, c in diseases(caption) if c not in ORGANS]
        if named and claim.start - caption.start > _QUOTED:
            return "a table for a use that is named far above it"
        if not named and len(caption.text) <= _HEADING and unread(caption.text, caption.mentions, caption.start):
            return UNKNOWN
        if named:
            return [
                replace(claim, start=caption.start, spoken=(*claim.spoken, m), statement=replace(statement, object=c))
                for c, m in {c: m for m, c in named}.items()
            ]
    return [claim]


def _captions(sentences: Sequence[Sentence], at: int) -> list[Sentence]:
    """The lines over the table or list in which a sentence stands, the nearest first."""
    sentence = sentences[at]
    if not is_row(sentence.text):
        earlier = sentences[at - 1 : at]
        leads = bool(earlier) and earlier[0].text.rstrip().endswith(":")
        return [*earlier] if leads or (earlier and _ITEM.match(sentence.text)) else []
    found: list[Sentence] = []
    for one in reversed(sentences[max(0, at - _BACK) : at]):
        if not is_row(one.text):
            found.append(one)
            if len(found) == _CAPTIONS or one.text.lower().startswith("table"):
                break
    return found


def _young(clause: Clause, sentence: Sentence, captions: Sequence[Sentence]) -> Clause | None:
    """Children or adults, where nothing but a weight, or nothing at all, tells who they are; None where it must."""
    asked = [c for c in clause if c.factor == "age"]
    if asked:
        open_ = all(c.op in (">", ">=") and c.number < _GROWN_UP for c in asked)
        around = " ".join((sentence.heading, *(c.text for c in captions)))
        young = _YOUNG.search(around) is not None and _GROWN.search(sentence.text + around) is None
        apart = _YOUNG.search(sentence.text) and _GROWN.search(sentence.text) and not _BOTH.search(sentence.text)
        if open_ and apart:
            return None
        return (read_condition(_CHILDREN),) if open_ and young else ()
    weighed = bool(clause) and all(c.factor == "weight" for c in clause)
    over = [c.text for c in captions] if weighed else []
    kilograms = _KILOGRAMS.search(sentence.text) if weighed else None
    own = sentence.text[: kilograms.end() + _BESIDE] if kilograms else sentence.text
    for place in (own, *over, sentence.heading):
        young, grown = _YOUNG.search(place) is not None, _GROWN.search(place) is not None
        if young != grown and (young or weighed):
            if place is own and not weighed and not (is_row(own) and not clause):
                return ()  # it says itself who they are
            return (read_condition(_CHILDREN if young else _ADULTS),)
        if (young or grown) and (place is own or not weighed):
            return ()
        if young or grown:
            break
    light = any(c.factor == "weight" and c.op in ("<", "<=") and c.number <= _SMALL for c in clause)
    heavy = all(c.factor != "weight" or (c.op in (">", ">=") and c.number > _SMALL) for c in clause)
    told = light or (heavy and not is_row(sentence.text))
    return () if told or not weighed else None


def _of_children(sentences: Sequence[Sentence], at: int) -> bool:
    """Whether children were spoken of shortly before, and nobody else."""
    lately = " ".join(s.text for s in sentences[max(0, at - _LATELY) : at + 1])
    return _YOUNG.search(lately) is not None and _GROWN.search(lately) is None


def _route(
    clause: Clause, sentence: Sentence, captions: Sequence[Sentence], label: LabelContext
) -> Sequence[Condition] | None:
    """The way of the caption or heading for a dose that says none; None where the ways differ and none is told."""
    if any(c.factor == "route" for c in clause) or len(label.routes) < 2:
        return ()
    for place in (*(c.text for c in captions), sentence.heading):
        if name := only_named(place):
            return routed({name}, label)
    return None if len(set(_kinds(label))) > 1 and (clause or is_row(sentence.text)) else ()


def _kinds(label: LabelContext) -> Iterator[str]:
    """Of the label's routes, those whose doses differ: veins and muscles have the same."""
    for route in label.routes:
        yield "injected" if route in _VEINS or route == "intramuscular" else route
