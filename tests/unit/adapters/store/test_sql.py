"""Every named query is well-formed, is used, and takes its values bound."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import sql

FOLDER = Path(str(resources.files("pharmakon.adapters.store.embedded")))
NAMED = [(file.name, name) for file in sorted((FOLDER / "queries").iterdir()) for name in sql.queries(file.name)]
SOURCE = "\n".join(path.read_text("utf-8") for path in FOLDER.glob("*.py"))


@pytest.fixture(scope="module")
def empty() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    for _, script in sql.migrations():
        connection.executescript(script)
    for query in ("create", "create_terms"):
        connection.execute(sql.queries("words.sql")[query])
    connection.execute(sql.queries("traces.sql")["table"])
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("file", "name"), [each for each in NAMED if each[0].endswith(".sql") and not each[1].startswith("create")]
)
def test_sqlite_can_plan_it(empty: sqlite3.Connection, file: str, name: str) -> None:
    query = sql.queries(file)[name]
    named = dict.fromkeys(re.findall(r":(\w+)", query))
    empty.execute(f"EXPLAIN {query}", named or [None] * query.count("?"))


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_it_is_used(file: str, name: str) -> None:
    assert f'"{name}"' in SOURCE


def test_hot_queries_search_by_index(empty: sqlite3.Connection) -> None:
    asked = {"subjects": "[]", "relations": "[]", "objects": "[]", "concepts": "[]", "nos": "[]", "folded": "[]"}
    for file, name in [
        ("statements.sql", "about"),
        ("statements.sql", "conditions"),
        ("statements.sql", "exclusions"),
        ("statements.sql", "evidence"),
        ("topology.sql", "links"),
        ("topology.sql", "ancestors"),
        ("lexicon.sql", "by_name"),
    ]:
        query = sql.queries(file)[name]
        named = {parameter: asked[parameter] for parameter in re.findall(r":(\w+)", query)}
        plan = [row[3] for row in empty.execute(f"EXPLAIN QUERY PLAN {query}", named)]
        scans = [step for step in plan if step.startswith("SCAN") and "json_each" not in step]
        assert scans == [], f"{name}: {plan}"
