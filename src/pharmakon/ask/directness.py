"""How directly a source names a drug for something: what it is for comes before what it is for in some cases alone.

Nothing here says which drug is better; no source does. But "Amlodipine treats hypertension" is an answer to "what for
hypertension", "Intravenous nitroglycerin treats ... high blood pressure around surgery" is one in that case, and a drug
that is named only together with another is none by itself. What tells them apart is data (`choosing.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from pharmakon.model.concepts import Concept, ConceptId, fold, kind_of
from pharmakon.model.question import Question
from pharmakon.model.statements import Statement
from pharmakon.model.tables import read_table
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.facts import Fact

#: What protects another drug and is given with it alone.
_ONLY_BESIDE = ConceptId("class:beta-lactamase-inhibitor")


@dataclass(frozen=True, slots=True)
class Named:
    """What is named for something, each once: for it as it is asked for, and only in some cases."""

    direct: tuple[Fact, ...]
    narrow: tuple[Fact, ...]

    @property
    def all(self) -> tuple[Fact, ...]:
        return (*self.direct, *self.narrow)


def named(found: Iterable[Fact], question: Question, knowledge: KnowledgeBase) -> Named:
    """Each subject once, by its most direct use, the most direct first. What is given beside another alone is left out;
    so is, where an attack is asked about, what no source names for one."""
    rows = [f for f in found if not _is_beside(f.statement, knowledge)]
    ends = {c for f in rows for c in (f.statement.subject, f.statement.object) if c}
    known = knowledge.concepts(ends)
    attack = _asks_of(question, "asks_attack", {f.by for f in rows})
    if attack and any(_is_of_attack(f.statement) for f in rows):
        rows = [f for f in rows if _is_of_attack(f.statement)]
    elif asks(question, "asks_prevention"):
        rows = [f for f in rows if _cued("prevention", f.statement)] or rows
    ordered = sorted(rows, key=lambda f: _rank(f, known, attack=attack))
    once: dict[ConceptId, Fact] = {}
    for fact in ordered:
        once.setdefault(fact.statement.subject, fact)
    narrow = {c for c, f in once.items() if _is_narrow(f.statement, f.by, known, attack=attack)}
    return Named(tuple(f for c, f in once.items() if c not in narrow), tuple(f for c, f in once.items() if c in narrow))


def _rank(fact: Fact, known: Mapping[ConceptId, Concept], *, attack: bool) -> tuple[object, ...]:
    statement = fact.statement
    return (
        kind_of(statement.subject) == "class",
        known[statement.subject].covered != "deep",
        statement.object != fact.by,  # a kind of what is asked for, or a complication of it
        _is_later(statement),
        kind_of(statement.subject) == "drug",  # what has several ingredients
        _is_aside(statement, known),
        _is_narrow(statement, fact.by, known, attack=attack),
        not _cued("first", statement),
        known[statement.subject].display.casefold(),
    )


def _is_narrow(statement: Statement, wanted: ConceptId, known: Mapping[ConceptId, Concept], *, attack: bool) -> bool:
    """Whether a use holds in some cases alone: by a needle, beside another drug, to prevent, where others failed."""
    prevents = not attack and _cued("prevention", statement) and not _cued("relief", statement)
    special = _is_later(statement) or _cued("narrow", statement) or prevents
    return special or _is_aside(statement, known) or statement.object != wanted


def _is_beside(statement: Statement, knowledge: KnowledgeBase) -> bool:
    """Whether a drug is named only together with another: "Clavulanate, with amoxicillin, treats ..."."""
    if kind_of(statement.subject) != "ingredient":
        return False
    if _ONLY_BESIDE in knowledge.ancestors([statement.subject])[statement.subject]:
        return True
    names = knowledge.concepts({statement.subject})[statement.subject].names
    text = fold(statement.evidence[0].quote)
    beside = (rf"\b{re.escape(fold(n.text))} (?:together )?with \w+ (?:also )?(?:treat|is |relieve)" for n in names)
    return any(re.search(pattern, text) for pattern in beside)


def _is_of_attack(statement: Statement) -> bool:
    return _cued("attack", statement)


def _is_aside(statement: Statement, known: Mapping[ConceptId, Concept]) -> bool:
    """Whether the sentence speaks of what may come of the condition, and so only beside it of the condition.

    "Atorvastatin lowers the risk of infarction in type 2 diabetes", and not "Metformin treats type 2 diabetes".
    """
    text = fold(statement.evidence[0].quote)
    names = known[statement.object].names if statement.object else ()
    at = min((at for n in names if (at := text.find(fold(n.text))) >= 0), default=len(text))
    return any(fold(cue) in text[:at] for cue in _cues("aside"))


def _is_later(statement: Statement) -> bool:
    """Whether its source keeps a use for when others have failed."""
    text = fold(statement.evidence[0].quote)
    return any(fold(cue) in text for cue in _cues("later"))


def _cued(part: str, statement: Statement) -> bool:
    """Whether a cue stands in what is said first: "Propranolol prevents migraine; it does not stop an attack"."""
    text = fold(statement.evidence[0].quote.partition(";")[0])
    return any(fold(cue) in text for cue in _cues(part))


@cache
def _cues(part: str) -> Sequence[str]:
    found: list[str] = read_table("pharmakon.ask", "choosing.toml")[part]["en"]
    return found


def _asks_of(question: Question, part: str, wanted: Set[ConceptId]) -> bool:
    """The same outside of what else is named: a heart attack that somebody had makes no attack of a depression."""
    letters = list(question.text)
    for link in question.links:
        if wanted.isdisjoint(link.concepts):
            letters[link.start : link.end] = " " * (link.end - link.start)
    return _pattern(part, question.lang).search("".join(letters)) is not None


def asks(question: Question, part: str) -> bool:
    """Whether a question holds words of a part of `choosing.toml`."""
    return _pattern(part, question.lang).search(question.text) is not None


@cache
def _pattern(part: str, lang: str) -> re.Pattern[str]:
    words = "|".join(read_table("pharmakon.ask", "choosing.toml")[part][lang])
    return re.compile(f"(?:{words})" if lang == "zh" else rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
