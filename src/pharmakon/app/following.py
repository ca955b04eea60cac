"""Communities brought up to the statements: what a change touched is told anew, the rest is left as it is (KB-9)."""

from __future__ import annotations

from pharmakon.model.errors import KnowledgeError
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.communities import follow, recipe
from pharmakon.retrieve.summaries import summaries


def follow_communities(knowledge: KnowledgeBase) -> str:
    """Why the communities are not up to date; empty where they are. A second or two on the starter knowledge base."""
    store, word = knowledge.communities, recipe()
    with knowledge.snapshot():
        change_no, old = knowledge.change_no(), store.load(word)
        if old and store.seen() == change_no:
            return ""
        edges, labels = store.edges(), store.labels()
    try:
        found = follow(old, edges, labels)
        store.save(found.all, summaries(found.fresh, edges, labels), word, change_no)
    except KnowledgeError as error:  # no library for it, nothing can be written here, or another process is at it
        return str(error)
    return ""
