"""How much of a text has the build of a label, where nothing but its headings can tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

from pharmakon.model.documents import Section


def label_kinds(sections: Sequence[Section]) -> int:
    """How many kinds of section are headed in it as hardly anything but a label heads them.

    >>> label_kinds([Section(0, "indications", "Usage", "Run it."), Section(1, "warnings", "Warnings", "None.")])
    0
    >>> label_kinds([Section(0, "contraindications", "4 CONTRAINDICATIONS", "Gout.")])
    1
    """
    kinds, anywhere = _knowledge()
    return len({s.kind for s in sections if s.kind in kinds and s.heading and not anywhere.fullmatch(s.heading)})


@cache
def _knowledge() -> tuple[frozenset[str], re.Pattern[str]]:
    data = tomllib.loads(resources.files("pharmakon.ingest.formats").joinpath("label_kinds.toml").read_text("utf-8"))
    return frozenset(data["kinds"]), re.compile(data["anywhere"], re.IGNORECASE)
