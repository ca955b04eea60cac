"""How much of a text has the build of a label, where nothing but its headings can tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pharmakon.model.documents import Section
from pharmakon.model.tables import read_table


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
    data = read_table("pharmakon.ingest.formats", "label_kinds.toml")
    return frozenset(data["kinds"]), re.compile(data["anywhere"], re.IGNORECASE)
