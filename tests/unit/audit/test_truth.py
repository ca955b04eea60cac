"""Three values: Kleene's tables, intervals with open ends, and that knowing more never turns a decided truth."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.audit.exposure import Exposure
from pharmakon.audit.query import Bundle
from pharmakon.audit.truth import Scene, Truth, all_of, any_of, guard_holds, holds, weigh
from pharmakon.extract.curated.expressions import read_clause, read_condition
from pharmakon.model.concepts import ConceptId
from pharmakon.model.profile import HeldCondition, Interval, Known, Profile
from pharmakon.model.statements import Condition, Modifier, Statement
from pharmakon.model.vocabulary import Tier, routes

VALUES: tuple[Truth, ...] = (True, False, None)


def exposure(name: str = "a", **changes: object) -> Exposure:
    own = ConceptId(f"ingredient:{name}")
    above = changes.pop("ancestors", {own: ()})
    route = changes.get("route")
    values: dict[str, object] = {
        "ingredient": own,
        "name": name,
        "product": own,
        "lines": (0,),
        "words": name,
        "status": "active",
        "bundle": Bundle((own, own), above, {}, {}, frozenset(), {}),  # type: ignore[arg-type]
        "route": None,
        "local": isinstance(route, str) and routes()[route].local,
        "form": None,
        "form_route": None,
        "as_needed": None,
        "undiluted": None,
        "single": None,
        "daily": None,
        "weekly": None,
        "unit": "mg",
        "why": "",
        "times": None,
        "duration": None,
        "gap": Interval(0, 0),
    } | changes
    return Exposure(**values)  # type: ignore[arg-type]


def scene(profile: Profile | None = None, subject: Exposure | None = None, object: Exposure | None = None) -> Scene:
    one = subject or exposure()
    return Scene(profile or Profile(), [e for e in (one, object) if e], one, object)


def of(**factors: Interval | frozenset[str]) -> Profile:
    return Profile({name: Known(value) for name, value in factors.items()}, conditions=())


AND = {
    (True, True): True,
    (True, None): None,
    (True, False): False,
    (None, None): None,
    (None, False): False,
    (False, False): False,
}
OR = {
    (True, True): True,
    (True, None): True,
    (True, False): True,
    (None, None): None,
    (None, False): None,
    (False, False): False,
}


@pytest.mark.parametrize(("a", "b"), list(itertools.product(VALUES, VALUES)))
def test_and_and_or_are_kleenes(a: Truth, b: Truth) -> None:
    assert all_of([a, b]) is (AND[(a, b)] if (a, b) in AND else AND[(b, a)])
    assert any_of([a, b]) is (OR[(a, b)] if (a, b) in OR else OR[(b, a)])


@given(st.lists(st.sampled_from(VALUES), max_size=6), st.lists(st.booleans(), min_size=6, max_size=6))
def test_deciding_an_unknown_never_flips_a_decided_truth(values: list[Truth], decided: list[bool]) -> None:
    known = [v if v is not None else d for v, d in zip(values, decided, strict=False)]
    for combine in (all_of, any_of):
        before, after = combine(values), combine(known)
        assert after is not None
        assert before is None or before == after


@pytest.mark.parametrize(
    ("line", "value", "truth"),
    [
        ("egfr < 30 mL/min/1.73m2", Interval(29, 29), True),
        ("egfr < 30 mL/min/1.73m2", Interval(30, 30), False),
        ("egfr < 30 mL/min/1.73m2", Interval(15, 30, open_high=True), True),
        ("egfr < 30 mL/min/1.73m2", Interval(15, 30), None),
        ("egfr < 30 mL/min/1.73m2", Interval(15, 45), None),
        ("egfr < 30 mL/min/1.73m2", Interval(30, 45), False),
        ("egfr <= 30 mL/min/1.73m2", Interval(15, 30), True),
        ("egfr <= 30 mL/min/1.73m2", Interval(30, 30), True),
        ("egfr > 30 mL/min/1.73m2", Interval(15, 30, open_high=True), False),
        ("egfr > 30 mL/min/1.73m2", Interval(30, 31), None),
        ("egfr > 30 mL/min/1.73m2", Interval(31, float("inf")), True),
        ("egfr >= 30 mL/min/1.73m2", Interval(15, 30, open_high=True), False),
        ("egfr >= 30 mL/min/1.73m2", Interval(15, 30), None),
        ("egfr >= 30 mL/min/1.73m2", Interval(30, 45, open_high=True), True),
    ],
)
def test_an_interval_is_compared_as_a_whole(line: str, value: Interval, truth: Truth) -> None:
    assert holds(read_condition(line), scene(of(egfr=value))) is truth


@given(
    st.sampled_from(["<", "<=", ">", ">="]),
    st.integers(0, 20),
    st.integers(0, 20),
    st.integers(0, 20),
    st.booleans(),
    st.data(),
)
def test_narrowing_an_interval_never_flips_a_decided_comparison(
    op: str, limit: int, a: int, b: int, open_high: bool, data: st.DataObject
) -> None:
    low, high = sorted((a, b))
    wide = Interval(low, high, open_high=open_high and low < high)
    points = [float(p) for p in range(low, high + 1) if p < high or not wide.open_high] + [low + 0.5] * (low < high)
    point = data.draw(st.sampled_from(points))
    condition = Condition("egfr", op, number=limit)
    before, after = holds(condition, scene(of(egfr=wide))), holds(condition, scene(of(egfr=Interval(point, point))))
    assert after is not None
    assert before is None or before == after


@pytest.mark.parametrize(
    ("line", "possible", "truth"),
    [
        ("child_pugh >= B", frozenset({"B", "C"}), True),
        ("child_pugh >= B", frozenset({"A", "B"}), None),
        ("child_pugh >= B", frozenset({"none"}), False),
        ("pregnant", frozenset({"true"}), True),
        ("not pregnant", frozenset({"true"}), False),
        ("pregnant", frozenset({"true", "false"}), None),
        ("trimester is 3", frozenset({"3"}), True),
    ],
)
def test_a_set_of_possible_values_is_compared_as_a_whole(line: str, possible: frozenset[str], truth: Truth) -> None:
    condition = read_condition(line)
    assert holds(condition, scene(of(**{condition.factor: possible}))) is truth


@pytest.mark.parametrize(
    "line",
    ["egfr < 30 mL/min/1.73m2", "pregnant", "not pregnant", "child_pugh is A", "has disease:x", "lacks disease:x"],
)
def test_what_is_not_recorded_is_unknown(line: str) -> None:
    assert holds(read_condition(line), scene(Profile())) is None


@pytest.mark.parametrize(
    ("status", "has", "had"), [("active", True, True), ("history", False, True), ("uncertain", None, None)]
)
def test_has_and_had_ask_for_now_and_ever(status: str, has: Truth, had: Truth) -> None:
    held = HeldCondition(
        ConceptId("disease:x"), status, "input", frozenset({ConceptId("disease:x"), ConceptId("disease:above")})
    )
    where = scene(Profile(conditions=(held,)))
    for name in ("disease:x", "disease:above"):
        assert holds(read_condition(f"has {name}"), where) is has
        assert holds(read_condition(f"had {name}"), where) is had
    assert holds(read_condition("lacks disease:x"), where) is (None if has is None else not has)
    assert holds(read_condition("has disease:other"), where) is False


@pytest.mark.parametrize(
    ("line", "route", "truth"),
    [
        ("route is local", "topical", True),
        ("route is local", "oral", False),
        ("route is local", None, False),
        ("route is systemic", None, True),
        ("route in oral", None, None),
        ("route in intravenous", "intravenous_push", True),
        ("route in intravenous_push", "intravenous", False),
        ("not route is local", "topical", False),
    ],
)
def test_an_unknown_route_is_taken_as_systemic_and_no_further(line: str, route: str | None, truth: Truth) -> None:
    assert holds(read_condition(line), scene(subject=exposure(route=route))) is truth


def test_a_form_that_is_not_named_is_immediate_release() -> None:
    assert holds(read_condition("form is extended_release"), scene(subject=exposure())) is False
    assert holds(read_condition("form is immediate_release"), scene(subject=exposure())) is True


def test_with_asks_for_a_third_drug_taken_systemically() -> None:
    third = exposure("c", ancestors={ConceptId("ingredient:c"): (), ConceptId("class:k"): ()})
    one, two = exposure("a"), exposure("b", ancestors={ConceptId("ingredient:b"): (), ConceptId("class:k"): ()})
    condition = read_condition("with class:k")
    assert holds(condition, Scene(Profile(), [one, two], one)) is True
    assert holds(condition, Scene(Profile(), [one, two], one, two)) is False
    assert holds(condition, Scene(Profile(), [one, two, third], one, two)) is True
    on_skin = exposure("c", route="topical", ancestors=third.ancestors)
    assert holds(condition, Scene(Profile(), [one, on_skin], one)) is False
    assert holds(read_condition("without class:k"), Scene(Profile(), [one, on_skin], one)) is True


def test_the_side_of_a_pair_is_the_one_that_is_named() -> None:
    one, two = exposure("a", daily=Interval(50, 50)), exposure("b", daily=Interval(200, 200))
    assert holds(read_condition("dose_daily > 100 mg"), scene(subject=one, object=two)) is False
    assert holds(read_condition("object.dose_daily > 100 mg"), scene(subject=one, object=two)) is True


def test_a_drug_that_goes_on_beside_a_stopped_one_was_not_stopped() -> None:
    going, stopped = exposure("a"), exposure("b", status="stopped", gap=Interval(20, 20))
    assert holds(read_condition("gap < 14 days"), scene(subject=going, object=stopped)) is False
    assert holds(read_condition("object.gap < 14 days"), scene(subject=going, object=stopped)) is False
    assert holds(read_condition("object.gap < 30 days"), scene(subject=going, object=stopped)) is True
    assert holds(read_condition("gap < 14 days"), scene(subject=going, object=exposure("b"))) is True


def _statement(*modifiers: tuple[str, Tier], first_true: bool) -> Statement:
    rows = tuple(Modifier(read_clause(line), tier, f"{tier} advice") for line, tier in modifiers)
    return Statement(
        "s", ConceptId("ingredient:a"), "interacts_with", tier=Tier.WARNING, modifiers=rows, first_true=first_true
    )


YOUNG, OLD = "age < 65 years", "age >= 65 years"


@pytest.mark.parametrize(
    ("modifiers", "first_true", "age", "tier"),
    [
        ([(OLD, Tier.INFO), ("age >= 80 years", Tier.CRITICAL)], True, 85, Tier.INFO),
        ([(OLD, Tier.INFO), ("age >= 80 years", Tier.CRITICAL)], False, 85, Tier.CRITICAL),
        ([(OLD, Tier.INFO)], False, 85, Tier.WARNING),
        ([(OLD, Tier.INFO)], True, 85, Tier.INFO),
        ([(OLD, Tier.CRITICAL)], True, 40, Tier.WARNING),
    ],
)
def test_first_true_takes_the_first_and_raise_the_highest(
    modifiers: Sequence[tuple[str, Tier]], first_true: bool, age: int, tier: Tier
) -> None:
    assert weigh(_statement(*modifiers, first_true=first_true), scene(of(age=Interval(age, age)))).tier == tier


def test_an_unknown_modifier_is_kept_only_where_it_would_change_something() -> None:
    unknown = scene(Profile())
    assert [t.tier for t, _ in weigh(_statement((OLD, Tier.CRITICAL), first_true=False), unknown).undecided] == [
        Tier.CRITICAL
    ]
    assert weigh(_statement((OLD, Tier.INFO), first_true=False), unknown).undecided == ()
    assert [t.tier for t, _ in weigh(_statement((OLD, Tier.INFO), first_true=True), unknown).undecided] == [Tier.INFO]


def test_an_empty_guard_is_true_and_an_or_needs_one_clause() -> None:
    assert guard_holds((), scene()) is True
    when = (read_clause(OLD), read_clause("pregnant"))
    assert guard_holds(when, scene(of(age=Interval(70, 70)))) is True
    assert guard_holds(when, scene(of(age=Interval(40, 40)))) is None
    assert guard_holds(when, scene(of(age=Interval(40, 40), pregnant=frozenset({"false"})))) is False
