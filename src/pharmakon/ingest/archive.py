"""What zip files hold, those inside them included, one member at a time and without unpacking anything to a name.

DailyMed gives labels out as zips in a zip (`dm_spl_release_human_rx_part1.zip` → `prescription/20160312_<uuid>.zip` →
`<uuid>.xml` and pictures), openFDA as one JSON of a gigabyte in a zip. Both are read as streams, so that memory stays
flat. An archive comes from elsewhere: what it says of itself is checked before anything in it is read.
"""

from __future__ import annotations

import io
import lzma
import shutil
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from pharmakon.model.errors import BadInput

RATIO = 200  #: times a member may grow; labels grow about tenfold, tables of spaces a hundredfold
SMALL = 1024 * 1024  #: bytes; what is no larger may grow as it likes
LARGEST = 4 * 1024**3  #: bytes of one member; the largest JSON of openFDA is about a quarter of it
LARGEST_INNER = 512 * 1024**2  #: bytes of a zip in a zip, which is kept on disk while it is read
_LONGEST_NAME = 400  #: characters of a member's name that are shown
DEEPEST = 3  #: zips in each other; DailyMed needs two
_BUFFER = 128 * 1024  #: bytes read at once
_IN_MEMORY = 16 * 1024**2  #: bytes; a larger zip in a zip goes to a temporary file
#: All that `zipfile` and its decompressors raise on files that are broken or made to break a reader.
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError, UnicodeError,
    ValueError, OverflowError, IndexError, OSError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive. `stream` can be read until the next member is asked for.

    Reading it raises BadInput where the member turns out to be broken.
    """

    name: str  #: with the archives around it: "labels/release.zip/prescription/20160312_a.zip/a.xml"
    size: int  #: bytes, unpacked
    stream: IO[bytes]

    def read(self, most: int) -> bytes:
        """All of it; BadInput where that is more than `most` bytes."""
        if self.size > most:
            raise BadInput(f"{_megabytes(self.size)} unpacked", where=self.name, expected=f"at most {_megabytes(most)}")
        return self.stream.read()


def members(path: Path, suffixes: tuple[str, ...] = ()) -> Iterator[Member | BadInput]:
    """The files in the zip at `path` whose names end in one of `suffixes` (all where there are none), in its order.

    Zips inside are opened and give their files in their place. A member that can't be read, or an archive in which
    nothing is wanted, is a BadInput in its place, and the others follow.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        yield BadInput(f"can't be opened ({error.strerror})", where=str(path), expected="a zip file")
        return
    with file:
        packed = file.seek(0, io.SEEK_END)
        yield from _Walk(suffixes, packed).archive(file, packed, str(path), depth=1)


