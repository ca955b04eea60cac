"""Evidence → sentences, without a language model: what a source says is said in its own words, each with its place.

Our statements are written as sentences that stand by themselves, so an answer is a choice among them and an order. A
claim in our own words (a template of the audit, a list of names) stands in the reader's language beside the quotation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pharmakon.ask.words import Words
from pharmakon.model.answer import Said
from pharmakon.model.documents import Evidence
from pharmakon.model.finding import Finding, WouldChange
from pharmakon.model.vocabulary import Tier, factors
from pharmakon.retrieve.facts import Fact

#: Puts names into the reader's language.
Wording = Callable[[str], str]
_KEYS = {Tier.CRITICAL: "critical", Tier.WARNING: "warning", Tier.INFO: "info"}


def found(findings: Sequence[Finding], words: Words, wording: Wording, quotations: int = 3) -> list[Said]:
    """What the audit found, the worst first: in a template of ours, then what the sources say of it."""
    said: list[Said] = []
    for finding in findings:
        summary = wording(_summary(finding, words))
        said.append(Said(words(_KEYS[finding.tier], summary=summary), finding.evidence, role="finding"))
        said += quoted(finding.evidence, quotations)
        worse = [wording(_condition(w, words)) for w in finding.would_change_if if w.tier > finding.tier]
        if worse:
            said.append(Said(words("depends", what=words.listed(tuple(dict.fromkeys(worse)))), role="frame"))
    return unique(said)


def _summary(finding: Finding, words: Words) -> str:
    """As the audit says it; nobody who asks has orders."""
    twice = finding.type == "DUPLICATE_THERAPY" and len(finding.drugs) == 1
    return words("twice", drug=finding.drugs[0]) if twice else finding.summary


def _condition(change: WouldChange, words: Words) -> str:
    """`daily dose ≥ 2000 mg/day`, with the factor as the reader calls it."""
    factor, blank, rest = change.text.partition(" ")
    named = blank and factor in factors() and factors()[factor].shape != "concept"
    text = f"{words.factor(factor)} {rest}" if named else change.text
    return text.replace(">=", "≥").replace("<=", "≤")


def quoted(evidence: Iterable[Evidence], limit: int = 3) -> list[Said]:
    """The quotations, each once, as the claims they are."""
    texts: dict[str, list[Evidence]] = {}
    for one in evidence:
        texts.setdefault(one.quote, []).append(one)
    kept = [t for t in texts if not any(t != other and t in other for other in texts)]
    return [Said(text, tuple(texts[text])) for text in kept[:limit]]


def stated(found: Sequence[Fact], limit: int) -> list[Said]:
    """The sentences behind facts, in order, each once."""
    return unique([s for fact in found for s in quoted(fact.statement.evidence[:1])])[:limit]


def listed(relation: str, head: str, named: Sequence[tuple[str, Fact]], words: Words) -> Said:
    """One sentence that lists what stands at the unknown end of `relation`, with the evidence of each."""
    once = dict.fromkeys(name for name, _ in named)
    evidence = tuple(fact.statement.evidence[0] for _, fact in named)
    return Said(capital(words.list_of(relation, head, tuple(once))), evidence, role="list")


def unique(said: Iterable[Said]) -> list[Said]:
    """Each text once, where it first stands; one that stands in another is left out."""
    kept: list[Said] = []
    for one in said:
        if not any(one.text in other.text for other in kept):
            kept.append(one)
    return kept


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
