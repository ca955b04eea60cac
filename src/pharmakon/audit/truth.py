"""Conditions in three values: true, false, unknown (PG-6).

`None` is unknown. An AND is false as soon as one part is false, whatever is unknown; an OR is true as soon as one is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pharmakon.audit.exposure import Exposure
from pharmakon.model.profile import Interval, Profile
from pharmakon.model.statements import Clause, Condition, Modifier, Statement
from pharmakon.model.vocabulary import Tier, factors, routes

Truth = bool | None

_LOCAL = frozenset(name for name, route in routes().items() if route.local)
_SYSTEMIC = frozenset(routes()) - _LOCAL


@dataclass(frozen=True, slots=True)
class Scene:
    """What a condition may ask about: the patient, one order or two, and everything taken alongside."""

    profile: Profile
    current: Sequence[Exposure]
    subject: Exposure
    object: Exposure | None = None

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
    truth = _handler(condition.factor)(condition, scene)
    return (not truth) if condition.negated and truth is not None else truth


def clause_holds(clause: Clause, scene: Scene) -> Truth:
    """AND, left to right; written out because an audit asks it thousands of times."""
    unknown = False
    for condition in clause:
        truth = _handler(condition.factor)(condition, scene)
        if truth is None:
            unknown = True
        elif truth is condition.negated:
            return False
    return None if unknown else True


def guard_holds(when: Sequence[Clause], scene: Scene) -> Truth:
    """The OR of a guard; an empty guard is true."""
    if not when:
        return True
    unknown = False
    for clause in when:
        truth = clause_holds(clause, scene)
        if truth:
            return True
        unknown = unknown or truth is None
    return None if unknown else False


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


@lru_cache(maxsize=65_536)
def mentions_route(statement: Statement) -> bool:
    """Whether a statement speaks about routes itself; if not, it is about systemic exposure only."""
    return any(c.factor == "route" for c in _conditions(statement))


def _conditions(statement: Statement) -> Iterator[Condition]:
    for clause in statement.when:
        yield from clause
    for modifier in statement.modifiers:
        yield from modifier.clause


def _patient(condition: Condition, scene: Scene) -> Truth:
    known = scene.profile.factors.get(condition.factor)
    if known is None:
        return None
    if isinstance(known.value, Interval):
        return _compare(condition, known.value)
    return _among(frozenset(condition.values), known.value)


def _amount(condition: Condition, scene: Scene) -> Truth:
    return _compare(condition, scene.side(condition).number(condition.factor))


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


def _route(condition: Condition, scene: Scene) -> Truth:
    route, wanted = scene.side(condition).route, condition.values
    if route is not None:
        return route in wanted
    # unknown: taken as systemic, so a question about local routes alone is answered
    return False if _LOCAL.issuperset(wanted) else True if _SYSTEMIC.issubset(wanted) else None


def _form(condition: Condition, scene: Scene) -> Truth:
    """A product that does not say it is released slowly is not."""
    return (scene.side(condition).form or "immediate_release") in condition.values


def _flag(condition: Condition, scene: Scene) -> Truth:
    exposure = scene.side(condition)
    if condition.factor == "as_needed":  # an order that does not say so is not
        return ("true" if exposure.as_needed else "false") in condition.values
    return None if exposure.undiluted is None else ("true" if exposure.undiluted else "false") in condition.values


def _with(condition: Condition, scene: Scene) -> Truth:
    subject, object = scene.subject, scene.object
    for taken in scene.current:
        if taken.ingredient == subject.ingredient or taken.local:
            continue
        if object is not None and taken.ingredient == object.ingredient:
            continue
        if any(v in taken.ancestors for v in condition.values):
            return True
    return False


def _has(condition: Condition, scene: Scene) -> Truth:
    """`has` asks about now, `had` about ever."""
    held = scene.profile.conditions
    if held is None:
        return None
    unknown = not scene.profile.complete and not scene.profile.denied.issuperset(condition.values)
    for one in held:
        if one.ancestors.isdisjoint(condition.values):
            continue
        if one.status == "uncertain":
            unknown = True
        elif one.status == "active" or condition.factor == "had":
            return True
    return None if unknown else False


def _indication(condition: Condition, scene: Scene) -> Truth:
    """The order's own indication decides; without one, a matching condition of the patient stands in for it."""
    exposure = scene.side(condition)
    if exposure.indication is not None:
        return not exposure.indication_ancestors.isdisjoint(condition.values)
    held = scene.profile.conditions or ()
    return True if any(h.status == "active" and not h.ancestors.isdisjoint(condition.values) for h in held) else None


def _unstated(_condition: Condition, _scene: Scene) -> Truth:
    """What no order states yet is unknown."""
    return None


_OWN: Mapping[str, Callable[[Condition, Scene], Truth]] = {
    "gap": _gap,
    "route": _route,
    "form": _form,
    "with": _with,
    "indication": _indication,
    "has": _has,
    "had": _has,
    "undiluted": _flag,
    "as_needed": _flag,
}


@cache
def _handler(name: str) -> Callable[[Condition, Scene], Truth]:
    """By the factor's name; of one that the schema grew by, by its shape. What a factor is never changes."""
    if name in _OWN:
        return _OWN[name]
    factor = factors()[name]
    if factor.of == "patient" and factor.shape != "concept":
        return _patient
    return _amount if factor.shape == "number" else _unstated
