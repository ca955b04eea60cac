"""An accepted entry in both stores: the graph gets its table, and a new process its words."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from pharmakon.adapters.store.embedded.schema import offer
from pharmakon.model import vocabulary
from pharmakon.model.errors import KnowledgeError
from pharmakon.model.refinement import entry_of
from pharmakon.model.statements import Condition
from tests.conftest import forget_growth
from tests.contract.examples import ASPIRIN, IBUPROFEN, WARFARIN, WORLD, change, said
from tests.contract.schema_contract import PLATELETS, REVERSED_BY, draft

_ELSEWHERE = """
import sys
from pathlib import Path
from pharmakon.adapters.store.embedded import open_embedded
knowledge = open_embedded(Path(sys.argv[1]))
found = knowledge.about(["ingredient:ibuprofen"], ["contraindicated_in"])
print(found[0].when[0][0].factor, *knowledge.cypher("MATCH (:Concept)-[r:reversed_by]->(b) RETURN b.id")[1])
print(len(knowledge.check()))
"""


@pytest.fixture
def grown(tmp_path: Path, seed_only: None) -> Iterator[EmbeddedKnowledge]:
    """A knowledge base with data whose graph was built before the schema grew."""
    found = open_embedded(tmp_path / "kb")
    found.apply(WORLD)
    found.cypher("MATCH (c:Concept) RETURN count(*)")
    found.propose([draft(PLATELETS), draft(REVERSED_BY)], "test", "a run")
    for number in (1, 2):
        found.accept(number, "expert", "needed")
    found.apply(
        change(
            said(IBUPROFEN, "contraindicated_in", when=((Condition("platelets", "<", 50_000.0),),)),
            said(WARFARIN, "reversed_by", ASPIRIN),
        )
    )
    yield found
    found.close()


def test_the_graph_has_a_table_for_the_new_relation_beside_the_old_edges(grown: EmbeddedKnowledge) -> None:
    assert grown.cypher("MATCH (a)-[r:reversed_by]->(b) RETURN a.id, b.id")[1] == [[WARFARIN, ASPIRIN]]
    assert grown.cypher("MATCH ()-[r:belongs_to]->() RETURN count(*) > 0")[1] == [[True]]
    assert list(grown.check()) == []


def test_a_new_process_that_opens_the_folder_knows_the_entries(grown: EmbeddedKnowledge, tmp_path: Path) -> None:
    grown.close()
    done = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE, str(tmp_path / "kb")], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["platelets ['ingredient:aspirin']", "0"]


def test_an_open_folder_hears_of_what_another_process_accepts(tmp_path: Path, seed_only: None) -> None:
    here, there = open_embedded(tmp_path), open_embedded(tmp_path)
    there.propose([draft(PLATELETS)], "test", "a run")
    there.accept(1, "expert", "needed")
    vocabulary._grown = {}  # as if it had happened in another process
    forget_growth()
    here.about([IBUPROFEN], ["contraindicated_in"])
    assert "platelets" in vocabulary.factors()
    here.close()
    there.close()


def test_a_name_with_two_meanings_is_refused_when_the_second_folder_is_opened(tmp_path: Path, seed_only: None) -> None:
    other = entry_of("factor", "platelets", {"shape": "number", "label": "platelets", "unit": "10*9/L"})
    knowledge = open_embedded(tmp_path)
    knowledge.propose([draft(other)], "test", "a run")
    knowledge.accept(1, "expert", "needed")
    knowledge.close()
    vocabulary._grown = {"platelets": PLATELETS}
    forget_growth()
    with pytest.raises(KnowledgeError, match="platelets was accepted in this knowledge base and means something else"):
        open_embedded(tmp_path)


def test_offering_the_same_entries_again_changes_nothing(grown: EmbeddedKnowledge) -> None:
    before = vocabulary.relations()
    with grown.database.reading() as snapshot:
        offer(snapshot.connection)
    assert vocabulary.relations() is before


def test_a_quotation_of_a_proposal_that_does_not_stand_is_an_inconsistency(grown: EmbeddedKnowledge) -> None:
    wrong = draft(entry_of("factor", "qrs", {"shape": "number", "label": "QRS", "unit": "ms"}))
    (shown,) = wrong.quotations
    grown.propose([replace(wrong, quotations=(replace(shown, quote="never said", end=10),))], "test", "a run")
    assert list(grown.check()) == [f"proposal 3: its quotation does not stand in {shown.document} at 0-10"]
