"""Documents and sections: `ports.knowledge.TextStore` over one snapshot; search is in `words`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.sql import queries
from pharmakon.model.changes import Doubt, OpenDoubt
from pharmakon.model.documents import Document, Section

_SQL = "text.sql"


def documents(snapshot: Snapshot) -> Sequence[tuple[str, str, str]]:
    return [(id, version, title) for id, version, title in snapshot.rows(queries(_SQL)["documents"])]


def document(snapshot: Snapshot, id: str) -> Document | None:
    found = snapshot.rows(queries(_SQL)["document"], id=id)
    if not found:
        return None
    no, id, version, kind, lang, title, hash, dated = found[0]
    sections = tuple(Section(*row) for row in snapshot.rows(queries(_SQL)["sections"], document=no))
    return Document(id, version, kind, lang, title, hash, sections, dated)


def same_text(snapshot: Snapshot, hash: str) -> str | None:
    found = snapshot.rows(queries(_SQL)["same_text"], hash=hash)
    return found[0][0] if found else None


def section(snapshot: Snapshot, document: str, version: str, ord: int) -> Section | None:
    found = snapshot.rows(queries(_SQL)["section"], document=document, version=version, ord=ord)
    return Section(*found[0]) if found else None


def doubts(snapshot: Snapshot) -> Sequence[OpenDoubt]:
    return [
        OpenDoubt(no, Doubt(document, name, taken_as, tuple(json.loads(candidates)), why))
        for no, document, name, taken_as, candidates, why in snapshot.rows(queries(_SQL)["doubts"])
    ]
