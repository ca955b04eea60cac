"""The formulas of clinical pharmacology the audit uses; pure numbers in, numbers out.

Sources: Cockcroft & Gault 1976 (doi:10.1159/000180580); CKD-EPI 2021, Inker et al. (doi:10.1056/NEJMoa2102953);
Devine 1974 for ideal weight; Mosteller 1987 (doi:10.1056/NEJM198710223171717); Child-Pugh 1973 with albumin cut-offs of
2.8 and 3.5 g/dL as in FDA's hepatic guidance.
"""

from __future__ import annotations

from math import sqrt
from typing import Literal

Sex = Literal["female", "male"]

#: Serum creatinine below this many mg/dL in an adult is a unit slip or a muscle disease; it is said, not corrected.
CREATININE_PLAUSIBLE = (0.2, 20.0)


def cockcroft_gault(age: float, weight_kg: float, creatinine_mg_dl: float, sex: Sex) -> float:
    """Creatinine clearance in mL/min; adults with stable creatinine only.

    >>> round(cockcroft_gault(77, 58, 1.4, "female"), 2)
    30.81
    """
    return (140 - age) * weight_kg * (0.85 if sex == "female" else 1.0) / (72 * creatinine_mg_dl)


def ckd_epi_2021(age: float, creatinine_mg_dl: float, sex: Sex) -> float:
    """eGFR in mL/min/1.73 m²; adults only.

    >>> round(ckd_epi_2021(77, 1.4, "female"), 2)
    38.75
    """
    kappa, alpha, factor = (0.7, -0.241, 1.012) if sex == "female" else (0.9, -0.302, 1.0)
    ratio = creatinine_mg_dl / kappa
    return float(142 * min(ratio, 1) ** alpha * max(ratio, 1) ** -1.2 * 0.9938**age * factor)


def de_indexed(egfr: float, bsa_m2: float) -> float:
    """eGFR in mL/min for this body: eGFR x BSA / 1.73.

    >>> round(de_indexed(38.75, bsa_mosteller(160, 58)), 1)
    36.0
    """
    return egfr * bsa_m2 / 1.73


def bsa_mosteller(height_cm: float, weight_kg: float) -> float:
    """Body surface in m².

    >>> round(bsa_mosteller(160, 58), 3)
    1.606
    """
    return sqrt(height_cm * weight_kg / 3600)


def bmi(height_cm: float, weight_kg: float) -> float:
    """Body mass index in kg/m².

    >>> round(bmi(160, 58), 2)
    22.66
    """
    return weight_kg / (height_cm / 100) ** 2


def ideal_weight(height_cm: float, sex: Sex) -> float:
    """Devine's ideal body weight in kg; meaningful from 152 cm (60 in) on.

    >>> round(ideal_weight(160, "female"), 2), round(ideal_weight(175, "male"), 2)
    (52.38, 70.46)
    """
    return (45.5 if sex == "female" else 50.0) + 2.3 * (height_cm / 2.54 - 60)


def dosing_weight(weight_kg: float, height_cm: float | None, sex: Sex) -> tuple[float, str]:
    """The weight Cockcroft-Gault should use, and its name: actual, ideal or adjusted.

    Actual below ideal weight; ideal from there to 120 %; adjusted (ideal + 0.4 of the excess) above 120 %. Without a
    height, or below 152 cm, where Devine's formula fails, the actual weight is used.

    >>> [round(x, 2) if isinstance(x, float) else x for x in dosing_weight(110, 175, "male")]
    [86.28, 'adjusted']
    """
    if height_cm is None or height_cm < 152:
        return weight_kg, "actual"
    ideal = ideal_weight(height_cm, sex)
    if weight_kg < ideal:
        return weight_kg, "actual"
    if weight_kg <= 1.2 * ideal:
        return ideal, "ideal"
    return ideal + 0.4 * (weight_kg - ideal), "adjusted"


def child_pugh_points(part: str, value: float | str) -> int:
    """Points of one component: bilirubin (mg/dL), albumin (g/dL), inr, ascites or encephalopathy (words).

    >>> child_pugh_points("albumin", 3.0), child_pugh_points("ascites", "mild"), child_pugh_points("inr", 1.2)
    (2, 2, 1)
    """
    if isinstance(value, str):
        return _WORDS[part][value.strip().casefold()]
    if part == "bilirubin":
        return 1 if value < 2 else 2 if value <= 3 else 3
    if part == "albumin":
        return 1 if value > 3.5 else 2 if value >= 2.8 else 3
    if part == "inr":
        return 1 if value < 1.7 else 2 if value <= 2.3 else 3
    raise KeyError(part)


_WORDS = {
    "ascites": {"none": 1, "absent": 1, "mild": 2, "slight": 2, "moderate": 3, "severe": 3},
    "encephalopathy": {"none": 1, "absent": 1, "grade 1": 2, "grade 2": 2, "1": 2, "2": 2, "mild": 2}
    | {"grade 3": 3, "grade 4": 3, "3": 3, "4": 3, "severe": 3},
}


def child_pugh_class(points: int) -> str:
    """A for 5 and 6 points, B for 7 to 9, C from 10 on.

    >>> [child_pugh_class(p) for p in (5, 7, 10)]
    ['A', 'B', 'C']
    """
    return "A" if points <= 6 else "B" if points <= 9 else "C"
