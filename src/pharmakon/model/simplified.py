"""Traditional Chinese as it is read: each character as the simplified one, so that every place stays where it was.

Names, cues and alarms are data in simplified characters. What Taiwan calls by another word (普拿疼) is a name of its
own there; here the writing changes, and a word alone that has as many characters elsewhere (维他命, 维生素).
"""

from __future__ import annotations

import re
from functools import cache

from pharmakon.model.tables import read_table

_HAN = re.compile("[\u4e00-\u9fff]")


def simplified(text: str) -> str:
    """`text` of the same length, without traditional characters.

    >>> simplified("我在吃華法林，能用布洛芬嗎？"), simplified("对乙酰氨基酚 500 mg")
    ('我在吃华法林，能用布洛芬吗？', '对乙酰氨基酚 500 mg')
    """
    if text.isascii() or not _HAN.search(text):
        return text
    characters, words = _table()
    text = text.translate(characters)
    for word, usual in words:
        text = text.replace(word, usual)
    return text


@cache
def _table() -> tuple[dict[int, str], tuple[tuple[str, str], ...]]:
    data = read_table("pharmakon.model", "simplified.toml")
    pairs = "".join(data["pairs"])
    characters = {ord(pairs[i]): pairs[i + 1] for i in range(0, len(pairs), 2)}
    return characters, tuple((word, usual) for word, usual in data["words"])
