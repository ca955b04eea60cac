"""Small PDFs written by hand: text, rules and pictures at places given in points from the top left corner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 595, 842
LEFT, TOP, PITCH, SIZE = 70, 70, 13, 11
FONTS = {"plain": "Helvetica", "bold": "Helvetica-Bold", "italic": "Helvetica-Oblique", "typed": "Courier"}
_PICTURE = 3 + len(FONTS)
_FONTS = " ".join(f"/{name} {i} 0 R" for i, name in enumerate(FONTS, 3))
_RESOURCES = f"/Font << {_FONTS} >> /XObject << /picture {_PICTURE} 0 R >>"


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    x: float
    y: float  #: of the baseline
    font: str = "plain"
    size: float = SIZE


@dataclass(frozen=True, slots=True)
class Rule:
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Picture:
    """A black square that covers the page."""


Thing = Text | Rule | Picture


def lines(*texts: str, font: str = "plain", y: float = TOP, x: float = LEFT) -> list[Thing]:
    """Texts below one another; "# " makes a line bold, "_ " underlines it, "" leaves a gap."""
    things: list[Thing] = []
    for text in texts:
        if text.startswith("# "):
            things.append(Text(text[2:], x, y, "bold"))
        elif text.startswith("_ "):
            width = (len(text) - 2) * 0.6 * SIZE  # every letter of Courier is 0.6 wide
            things += [Text(text[2:], x, y, "typed"), Rule(x, y + 1.5, x + width, y + 1.5)]
        elif text:
            things.append(Text(text, x, y, font))
        y += PITCH
    return things


def pdf(*pages: Iterable[Thing], encrypt: bool = False) -> bytes:
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "",
        *(f"<< /Type /Font /Subtype /Type1 /BaseFont /{f} /Encoding /WinAnsiEncoding >>" for f in FONTS.values()),
        _stream(
            "\x00", "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
        ),
    ]
    kids: list[str] = []
    for page in pages:
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        box = f"/MediaBox [0 0 {WIDTH} {HEIGHT}]"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R {box} /Resources << {_RESOURCES} >> /Contents {number + 1} 0 R >>"
        )
        objects.append(_stream("\n".join(map(_draw, page))))
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    trailer = f"/Size {len(objects) + 1} /Root 1 0 R"
    if encrypt:
        key = "<" + "00" * 32 + ">"
        objects.append(f"<< /Filter /Standard /V 1 /R 2 /O {key} /U {key} /P -4 >>")
        trailer = f"/Size {len(objects) + 1} /Root 1 0 R /Encrypt {len(objects)} 0 R /ID [<00> <00>]"
    return _file(objects, trailer)


def _file(objects: Sequence[str], trailer: str) -> bytes:
    out = b"%PDF-1.4\n"
    places: list[int] = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    return out + f"trailer << {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()


def _stream(content: str, more: str = "") -> str:
    return f"<< /Length {len(content.encode('cp1252'))} {more} >>\nstream\n{content}\nendstream"


def _draw(thing: Thing) -> str:
    if isinstance(thing, Text):
        text = thing.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        return f"BT /{thing.font} {thing.size} Tf {thing.x} {HEIGHT - thing.y} Td ({text}) Tj ET"
    if isinstance(thing, Rule):
        return f"0.5 w {thing.x0} {HEIGHT - thing.y0} m {thing.x1} {HEIGHT - thing.y1} l S"
    return f"q {WIDTH} 0 0 {HEIGHT} 0 0 cm /picture Do Q"
