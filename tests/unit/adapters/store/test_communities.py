"""Communities as rows: what is kept, what is replaced, and that nothing is said that is not so any more."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pharmakon.adapters.store.embedded import communities, open_embedded
from pharmakon.adapters.store.embedded.database import Database
from pharmakon.model.communities import Community, Summary, SummarySentence
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Condition
from tests.contract.examples import (
    DOSE,
    IBUPROFEN,
    INTERACTION,
    METFORMIN,
    NO_INTERACTION,
    WORLD,
    change,
    document,
    said,
)

RECIPE = "test-numbers"


@pytest.fixture
def database(tmp_path: Path) -> Database:
    knowledge = open_embedded(tmp_path)
    knowledge.apply(WORLD)
    knowledge.close()
    return Database(tmp_path)


def community(id: str, *members: str, digest: str = "d", level: int = 0, parent: str = "") -> Community:
    return Community(id, level, parent, tuple(ConceptId(m) for m in sorted(members)), digest)


def keep(database: Database, found: tuple[Community, ...], *summaries: Summary) -> None:
    with database.reading() as snapshot:
        change_no = snapshot.change_no
    with database.writing("test", "communities") as connection:
        communities.save(connection, found, summaries, RECIPE, change_no)


def statement_of(database: Database) -> str:
    with database.reading() as snapshot:
        return communities.edges(snapshot)[0].statement


ONE, TWO = community("co-1", "class:a", "class:b", "class:c"), community("co-2", "class:d", "class:e", "class:f")
SAID = Summary("co-1", "en", "A", (SummarySentence("A is so.", ()),))


def test_edges_are_the_live_statements_of_the_graph_with_the_names_of_their_ends(database: Database) -> None:
    with database.reading() as snapshot:
        edges, labels = communities.edges(snapshot), communities.labels(snapshot)
    assert edges
    assert [e.statement for e in edges] == sorted(e.statement for e in edges)
    assert all(labels[end]["en"] for e in edges for end in (e.subject, e.object))


def test_a_denied_statement_is_no_edge_and_one_under_conditions_is_marked(tmp_path: Path) -> None:
    with_conditions = said(METFORMIN, "interacts_with", IBUPROFEN, when=((Condition("age", ">=", 65.0),),))
    knowledge = open_embedded(tmp_path)
    knowledge.apply(WORLD)
    knowledge.apply(change(with_conditions))
    knowledge.close()
    with Database(tmp_path).reading() as snapshot:
        conditional = {edge.statement: edge.conditional for edge in communities.edges(snapshot)}
    assert conditional[with_conditions.id]
    assert not conditional[INTERACTION.id]  # its modifier changes its tier, not whether it holds
    assert NO_INTERACTION.id not in conditional
    assert DOSE.id not in conditional  # not of the graph


def test_what_is_saved_is_loaded_until_the_numbers_change(database: Database) -> None:
    found = (ONE, TWO, community("co-3", "class:a", "class:b", "class:c", level=1, parent="co-1"))
    with database.reading() as snapshot:
        assert communities.load(snapshot, RECIPE) == ()
        assert communities.seen(snapshot.connection) is None
    keep(database, found)
    with database.reading() as snapshot:
        assert communities.load(snapshot, RECIPE) == found
        assert communities.load(snapshot, "other-numbers") == ()
        assert communities.seen(snapshot.connection) == snapshot.change_no
        assert communities.homes(snapshot, [ConceptId("class:a"), ConceptId("class:z")]) == {
            "class:a": ["co-1", "co-3"]
        }


def test_a_community_that_is_as_it_was_keeps_its_summary_and_one_that_changed_loses_it(database: Database) -> None:
    rewritten = Summary("co-2", "en", "B", (SummarySentence("B, said well.", ()),), proposer="a-model")
    keep(database, (ONE, TWO), SAID, rewritten)
    keep(database, (community("co-1", *ONE.members, digest="new"), TWO))
    with database.reading() as snapshot:
        assert communities.summaries(snapshot, ["en"]) == [rewritten]


def test_a_community_that_comes_under_another_keeps_its_summary(database: Database) -> None:
    keep(database, (ONE,), SAID)
    moved = (community("co-0", *ONE.members, "class:z"), community("co-1", *ONE.members, level=1, parent="co-0"))
    keep(database, moved)
    with database.reading() as snapshot:
        assert communities.load(snapshot, RECIPE) == moved
        assert communities.summaries(snapshot, ["en"]) == [SAID]


def test_summaries_are_read_by_language_and_community(database: Database) -> None:
    chinese = Summary("co-1", "zh", "甲", (SummarySentence("甲。", ()),))
    keep(database, (ONE, TWO), SAID, chinese)
    with database.reading() as snapshot:
        assert communities.summaries(snapshot, ["zh"]) == [chinese]
        assert communities.summaries(snapshot, ["en", "zh"], ["co-2"]) == []


def test_a_sentence_is_told_only_while_every_statement_of_it_is_live(database: Database) -> None:
    live = statement_of(database)
    said = {"Both.": (live, "st-gone"), "One.": (live,), "Gone.": ("st-0",)}
    summary = Summary("co-1", "en", "A", tuple(SummarySentence(text, ids) for text, ids in said.items()))
    keep(database, (ONE,), summary)
    with database.reading() as snapshot:
        (read,) = communities.summaries(snapshot, ["en"])
    assert [sentence.text for sentence in read.sentences] == ["One."]


def test_a_summary_is_embedded_once_for_each_model_and_again_when_it_is_rewritten(database: Database) -> None:
    keep(database, (ONE,), SAID)

    def unembedded(model: str) -> list[str]:
        with database.reading() as snapshot:
            return [text for _, text in communities.pending(snapshot, model, 10)]

    with database.reading() as snapshot:
        ((no, text),) = communities.pending(snapshot, "m", 10)
    assert text == "A\nA is so."
    with database.writing("test", "vectors") as connection:
        communities.put_vectors(connection, "m", 2, {no: np.array([0.6, 0.8], dtype=np.float32)})
    assert unembedded("m") == []
    assert unembedded("other") == ["A\nA is so."]
    with database.reading() as snapshot:
        keys, matrix = communities.load_vectors(snapshot, "m")
        assert communities.load_vectors(snapshot, "other")[0] == []
    assert keys == [("co-1", "en")]
    assert matrix == pytest.approx(np.array([[0.6, 0.8]]), abs=1e-3)
    with database.writing("test", "rewrite") as connection:
        communities.put_summary(connection, Summary("co-1", "en", "A", (SummarySentence("A, anew.", ()),)))
    assert unembedded("m") == ["A\nA, anew."]


def test_vectors_of_another_length_are_refused(database: Database) -> None:
    keep(database, (ONE,), SAID)
    with database.writing("test", "vectors") as connection:
        communities.put_vectors(connection, "m", 2, {})
    with pytest.raises(BadInput), database.writing("test", "vectors") as connection:
        communities.put_vectors(connection, "m", 3, {})


def test_a_knowledge_base_without_communities_has_no_summary(tmp_path: Path) -> None:
    knowledge = open_embedded(tmp_path)
    knowledge.apply(change(documents=[document("d")]))
    knowledge.close()
    with Database(tmp_path).reading() as snapshot:
        assert communities.summaries(snapshot, ["en"]) == []
        assert communities.edges(snapshot) == []
