from __future__ import annotations

import random
import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharmakon.model.communities import FEWEST, Community, Edge, community_id
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import KnowledgeError
from pharmakon.retrieve import communities
from pharmakon.retrieve.communities import find, follow, weights
from pharmakon.retrieve.leiden import missing_engine
from pharmakon.retrieve.summaries import summaries
from tests.unit.retrieve.graphs import edge, labels_of, ward

pytest.importorskip("graspologic_native")

HOSPITAL = [made for name in ("heart", "lungs", "skin", "nerves", "bones", "blood") for made in ward(name)]

#: Forty triangles in a ring: Leiden joins some that lie side by side.
RING = [
    made
    for n in range(40)
    for made in (
        edge(f"disease:a-{n}", "is_a", f"disease:b-{n}"),
        edge(f"disease:b-{n}", "is_a", f"disease:c-{n}"),
        edge(f"disease:a-{n}", "is_a", f"disease:c-{n}"),
        edge(f"disease:c-{n}", "is_a", f"disease:a-{(n + 1) % 40}"),
    )
]

concepts = st.builds(
    lambda kind, n: f"{kind}:c{n}", st.sampled_from(["ingredient", "class", "disease"]), st.integers(0, 7)
)
graphs = st.lists(
    st.builds(edge, concepts, st.sampled_from(["treats", "belongs_to", "interacts_with"]), concepts),
    max_size=40, unique_by=lambda e: e.statement,
)  # fmt: skip


def found(edges: Sequence[Edge]) -> tuple[Community, ...]:
    return find(edges, labels_of(edges))


def ends(edges: Sequence[Edge]) -> set[ConceptId]:
    return {end for one in edges for end in (one.subject, one.object)}


def wards(all_: Sequence[Community]) -> set[str]:
    return {member.partition(":")[2].partition("-")[0] for community in all_ for member in community.members}


def test_what_belongs_together_is_a_community() -> None:
    assert [len(community.members) for community in found(HOSPITAL)] == [6] * 6
    assert all(len(wards([community])) == 1 for community in found(HOSPITAL))


def test_one_or_two_concepts_are_no_community() -> None:
    assert found([edge("ingredient:a", "treats", "disease:b")]) == ()
    assert found([]) == ()


def test_a_large_community_is_cut_and_both_levels_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(communities._data(), "largest", 4)
    all_ = found(RING)
    by_id = {community.id: community for community in all_}
    assert {community.level for community in all_} == {0, 1}
    for community in all_:
        if community.level:
            assert set(community.members) < set(by_id[community.parent].members)


def test_a_part_that_nothing_touched_is_not_fresh_where_the_whole_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(communities._data(), "largest", 4)
    before = found(RING)
    grown = [*RING, edge("disease:new", "is_a", "disease:a-0")]
    changed = follow(before, grown, labels_of(grown))
    (root,) = [c for c in changed.fresh if not c.level]
    inside = [c for c in changed.all if c.parent == root.id]
    assert len(inside) > 1
    assert [ConceptId("disease:a-0") in c.members for c in inside if c in changed.fresh] == [True]


