"""What a label says about other drugs, food and drink, as `interacts_with` statements with tier, advice and limit.

Which names a sentence means is the model's decision (`pairs`); how strongly it speaks is in its words
(`interaction.toml`). A pair is contraindicated where the label says so and nowhere else. What stands in a list under
"is contraindicated with:", in a table's row, or under a heading that names the drug ("7.3 Cyclosporine") is said of
that drug. Where the model is in doubt nothing is claimed, and the sentence is left with a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pharmakon.extract.claims import LabelContext, Read, Sentence
from pharmakon.extract.specialists.interaction.allowed import of_another, set_aside, spoken_tone
from pharmakon.extract.specialists.interaction.claims import (
    LONG,
    accused,
    claim_of,
    dosed,
    no_claim,
    subject_of,
    tone_for,
    waited,
)
from pharmakon.extract.specialists.interaction.limits import daily_limit, washout
from pharmakon.extract.specialists.interaction.lists import Lead, in_list, is_item, led
from pharmakon.extract.specialists.interaction.pairs import model
from pharmakon.extract.specialists.interaction.scope import headings, out_of_scope
from pharmakon.extract.specialists.interaction.sketch import (
    CLASS,
    DRUG,
    FOOD,
    KIN,
    OWN,
    Named,
    Sketch,
    named,
)
from pharmakon.extract.specialists.interaction.wording import (
    STRICT,
    Tone,
    cues_in,
    elsewhere,
    none_together,
    outcomes,
    plainly_together,
    together,
    tone_of,
    undone,
    values_of,
)
from pharmakon.model.concepts import ConceptId

SECTIONS = frozenset({"interactions", "contraindications", "warnings", "dosage", "boxed_warning"})
DOUBT = "may speak of an interaction, not clearly enough"
ROW = "a row of a table that says nothing of the drugs it names"
DENIED = "takes back what sounds like advice, or says it of other drugs"
_OTHERS = (DRUG, CLASS, FOOD)
#: Below this share of its threshold a probability is a no, above it a doubt.
_DOUBTFUL = 0.6
#: What plain advice with a word for "together" is worth: half the threshold is enough.
_ADVISING = frozenset({"contraindicated", "avoid", "ask", "dose", "apart"})
_PLAIN = 0.5
_RULES = ("contraindicated", "avoid", "apart", "dose")
#: Sections that speak of other drugs now and then, so that words for taking two things together are asked for.
_SELDOM = frozenset({"contraindications", "dosage"})
#: A sentence of which the first model is as sure as this (in logits) that it says nothing has no pairs worth a look.
_SILENT = -2.0
#: For a pair of two other drugs the label is a witness from outside; it has to be sure.
_OUTSIDE = 0.85
_CELL = " | "


class Interactions:
    """The specialist. It holds no state."""

    name = "interactions"
    sections = SECTIONS

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        """One `Read` a sentence; items are read with the sentence that leads them in."""
        reads: list[Read] = []
        lead: Lead | None = None
        before: Sentence | None = None
        for sentence in sentences:
            if lead is not None and before is not None and not is_item(sentence, before):
                lead = None
            if lead is not None:
                reads.append(in_list(sentence, lead, label))
            elif _CELL in sentence.text:
                reads.append(_row(sentence, label))
            else:
                reads.append(_prose(sentence, label))
            lead = led(sentence, lead)
            before = sentence
        return _without_contradictions(reads)


def _without_contradictions(reads: Sequence[Read]) -> Sequence[Read]:
    """Of a drug that a section warns of somewhere it does not say elsewhere that there is nothing to it."""
    warned = {c.statement.object for read in reads for c in read.claims if not c.statement.negative}
    return [
        replace(
            read, claims=tuple(c for c in read.claims if not (c.statement.negative and c.statement.object in warned))
        )
        if any(c.statement.negative for c in read.claims)
        else read
        for read in reads
    ]


def _none(
    sentence: Sentence, concepts: Sequence[ConceptId], things: Sequence[Named], label: LabelContext
) -> Read | None:
    """What a sentence takes back, where it says plainly that single drugs do not interact with the label's own."""
    if sentence.kind != "interactions" or len(sentence.text) > LONG or not none_together(sentence.text):
        return None
    if any(thing.role not in (OWN, DRUG) for thing in things):
        return None
    subject = subject_of(concepts, things, label)
    others = [c for c, thing in zip(concepts, things, strict=True) if thing.role == DRUG]
    return Read(tuple(no_claim(sentence, subject, other) for other in others))


