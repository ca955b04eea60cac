"""Which of two versions of a document is the later one.

Publishers count (3), count in parts (1.10), write dates (2026-03-01), give every version an id, or say nothing. Numbers
are compared part by part, so that 1.10 comes after 1.9, and dates as dates. Where the versions have no order of that
kind, the days since which they hold decide; where there are none either, nothing does.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from pharmakon.model.documents import Document

_NUMBER = re.compile(r"[vV]?\.? ?([0-9]+(?:[._-][0-9]+)*)")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?")
#: The hash of a text or the beginning of one, which is its version where it states none.
_UNSTATED = re.compile(r"[0-9a-f]{64}|[0-9a-f]{12}")


def earlier(new: Document, held: Document) -> bool | None:
    """Whether `new` comes before `held`; None where nothing says so.

    Of two that state no version the one that is brought later is the later one.
    """
    if new.version == held.version or (_UNSTATED.fullmatch(new.version) and _UNSTATED.fullmatch(held.version)):
        return False
    if _DATE.fullmatch(new.version) and _DATE.fullmatch(held.version):
        return _earlier_day(new.version, held.version)
    numbers = _numbers(new.version), _numbers(held.version)
    if numbers[0] and numbers[1]:
        return next((a < b for a, b in zip_longest(*numbers, fillvalue=0) if a != b), False)
    return _earlier_day(new.dated, held.dated)


def _numbers(version: str) -> list[int]:
    """The parts of a version that counts; nothing for a date, which counts in another way, and for anything else."""
    found = None if _DATE.fullmatch(version) else _NUMBER.fullmatch(version.strip())
    return [int(part) for part in re.split("[._-]", found[1])] if found else []


def _earlier_day(new: str, held: str) -> bool | None:
    """By as much of both days as is known: a month says nothing of a day in it."""
    known = min(len(new), len(held))
    return new < held if new[:known] != held[:known] else None
