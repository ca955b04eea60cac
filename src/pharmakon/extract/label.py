"""A label as read → statements with evidence, and an account of every sentence (PG-2, KB-3).

The dispatcher gives each section to the specialists made for it. A claim becomes a statement here and nowhere else: its
quotation must stand in the section, and what it names must be named in the quotation, in the section's heading, or be
the label's own drug. What fails is refused and counted, whoever proposed it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pharmakon.extract.claims import Claim, LabelContext, Read, Sentence, Specialist
from pharmakon.extract.specialists.wording import cue, hints
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.documents import Document, Evidence, Section, check_quote
from pharmakon.model.errors import RefusedEvidence
from pharmakon.model.statements import Condition, Statement, identified
from pharmakon.model.vocabulary import factors, misfit, routes, section_kinds

PROPOSER = "pattern"
#: What may become of a sentence; every sentence of every section is one of these.
FACTS, NOTHING, UNREAD, NOT_FOR_FINDINGS, NO_SPECIALIST = (
    "facts", "nothing to extract", "unread", "not for findings", "no specialist",
)  # fmt: skip

#: Languages that the specialists read. What is in another is stored, typed and found by words, and not guessed at.
LANGS = frozenset({"en"})
#: Characters. What is longer is a table or a list that lost its lines; nothing in it can be told apart with certainty,
#: and patterns take time by the square of it.
LONGEST = 1500
_OF_A_ROUTE = frozenset({"dose_limit", "dose_adjustment"})
_TOLD = "says that something is not so, or of another drug"
_NARROWER = "a maximum beside a wider one for the same patients"
_ENDLESS = f"more than {LONGEST} characters without the end of a sentence"

Sentences = Callable[[Section], Sequence[Sentence]]
"""A section's sentences with their mentions."""


@dataclass(frozen=True, slots=True)
class Account:
    """Sentences by section kind and by what became of them; `why` counts the reasons of the unread ones."""

    sentences: Mapping[tuple[str, str], int]
    why: Mapping[str, int]
    refused: Mapping[str, int]

    @property
    def accounted(self) -> float:
        """The share of sentences for clinicians that gave facts or hold nothing to extract."""
        mine = {k: n for k, n in self.sentences.items() if k[1] in (FACTS, NOTHING, UNREAD)}
        total = sum(mine.values())
        return 1 - sum(n for (_, what), n in mine.items() if what == UNREAD) / total if total else 1.0


@dataclass(frozen=True, slots=True)
class Extracted:
    statements: tuple[Statement, ...]
    account: Account


def extract(
    document: Document, label: LabelContext, sentences: Sentences, specialists: Sequence[Specialist]
) -> Extracted:
    """Everything the specialists find in `document`, checked."""
    statements: dict[str, list[Statement]] = {}
    counts: Counter[tuple[str, str]] = Counter()
    why: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    readable: list[tuple[Section, Sequence[Sentence], list[Sequence[Read]]]] = []
    for section in document.sections:
        found = sentences(section)
        fate = _fate(section.kind, specialists)
        if fate:
            counts[section.kind, fate] += len(found)
            continue
        if document.lang not in LANGS:
            counts[section.kind, UNREAD] += len(found)
            why[f"in {document.lang}, which no specialist reads"] += len(found)
            continue
        reasons = [_unreadable(s.text) for s in found]
        why.update(filter(None, reasons))
        counts.update((section.kind, UNREAD) for reason in reasons if reason)
        plain = [s for s, reason in zip(found, reasons, strict=True) if not reason]
        readable.append((section, plain, []))
    # First all names, then one specialist after the other: each has megabytes to look things up in, and taking turns
    # for every section would have the processor fetch them anew each time.
    for specialist in specialists:
        for section, found, read in readable:
            if section.kind in specialist.sections:
                read.append(specialist.read(found, label))
    for section, found, read in readable:
        for sentence, all_answers in zip(found, zip(*read, strict=True), strict=True):
            answers = [a for a in all_answers if a.claims or a.why or a.refused]  # of most sentences none is left
            counts[section.kind, _became(answers)] += 1
            if not answers:
                continue
            why.update({a.why for a in answers if a.why and not a.claims})
            refused.update(line for a in answers for line in a.refused)
            for claim in (c for a in answers for c in a.claims):
                try:
                    made = _statement(claim, sentence, section, document, label)
                except RefusedEvidence as error:
                    refused[str(error)] += 1
                    continue
                statements.setdefault(made.id, []).append(made)
    kept = _widest(map(_joined, statements.values()), refused)
    return Extracted(tuple(kept), Account(dict(counts), dict(why), dict(refused)))


