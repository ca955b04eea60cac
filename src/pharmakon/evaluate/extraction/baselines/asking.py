"""Questions to the model, and an account of what became of each: a model that fails must show in the result."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pharmakon.evaluate.metrics import harmonic
from pharmakon.ports.language_model import LanguageModel, ModelError, Prompt, load_prompt

OURS, ZERO_SHOT, ONE_SHOT = "ours", "zero_shot", "one_shot"
#: Characters of a chunk and of what two neighbours share: about the 600 and 100 tokens of Edge et al. 2024
#: (arXiv:2404.16130), at four characters to a token.
CHUNK, SHARED = 2400, 400


@dataclass(frozen=True, slots=True)
class Baselines:
    """The model that is asked, and how many labels it reads (all where None); without a model, `why_not`."""

    model: LanguageModel | None
    labels: int | None = None
    why_not: str = ""
    progress: Callable[[str], None] = lambda _: None

    def share(self, names: Sequence[str]) -> list[str]:
        """The labels that the model reads: the first by name."""
        return sorted(names)[: self.labels]

    def not_run(self) -> dict[str, Any]:
        """What stands in the result in place of their figures."""
        return {"baselines": {f"{ZERO_SHOT}, {ONE_SHOT}": f"not run: {self.why_not}"}}


@dataclass(slots=True)
class Account:
    """What became of one baseline's questions and of the rows of the answers. `seconds`: spent waiting."""

    questions: int = 0
    failed: Counter[str] = field(default_factory=Counter)  #: questions without a usable answer, by why
    rows: int = 0
    unusable: int = 0  #: rows of another shape, or with a value that can't be read
    unlinked: int = 0  #: rows whose names our linker does not know
    other: int = 0  #: rows that speak of something else than what is counted
    seconds: float = 0.0

    def table(self) -> dict[str, Any]:
        """A row of the result."""
        return {
            "questions": self.questions,
            "failed": self.failed.total(),
            **{f"failed: {why}": n for why, n in sorted(self.failed.items())},
            "rows": self.rows,
            "rows unusable": self.unusable,
            "rows unlinked": self.unlinked,
            "rows on else": self.other,
            "seconds": round(self.seconds, 1),
        }


@dataclass(frozen=True, slots=True)
class Triple:
    """What an open extraction says of `text[start:end]`, a chunk."""

    start: int
    end: int
    subject: str
    verb: str
    object: str


Figures = tuple[float | None, float | None]
"""Precision and recall."""


def figures_row(labels: int, own: Figures, every: Figures) -> dict[str, Any]:
    """One system in the table, by the suite's metrics and those with `_all`.

    Labels without a usable answer count as read and found empty; nothing found is an F1 of 0.
    """
    f1s = {"f1": harmonic(*own), "f1_all": harmonic(*every)}
    return {"labels": labels, "precision": own[0], "recall": own[1], **f1s}


def rows(
    model: LanguageModel, prompt: Prompt, shape: Mapping[str, Any], account: Account
) -> Iterator[Mapping[str, Any]]:
    """The rows of one answer, each once, asked for with strings or numbers in the properties of `shape`."""
    account.questions += 1
    start = time.perf_counter()
    try:
        answer = model.answer(prompt, _object({"rows": {"type": "array", "items": _object(shape)}}))
    except ModelError as error:
        account.failed[error.why] += 1
        return
    finally:
        account.seconds += time.perf_counter() - start
    found = answer.get("rows")
    if not isinstance(found, list):
        account.failed["another shape"] += 1
        return
    seen: set[str] = set()
    for row in found:
        if str(row) in seen:
            continue
        seen.add(str(row))
        account.rows += 1
        if isinstance(row, dict) and all(_plain(row, key, kind) for key, kind in shape.items()):
            yield row
        else:
            account.unusable += 1


def triples(model: LanguageModel, title: str, text: str, account: Account) -> Iterator[Triple]:
    """Everything that the zero-shot baseline says of a label, chunk by chunk."""
    shape = {part: {"type": "string"} for part in ("subject", "verb", "object")}
    for start, end in chunks(text):
        prompt = load_prompt(__package__, "zero_shot.v1", {"title": title, "text": text[start:end]})
        for row in rows(model, prompt, shape, account):
            yield Triple(start, end, row["subject"], row["verb"], row["object"])


def chunks(text: str) -> Iterator[tuple[int, int]]:
    """Overlapping stretches that hold all of `text` and end between words where they can.

    >>> list(chunks("word " * 600))
    [(0, 2399), (1999, 3000)]
    """
    start = 0
    while text[start:].strip():
        end = min(start + CHUNK, len(text))
        if end < len(text):
            gap = max(text.rfind(blank, start + 2 * SHARED, end) for blank in " \n\t")
            end = gap if gap > 0 else end
        yield start, end
        if end == len(text):
            return
        start = end - SHARED


def title(text: str) -> str:
    """The first line of a label that says anything."""
    return next((line.strip() for line in text.lstrip("\ufeff").splitlines() if line.strip()), "")[:200]


def _plain(row: Mapping[str, Any], key: str, kind: Mapping[str, Any]) -> bool:
    """Whether the row has the key with a value of the asked type; lists are looked at by whoever reads them."""
    value = row.get(key)
    if kind.get("type") == "array":
        return isinstance(value, list)
    if kind.get("type") == ["number", "null"]:
        return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
    return isinstance(value, str) and value in kind.get("enum", (value,))


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False,
    }  # fmt: skip
