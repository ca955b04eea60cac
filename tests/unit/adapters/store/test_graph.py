"""The graph file: built, replaced, lagging, absent; and what may be asked of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, graph, open_embedded
from pharmakon.adapters.store.embedded.cypher import CypherTopology, only_reads
from pharmakon.model.concepts import ConceptId, Name
from pharmakon.model.errors import BadInput, KnowledgeError
from tests.contract.examples import (
    ASPIRIN,
    BLEEDING,
    CONCEPTS,
    INTERACTION,
    NSAIDS,
    WARFARIN,
    WORLD,
    change,
    concept,
    said,
)


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
    found = open_embedded(tmp_path / "kb")
    found.apply(WORLD)
    yield found
    found.close()


def test_cypher_answers_with_columns_and_rows(knowledge: EmbeddedKnowledge) -> None:
    columns, rows = knowledge.cypher(
        "MATCH (a)-[r:interacts_with]->(b) WHERE NOT r.negative RETURN a.id AS a, r.statement AS s, b.name"
    )
    assert columns == ["a", "s", "b.name"]
    assert rows == [[INTERACTION.subject, INTERACTION.id, "nsaids"]]


def test_the_graph_catches_up_with_what_was_written(knowledge: EmbeddedKnowledge) -> None:
    count = "MATCH ()-[r:causes]->() RETURN count(r)"
    assert knowledge.cypher(count)[1] == [[0]]
    knowledge.apply(change(said(ASPIRIN, "causes", BLEEDING)))
    assert "at change 1 of 2" in knowledge.capabilities()["cypher"]
    assert knowledge.cypher(count)[1] == [[1]]
    assert knowledge.capabilities()["cypher"] == "ladybug, at change 2"


def test_another_process_sees_the_graph_that_took_the_name(knowledge: EmbeddedKnowledge) -> None:
    other = open_embedded(knowledge.database.folder)
    assert other.cypher("MATCH (s:State) RETURN s.change_no")[1] == [[1]]
    knowledge.apply(change(said(ASPIRIN, "causes", BLEEDING)))
    knowledge.project()
    assert other.cypher("MATCH (s:State) RETURN s.change_no")[1] == [[2]]
    other.close()


@pytest.mark.parametrize(
    "name", ['a "quoted", name', "two\nlines", "back\\slash \\n", "", "药,'x'", ",", "{a: 1}", "[1]"]
)
def test_any_name_survives_the_way_into_the_graph(knowledge: EmbeddedKnowledge, name: str) -> None:
    odd = ConceptId("lifestyle:odd")
    knowledge.apply(change(concepts=[replace(concept(odd), names=(Name(name, "en", "preferred"),))]))
    (found,) = knowledge.cypher("MATCH (c:Concept) WHERE c.id = 'lifestyle:odd' RETURN c.name")[1]
    assert (found[0] or "") == name
    assert list(knowledge.check()) == []


def test_a_graph_file_that_is_broken_is_built_anew(knowledge: EmbeddedKnowledge) -> None:
    knowledge.project()
    knowledge.close()
    path = knowledge.database.folder / "graph.lbug"
    path.write_bytes(b"nothing of the kind" * 1000)
    assert list(knowledge.check()) == []
    assert knowledge.cypher("MATCH (c:Concept) RETURN count(c)")[1] == [[len(CONCEPTS)]]


def test_what_a_killed_projector_left_is_swept_away(knowledge: EmbeddedKnowledge) -> None:
    room = knowledge.database.folder / "graph.building"
    room.mkdir()
    (room / "graph.lbug").write_bytes(b"half")
    assert knowledge.project() == 1
    assert not room.exists()


def test_check_tells_when_graph_and_rows_disagree(knowledge: EmbeddedKnowledge) -> None:
    knowledge.project()
    with knowledge.database.writing("test", "damage") as connection:
        connection.execute("PRAGMA foreign_keys = off")
        connection.execute("UPDATE statement SET retired_in = 1 WHERE id = ?", (INTERACTION.id,))
        connection.execute("INSERT INTO concept VALUES ('outcome:ghost', 'outcome', '', NULL, 1)")
    complaints = list(knowledge.check())
    assert f"graph: edge {INTERACTION.id} has no live statement" in complaints
    assert "graph: concept outcome:ghost has no vertex" in complaints


def test_a_rebuild_makes_everything_sound_again(knowledge: EmbeddedKnowledge) -> None:
    knowledge.project()
    with knowledge.database.writing("test", "damage") as connection:
        connection.execute("DELETE FROM closure WHERE descendant = ?", (ASPIRIN,))
        connection.execute("DROP TABLE words")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5 (text, content = '')")
        connection.execute("INSERT INTO concept VALUES ('outcome:ghost', 'outcome', '', NULL, 1)")
        connection.execute(
            "INSERT INTO concept_name VALUES (NULL, 'outcome:ghost', 'ghost', 'en', 'preferred', 'ghost', 1)"
        )
    complaints = "\n".join(knowledge.check())
    for part in ("closure: ", "words: ", "graph: "):
        assert part in complaints
    version = knowledge.version()
    knowledge.rebuild()
    assert list(knowledge.check()) == []
    assert knowledge.version() == version
    assert set(knowledge.ancestors([ASPIRIN])[ASPIRIN]) >= {NSAIDS}
    assert knowledge.search("salicylate")


# ── without Ladybug ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def no_ladybug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ladybug", None)


def test_without_ladybug_topology_is_answered_from_sql(knowledge: EmbeddedKnowledge, no_ladybug: None) -> None:
    assert knowledge.graph() is knowledge
    assert "ladybug is not installed" in knowledge.capabilities()["cypher"]
    assert list(knowledge.check()) == []
    knowledge.rebuild()
    with pytest.raises(KnowledgeError, match="ladybug is not installed"):
        knowledge.cypher("MATCH (c:Concept) RETURN c.id")


def test_a_lagging_graph_nobody_can_build_gives_way_to_sql(
    knowledge: EmbeddedKnowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(knowledge.graph(), CypherTopology)
    knowledge.apply(change(said(ASPIRIN, "causes", BLEEDING)))
    monkeypatch.setattr(graph, "_write", _fail)
    assert knowledge.graph() is knowledge


def _fail(*_: object) -> None:
    raise OSError("No space left on device")


def test_opening_and_auditing_never_load_ladybug(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from pharmakon.adapters.store.embedded import open_embedded\n"
        "k = open_embedded(Path(sys.argv[1])); k.ancestors([]); k.stats(); k.close()\n"
        "print('ladybug' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# ── what may be asked ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        "CREATE (:Concept {id: 'x'})",
        "MATCH (c:Concept) SET c.name = 'x'",
        "MATCH (c:Concept) DETACH DELETE c",
        "COPY (MATCH (c:Concept) RETURN c.id) TO '/tmp/stolen.csv'",
        "LOAD FROM '/etc/passwd' (file_format = 'csv') RETURN *",
        "MATCH (c:Concept) LOAD FROM '/etc/passwd' RETURN *",
        "MATCH (c) WHERE c.x > 1.LOAD/**/FROM '/etc/passwd' RETURN *",
        "MATCH (c) // a comment that ends here\rCOPY (MATCH (c) RETURN c.id) TO '/tmp/stolen.csv'",
        "MATCH (c) RETURN 'never closed COPY",
        "EXPLAIN COPY (MATCH (c) RETURN c.id) TO '/tmp/stolen.csv'",
        "CALL read_csv_serial('/etc/passwd') RETURN *",
        "INSTALL json",
        "EXPORT DATABASE '/tmp/stolen'",
        "ATTACH '/tmp/other' AS other (dbtype lbug)",
        "MATCH (c:Concept) RETURN c.id; COPY Concept TO 'x'",
        "CALL threads = 64",
        "MATCH (c) /* harmless */ MERGE (d:Concept {id: 'x'})",
        "",
        "hello",
    ],
)
def test_what_is_no_reading_query_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="Cypher"):
        only_reads(text)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (c:Concept) WHERE c.name = 'create, set; and load' RETURN c.id;",
        'match (c:Concept) where c.name contains "copy" return c.id',
        "MATCH (c:Concept) RETURN c.set, c.id // delete nothing",
        "UNWIND [1, 2] AS x RETURN x",
        "CALL show_tables() RETURN *",
        "MATCH (a)-[r:treats|causes*1..2]->(b) WITH a, b RETURN count(*)",
    ],
)
def test_a_reading_query_passes_as_it_is(text: str) -> None:
    assert only_reads(text) == text


def test_a_mistake_in_a_query_is_one_line(knowledge: EmbeddedKnowledge) -> None:
    with pytest.raises(KnowledgeError, match="Cypher: Binder exception") as caught:
        knowledge.cypher("MATCH (c:Concept) RETURN c.no_such_property")
    assert "\n" not in str(caught.value)


def test_a_merged_concept_answers_as_its_target_in_cypher_too(knowledge: EmbeddedKnowledge) -> None:
    double = ConceptId("ingredient:double")
    knowledge.apply(change(concepts=[concept(double)]))
    knowledge.merge_concepts(double, WARFARIN, "test", "the same")
    by_cypher = knowledge.graph()
    assert isinstance(by_cypher, CypherTopology)
    assert by_cypher.ancestors([double]) == knowledge.ancestors([double])
    assert list(by_cypher.neighbours(double)) == list(knowledge.neighbours(double))
    assert list(knowledge.check()) == []
