"""What comes before every answer: an emergency gets its number and no reading, a personal dose is referred, not given.

An alarm is a matter of what happened (a red flag of the body; something taken in excess or by whom it is not meant for;
a wish to die; a dose taken twice; a sign of a serious reaction to a medicine), to whom, and when. So a question is cut
into clauses, those that tell of long ago, of what may come or of nobody in particular are dropped, and what is left is
searched. A person need not be named: "took 30 tablets". Cues are data (`safety.toml`) in three languages; a question is
tried in all of them, since people mix.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pharmakon.ask.words import Words
from pharmakon.model.answer import Said
from pharmakon.model.tables import read_table

Alarm = Literal["", "today", "doubled", "low_sugar", "emergency", "overdose", "self_harm"]
#: The gravest first; where several are heard the gravest is answered.
_GRAVEST: Sequence[Alarm] = ("self_harm", "overdose", "emergency", "low_sugar", "doubled", "today")
#: How a medicine stands in a question: not at all, by its name, or as one that somebody takes.
Medicine = Literal["", "named", "taken"]
_APOSTROPHES = str.maketrans("", "", "'’‘`´")
_BLANKS = re.compile(r"[^\S\n]+")
_WORD_SET = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True)
class Caution:
    """`alarm`: what may be happening; `dose`: a dose is asked for a person.

    `low_sugar`: something has to be done about it before help comes; `unprotected`: emergency contraception may be due;
    `pen`: an injector against anaphylaxis is asked about.
    """

    alarm: Alarm = ""
    dose: bool = False
    low_sugar: bool = False
    unprotected: bool = False
    pen: bool = False

    @property
    def alone(self) -> bool:
        """Whether nothing else may be said: who needs help now needs no reading."""
        return self.alarm != ""


@dataclass(frozen=True, slots=True)
class _Cues:
    """The patterns of one language, as the head of `safety.toml` explains them."""

    cut: re.Pattern[str]
    person: re.Pattern[str]
    now: re.Pattern[str]
    past: re.Pattern[str]
    remote: re.Pattern[str]
    general: re.Pattern[str]
    negated: re.Pattern[str]  #: ends where what it negates begins
    means: re.Pattern[str]
    names: re.Pattern[str]
    animal: re.Pattern[str]
    medicine: re.Pattern[str]
    onset: re.Pattern[str]
    over: re.Pattern[str]
    alarms: Mapping[Alarm, tuple[tuple[re.Pattern[str], ...], ...]]  #: rows; all of a row must hold
    low_sugar: tuple[tuple[re.Pattern[str], ...], ...]
    unprotected: tuple[tuple[re.Pattern[str], ...], ...]
    pen: re.Pattern[str]
    today: tuple[tuple[re.Pattern[str], ...], ...]
    dose: re.Pattern[str]
    no_dose: re.Pattern[str]


def caution(text: str, medicine: Medicine = "") -> Caution:
    """What a question calls for before it is answered. Pure.

    `medicine`: how one stands in the question, by the names that are known; words like "tablets" are seen here.
    """
    said = _about_people(_folded(text))
    told = [(cues, _told(said, cues)) for cues in _cues()]
    low_sugar = any(_any_row(cues.low_sugar, now, cues) for cues, now in told)
    alarms = {_alarm(said, now, cues) for cues, now in told}
    alarms |= {"low_sugar"} if low_sugar else {_reaction(said, cues, medicine) for cues in _cues()}
    return Caution(
        gravest(*alarms),
        dose=any(_dose(said, cues) for cues in _cues()),
        low_sugar=low_sugar,
        unprotected=any(_any_row(cues.unprotected, now, cues) for cues, now in told),
        pen=any(cues.pen.search(said) for cues in _cues()),
    )


def gravest(*alarms: Alarm) -> Alarm:
    """The gravest of several alarms; none is the least.

    >>> gravest("today", "emergency", "")
    'emergency'
    """
    return next((a for a in _GRAVEST if a in alarms), "")


def first(found: Caution, words: Words) -> tuple[Said, ...]:
    """The sentences that stand before everything else."""
    if not found.alarm:
        return ()
    keys = _FIRST[found.alarm]
    if found.low_sugar and found.alarm in ("emergency", "overdose"):
        keys = ("low_sugar", *keys)
    return tuple(Said(words(key, number=words.emergency_number), role="frame") for key in keys)


#: What is said to each alarm, in this order.
_FIRST: Mapping[Alarm, tuple[str, ...]] = {
    "self_harm": ("emergency", "harm"),
    "overdose": ("emergency", "poison"),
    "emergency": ("emergency",),
    "low_sugar": ("low_sugar",),
    "doubled": ("doubled", "next_dose"),
    "today": ("today", "before_next"),
}


def _about_people(said: str) -> str:
    """Without what an animal has taken or is given, and without names that only hold the word for a sign."""
    for cues in _cues():
        said = cues.names.sub(" ", cues.animal.sub(" ", said))
    return said


def _told(said: str, cues: _Cues) -> str:
    return "\n".join(clause for clause in _clauses(said, cues) if _of_now(clause, cues))


def _alarm(said: str, told: str, cues: _Cues) -> Alarm:
    if cues.means.search(said):
        return "self_harm"
    return next((alarm for alarm, rows in cues.alarms.items() if _any_row(rows, told, cues)), "")


def _reaction(said: str, cues: _Cues, medicine: Medicine) -> Alarm:
    """A sign of a serious reaction, with a medicine, since that was begun or while it is taken."""
    if not (medicine or cues.medicine.search(said)) or not (medicine == "taken" or cues.onset.search(said)):
        return ""
    clauses = (c for c in _clauses(said, cues) if _of_now(c, cues) and not cues.over.search(c))
    return "today" if _any_row(cues.today, "\n".join(clauses), cues) else ""


def _any_row(rows: Iterable[Iterable[re.Pattern[str]]], told: str, cues: _Cues) -> bool:
    return any(all(_holds(p, told, cues) for p in row) for row in rows)


def _dose(said: str, cues: _Cues) -> bool:
    return any(cues.dose.search(c) and not cues.no_dose.search(c) for c in _clauses(said, cues))


def _clauses(said: str, cues: _Cues) -> Iterator[str]:
    """The clauses of `said`; one that only says when ("last year, …") belongs to the next."""
    when = ""
    for clause in filter(None, (part.strip() for part in cues.cut.split(said))):
        whole = f"{when} {clause}".strip()
        when = whole if cues.past.fullmatch(clause) else ""
        if not when:
            yield whole
    if when:
        yield when


def _of_now(clause: str, cues: _Cues) -> bool:
    """Whether a clause may tell of what is happening to somebody."""
    if cues.remote.search(clause) or (cues.past.search(clause) and not cues.now.search(clause)):
        return False
    return bool(cues.person.search(clause)) or not cues.general.search(clause)


def _holds(pattern: re.Pattern[str], told: str, cues: _Cues) -> bool:
    return any(not cues.negated.search(told[: m.start()].rstrip(" ")) for m in pattern.finditer(told))


def _folded(text: str) -> str:
    """Small letters without accents and apostrophes, half-width signs, single blanks."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(c for c in plain if not unicodedata.combining(c)).translate(_APOSTROPHES)
    return _BLANKS.sub(" ", bare)


