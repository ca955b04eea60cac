"""Monographs held against the format and the vocabulary, before they come anywhere near a knowledge base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pharmakon.app.formulary import monographs
from pharmakon.extract.curated import house
from pharmakon.extract.curated.monograph import change_set
from pharmakon.ingest.formats.monograph import Monograph, read_monographs
from pharmakon.model.concepts import kind_of
from pharmakon.model.errors import BadInput


def lint(paths: Sequence[Path]) -> Iterator[BadInput]:
    """Everything that is wrong with the monographs at `paths`, in order; they may name what the formulary names.

    A monograph that stands in the formulary too takes its place, so that an edited copy can be looked at.
    """
    read: list[Monograph] = []
    for path in paths:
        try:
            read += read_monographs(path.read_bytes(), str(path))
        except BadInput as error:
            yield error
        except OSError as error:
            yield BadInput(f"it can't be read ({error.strerror})", where=str(path), expected="a monograph")
    own = {m.concept.id for m in read if kind_of(m.concept.id) in ("ingredient", "drug")}
    known = [replace(m, entries=()) for m in monographs() if m.concept.id not in own]
    bare = [replace(m, entries=()) for m in read]
    said: set[str] = set()
    for place, monograph in enumerate(read):
        yield from _said_twice(monograph)
        for entry in monograph.entries or (None,):
            alone = replace(monograph, entries=(entry,) if entry else ())
            try:
                change_set([*known, *bare[:place], alone, *bare[place + 1 :]], actor="lint", why="lint")
            except BadInput as error:
                placed = error if error.where else error.within(entry.place if entry else monograph.place)
                if str(placed) not in said:
                    said.add(str(placed))
                    yield placed
            else:
                yield from house.entry_complaints([alone])


def _said_twice(monograph: Monograph) -> Iterator[BadInput]:
    """Entries that repeat another of the same monograph, whatever they are written like."""
    first: dict[str, str] = {}
    for entry in monograph.entries:
        said = repr((entry.says, entry.relation, entry.objects, entry.citations, sorted(entry.fields.items())))
        if said in first:
            yield BadInput(
                "it says what another entry says already", where=entry.place, expected=f"{first[said]} alone"
            )
        first.setdefault(said, entry.place)
