"""What to take for something, by somebody who takes or has something else: every choice held against that.

"I take warfarin, what can I take for pain?" asks for a choice among what is named for pain, and the answer is which of
them the checks speak against. What is sought and what is held are told apart by the words before a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pharmakon.ask import compose
from pharmakon.ask.agents.agent import Tools
from pharmakon.ask.sentinel import sought
from pharmakon.model.answer import Said
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.finding import Finding
from pharmakon.model.question import Link, Question
from pharmakon.model.vocabulary import Tier
from pharmakon.retrieve.facts import Fact, facts
from pharmakon.retrieve.people import is_known
from pharmakon.verify.together import Group, together

#: Choices that are checked; those covered in depth come first.
_MOST = 16
#: Findings that are told in full.
_TOLD = 2
_DRUGS = frozenset({"ingredient", "drug"})
_CONDITIONS = frozenset({"disease", "symptom"})


@dataclass(frozen=True, slots=True)
class Choice:
    """`sought`: a condition that something is wanted for, or a class that one of is wanted."""

    sought: ConceptId
    drugs: tuple[ConceptId, ...]  #: that are taken
    conditions: tuple[ConceptId, ...]  #: that are had besides


def choice(question: Question) -> Choice | None:
    """The choice that a question asks for; None where it asks for none, or nothing stands against it."""
    wanted = sought(question)
    if not wanted:
        return None
    rest = [k for k in (*question.links, *question.carried) if k not in wanted]
    drugs = _first(rest, _DRUGS)
    conditions = tuple(c for c in _first(rest, _CONDITIONS) if c not in wanted[0].concepts)
    if not (drugs or conditions or is_known(question.patient)):
        return None
    return Choice(wanted[0].concepts[0], drugs, conditions)


def answer(asked: Choice, question: Question, tools: Tools) -> list[Said]:
    """What is spoken against, worst first, then what nothing was found against; empty where there is no choice."""
    named = _candidates(asked, tools)
    against: list[tuple[ConceptId, Finding]] = []
    clear: list[tuple[str, Fact]] = []
    uncovered: list[str] = []
    for concept, fact in named.items():
        group = Group(
            drugs=tuple(tools.drug_name(d) for d in (*asked.drugs, concept)),
            conditions=tuple(tools.drug_name(c) for c in asked.conditions),
            patient=question.patient,
        )
        told = together(tools.auditor, group, tools.words.lang)
        own = [f for f in told.findings if tools.drug_name(concept) in f.drugs and f.tier >= Tier.WARNING]
        if own:
            against.append((concept, max(own, key=lambda f: f.tier)))
        elif tools.drug_name(concept) in told.not_covered:
            uncovered.append(tools.name(concept))
        else:
            clear.append((tools.name(concept), fact))
    tools.note("choice", sought=asked.sought, against=[c for c, _ in against], clear=[n for n, _ in clear])
    return list(_said(asked, against, clear, uncovered, tools))


def _said(
    asked: Choice, against: Sequence[tuple[ConceptId, Finding]], clear: Sequence[tuple[str, Fact]],
    uncovered: Sequence[str], tools: Tools,
) -> Iterator[Said]:  # fmt: skip
    words, what = tools.words, tools.name(asked.sought)
    worst = sorted(against, key=lambda hit: -hit[1].tier)
    if worst:
        names = words.listed([tools.name(c) for c, _ in worst])
        evidence = tuple(dict.fromkeys(f.evidence[0] for _, f in worst))
        yield Said(words("choice_against", what=what, items=names), evidence, role="finding")
        wording = tools.wording([*asked.drugs, *asked.conditions, *(c for c, _ in worst)])
        yield from compose.found([f for _, f in worst[:_TOLD]], words, wording, quotations=2)
    if clear:
        names = words.either([name for name, _ in clear])
        evidence = tuple(fact.statement.evidence[0] for _, fact in clear)
        yield Said(words("choice_clear", what=what, items=names), evidence, role="list")
    if uncovered:
        yield Said(words("not_covered", names=words.listed(uncovered)), role="frame")


def _candidates(asked: Choice, tools: Tools) -> dict[ConceptId, Fact]:
    """What is named for a condition, or the members of a class, each with the statement that says so."""
    if kind_of(asked.sought) == "class":
        members = tools.knowledge.descendants(asked.sought)
        said = tools.knowledge.about(members, ("belongs_to",))
        found = [Fact(s, asked.sought, as_object=True) for s in said if s.object in members]
    else:
        named = facts(tools.knowledge, [asked.sought], "indication")
        found = [f for f in named if f.as_object and f.statement.object == asked.sought]
    drugs = {f.statement.subject: f for f in reversed(found) if kind_of(f.statement.subject) in _DRUGS}
    known = tools.knowledge.concepts(set(drugs))
    order = sorted(drugs, key=lambda c: (known[c].covered != "deep", c))
    kept = [c for c in order if c not in asked.drugs and known[c].covered != "carrier"]
    return {c: drugs[c] for c in kept[:_MOST]}


def _first(links: Sequence[Link], kinds: frozenset[str]) -> tuple[ConceptId, ...]:
    return tuple(dict.fromkeys(k.concepts[0] for k in links if k.concepts and kind_of(k.concepts[0]) in kinds))
