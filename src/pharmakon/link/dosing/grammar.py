"""Patterns over the letters of `words`: which words together say a dose, a timing, a duration, a limit.

Each pattern sees one step of the directions (what stands between two "then") as a string with one letter a word, takes
the words it matches out, and leaves an item. The order of the patterns is the grammar: longer readings come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from pharmakon.link.dosing import readings as read
from pharmakon.link.dosing.readings import Item
from pharmakon.link.dosing.remarks import set_apart
from pharmakon.link.dosing.words import Word, read_words
from pharmakon.model.prescription import Timing
from pharmakon.model.units import dimension


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction: its items in the order of the text, and the words no pattern took."""

    items: tuple[Item, ...]
    words: tuple[Word, ...]  #: without filler; what `Item.at` and `end` count
    unread: tuple[Word, ...]
    reason: tuple[Word, ...]  #: what "as needed" is for

    def of(self, *kinds: str) -> tuple[Item, ...]:
        return tuple(item for item in self.items if item.kind in kinds)

    def flag(self, tag: str) -> bool:
        return any(item.tag == tag for item in self.items)


#: R: a figure or a range of two
_R = "(?:n(?:[-%]n)?)"
#: "a day", "every 4 weeks", "daily"; small words are bounded, so that no text takes quadratic time
_PER = "(?:[/ae]{1,4}(?P<k>n(?:-n)?|j))?[/ae]{0,4}(?P<t>[tf])"
#: leftover words that say nothing by themselves
_MUTE = frozenset("&,;-()=/a@B%Dz.sxyo")

_Make = Callable[[Sequence[Word], "re.Match[str]"], "list[Item] | None"]