def _prose(sentence: Sentence, label: LabelContext) -> Read:
    concepts, things = named(sentence, label)
    others = [n for n, thing in enumerate(things) if thing.role in _OTHERS]
    if not others:
        return _under_heading(sentence, things, label)
    if sentence.kind in _SELDOM and not together(sentence.text):
        return Read()
    if taken_back := _none(sentence, concepts, things, label):
        return taken_back
    sketch = Sketch(sentence.text, things, sentence.kind, sentence.heading)
    says = model().says(sketch)
    if says < _SILENT:
        return Read()
    ours = [n for n, thing in enumerate(things) if thing.role in (OWN, KIN)]
    pairs = [] if ours else _between_others(sketch, others, says)
    sure = {n: _certainty(sketch, n, ours, says) for n in others}
    if not pairs and max(sure.values()) < _PLAIN:
        return Read()
    tone = tone_of(sentence.text, sentence.kind)
    if not _on_topic(sentence, tone):
        return Read()
    if (not tone.name and undone(sentence.text)) or (not ours and of_another(sentence, tone, things)):
        return Read(why=DENIED)
    if pairs:
        aside = set_aside(sentence.text, things, tone, of_two=False)
        pairs = [pair for pair in pairs if aside.isdisjoint(pair)]
        return Read(tuple(claim_of(sentence, concepts[a], concepts[b], tone) for a, b in pairs))
    plain = tone.name in _ADVISING and together(sentence.text)
    plain = plain or (plainly_together(sentence.text) and "harms" in cues_in(sentence.text))
    enough = _PLAIN if plain else 1.0
    taken = {n for n in others if sure[n] >= enough}
    taken |= {n for n in others if n not in taken and _example_of(sketch, n, taken)}
    aside = out_of_scope(sketch, concepts) if taken else set()
    if taken and taken <= aside:
        return Read()
    taken -= aside
    meant = accused(sentence, things, taken, tone, label) if taken else {}
    if taken and not meant:
        return Read(why=DENIED)
    if taken and not (tone.name or outcomes(sentence.text)):
        return Read(why=DOUBT)
    if taken:
        subject = subject_of(concepts, things, label)
        limit, wait = daily_limit(sentence.text), washout(sentence.text)
        tones = {
            n: tone_for(spoken_tone(sentence.text, things[n], things, tone), sentence.text, things[n]) for n in meant
        }
        return Read(
            tuple(
                claim_of(
                    sentence, subject, concepts[n], tones[n], limit, dosed(limit, sentence.text, things, n),
                    wait=waited(sentence.text, wait, things, _listed_with(sketch, n)), excluded=left_out,
                )
                for n, left_out in meant.items()
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
    if says < 0:
        return []
    return [
        (a, b)
        for i, a in enumerate(others)
        for b in others[i + 1 :]
        if model().probability(sketch, a, b, says) >= _OUTSIDE
        and FOOD not in (sketch.things[a].role, sketch.things[b].role)
    ]


def _listed_with(sketch: Sketch, thing: int) -> set[int]:
    """The things in a list with `thing`, itself among them."""
    chains = {sketch.chains[i] for i in sketch.at[thing]}
    return {thing} | {sketch.thing[i] for places in sketch.at for i in places if sketch.chains[i] in chains}


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
    if "negated" in cues or not (tone.name in (*_RULES, "monitor") or cues & {"kinetics", "effects", "harms"}):
        return Read()
    if not (tone.name or cues & {"up", "down", "risk"}):
        return Read()
    subject = subject_of([], things, label)
    limit = daily_limit(sentence.text)
    of = dosed(limit, sentence.text, things, -1)
    return Read(tuple(claim_of(sentence, subject, concept, tone, limit, of) for concept in meant))


def _row(sentence: Sentence, label: LabelContext) -> Read:
    """A row of a table: the drugs of its first cells, with the advice of the others."""
    if sentence.kind != "interactions":
        return _prose_cells(sentence, label)
    concepts, things = named(sentence, label)
    cells = sentence.text.split(_CELL)
    first = len(cells[0])
    heads = headings(cells[0], things)
    meant = [
        c
        for n, (c, t) in enumerate(zip(concepts, things, strict=True))
        if t.role in _OTHERS and t.places[0][0] < first and n not in heads
    ]
    if not meant:
        return _prose_cells(sentence, label)
    tone = tone_of(sentence.text[first:], sentence.kind)
    cues = cues_in(values_of(sentence.text[first:]))
    if not (tone.name or cues & {"up", "down", "effects", "harms"}) or "negated" in cues:
        return Read(why="" if "negated" in cues else ROW)
    if not tone.name and undone(sentence.text):
        return Read(why=DENIED)
    subject = subject_of(concepts, things, label)
    limit = daily_limit(sentence.text)
    left_out = accused(sentence, things, [n for n, c in enumerate(concepts) if c in meant], tone, label)
    return Read(
        tuple(
            claim_of(sentence, subject, concepts[n], tone, limit, dosed(limit, sentence.text, things, n), excluded=out)
            for n, out in left_out.items()
        )
    )


def _prose_cells(sentence: Sentence, label: LabelContext) -> Read:
    """A row whose first cell names no drug, or outside the interactions: read as prose, in doubt left alone."""
    tone = tone_of(sentence.text, sentence.kind)
    plain = tone.name in (*STRICT, "apart") or (tone.name == "dose" and "avoid" in sentence.text.lower())
    return _prose(sentence, label) if plain else Read()


def _on_topic(sentence: Sentence, tone: Tone) -> bool:
    """Whether a sentence can speak of an interaction, by what its section is about."""
    text = sentence.text
    if elsewhere(text) and not (tone.name in _RULES and plainly_together(text)):
        return False
    if sentence.kind == "dosage":
        return tone.name in _RULES and plainly_together(text)
    return True
