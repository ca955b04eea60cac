"""Every state a folder may be in when it is opened has a clear outcome."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import open_embedded, sql
from pharmakon.model.errors import KnowledgeBusy, KnowledgeError
from tests.contract.examples import INTERACTION, LABEL, WARFARIN, WORLD, change, document

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A knowledge base that was closed properly."""
    knowledge = open_embedded(tmp_path / "kb")
    knowledge.apply(WORLD)
    knowledge.close()
    return tmp_path / "kb"


Mount = Callable[..., Path]


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Mount]:
    """Mounts `source` or a new file system of its own on a folder, and takes it away after the test."""
    mounted: list[Path] = []

    def do(name: str, *options: str) -> Path:
        target = tmp_path / name
        target.mkdir(exist_ok=True)
        done = subprocess.run(["mount", *options, str(target)], capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"file systems can't be mounted here: {done.stderr.strip()}")
        if target not in mounted:
            mounted.append(target)
        return target

    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("mounting a file system takes root")
    yield do
    for target in mounted:
        subprocess.run(["umount", str(target)], check=False)


def test_what_was_written_is_there_when_opened_again(folder: Path) -> None:
    knowledge = open_embedded(folder, create=False)
    assert list(knowledge.statements([INTERACTION.id])) == [INTERACTION]
    assert knowledge.version().startswith("1-")
    knowledge.close()


def test_two_machines_told_the_same_have_the_same_version(folder: Path, tmp_path: Path) -> None:
    first, second = open_embedded(folder), open_embedded(tmp_path / "other")
    second.apply(WORLD)
    assert first.version() == second.version()
    first.close()
    second.close()


def test_where_nothing_is_nothing_is_made_unless_asked_for(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="no knowledge base"):
        open_embedded(tmp_path / "absent", create=False)
    assert not (tmp_path / "absent").exists()


def test_a_newer_schema_is_refused_by_number(folder: Path) -> None:
    with sqlite3.connect(folder / "knowledge.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(KnowledgeError, match=r"schema 99.*newer release.*up to \d"):
        open_embedded(folder)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "knowledge.db").write_bytes(b"not a database at all" * 500)
    with pytest.raises(KnowledgeError, match="not a database"):
        open_embedded(tmp_path)
    assert (tmp_path / "knowledge.db").read_bytes().startswith(b"not a database")


def test_a_damaged_page_is_reported(folder: Path) -> None:
    path = folder / "knowledge.db"
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // 4096):
        data[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(bytes(data))
    with pytest.raises(KnowledgeError, match=r"knowledge\.db: database disk image is malformed"):
        _read(folder)


def _read(folder: Path) -> None:
    knowledge = open_embedded(folder)
    try:
        knowledge.about([WARFARIN], ["belongs_to", "interacts_with"])
    finally:
        knowledge.close()


def test_a_crash_before_the_first_schema_was_written_is_made_good(tmp_path: Path) -> None:
    (tmp_path / "knowledge.db").touch()
    knowledge = open_embedded(tmp_path)
    assert knowledge.apply(WORLD).change_no == 1
    knowledge.close()


def test_migrations_are_numbered_without_gaps() -> None:
    assert [number for number, _ in sql.migrations()] == list(range(1, len(sql.migrations()) + 1))


# ── two at once ────────────────────────────────────────────────────────────────────────────────────


def test_two_first_starts_at_once_both_succeed(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from pharmakon.adapters.store.embedded import open_embedded\n"
        "from tests.contract.examples import WORLD\n"
        "sys.stdin.readline()\n"
        "k = open_embedded(Path(sys.argv[1])); print(k.apply(WORLD).statements, list(k.check())); k.close()\n"
    )
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "kb")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        )
        for _ in range(2)
    ]
    for start in starts:
        assert start.stdin is not None
        start.stdin.write("go\n")
        start.stdin.flush()
    answers = sorted(start.communicate(timeout=60)[0].strip() for start in starts)
    assert [start.returncode for start in starts] == [0, 0]
    assert answers == ["0 []", f"{len(WORLD.statements)} []"]


def test_a_reader_beside_a_writer_is_not_blocked_and_sees_the_state_before(folder: Path) -> None:
    writer, reader = open_embedded(folder), open_embedded(folder)
    with writer.database.writing("test", "a long write") as connection:
        connection.execute("INSERT INTO change VALUES (2, '', '', '', '')")
        connection.execute("UPDATE statement SET retired_in = 2")
        assert list(reader.statements([INTERACTION.id])) == [INTERACTION]
    assert list(reader.statements([INTERACTION.id])) == []
    writer.close()
    reader.close()


