"""Our own words, in three languages, as data."""

from __future__ import annotations

from functools import cache

from pharmakon.model.errors import BadInput
from pharmakon.model.tables import read_table

LANGUAGES = ("en", "nl", "zh")

_PER = {
    "en": {"dose": "a dose", "day": "a day", "week": "a week", "hour": "an hour", "course": "a course"},
    "nl": {"dose": "per keer", "day": "per dag", "week": "per week", "hour": "per uur", "course": "per kuur"},
    "zh": {"dose": "每次", "day": "每日", "week": "每周", "hour": "每小时", "course": "每疗程"},
}


class Phrases:
    """Templates of one language; a missing value fails where it is used, not in front of a reader."""

    def __init__(self, lang: str = "en") -> None:
        if lang not in LANGUAGES:
            raise BadInput(f"language {lang!r}", expected=", ".join(LANGUAGES))
        self.lang = lang
        self._text = _all()[lang]

    def __call__(self, key: str, **values: object) -> str:
        return self._text[key].format(**values)

    def per(self, per: str) -> str:
        return _PER[self.lang][per]

    def listed(self, items: list[str]) -> str:
        """`a, b and c`."""
        joiner = {"en": " and ", "nl": " en ", "zh": "和"}[self.lang]
        comma = "、" if self.lang == "zh" else ", "
        return items[0] if len(items) == 1 else comma.join(items[:-1]) + joiner + items[-1] if items else ""


@cache
def _all() -> dict[str, dict[str, str]]:
    return read_table("pharmakon.audit", "phrases.toml")
