"""Free-text directions → `Sig`. Whatever they leave open is read so that the exposure is never under-estimated.

Several instructions become one `Sig`:

- *unequal doses of a day* ("1 in the morning and 2 at night", "1-0-2"): the dose is the range 1 to 2, the timing is
  twice a day, and `max_daily` is their sum, 3;
- *steps* ("3 puffs twice daily for 1 week then 2 puffs", a taper, a loading dose): the step with the highest daily
  amount speaks; the dose reaches up to the highest single dose of any step, the timing to the most frequent,
  `max_daily` is the highest daily amount, and `notes` tell of the other steps. Courses listed with an end each are
  steps without a "then" ("40 mg daily x 5d, 30 mg daily x 5d"). A step some hours later, or after an infusion of some
  hours, belongs to the day of the one before;
- *so many doses in all* ("every 5 minutes, max 3") bound the day; every week anew, they are so many a week and
  `max_daily` is what falls on one day;
- *one dose for each of two eyes, ears or nostrils* counts double;
- a dose in words of two kinds ("1 tablet (5 mg)", "10 mL (400 mg)") is its mass where the two can only be the same.

A figure without a unit ("3 dd 2", "1-0-1") is a number of pieces up to the limit in `words.toml`. "As needed" without a
frequency has no timing; "once" alone is once a day with no end; "stat" is one dose, so it lasts one day.
Of a text only the first 1,000 characters are read; what follows stands in `unread`, and a note says so.
Nothing is guessed: "use as directed" has no dose and no timing, and a word of two meanings ("biweekly") keeps both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from pharmakon.link.dosing.course import Course, course_of, high_in, hours, span
from pharmakon.link.dosing.grammar import Step, read_text
from pharmakon.link.dosing.timing import summed
from pharmakon.link.dosing.words import Word, vocabulary
from pharmakon.model.dosing import Sig
from pharmakon.model.prescription import Amount, Timing
from pharmakon.model.units import convert, dimension
from pharmakon.model.vocabulary import routes


def _joined_courses(courses: Sequence[Course]) -> Course:
    """Steps one after another as one: see the head of this file."""
    filled: list[Course] = []
    for course in _days(courses):
        before = filled[-1] if filled else None
        filled.append(
            replace(
                course,
                dose=course.dose or (before.dose if before and not course.unused else None),
                timing=course.timing or (before.timing if before else None),
            )
        )
    if len(filled) == 1:
        return filled[0]
    notes = tuple(note for course in filled for note in course.notes)
    lengths = [course.duration for course in filled]
    duration = None if None in lengths else sum(length for length in lengths if length is not None)
    doses = [course.dose for course in filled if course.dose]
    often = [course.timing for course in filled if course.timing]
    if len(doses) < len(filled) or len({dimension(dose.unit) for dose in doses}) > 1:
        timing = max(often, key=lambda when: when.per_day[1]) if often else None
        return Course(None, timing, None, duration, notes=(*notes, "several steps, whose doses don't compare"))
    unit = doses[0].unit
    daily = [convert(course.daily(), course.dose.unit, unit) for course in filled if course.dose]
    top = filled[daily.index(max(daily))]
    highest = max(high_in(dose, unit) or 0.0 for dose in doses)
    low = convert(top.dose.low, top.dose.unit, unit) if top.dose else highest
    timing = top.timing
    fastest = max(often, key=lambda when: when.per_day[1]) if often else None
    if timing and fastest and fastest.per_day[1] > timing.per_day[1]:
        timing = Timing(timing.per_day[0], fastest.per_day[1], 1.0)
    falls = all(one >= other for one, other in pairwise(daily))
    text = "a taper" if falls and len(daily) > 2 else "one step after another"
    told = f"{text} ({' → '.join(f'{amount:g}' for amount in daily)} {unit} a day); the highest day counts"
    limit = Amount(max(daily), max(daily), unit)
    return Course(Amount(low, highest, unit), timing or fastest, limit, duration, notes=(*notes, told))


def _days(courses: Sequence[Course]) -> list[Course]:
    """Steps of one day as one: "1.2 mg now then 0.6 mg in 1 hour" are two doses and 1.8 mg."""
    found: list[Course] = []
    for course in courses:
        before = found[-1] if found else None
        same = before is not None and (before.runs or (course.later is not None and course.later < 1))
        if before is None or not same or before.dose is None or course.dose is None:
            found.append(course)
            continue
        high = high_in(course.dose, before.dose.unit)
        if high is None:
            found.append(course)
            continue
        often = [course.timing or Timing(1, 1, 1.0), before.timing or Timing(1, 1, 1.0)]
        whole = float(f"{before.daily() + convert(course.daily(), course.dose.unit, before.dose.unit):.12g}")
        found[-1] = Course(
            span([before.dose, course.dose]),
            summed(often),
            Amount(whole, whole, before.dose.unit),
            before.duration if course.duration is None else max(before.duration or 0.0, course.duration),
            (*before.unused, *course.unused),
            runs=course.runs,
            notes=(*before.notes, *course.notes, f"a further dose{hours(course.later)}; both count in that day"),
        )
    return found


def _route(steps: Sequence[Step]) -> tuple[str | None, bool]:
    """The route said, and whether two were said that can't be one."""
    said = {item.route for step in steps for item in step.items if item.route}
    through = said & set(vocabulary()["through_the_mouth"]["names"])
    if through and "oral" in said:
        said -= {"oral"}
    said -= {routes()[name].within for name in said}
    return (said.pop(), False) if len(said) == 1 else (None, bool(said))


