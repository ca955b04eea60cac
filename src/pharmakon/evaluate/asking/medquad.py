"""A folder in the shape of MedQuAD as documents without questions, and questions about them.

MedQuAD (Ben Abacha and Demner-Fushman 2019, doi:10.1186/s12859-019-3119-4) asks by template: "What causes X ?". Neither
the question nor its type nor the field `Focus` comes into a document here, only the answers do; a title, where
documents are to have one, is what the page's address or its first sentence says.
"""

from __future__ import annotations

import hashlib
import random
import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from pharmakon.ingest.formats.encyclopaedia import KIND, paragraphs
from pharmakon.ingest.formats.spl.xml import child, parse, words
from pharmakon.model.documents import Document, Section
from pharmakon.model.errors import BadInput
from pharmakon.model.passages import cut

#: Letters of the shortest word in an address that is no abbreviation.
_WORD = 5
_SHORTEST_TYPO = 5
#: "Varicose veins are …": what the first sentence of an article is about.
_SUBJECT = re.compile(
    r"(?:(?:An?|The)\s)?(?P<subject>[^.,;:]{2,60}?),?\s+(?:also\b[^.]*?,\s+|or\s[^.,]*,\s+)?"
    r"(?:is|are|refers?|occurs?|happens?|was|means|causes?|develops?|affects?)\b"
)
_NO_SUBJECT = frozenset(["this", "these", "there", "it", "your", "you", "that", "in", "when", "if", "what"])
_BRACKETS = re.compile(r"\s*\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. `answers`: the passages that answer it, by their text; equal texts are one answer.

    `subject` is what stands in the place of X. `development`: the ranking was chosen on this one.
    """

    document: str
    question: str
    type: str
    subject: str
    answers: frozenset[str]
    development: bool


@dataclass(frozen=True, slots=True)
class Corpus:
    """`titles` by document id."""

    documents: tuple[Document, ...]
    titles: Mapping[str, str]
    questions: tuple[Asked, ...]

    def titled(self) -> tuple[Document, ...]:
        return tuple(replace(d, title=self.titles[d.id]) for d in self.documents)


@dataclass(frozen=True, slots=True)
class Wordings:
    """What a suite says of questions: their templates, other wordings, what was used to choose the ranking by.

    A wording is a text with `{}` in the place of X. `other_subjects` are questions that no medical source answers.
    """

    templates: Mapping[str, str]
    paraphrases: Mapping[str, tuple[str, ...]]
    development_types: frozenset[str]
    development_documents: frozenset[str]
    page_words: frozenset[str]
    other_subjects: tuple[str, ...]


def read_wordings(text: str, where: str) -> Wordings:
    """Raises `BadInput` where a key is missing or a wording has no place for its subject."""
    try:
        row: Mapping[str, Any] = yaml.safe_load(text)
        found = Wordings(
            dict(row["templates"]),
            {kind: tuple(listed) for kind, listed in row["paraphrases"].items()},
            frozenset(row["development"]["types"]),
            frozenset(_id(folder, stem) for folder, stems in row["development"]["documents"].items() for stem in stems),
            frozenset(row["page_words"]),
            tuple(row["other_subjects"]),
        )
    except (yaml.YAMLError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"these are no wordings ({error})", where=where, expected="as in the suite's own file") from None
    every = (*found.templates.values(), *(w for listed in found.paraphrases.values() for w in listed))
    if wrong := next((w for w in every if w.count("{}") != 1), None):
        raise BadInput(f"the wording {wrong!r} names no subject", where=where, expected="one {} in it")
    return found


def read_corpus(folder: Path, wordings: Wordings) -> Corpus:
    """Every XML file below `folder`, in the order of their names; raises `BadInput` where there are no questions."""
    documents: list[Document] = []
    titles: dict[str, str] = {}
    questions: list[Asked] = []
    for file in sorted(folder.rglob("*.xml")):
        root = parse(file.read_bytes(), str(file))
        pairs = [_pair(pair) for pair in root.iter("{*}QAPair")]
        answered = [pair for pair in pairs if pair[2]]
        if not answered:
            continue
        id = _id(file.parent.name, file.stem)
        texts = [text for _, _, text in answered]
        digest = hashlib.sha256("\x00".join(texts).encode()).hexdigest()
        sections = tuple(Section(i, "other", "", text) for i, text in enumerate(texts))
        documents.append(Document(id, digest[:12], KIND, "en", "", digest, sections))
        titles[id] = title_of(root.get("url") or "", texts, wordings.page_words)
        questions += _questions(id, answered, wordings)
    if not questions:
        raise BadInput("there are no questions with answers", where=str(folder), expected="XML files of MedQuAD")
    return Corpus(tuple(documents), titles, tuple(questions))


def _id(folder: str, stem: str) -> str:
    return f"{KIND}:{folder}-{stem}".casefold()


def _pair(pair: Any) -> tuple[str, str, str]:
    question, answer = child(pair, "Question"), child(pair, "Answer")
    if question is None or answer is None:
        return "", "", ""
    return (question.get("qtype") or "").strip(), " ".join(words(question).split()), paragraphs(words(answer))


def _questions(document: str, answered: Sequence[tuple[str, str, str]], wordings: Wordings) -> list[Asked]:
    """A question that is asked several times of a document is one, and each of its answers answers it."""
    answers: dict[str, set[str]] = {}
    for _, question, text in answered:
        answers.setdefault(question, set()).update(text[a:b] for a, b in cut(text))
    types = {question: kind for kind, question, _ in reversed(answered)}
    chosen = document in wordings.development_documents
    return [
        Asked(
            document, question, types[question], _subject(question, wordings.templates.get(types[question], "{}")),
            frozenset(texts), chosen and types[question] in wordings.development_types,
        )
        for question, texts in answers.items()
    ]  # fmt: skip


def _subject(question: str, template: str) -> str:
    before, _, after = template.partition("{}")
    inside = question.removeprefix(before)
    return inside.removesuffix(after).rstrip("? ") if inside != question or not before else ""


def title_of(address: str, texts: Sequence[str], page_words: Collection[str]) -> str:
    """The last part of an address that says something; of one that abbreviates, what the first sentence is about.

    >>> title_of("https://example.org/topics/some-disease/Pages/facts.aspx", [], {"pages", "facts", "topics"})
    'some disease'
    >>> title_of("https://example.org/topics/ed", ["Some example disease (ED) is a disease."], {"topics"})
    'Some example disease'
    """
    parts = [re.split(r"[-_ ]+", re.sub(r"\.\w+$", "", part)) for part in address.split("//")[-1].split("/")[1:]]
    said = [p for p in parts if any(word and word.casefold() not in page_words for word in p)]
    slug = " ".join(said[-1]) if said else ""
    if any(len(word) >= _WORD for word in slug.split()):
        return slug
    return next((subject for text in texts if (subject := _first_subject(text))), slug)


def _first_subject(text: str) -> str:
    for line in text.split("\n")[:4]:
        match = _SUBJECT.match(_BRACKETS.sub("", line))
        if match and match["subject"].split()[0].casefold() not in _NO_SUBJECT:
            return match["subject"]
    return ""


def mistyped(question: str, seed: int) -> str:
    """`question` with one or two of its longer words misspelt by a slip each, always the same ones.

    >>> mistyped("What causes kidney stones ?", 1) != "What causes kidney stones ?"
    True
    """
    rng = random.Random(zlib.crc32(question.encode()) + seed)
    parts = question.split(" ")
    longer = [i for i, word in enumerate(parts) if len(word) >= _SHORTEST_TYPO and word.isalpha()]
    for i in rng.sample(longer, min(len(longer), rng.choice((1, 2)))):
        parts[i] = _slip(parts[i], rng)
    return " ".join(parts)


def _slip(word: str, rng: random.Random) -> str:
    """Two letters change places, one is left out, doubled, or another; never the first or the last."""
    at = rng.randrange(1, len(word) - 2)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    return word[:at] + (word[at] * 2 if kind == 2 else rng.choice("abcdefghijklmnopqrstuvwxyz")) + word[at + 1 :]
