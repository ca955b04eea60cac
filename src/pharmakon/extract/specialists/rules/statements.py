"""Claims made of a sentence: whose they are, of which risk, and what else the sentence speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence
from pharmakon.extract.specialists.patients.group import HEPATIC, RENAL, Group
from pharmakon.extract.specialists.patients.populations import organ_disease
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Clause, Limit, Statement
from pharmakon.model.vocabulary import Tier

NOTHING = Read()
CONDITION = "CONTRAINDICATION_CONDITION"
#: Letters between an amount and the name of its drug.
_BESIDE = 4
_DOSE = re.compile(r"\s+(?:dos(?:e|age|ing)|prophylaxis)\b", re.IGNORECASE)
_DOSE_OF = re.compile(r"\bdos(?:es?|ages?|ing) of\s+$", re.IGNORECASE)
_NEAR = 20  #: letters in "doses of aspirin above 100 mg"
_DRUGS = frozenset({"drug", "ingredient", "class"})
ORGANS = {
    ConceptId(f"disease:{slug}"): risk
    for risk, slugs in (
        (HEPATIC, ("liver-disease", "active-liver-disease", "cirrhosis", "hepatic-encephalopathy")),
        (RENAL, ("chronic-kidney-disease", "end-stage-renal-disease", "acute-kidney-injury", "anuria")),
    )
    for slug in slugs
}  #: diseases of an organ whose rules are that organ's, as for monographs


def about(
    sentence: Sentence, label: LabelContext, relation: str, group: Group | None = None, *, limit: Limit | None = None,
    object: ConceptId | None = None, when: Clause = (), tier: Tier = Tier.WARNING, risk: str | None = None,
    effect: str = "",
) -> Claim:  # fmt: skip
    """One claim on the label's own drug, quoted with the whole sentence."""
    clause = (*(group.clause if group else ()), *when)
    concept = object or (group.concept if group and not group.clause else None)
    about_risk = of_risk(group, concept) if risk is None else risk
    statement = Statement(
        "", subject(sentence, label), relation, concept, risk=about_risk, tier=tier, limit=limit,
        when=(clause,) if clause else (), effect=effect,
    )  # fmt: skip
    return Claim(statement, sentence.start, sentence.end, tuple(_spoken(sentence, group)) if group else ())


def _spoken(sentence: Sentence, group: Group) -> Iterator[Mention]:
    """Where the sentence speaks of a diseased organ in words that are no name: "impaired renal or hepatic function"."""
    disease = organ_disease(group.risk)
    text = sentence.text[group.start : group.end]
    if disease is not None and text.strip():
        yield Mention(sentence.start + group.start, sentence.start + group.end, text, (disease,))


def of_risk(group: Group | None, concept: ConceptId | None) -> str:
    """The risk a rule for `group` or `concept` is about."""
    if concept is not None and concept in ORGANS:
        return ORGANS[concept]
    return group.risk if group and group.clause and group.risk else CONDITION


def subject(sentence: Sentence, label: LabelContext) -> ConceptId:
    """The one of the label's subjects that the sentence is about: an ingredient it names alone, else the first."""
    named = {c for m in sentence.mentions for c in m.concepts if c in label.subjects}
    return named.pop() if len(named) == 1 else label.subjects[0]


def distinct(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Each claim once."""
    seen: dict[tuple[object, ...], Claim] = {}
    for claim in claims:
        s = claim.statement
        seen.setdefault((s.subject, s.relation, s.object, s.limit, s.when, s.negative, s.risk), claim)
    return tuple(seen.values())


def other_drugs(sentence: Sentence, label: LabelContext) -> list[Mention]:
    """Mentions of drugs that are not the label's own, nor a class of it."""
    own = set(label.subjects)
    for one in label.subjects:
        own |= label.ancestors.get(one, frozenset())
    return [
        m for m in sentence.mentions
        if any(kind_of(c) in _DRUGS for c in m.concepts) and own.isdisjoint(m.concepts)
    ]  # fmt: skip


def of_others(sentence: Sentence, others: Iterable[Mention], start: int, end: int) -> bool:
    """Whether the amount at `start` to `end` of the sentence is another drug's: "16 mg loperamide per day"."""
    for mention in others:
        behind, ahead = mention.start - sentence.start - end, start - (mention.end - sentence.start)
        if 0 <= behind <= _BESIDE or 0 <= ahead <= _BESIDE:
            return True
        if ahead > 0 and _DOSE.match(sentence.text, mention.end - sentence.start):
            return True
        if 0 < ahead <= _NEAR and _DOSE_OF.search(sentence.text[: mention.start - sentence.start]):
            return True
    return False


def diseases(sentence: Sentence) -> list[tuple[Mention, ConceptId]]:
    """Mentions that name one disease or symptom."""
    return [
        (m, m.concepts[0])
        for m in sentence.mentions
        if len(m.concepts) == 1 and m.concepts[0].startswith(("disease:", "symptom:"))
    ]


def inside(spans: Iterable[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a place lies within one of `spans`."""
    return any(a <= start and end <= b for a, b in spans)


def before(text: str, at: int, ends: re.Pattern[str]) -> str:
    """The words that belong to what stands at `at`: back to the last of `ends`, a semicolon or a full stop."""
    head = text[:at]
    start = max((m.end() for m in ends.finditer(head)), default=0)
    return head[max(start, head.rfind(";") + 1, head.rfind(". ") + 1) :]
