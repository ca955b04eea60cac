"""Our own words in an answer, in three languages, as data."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from pharmakon.audit.phrases import LANGUAGES
from pharmakon.audit.phrases import Phrases as ReportPhrases
from pharmakon.model.errors import BadInput


class Words:
    """Templates of one language; a missing value fails where it is used, not in front of a reader."""

    def __init__(self, lang: str) -> None:
        if lang not in LANGUAGES:
            raise BadInput(f"language {lang!r}", expected=", ".join(LANGUAGES))
        self.lang = lang
        self._report = ReportPhrases(lang)

    def __call__(self, key: str, **values: object) -> str:
        text: str = _all()[self.lang][key]
        return text.format(**values)

    def language(self, lang: str) -> str:
        """The name of a language in this one."""
        names = _all()["language"][self.lang]
        found: str = names.get(lang, names["other"])
        return found

    @property
    def emergency_number(self) -> str:
        found: str = _all()["emergency_number"][self.lang]
        return found

    def listed(self, items: Sequence[str]) -> str:
        """`a, b and c`."""
        return self._report.listed(list(items))


@cache
def _all() -> dict[str, Any]:
    return tomllib.loads(resources.files("pharmakon.ask").joinpath("phrases.toml").read_text("utf-8"))
