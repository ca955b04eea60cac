"""Bytes of a text file as text."""

from __future__ import annotations

from pharmakon.model.errors import BadInput

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
#: Above this share of letters outside ASCII a text that is not UTF-8 is no Western one either.
_FOREIGN = 0.1


def decode(data: bytes, where: str) -> tuple[str, tuple[str, ...]]:
    """The text, its line ends made "\\n", and remarks.

    UTF-8, or UTF-16 with its mark; else Windows-1252 where that gives a text with few letters outside ASCII, with a
    remark. Anything else is BadInput: names of drugs in a wrong encoding would be names of nothing.
    """
    if not data.strip(b"\0\t\n\r "):
        raise BadInput("the file is empty", where=where, expected="text")
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _plain(_strict(data[len(mark) :], encoding, where)), ()
    if b"\0" in data:
        raise BadInput("this is no text (it holds zero bytes)", where=where, expected="UTF-8 text")
    try:
        return _plain(data.decode("utf-8")), ()
    except UnicodeDecodeError as error:
        western = _western(data)
        if western is None:
            raise BadInput(f"byte {error.start} is not UTF-8", where=where, expected="UTF-8 text") from None
        return _plain(western), ("encoding: the file is not UTF-8 and was read as Windows-1252",)


def _strict(data: bytes, encoding: str, where: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadInput(f"byte {error.start} is not {encoding.upper()}", where=where, expected="UTF-8 text") from None


def _western(data: bytes) -> str | None:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    outside = sum(not character.isascii() for character in text)
    control = any(character < " " and character not in "\t\n\r\f" for character in text)
    return None if control or outside > _FOREIGN * len(text) else text


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
