"""What every `TopologyStore` promises, whether it asks SQL or Cypher. A backend subclasses it and gives `topology`."""

from __future__ import annotations

import pytest

from pharmakon.ports.knowledge import Step, TopologyStore
from tests.contract.examples import (
    ACIDS,
    ACIDS_ARE_ANALGESICS,
    ANALGESICS,
    ANTICOAGULANTS,
    ASPIRIN,
    ASPIRIN_IS_SALICYLATE,
    DOSE,
    FIBRILLATION,
    IBUPROFEN,
    IBUPROFEN_IS_ACID,
    IBUPROFEN_IS_NSAID,
    INTERACTION,
    METFORMIN,
    NO_INTERACTION,
    NOBODY,
    NSAIDS,
    NSAIDS_ARE_ANALGESICS,
    SALICYLATES,
    SALICYLATES_ARE_NSAIDS,
    WARFARIN,
    WARFARIN_IS_ANTICOAGULANT,
)


class TopologyContract:
    @pytest.fixture
    def topology(self) -> TopologyStore:
        """A store that holds `examples.WORLD`."""
        raise NotImplementedError

    def test_a_concept_is_its_own_ancestor_without_steps(self, topology: TopologyStore) -> None:
        assert topology.ancestors([ANALGESICS]) == {ANALGESICS: {ANALGESICS: ()}}

    def test_an_unknown_concept_has_itself_alone(self, topology: TopologyStore) -> None:
        assert topology.ancestors([NOBODY]) == {NOBODY: {NOBODY: ()}}
        assert topology.descendants(NOBODY) == {NOBODY}
        assert list(topology.neighbours(NOBODY)) == []

    def test_a_chain_leads_from_the_concept_to_its_ancestor_by_statements(self, topology: TopologyStore) -> None:
        chains = topology.ancestors([ASPIRIN])[ASPIRIN]
        assert set(chains) == {ASPIRIN, SALICYLATES, NSAIDS, ANALGESICS}
        assert tuple(chains[ANALGESICS]) == (
            Step(ASPIRIN, SALICYLATES, ASPIRIN_IS_SALICYLATE.id),
            Step(SALICYLATES, NSAIDS, SALICYLATES_ARE_NSAIDS.id),
            Step(NSAIDS, ANALGESICS, NSAIDS_ARE_ANALGESICS.id),
        )

    def test_several_concepts_are_answered_at_once(self, topology: TopologyStore) -> None:
        found = topology.ancestors([ASPIRIN, WARFARIN, NOBODY])
        assert set(found) == {ASPIRIN, WARFARIN, NOBODY}
        assert set(found[WARFARIN]) == {WARFARIN, ANTICOAGULANTS}

    def test_descendants_are_all_that_is_below(self, topology: TopologyStore) -> None:
        assert topology.descendants(NSAIDS) == {NSAIDS, SALICYLATES, ASPIRIN, IBUPROFEN}

    def test_a_symmetric_link_is_found_from_both_sides(self, topology: TopologyStore) -> None:
        assert list(topology.links([ANTICOAGULANTS], [NSAIDS], ["interacts_with"])) == [INTERACTION.id]
        assert list(topology.links([NSAIDS], [ANTICOAGULANTS], ["interacts_with"])) == [INTERACTION.id]

    def test_a_directed_link_is_found_from_its_subject_alone(self, topology: TopologyStore) -> None:
        assert list(topology.links([WARFARIN], [ANTICOAGULANTS], ["belongs_to"])) == [WARFARIN_IS_ANTICOAGULANT.id]
        assert list(topology.links([ANTICOAGULANTS], [WARFARIN], ["belongs_to"])) == []

    def test_links_of_many_pairs_come_sorted_and_once(self, topology: TopologyStore) -> None:
        everything = [WARFARIN, ANTICOAGULANTS, NSAIDS, METFORMIN, ASPIRIN]
        expected = sorted([INTERACTION.id, NO_INTERACTION.id])
        assert list(topology.links(everything, everything, ["interacts_with", "incompatible_with"])) == expected

    def test_a_negative_statement_is_a_link_but_nobodys_neighbour(self, topology: TopologyStore) -> None:
        assert list(topology.links([WARFARIN], [METFORMIN], ["interacts_with"])) == [NO_INTERACTION.id]
        assert NO_INTERACTION.id not in {id for *_, id in topology.neighbours(WARFARIN)}

    def test_what_needs_no_graph_is_no_link(self, topology: TopologyStore) -> None:
        assert list(topology.links([METFORMIN], [FIBRILLATION], ["dose_limit"])) == []
        assert DOSE.id not in {id for *_, id in topology.neighbours(METFORMIN)}

    def test_of_two_shortest_chains_the_one_by_the_smaller_parent_is_taken(self, topology: TopologyStore) -> None:
        assert ACIDS < NSAIDS
        assert tuple(topology.ancestors([IBUPROFEN])[IBUPROFEN][ANALGESICS]) == (
            Step(IBUPROFEN, ACIDS, IBUPROFEN_IS_ACID.id),
            Step(ACIDS, ANALGESICS, ACIDS_ARE_ANALGESICS.id),
        )

    def test_nothing_asked_nothing_answered(self, topology: TopologyStore) -> None:
        assert topology.ancestors([]) == {}
        assert list(topology.links([], [NSAIDS], ["interacts_with"])) == []
        assert list(topology.links([NSAIDS], [ANTICOAGULANTS], [])) == []
        assert list(topology.links([NSAIDS], [ANTICOAGULANTS], ["no_such_relation"])) == []

    def test_neighbours_are_the_edges_of_both_directions(self, topology: TopologyStore) -> None:
        assert list(topology.neighbours(NSAIDS)) == sorted(
            [
                (NSAIDS, "belongs_to", ANALGESICS, NSAIDS_ARE_ANALGESICS.id),
                (SALICYLATES, "belongs_to", NSAIDS, SALICYLATES_ARE_NSAIDS.id),
                (IBUPROFEN, "belongs_to", NSAIDS, IBUPROFEN_IS_NSAID.id),
                (ANTICOAGULANTS, "interacts_with", NSAIDS, INTERACTION.id),
            ]
        )
