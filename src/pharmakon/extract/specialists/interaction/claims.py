"""From a pair that a sentence names to the statement it supports: whose dose, which patients, how long, what advice."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from pharmakon.extract.claims import Claim, LabelContext, Sentence
from pharmakon.extract.specialists.interaction.allowed import exceptions, set_aside
from pharmakon.extract.specialists.interaction.limits import DoseLimit, Washout
from pharmakon.extract.specialists.interaction.sketch import CLASS, OWN, Named, named
from pharmakon.extract.specialists.interaction.wording import Tone, outcomes, tone_named
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Clause, Condition, Modifier, Statement
from pharmakon.model.vocabulary import Tier

LONG = 350  #: characters of a text too long for its words to be about each other
#: How far from "contraindicated" a name may stand in a long text, in characters.
_NEAR_ENOUGH = 160
#: What may stand between a drug and its dose, and between a dose and its drug.
_HIS_DOSE = re.compile(
    r"(?:'s)?(?:[ -](?!with\b|taking\b|receiving\b|and\b|or\b|in\b|for\b)[\w-]+){0,6} ?", re.IGNORECASE
)
#: Before a drug that patients take: the dose behind it is of another.
_TAKES = re.compile(r"\b(?:taking|receiving|on|using|treated with)\s\Z", re.IGNORECASE)
_DOSE_OF = re.compile(r"(?:/day|[ -](?:per|a|once|twice|daily|day|dose|doses|every|of|total)){0,5} ?", re.IGNORECASE)
#: Patients that advice is limited to, the words that say how ill they are, and a list that goes on.
_IN_PATIENTS = re.compile(
    r"(?:\b(?:in|for) (?:\w+ )?|\A\W*)(?:patients|subjects|adults|people|individuals|those) with ", re.IGNORECASE
)
#: A class so wide that a label means some of it alone: what CYP3A4 breaks down, where a narrow range or QT is at stake.
_WIDE = "-substrate"
#: Only much of it is forbidden: what goes on to the end of the clause.
_MUCH = re.compile(
    r"\b(?:large|high|excessive|massive) (?:amounts?|doses?|dosages?|quantit\w+) of [^.;]*\Z", re.IGNORECASE
)
#: What follows a drug and narrows what is said of it to some who take it.
_NARROWED = re.compile(
    r"[^.;:|]{0,30}?\b(?:who (?:have|has|had|are|is|do|cannot)\b|in whom\b|whose\b|when used (?:for|in|as)\b|"
    r"only (?:if|when|in|for)\b|unless\b)|[^.;:|]{0,60}\bonly\s*(?:\Z|[.;)])",
    re.IGNORECASE,
)
_DEGREE = re.compile(
    r",?\s*(?:(?:and/or|or|and|a|an|any|known|severe|moderate|mild|advanced|uncontrolled|pre-?existing|history|of|to|"
    r"with|in patients)\s+|,\s*)*",
    re.IGNORECASE,
)
_TAKEN = frozenset({"ingredient", "drug", "class"})
_MORE = re.compile(r"\s*(?:,\s*(?!who|because|since|as\b|due|see)\w|(?:or|and)\s)", re.IGNORECASE)


def subject_of(concepts: Sequence[ConceptId], things: Sequence[Named], label: LabelContext) -> ConceptId:
    """Whom the sentence speaks of: the one of the label's drugs that it names, else the label's product."""
    mine = [c for c, thing in zip(concepts, things, strict=False) if thing.role == OWN]
    return mine[0] if len(mine) == 1 else label.subjects[0]


def accused(
    sentence: Sentence, things: Sequence[Named], taken: Collection[int], tone: Tone, label: LabelContext
) -> dict[int, frozenset[ConceptId]]:
    """Those of the things `taken` that the sentence speaks against → what it leaves out of them.

    A class with an exception that is not named, or is the label's own drug, is not told at all.
    """
    aside = set_aside(sentence.text, things, tone)
    concepts, _ = named(sentence, label)
    left_out = {n: _left_out(sentence, concepts[n], things[n], label) for n in sorted(taken) if n not in aside}
    return {n: out for n, out in left_out.items() if out is not None}


def _left_out(sentence: Sentence, concept: ConceptId, thing: Named, label: LabelContext) -> frozenset[ConceptId] | None:
    if thing.role != CLASS:
        return frozenset()
    drugs = [m for m in sentence.mentions if any(kind_of(c) in _TAKEN for c in m.concepts)]
    places = [(m.start - sentence.start, m.end - sentence.start) for m in drugs]
    found = exceptions(sentence.text, thing, places)
    if found is None:
        return None
    left_out = frozenset(c for n in found for c in drugs[n].concepts if kind_of(c) in _TAKEN)
    own = {concept, *label.subjects}.union(*(label.ancestors.get(subject, ()) for subject in label.subjects))
    return None if left_out & own else left_out


def dosed(limit: DoseLimit | None, text: str, things: Sequence[Named], other: int) -> str:
    """Whose dose a limit is: "subject", "object", or "" where it is a third drug's.

    It is the dose of the drug named right before or after the amount ("do not exceed atorvastatin 20 mg", "20 mg daily
    of simvastatin"); where none is, the label's own.
    """
    if limit is None:
        return ""
    for n, thing in enumerate(things):
        for start, end in thing.places:
            beside = _TAKES.search(text, max(0, start - 20), start)
            before = end <= limit.start and not beside and _HIS_DOSE.fullmatch(text, end, limit.start)
            after = start >= limit.end and _DOSE_OF.fullmatch(text, limit.end, start)
            if before or after:
                return "object" if n == other else "subject" if thing.role == OWN else ""
    return "subject"


#: The drug behind one of these is the one that was taken before; "either" and "both" mean that the order is all one.
_STOPPED = re.compile(
    r"(?:stopp(?:ing|ed)|discontinu(?:ing|ation|ed)|terminat(?:ing|ion)|cessation|(?:last|final) dose|prior use)\b"
    r"(?:[ -](?!and\b|before\b)[\w-]+){0,4}? ?\(?",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"one another|each other|either (?:drug|agent|medication|product)|vice versa|to or from", re.IGNORECASE
)
#: What may stand between a span of days and the drug it is counted from, and between a drug and such a span.
_DAYS_OF = re.compile(r" (?:of|after|following)(?: (?:[\w-]+ ){0,3}| )", re.IGNORECASE)
_WITHIN = re.compile(r"[^.;:]{0,40}", re.IGNORECASE)


def waited(text: str, wait: Washout | None, things: Sequence[Named], others: Collection[int]) -> tuple[Clause, ...]:
    """How many days must lie between a drug's end and the start of one of `others`, things of one list.

    `gap` counts from the end of the subject, `object.gap` from the end of the other. Empty where the sentence does not
    say clearly which of the two was stopped: the pair is then said of drugs taken together alone.
    """
    if wait is None or len(text) > LONG:
        return ()
    sides = {"subject", "object"} if _EITHER.search(text) else set[str]()
    starts = {start: n for n, thing in enumerate(things) for start, _ in thing.places}
    ends = {end: n for n, thing in enumerate(things) for _, end in thing.places}
    from_here = [m.end() for m in _STOPPED.finditer(text)]
    counted = _DAYS_OF.match(text, wait.end)
    first = [starts[at] for at in from_here if at in starts] or [n for at, n in starts.items() if counted and
        wait.end < at <= counted.end()]  # fmt: skip
    if not first and text[wait.start : wait.start + 6].lower() == "within":
        first = [n for at, n in ends.items() if at <= wait.start and _WITHIN.fullmatch(text, at, wait.start)][-1:]
    sides |= {"object" if n in others else "subject" for n in first if n in others or things[n].role == OWN}
    return tuple(
        (
            Condition(
                "gap", "<", number=wait.days, of=side,
                text=f"{'object.' if side == 'object' else ''}gap < {wait.days:g} days",
            ),
        )
        for side in sorted(sides)
    )  # fmt: skip


def no_claim(sentence: Sentence, subject: ConceptId, other: ConceptId) -> Claim:
    """The claim that the two do not interact."""
    statement = Statement(
        "", subject, "interacts_with", other, negative=True, risk="INTERACTION_DRUG_DRUG", tier=Tier.INFO
    )  # fmt: skip
    return Claim(statement, sentence.start, sentence.end)


def claim_of(
    sentence: Sentence, subject: ConceptId, other: ConceptId, tone: Tone, limit: DoseLimit | None = None,
    of: str = "", since: int | None = None, wait: tuple[Clause, ...] = (), excluded: frozenset[ConceptId] = frozenset(),
) -> Claim:  # fmt: skip
    """The statement that the two interact, but for what is `excluded` from a class.

    `limit` is of the drug `of`; `since`: where the quotation begins.
    """
    modifiers: tuple[Modifier, ...] = ()
    when, tone = _patients(sentence, _within(sentence, other, tone))
    if wait:
        when = tuple(patients + days for patients in when or ((),) for days in wait)
        tone = tone if tone.name in ("contraindicated", "avoid") else tone_named("avoid")
    advice = tone.advice
    if limit is not None and of and tone.tier < Tier.CRITICAL:
        side = "object " if of == "object" else ""
        text = f"{side}dose_daily <= {limit.value:g} mg/day"
        within = Condition("dose_daily", "<=", number=limit.value, of=of, text=text)
        modifiers = (Modifier((within,), Tier.INFO),)
        advice = f"Keep {'the other drug' if of == 'object' else 'it'} at {limit.value:g} mg a day or less."
    statement = Statement(
        "",
        subject,
        "interacts_with",
        other,
        risk="INTERACTION_FOOD" if kind_of(other) == "lifestyle" else "INTERACTION_DRUG_DRUG",
        tier=tone.tier,
        when=when,
        modifiers=modifiers,
        first_true=bool(modifiers),
        excluded=excluded,
        effect=", ".join(outcomes(sentence.text)),
        management=advice,
    )
    return Claim(statement, sentence.start if since is None else since, sentence.end)


def _within(sentence: Sentence, other: ConceptId, tone: Tone) -> Tone:
    """No contraindication of all of a class, of any amount or for all who take it, where the label can't mean it."""
    if tone.name != "contraindicated":
        return tone
    heads = [sentence.text[: m.start - sentence.start] for m in sentence.mentions if other in m.concepts]
    much = any(_MUCH.search(head) for head in heads)
    ends = [m.end - sentence.start for m in sentence.mentions if other in m.concepts]
    much = much or (bool(ends) and all(_NARROWED.match(sentence.text, end) for end in ends))
    return tone_named("avoid") if much or other.endswith(_WIDE) else tone


def _patients(sentence: Sentence, tone: Tone) -> tuple[tuple[Clause, ...], Tone]:
    """Whom advice against a pair is for: "in patients with diabetes or renal impairment" is an OR of the two.

    Patients whose condition is not read for certain leave no condition and no contraindication: the pair is then to be
    avoided by all. In a long text the words are too likely to be about something else.
    """
    limited = tone.name in ("contraindicated", "avoid") and len(sentence.text) <= LONG
    whom = _IN_PATIENTS.search(sentence.text) if limited else None
    if whom is None:
        return (), tone
    clauses: list[Clause] = []
    at = sentence.start + whom.end()
    for mention in sentence.mentions:
        ill = [c for c in mention.concepts if kind_of(c) in ("disease", "symptom")]
        between = sentence.text[at - sentence.start : mention.start - sentence.start]
        if mention.start < at or not ill:
            continue
        if not _DEGREE.fullmatch(between):
            break
        has = Condition("has", "in", values=(ill[0],), text=f"has {ill[0]}")
        clauses.append((has,))
        at = mention.end
    rest = sentence.text[at - sentence.start :]
    if clauses and not _MORE.match(rest):
        return tuple(clauses), tone
    return (), tone_named("avoid")


def tone_for(tone: Tone, text: str, thing: Named) -> Tone:
    """The tone for one of several things: a long text (a table that lost its lines) contraindicates what is near."""
    if tone.name != "contraindicated" or len(text) <= LONG:
        return tone
    said = [m.start() for m in re.finditer("contraindicated", text.lower())]
    near = any(abs(start - at) <= _NEAR_ENOUGH for start, _ in thing.places for at in said)
    return tone if near or not said else tone_named("avoid")
