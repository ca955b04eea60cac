"""One instruction → one course: its dose, its timing, what bounds a day, and what a reader must be told of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pharmakon.link.dosing.grammar import Step
from pharmakon.link.dosing.readings import Item
from pharmakon.link.dosing.timing import summed, timing_of, weekly_course
from pharmakon.model.prescription import Amount, Timing
from pharmakon.model.units import convert, dimension


@dataclass(frozen=True, slots=True)
class Course:
    """One step, understood. `limit`: the highest amount of a day where that is less than dose times timing."""

    dose: Amount | None
    timing: Timing | None
    limit: Amount | None
    duration: float | None
    unused: tuple[Item, ...] = ()  #: doses that could not be reconciled with the others
    restated: Amount | None = None
    later: float | None = None  #: days after the step before
    runs: bool = False  #: an infusion of some hours, given once: what follows is of the same day
    peak: bool = False  #: `limit` is one day of a period, above its mean
    notes: tuple[str, ...] = ()

    def daily(self) -> float:
        """The highest amount of a day it is taken on, in the dose's own unit; 0 without a dose."""
        if self.dose is None:
            return 0.0
        product = self.dose.high * (max(1.0, self.timing.per_day[1]) if self.timing else 1.0)
        if self.peak and self.limit:
            return high_in(self.limit, self.dose.unit) or product
        limit = high_in(self.limit, self.dose.unit)
        return product if limit is None else min(product, limit)


def high_in(amount: Amount | None, unit: str) -> float | None:
    """The high end of an amount in another unit, or None where the two don't compare."""
    if amount is None or dimension(amount.unit) != dimension(unit):
        return None
    return convert(amount.high, amount.unit, unit)


def span(amounts: Sequence[Amount]) -> Amount:
    """The range that holds them all, in the unit of the first."""
    unit = amounts[0].unit
    ends = [convert(end, amount.unit, unit) for amount in amounts for end in (amount.low, amount.high)]
    return Amount(min(ends), max(ends), unit)


def _given(doses: Sequence[Item]) -> tuple[list[Item], list[Item], bool]:
    """The doses that are given; those that are a strength or say the same again; whether all can be reconciled."""
    given: list[Item] = []
    again: list[Item] = []
    masses: dict[int, Item] = {}  # place of a counted dose in the text → its mass in brackets
    for item in doses:
        if not given:
            given.append(item)
            continue
        before, now = _amount(given[-1]), _amount(item)
        kinds = dimension(before.unit), dimension(now.unit)
        if kinds[0] == kinds[1]:
            (again if item.restates else given).append(item)
        elif item.joined and not item.restates:
            return given, [*doses], False
        elif kinds[0] in _HANDLED and kinds[1] not in _HANDLED:
            # "1 tablet (5 mg)", "2 tablets (1000 mg total)"; but "2 tablets of 500 mg", "2 tablets (500 mg)": each or
            # together, the name of the drug will tell
            same = item.restates and (kinds[0] == "volume" or before.low == before.high == 1)
            if item.tag == "z" or same:
                masses[given[-1].at] = item
            else:
                again.append(item)
        elif kinds[1] == "count" and kinds[0] not in _HANDLED:
            if not item.restates and not now.low == now.high == 1:  # "500 mg 2 tablets"; but "500 mg (2 tablets)"
                again.append(given.pop())
                given.append(item)
        else:  # "17 g in 240 mL of water"
            again.append(item)
    if all(item.at in masses for item in given):
        given = [replace(item, amount=masses[item.at].amount) for item in given]
    else:
        again += masses.values()
    one_kind = len({dimension(_amount(item).unit) for item in given}) <= 1
    return given, again if one_kind else [*doses], one_kind


#: what a hand or a spoon counts
_HANDLED = ("count", "volume")


def _amount(item: Item) -> Amount:
    assert item.amount is not None
    return item.amount


_WHEN = ("timing", "moments", "weekdays")


