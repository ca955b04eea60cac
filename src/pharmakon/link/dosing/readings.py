"""What a group of words says: one small function for each reading, from the words a pattern matched to items.

Each takes the words of a step and a match over their letters, and gives items, or None where the words say something
else after all. A group named in the pattern says which letter is what: `r` the figure, `u` its unit, `t` the period,
`k` its multiple ("every 4 weeks"), `c` once or twice, `times` a count before the figure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pharmakon.link.dosing.numbers import FIGURE, read_number
from pharmakon.link.dosing.words import Frequency, Word, vocabulary
from pharmakon.model.prescription import Amount, Timing
from pharmakon.model.units import convert, dimension

HOUR = 1 / 24
_DAY_OF = {"min": 1 / 1440, "hour": HOUR, "day": 1.0, "s": 1 / 86400, "ms": 1 / 86400000}


@dataclass(frozen=True, slots=True)
class Item:
    """What a group of words said. `at` and `end` count the words of the step.

    kind: dose, timing, moments, weekdays, duration, limit (amount a day), cap (times a day), flag; later (`days` after
    the dose before), running (`days` that one dose takes), stage ("day 2-5" of a course, `days` long),
    course (`count` doses in all).
    """

    kind: str
    at: int
    end: int
    amount: Amount | None = None
    timing: Timing | None = None
    days: float = 0.0  #: of a duration; for moments, how many were mentioned, each time anew
    slots: tuple[str, ...] = ()
    single: bool = False
    bare: bool = False  #: a figure without a unit
    joined: bool = False  #: an "and" stands before it
    restates: bool = False  #: "(" or "=" stands before it
    tag: str = ""
    route: str = ""
    count: float = 0.0
    times: tuple[float, float] | None = None  #: the count before a dose: "3 x 1 tablet"


def _range(words: Sequence[Word], match: re.Match[str], group: str) -> tuple[float, float]:
    figures = [word.meaning.number for word in words[match.start(group) : match.end(group)] if word.tag in "nj"]
    return min(figures), max(figures)


def _period(words: Sequence[Word], match: re.Match[str], group: str = "t") -> float:
    unit = words[match.start(group)].meaning
    if unit.frequency is not None:
        return unit.frequency.days
    return _DAY_OF.get(unit.name) or convert(1, unit.name, "day")


def _has(match: re.Match[str], group: str) -> bool:
    return group in match.re.groupindex and match[group] is not None


def _multiple(words: Sequence[Word], match: re.Match[str]) -> tuple[float, float]:
    """The n of "every n weeks"; 1 where none is said."""
    return _range(words, match, "k") if _has(match, "k") else (1.0, 1.0)


def _timing(low: float, high: float, shortest: float, longest: float) -> Timing | None:
    """`low` to `high` times in a period of `shortest` to `longest` days: 1 every 4-6 h is 1 to 1.5 per 6 h."""
    if shortest <= 0 or high <= 0:
        return None
    return Timing(low, high * longest / shortest, longest)


def _item(kind: str, match: re.Match[str], **said: object) -> Item:
    return replace(Item(kind, match.start(), match.end()), **said)  # type: ignore[arg-type]


def times_per(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "3 times a day", "twice weekly", "once every 3 months", "1日3次", "every 4-6 hours", "6 hourly"."""
    low, high = _range(words, match, "r") if _has(match, "r") else (1.0, 1.0)
    if _has(match, "c"):
        low = high = words[match.start("c")].meaning.number
    frequency = words[match.start("t")].meaning.frequency
    if frequency is not None and not frequency.base:
        return None
    few, many = _multiple(words, match)
    day = _period(words, match)
    timing = _timing(low, high, few * day, many * day)
    return [_item("timing", match, timing=timing)] if timing else None


