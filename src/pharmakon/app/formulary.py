"""The starter formulary: monographs shipped with the package → one change set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from pharmakon.extract.curated.monograph import change_set
from pharmakon.ingest.formats.monograph import KIND, Monograph, read_monographs
from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import kind_of
from pharmakon.model.documents import Document, Section

#: The document that says which formulary is stored: its version is the digest of all monographs.
MANIFEST = "formulary"
#: How the version of a manifest begins where only names were brought in.
NAMES = "names-"
_DRUGS = frozenset({"ingredient", "drug"})


def _files(folder: Traversable, path: str = "") -> Iterator[tuple[str, Traversable]]:
    for child in sorted(folder.iterdir(), key=lambda c: c.name):
        if child.is_dir():
            yield from _files(child, f"{path}{child.name}/")
        elif child.name.endswith(".yaml"):
            yield f"{path}{child.name}", child


@cache
def digest() -> str:
    """Twelve hex digits over names and contents of all monographs."""
    total = hashlib.sha256()
    for name, file in _files(resources.files("pharmakon").joinpath("formulary")):
        total.update(name.encode() + b"\x00" + file.read_bytes())
    return total.hexdigest()[:12]


def monographs() -> Iterator[Monograph]:
    """Every monograph of the package; raises `BadMonograph` with file and line."""
    for name, file in _files(resources.files("pharmakon").joinpath("formulary")):
        yield from read_monographs(file.read_bytes(), f"formulary/{name}")


def starter() -> ChangeSet:
    """The whole formulary as one change."""
    return _change(list(monographs()), digest())


def vocabulary_only() -> ChangeSet:
    """The words of the formulary without its knowledge: names of all but drugs, and which class is part of which.

    For a knowledge base that shall hold what labels say and nothing else.
    """
    kept = [_without_knowledge(m) for m in monographs() if kind_of(m.concept.id) not in _DRUGS]
    return _change(kept, NAMES + digest())


def _change(everything: list[Monograph], version: str) -> ChangeSet:
    change = change_set(everything, actor="formulary", why=f"starter formulary {version}")
    listed = "\n".join(document.id for document in change.documents)
    manifest = Document(
        MANIFEST, version, KIND, "en", "The monographs of the starter formulary", version,
        (Section(0, "identity", "Monographs", listed),),
    )  # fmt: skip
    documents = (manifest, *change.documents)
    return ChangeSet(change.actor, change.why, change.concepts, documents, change.statements, renames=True)


def _without_knowledge(monograph: Monograph) -> Monograph:
    """The names of a monograph, and of its facts those that place its concept in a hierarchy."""
    return replace(
        monograph, entries=tuple(e for e in monograph.entries if e.relation in ("belongs_to", "is_a")), silences=()
    )
