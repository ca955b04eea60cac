"""`check` finds each kind of damage and names it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from tests.contract.examples import ASPIRIN, DOSE, NSAIDS, WARFARIN, WORLD


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
    found = open_embedded(tmp_path / "kb")
    found.apply(WORLD)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        ("UPDATE evidence SET quote = 'Aspirin is harmless.' WHERE no = 1", "'Aspirin is harmless.' does not stand"),
        ("UPDATE evidence SET start = start + 1 WHERE no = 2", "does not stand at"),
        ("UPDATE section SET text = '§' || text", "does not stand at"),
        ("UPDATE evidence SET retired_in = 1", f"statement {DOSE.id} is live without evidence"),
        ("UPDATE document SET retired_in = 1", f"statement {DOSE.id} quotes a retired document"),
        (f"UPDATE concept SET merged_into = '{ASPIRIN}' WHERE id = '{WARFARIN}'", "speaks of a merged concept"),
        (f"DELETE FROM closure WHERE descendant = '{ASPIRIN}' AND ancestor = '{NSAIDS}'", f"closure: {ASPIRIN} below"),
        ("UPDATE closure SET depth = depth + 1", "closure: "),
        (f"DELETE FROM concept WHERE id = '{NSAIDS}'", "points at a concept that is not there"),
        ("INSERT INTO words (words) VALUES ('delete-all')", "words: passage 1 is not indexed"),
    ],
)
def test_damage_is_found_and_named(knowledge: EmbeddedKnowledge, damage: str, complaint: str) -> None:
    assert list(knowledge.check()) == []
    connection = knowledge.database.connection()
    connection.execute("PRAGMA query_only = off")
    connection.execute(damage)
    assert any(complaint in line for line in knowledge.check()), list(knowledge.check())
