"""Files named on the command line: opened where reading them ends, and every failure to read is one line."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from pharmakon.model.errors import BadInput

#: what a shell opened already (`<(…)`, /dev/stdin): a pipe there has had its writer
_OPEN_ALREADY = re.compile(r"/dev/(?:stdin|fd/\d+)|/proc/(?:self|\d+)/fd/\d+")


class Guarded:
    """The two ways in which a stream is read here; a device that fails is a complaint about `name`, not a trace."""

    def __init__(self, stream: BinaryIO, name: str, expected: str) -> None:
        self._stream, self._name, self._expected = stream, name, expected

    def read(self, size: int = -1) -> bytes:
        try:
            return self._stream.read(size)
        except OSError as error:
            raise _unreadable(error, self._name, self._expected) from None

    def readline(self, size: int = -1) -> bytes:
        try:
            return self._stream.readline(size)
        except OSError as error:
            raise _unreadable(error, self._name, self._expected) from None


def guarded(stream: BinaryIO, name: str, expected: str) -> BinaryIO:
    return cast("BinaryIO", Guarded(stream, name, expected))


@contextmanager
def reading(path: str, expected: str) -> Iterator[BinaryIO]:
    """`path` opened for reading; BadInput where it can't be, or where it is nothing that ends."""
    check_file(path, expected)
    try:
        stream = Path(path).open("rb")  # noqa: SIM115  closed below, where its own errors are not taken for these
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise _unreadable(error, path, expected) from None
    with stream:
        yield guarded(stream, path, expected)


def check_file(path: str, expected: str) -> None:
    """Refuse what is neither a file nor a character device: to open a named pipe waits for a writer, maybe for ever."""
    if not path:
        raise BadInput("the name of the file is empty", expected=expected)
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError) as error:
        raise _unreadable(error, path, expected) from None
    if stat.S_ISDIR(mode):
        raise BadInput("it is a folder", where=path, expected=expected)
    if not (stat.S_ISREG(mode) or stat.S_ISCHR(mode) or _OPEN_ALREADY.fullmatch(path)):
        raise BadInput("it is no regular file", where=path, expected=expected)


def _unreadable(error: OSError | ValueError, name: str, expected: str) -> BadInput:
    why = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return BadInput(f"it can't be read ({why})", where=name, expected=expected)