def times_of(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "daily 2 times", "隔日一次": so many times in a whole frequency."""
    low, high = _range(words, match, "r")
    said = words[match.start("t")].meaning.frequency
    if said is None or not (said.base or high == 1):
        return None
    timing = _timing(low * said.low, high * said.high, said.days, said.days)
    return [_item("timing", match, timing=timing)] if timing else None


def two_intervals(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "every 4 hours or every 6 hours", "4 hrly or 5 hrly"."""
    first = _range(words, match, "k")[0] * _period(words, match, "t")
    second = _range(words, match, "k2")[1] * _period(words, match, "t2")
    timing = _timing(1, 1, min(first, second), max(first, second))
    return [_item("timing", match, timing=timing)] if timing else None


def hourly(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    frequency = words[match.start("t")].meaning.frequency
    if frequency is None or not frequency.base or frequency.days > HOUR:  # "2 weekly" may be a dose of two
        return None
    return two_intervals(words, match) if _has(match, "t2") else times_per(words, match)


def whole(words: Sequence[Word], match: re.Match[str]) -> list[Item]:
    said = words[match.start()].meaning.frequency or Frequency(1, 1, 1)
    return [_item("timing", match, timing=Timing(said.low, said.high, said.days), single=said.single)]


def _amount(words: Sequence[Word], match: re.Match[str], group: str = "r", unit: str = "u") -> Amount | None:
    low, high = _range(words, match, group) if _has(match, group) else (1.0, 1.0)  # "a tablet"
    name = words[match.start(unit)].meaning.name if _has(match, unit) else "piece"
    if _has(match, group) and "%" in match[group] and dimension(name) != "count":
        return None  # "2 of 5 mg" is no range
    if _has(match, "kg"):
        per = words[match.start("kg")].meaning.name
        if per not in ("kg", "lb", "m2"):
            return None
        name = f"{name}/{per}"
    return Amount(low, high, name)


def dose(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    amount = _amount(words, match)
    if amount is None:
        return None
    if _has(match, "times"):
        few, many = _range(words, match, "times")
        amount = Amount(amount.low * few, amount.high * many, amount.unit)
        sign = [word for word in words[match.start() : match.end()] if word.tag == "x"]
        if few > 0 and sign and not sign[0].meaning.name:
            return [_item("dose", match, amount=amount, times=(few, many))]
    if _has(match, "half"):
        half = _range(words, match, "half")[0]
        amount = Amount(amount.low + half, amount.high + half, amount.unit)
    if _has(match, "r2"):  # "500 mg to 1 g"
        other = _amount(words, match, "r2", "u2")
        if other is None or dimension(other.unit) != dimension(amount.unit):
            return None
        figures = (amount.low, convert(other.high, other.unit, amount.unit))
        amount = Amount(min(figures), max(figures), amount.unit)
    return [_item("dose", match, amount=amount, tag="z" if _has(match, "total") else "")]


def so_many_of(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "two 500 mg tablets" are 1000 mg; "3 1 tablet" is not understood."""
    counted = dimension(words[match.start("u")].meaning.name) == "count"
    return None if counted else dose(words, match)


def one(words: Sequence[Word], match: re.Match[str]) -> list[Item]:
    return [_item("dose", match, amount=Amount(1, 1, words[match.start("u")].meaning.name))]


def dose_per(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "40 mg/day", "2 x 500 mg per dag", "5 mcg/kg/min": a dose and its timing at once."""
    amount = _amount(words, match)
    few, many = _multiple(words, match)
    low, high = _range(words, match, "times") if _has(match, "times") else (1.0, 1.0)
    day = _period(words, match)
    timing = _timing(low, high, few * day, many * day)
    if amount is None or timing is None:
        return None
    return [_item("dose", match, amount=amount), _item("timing", match, timing=timing)]


def dd(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "3dd2": three times a day two (Dutch)."""
    low, high = _range(words, match, "times")
    if high <= 0:
        return None
    items = [_item("timing", match, timing=Timing(low, high, 1.0))]
    if _has(match, "r") and (amount := _amount(words, match)):
        items.append(_item("dose", match, amount=amount, bare=not _has(match, "u")))
    return items


def scheme(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "1-0-2": morning, noon, evening (and night). The figures are doses, their sum is what a day amounts to."""
    taken = _taken(words[match.start()])
    unit = words[match.start("u")].meaning.name if _has(match, "u") else ""
    if not taken or (not unit and max(taken) > vocabulary()["bare_dose_limit"]):
        return None
    return _by_scheme(match, taken, unit)


def scheme_of(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "1 tablet 1-0-1": the scheme says when, the dose what is counted; "2 tablets 1-0-1" are two, twice a day.

    A dose of several beside a scheme of unequal figures may mean either, and is left to the other readings.
    """
    unit = words[match.start("u")].meaning.name
    taken, (few, many) = _taken(words[match.start("s")]), _range(words, match, "r")
    if not taken or dimension(unit) != "count":
        return None
    if few == many == 1:
        return _by_scheme(match, taken, unit)
    if set(taken) == {1.0} or set(taken) == {many}:
        timing = Timing(len(taken), len(taken), 1.0)
        return [_item("dose", match, amount=Amount(few, many, unit)), _item("timing", match, timing=timing)]
    return None


def _taken(word: Word) -> list[float]:
    """The figures of a scheme that are doses."""
    figures = [sum(read_number(figure[0]) or 0.0 for figure in re.finditer(FIGURE, p)) for p in word.meaning.slots]
    return [figure for figure in figures if figure > 0]


def _by_scheme(match: re.Match[str], taken: Sequence[float], unit: str) -> list[Item]:
    amount = Amount(min(taken), max(taken), unit or "piece")
    items = [
        _item("dose", match, amount=amount, bare=not unit),
        _item("timing", match, timing=Timing(len(taken), len(taken), 1.0)),
    ]
    if min(taken) < max(taken):
        items.append(_item("limit", match, amount=Amount(sum(taken), sum(taken), amount.unit)))
    return items


def cap(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "max 4 times a day", "up to tid": a limit on the timing."""
    if _has(match, "f"):
        whole = words[match.start("f")].meaning.frequency or Frequency(1, 1, 1)
        return [_item("cap", match, timing=Timing(whole.low, whole.high, whole.days))]
    return [_item("cap", match, timing=item.timing) for item in times_per(words, match) or ()] or None


def limit(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "max 4 g/day", "not more than 8 in 24 hours": an amount a day; longer periods are not a limit a day."""
    amount = _amount(words, match)
    whole = words[match.start("t")].meaning.frequency if _has(match, "t") else None
    if amount is None or (whole is not None and not whole.base):
        return None
    day = _multiple(words, match)[0] * _period(words, match) if _has(match, "t") else 1.0
    if day <= 0 or day > 1:
        return blocked(words, match)
    highest = amount.high / day
    return [_item("limit", match, amount=Amount(highest, highest, amount.unit), bare=not _has(match, "u"))]


def at_most(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "up to 2 tablets", with no other dose beside it: a dose from nothing to two.

    Beside another dose it limits we know not what, and is left unread; save for what is given every few minutes, where
    it can only be the doses in all.
    """
    amount = _amount(words, match)
    if not _has(match, "u") and _minutes(words):
        return course(words, match)
    beside = match.string[: match.start()] + " " + match.string[match.end() :]
    if (
        amount is None
        or re.search("nu", beside)
        or (not _has(match, "u") and amount.high > vocabulary()["bare_dose_limit"])
    ):
        return blocked(words, match)
    return [_item("dose", match, amount=Amount(0, amount.high, amount.unit), bare=not _has(match, "u"))]


def strength(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "125 mg/5 mL" is what the bottle holds, not a dose; "10 mg/kg" is one."""
    return None if words[match.start("u")].meaning.name in ("kg", "lb", "m2") else blocked(words, match)


def release(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "25 mcg/h" of "25 mcg/h every 72 hours" is what a patch releases, not how often it is changed."""
    return blocked(words, match) if words[match.start("t")].meaning.name == "hour" else None


def and_a_half(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    return dose(words, match) if _range(words, match, "half")[0] == 0.5 else None


def moments(words: Sequence[Word], match: re.Match[str]) -> list[Item]:
    """Slots of the day, each once; "or" between two makes them alternatives, "twice" before one counts it twice."""
    slots: list[str] = []
    joined = either = False
    weight = 1.0
    mentions = 0
    for word in words[match.start() : match.end()]:
        if word.tag == "c":
            weight = word.meaning.number
        joined, either = joined or word.tag in "&,", either or word.tag == "-"
        if word.tag == "m":
            said = word.meaning.slots
            mentions += len(said) * int(weight)
            same_hour = not joined and bool(slots) and {*said, slots[-1]} <= {"evening", "night"}
            if not (slots and either) and not same_hour:
                slots += [slot for slot in said if slot not in slots]
            slots += [f"again {word.start}.{n}" for n in range(1, int(weight))]
            joined, either, weight = False, False, 1.0
    meals = all(len(word.meaning.slots) != 1 for word in words[match.start() : match.end()])
    return [_item("moments", match, slots=tuple(slots), days=mentions, tag="meals" if meals else "")]


def clock(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    if _has(match, "t") and not any(word.meaning.name == "hour" for word in words[match.start() : match.end()]):
        return None
    times = sum(word.tag in "kn" for word in words[match.start() : match.end()])
    return [_item("moments", match, slots=tuple(f"clock {match.start()}.{n}" for n in range(times)), days=times)]


def clock_and_figures(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "at 0800 and 2000": after one time of the clock a figure of four digits is another."""
    figures = [word.meaning.number for word in words[match.start() : match.end()] if word.tag == "n"]
    if not all(100 <= figure < 2400 and figure % 100 < 60 and figure == int(figure) for figure in figures):
        return None
    return clock(words, match)


_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def weekdays(words: Sequence[Word], match: re.Match[str]) -> list[Item]:
    said: list[str] = []
    for position in range(match.start(), match.end()):
        if words[position].tag == "w":
            slots = words[position].meaning.slots
            if said and words[position - 1].tag == "-" and slots[0] in _WEEK and said[-1] in _WEEK:
                first, last = _WEEK.index(said[-1]), _WEEK.index(slots[0])
                slots = tuple(_WEEK[day % 7] for day in range(first, last + (7 if last < first else 0) + 1))
            said += [slot for slot in slots if slot not in said]
    return [_item("weekdays", match, slots=tuple(said))]


def duration(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    many = _range(words, match, "r")[1] if _has(match, "r") else 1.0
    days = many * _period(words, match)
    return [_item("duration", match, days=days)] if days >= 1 else None


def flag(words: Sequence[Word], match: re.Match[str]) -> list[Item]:
    meaning = words[match.start()].meaning
    return [_item("flag", match, tag="2" if meaning.paired else meaning.tag, route=meaning.name)]


def bare(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    amount = _amount(words, match)
    if amount is None or not 0 < amount.high <= vocabulary()["bare_dose_limit"]:
        return None
    return [_item("dose", match, amount=amount, bare=True)]


def single(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    if words[match.start("r")].meaning.number != 1:
        return course(words, match) if _minutes(words) else None
    return [_item("timing", match, timing=Timing(1, 1, 1.0), single=True)]


def so_many_times(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "3x1": three times a day one (Continental)."""
    amount = _amount(words, match)
    low, high = _range(words, match, "times")
    if words[match.end("times")].meaning.name:
        return None
    if amount is None or high <= 0 or not 0 < amount.high <= vocabulary()["bare_dose_limit"]:
        return None
    return [_item("timing", match, timing=Timing(low, high, 1.0)), _item("dose", match, amount=amount, bare=True)]


def later(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "in 1 hour", "after 2 hours", "1 hour later": when it is given once, not how often; "in 24 hours" is a day."""
    first = words[match.start()]
    days = _multiple(words, match)[1] * _period(words, match)
    whole = words[match.start("t")].meaning.frequency
    if whole is not None or (first.tag in "/B" and first.meaning.name not in ("within", "after")):
        return None
    if first.meaning.name == "within" and (abs(days - 1) < 1e-9 or (days > 1 and not _has(match, "k"))):
        return None
    return [_item("later", match, days=days)]


def running(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "over 30 minutes": how long one dose takes."""
    days = _multiple(words, match)[1] * _period(words, match)
    return [_item("running", match, days=days)] if days <= 1 else None


def course(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "x 3 doses", "max 3 doses", "up to 3x": so many in all; a single one is said elsewhere."""
    count = _range(words, match, "r")[1]
    if count < 1 or count != int(count) or (count == 1 and match[0][:1] not in "lx"):
        return None
    return [_item("course", match, count=count)]


def stage(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "day 1", "days 2-5", "week 3": a stretch of a course."""
    unit = words[match.start("t")].meaning.name
    first, last = _range(words, match, "r")
    if unit not in ("day", "week") or first < 1 or first != int(first) or last != int(last):
        return None
    return [_item("stage", match, days=(last - first + 1) * _period(words, match), tag=unit)]


def _minutes(words: Sequence[Word]) -> bool:
    """Whether a time shorter than an hour is among the words."""
    return any(word.tag == "t" and word.meaning.name in ("min", "s") for word in words)


def bare_per(words: Sequence[Word], match: re.Match[str]) -> list[Item] | None:
    """ "take 2 a day": two pieces a day."""
    items, timing = bare(words, match), times_per(words, match)
    if items is None or timing is None or timing[0].timing is None:
        return None
    return [replace(items[0], tag="per"), replace(timing[0], timing=Timing(1, 1, timing[0].timing.days))]


def blocked(_words: Sequence[Word], match: re.Match[str]) -> list[Item]:
    return [_item("blocked", match)]


def nothing(_words: Sequence[Word], match: re.Match[str]) -> list[Item]:
    return [_item("flag", match)]
