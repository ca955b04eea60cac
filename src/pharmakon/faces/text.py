"""Text from outside made fit to be shown."""

from __future__ import annotations

import codecs
import re

# Control characters could move a terminal's cursor, and direction marks could turn a sentence around.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


def clean(text: object) -> str:
    """`text` on one line, without anything that a terminal or a reader would take for more than text.

    >>> clean("war\\x1b[31mfarin\\n5 mg")
    'war�[31mfarin 5 mg'
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", _SPACE.sub(" ", str(text))).strip()


_PLAINER = {
    "“": '"', "”": '"', "‘": "'", "’": "'", "→": "->", "←": "<-", "·": "-", "•": "-", "—": "-", "–": "-", "…": "...",
    "≥": ">=", "≤": "<=", "×": "x", "µ": "u", "μ": "u", "✖": "!!", "▲": "!", "─": "-",
}  # fmt: skip


def plainer(error: UnicodeError) -> tuple[str, int]:
    """For a terminal that can't show a character: its nearest plain form, else a question mark."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_PLAINER.get(c, "?") for c in lost), error.end


codecs.register_error("plainer", plainer)
