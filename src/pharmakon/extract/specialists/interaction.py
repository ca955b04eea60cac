"""What a label says about other drugs, food and drink, as `interacts_with` statements with tier, advice and limit.

Which names a sentence means is the model's decision (`interaction_pairs`); how strongly it speaks is in its words
(`interaction.toml`). A pair is contraindicated where the label says so and nowhere else. What stands in a list under
"is contraindicated with:", in a table's row, or under a heading that names the drug ("7.3 Cyclosporine") is said of
that drug. Where the model is in doubt nothing is claimed, and the sentence is left with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pharmakon.extract.claims import Claim, LabelContext, Read, Sentence
from pharmakon.extract.specialists.interaction_limits import DoseLimit, daily_limit
from pharmakon.extract.specialists.interaction_pairs import (
    CLASS,
    DRUG,
    FOOD,
    KIN,
    OWN,
    Named,
    Sketch,
    cues_in,
    model,
    named,
    wordings,
)
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Clause, Condition, Modifier, Statement
from pharmakon.model.vocabulary import Tier

SECTIONS = frozenset({"interactions", "contraindications", "warnings", "dosage", "boxed_warning"})
DOUBT = "may speak of an interaction, not clearly enough"
FAR = "an item too far from what its list says"
ROW = "a row of a table that says nothing of the drugs it names"
_OTHERS = (DRUG, CLASS, FOOD)
#: Below this share of its threshold a probability is a no, above it a doubt.
_DOUBTFUL = 0.6
#: What plain advice with a word for "together" is worth: half the threshold is enough.
_ADVISING = frozenset({"contraindicated", "avoid", "ask", "dose"})
_PLAIN = 0.5
#: Sections that speak of other drugs now and then, so that words for taking two things together are asked for.
_SELDOM = frozenset({"contraindications", "dosage"})
#: A sentence of which the first model is as sure as this (in logits) that it says nothing has no pairs worth a look.
_SILENT = -2.5
#: For a pair of two other drugs the label is a witness from outside; it has to be sure.
_OUTSIDE = 0.85
_LONGEST_SPAN = 700
#: How far from "contraindicated" a name may stand in a long stretch of text, in characters.
_NEAR_ENOUGH, _LONG = 160, 350
#: What may stand between a drug and its dose, and between a dose and its drug.
_HIS_DOSE = re.compile(
    r"(?:'s)?(?:[ -](?!with\b|taking\b|receiving\b|and\b|or\b|in\b|for\b)[\w-]+){0,6} ?", re.IGNORECASE
)
_DOSE_OF = re.compile(r"(?:/day|[ -](?:per|a|once|twice|daily|day|dose|doses|every|of|total)){0,5} ?", re.IGNORECASE)
#: Patients that advice is limited to, the words that say how ill they are, and a list that goes on.
_IN_PATIENTS = re.compile(
    r"\b(?:in|for) (?:\w+ )?(?:patients|subjects|adults|people|individuals|those) with ", re.IGNORECASE
)
_DEGREE = re.compile(
    r",?\s*(?:(?:and/or|or|and|a|an|any|known|severe|moderate|mild|advanced|uncontrolled|pre-?existing|history|of|to|"
    r"with|in patients)\s+|,\s*)*",
    re.IGNORECASE,
)
_MORE = re.compile(r"\s*(?:,\s*(?!who|because|since|as\b|due|see)\w|(?:or|and)\s)", re.IGNORECASE)
_REFERENCE = re.compile(r"[\[(]\s*see\b(?:[^\[\]()]|\([^()]*\))*[\])]?", re.IGNORECASE)
_LONGEST_ITEM = 160
_CELL = " | "


@dataclass(frozen=True, slots=True)
class Tone:
    """How strongly a sentence speaks; `name` is "" where it gives a fact without advice."""

    name: str
    tier: Tier
    advice: str = ""


@dataclass(frozen=True, slots=True)
class _Lead:
    """The words above a list, which its items go on with."""

    sentence: Sentence
    tone: Tone


class Interactions:
    """The specialist. It holds no state."""

    name = "interactions"
    sections = SECTIONS

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        """One `Read` a sentence; items are read with the sentence that leads them in."""
        reads: list[Read] = []
        lead: _Lead | None = None
        before: Sentence | None = None
        for sentence in sentences:
            if lead is not None and before is not None and not _item(sentence, before):
                lead = None
            if lead is not None:
                reads.append(_in_list(sentence, lead, label))
            elif _CELL in sentence.text:
                reads.append(_row(sentence, label))
            else:
                reads.append(_prose(sentence, label))
            lead = _leads(sentence) or lead
            before = sentence
        return reads


def _prose(sentence: Sentence, label: LabelContext) -> Read:
    concepts, things = named(sentence, label)
    others = [n for n, thing in enumerate(things) if thing.role in _OTHERS]
    if not others:
        return _under_heading(sentence, things, label)
    if sentence.kind in _SELDOM and not _together(sentence.text):
        return Read()
    sketch = Sketch(sentence.text, things, sentence.kind)
    says = model().says(sketch)
    if says < _SILENT:
        return Read()
    tone = tone_of(sentence.text, sentence.kind)
    if not _on_topic(sentence, tone):
        return Read()
    ours = [n for n, thing in enumerate(things) if thing.role in (OWN, KIN)]
    if not ours and (pairs := _between_others(sketch, others, says)):
        return Read(tuple(_claim(sentence, concepts[a], concepts[b], tone) for a, b in pairs))
    sure = {n: _certainty(sketch, n, ours, says) for n in others}
    enough = _PLAIN if tone.name in _ADVISING and _together(sentence.text) else 1.0
    taken = {n for n in others if sure[n] >= enough}
    taken |= {n for n in others if n not in taken and _example_of(sketch, n, taken)}
    if taken and not (tone.name or outcomes(sentence.text)):
        return Read(why=DOUBT)
    if taken:
        subject = _subject(concepts, things, label)
        limit = daily_limit(sentence.text)
        return Read(
            tuple(
                _claim(
                    sentence, subject, concepts[n], _for(tone, sentence.text, things[n]), limit,
                    _dosed(limit, sentence.text, things, n),
                )
                for n in sorted(taken)
            )
        )  # fmt: skip
    doubt = any(c >= _DOUBTFUL for c in sure.values())
    return Read(why=DOUBT if doubt and "negated" not in cues_in(sentence.text) else "")


def _certainty(sketch: Sketch, other: int, ours: Sequence[int], says: float) -> float:
    """The probability of an interaction with the label's own drug or its class, as a share of its threshold."""
    learned = model()
    if not ours:
        return learned.probability(sketch, other, None, says) / learned.threshold_unsaid
    return max(learned.probability(sketch, min(o, other), max(o, other), says) for o in ours) / learned.threshold


