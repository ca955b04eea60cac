from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharmakon.model.communities import FEWEST, Communities, Edge, community_id
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.errors import KnowledgeError
from pharmakon.retrieve import communities
from pharmakon.retrieve.communities import find, follow, refresh, touched, weights
from pharmakon.retrieve.leiden import missing_engine
from pharmakon.retrieve.summaries import summaries
from tests.unit.retrieve.graphs import edge, labels_of, ward

pytest.importorskip("graspologic_native")

HEART, LUNGS, SKIN = ward("heart"), ward("lungs"), ward("skin")
HOSPITAL = [*HEART, *LUNGS, *SKIN]

concepts = st.builds(
    lambda kind, n: f"{kind}:c{n}", st.sampled_from(["ingredient", "class", "disease"]), st.integers(0, 7)
)
graphs = st.lists(
    st.builds(edge, concepts, st.sampled_from(["treats", "belongs_to", "interacts_with"]), concepts),
    max_size=40, unique_by=lambda e: e.statement,
)  # fmt: skip


def found(edges: Sequence[Edge]) -> Communities:
    return find(edges, labels_of(list(edges)))


def test_what_belongs_together_is_a_community() -> None:
    assert {len(root.members) for root in found(HOSPITAL).roots} == {6}
    for root in found(HOSPITAL).roots:
        assert len({member.partition(":")[2].partition("-")[0] for member in root.members}) == 1


def test_one_or_two_concepts_are_no_community() -> None:
    pair = [edge("ingredient:a", "treats", "disease:b")]
    assert found(pair).all == ()
    assert found([]).all == ()


def test_a_large_community_is_split_and_its_levels_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(communities._data(), "largest", 4)
    ring = [
        made
        for n in range(40)
        for made in (
            edge(f"disease:a-{n}", "is_a", f"disease:b-{n}"),
            edge(f"disease:b-{n}", "is_a", f"disease:c-{n}"),
            edge(f"disease:a-{n}", "is_a", f"disease:c-{n}"),
            edge(f"disease:c-{n}", "is_a", f"disease:a-{(n + 1) % 40}"),
        )
    ]
    all_ = found(ring)
    assert {community.level for community in all_.all} == {0, 1}
    by_id = {community.id: community for community in all_.all}
    for community in all_.all:
        if community.level:
            assert set(community.members) < set(by_id[community.parent].members)


@given(graphs, st.randoms())
@settings(max_examples=40, deadline=None)
def test_the_order_of_edges_does_not_matter(edges: list[Edge], random: object) -> None:
    mixed = list(edges)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert found(mixed) == found(edges)


@given(graphs)
@settings(max_examples=40, deadline=None)
def test_communities_of_a_level_share_no_concept_and_none_is_too_small(edges: list[Edge]) -> None:
    all_ = found(edges)
    for level in {community.level for community in all_.all}:
        members = [m for community in all_.all if community.level == level for m in community.members]
        assert len(members) == len(set(members))
    assert all(len(community.members) >= FEWEST for community in all_.all)
    assert all(community.id == community_id(community.members) for community in all_.all)


def test_what_is_as_it_was_is_not_touched() -> None:
    labels = labels_of(HOSPITAL)
    assert touched(find(HOSPITAL, labels), HOSPITAL[::-1], labels) == frozenset()


def test_an_untouched_community_keeps_its_id_and_its_summary() -> None:
    before = found(HOSPITAL)
    after = [*HEART, *LUNGS, *SKIN[:-1], edge("ingredient:skin-drug-9", "belongs_to", "class:skin-class")]
    changed = follow(before, after, labels_of(after))
    kept = {root.id for root in before.roots if "class:skin-class" not in root.members}
    assert kept == {root.id for root in changed.communities.roots} - {c.id for c in changed.fresh}
    assert all(kind_of(m) and "skin" in m for community in changed.fresh for m in community.members)
    said = {(s.community, s.lang): s for s in summaries(before.all, HOSPITAL, labels_of(HOSPITAL))}
    again = {(s.community, s.lang): s for s in summaries(changed.communities.all, after, labels_of(after))}
    assert all(again[id, "en"] == said[id, "en"] for id in kept)


def test_an_edge_between_two_communities_touches_both_and_no_third() -> None:
    labels = labels_of(HOSPITAL)
    before = find(HOSPITAL, labels)
    joined = [*HOSPITAL, edge("ingredient:heart-drug-0", "interacts_with", "ingredient:skin-drug-0")]
    wards = {member.partition(":")[2].partition("-")[0] for member in touched(before, joined, labels)}
    assert wards == {"heart", "skin"}


def test_a_new_name_touches_the_communities_that_say_it() -> None:
    labels = labels_of(HOSPITAL)
    before = find(HOSPITAL, labels)
    renamed = labels | {ConceptId("class:heart-class"): {"en": "cardiacs"}}
    again = follow(before, HOSPITAL, renamed)
    assert [c.id for c in again.communities.all] == [c.id for c in before.all]
    assert [c.members for c in again.fresh] == [c.members for c in before.all if "class:heart-class" in c.members]


def test_concepts_that_had_no_community_come_in_when_something_joins_them() -> None:
    lone = [edge("ingredient:x", "treats", "disease:y")]
    before = found([*HEART, *lone])
    after = [*HEART, *lone, edge("ingredient:z", "treats", "disease:y")]
    again = follow(before, after, labels_of(after))
    assert {"ingredient:x", "disease:y", "ingredient:z"} in [set(c.members) for c in again.fresh]
    assert len(again.fresh) == 1


@given(graphs, graphs, st.integers(0, 40))
@settings(max_examples=80, deadline=None)
def test_a_refresh_leaves_what_is_not_touched_and_nothing_out_of_date(
    start: list[Edge], added: list[Edge], dropped: int
) -> None:
    now = list({e.statement: e for e in [*start[dropped:], *added]}.values())
    labels = labels_of([*start, *now])
    before = find(start, labels)
    changed = touched(before, now, labels)
    after = refresh(before, now, labels, changed)
    roots = {m: root for root in before.roots for m in root.members}
    ends = {end for e in {*start} ^ {*now} for end in (e.subject, e.object)}
    assert changed >= ends & roots.keys()
    assert not touched(after, now, labels)
    for community in before.all:
        if not changed.intersection(roots[community.members[0]].members):
            assert community in after.all
    members = [m for root in after.roots for m in root.members]
    assert len(members) == len(set(members))


def test_an_edge_weighs_less_where_its_ends_have_many() -> None:
    few = weights([edge("ingredient:a", "treats", "disease:b")])
    many = weights([edge(f"ingredient:{x}", "treats", "disease:b") for x in "acd"])
    pair = (ConceptId("disease:b"), ConceptId("ingredient:a"))
    assert many[pair] < few[pair]


def test_a_loop_and_an_unweighted_relation_connect_nothing() -> None:
    assert weights([edge("class:a", "belongs_to", "class:a"), edge("class:a", "dose_limit", "class:b")]) == {}


def test_an_absent_library_is_said_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graspologic_native", None)
    assert "pharmakon[ask]" in missing_engine()
    with pytest.raises(KnowledgeError, match="graspologic-native is not installed"):
        found(HOSPITAL)
