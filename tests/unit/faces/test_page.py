"""The page's colours and markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from importlib import resources
from itertools import product

import pytest

from pharmakon.faces.html import page
from pharmakon.faces.words import Words
from tests.unit.faces.test_view import evidence, finding, view

CSS = resources.files("pharmakon.faces").joinpath("report.html.j2").read_text("utf-8")
SCHEMES = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]+)", block)) for block in re.findall(r":root \{(.*?)\}", CSS, re.S)]
VOID = {"meta", "br", "link", "img", "hr"}


def luminance(colour: str) -> float:
    """WCAG 2.1, relative luminance."""
    digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark", "print"])
def test_every_text_colour_stands_out_from_every_ground_as_wcag_aa_asks(scheme: dict[str, str]) -> None:
    grounds = ("paper", "panel", "critical-bg", "warning-bg", "info-bg")
    for text, ground in product(("ink", "soft", "link", "open"), grounds):
        assert contrast(scheme[text], scheme[ground]) >= 4.5, (text, ground)
    for tier in ("critical", "warning", "info"):
        for ground in ("paper", "panel", f"{tier}-bg"):
            assert contrast(scheme[tier], scheme[ground]) >= 4.5, (tier, ground)


class Outline(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[int] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        if re.fullmatch(r"h\d", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", ["en", "nl", "zh"])
def test_elements_are_closed_headings_skip_no_level_and_ids_are_single(lang: str) -> None:
    shown = view(findings=(finding(), finding(id="f-2", evidence=(evidence("Else."),))))
    outline = Outline()
    outline.feed(page(shown, Words(lang)))
    assert outline.open == []
    assert outline.headings[0] == 1
    assert all(b <= a + 1 for a, b in zip(outline.headings, outline.headings[1:], strict=False))
    assert len(outline.ids) == len(set(outline.ids))
