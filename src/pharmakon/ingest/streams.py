"""A look at the beginning of a stream that can be read once, such as a member of an archive."""

from __future__ import annotations

import io
import re
from typing import IO


def peeked(stream: IO[bytes], size: int) -> tuple[bytes, IO[bytes]]:
    """The first `size` bytes (fewer where there are no more), and a stream that begins with them again."""
    head = b""
    while len(head) < size and (more := stream.read(size - len(head))):
        head += more
    return head, io.BufferedReader(_Rejoined(head, stream))


class _Rejoined(io.RawIOBase):
    def __init__(self, head: bytes, rest: IO[bytes]) -> None:
        self._head = io.BytesIO(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed's Buffer has no len
        chunk = self._head.read(len(buffer)) or self._rest.read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)


#: JSON whose lists and objects open one in the other, as no label's do: parsers die of it.
NESTED = re.compile(rb'(?:[\[{]\s*(?:"[^"\\]{0,100}"\s*:\s*)?){100}')
