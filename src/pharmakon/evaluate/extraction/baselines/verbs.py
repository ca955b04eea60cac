"""What the verb of an open triple is about: it was asked for without a schema, so its words decide (`verbs.toml`)."""

from __future__ import annotations

import re
from functools import cache

from pharmakon.model.tables import read_table


def interacts(verb: str) -> bool:
    """Whether it joins two drugs by an interaction.

    >>> interacts("increases the levels of"), interacts("has no effect on"), interacts("should not be used with")
    (True, False, True)
    """
    if _says("allows", verb):
        return False
    return _says("use", verb) or (_says("interaction", verb) and not _says("denies", verb))


def prohibits(verb: str) -> str:
    """The action of a contraindication, "contraindicated" or "avoid"; "" for any other verb.

    >>> prohibits("is contraindicated in"), prohibits("should not be used in"), prohibits("is used in")
    ('contraindicated', 'avoid', '')
    """
    if _says("allows", verb) or not _says("use", verb):
        return ""
    return "contraindicated" if _says("strictly", verb) else "avoid"


def _says(kind: str, verb: str) -> bool:
    return _patterns()[kind].search(" ".join(verb.replace("_", " ").split())) is not None


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    data = read_table(__package__, "verbs.toml")
    return {kind: re.compile("|".join(listed), re.IGNORECASE) for kind, listed in data.items()}
