"""Questions of the data files beside this, as values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pharmakon.model.concepts import concept_id
from pharmakon.model.question import Link, Question

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Asked:
    question: Question
    intent: str


def ask(text: str, lang: str = "en", **links: str) -> Question:
    """A question whose words name what `links` says; underscores stand for blanks."""
    return _question(text, lang, {words.replace("_", " "): concept for words, concept in links.items()})


def asked(file: str) -> list[Asked]:
    return [Asked(_question(row["text"], row["lang"], row["links"]), row["intent"]) for row in rows(file)]


def rows(file: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load((HERE / file).read_text("utf-8")))


def _question(text: str, lang: str, links: dict[str, str]) -> Question:
    found = []
    for words, concept in links.items():
        start = text.lower().index(words.lower())
        found.append(Link(start, start + len(words), (concept_id(concept),), text[start : start + len(words)]))
    return Question(text, lang, tuple(sorted(found, key=lambda link: link.start)))
