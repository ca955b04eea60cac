"""Conditions in three values: true, false, unknown (PG-6).

`None` is unknown. An AND is false as soon as one part is false, whatever is unknown; an OR is true as soon as one is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pharmakon.audit.exposure import Exposure
from pharmakon.model.concepts import ConceptId
from pharmakon.model.profile import HeldCondition, Interval, Profile
from pharmakon.model.statements import Clause, Condition, Modifier, Statement
from pharmakon.model.vocabulary import Tier, factors, routes

Truth = bool | None

_FACTORS = factors()
_LOCAL = frozenset(name for name, route in routes().items() if route.local)
_SYSTEMIC = frozenset(routes()) - _LOCAL


@dataclass(frozen=True, slots=True)
class Scene:
    """What a condition may ask about: the patient, one order or two, and everything taken alongside."""

    profile: Profile
    current: Sequence[Exposure]
    subject: Exposure
    object: Exposure | None = None
    is_a: Mapping[ConceptId, frozenset[ConceptId]] | None = None  #: condition → itself and its ancestors

    def side(self, condition: Condition) -> Exposure:
        return self.object if condition.of == "object" and self.object is not None else self.subject


def all_of(truths: Iterable[Truth]) -> Truth:
    """AND of three values.

    >>> all_of([True, None]), all_of([None, False]), all_of([])
    (None, False, True)
    """
    unknown = False
    for truth in truths:
        if truth is False:
            return False
        unknown = unknown or truth is None
    return None if unknown else True


def any_of(truths: Iterable[Truth]) -> Truth:
    """OR of three values.

    >>> any_of([False, None]), any_of([None, True]), any_of([])
    (None, True, False)
    """
    unknown = False
    for truth in truths:
        if truth:
            return True
        unknown = unknown or truth is None
    return None if unknown else False


def holds(condition: Condition, scene: Scene) -> Truth:
    """Whether `condition` is true in `scene`."""
    shape = _FACTORS[condition.factor].shape
    if shape == "concept":
        truth = _concept(condition, scene)
    elif _FACTORS[condition.factor].of == "patient":
        truth = _patient(condition, scene.profile)
    elif condition.factor == "gap":
        truth = _gap(condition, scene)
    elif shape == "number":
        truth = _compare(condition, scene.side(condition).number(condition.factor))
    else:
        truth = _order(condition, scene.side(condition))
    return (not truth) if condition.negated and truth is not None else truth


def clause_holds(clause: Clause, scene: Scene) -> Truth:
    return all_of(holds(c, scene) for c in clause)


def guard_holds(when: Sequence[Clause], scene: Scene) -> Truth:
    """The OR of a guard; an empty guard is true."""
    return any_of(clause_holds(c, scene) for c in when) if when else True


def unknown_in(when: Sequence[Clause], scene: Scene) -> tuple[Condition, ...]:
    """The conditions that keep a guard from being decided: those unknown in clauses that nothing makes false."""
    found = [c for clause in when if clause_holds(clause, scene) is None for c in clause if holds(c, scene) is None]
    return tuple(dict.fromkeys(found))


def true_in(when: Sequence[Clause], scene: Scene) -> tuple[Condition, ...]:
    """The conditions of the first clause that holds."""
    return next((clause for clause in when if clause_holds(clause, scene)), ())


@dataclass(frozen=True, slots=True)
class Weight:
    """The tier of a statement in a scene, the advice that goes with it, and what unknown values would make of it."""

    tier: Tier
    management: str
    because: tuple[Condition, ...]
    undecided: tuple[tuple[Modifier, tuple[Condition, ...]], ...]


def weigh(statement: Statement, scene: Scene) -> Weight:
    """Tier by the settled rule: the first true clause of an ordered list, else the highest true modifier."""
    tier, management = statement.tier, statement.management
    because: Clause = ()
    undecided: list[tuple[Modifier, tuple[Condition, ...]]] = []
    for modifier in statement.modifiers:
        truth = clause_holds(modifier.clause, scene)
        if truth is None:
            undecided.append((modifier, unknown_in((modifier.clause,), scene)))
        elif truth and statement.first_true:
            tier, management, because = modifier.tier, modifier.management or management, modifier.clause
            break
        elif truth and modifier.tier > tier:
            tier, management, because = modifier.tier, modifier.management or management, modifier.clause
    if not statement.first_true:  # the highest true one counts, so a lower one would change nothing
        undecided = [u for u in undecided if u[0].tier > tier]
    changing = tuple(u for u in undecided if u[0].tier != tier or (u[0].management and u[0].management != management))
    return Weight(tier, management, because, changing)


def mentions_route(statement: Statement) -> bool:
    """Whether a statement speaks about routes itself; if not, it is about systemic exposure only."""
    return any(c.factor == "route" for c in _conditions(statement))


def _conditions(statement: Statement) -> Iterator[Condition]:
    for clause in statement.when:
        yield from clause
    for modifier in statement.modifiers:
        yield from modifier.clause


def _patient(condition: Condition, profile: Profile) -> Truth:
    known = profile.factors.get(condition.factor)
    if known is None:
        return None
    if isinstance(known.value, Interval):
        return _compare(condition, known.value)
    return _among(frozenset(condition.values), known.value)


def _among(wanted: frozenset[str], possible: frozenset[str]) -> Truth:
    if possible <= wanted:
        return True
    return None if possible & wanted else False


def _compare(condition: Condition, value: Interval | None) -> Truth:
    """An interval against a figure: true where all of it agrees, false where none does."""
    if value is None:
        return None
    limit, low, high = condition.number, value.low, value.high
    below_all = high < limit or (value.open_high and high <= limit and low < high)
    match condition.op:
        case "<":
            return True if below_all else False if low >= limit else None
        case "<=":
            return True if high <= limit else False if low > limit else None
        case ">":
            return True if low > limit else False if high <= limit else None
        case ">=":
            return True if low >= limit else False if below_all else None
    raise ValueError(f"no comparison {condition.op!r}")


def _gap(condition: Condition, scene: Scene) -> Truth:
    """Days since one drug of a pair was stopped. One that goes on beside a stopped one has not been stopped at all."""
    side = scene.side(condition)
    other = scene.subject if side is scene.object else scene.object
    if side.current and other is not None and not other.current:
        return False
    return _compare(condition, side.number("gap"))


def _order(condition: Condition, exposure: Exposure) -> Truth:
    wanted = frozenset(condition.values)
    if condition.factor == "route":
        if exposure.route is None:  # unknown: taken as systemic, so a local-only question is answered
            return False if wanted <= _LOCAL else True if wanted >= _SYSTEMIC else None
        return exposure.route in wanted
    if condition.factor == "form":
        # a product that does not say it is released slowly is not
        return (exposure.form or "immediate_release") in wanted
    flag = exposure.undiluted if condition.factor == "undiluted" else exposure.as_needed
    return None if flag is None else ("true" if flag else "false") in wanted


def _concept(condition: Condition, scene: Scene) -> Truth:
    wanted = frozenset(ConceptId(v) for v in condition.values)
    if condition.factor == "with":
        taken = (e for e in scene.current if e is not scene.subject and e is not scene.object)
        others = {scene.subject.ingredient, scene.object.ingredient if scene.object else None}
        return any(not e.local and e.ingredient not in others and wanted & e.ancestors.keys() for e in taken)
    if condition.factor == "indication":
        return _indication(wanted, scene, scene.side(condition))
    if scene.profile.conditions is None:
        return None
    return any_of(_held(h, wanted, past=condition.factor == "had") for h in scene.profile.conditions)


def _held(held: HeldCondition, wanted: frozenset[ConceptId], *, past: bool) -> Truth:
    if not wanted & held.ancestors:
        return False
    if held.status == "uncertain":
        return None
    return True if held.status == "active" else past


def _indication(wanted: frozenset[ConceptId], scene: Scene, exposure: Exposure) -> Truth:
    """The order's own indication decides; without one, a matching condition of the patient stands in for it."""
    if exposure.indication is not None:
        return bool(wanted & exposure.indication_ancestors)
    held = scene.profile.conditions or ()
    return True if any(h.status == "active" and wanted & h.ancestors for h in held) else None