def _between_others(sketch: Sketch, others: Sequence[int], says: float) -> list[tuple[int, int]]:
    """Pairs of two other drugs, where the sentence does not speak of the label's own."""
    return [
        (a, b)
        for i, a in enumerate(others)
        for b in others[i + 1 :]
        if model().probability(sketch, a, b, says) >= _OUTSIDE
        and FOOD not in (sketch.things[a].role, sketch.things[b].role)
    ]


def _example_of(sketch: Sketch, thing: int, taken: set[int]) -> bool:
    """Whether `thing` is given as an example in a list whose class was taken: "CYP3A4 inhibitors such as …"."""
    chains = {sketch.chains[i] for n in taken if sketch.things[n].role == CLASS for i in sketch.at[n]}
    return any(i in sketch.shown and sketch.chains[i] in chains for i in sketch.at[thing])


def _under_heading(sentence: Sentence, things: Sequence[Named], label: LabelContext) -> Read:
    """A sentence without another drug, under a heading that names one, in a section about interactions."""
    if sentence.kind != "interactions" or not sentence.heading_mentions:
        return Read()
    of_heading = Sentence(
        sentence.ord, sentence.kind, "", 0, len(sentence.heading), sentence.heading, sentence.heading_mentions
    )
    concepts, roles = named(of_heading, label)
    meant = [c for c, thing in zip(concepts, roles, strict=True) if thing.role in _OTHERS]
    if not meant:
        return Read()
    tone = tone_of(sentence.text, sentence.kind)
    cues = cues_in(sentence.text)
    if "negated" in cues or not (
        tone.name in ("contraindicated", "avoid", "dose", "monitor") or cues & {"kinetics", "effects", "harms"}
    ):
        return Read()
    if not (tone.name or cues & {"up", "down", "risk"}):
        return Read()
    subject = _subject([], things, label)
    limit = daily_limit(sentence.text)
    of = _dosed(limit, sentence.text, things, -1)
    return Read(tuple(_claim(sentence, subject, concept, tone, limit, of) for concept in meant))