def test_all_reads_of_a_snapshot_are_of_one_change(folder: Path) -> None:
    writer, reader = open_embedded(folder), open_embedded(folder)
    with reader.snapshot():
        assert reader.change_no() == 1
        writer.delete_document(LABEL.id, "test", "meanwhile")
        assert reader.change_no() == 1
        assert list(reader.statements([INTERACTION.id])) == [INTERACTION]
    assert reader.change_no() == 2
    assert list(reader.statements([INTERACTION.id])) == []
    writer.close()
    reader.close()


def test_who_waits_in_vain_is_told_who_writes_and_what(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from pharmakon.adapters.store.embedded import open_embedded\n"
        "with open_embedded(Path(sys.argv[1])).database.writing('pharmacist', 'monthly labels'):\n"
        "    print('writing', flush=True); sys.stdin.readline()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "writing\n"
    knowledge = open_embedded(folder, lock_timeout=0.1)
    with pytest.raises(KnowledgeBusy, match=rf"pharmacist \(process {other.pid}.*monthly labels"):
        knowledge.apply(change())
    other.communicate("done\n", timeout=30)
    assert knowledge.apply(change()).change_no == 2
    knowledge.close()


def test_threads_share_one_knowledge_base(folder: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    knowledge = open_embedded(folder)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: list(knowledge.statements([INTERACTION.id])), range(40)))
    assert answers == [[INTERACTION]] * 40
    knowledge.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_reads_by_itself_and_leaves_the_parents_connection_alone(folder: Path) -> None:
    knowledge = open_embedded(folder)
    assert knowledge.change_no() == 1
    child = os.fork()
    if child == 0:
        found = list(knowledge.statements([INTERACTION.id]))
        knowledge.close()
        os._exit(0 if found == [INTERACTION] else 1)
    assert os.waitpid(child, 0)[1] == 0
    knowledge.apply(change())
    assert knowledge.change_no() == 2
    assert list(knowledge.check()) == []
    knowledge.close()


# ── read-only, full ────────────────────────────────────────────────────────────────────────────────


def test_a_read_only_folder_is_read_and_says_why_it_is_not_written(mount: Mount) -> None:
    target = mount("disk", "-t", "tmpfs", "tmpfs")
    first = open_embedded(target)
    first.apply(WORLD)
    first.project()
    first.close()
    mount("disk", "-o", "remount,ro")
    knowledge = open_embedded(target)
    assert list(knowledge.statements([INTERACTION.id])) == [INTERACTION]
    assert list(knowledge.check()) == []
    assert knowledge.cypher("MATCH (c:Concept) RETURN count(c)")[1] == [[len(WORLD.concepts)]]
    with pytest.raises(KnowledgeError, match="read-only"):
        knowledge.apply(change())
    assert "read-only" in knowledge.capabilities()["write"]
    knowledge.close()


def test_a_read_only_view_of_a_folder_that_another_writes_follows_it(mount: Mount, folder: Path) -> None:
    view = mount("view", "--bind", str(folder))
    mount("view", "-o", "remount,ro,bind")
    reader = open_embedded(view)
    assert reader.change_no() == 1
    writer = open_embedded(folder)
    late = open_embedded(view)
    for number in (2, 3, 4):
        writer.apply(change(documents=[document(f"another-{number}")]))
        assert [reader.change_no(), late.change_no()] == [number, number]
    writer.close()
    assert [reader.change_no(), late.change_no()] == [4, 4]
    reader.close()
    late.close()


def test_a_full_disk_leaves_what_was_there(mount: Mount) -> None:
    target = mount("disk", "-t", "tmpfs", "-o", "size=2m", "tmpfs")
    knowledge = open_embedded(target)
    knowledge.apply(WORLD)
    large = document("large", sentences=["word " * 400_000])
    with pytest.raises(KnowledgeError, match="full"):
        knowledge.apply(change(documents=[large]))
    assert knowledge.change_no() == 1
    assert list(knowledge.check()) == []
    assert knowledge.apply(change(documents=[document("small")])).change_no == 2
    knowledge.close()


def test_a_write_that_the_system_cuts_short_leaves_what_was_there(folder: Path) -> None:
    knowledge = open_embedded(folder)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        with pytest.raises(KnowledgeError):
            knowledge.apply(change(documents=[document("large", sentences=["word " * 400_000])]))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert knowledge.change_no() == 1
    assert list(knowledge.check()) == []
    assert list(knowledge.statements([INTERACTION.id])) == [INTERACTION]
    knowledge.close()
