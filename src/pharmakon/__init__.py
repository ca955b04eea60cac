"""Pharmakon: medication safety with the sentence behind every finding.

    import pharmakon
    with pharmakon.open() as ph:
        report = ph.audit({"patient": {"age": 82}, "medications": [{"drug": "warfarin 5 mg"}, {"drug": "Advil"}]})
        print(report.verdict, [f.summary for f in report.findings])

Names below are the public surface; everything else may move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pharmakon.app.api import Pharmakon as Pharmakon
    from pharmakon.app.api import as_dict as as_dict
    from pharmakon.app.api import as_fhir as as_fhir
    from pharmakon.model.errors import BadInput as BadInput
    from pharmakon.model.errors import KnowledgeError as KnowledgeError
    from pharmakon.model.finding import Report as Report

__version__ = "0.1.0"
__all__ = ["BadInput", "KnowledgeError", "Pharmakon", "Report", "as_dict", "as_fhir", "open"]

_HOMES = {
    "Pharmakon": "pharmakon.app.api",
    "as_dict": "pharmakon.app.api",
    "as_fhir": "pharmakon.app.api",
    "BadInput": "pharmakon.model.errors",
    "KnowledgeError": "pharmakon.model.errors",
    "Report": "pharmakon.model.finding",
}


def open(home: str | None = None, **options: Any) -> Pharmakon:
    """An open knowledge base; the first call on a machine builds it (a few seconds)."""
    from pharmakon.app.api import Pharmakon

    return Pharmakon(home, **options)


def __getattr__(name: str) -> Any:
    """Names are imported when they are first used, so that `import pharmakon` costs next to nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pharmakon' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