def _row(sentence: Sentence, label: LabelContext) -> Read:
    """A row of a table: the drugs of its first cells, with the advice of the others."""
    if sentence.kind != "interactions":
        return _prose_cells(sentence, label)
    concepts, things = named(sentence, label)
    cells = sentence.text.split(_CELL)
    first = len(cells[0])
    meant = [c for c, t in zip(concepts, things, strict=True) if t.role in _OTHERS and t.places[0][0] < first]
    if not meant:
        return _prose_cells(sentence, label)
    tone = tone_of(sentence.text[first:], sentence.kind)
    cues = cues_in(sentence.text[first:])
    if not (tone.name or cues & {"up", "down", "effects", "harms"}) or "negated" in cues:
        return Read(why="" if "negated" in cues else ROW)
    subject = _subject(concepts, things, label)
    limit = daily_limit(sentence.text)
    return Read(
        tuple(
            _claim(sentence, subject, c, tone, limit, _dosed(limit, sentence.text, things, n))
            for n, c in enumerate(concepts)
            if c in meant
        )
    )


def _prose_cells(sentence: Sentence, label: LabelContext) -> Read:
    """A row whose first cell names no drug, or outside the interactions: read as prose, in doubt left alone."""
    tone = tone_of(sentence.text, sentence.kind)
    return _prose(sentence, label) if tone.name in ("contraindicated", "avoid") else Read()


def _leads(sentence: Sentence) -> _Lead | None:
    """The lead-in that a sentence is, if it is one."""
    if not sentence.text.endswith(":"):
        return None
    tone = tone_of(sentence.text, sentence.kind)
    if not tone.name or not _together(sentence.text) or _elsewhere(sentence.text):
        return None
    return _Lead(sentence, tone)


def _item(sentence: Sentence, before: Sentence) -> bool:
    """Whether a sentence goes on a list: behind a bullet, or short without a full stop."""
    bullet = sentence.start - before.end >= 2
    bare = len(sentence.text) <= _LONGEST_ITEM and not sentence.text.endswith(".")
    return len(sentence.text) <= 2 * _LONGEST_ITEM and (bullet or bare or before.text.endswith(":"))


def _in_list(sentence: Sentence, lead: _Lead, label: LabelContext) -> Read:
    concepts, things = named(sentence, label)
    meant = [c for c, thing in zip(concepts, things, strict=True) if thing.role in _OTHERS]
    if not meant or _elsewhere(sentence.text):
        return Read()
    if sentence.end - lead.sentence.start > _LONGEST_SPAN:
        return Read(why=FAR)
    own = tone_of(sentence.text, "")
    tone = own if own.name and own.tier > lead.tone.tier else lead.tone
    subject = _subject([], (), label)
    return Read(tuple(_claim(sentence, subject, concept, tone, since=lead.sentence.start) for concept in meant))


def _subject(concepts: Sequence[ConceptId], things: Sequence[Named], label: LabelContext) -> ConceptId:
    """Whom the sentence speaks of: the one of the label's drugs that it names, else the label's product."""
    mine = [c for c, thing in zip(concepts, things, strict=False) if thing.role == OWN]
    return mine[0] if len(mine) == 1 else label.subjects[0]


