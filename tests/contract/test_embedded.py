"""The embedded backend is held to the contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from pharmakon.adapters.store.embedded.cypher import CypherTopology
from pharmakon.ports.knowledge import KnowledgeBase, TopologyStore
from tests.contract.examples import WORLD
from tests.contract.knowledge_contract import KnowledgeContract
from tests.contract.passages_contract import PassagesContract
from tests.contract.schema_contract import SchemaContract
from tests.contract.topology_contract import TopologyContract


class TestEmbeddedKnowledge(KnowledgeContract):
    @pytest.fixture
    def knowledge(self, tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
        found = open_embedded(tmp_path / "kb")
        yield found
        found.close()

    def test_it_has_the_shape_of_the_port(self, knowledge: EmbeddedKnowledge) -> None:
        as_port: KnowledgeBase = knowledge  # for the type checker
        assert as_port.change_no() == 0


class TestEmbeddedPassages(PassagesContract):
    @pytest.fixture
    def knowledge(self, tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
        found = open_embedded(tmp_path / "kb")
        yield found
        found.close()


class TestEmbeddedSchema(SchemaContract):
    @pytest.fixture
    def knowledge(self, tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
        found = open_embedded(tmp_path / "kb")
        yield found
        found.close()


class TestClosureTable(TopologyContract):
    @pytest.fixture
    def topology(self, tmp_path: Path) -> Iterator[TopologyStore]:
        found = open_embedded(tmp_path / "kb")
        found.apply(WORLD)
        yield found
        found.close()


class TestCypher(TopologyContract):
    @pytest.fixture
    def topology(self, tmp_path: Path) -> Iterator[TopologyStore]:
        found = open_embedded(tmp_path / "kb")
        found.apply(WORLD)
        graph = found.graph()
        assert isinstance(graph, CypherTopology)
        yield graph
        found.close()