def _parts(items: Sequence[Item], doses: Sequence[Item]) -> list[list[Item]] | None:
    """The items of each dose, or None where they can't be told apart.

    First a part begins at every dose ("1 in the morning, 2 at night"), then also at a timing that follows a dose with
    its timing ("10 mg daily, at night 5 mg"; but "three times a day and at bedtime" stays whole), then at every timing
    that follows a dose ("in the morning 1 and at night 2"). Each part must come out with one dose and a timing.
    """

    def split(begins: Callable[[Item, bool, bool], bool]) -> list[list[Item]]:
        parts: list[list[Item]] = [[]]
        for item in items:
            has_dose = any(other in doses for other in parts[-1])
            has_when = any(other.kind in _WHEN for other in parts[-1])
            if (item in doses and has_dose) or (item.kind in _WHEN and begins(item, has_dose, has_when)):
                parts.append([])
            parts[-1].append(item)
        return parts

    ways: tuple[Callable[[Item, bool, bool], bool], ...] = (
        lambda _item, _dose, _when: False,
        lambda item, dose, when: dose and when and not item.joined,
        lambda _item, dose, _when: dose,
    )
    for begins in ways:
        parts = split(begins)
        if all(sum(i in doses for i in part) == 1 and any(i.kind in _WHEN for i in part) for part in parts):
            return parts
    return None


def course_of(step: Step) -> Course:
    """One step, with what bounds it in time and what a reader must be told of it."""
    given, again, reconciled = _given(step.of("dose"))
    given, notes = _higher(step, given, again)
    runs = bool(step.of("running")) and not step.of(*_WHEN)
    found = _dosed(step, given, again, reconciled)
    again = [item for item in found.unused if item.amount not in notes]
    found = replace(found, unused=tuple(again), notes=tuple(text for text in notes.values() if text), runs=runs)
    counts = [item.count for item in step.of("course")]
    if counts and found.dose and found.timing:
        found = _counted(step, found, counts[0])
    laters = [item.days for item in step.of("later")]
    singles = [item.single for item in step.of("timing")]
    if laters and min(laters) < 1 and singles and all(singles) and found.dose and found.timing:
        # "1 tablet now and again in 1 hour"
        more = summed([found.timing, Timing(1, 1, 1.0)])
        found = replace(found, timing=more, notes=(*found.notes, f"a further dose{hours(min(laters))}; both count"))
    elif laters:
        found = replace(found, later=max(laters))
    dose = found.dose
    restated, each = _restated(step, dose)
    if restated and dose:
        found = replace(found, restated=restated)
        if found.unused and not each:
            text = f"the dose is written twice, as {figures(dose)} and as {figures(restated)}"
            found = replace(found, notes=(*found.notes, text))
    return found


def _restated(step: Step, dose: Amount | None) -> tuple[Amount | None, bool]:
    """The dose in its other unit, where a count and a mass are written of it once; whether "each" was said of the mass.

    "2 tablets (20 mg)" → 20 mg; "1 tablet (500 mg)", read as 500 mg → 1 tablet; "2 tablets (20 mg each)" → 40 mg.
    """
    pairs = [(before, now) for before, now in pairwise(step.of("dose")) if now.restates]
    if dose is None or len(pairs) != 1 or len(step.of("dose")) != 2:
        return None, False
    before, now = pairs[0]
    kinds = [dimension(_amount(item).unit) for item in pairs[0]]
    if "count" not in kinds or kinds[0] == kinds[1] or set(kinds) & {"volume"}:
        return None, False
    each = now.end < len(step.words) and step.words[now.end].tag == "e"
    other = _amount(now if kinds[0] == dimension(dose.unit) else before)
    if each and kinds[0] == "count":
        counted = _amount(before)
        other = Amount(other.low * counted.low, other.high * counted.high, other.unit)
    return _doubled(step, other), each


def _higher(step: Step, given: list[Item], again: Sequence[Item]) -> tuple[list[Item], dict[Amount | None, str]]:
    """Of two doses in one unit, "10 mg (20 mg)", the higher; the other one, and what is said of the two."""
    if len(given) != 1:
        return given, {}
    dose = _amount(given[0])
    notes: dict[Amount | None, str] = {}
    for item in again:
        other: Amount = _amount(item)
        high = high_in(other, dose.unit)
        around = [word.tag for word in step.words[max(item.at - 1, 0) : item.at] + step.words[item.end : item.end + 1]]
        in_all = item.tag == "z" or any(i.kind == "timing" and i.at == item.at for i in step.items)
        if high is None or other is dose or in_all or around not in (["(", ")"], ["("]):  # "(2,403 mg/day)" is the day
            continue
        same = abs(high - dose.high) <= 1e-9 * high
        notes[other] = "" if same else f"two doses are written, {figures(dose)} and {figures(other)}; the higher counts"
        if high > dose.high and not same:
            given = [replace(given[0], amount=other)]
            dose = other
    return given, notes