def _dosed(limit: DoseLimit | None, text: str, things: Sequence[Named], other: int) -> str:
    """Whose dose a limit is: "subject", "object", or "" where it is a third drug's.

    It is the dose of the drug named right before or after the amount ("do not exceed atorvastatin 20 mg", "20 mg daily
    of simvastatin"); where none is, the label's own.
    """
    if limit is None:
        return ""
    for n, thing in enumerate(things):
        for start, end in thing.places:
            before = end <= limit.start and _HIS_DOSE.fullmatch(text, end, limit.start)
            after = start >= limit.end and _DOSE_OF.fullmatch(text, limit.end, start)
            if before or after:
                return "object" if n == other else "subject" if thing.role == OWN else ""
    return "subject"


def _claim(
    sentence: Sentence, subject: ConceptId, other: ConceptId, tone: Tone, limit: DoseLimit | None = None,
    of: str = "", since: int | None = None,
) -> Claim:  # fmt: skip
    modifiers: tuple[Modifier, ...] = ()
    when, tone = _patients(sentence, tone)
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
        effect=", ".join(outcomes(sentence.text)),
        management=advice,
    )
    return Claim(statement, sentence.start if since is None else since, sentence.end)


def _patients(sentence: Sentence, tone: Tone) -> tuple[tuple[Clause, ...], Tone]:
    """Whom advice against a pair is for: "in patients with diabetes or renal impairment" is an OR of the two.

    Patients whose condition is not read for certain leave no condition and no contraindication: the pair is then to be
    avoided by all. In a long text the words are too likely to be about something else.
    """
    limited = tone.name in ("contraindicated", "avoid") and len(sentence.text) <= _LONG
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
    return (), _tone("avoid")


def tone_of(text: str, kind: str) -> Tone:
    """How strongly `text` in a section of this kind speaks of what it names."""
    said = _REFERENCE.sub(" ", text.lower())
    if kind == "contraindications" and "not contraindicated" not in said:
        return _tone("contraindicated")
    name = next((n for n, pattern in _tones() if pattern.search(said)), "")
    if name:
        return _tone(name)
    return Tone("", Tier.WARNING if kind == "boxed_warning" or "harms" in cues_in(said) else Tier.INFO)


def _for(tone: Tone, text: str, thing: Named) -> Tone:
    """The tone for one of several things: a long text (a table that lost its lines) contraindicates what is near."""
    if tone.name != "contraindicated" or len(text) <= _LONG:
        return tone
    said = [m.start() for m in re.finditer("contraindicated", text.lower())]
    near = any(abs(start - at) <= _NEAR_ENOUGH for start, _ in thing.places for at in said)
    return tone if near or not said else _tone("avoid")


@lru_cache(maxsize=64)
def outcomes(text: str) -> tuple[str, ...]:
    """What the two do together, in the words of the findings. A sentence of many claims is asked once."""
    said = text.lower()
    return tuple(name for name, pattern in _outcomes() if pattern.search(said))


def _on_topic(sentence: Sentence, tone: Tone) -> bool:
    """Whether a sentence can speak of an interaction, by what its section is about."""
    text = sentence.text
    if _elsewhere(text) and not (tone.name in ("contraindicated", "avoid", "dose") and _plainly_together(text)):
        return False
    if sentence.kind == "dosage":
        return tone.name in ("contraindicated", "avoid", "dose") and _plainly_together(text)
    return True


def _together(text: str) -> bool:
    return bool(_pattern("together").search(text.lower()))


def _elsewhere(text: str) -> bool:
    return bool(_pattern("elsewhere").search(text.lower()))


_PLAINLY = re.compile(
    r"\b(?:concomitant|co-?admin|concurren|simultaneous|taking|receiving|interact|together)", re.IGNORECASE
)


def _plainly_together(text: str) -> bool:
    return bool(_PLAINLY.search(text))


def _tone(name: str) -> Tone:
    row = wordings()["tones"][name]
    return Tone(name, Tier.parse(row["tier"]), row["advice"])


@cache
def _tones() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, _compiled(row["says"])) for name, row in wordings()["tones"].items())


@cache
def _outcomes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, _compiled(patterns)) for name, patterns in wordings()["outcomes"].items())


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return _compiled(wordings()[name]["says"])


def _compiled(patterns: Sequence[str]) -> re.Pattern[str]:
    """For texts in lower case, which is several times as fast as disregarding case."""
    return re.compile(rf"\b(?:{'|'.join(patterns)})")
