"""The words around a report, in three languages, as data."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from pharmakon.faces.text import clean
from pharmakon.model.errors import BadInput
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import factors, risk_types, section_kinds

LANGUAGES = ("en", "nl", "zh")


class Words:
    """The phrases of one language; `BadInput` for a language there is none of."""

    def __init__(self, lang: str) -> None:
        if lang not in LANGUAGES:
            raise BadInput(f"there is no language {lang!r}", where="--lang", expected=", ".join(LANGUAGES))
        self.lang = lang
        self._words: dict[str, Any] = _all()[lang]

    def __call__(self, key: str, n: int | None = None, **values: object) -> str:
        """The phrase `key`; where it is written "one|many", `n` chooses."""
        forms: list[str] = self._words[key].split("|")
        return (forms[0] if n == 1 else forms[-1]).format(n=n, **values)

    def listed(self, items: Iterable[object]) -> str:
        return str(self._words["join"]).join(clean(i) for i in items)

    def tier(self, tier: object) -> str:
        return self(f"tier_{tier}")

    def type(self, kind: str) -> str:
        named: str | None = self._words.get("type", {}).get(kind)
        return named or risk_types().get(kind, {}).get("title") or kind.replace("_", " ").capitalize()

    def task(self, task: str) -> str:
        return str(self._words["task"].get(task, task.replace("_", " ")))

    def factor(self, name: str) -> str:
        known = factors().get(name)
        return str(self._words["factor"].get(name) or (known.label if known else name.replace("_", " ")))

    def unit(self, unit: str) -> str:
        return str(self._words["factor"]["year"]) if unit == "year" else "" if unit == "1" else unit

    def section(self, kind: str) -> str:
        known = section_kinds().get(kind)
        return known.title if known else kind.replace("_", " ").capitalize()


@cache
def _all() -> dict[str, dict[str, Any]]:
    return read_table("pharmakon.faces", "words.toml")
