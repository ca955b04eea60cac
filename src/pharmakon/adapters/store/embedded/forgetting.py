"""A document's removal: all its versions go, and with them everything that only they support (KB-7).

Re-ingesting keeps what was, retired; deleting keeps nothing but the number, the time and the reason of the change.
"""

from __future__ import annotations

from collections.abc import Mapping

from pharmakon.adapters.store.embedded import hierarchy, schema
from pharmakon.adapters.store.embedded.database import Snapshot
from pharmakon.adapters.store.embedded.intake import Write, retire_document, retire_unsupported
from pharmakon.adapters.store.embedded.naming import drop_unheld, forget_given
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.model.errors import BadInput


def forget_document(write: Write, id: str) -> None:
    """Raises `BadInput` where no version of the document was ever stored, nor quoted in a proposal for the schema."""
    if write.run("any_document", id=id).fetchone() is None:
        raise BadInput(f"there is no document {id!r}")
    live = write.run("live_document", id=id).fetchone()
    if live is not None:
        retire_document(write, live[0])
    retire_unsupported(write)
    hierarchy.refresh(write)  # before the statements go that it points at
    write.rehung.clear()
    said = as_json(row[0] for row in write.run("supported_ever", id=id))
    cited = as_json(row[0] for row in write.run("cited_by_document", id=id))
    for query in ("purge_evidence", "purge_sections", "purge_document", "purge_doubts"):
        write.run(query, id=id)
    unquoted = as_json(row[0] for row in write.run("unquoted", nos=said))
    for query in ("purge_conditions", "purge_exclusions", "purge_statements"):
        write.run(query, nos=unquoted)
    write.run("purge_citations", nos=cited)
    schema.forget(write, id)
    write.run("uncover", id=id)  # without its monograph a drug is covered in depth no more
    forget_given(write, [id])
    drop_unheld(write)


def traces(snapshot: Snapshot, id: str) -> Mapping[str, int]:
    """How much is held of a document, by table; all zero once it is deleted."""
    return dict(snapshot.rows(queries("text.sql")["traces"], id=id))
