"""Whether advice is about giving this drug to these patients, and how firm it is.

The words of advice stand in sentences on much else: how a vial is mixed, what a vaccine does, who may inject himself,
for how many weeks something was studied, what rats were given. Advice counts where what it speaks of is the drug.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from pharmakon.extract.claims import Claim, LabelContext, Mention, Sentence
from pharmakon.extract.curated.expressions import read_condition
from pharmakon.extract.specialists.doses.quantities import Amount
from pharmakon.extract.specialists.patients.group import AGE, HEPATIC, RENAL, Group
from pharmakon.extract.specialists.rules.advice import Advice
from pharmakon.extract.specialists.rules.statements import other_drugs
from pharmakon.extract.specialists.rules.whose import of_another
from pharmakon.extract.specialists.wording import any_of, cue, pattern, words

_CELL = " | "
#: Years from which on an age is a reason for another dose by itself, and below which "or older" is nearly everybody.
OLD, _GROWN = 55, 30
#: What the head of a column is that holds doses of one strength or form.
_FORMS = pattern(r"\d\s*m[gL]\b|\b(?:tablets?|capsules?|solution|suspension)\b")
#: Kilograms above which a bound of the weight names no small patients.
_HEAVY = 60
#: Letters before a piece of advice that say what it is about, and behind it.
_BEFORE, _AFTER = 110, 70
#: Where what stands before advice is another statement.
_CLAUSE = pattern(r"[.;:|]\s|,? (?:but|and (?:the|it|is|are|should)|therefore|however)\b")
_SENTENCE = re.compile(r"[.;:|]\s")
#: What is avoided where it is the drug: its use, or the patients follow at once.
_USE = pattern(
    r"\s*(?:$|[.,;:|(\[]|(?:the |its )?(?:use|using|administration|initiation|initiating|treatment|therapy|"
    r"drug|product|giving|prescribing|dosing|dose|starting)\b"
    r"|(?:in|for|if|when|during|unless|this|these|it|them|whenever|where)\b|(?-i:[A-Z]))"
)
#: Before "do not use": that it tells of people and advises nothing.
_WHO = pattern(r"\b(?:who|that)\b[^.;,]*$")
_SUCH = pattern(r"\s*(?:e\.g|such as|including|for example|i\.e)")
#: Before another drug: that what is advised is its own dose.
_DOSE_OF = pattern(r"\b(?:dos(?:es?|ages?|ing)|use|administration) of\s+(?:the\s+)?$")
#: Letters behind "avoid" in which the drug is named.
_NAMED = 40
_MODAL = pattern(
    r"\b(?:may|can|could|might|potential|risks?|advise|should|must|contraindicated|based on|human|women)\b"
)
#: A drug of one release form: what is said of it is said of that form.
_LONG = pattern(
    r"\b(?:extended|sustained|controlled|prolonged|modified)[\s-]+release\b(?! (?:form|to|from))"
    r"|(?-i:\b[A-Z][A-Za-z]{2,}\s+(?:XR|ER|XL|SR|CR|LA)\b)"
)
_FORM = "form is extended_release"

#: Under a heading a sentence without a group is about that group where it says what to do, and to whom more is said
#: than that they are monitored.
_MONITORED = re.compile(r"monitor|observ|assess|evaluat", re.IGNORECASE)
_ADVISES = re.compile(
    r"\b(?:should|must|may|recommend\w*|required?|needed|necessary|warranted|advised|start|use|reduce|adjust|lower|avoid"
    r"|consider|titrate|limit|initiate|give|administer|not|is|are)\b", re.IGNORECASE
)  # fmt: skip
_BY_FUNCTION = re.compile(r"\bfunction|\bclearance|\bimpairment", re.IGNORECASE)
#: How a measure compares in those whose kidneys are sound.
_SOUND = {"crcl": (">", ">="), "egfr": (">", ">="), "creatinine": ("<", "<=")}
#: Clearance from which on a table gives the usual dose beside the smaller ones.
_MILD = 60


def misses(sentence: Sentence, text: str, advice: Advice, group: Group, label: LabelContext) -> bool:
    """Whether advice against the drug, or on its dose, is advice on something else."""
    start = max((m.end() for m in _CLAUSE.finditer(text, 0, advice.start)), default=0)
    near = text[max(start, advice.start - _BEFORE) : min(len(text), advice.end + _AFTER)]
    if advice.kind in ("avoid", "stop") and of_another(sentence, text, advice.start, advice.end, label):
        return True
    if advice.kind != "caution" and cue("cues", "advice.elsewhere").search(near):
        return True
    if advice.kind == "avoid" and _WHO.search(text, max(0, advice.start - _NAMED), advice.start):
        return True
    if group.risk == AGE and _in_brackets(text, advice, group):
        return True
    if any(_DOSE_OF.search(text, 0, m.start - sentence.start) for m in _beside(sentence, advice, label)):
        return True
    if advice.kind == "avoid" and text[advice.start : advice.end].lower().startswith("avoid"):
        return not _avoids_the_drug(sentence, text, advice, group, label)
    return advice.kind == "harm" and _animals().search(text) is not None and _MODAL.search(text) is None


def _in_brackets(text: str, advice: Advice, group: Group) -> bool:
    """Whether a group stands in brackets that the advice is outside of, and is no example there."""
    opened = text.rfind("(", 0, group.start)
    if opened < 0 or ")" in text[opened : group.start] or opened < advice.start < text.find(")", group.end):
        return False
    return (
        advice.end < opened and _SUCH.match(text, opened + 1) is None and text[opened + 1 : group.start].strip() != ""
    )


def _beside(sentence: Sentence, advice: Advice, label: LabelContext) -> list[Mention]:
    """Other drugs named within a piece of advice or right behind it."""
    start, end = sentence.start + advice.start, sentence.start + advice.end + _NAMED
    return [m for m in other_drugs(sentence, label) if start <= m.start <= end]


def _avoids_the_drug(sentence: Sentence, text: str, advice: Advice, group: Group, label: LabelContext) -> bool:
    if re.search(r"\bus(?:e|ing)\b|administ|initiat", text[advice.start : advice.end]) or group.start == advice.end:
        return True
    own = set(label.subjects).union(*(label.ancestors.get(s, frozenset()) for s in label.subjects))
    at = sentence.start + advice.end
    named = any(at <= m.start <= at + _NAMED and not own.isdisjoint(m.concepts) for m in sentence.mentions)
    return named or _USE.match(text, advice.end) is not None


def of_cell(text: str, advice: Advice, group: Group, found: Sequence[Advice]) -> bool:
    """Whether advice in a row of a table is that of one cell among several: "Tablets: not advised | Syrup: 5 mL"."""
    if _CELL not in text or not group.end:
        return False
    row = text.split(_CELL)
    mine, its = text.count(_CELL, 0, group.start), text.count(_CELL, 0, advice.start)
    if mine == its:
        return False
    advised = {text.count(_CELL, 0, a.start) for a in found}
    others = [i for i, cell in enumerate(row) if i != mine and any(c.isalnum() for c in cell)]
    return _FORMS.search(row[its].split(":")[0]) is not None or any(i not in advised for i in others)


def everybody(group: Group) -> bool:
    """Whether a bound of age or weight takes in nearly everybody: "18 years or older", "at least 40 kg"."""
    asked = {c.factor for c in group.clause}
    if not asked or not asked <= {"age", "weight"}:
        return False
    return all(
        c.number < (_GROWN if c.factor == "age" else _HEAVY)
        if c.op in (">", ">=")
        else c.factor == "age" and c.number >= OLD
        for c in group.clause
    )


def possible(text: str, advice: Advice) -> bool:
    """Whether a dose is only held to need a change: "it may be necessary to reduce the dose"."""
    start = max((m.end() for m in _CLAUSE.finditer(text, 0, advice.start)), default=0)
    near = text[max(start, advice.start - _NAMED) : advice.end + _AFTER]
    return cue("cues", "advice.possible").search(near) is not None


def of_form(claim: Claim, text: str, advice: Advice | None) -> Claim:
    """A claim on the extended-release form alone, where that is what its clause speaks of."""
    if advice is None or advice.kind not in ("avoid", "unproven") or claim.statement.risk not in (RENAL, HEPATIC, AGE):
        return claim
    start = max((m.end() for m in _SENTENCE.finditer(text, 0, advice.start)), default=0)
    if not _LONG.search(text, start, min(len(text), advice.end + _NAMED)):
        return claim
    form = read_condition(_FORM)
    return replace(
        claim, statement=replace(claim.statement, when=tuple((*c, form) for c in claim.statement.when or ((),)))
    )


@cache
def _animals() -> re.Pattern[str]:
    return pattern(rf"\b{any_of(words('cues')['advice']['animals'])}\b")


def of_a_harm(text: str, found: Sequence[Group], doses: Sequence[Amount]) -> bool:
    """Whether a sentence says what to do when a harm appears, to patients who were given the drug without it."""
    if cue("cues", "advice.managed").search(text) is None:
        return False
    organ = any(g.risk in (RENAL, HEPATIC) for g in found)
    return (organ and not doses) or cue("cues", "advice.graded").search(text) is not None


def of_everybody(text: str, advice: Advice, group: Group) -> bool:
    """Whether advice under a heading on kidney or liver is no word on those patients: their function is monitored."""
    if group.risk not in (RENAL, HEPATIC):
        return False
    if "individuali" in text[advice.start : advice.end].lower() and not _BY_FUNCTION.search(text):
        return True
    if advice.kind == "caution":
        return _MONITORED.search(text[advice.start : advice.end]) is not None
    return _ADVISES.search(text) is None


def other_dose(group: Group) -> bool:
    """Whether doses for a group are other doses than the usual: for kidney, liver and the elderly, not for children."""
    if sound(group) or any(c.factor in _SOUND and c.op in (">", ">=") and c.number >= _MILD for c in group.clause):
        return False
    ages = [c for c in group.clause if c.factor == "age"]
    old = bool(ages) and all(c.op in (">", ">=") and c.number >= OLD for c in ages)
    return group.risk in (RENAL, HEPATIC) or old


def sound(group: Group) -> bool:
    """Whether a group is of patients with sound kidneys: "creatinine clearance of 50 mL/min or more"."""
    asked = [c for c in group.clause if c.factor in _SOUND]
    return bool(asked) and all(c.op in _SOUND[c.factor] for c in asked) and group.risk == RENAL
