"""The systems a suite measures: the audit as it is, and the audit with one of its parts taken out (PG-10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pharmakon.audit.curate import Rule
from pharmakon.audit.run import Auditor
from pharmakon.evaluate.full_text import FullText
from pharmakon.evaluate.runner import System
from pharmakon.model.finding import Report
from pharmakon.model.prescription import Prescription
from pharmakon.ports.knowledge import KnowledgeBase


def every_true(rules: Sequence[Rule]) -> list[Rule]:
    """No selection: every true rule counts, so the strictest decides whatever it was written for."""
    return [r for r in rules if r.truth]


def audit(knowledge: KnowledgeBase) -> System:
    """The audit as it is."""
    return _Audit(Auditor(knowledge))


def ablations(knowledge: KnowledgeBase, empty: KnowledgeBase) -> Mapping[str, System]:
    """`no_pest` selects no rule, `full_text` reads passages instead of following a plan, `no_knowledge` knows nothing.

    `empty` is a knowledge base without a single statement.
    """
    return {
        "no_pest": _Audit(Auditor(knowledge, select=every_true)),
        "full_text": FullText(knowledge),
        "no_knowledge": _Audit(Auditor(empty)),
    }


class _Audit:
    def __init__(self, auditor: Auditor) -> None:
        self._auditor = auditor

    def __call__(self, prescription: Prescription) -> Report:
        return self._auditor.audit(prescription)
