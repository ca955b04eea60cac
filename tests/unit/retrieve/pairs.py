"""Sentence and quotation pairs of the data files beside this, as values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from pharmakon.model.documents import Evidence

HERE = Path(__file__).parent
FAITHFUL = "faithful"


@dataclass(frozen=True, slots=True)
class Pair:
    kind: str
    sentence: str
    evidence: tuple[Evidence, ...]


def quoted(title: str, text: str, start: int = 0) -> Evidence:
    """A quotation of our own monograph about `title`."""
    return Evidence(
        f"our:{title}", "1", "our statement", "interactions", 0, start, start + len(text), text, "curator",
        title=f"{title}: our statements",
    )  # fmt: skip


def pairs(file: str) -> Iterator[Pair]:
    for row in yaml.safe_load((HERE / file).read_text("utf-8")):
        given = row.get("quotes") or [(row["title"], row["quote"])]
        evidence = tuple(quoted(title, text, 1000 * at) for at, (title, text) in enumerate(given))
        for kind, said in row.items():
            if kind not in ("title", "quote", "quotes"):
                yield from (Pair(kind, sentence, evidence) for sentence in said)
