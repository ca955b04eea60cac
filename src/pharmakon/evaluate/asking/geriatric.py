"""`ask-geriatric`: does an answer cite what answers the question, stand on its citations, and abstain where it must?

A hit is a citation that overlaps a quotation of the gold. Citations count in the order in which the answer needs them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pharmakon.evaluate.asking.cases import LANGUAGES, SUBSETS, AskCase, Place
from pharmakon.evaluate.surveys.survey import Survey, share
from pharmakon.model.answer import Answer
from pharmakon.model.documents import Evidence, check_quote
from pharmakon.model.errors import RefusedEvidence
from pharmakon.ports.knowledge import TextStore

System = Callable[[str], Answer]
"""A question → its answer."""
#: An answer and its question → the claims that the check of code finds unsupported.
Unsupported = Callable[[Answer, str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """`rank` of the first citation that is in the gold, from 1; None where there is none."""

    case: AskCase
    answer: Answer
    seconds: float
    rank: int | None
    cited: int
    right: int
    gold_found: int
    resolved: int
    unsupported: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asking:
    """What is measured: the system named "", and others with a part switched off (FG-14)."""

    systems: Mapping[str, System]
    unsupported: Unsupported


def survey(cases: Sequence[AskCase], asking: Asking, texts: TextStore) -> Survey:
    """The figures of every system, those of the one named "" without a suffix."""
    runs = {name: [ask(case, one, texts, asking.unsupported) for case in cases] for name, one in asking.systems.items()}
    metrics: dict[str, float | None] = {}
    for name, asked in runs.items():
        for key, value in measured(asked).items():
            metrics[f"{key}_{name}" if name else key] = value
    own = runs[""]
    tables: dict[str, Any] = {
        "by_kind": {
            kind: _row([a for a in own if a.case.kind == kind]) for kind in dict.fromkeys(c.kind for c in cases)
        },
        "by_language": {
            lang: _row([a for a in own if a.case.lang == lang and a.case.answerable]) for lang in LANGUAGES
        },
        "agents": {subset: dict(Counter(a.answer.agent for a in own if a.case.subset == subset)) for subset in SUBSETS},
    }
    seconds = sum(a.seconds for a in own)
    return Survey(len(cases), seconds, metrics, tables, [f for a in own if (f := _failure(a))])


def ask(case: AskCase, system: System, texts: TextStore, unsupported: Unsupported) -> Asked:
    """One question put to a system, and its answer held against the gold."""
    begun = time.perf_counter()
    answer = system(case.text)
    seconds = time.perf_counter() - begun
    cited = list(dict.fromkeys(e for s in answer.sentences for e in s.evidence))
    golden: list[Place | str] = [*case.gold, *case.quotes]
    right = [at for at, e in enumerate(cited, 1) if any(_matches(e, gold) for gold in golden)]
    found = sum(any(_matches(e, gold) for e in cited) for gold in golden)
    resolved = sum(_resolves(e, texts) for e in cited)
    return Asked(
        case, answer, seconds, right[0] if right else None, len(cited), len(right), found, resolved,
        tuple(unsupported(answer, case.text)),
    )  # fmt: skip


def measured(asked: Sequence[Asked]) -> dict[str, float | None]:
    """Every metric over all, and with a suffix over each subset."""
    answerable = [a for a in asked if a.case.answerable]
    without = [a for a in asked if not a.case.answerable]
    found: dict[str, float | None] = {}
    for subset in (*SUBSETS[:3], ""):
        own = [a for a in answerable if not subset or a.case.subset == subset]
        suffix = f"_{subset}" if subset else ""
        found[f"hit_at_5{suffix}"] = share(sum(_within(a, 5) for a in own), len(own))
        found[f"hit_at_10{suffix}"] = share(sum(_within(a, 10) for a in own), len(own))
        found[f"mrr{suffix}"] = sum(1 / a.rank for a in own if a.rank) / len(own) if own else None
    answered = [a for a in answerable if a.cited]
    found["citation_precision"] = share(sum(a.right for a in answered), sum(a.cited for a in answered))
    found["citation_recall"] = share(
        sum(a.gold_found for a in answerable), sum(len(a.case.gold) + len(a.case.quotes) for a in answerable)
    )
    found["citations_resolved"] = share(sum(a.resolved for a in asked), sum(a.cited for a in asked))
    claims = sum(s.role != "frame" for a in asked for s in a.answer.sentences)
    found["supported"] = share(claims - sum(len(a.unsupported) for a in asked), claims)
    found["abstention"] = share(sum(a.answer.abstained for a in without), len(without))
    found["answered"] = share(sum(not a.answer.abstained for a in answerable), len(answerable))
    found["latency_p95_ms"] = _p95([a.seconds for a in asked])
    return found


def _within(asked: Asked, limit: int) -> bool:
    return asked.rank is not None and asked.rank <= limit


def _matches(evidence: Evidence, gold: Place | str) -> bool:
    """Whether a citation is of the gold: it overlaps its place, or one of the two quotations holds the other."""
    if isinstance(gold, str):
        return gold in evidence.quote or evidence.quote in gold
    document, ord, start, end = gold
    return evidence.document == document and evidence.ord == ord and evidence.start < end and start < evidence.end


def _resolves(evidence: Evidence, texts: TextStore) -> bool:
    try:
        check_quote(texts.section(evidence.document, evidence.version, evidence.ord), evidence)
    except RefusedEvidence:
        return False
    return True


def _p95(seconds: Iterable[float]) -> float | None:
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))] if ordered else None


def _row(asked: Sequence[Asked]) -> dict[str, float | int | None]:
    return {
        "n": len(asked),
        "hit_at_5": share(sum(_within(a, 5) for a in asked), len(asked)),
        "abstained": share(sum(a.answer.abstained for a in asked), len(asked)),
    }


def _failure(asked: Asked) -> dict[str, Any] | None:
    case, answer = asked.case, asked.answer
    if asked.unsupported:
        line = f"{case.text} → nothing supports: {asked.unsupported[0]}"
    elif case.answerable and not _within(asked, 5):
        what = "abstained" if answer.abstained else f"cites {asked.cited}, none of the first five in the gold"
        line = f"{case.text} → {answer.agent}: {what}"
    elif not case.answerable and not answer.abstained:
        first = next((s.text for s in answer.sentences if s.role != "frame"), "")
        line = f"{case.text} → {answer.agent} answered: {first[:80]}"
    else:
        return None
    return {"id": case.id, "line": line}