class _Walk:
    """One pass over an archive. `_left` is how many bytes it may still unpack, however its zips nest and overlap."""

    def __init__(self, suffixes: tuple[str, ...], packed: int) -> None:
        self._suffixes = tuple(suffix.casefold() for suffix in suffixes)
        self._left = packed * RATIO + SMALL

    def archive(self, file: IO[bytes], packed: int, name: str, depth: int) -> Iterator[Member | BadInput]:
        """`packed` is the size of `file` in bytes."""
        try:
            opened = zipfile.ZipFile(file)
        except _BROKEN as error:
            yield BadInput(f"is no zip file or is cut off ({_why(error)})", where=name, expected="a whole zip file")
            return
        with opened:
            wanted = [info for info in opened.infolist() if self._wants(info)]
            if not wanted:
                expected = f"a file that ends in {' or '.join(self._suffixes)}" if self._suffixes else "a file"
                yield BadInput("there is nothing in it to read", where=name, expected=expected)
            elif sum(info.compress_size for info in wanted) > packed:
                yield BadInput("its members overlap, as in a zip bomb", where=name, expected="members of their own")
            else:
                for info in wanted:
                    yield from self._member(opened, info, f"{name}/{_printable(info.filename)}", depth)

    def _wants(self, info: zipfile.ZipInfo) -> bool:
        """Whether a member is to be read: no folders, and nothing that macOS adds."""
        path = PurePosixPath(info.filename)
        if info.filename.endswith("/") or "__MACOSX" in path.parts or path.name.startswith("._"):
            return False
        name = info.filename.casefold()
        return not self._suffixes or name.endswith((".zip", *self._suffixes))

    def _member(
        self, opened: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, depth: int
    ) -> Iterator[Member | BadInput]:
        complaint = self._complaint(info, name, depth)
        if complaint:
            yield complaint
            return
        self._left -= info.file_size
        try:
            member = opened.open(info)
        except (*_BROKEN, RuntimeError) as error:
            yield BadInput(f"can't be unpacked ({_why(error)})", where=name, expected="a member that is whole")
            return
        with member:
            stream = io.BufferedReader(_Guarded(member, name), _BUFFER)
            if _is_zip(info):
                yield from self._inner(stream, info, name, depth)
            else:
                yield Member(name, info.file_size, stream)

    def _inner(self, stream: IO[bytes], info: zipfile.ZipInfo, name: str, depth: int) -> Iterator[Member | BadInput]:
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as copy:
            try:
                shutil.copyfileobj(stream, copy)
            except BadInput as error:
                yield error
                return
            yield from self.archive(copy, info.file_size, name, depth + 1)

    def _complaint(self, info: zipfile.ZipInfo, name: str, depth: int) -> BadInput | None:
        """What speaks against unpacking a member. Declared sizes hold: `zipfile` stops at them."""
        size, most = info.file_size, LARGEST_INNER if _is_zip(info) else LARGEST
        if not _inside(info.filename):
            return BadInput("its name leads out of the archive", where=name, expected="a relative name without '..'")
        if stat.S_ISLNK(info.external_attr >> 16):
            return BadInput("is a link", where=name, expected="a file")
        if info.flag_bits & 0x1:
            return BadInput("is encrypted", where=name, expected="a member without a password")
        if _is_zip(info) and depth >= DEEPEST:
            return BadInput(f"is a zip in {depth} zips", where=name, expected=f"at most {DEEPEST} in each other")
        if size > most:
            return BadInput(f"{_megabytes(size)} unpacked", where=name, expected=f"at most {_megabytes(most)}")
        if size > SMALL and size > RATIO * info.compress_size:
            grows = f"grows from {info.compress_size} to {size} bytes, as in a zip bomb"
            return BadInput(grows, where=name, expected=f"at most {RATIO} times")
        if size > self._left:
            return BadInput(
                "the archive unpacks to too much, as a zip bomb does",
                where=name,
                expected=f"at most {RATIO} times its size",
            )
        return None


class _Guarded(io.RawIOBase):
    """A member of a zip whose defects are BadInput."""

    def __init__(self, member: IO[bytes], name: str) -> None:
        self._member = member
        self._name = name

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # typeshed's Buffer has no len
        try:
            chunk = self._member.read(len(buffer))
        except _BROKEN as error:
            why = f"can't be unpacked ({_why(error)})"
            raise BadInput(why, where=self._name, expected="a member that is whole") from None
        buffer[: len(chunk)] = chunk
        return len(chunk)


def _is_zip(info: zipfile.ZipInfo) -> bool:
    return info.filename.casefold().endswith(".zip")


def _inside(name: str) -> bool:
    """Whether a name stays below the folder it would be unpacked to, on Windows too."""
    windows = PureWindowsPath(name)
    return bool(name) and not (name.startswith("/") or windows.drive or windows.root or ".." in windows.parts)


def _printable(name: str) -> str:
    """A name that fits on one line of a complaint; its end tells what it is."""
    name = "".join(character if character.isprintable() else "?" for character in name)
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 :]}"


def _why(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _megabytes(size: int) -> str:
    return f"{size / 1024**2:,.0f} MB"
