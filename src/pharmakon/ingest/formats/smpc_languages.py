"""What headings of European product information say in each language (`smpc.toml`), and which language a text is in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from rapidfuzz import fuzz

from pharmakon.ingest.formats.blocks import Block
from pharmakon.ingest.topics import topic
from pharmakon.model.concepts import fold
from pharmakon.model.tables import read_table

#: Two headings that agree this far (0 to 100) are the same one in another edition of the template.
_ALIKE = 86
#: Frequent words needed before they tell a language, and their lead over the next.
_FEW, _LEAD = 5, 1.5
#: How much of a text is read for its frequent words, in characters.
_SAMPLE = 20_000
UNKNOWN = "und"
_NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,2})(?:\.\s*|\s+)(?=[^\W\d_])(.+)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Language:
    """One language's section of `smpc.toml`; headings are folded, patterns compiled without regard to case."""

    code: str
    annex: tuple[str, ...]
    summary: tuple[str, ...]
    labelling: tuple[str, ...]
    leaflet: tuple[str, ...]
    leaflet_numbered: re.Pattern[str]
    numbered: Mapping[str, tuple[str, ...]]
    topics: Mapping[str, re.Pattern[str]]
    routes: Mapping[str, re.Pattern[str]]
    method: tuple[str, ...]
    words: frozenset[str]
    product: Mapping[str, str]

    def topic(self, heading: str, parent: str) -> str:
        """The kind of a subsection; words of this language count as the name of the kind they stand for."""
        said = next((kind for kind, pattern in self.topics.items() if pattern.search(heading)), "")
        return topic("", said or heading, parent)


@cache
def rules() -> Mapping[str, Any]:
    """What holds in every language."""
    found: Mapping[str, Any] = _data()["sections"]
    return found


@cache
def languages() -> Mapping[str, Language]:
    return {code: _language(code, rows) for code, rows in _data().items() if code != "sections"}


@cache
def unknown() -> Language:
    """A language that is not in the data: section numbers still tell the topics of a summary."""
    never = re.compile(r"(?!)")
    return Language(UNKNOWN, (), (), (), (), never, {}, {}, {}, (), frozenset(), {})


def conjunctions() -> frozenset[str]:
    return frozenset(rules()["conjunctions"])


def number_of(text: str) -> tuple[str, str] | None:
    """The section number at the beginning of a heading, and the heading after it.

    >>> number_of("4.3 Contraindications"), number_of("3 years.") is None, number_of("82 avenue")
    (('4.3', 'Contraindications'), False, ('82', 'avenue'))
    """
    match = _NUMBERED.match(text)
    return (match[1], match[2].strip()) if match else None


def likeness(language: Language, number: str, heading: str) -> float:
    """How far `heading` is this language's heading of section `number`; 0 where it is another one.

    >>> likeness(languages()["en"], "4.3", "CONTRAINDICATIONS"), likeness(languages()["en"], "4.3", "Overdose")
    (100.0, 0.0)
    """
    words = fold(heading)
    score = max((fuzz.ratio(words, known) for known in language.numbered.get(number, ())), default=0.0)
    return score if score >= _ALIKE else 0.0


def detect(blocks: Sequence[Block], declared: str = "") -> str:
    """The language of a text: by known headings, else by frequent words, else as declared, else `UNKNOWN`.

    `declared` is a language tag ("da-DK").
    """
    votes: Counter[str] = Counter()
    for block in blocks:
        if len(block.text) <= 160:
            votes.update(_votes(block.text))
    if not votes:
        votes = _frequent(blocks)
    best = votes.most_common(2)
    if best and (len(best) == 1 or best[0][1] > best[1][1]):
        return best[0][0]
    return re.split(r"[-_]", declared.strip())[0].lower() or UNKNOWN


def _votes(text: str) -> Counter[str]:
    found = number_of(text)
    votes: Counter[str] = Counter()
    if found:
        alike = {code: likeness(language, *found) for code, language in languages().items()}
        best = max(alike.values())
        votes.update({code: 3 for code, score in alike.items() if best and score == best})
        heading = found[1]
        votes.update({c: 3 for c, language in languages().items() if language.leaflet_numbered.search(heading)})
    folded = fold(text)
    votes.update({c: 2 for c, language in languages().items() if folded in (*language.summary, *language.leaflet)})
    return votes


def _frequent(blocks: Sequence[Block]) -> Counter[str]:
    words: Counter[str] = Counter()
    read = 0
    for block in blocks:
        words.update(re.findall(r"[^\W\d_]+", block.text.casefold()))
        read += len(block.text)
        if read > _SAMPLE:
            break
    votes = Counter({c: sum(words[w] for w in language.words) for c, language in languages().items()})
    (first, n), (_, m) = votes.most_common(2)
    return Counter({first: n}) if n >= _FEW and n >= _LEAD * m else Counter()


@cache
def _data() -> Mapping[str, Any]:
    return read_table("pharmakon.ingest.formats", "smpc.toml")


def _language(code: str, rows: Mapping[str, Any]) -> Language:
    def folded(key: str) -> tuple[str, ...]:
        return tuple(fold(text) for text in rows[key])

    def any_of(patterns: Sequence[str]) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE)

    return Language(
        code,
        folded("annex"),
        folded("summary"),
        folded("labelling"),
        folded("leaflet"),
        any_of(rows["leaflet_numbered"]),
        {number: tuple(map(fold, headings)) for number, headings in rows["numbered"].items()},
        {kind: any_of(patterns) for kind, patterns in rows.get("topics", {}).items()},
        {route: any_of([rf"\b{re.escape(p)}\b" for p in phrases]) for route, phrases in rows["routes"].items()},
        folded("method"),
        frozenset(rows["words"]),
        rows["product"],
    )
