"""Advice on groups of patients: doses and cautions by kidney, liver, age, weight, pregnancy and breastfeeding.

A dose for a group is an upper bound ("CrCl 15 to 29 mL/min: 250 mg once daily"). A dose to start with, or a part of the
usual one, bounds nothing and is a `dose_adjustment`. That no adjustment is needed is read and claims nothing. Doses
beside another drug are the specialist's for interactions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence
from pharmakon.extract.specialists.doses.group_limits import HIGHER, as_clause, dosed, group_limits
from pharmakon.extract.specialists.doses.limits import limiting, of_genotype, run_together
from pharmakon.extract.specialists.doses.quantities import Amount, amounts, counted
from pharmakon.extract.specialists.doses.surroundings import narrowed
from pharmakon.extract.specialists.doses.tables import of_neighbour
from pharmakon.extract.specialists.patients.antecedents import SHORT, Spoken, across, heading, pointing, spoken
from pharmakon.extract.specialists.patients.group import AGE, HEPATIC, PREGNANCY, RENAL, Group
from pharmakon.extract.specialists.patients.mentioned import (
    aside,
    headed_by,
    meant,
    named_in,
    of_age,
    of_degree,
    sayable,
    single,
    special,
    with_disease,
)
from pharmakon.extract.specialists.patients.populations import groups
from pharmakon.extract.specialists.rules.advice import PART, Advice, advice_in, nearest_advice, shares_of
from pharmakon.extract.specialists.rules.assertion import excepted
from pharmakon.extract.specialists.rules.pertinence import (
    everybody,
    misses,
    of_a_harm,
    of_cell,
    of_everybody,
    of_form,
    other_dose,
    possible,
    sound,
)
from pharmakon.extract.specialists.rules.statements import NOTHING, ORGANS, about, distinct, other_drugs
from pharmakon.extract.specialists.rules.whose import beside_name
from pharmakon.extract.specialists.wording import cue, hints, without_references
from pharmakon.model.vocabulary import Tier

_FIGURE = re.compile(r"\d")
_HEADED = frozenset({"renal", "hepatic", "geriatric", "pediatric", "pregnancy", "lactation", "dosage"})
#: Sections that tell more than they advise.
_TELLING = frozenset({"warnings", "boxed_warning", "indications"})
#: Sections where what forbids is the contraindication specialist's.
_FORBIDDING = frozenset({"contraindications", "boxed_warning"})
#: For how many sentences a group goes on, and how many of them a sentence without doses names.
_LASTS, _MOST = 2, 3
#: How far from a group, in characters, its advice may stand; in the text of an indication less.
_FAR, _NEAR = 180, 80
#: How far from another drug, in characters, the words may stand that say it is taken too.
_TOGETHER = 60


class Adjustment:
    """Reads `dose_limit`, `dose_adjustment` and `requires_caution_with` for groups of patients."""

    name = "adjustment"
    sections = frozenset(
        {"dosage", "renal", "hepatic", "pediatric", "geriatric", "pregnancy", "lactation", "specific_populations",
         "warnings", "boxed_warning", "indications"}
    )  # fmt: skip

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        if not sentences or not label.subjects:
            return [NOTHING for _ in sentences]
        headed: tuple[Group, ...] = ()
        if sentences[0].kind in _HEADED:
            named = groups(sentences[0].heading, sentences[0].heading_mentions)
            headed = tuple(
                replace(g, start=0, end=0)
                for g in named
                if sayable(g) and headed_by(sentences[0].heading, g, sentences[0].heading_mentions)
            )
        found: list[Read] = []
        around, lasts = headed, 0
        head: Spoken | None = None
        for i, sentence in enumerate(sentences):
            telling = sentence.kind in _TELLING and "adjustment.advising" not in hints(sentence.text)
            if telling and len(sentence.text) > SHORT:
                found.append(NOTHING)
                head = None
                continue
            text = without_references(sentence.text)
            named = named_in(sentence, text)
            lately = head if not named else None
            head = heading(sentence, text, named) or (head.later() if head and not named else None)
            if telling:
                found.append(NOTHING)
                continue
            if not named and (back := pointing(text)) is not None:
                lately = spoken(sentences[i - 1], meant(sentences[i - 1]), back) if i else None
            if lately is not None:
                said = _sentence(sentence, text, label, lately.placed(), ())
                found.append(across(narrowed(said, sentences, i, label), lately))
                continue
            found.append(narrowed(_sentence(sentence, text, label, named, around), sentences, i, label))
            lasts -= 1
            if headed and named and named[0].clause and single(named):
                # "Severe impairment (eGFR 15 to 29): start with 37.5 mg. The maximum is 37.5 mg."
                around, lasts = (replace(named[0], start=0, end=0),), _LASTS
            elif named or not lasts:
                around = headed
        return found


def _sentence(
    sentence: Sentence, text: str, label: LabelContext, named: Sequence[Group], headed: Sequence[Group]
) -> Read:
    if not named and len(headed) != 1:
        return NOTHING
    found = special([with_disease(sentence, text, g) for g in named if g.known and not aside(text, g)])
    found = of_age(text, found)
    if len(found) == 1 and found[0].concept in ORGANS and not found[0].clause:
        # "Hepatic impairment: avoid in severe impairment"
        found = [of_degree(text[found[0].end :], found[0])]
    advice = advice_in(text)
    if not named and (advice or limiting(text)):
        advice = [a for a in advice if not of_everybody(text, a, headed[0])]
        found = [of_degree(text, headed[0])]
    others = other_drugs(sentence, label)
    doses = amounts(text) if found and _FIGURE.search(text) else ()
    doses = tuple(d for d in doses if not of_neighbour(sentence, others, text, d))
    if (len(doses) > 1 and run_together(text)) or (len(found) > _MOST and not doses):
        return Read(why="a table without its rows")
    if cue("cues", "advice.several").search(text):
        return Read(why="advice for those who meet several of a list") if advice or doses else NOTHING
    if found and of_a_harm(text, found, doses):
        return Read(why="what to do when a harm appears")
    if doses and of_genotype(text):
        return Read(why="a dose for a genotype")
    if not found:
        unsaid = [g for g in named if not g.known and g.risk in (RENAL, HEPATIC)]
        forced = [a for a in advice if a.kind in ("avoid", "reduce")]
        return Read(why="an organ impairment that no condition can say") if unsaid and forced else NOTHING
    if not (advice or doses) or _studied(text, advice):
        return NOTHING
    found = [g for g in found if not _beside(sentence, text, others, g)]
    return _read(sentence, text, label, found, advice, doses)


def _read(
    sentence: Sentence, text: str, label: LabelContext, found: Sequence[Group], advice: Sequence[Advice],
    doses: Sequence[Amount],
) -> Read:  # fmt: skip
    claims: list[Claim] = []
    lost = ""
    shares = shares_of(text, found, doses)
    for group in found:
        nearest = nearest_advice(text, group, advice, _NEAR if sentence.kind == "indications" else _FAR)
        if nearest and nearest.kind == "unneeded":
            continue
        if nearest and nearest.kind == "avoid" and nearest.end <= group.start and excepted(text, group.start):
            continue  # "not recommended except on dialysis"
        mine = [d for d in shares[group] if not _of_others_than(group, d, nearest)]
        if mine and dosed(sentence, text, nearest):
            said, why = group_limits(sentence, text, label, group, mine)
            claims += said
            if not said and other_dose(group):
                claims.append(about(sentence, label, "dose_adjustment", as_clause(group), tier=_firm(text, nearest)))
            lost = lost or why
            continue
        if nearest and (misses(sentence, text, nearest, group, label) or of_cell(text, nearest, group, advice)):
            lost = lost or "advice on something else than the use of the drug"
            continue
        claims += [of_form(c, text, nearest) for c in _advised(sentence, text, label, group, nearest)]
    if not claims and not lost and not doses and counted(text) and not advice:
        lost = "a dose counted in pieces or measured by volume"
    return Read(distinct(claims)) if claims else Read(why=lost)


def _of_others_than(group: Group, dose: Amount, advice: Advice | None) -> bool:
    """ "The dose is 5 to 10 mg, with a lower one in the elderly": the dose is that of the others."""
    return advice is not None and advice.kind == "reduce" and dose.end <= advice.start < group.start


def _advised(
    sentence: Sentence, text: str, label: LabelContext, group: Group, advice: Advice | None
) -> Iterator[Claim]:
    """What the words say without a figure for the dose."""
    kind = advice.kind if advice else ""
    if (sound(group) and kind != "avoid") or everybody(group):
        return
    state = group.risk == PREGNANCY
    if advice is not None and kind == "reduce" and not state:
        yield about(sentence, label, "dose_adjustment", as_clause(group), tier=_firm(text, advice))
    elif (kind == "avoid" and not _forbidden(sentence)) or (kind in ("harm", "stop") and state):
        yield about(sentence, label, "requires_caution_with", group)
    elif kind == "unproven" and not HIGHER.search(sentence.text):
        tier = Tier.WARNING if group.risk == AGE else Tier.INFO
        yield about(sentence, label, "requires_caution_with", group, tier=tier)
    elif kind == "caution":
        yield about(sentence, label, "requires_caution_with", group, tier=Tier.INFO)


def _forbidden(sentence: Sentence) -> bool:
    """Whether what a sentence advises against is the contraindication specialist's."""
    if sentence.kind == "boxed_warning":
        return any(cue("cues", said).search(sentence.text) for said in ("contraindicated.words", "forbidden.words"))
    return sentence.kind in _FORBIDDING


def _firm(text: str, advice: Advice | None) -> Tier:
    """A dose that may need to be another one is less than one that has to be."""
    return Tier.INFO if advice is not None and advice.kind == "reduce" and possible(text, advice) else Tier.WARNING


def _studied(text: str, advice: Sequence[Advice]) -> bool:
    """Whether the sentence tells of a study and advises nothing."""
    if "adjustment.placebo" in hints(text) or cue("cues", "advice.idle").search(text):
        return True
    return not any(a.kind != "caution" for a in advice) and cue("cues", "study.words").search(text) is not None


def _beside(sentence: Sentence, text: str, others: Sequence[Mention], group: Group) -> bool:
    """Whether what is said of a group holds beside another drug: "in patients taking cimetidine with CrCl < 30"."""
    if cue("cues", "together.unnamed").search(text):
        return True
    for mention in others:
        start, end = mention.start - sentence.start, mention.end - sentence.start
        between = text[end : group.start] if end <= group.start else text[group.end : start]
        near = text[max(0, start - _TOGETHER) : end + _TOGETHER]
        if not PART.search(between) and beside_name(sentence, text, mention, advised=True):
            return True
        if not PART.search(between) and cue("cues", "together.words").search(near):
            return True
    return False
