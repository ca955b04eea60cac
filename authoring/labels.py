"""Published labels as text by set id and section, from the folder that holds them (`../shared/data`)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

#: section of a citation → keys of an openFDA record
_KEYS = {
    "boxed_warning": ("boxed_warning",),
    "indications": ("indications_and_usage",),
    "dosage": ("dosage_and_administration", "dosage_and_administration_table"),
    "contraindications": ("contraindications",),
    "warnings": ("warnings_and_cautions", "warnings"),
    "interactions": ("drug_interactions", "drug_interactions_table"),
}
#: headings of the collection of sections by drug name → section of a citation
_HEADINGS = {
    "Indications and Usage": "indications",
    "Dosage and Administration": "dosage",
    "Contraindications": "contraindications",
    "Warnings and Precautions": "warnings",
    "Drug Interactions": "interactions",
    "Adverse Reactions": "adverse_reactions",
}
Label = Mapping[str, str]
"""Section → text; "" holds the whole label where its sections can't be told apart."""


def read_labels(data: Path) -> dict[str, Label]:
    """Reference (set id, or `query=DRUG` of a citation's address) → label."""
    found: dict[str, Label] = {}
    for file in sorted((data / "openfda-labels").glob("*.json")):
        for record in json.loads(file.read_text("utf-8"))["results"]:
            label = {s: " ".join(_text(record[k]) for k in keys if k in record) for s, keys in _KEYS.items()}
            for set_id in record["openfda"]["spl_set_id"]:
                found[set_id] = {section: text for section, text in label.items() if text}
    for file in sorted((data / "fda-cv-ddi-labels").glob("*.txt")):
        found.setdefault(file.stem, {"": file.read_text("utf-8", errors="replace")})
    collected: dict[str, dict[str, str]] = {}
    sections = data / "fda-label-sections" / "sections.json"
    for row in json.loads(sections.read_text("utf-8")) if sections.exists() else ():
        if row["section"] in _HEADINGS:
            collected.setdefault(row["drug"].lower(), {})[_HEADINGS[row["section"]]] = row["text"]
    found |= {f"query={drug}": label for drug, label in collected.items()}
    return found


def _text(value: object) -> str:
    text = "\n".join(value) if isinstance(value, list) else str(value)
    return re.sub(r"\s+", " ", re.sub(r"</?[A-Za-z][^<>]*>", " ", text))
