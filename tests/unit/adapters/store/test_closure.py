"""The closure as a pure function, and its upkeep edge by edge."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pharmakon.adapters.store.embedded import open_embedded
from pharmakon.adapters.store.embedded.closure import Edge, close
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from tests.contract.examples import LABEL, SENTENCES, change, concept, document, quote, said

NODES = [ConceptId(f"class:{letter}") for letter in "abcdefgh"]


def edges_of(pairs: set[tuple[int, int]]) -> list[Edge]:
    return [(NODES[c], NODES[p], f"st-{c}{p}", c * 10 + p) for c, p in sorted(pairs)]


acyclic = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] < pair[1]))


@given(acyclic)
def test_depths_are_those_of_a_breadth_first_walk(pairs: set[tuple[int, int]]) -> None:
    closed = close(edges_of(pairs), {})
    for start in range(8):
        depths, queue = {start: 0}, deque([start])
        while queue:
            child = queue.popleft()
            for parent in (p for c, p in pairs if c == child and p not in depths):
                depths[parent] = depths[child] + 1
                queue.append(parent)
        expected = {NODES[node]: depth for node, depth in depths.items() if depth}
        assert {ancestor: step.depth for ancestor, step in closed.get(NODES[start], {}).items()} == expected


def test_a_cycle_is_named() -> None:
    with pytest.raises(BadInput, match="above itself") as caught:
        close(edges_of({(0, 1), (1, 2), (2, 0)}), {})
    chain = str(caught.value).partition(": ")[2].partition(";")[0].split(" → ")
    assert chain[0] == chain[-1]
    assert set(pairwise(chain)) == {
        (NODES[0], NODES[1]),
        (NODES[1], NODES[2]),
        (NODES[2], NODES[0]),
    }


def test_of_two_shortest_ways_the_smaller_is_taken() -> None:
    closed = close(edges_of({(0, 1), (0, 2), (1, 3), (2, 3)}), {})
    assert closed[NODES[0]][NODES[3]].parent == NODES[1]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pairs=acyclic, order=st.randoms(use_true_random=False), number=st.integers())
def test_edge_by_edge_upkeep_equals_working_it_out_anew(
    tmp_path_factory: pytest.TempPathFactory, pairs: set[tuple[int, int]], order: object, number: int
) -> None:
    folder: Path = tmp_path_factory.mktemp("kb")
    knowledge = open_embedded(folder)
    sources = [document(f"d{place}", sentences=[SENTENCES[0]]) for place in range(3)]
    knowledge.apply(change(concepts=[concept(node) for node in NODES], documents=[LABEL, *sources]))
    listed = sorted(pairs)
    order.shuffle(listed)  # type: ignore[attr-defined]
    for place, (child, parent) in enumerate(listed):
        evidence = [quote(sources[place % 3], SENTENCES[0])]
        knowledge.apply(change(said(NODES[child], "belongs_to", NODES[parent], evidence=evidence)))
    assert list(knowledge.check()) == []
    knowledge.delete_document("d0", "test", "take a third of the edges away")
    assert list(knowledge.check()) == []
    knowledge.close()