@cache
def _cues() -> tuple[_Cues, ...]:
    data = read_table("pharmakon.ask", "safety.toml")
    return tuple(_read(row, words=lang != "zh") for lang, row in data.items())


def _read(row: Mapping[str, Any], *, words: bool) -> _Cues:
    """`words`: whether a pattern matches whole words alone."""
    sets: Mapping[str, str] = row["words"]

    def alternatives(*patterns: str) -> re.Pattern[str]:
        return _compiled(patterns, sets, words=words)

    def rows(patterns: Sequence[str | list[str]]) -> tuple[tuple[re.Pattern[str], ...], ...]:
        alone = alternatives(*(p for p in patterns if isinstance(p, str)))
        return (alone,), *(tuple(map(alternatives, p)) for p in patterns if not isinstance(p, str))

    names = (
        "person", "now", "past", "remote", "general", "means", "dose", "no_dose", "names", "animal", "medicine",
        "onset", "over", "pen",
    )  # fmt: skip
    return _Cues(
        cut=re.compile(_filled(row["cut"], sets)),
        negated=alternatives("(?:{})$".format("|".join(row["negated"]))),
        alarms={
            "self_harm": rows(row["self_harm"]),
            "overdose": rows(row["overdose"]),
            "emergency": rows(row["sign"]),
            "doubled": rows(row["doubled"]),
        },
        low_sugar=rows(row["low_sugar"]),
        unprotected=rows(row["unprotected"]),
        today=rows(row["today"]),
        **{name: alternatives(*row[name]) for name in names},
    )


def _compiled(patterns: Iterable[str], sets: Mapping[str, str], *, words: bool) -> re.Pattern[str]:
    joined = _filled("|".join(patterns), sets)
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)" if words else f"(?:{joined})", re.MULTILINE)


def _filled(pattern: str, sets: Mapping[str, str]) -> str:
    """The pattern with the sets of words that it names; a set may name others."""
    while _WORD_SET.search(pattern):
        pattern = _WORD_SET.sub(lambda m: sets[m[1]], pattern)
    return pattern
