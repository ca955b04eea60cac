"""The report as one page: no script, no outside asset, fit for a printer, everything escaped."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from jinja2 import DictLoader, Environment, StrictUndefined, Template

from pharmakon.faces.view import View
from pharmakon.faces.words import Words

_TEMPLATE = "report.html.j2"
_WEB = re.compile(r"https?://[^\s<>\"']+")


def page(view: View, words: Words) -> str:
    """A whole HTML document in the language of `words`; quotations are marked with their own."""
    return _template().render(view=view, words=words, web=_web)


def _web(url: str) -> bool:
    """Whether `url` may become a link: a citation could name anything, `javascript:` included."""
    return _WEB.fullmatch(url) is not None


@cache
def _template() -> Template:
    text = resources.files("pharmakon.faces").joinpath(_TEMPLATE).read_text("utf-8")
    environment = Environment(
        loader=DictLoader({_TEMPLATE: text}), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    return environment.get_template(_TEMPLATE)
