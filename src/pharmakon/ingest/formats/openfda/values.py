"""The values of a record as clean text."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: Zero width space, byte order mark, soft hyphen: they print nothing and would part a name.
_INVISIBLE = re.compile("[\u200b\ufeff\u00ad]")


def clean(text: str) -> str:
    """One line without invisible characters; runs of white space of any kind are a blank."""
    return " ".join(_INVISIBLE.sub("", text).split())


def texts(of: Mapping[str, object], key: str) -> list[str]:
    """The texts of a field, in order, each once; a single one may stand without its list."""
    value = of.get(key)
    listed = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(text for one in listed if isinstance(one, str) and (text := clean(one))))