_RULES: tuple[tuple[re.Pattern[str], _Make], ...] = tuple(
    (re.compile(pattern.replace("PER", _PER).replace("R", _R)), make)
    for pattern, make in (
        (r"(?P<r>R)(?P<u>u)[,;]?(?P<s>S)(?!u)", read.scheme_of),
        (r"(?P<s>S)(?P<r>R)(?P<u>u)(?!/)", read.scheme_of),
        (r"S(?:(?P<u>u)(?!/))?", read.scheme),
        # limits
        (r"[lL][/ae]{0,4}(?P<t>[tf])(?P<r>R)(?P<u>u)", read.limit),
        (r"[lL]a?(?P<r>R)[xD]PER", read.cap),
        (r"[lL](?P<c>c)PER", read.cap),
        (r"[lL]c?e(?P<k>R)?(?P<t>t)", read.cap),
        (r"[lL](?P<f>f)", read.cap),
        (r"[lL](?P<r>R)(?P<u>u)?PER", read.limit),
        (r"(?<![xcnue_])/(?P<k>n)?(?P<t>t)l(?P<r>R)(?P<u>u)?", read.limit),
        (r"L(?P<r>R)(?P<u>u)?", read.limit),
        # what is no dose and no timing
        (r"i(?:R?[ut]?)?(?:e(?:R|j)?t|[/a]t|f)?", read.blocked),
        (r"(?:a|(?P<k>R))(?P<t>t)y", read.later),
        (r"oa?(?P<k>R)?(?P<t>t)", read.running),
        (r"(?<![xcnD])[/B]a?(?P<k>R)?(?P<t>t)(?![Bx]|n(?!u))", read.later),
        (r"b?RtB", read.nothing),
        (r"b(?:R[ut]?|au)?", read.blocked),
        (r"!(?:R?[ufcmhv]|R)?", read.blocked),
        (r"Ru/n?(?P<u>u)", read.strength),
        (r"(?P<r>R)(?P<u>u)/(?P<t>t)(?=.*(?:e(?:R|j)?t|f))", read.release),
        # so many doses in all, a day of a course
        (r"(?:l?[xg]|l)(?P<r>R)D", read.course),
        (r"l(?P<r>R)x(?!PER|R)", read.course),
        (r"(?:(?<=[,;&]n)|(?<![/en&@acx-]))(?P<t>t)(?P<r>R)(?![utxd%]|n(?!u))", read.stage),
        # frequencies
        (r"(?P<times>R)x(?P<r>R)(?P<u>u)[/a]+(?P<k>n)?(?P<t>t)", read.dose_per),
        (r"e(?P<k>R)?(?P<t>t)(?P<r>R)x(?![/afnu])", read.times_per),
        (r"(?P<r>R)xPER", read.times_per),
        (r"(?P<c>c)PER", read.times_per),
        (r"(?<![gn%-])[/ae]{0,4}(?P<k>R)?(?P<t>t)(?P<r>R)x", read.times_per),
        (r"(?P<times>R)d(?:(?P<r>R)(?![d-])(?P<u>u)?)?", read.dd),
        (r"e(?P<k>R)(?P<t>t)-e?(?P<k2>R)(?P<t2>t)", read.two_intervals),
        (r"e(?P<k>R|j)?(?P<t>t)", read.times_per),
        (r"(?P<k>n)-?(?P<t>f)-(?P<k2>n)-?(?P<t2>f)", read.hourly),
        (r"e?(?P<k>R)-?(?P<t>f)", read.hourly),
        (r"(?P<r>R)(?P<u>u)(?:/(?P<kg>u))?[/a]+(?P<k>n)?(?P<t>t)", read.dose_per),
        (r"a(?P<u>u)[/a]+(?P<k>n)?(?P<t>t)", read.dose_per),
        (r"(?P<t>f)(?P<r>R)x(?!R?[nu])", read.times_of),
        (r"f", read.whole),
        (r"@?k(?:[&,]@?k)*(?:[&,]@?n(?![utx]))+", read.clock_and_figures),
        (r"@n(?P<t>t)?(?:[&,;]@?nt?)*", read.clock),
        (r"@?k(?:[&,\-/]*@?k)*", read.clock),
        (r"(?:[/@eaBD]{0,4}c)?[/@eaBD]{0,4}(?P<m>m)(?:[&,\-/@eaBcD]*m)*", read.moments),
        (r"[/@ea]{0,4}w(?:[&,\-/]*w)*", read.weekdays),
        # durations
        (r"g(?:(?P<r>R)|a)(?P<t>t)", read.duration),
        (r"(?<!n)x(?P<r>R)(?P<t>t)", read.duration),
        (r"(?:(?<=_)|^)(?P<r>R)(?P<t>t)(?=[_;,&]|$)", read.duration),
        (r"(?<![nu])(?P<times>n)x(?P<r>R)(?![nut/d-])", read.so_many_times),
        (r"x(?P<r>n)(?![nut])", read.single),
        # doses
        (r"(?P<times>R)x(?P<r>R)(?P<u>u)u?", read.dose),
        (r"n/n(?=n)", read.blocked),
        (r"(?<![ne/])(?<!n-)(?P<times>R)(?P<r>n)(?P<u>u)u?", read.so_many_of),
        (r"(?<!n)(?<!n-)(?P<r>R)(?P<u>u)-(?P<r2>R)(?P<u2>u)", read.dose),
        (r"(?P<r>n)&(?P<half>n)(?P<u>u)", read.and_a_half),
        (r"l(?P<r>R)(?P<u>u)?", read.at_most),
        (r"(?<!n)(?<!n-)(?P<r>R)(?P<u>u)(?:/(?P<kg>u))?u?(?P<total>z)?", read.dose),
        (r"a(?P<u>u)", read.one),
        (r"[rvhDq]", read.flag),
        (r"(?:(?<=[_;&,(@D])|^)(?P<r>R)[/a](?P<t>t)", read.bare_per),
        (r"(?:(?<=[_;&,(@D])|^)(?P<r>R)(?=[_;&,)]|$)", read.bare),
        (r"^(?P<r>R)(?=\?)", read.bare),
    )
)


def _plain(words: Sequence[Word]) -> list[Word]:
    """Without filler, and without a figure said twice: "one (1) tablet"."""
    kept: list[Word] = []
    for word in words:
        if word.tag == ".":
            continue
        kept.append(word)
        if [w.tag for w in kept[-4:]] == ["n", "(", "n", ")"] and kept[-4].meaning == kept[-2].meaning:
            del kept[-3:]
    return kept


def _read_step(words: Sequence[Word]) -> Step:
    plain = _plain(words)
    tags = [word.tag for word in plain]
    items: list[Item] = []
    letters = "".join(tags)
    for pattern, make in _RULES:
        for match in pattern.finditer(letters):
            made = make(plain, match)
            if made is None:
                continue
            first = tags[max(match.start() - 1, 0) : match.start() + 1]
            joined, restates = "&" in first, "(" in first or "=" in first
            items += [replace(item, joined=joined, restates=restates) for item in made if item.kind != "blocked"]
            mark = "#" if made[0].kind == "blocked" else "_"
            tags[match.start() : match.end()] = mark * (match.end() - match.start())
        letters = "".join(tags)
    once = [n for n, tag in enumerate(tags) if tag == "c" and plain[n].meaning.number == 1]
    if once and not any(item.kind in ("timing", "moments") for item in items):
        items.append(Item("timing", once[0], once[0] + 1, timing=Timing(1, 1, 1.0)))
    for n in once:
        tags[n] = "_"
    items = _with_units(_continental(items))
    reason = _reason(tags)
    return Step(
        tuple(sorted(items, key=lambda item: (item.at, item.end))),
        tuple(plain),
        tuple(word for n, word in enumerate(plain) if tags[n] not in _MUTE and tags[n] != "_"),
        tuple(word for n, word in enumerate(plain) if n in reason and tags[n] not in _MUTE),
    )


