"""Concepts with their names and codes as they are written: held by hand, or given by documents (KB-7, KB-8)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence

from pharmakon.adapters.store.embedded.intake import Write
from pharmakon.adapters.store.embedded.lexicon import plain_code
from pharmakon.adapters.store.embedded.sql import as_json, queries
from pharmakon.model.changes import Doubt, Learned
from pharmakon.model.concepts import Code, Concept, ConceptId, Name, fold, kind_of
from pharmakon.model.errors import BadInput

_COVERED = ("", "carrier", "thin", "deep")


def put_concepts(write: Write, concepts: Sequence[Concept], *, renames: bool) -> None:
    """By hand: names and codes add up unless the change `renames`; what is covered deep stays deep."""
    if renames:
        for query in ("drop_names_by_hand", "drop_codes_by_hand", "unhand_names", "unhand_codes"):
            write.many(query, ((c.id,) for c in concepts))
    _vertices(write, concepts)
    write.many("name", (_name_row(c, n, by_hand=True) for c in concepts for n in c.names))
    write.many("code", (_code_row(c, k, by_hand=True) for c in concepts for k in c.codes))


def put_learned(write: Write, learned: Sequence[Learned]) -> None:
    """Given by documents. A name or a code that is there already gets one more giver."""
    concepts = [given.concept for given in learned]
    _vertices(write, concepts)
    write.many("name", (_name_row(c, n, by_hand=False) for c in concepts for n in c.names))
    write.many("code", (_code_row(c, k, by_hand=False) for c in concepts for k in c.codes))
    given = [(g.document, g.concept) for g in learned]
    write.many("name_given", ((document, c.id, n.text, n.lang, n.kind) for document, c in given for n in c.names))
    write.many("code_given", ((document, c.id, k.system, k.value) for document, c in given for k in c.codes))
    if nameless := [id for (id,) in write.run("nameless", ids=as_json({c.id for c in concepts}))]:
        raise BadInput(f"{nameless[0]} has no name")


def put_doubts(write: Write, doubts: Iterable[Doubt]) -> None:
    """A doubt that is stored, decided or not, is not raised again."""
    write.many("doubt", ((d.document, d.name, d.taken_as, json.dumps(d.candidates), d.why, write.no) for d in doubts))


def forget_given(write: Write, documents: Collection[str]) -> None:
    """`documents` give no names and codes any more; what nobody holds is dropped by `drop_unheld`."""
    for query in ("forget_given_names", "forget_given_codes"):
        write.run(query, documents=as_json(documents))


def drop_unheld(write: Write) -> None:
    """Names and codes that neither a hand nor a document holds, and concepts that nothing is left of."""
    orphans = as_json({id for (id,) in write.run("unheld_concepts")})
    write.run("drop_unheld_names")
    write.run("drop_unheld_codes")
    write.run("drop_empty_concepts", ids=orphans)


def move_names(write: Write, old: ConceptId, into: ConceptId) -> None:
    """All names and codes of `old`, with who holds them, become those of `into`."""
    for query in (
        "move_names", "take_hands_of_names", "take_givers_of_names", "drop_givers_of_names", "drop_names",
        "move_codes", "take_hands_of_codes", "take_givers_of_codes", "drop_givers_of_codes", "drop_codes",
    ):  # fmt: skip
        write.run(query, old=old, into=into)


def unknown_concepts(write: Write, ids: set[ConceptId]) -> list[ConceptId]:
    return sorted(ids - {row[0] for row in write.run("known_concepts", ids=as_json(ids))})


def _vertices(write: Write, concepts: Sequence[Concept]) -> None:
    write.many("concept", ((c.id, kind_of(c.id), c.covered, write.no) for c in concepts))
    covered = [c for c in concepts if c.covered]
    known = dict(
        write.connection.execute(queries("lexicon.sql")["concepts"], {"ids": as_json({c.id for c in covered})})
    )
    for concept in covered:
        if _COVERED.index(concept.covered) > _COVERED.index(known[concept.id]):
            write.run("covered", id=concept.id, covered=concept.covered)


def _name_row(concept: Concept, name: Name, *, by_hand: bool) -> tuple[object, ...]:
    return concept.id, name.text, name.lang, name.kind, fold(name.text), by_hand


def _code_row(concept: Concept, code: Code, *, by_hand: bool) -> tuple[object, ...]:
    return concept.id, code.system, code.value, plain_code(code.system, code.value), code.prefix, by_hand