def _counted(step: Step, course: Course, count: float) -> Course:
    """A course of so many doses: it lasts until they are taken; every week anew, one day holds several."""
    assert course.dose is not None
    assert course.timing is not None
    if weekly := weekly_course(step.items):
        most = course.dose.high * weekly[1]
        text = f"{count:g} doses in each {weekly[0].days:g} days, at most {weekly[1]:g} of them on one day"
        limit = Amount(most, most, course.dose.unit)
        return replace(course, limit=limit, peak=True, notes=(*course.notes, text))
    fast = timing_of([item for item in step.items if item.kind != "course"])
    notes = course.notes
    if fast and fast.per_day[1] > count:
        notes = (*notes, f"at most {count:g} doses in all; they count as the most of one day")
    if step.flag("r") or course.duration is not None or fast is None or fast.per_day[0] <= 0:
        return replace(course, notes=notes)
    return replace(course, duration=max(1.0, count / fast.per_day[0]), notes=notes)


def hours(days: float | None) -> str:
    return "" if days is None else f" {round(days * 24, 2):g} h later"


def figures(amount: Amount) -> str:
    said = f"{amount.low:g}" if amount.low == amount.high else f"{amount.low:g} to {amount.high:g}"
    return f"{said} {amount.unit}"


def _dosed(step: Step, given: list[Item], again: Sequence[Item], reconciled: bool) -> Course:
    durations = [item.days for item in step.of("duration", "stage")]
    duration = max(durations) if durations else None
    singles = [item.single for item in step.of("timing")]
    if duration is None and singles and all(singles) and not step.of("moments"):
        duration = 1.0
    items = [next((dose for dose in given if dose.at == item.at), item) if item.kind == "dose" else item
             for item in step.items if item.kind != "dose" or item not in again]  # fmt: skip
    said = any(word.tag in "cx" for word in step.words)  # "300 mg twice"
    if any(item.tag == "day" for item in step.of("stage")) and not step.of(*_WHEN) and not said:
        items.append(Item("timing", len(step.words), len(step.words), timing=Timing(1, 1, 1.0)))  # "day 1: 40 mg"
    named = frozenset(day for item in step.of("weekdays") for day in item.slots) - {"others"}
    limit = _limit(step, given)
    daily = any(item.timing and item.timing.days == item.timing.high == 1 for item in step.of("timing"))
    if step.flag("q") and daily and len(given) == 1 and limit is None:  # "40 mg/day divided bid"
        whole = _amount(given[0])
        limit = Amount(whole.high, whole.high, whole.unit)
    if not reconciled or not given:
        return Course(None, timing_of(items, named), limit, duration, tuple(again))
    if len(given) == 1:
        return Course(_doubled(step, _amount(given[0])), timing_of(items, named), limit, duration, tuple(again))
    dose = _doubled(step, span([_amount(item) for item in given]))
    parts = _parts(items, given)
    if parts is None:
        return Course(dose, _side_by_side(items, len(given), named), limit, duration, tuple(again))
    each = [(_amount(next(item for item in part if item in given)), timing_of(part, named)) for part in parts]
    timing = summed([when for _, when in each if when])
    if limit is None and all(when.days <= 1 for _, when in each if when):
        highs = [convert(amount.high, amount.unit, dose.unit) * when.per_day[1] for amount, when in each if when]
        limit = _doubled(step, Amount(sum(highs), sum(highs), dose.unit))
    return Course(dose, timing, limit, duration, tuple(again))


def _side_by_side(items: Sequence[Item], doses: int, named: frozenset[str]) -> Timing | None:
    """Where no dose has a timing of its own, every timing counts, and a dose without any counts once a day."""
    found = [
        Timing(item.days, item.days, 1.0) if item.kind == "moments" else when
        for item in items
        if item.kind in _WHEN and (when := timing_of([item], named))
    ]
    return summed([*found, *[Timing(1, 1, 1.0)] * (doses - len(found))]) if found else None


def _doubled(step: Step, amount: Amount) -> Amount:
    return Amount(amount.low * 2, amount.high * 2, amount.unit) if step.flag("2") else amount


def _limit(step: Step, given: Sequence[Item]) -> Amount | None:
    """The strictest limit a day; "max 8" counts in the unit of the dose."""
    found: Amount | None = None
    for item in step.of("limit"):
        said = _amount(item)
        if item.bare and given:
            said = replace(said, unit=_amount(given[0]).unit)
        high = high_in(said, found.unit) if found else None
        if found is None or (high is not None and high < found.high):
            found = said
    return found