def _continental(items: Sequence[Item]) -> list[Item]:
    """ "3 x 1 tablet" with no other word of time is three times a day one; "3 x 1 tablet daily" stays three at once."""
    if any(item.kind in ("timing", "moments", "weekdays", "cap", "stage") for item in items):
        return list(items)
    found: list[Item] = []
    for item in items:
        if item.times and item.amount and dimension(item.amount.unit) == "count":
            low, high = item.times
            found.append(Item("timing", item.at, item.end, timing=Timing(low, high, 1.0)))
            item = replace(item, amount=replace(item.amount, low=item.amount.low / low, high=item.amount.high / high))
        found.append(item)
    return found


def _with_units(items: Sequence[Item]) -> list[Item]:
    """Figures without a unit beside a dose with one: "2 in the morning and 1 tablet at night", "1 tablet 2/day"."""
    unit = next((i.amount.unit for i in items if i.kind == "dose" and not i.bare and i.amount), None)
    if unit is None:
        return list(items)
    found: list[Item] = []
    for item in items:
        counted = next((i.amount for i in items if i.at == item.at and i.tag == "per"), None)
        if item.kind == "timing" and counted and item.timing:
            item = replace(item, timing=Timing(counted.low, counted.high, item.timing.days))
        elif item.kind == "dose" and item.bare and item.amount and dimension(unit) == "count":
            item = replace(item, amount=replace(item.amount, unit=unit))
        if item.tag != "per":
            found.append(item)
    return found


def _reason(tags: Sequence[str]) -> set[int]:
    """Places of the words after "as needed" or "for" that name a complaint."""
    found: set[int] = set()
    inside = False
    for n, tag in enumerate(tags):
        inside = tag == "g" or (inside and tag in "?&,-a/@B%") or (tag == "_" and tags[n + 1 : n + 2] == ["?"])
        if inside and tag != "_":
            found.add(n)
    return found


def read_steps(text: str) -> tuple[Step, ...]:
    """The instructions of a text in their order; one, save where "then", "followed by" or "except" stand between."""
    return read_text(text).steps


@dataclass(frozen=True, slots=True)
class Reading:
    """The instructions of a text, and what stands beside them; see `remarks`."""

    steps: tuple[Step, ...]
    stop: bool
    past: tuple[str, ...]


@lru_cache(maxsize=1024)  # a batch says the same few hundred directions again and again
def read_text(text: str) -> Reading:
    """The instructions of a text in their order; courses listed one after another are apart too."""
    said = set_apart(read_words(text), text)
    steps: list[list[Word]] = [[]]
    for word in said.words:
        if word.tag == "s":
            steps.append([])
        else:
            steps[-1].append(word)
    read = [part for words in steps if words for part in _courses(_read_step(words))]
    return Reading(tuple(read), said.stop, said.past)


def _courses(step: Step) -> list[Step]:
    """A step that lists courses, apart: "40 mg daily x 5d, 30 mg daily x 5d", "500 mg on day 1, 250 mg on days 2-5".

    Each must have an end of its own, save the last, or begin later. Doses at different times of the day, or as needed,
    may belong to one day and stay together.
    """
    doses = [item for item in step.of("dose") if not item.restates]
    kinds = {dimension(item.amount.unit) for item in doses if item.amount}
    if len(doses) < 2 or len(kinds) > 1 or step.flag("r"):
        return [step]
    cuts = [0]
    for before, dose in pairwise(doses):
        marks = [n for n in range(before.end, dose.at) if step.words[n].tag in ",;"]
        cuts.append(marks[-1] + 1 if marks else dose.at)
    parts = list(pairwise([*cuts, len(step.words)]))
    inside = [[item for item in step.items if low <= item.at < high] for low, high in parts]
    moments = {item.slots for items in inside for item in items if item.kind in ("moments", "weekdays")}
    timed = sum(any(item.kind in ("moments", "weekdays") for item in items) for items in inside)
    if len(moments) > 1 or timed not in (0, len(parts)):
        return [step]
    for n, items in enumerate(inside):
        ends = n == len(inside) - 1 or any(item.kind in ("duration", "stage") for item in items)
        follows = n < len(inside) - 1 and any(item.kind == "later" for item in inside[n + 1])
        if not (ends or follows):
            return [step]
    return [_read_step(step.words[low:high]) for low, high in parts]