@given(graphs, st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_the_order_of_edges_does_not_matter(edges: list[Edge], seed: int) -> None:
    mixed = random.Random(seed).sample(edges, len(edges))
    assert found(mixed) == found(edges)


@given(graphs)
@settings(max_examples=40, deadline=None)
def test_communities_of_a_level_share_no_concept_and_none_is_too_small(edges: list[Edge]) -> None:
    all_ = found(edges)
    for level in {community.level for community in all_}:
        members = [m for community in all_ if community.level == level for m in community.members]
        assert len(members) == len(set(members))
    assert all(len(community.members) >= FEWEST for community in all_)
    assert all(community.id == community_id(community.members) for community in all_)


@given(graphs)
@settings(max_examples=40, deadline=None)
def test_following_a_graph_that_is_as_it_was_changes_nothing(edges: list[Edge]) -> None:
    before = found(edges)
    again = follow(before, edges[::-1], labels_of(edges))
    assert (again.all, again.fresh) == (before, ())


def test_an_untouched_community_keeps_its_id_and_its_summary() -> None:
    before = found(HOSPITAL)
    after = [*HOSPITAL[:-1], edge("ingredient:blood-drug-9", "belongs_to", "class:blood-class")]
    changed = follow(before, after, labels_of(after))
    kept = [community for community in before if wards([community]) != {"blood"}]
    assert wards(changed.fresh) == {"blood"}
    assert set(kept) == set(changed.all) - set(changed.fresh)
    said = {s.community: s for s in summaries(before, HOSPITAL, labels_of(HOSPITAL)) if s.lang == "en"}
    again = {s.community: s for s in summaries(changed.all, after, labels_of(after)) if s.lang == "en"}
    assert all(again[community.id] == said[community.id] for community in kept)


def test_an_edge_between_two_communities_touches_both_and_no_third() -> None:
    joined = [*HOSPITAL, edge("ingredient:heart-drug-0", "interacts_with", "ingredient:skin-drug-0")]
    changed = follow(found(HOSPITAL), joined, labels_of(joined))
    assert wards(changed.fresh) == {"heart", "skin"}
    assert [c.id for c in changed.all] == [c.id for c in found(HOSPITAL)]


def test_a_new_name_touches_the_communities_that_say_it() -> None:
    before = found(HOSPITAL)
    renamed = labels_of(HOSPITAL) | {ConceptId("class:heart-class"): {"en": "cardiacs"}}
    changed = follow(before, HOSPITAL, renamed)
    assert [c.id for c in changed.all] == [c.id for c in before]
    assert wards(changed.fresh) == {"heart"}


def test_a_new_drug_joins_the_community_it_is_tied_to_most() -> None:
    new = [
        edge("ingredient:newcomer", "belongs_to", "class:heart-class"),
        edge("ingredient:newcomer", "treats", "disease:heart-disease"),
        edge("ingredient:newcomer", "interacts_with", "ingredient:skin-drug-0"),
    ]
    changed = follow(found(HOSPITAL), [*HOSPITAL, *new], labels_of([*HOSPITAL, *new]))
    assert [ConceptId("ingredient:newcomer") in c.members for c in changed.fresh if "heart" in wards([c])] == [True]


def test_a_new_ward_is_a_new_community_even_where_something_ties_it_to_an_old_one() -> None:
    new = [*ward("eyes"), edge("ingredient:eyes-drug-0", "interacts_with", "ingredient:skin-drug-0")]
    changed = follow(found(HOSPITAL), [*HOSPITAL, *new], labels_of([*HOSPITAL, *new]))
    assert {6} == {len(c.members) for c in changed.all}
    assert wards(changed.fresh) == {"eyes", "skin"}


def test_what_a_community_loses_all_edges_to_leaves_it_and_one_without_enough_left_is_gone() -> None:
    left = [e for e in HOSPITAL if "heart" not in e.subject]
    assert wards(follow(found(HOSPITAL), left, labels_of(left)).all) == wards(found(left))
    one = [e for e in HOSPITAL if e.subject != "ingredient:heart-drug-0"]
    changed = follow(found(HOSPITAL), one, labels_of(one))
    assert [len(c.members) for c in changed.fresh] == [5]


def test_a_graph_that_is_new_for_the_most_part_is_cut_anew() -> None:
    bridge = [edge(f"ingredient:heart-drug-{n}", "treats", f"disease:other-{n}") for n in range(4)]
    before = found([*HOSPITAL[:8], *bridge])
    assert follow(before, HOSPITAL, labels_of(HOSPITAL)).all == found(HOSPITAL)


@given(graphs, graphs, st.integers(0, 40))
@settings(max_examples=80, deadline=None)
def test_a_change_leaves_every_community_that_it_does_not_touch(
    start: list[Edge], added: list[Edge], dropped: int
) -> None:
    now = list({e.statement: e for e in [*start[dropped:], *added]}.values())
    labels = labels_of([*start, *now])
    before = find(start, labels)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(communities._data(), "anew", 1.0)
        changed = follow(before, now, labels)
        assert follow(changed.all, now, labels).fresh == ()
    touched = ends([*({*start} ^ {*now})])
    for community in before:
        if touched.isdisjoint(community.members):
            holding = [c for c in changed.all if set(c.members) >= set(community.members)]
            assert holding  # nobody left, though some of a touched one may have come
            assert all(c.digest == community.digest for c in holding if c.id == community.id)


def test_an_edge_weighs_less_where_its_ends_have_many() -> None:
    few = weights([edge("ingredient:a", "treats", "disease:b")])
    many = weights([edge(f"ingredient:{x}", "treats", "disease:b") for x in "acd"])
    pair = (ConceptId("disease:b"), ConceptId("ingredient:a"))
    assert many[pair] < few[pair]


def test_a_loop_and_an_unweighted_relation_connect_nothing() -> None:
    assert weights([edge("class:a", "belongs_to", "class:a"), edge("class:a", "dose_limit", "class:b")]) == {}


def test_every_weighted_relation_is_one_of_the_graph() -> None:
    from pharmakon.model.vocabulary import relations

    graph = {name for name, relation in relations().items() if relation.in_graph}
    assert communities._data()["weights"].keys() == graph


def test_an_absent_library_is_said_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graspologic_native", None)
    assert "pharmakon[ask]" in missing_engine()
    with pytest.raises(KnowledgeError, match="graspologic-native is not installed"):
        found(HOSPITAL)