def _widest(statements: Iterable[Statement], refused: Counter[str]) -> list[Statement]:
    """Of several maxima for the same patients the widest: the others are for a use that the sentence leaves unsaid."""
    chosen: dict[tuple[object, ...], Statement] = {}
    for statement in statements:
        limit = statement.limit
        of = (statement.id,) if limit is None or statement.relation != "dose_limit" else (
            statement.subject, statement.risk, limit.unit, limit.per, frozenset(statement.when)
        )  # fmt: skip
        known = chosen.setdefault(of, statement)
        if known is not statement and known.limit and limit:
            refused[_NARROWER] += 1
            chosen[of] = statement if limit.value > known.limit.value else known
    return list(chosen.values())


def _unreadable(text: str) -> str:
    """Why no specialist is shown a sentence; "" where they are."""
    if len(text) > LONGEST:
        return _ENDLESS
    return _TOLD if "told.stems" in hints(text) and cue("cues", "told.words").search(text) else ""


def _fate(kind: str, specialists: Sequence[Specialist]) -> str:
    """What becomes of all sentences of a section at once; "" where they are to be read."""
    if section_kinds()[kind].reader:
        return NOT_FOR_FINDINGS
    return "" if any(kind in s.sections for s in specialists) else NO_SPECIALIST


def _became(answers: Sequence[Read]) -> str:
    if any(a.claims for a in answers):
        return FACTS
    return UNREAD if any(a.why for a in answers) else NOTHING


def _statement(
    claim: Claim, sentence: Sentence, section: Section, document: Document, label: LabelContext
) -> Statement:
    evidence = Evidence(
        document.id, document.version, document.kind, section.kind, section.ord, claim.start, claim.end,
        section.text[claim.start : claim.end], claim.proposer,
    )  # fmt: skip
    check_quote(section, evidence)
    named = {c for m in sentence.heading_mentions for c in m.concepts} | set(label.subjects)
    named |= {c for m in sentence.mentions if claim.start <= m.start and m.end <= claim.end for c in m.concepts}
    said = claim.statement
    if complaint := misfit(said.relation, kind_of(said.subject), "" if said.object is None else kind_of(said.object)):
        raise RefusedEvidence(f"{complaint[0]}; expected {complaint[1]}")
    for mention in claim.spoken:
        if section.text[mention.start : mention.end] != mention.text or not mention.text.strip():
            raise RefusedEvidence(f"{mention.text[:60]!r} does not stand where the claim says")
        if claim.start <= mention.start and mention.end <= claim.end:
            named.update(mention.concepts)
    for concept in spoken_of(claim.statement):
        if concept not in named:
            raise RefusedEvidence(f"{concept} is not named in the sentence that should say so")
    return identified(_routed(replace(claim.statement, evidence=(evidence,)), label.routes))


def _routed(statement: Statement, given_by: frozenset[str]) -> Statement:
    """What a label says holds for the ways in which its products are given.

    A dose is always one of a route. The rest speaks of the drug in the body (decision 6), unless the products bring
    none of it there: what an eye drop's label says is no word on tablets.
    """
    speaks = any(c.factor == "route" for clause in statement.when for c in clause)
    local = bool(given_by) and all(routes()[route].local for route in given_by)
    if speaks or not given_by or not (local or statement.relation in _OF_A_ROUTE):
        return statement
    listed = tuple(sorted(given_by))
    guard = Condition("route", "in", values=listed, text=f"route in {', '.join(listed)}")
    return replace(statement, when=tuple((*clause, guard) for clause in statement.when or ((),)))


def spoken_of(statement: Statement) -> Iterable[ConceptId]:
    """The concepts a statement turns on; what it leaves out need not be named."""
    yield statement.subject
    if statement.object is not None:
        yield statement.object
    for clause in (*statement.when, *(m.clause for m in statement.modifiers)):
        for condition in clause:
            if factors()[condition.factor].shape == "concept":
                yield from map(ConceptId, condition.values)


def _joined(said: Sequence[Statement]) -> Statement:
    """One claim as often as a label makes it: the first wording, all its sentences."""
    if len(said) == 1:
        return said[0]
    return replace(said[0], evidence=tuple(dict.fromkeys(e for one in said for e in one.evidence)))
