"""Which drugs bring something about: (⊥, has_effect, e), and of the conditions that are the same (⊥, causes, t).

"Which drugs prolong QT?" names no drug and mostly nothing that a lexicon holds: what people call an effect is data
(`effects.toml`). A caution of a condition counts as a cause only where its sentence says that the drug brings it on;
"Hyperkalaemia must be corrected before flecainide" says nothing of the kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pharmakon.ask.sentinel import CONDITIONS, DRUGS, cues
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.question import Question
from pharmakon.model.statements import Statement
from pharmakon.model.tables import read_table
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.facts import Fact

#: Relations that say by themselves that the one brings the other about.
_CAUSES = frozenset({"causes", "has_effect", "increases_risk", "leads_to", "progresses_to"})
_CAUTION = "requires_caution_with"
_STRENGTHS = ("strong", "moderate", "weak", "")
#: "An ACE inhibitor can cause a lasting dry cough": what stands between the drug and what it brings on. Sources are
#: English.
_BRINGS = re.compile(r"\b(?:cause[sd]?|bring[s]? on|induce[sd]?|provoke[sd]?|trigger[sd]?|lead[s]? to)\b")
_IN = re.compile(r"\b(?:in|with|where|when|if)\b")


@dataclass(frozen=True, slots=True)
class Effect:
    """What is brought about: an effect, conditions that are the same, or one of them; and whether by drugs alone."""

    effect: ConceptId | None
    conditions: tuple[ConceptId, ...]
    drugs_alone: bool

    @property
    def head(self) -> ConceptId:
        return self.effect or self.conditions[0]


def asked_effect(question: Question) -> Effect | None:
    """The effect of which a question asks what has it; None where it asks for none, or of a drug that it names."""
    groups = {cue.group for cue in cues(question)}
    if "choosing" not in groups or groups & {"permission", "joining", "noticing"}:
        return None
    does, called = _found("does", question), _found("called", question)
    taken = [k for k in question.links if k.concepts and kind_of(k.concepts[0]) in DRUGS]
    spans = [span for _, span in (*does, *called)]
    if any(not any(a <= k.start and k.end <= b for a, b in spans) for k in taken):
        return None
    alone = "medicine" in groups
    hits = does or (called if "causing" in groups else [])
    if hits:
        effect = hits[0][0]
        return Effect(effect, tuple(_data()[effect]["same"]), alone)
    conditions = [k.concepts[0] for k in question.links if k.concepts and kind_of(k.concepts[0]) in CONDITIONS]
    if "causing" not in groups or len(conditions) != 1 or question.patient.conditions:
        return None
    same = next((ConceptId(e) for e, row in _data().items() if conditions[0] in row["same"]), None)
    return Effect(same, (conditions[0],), alone)


def bringing(asked: Effect, knowledge: KnowledgeBase) -> list[Fact]:
    """What has the effect, each once: drugs before diseases, strongly before less, covered in depth before thinly."""
    found: dict[str, Fact] = {}
    for end in (*((asked.effect,) if asked.effect else ()), *asked.conditions):
        for kind in sorted(knowledge.descendants(end)):
            ids = [i for subject, _, obj, i in knowledge.neighbours(kind) if obj == kind and subject != kind]
            for statement in knowledge.statements(ids):
                if not statement.negative and _says_so(statement, kind, knowledge):
                    found.setdefault(statement.id, Fact(statement, end, as_object=True))
    facts = [f for f in found.values() if not asked.drugs_alone or kind_of(f.statement.subject) in DRUGS]
    known = knowledge.concepts({f.statement.subject for f in facts})
    facts = [f for f in facts if f.statement.subject in known]

    def rank(fact: Fact) -> tuple[object, ...]:
        s = fact.statement
        drug, deep = kind_of(s.subject) in DRUGS, known[s.subject].covered == "deep"
        strength = _STRENGTHS.index(s.strength) if s.strength in _STRENGTHS else len(_STRENGTHS)
        return not drug, strength, not deep, known[s.subject].display.casefold()

    once: dict[ConceptId, Fact] = {}
    for fact in sorted(facts, key=rank):
        once.setdefault(fact.statement.subject, fact)
    return list(once.values())


def worsening(knowledge: KnowledgeBase, drugs: Sequence[ConceptId], condition: ConceptId) -> list[Fact]:
    """What is stated of drugs that have the effect which a condition is: what prolongs QT, in long QT syndrome."""
    effects = {effect for effect, row in _data().items() if condition in row["same"]}
    found: dict[str, Fact] = {}
    for drug in drugs if effects else ():
        above = frozenset(knowledge.ancestors([drug])[drug])
        for statement in knowledge.about(above, ("has_effect",)):
            if statement.object in effects and not statement.negative and statement.excluded.isdisjoint(above):
                found.setdefault(statement.id, Fact(statement, drug))
    return list(found.values())


def _says_so(statement: Statement, condition: ConceptId, knowledge: KnowledgeBase) -> bool:
    """Whether a statement is of a cause: by its relation, or a caution whose sentence has the drug bring it on."""
    if statement.relation in _CAUSES:
        return True
    if statement.relation != _CAUTION:
        return False
    named = knowledge.concepts({statement.subject, condition})
    if len(named) < 2:
        return False
    names = {c: [fold(n.text) for n in concept.names if n.lang == "en"] for c, concept in named.items()}
    return any(
        any(n in before for n in names[statement.subject])
        and not any(n in before for n in names[condition])  # "In heart failure candesartan may cause …"
        and any(n in after for n in names[condition])
        for before, after in _sides(statement)
    )


def _sides(statement: Statement) -> Iterator[tuple[str, str]]:
    """Each sentence of the evidence, before and behind what says that something is brought on."""
    for evidence in statement.evidence:
        for sentence in re.split(r"(?<=[.;])\s", evidence.quote):
            text = fold(sentence)
            # what stands behind "in" is where it is brought on, and not what is
            yield from ((text[: m.start()], _IN.split(text[m.end() :])[0]) for m in _BRINGS.finditer(text))


def _found(part: str, question: Question) -> list[tuple[ConceptId, tuple[int, int]]]:
    found: Sequence[tuple[ConceptId, re.Pattern[str]]] = _patterns(part, question.lang)
    return [(effect, m.span()) for effect, pattern in found for m in pattern.finditer(question.text)]


@cache
def _patterns(part: str, lang: str) -> tuple[tuple[ConceptId, re.Pattern[str]], ...]:
    rows = ((ConceptId(effect), row.get(part, {}).get(lang, ())) for effect, row in _data().items())
    bound = ("", "") if lang == "zh" else (r"(?<!\w)", r"(?!\w)")
    return tuple(
        (effect, re.compile(f"{bound[0]}(?:{'|'.join(words)}){bound[1]}", re.IGNORECASE))
        for effect, words in rows
        if words
    )


@cache
def _data() -> dict[ConceptId, dict[str, Any]]:
    return {ConceptId(effect): row for effect, row in read_table("pharmakon.ask", "effects.toml").items()}
