"""The starter formulary: monographs shipped with the package → one change set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from pharmakon.extract.curated.monograph import change_set
from pharmakon.ingest.formats.monograph import KIND, Monograph, read_monographs
from pharmakon.model.changes import ChangeSet
from pharmakon.model.documents import Document, Section

#: The document that says which formulary is stored: its version is the digest of all monographs.
MANIFEST = "formulary"


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
    everything = list(monographs())
    change = change_set(everything, actor="formulary", why=f"starter formulary {digest()}")
    listed = "\n".join(document.id for document in change.documents)
    manifest = Document(
        MANIFEST, digest(), KIND, "en", "The monographs of the starter formulary", digest(),
        (Section(0, "identity", "Monographs", listed),),
    )  # fmt: skip
    documents = (manifest, *change.documents)
    return ChangeSet(change.actor, change.why, change.concepts, documents, change.statements, renames=True)
