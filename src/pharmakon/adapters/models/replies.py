"""A model's text → the JSON object in it, whatever it wraps it in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)


def json_object(text: str) -> Mapping[str, Any]:
    """The whole text as an object, else the first object in it: models think aloud, and put fences around JSON.

    Raises `ValueError` with what it is instead.

    >>> json_object('Sure! ```json\\n{"it": 1}\\n```')
    {'it': 1}
    """
    bare = _THOUGHT.sub("", text).strip()
    decoder = json.JSONDecoder()
    try:
        value = decoder.decode(bare)
    except ValueError:
        value = _first(bare, decoder)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("is no JSON object")
    return value


def _first(text: str, decoder: json.JSONDecoder) -> Any:
    for match in re.finditer(r"\{", text):
        try:
            return decoder.raw_decode(text, match.start())[0]
        except (ValueError, RecursionError):
            continue
    raise ValueError(f"is no JSON ({text[:60]!r})")
