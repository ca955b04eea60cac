"""Prescriptions to measure with: one full patient with eight drugs, and a seeded stream of mixed ones."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from pharmakon.app.formulary import monographs

AS_OF = "2026-03-02"

EIGHT_DRUGS: dict[str, Any] = {
    "patient": {
        "age": 82, "sex": "female", "weight_kg": 54, "height_cm": 158, "creatinine": {"value": 1.4, "unit": "mg/dL"},
        "child_pugh": "A", "pregnant": False, "lactating": False, "dialysis": False,
        "conditions": ["atrial fibrillation", "hypertension", "type 2 diabetes", "heart failure"],
        "allergies": ["penicillin"], "labs": {"potassium": {"value": 4.4, "unit": "mmol/L"}},
    },
    "medications": [
        {"drug": drug, "dose": {"value": dose, "unit": "mg"}, "frequency": frequency, "route": "oral"}
        for drug, dose, frequency in (
            ("warfarin 5 mg tablet", 5, "once daily"), ("metformin 500 mg", 500, "twice daily"),
            ("digoxin 0.125 mg", 0.125, "once daily"), ("simvastatin 20 mg", 20, "once daily"),
            ("amlodipine 5 mg", 5, "once daily"), ("furosemide 40 mg", 40, "once daily"),
            ("ramipril 5 mg", 5, "once daily"), ("ibuprofen 400 mg", 400, "three times daily"),
        )
    ],
    "as_of": AS_OF,
}  # fmt: skip


def mixed(count: int, seed: int = 1) -> Iterator[bytes]:
    """`count` prescriptions of two to nine drugs for adults of all ages, as lines of NDJSON."""
    rng = random.Random(seed)
    drugs = [m.concept for m in monographs() if m.concept.covered == "deep"]
    conditions = [
        "hypertension",
        "heart failure",
        "type 2 diabetes",
        "atrial fibrillation",
        "COPD",
        "osteoarthritis",
        "gout",
    ]
    for _ in range(count):
        orders = []
        for concept in rng.sample(drugs, rng.randint(2, 9)):
            name = rng.choice([n.text for n in concept.names if n.lang == "en"])
            dose = {"value": rng.choice([2.5, 5, 10, 50, 100, 250, 500]), "unit": "mg"}
            often = rng.choice(["once daily", "twice daily", "q8h", "q6h"])
            orders.append({"drug": name, "dose": dose, "frequency": often, "route": "oral"})
        creatinine = {"value": round(rng.uniform(0.6, 2.5), 2), "unit": "mg/dL"}
        patient = {
            "age": rng.randint(30, 95), "sex": rng.choice(["female", "male"]), "creatinine": creatinine,
            "weight_kg": rng.randint(45, 110), "height_cm": rng.randint(150, 190),
            "pregnant": False, "lactating": False,
            "conditions": rng.sample(conditions, rng.randint(0, 4)),
            "allergies": rng.choice([[], ["penicillin"], ["aspirin"]]),
        }  # fmt: skip
        yield json.dumps({"patient": patient, "medications": orders, "as_of": AS_OF}).encode() + b"\n"
