"""Documents out again: what goes when it is asked for, what goes only on a second word, and what does not go."""

from __future__ import annotations

from collections.abc import Mapping

from pharmakon.app.following import follow_communities
from pharmakon.app.formulary import MANIFEST
from pharmakon.ingest.copies import hash_of_copies
from pharmakon.ingest.formats.monograph import KIND as MONOGRAPH
from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import KnowledgeBase


def delete(
    knowledge: KnowledgeBase, id: str, actor: str, why: str, *, anyway: bool
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Remove every version of a document; what was held of it before, and what is held now (nothing).

    BadInput: the list of the formulary, without which the next start would bring the starter formulary in anew; without
    `anyway`, a monograph, whose statements no label replaces, and a label whose text others repeat.
    """
    if id == MANIFEST:
        what = "this is the list of the formulary; without it all monographs would be brought in again"
        raise BadInput(what, where=id, expected="a label; `pharmakon kb begin --home DIR` begins without monographs")
    before = knowledge.traces(id)
    if not anyway and (rests := _what_rests_on(knowledge, id, before)):
        raise BadInput(rests, where=id, expected="--anyway where it shall go nevertheless")
    knowledge.delete_document(id, actor, why)
    if knowledge.communities.seen() is not None:
        follow_communities(knowledge)  # a summary tells nothing any more that only the document said
    return before, knowledge.traces(id)


def _what_rests_on(knowledge: KnowledgeBase, id: str, held: Mapping[str, int]) -> str:
    document = knowledge.document(id)
    if document is None:
        return ""
    if document.kind == MONOGRAPH:
        own = held["statements of no other document"]
        return f"this is a monograph of the formulary, and {own} statements are its own"
    copy = knowledge.same_text(hash_of_copies(document.hash))
    return f"{copy} repeats its text and would be left without" if copy else ""
