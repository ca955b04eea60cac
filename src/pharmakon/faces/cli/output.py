"""Writing: JSON to standard output, complaints to standard error, files whole or not at all."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pharmakon.faces.text import clean
from pharmakon.model.errors import BadInput

_HALF = re.compile("[\ud800-\udfff]")  #: of a pair that is no pair, or a byte of a file's name that is no text


def print_json(value: Any, *, compact: bool = False) -> None:
    """UTF-8 whatever the locale; one line when `compact`."""
    print_line(as_line(value) if compact else json.dumps(value, ensure_ascii=False, indent=2))


def as_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def print_line(text: str) -> None:
    """`text` and a line feed, as UTF-8, handed on at once so that a reader sees a batch line by line."""
    sys.stdout.flush()
    sys.stdout.buffer.write(as_utf8(text) + b"\n")
    sys.stdout.buffer.flush()


def as_utf8(text: str) -> bytes:
    """`text` as valid UTF-8: half a character, as in a file's name that is no text, becomes U+FFFD.

    >>> as_utf8("a\\udcff")
    b'a\\xef\\xbf\\xbd'
    """
    return _HALF.sub("\N{REPLACEMENT CHARACTER}", text).encode()


def complain(error: BadInput, *, as_json: bool) -> None:
    """One line on standard error, or the `error` shape on standard output."""
    if as_json and sys.stdout is not None:
        parts = {"what": clean(error.what), "where": clean(error.where), "expected": clean(error.expected)}
        print_json({"error": parts})
    else:
        warn(str(error))


def warn(text: str) -> None:
    if sys.stderr is None:  # closed by the caller, who does not want to hear it
        return
    with suppress(OSError):  # a full or closed standard error leaves nowhere to say so
        sys.stderr.write(f"pharmakon: {clean(text)}\n")
        sys.stderr.flush()


def progress(verbose: bool) -> Callable[[str], None]:
    """Shows a line of progress where somebody is watching or asked for it."""

    def show(text: str) -> None:
        if verbose or (sys.stderr is not None and sys.stderr.isatty()):
            warn(text)

    return show


def write_file(path: Path, text: str) -> None:
    """`path` holds all of `text`, or what it held before. What is no ordinary file (a pipe, a device) is written to."""
    data = as_utf8(text)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        target = path.resolve()
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)  # mkstemp's files are private, a report is as open as the user's others
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadInput(f"it can't be written ({error.strerror})", where=str(path), expected="a path to write to") from (
            None
        )