#: characters of directions that are read
_LIMIT = 1000


def read_sig(text: str) -> Sig:
    """Directions in English, Dutch or Chinese → what they say. Never raises; what it can't read stands in `unread`.

    Amounts keep the unit as written where the unit is a counted piece ("tablet", "puffs"), else its canonical spelling;
    `duration_days` is the long end of a range. `unread` holds the words left over, a complaint after "for" among them;
    `notes` hold what was read and must be told: steps, doses that disagree, remarks that were passed over.
    """
    if len(text) <= _LIMIT:
        return _read(text)
    head = text[
        : max((text.rfind(blank, 0, _LIMIT) for blank in " \n\t;；。，"), default=0) + 1
    ]  # no figure is cut in two
    sig = _read(head)
    note = f"only the first {_LIMIT:,} characters of the directions are read"
    rest = text[len(head) :].strip()
    return replace(sig, unread=" ".join(filter(None, (sig.unread, rest))), notes=(*sig.notes, note))


@lru_cache(maxsize=8192)  # a ward writes the same few words all day
def _read(text: str) -> Sig:
    said = read_text(text)
    steps = [step for step in said.steps if step.words]
    courses = [course_of(step) for step in steps]
    speaking = [n for n, course in enumerate(courses) if course.dose or course.timing or course.limit or course.unused]
    words = [word for step in steps for word in step.unread]
    if len(speaking) > 1:
        course = _joined_courses([courses[n] for n in speaking])
        if course.dose is None:
            for n in speaking[1:]:
                words += steps[n].words
    else:
        course = courses[speaking[0]] if speaking else Course(None, None, None, _first_duration(courses))
        if speaking and steps[speaking[0]].of("stage") and not steps[speaking[0]].of("duration"):
            course = replace(course, duration=None)  # "day 1" of a course whose other days were not read
    for n in speaking:
        words += [word for item in courses[n].unused for word in steps[n].words[item.at : item.end]]
    route, torn = _route(steps)
    if torn:
        words += [word for step in steps for word in step.words if word.tag == "v"]
    limit = course.limit
    if limit and course.dose and course.timing:
        high = high_in(limit, course.dose.unit)
        product = course.dose.high * max(1.0, course.timing.per_day[1])
        stated = course.peak or any(item.kind == "limit" for step in steps for item in step.items)
        if high is not None and high >= product * (1 - 1e-9) and not stated:
            limit = None
    notes = [*course.notes, *(f"a remark on the past is passed over: “{remark}”" for remark in said.past)]
    if said.stop and (course.dose or course.timing):
        notes.append("the directions say not to take it, and how to take it")
    return Sig(
        dose=course.dose,
        timing=course.timing,
        as_needed=any(step.flag("r") for step in steps),
        route=route,
        duration_days=course.duration,
        max_daily=limit,
        undiluted=any(step.flag("h") for step in steps),
        restated=course.restated if len(speaking) == 1 else None,
        stop=said.stop,
        notes=tuple(dict.fromkeys(notes)),
        unread=_text(text, words),
    )


def _first_duration(courses: Sequence[Course]) -> float | None:
    return next((course.duration for course in courses if course.duration), None)


def _text(text: str, words: Sequence[Word]) -> str:
    """The words as written, in their order, each once."""
    spans = sorted({(word.start, word.end) for word in words})
    return " ".join(text[start:end] for start, end in spans)
