"""Small records of openFDA for tests, and what they are read as."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

from pharmakon.ingest.formats.openfda import read_openfda
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.documents import Section
from pharmakon.model.errors import BadInput
from pharmakon.model.products import Product

SET_ID = "5e0d7d2e-0000-4000-8000-00000000abcd"
BLOCK: dict[str, Any] = {
    "brand_name": ["Exampla"],
    "generic_name": ["EXAMPLIN"],
    "substance_name": ["EXAMPLIN SODIUM"],
    "unii": ["ABC123DEF4"],
    "route": ["ORAL"],
    "rxcui": ["111", "222"],
    "product_ndc": ["1-2"],
    "pharm_class_epc": ["Example Inhibitor [EPC]"],
    "spl_set_id": [SET_ID],
}
TABLE = (
    "<table><thead><tr><th>Drug</th><th>Advice</th></tr></thead>"
    "<tbody><tr><td>digoxin</td><td>halve the dose</td></tr><tr><td>lithium</td><td>avoid</td></tr></tbody></table>"
)


def record(block: Mapping[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    found = {key: [value] if isinstance(value, str) else value for key, value in fields.items()}
    return {"set_id": SET_ID, "id": "label-1", "openfda": BLOCK if block is None else block, **found}


def read(*records: Mapping[str, Any]) -> list[Incoming | BadInput]:
    return list(read_openfda(io.BytesIO(json.dumps({"meta": {}, "results": records}).encode()), "part.json"))


def read_one(one: Mapping[str, Any]) -> Incoming:
    (found,) = read(one)
    assert isinstance(found, Incoming)
    return found


def sections(**fields: Any) -> list[Section]:
    return list(read_one(record(**fields)).document.sections)


def outline(found: list[Section]) -> list[tuple[int, str, str, str]]:
    return [(s.level, s.kind, s.heading, s.text) for s in found]


def product(block: Mapping[str, Any], **fields: Any) -> Product:
    (found,) = read_one(record(block, **{"contraindications": "4 CONTRAINDICATIONS None.", **fields})).products
    return found
