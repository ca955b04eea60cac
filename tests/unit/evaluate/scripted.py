"""Language models that say what they were told to, and a corpus in the form of `extract-ddi` that is ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pharmakon.ports.language_model import ModelError, Prompt

TRIPLES = "zero_shot.v1"


class Scripted:
    """Answers by the prompt's name: rows, an answer in another shape, or an error."""

    name = "scripted"

    def __init__(self, **answers: Any) -> None:
        self.answers = {name.replace("_v", ".v"): answer for name, answer in answers.items()}
        self.asked: list[Prompt] = []

    def answer(self, prompt: Prompt, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append(prompt)
        assert schema["properties"]["rows"]["items"]["additionalProperties"] is False
        said = self.answers.get(prompt.name, [])
        if isinstance(said, ModelError):
            raise said
        return {"rows": said} if isinstance(said, list) else said


def triple(subject: str, verb: str, object: str) -> dict[str, str]:
    return {"subject": subject, "verb": verb, "object": object}


def pair(subject: str, object: str) -> dict[str, str]:
    return {"subject": subject, "object": object}


Pairs = Sequence[tuple[str, str]]
"""Names that interact; "" is the label's own drug, which the sentence leaves unsaid."""


def write_label(folder: Path, name: str, head: str, sentences: Mapping[str, Pairs]) -> str:
    """`name.txt` and `name.xml`; the text."""
    text = f"{head}\n\n7 DRUG INTERACTIONS\n\n" + "\n".join(sentences) + "\n"
    (folder / f"{name}.txt").write_text(text, "utf-8")
    marked = "".join(_sentence(sentence, pairs) for sentence, pairs in sentences.items())
    (folder / f"{name}.xml").write_text(f"<document>{marked}</document>", "utf-8")
    return text


def _sentence(sentence: str, pairs: Pairs) -> str:
    ids = {name: f"e.{n}" for n, name in enumerate(sorted({n for both in pairs for n in both} - {""}))}
    entities = ""
    for name, id_ in ids.items():
        at = sentence.index(name)
        entities += f'<entity id="{id_}" charOffset="{at}:{at + len(name)}" text="{name}" type="Drug"/>'
    ids[""] = "labelDrug"
    marked = "".join(f'<pair ddi="true" e1="{ids[a]}" e2="{ids[b]}"/>' for a, b in pairs)
    return f'<sentence text="{sentence}">{entities}{marked}</sentence>'
