"""Where a monograph covers a drug in depth, the monograph decides.

What patterns or a model read from labels speaks in full of drugs that nobody has written about. Of a drug, or between
drugs, that a person has weighed, it is shown as an info with its sentence and date: a newer label may say more, and a
sentence torn out of a list may say less. It asks for no missing value there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pharmakon.audit.case import Breach, Case, Waiting
from pharmakon.audit.exposure import Exposure
from pharmakon.model.vocabulary import Tier


def weighed(breaches: Iterable[Breach], case: Case) -> list[Breach]:
    """The breaches, with those that rest on reading by machine alone brought down where monographs cover every drug."""
    return [
        replace(b, tier=Tier.INFO, undecided=())
        if b.statements and b.statements[0].by_machine and _written(b.exposures, case)
        else b
        for b in breaches
    ]


def worth_asking(waiting: Iterable[Waiting], case: Case) -> list[Waiting]:
    """The rules that wait for a value, without those that could only give such an info."""
    return [w for w in waiting if not (w.statement.by_machine and _written(w.exposures, case))]


def _written(exposures: Iterable[Exposure], case: Case) -> bool:
    return all(case.covered.get(e.ingredient) == "deep" for e in exposures)
