"""Every specialist once more, with a language model as its engine (PG-2).

The model proposes in a JSON schema that holds its slice of the vocabulary. What it proposes is checked here against the
sentence it quotes (the quotation, the named concept, every figure), and once more by the gate; what fails is refused
and counted with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence, Specialist
from pharmakon.extract.curated.expressions import read_condition, read_limit
from pharmakon.extract.specialists.wording import words
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Condition, Limit, Statement
from pharmakon.model.vocabulary import Factor, Relation, Tier, factors, grown, relations
from pharmakon.ports.language_model import LanguageModel, ModelError, load_prompt

#: Sentences of one question: enough for context, few enough for a small model's window.
AT_ONCE = 12
_PERS = ("dose", "day", "week")


def model_specialists(model: LanguageModel) -> tuple[Specialist, ...]:
    """One for each slice of the schema; one more for what it grew by, where it did."""
    kinds = (kind for kind, row in words("slices").items() if grown() or not row.get("grown"))
    return tuple(ModelSpecialist(model, kind, *_slice(kind)) for kind in kinds)


def _slice(kind: str) -> tuple[frozenset[str], tuple[str, ...], tuple[str, ...], str]:
    row = words("slices")[kind]
    accepted = grown() if row.get("grown") else ()
    edges = (e.name for e in accepted if isinstance(e, Relation))
    asked = (e.name for e in accepted if isinstance(e, Factor))
    return frozenset(row["sections"]), (*row["relations"], *edges), (*row["factors"], *asked), row["task"]


@dataclass(frozen=True, slots=True)
class ModelSpecialist:
    model: LanguageModel
    name: str
    sections: frozenset[str]
    relations: tuple[str, ...]
    factors: tuple[str, ...]
    task: str

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        """A question for every few sentences; where the model fails, they are unread and say why."""
        return [
            read for at in range(0, len(sentences), AT_ONCE) for read in self._part(sentences[at : at + AT_ONCE], label)
        ]

    def schema(self) -> dict[str, Any]:
        """The shape of an answer: this specialist's slice of the vocabulary."""
        number = {"type": ["number", "null"]}
        condition = {
            "factor": {"enum": [*self.factors, "none"]},
            "op": {"enum": ["<", "<=", ">", ">=", "is"]},
            "value": {"type": "string"},
            "unit": {"type": "string"},
        }
        claim = {
            "sentence": {"type": "integer"},
            "quote": {"type": "string"},
            "relation": {"enum": list(self.relations)},
            "object": {"type": "string"},
            "negated": {"type": "boolean"},
            "conditions": {"type": "array", "items": _object(condition)},
            "limit": number,
            "limit_unit": {"type": "string"},
            "limit_per": {"enum": [*_PERS, "none"]},
        }
        return _object({"claims": {"type": "array", "items": _object(claim)}})

    def _part(self, sentences: Sequence[Sentence], label: LabelContext) -> list[Read]:
        numbered = "\n".join(f"[{n}] {s.text}" for n, s in enumerate(sentences, 1))
        drug = ", ".join(c.partition(":")[2].replace("-", " ") for c in label.subjects)
        values = {"task": self.task, "drug": drug, "section": sentences[0].heading, "sentences": numbered}
        try:
            answer = self.model.answer(load_prompt("pharmakon.extract", "extract.v1", values), self.schema())
        except ModelError as error:
            return [Read(why=f"the model gave no answer: {error}")] * len(sentences)
        claims: list[list[Claim]] = [[] for _ in sentences]
        refused: list[list[str]] = [[] for _ in sentences]
        for row in _rows(answer):
            number = row.get("sentence")
            place = number - 1 if isinstance(number, int) and 0 < number <= len(sentences) else None
            try:
                if place is None:
                    raise BadInput("the claim names no sentence")
                claims[place].append(self._claim(row, sentences[place], label))
            except BadInput as error:
                refused[place or 0].append(f"{self.model.name}: {error.what}")
        return [Read(tuple(c), refused=tuple(r)) for c, r in zip(claims, refused, strict=True)]

    def _claim(self, row: Mapping[str, Any], sentence: Sentence, label: LabelContext) -> Claim:
        """Raises `BadInput` with what does not stand."""
        quote = _text(row, "quote")
        at = sentence.text.find(quote)
        if at < 0 or not quote.strip():
            raise BadInput("the quotation does not stand in the sentence")
        relation = _text(row, "relation")
        if relation not in self.relations:
            raise BadInput("the relation is none of this specialist's")
        concept = _named(_text(row, "object"), sentence, relation, label)
        conditions = tuple(self._conditions(row, quote))
        limit = _limit(row, quote)
        if limit is None and relation == "dose_limit":
            raise BadInput("a dose limit without a figure")
        if concept is None and not conditions and relation != "dose_limit":
            raise BadInput("the claim says of nothing when it holds")
        statement = Statement(
            "", label.subjects[0], relation, concept, negative=row.get("negated") is True, tier=Tier.WARNING,
            limit=limit, when=(conditions,) if conditions else (),
        )  # fmt: skip
        return Claim(statement, sentence.start + at, sentence.start + at + len(quote), proposer=self.model.name)

    def _conditions(self, row: Mapping[str, Any], quote: str) -> Iterator[Condition]:
        for given in row.get("conditions") or ():
            factor, op, value, unit = (str(given.get(k, "")).strip() for k in ("factor", "op", "value", "unit"))
            if factor not in self.factors:
                raise BadInput("a condition on what this specialist does not read")
            if factors()[factor].shape == "flag":
                yield read_condition(factor)
                continue
            if not _figure_stands(value, quote):
                raise BadInput("a figure that the quotation does not hold")
            try:
                yield read_condition(f"{factor} {op} {value} {unit}".strip())
            except BadInput as error:
                raise BadInput(f"a condition that can't be read: {error.what}") from None


def _rows(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rows = answer.get("claims")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    return value if isinstance(value, str) else ""


def _named(words_: str, sentence: Sentence, relation: str, label: LabelContext) -> ConceptId | None:
    """The one concept that these words of the sentence name and that the relation may end at; None for no words."""
    known = relations()[relation]
    if not words_.strip():
        if "" not in known.range:
            raise BadInput("no object is named")
        return None
    near = [m for m in (*sentence.mentions, *sentence.heading_mentions) if _meant(words_, m)]
    fits = {c for m in near for c in m.concepts if kind_of(c) in known.range and c not in label.subjects}
    if len(fits) != 1:
        raise BadInput("the object is no one concept that the sentence names")
    return fits.pop()


def _meant(words_: str, mention: Mention) -> bool:
    a, b = words_.casefold().strip(), mention.text.casefold()
    return a == b or (len(b) > 3 and b in a) or (len(a) > 3 and a in b)


def _limit(row: Mapping[str, Any], quote: str) -> Limit | None:
    value, per = row.get("limit"), _text(row, "limit_per")
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return None
    if not _figure_stands(f"{value:g}", quote):
        raise BadInput("a limit that the quotation does not hold")
    try:
        return read_limit(f"{value:g} {_text(row, 'limit_unit')} per {per}")
    except BadInput as error:
        raise BadInput(f"a limit that can't be read: {error.what}") from None


def _figure_stands(value: str, quote: str) -> bool:
    """Whether the quotation holds this figure, thousands set apart or not; a class or a word as a whole word."""
    bare = re.sub(r"(?<=\d),(?=\d{3})", "", quote)
    return bool(value) and re.search(rf"(?<![\w.]){re.escape(value.replace(',', ''))}(?![\w]|\.\d)", bare) is not None


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False,
    }  # fmt: skip
