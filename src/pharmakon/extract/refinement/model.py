"""The proposer with a language model behind it: drafts as JSON, each checked before it counts (PG-3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pharmakon.extract.claims import Sentence
from pharmakon.extract.refinement.found import Found, Gap, words
from pharmakon.extract.refinement.overlap import said_already
from pharmakon.extract.specialists.wording import NUMBER, any_of, pattern
from pharmakon.model.errors import BadInput
from pharmakon.model.refinement import entry_of
from pharmakon.model.vocabulary import SHAPES, concept_kinds, factors, relations
from pharmakon.ports.language_model import LanguageModel, ModelError, load_prompt

#: Sentences of one question.
AT_ONCE = 12
_FIELDS = {
    "factor": ("shape", "label", "unit", "levels", "of"),
    "relation": ("domain", "range", "stratum"),
}


@dataclass(frozen=True, slots=True)
class ModelProposer:
    """`found.Proposer` by a model. A draft without a standing quotation or a sound key is refused and told."""

    model: LanguageModel

    def read(self, sentences: Sequence[Sentence]) -> Found:
        """A question for every few informative sentences; where the model fails, that is told."""
        asked = [s for s in sentences if informative(s)]
        parts = [self._part(asked[at : at + AT_ONCE]) for at in range(0, len(asked), AT_ONCE)]
        return Found(tuple(g for p in parts for g in p.gaps), tuple(line for p in parts for line in p.refused))

    def schema(self) -> dict[str, Any]:
        """The shape of an answer."""
        texts = {"type": "array", "items": {"type": "string"}}
        kinds = {"type": "array", "items": {"enum": sorted(concept_kinds())}}
        draft = {
            "sentence": {"type": "integer"},
            "quote": {"type": "string"},
            "kind": {"enum": ["factor", "relation"]},
            "key": {"type": "string"},
            "why": {"type": "string"},
            "shape": {"enum": [*SHAPES, "none"]},
            "label": {"type": "string"},
            "unit": {"type": "string"},
            "levels": texts,
            "of": {"enum": ["patient", "order", "pair"]},
            "domain": kinds,
            "range": kinds,
            "stratum": {"enum": ["G", "R"]},
        }
        return _object({"drafts": {"type": "array", "items": _object(draft)}})

    def _part(self, sentences: Sequence[Sentence]) -> Found:
        values = {
            "factors": ", ".join(f"{f.name} ({f.unit or f.shape})" for f in factors().values()),
            "relations": ", ".join(relations()),
            "kinds": ", ".join(sorted(concept_kinds())),
            "sentences": "\n".join(f"[{n}] {s.text}" for n, s in enumerate(sentences, 1)),
        }
        try:
            answer = self.model.answer(load_prompt("pharmakon.extract", "refine.v1", values), self.schema())
        except ModelError as error:
            return Found(refused=(f"{self.model.name} gave no answer: {error}",))
        gaps: list[Gap] = []
        refused: list[str] = []
        rows = answer.get("drafts")
        for row in rows if isinstance(rows, list) else [rows]:
            try:
                gaps.append(self._gap(row, sentences))
            except BadInput as error:
                refused.append(f"{self.model.name}: {error.what}")
        return Found(tuple(gaps), tuple(refused))

    def _gap(self, row: object, sentences: Sequence[Sentence]) -> Gap:
        """Raises `BadInput` with what does not stand."""
        if not isinstance(row, dict):
            raise BadInput("a draft that is no object")
        number, quote, kind, key = (row.get(field) for field in ("sentence", "quote", "kind", "key"))
        if not isinstance(number, int) or isinstance(number, bool) or not 0 < number <= len(sentences):
            raise BadInput("the draft names no sentence")
        sentence = sentences[number - 1]
        if not isinstance(quote, str) or not quote.strip() or quote not in sentence.text:
            raise BadInput("the quotation does not stand in the sentence")
        if kind not in _FIELDS or not isinstance(key, str):
            raise BadInput("the draft has no kind and key")
        entry = entry_of(kind, key, _body(row, _FIELDS[kind]))
        if said_already(entry):
            raise BadInput(f"{key} is in the schema already")
        why = row.get("why")
        return Gap(entry, key, why if isinstance(why, str) else "", sentence, self.model.name)


def informative(sentence: Sentence) -> bool:
    """Whether a sentence may hold knowledge at all: a figure with its unit, or two concepts."""
    concepts = {c for m in (*sentence.mentions, *sentence.heading_mentions) for c in m.concepts}
    return len(concepts) > 1 or _measured().search(sentence.text) is not None


@cache
def _measured() -> re.Pattern[str]:
    spelled = any_of(p for row in words("gaps")["units"].values() for p in row)
    return pattern(rf"{NUMBER}[\s-]*{spelled}(?![A-Za-z])")


def _body(row: Mapping[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    """Without what is empty: a model fills every field of the schema."""
    return {f: row[f] for f in fields if row.get(f) not in (None, "", [], "none")}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False,
    }  # fmt: skip
