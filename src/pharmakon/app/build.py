"""The one place where adapters are built."""

from __future__ import annotations

from collections.abc import Callable

from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge, open_embedded
from pharmakon.app.formulary import MANIFEST, digest, starter
from pharmakon.app.settings import Settings
from pharmakon.model.errors import KnowledgeError
from pharmakon.ports.knowledge import KnowledgeBase

Progress = Callable[[str], None]


def silent(_: str) -> None:
    """No progress is shown."""


def open_knowledge(settings: Settings, *, progress: Progress = silent) -> EmbeddedKnowledge:
    """The knowledge base of `settings`, with the formulary of this release in it.

    The first call builds it; a call after an upgrade brings the new monographs in and retires what they replace. Where
    the folder can't be written but holds a knowledge base, that one is used as it is.
    """
    knowledge = open_embedded(settings.knowledge)
    stored = knowledge.document(MANIFEST)
    if stored is None or stored.version != digest():
        progress(
            "building the starter knowledge base" if stored is None else "bringing the starter formulary up to date"
        )
        try:
            _bring_in(knowledge)
        except KnowledgeError:
            if stored is None:
                raise
            progress(f"the formulary could not be updated; using version {stored.version}")
    return knowledge


def _bring_in(knowledge: KnowledgeBase) -> None:
    change = starter()
    stored = knowledge.document(MANIFEST)
    knowledge.apply(change)
    kept = {d.id for d in change.documents}
    for line in stored.sections[0].text.splitlines() if stored else ():
        if line not in kept:
            knowledge.delete_document(line, actor="formulary", why="no longer part of the starter formulary")
