"""A deleted document is gone from the disk, too."""

from __future__ import annotations

from pathlib import Path

from pharmakon.adapters.store.embedded import open_embedded
from tests.contract.examples import WORLD, change, document

SECRET = "Xanthochromia"


def on_disk(folder: Path) -> bool:
    needle = SECRET.encode().lower()
    return any(needle in file.read_bytes().lower() for file in folder.iterdir() if file.is_file())


def test_no_byte_of_a_deleted_text_stays_in_the_folder(tmp_path: Path) -> None:
    knowledge = open_embedded(tmp_path)
    knowledge.apply(WORLD)
    knowledge.apply(change(documents=[document("secret", sentences=[f"{SECRET} was seen."])]))
    knowledge.apply(change(documents=[document("secret", version="2", sentences=[f"{SECRET} was seen again."])]))
    assert on_disk(tmp_path)
    knowledge.delete_document("secret", "test", "withdrawn")
    knowledge.close()
    assert not on_disk(tmp_path)
