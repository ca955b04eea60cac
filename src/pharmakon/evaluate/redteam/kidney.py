"""Kidney function of an invented patient, and the creatinine that gives a wanted one.

Cockcroft & Gault 1976 (doi:10.1159/000180580), CKD-EPI 2021 (doi:10.1056/NEJMoa2102953). Written apart from the audit's
own formulas: a generator that borrowed them could not find them wrong. Patients here weigh no more than their ideal
weight (Devine 1974), so that the actual weight is the one to use.
"""

from __future__ import annotations

from math import pow


def clearance(age: float, weight: float, creatinine: float, *, female: bool) -> float:
    """Creatinine clearance in mL/min; weight in kg, creatinine in mg/dL.

    >>> round(clearance(60, 72, 1.0, female=False), 1)
    80.0
    """
    return (140.0 - age) * weight / (72.0 * creatinine) * (0.85 if female else 1.0)


def creatinine_for(age: float, weight: float, wanted: float, *, female: bool) -> float:
    """The creatinine (mg/dL) that gives a clearance of `wanted` mL/min: Cockcroft-Gault turned round.

    >>> round(clearance(60, 72, creatinine_for(60, 72, 25.0, female=True), female=True), 6)
    25.0
    """
    return (140.0 - age) * weight / (72.0 * wanted) * (0.85 if female else 1.0)


def filtration(age: float, creatinine: float, *, female: bool) -> float:
    """eGFR in mL/min/1.73 m².

    >>> round(filtration(50, 1.0, female=False), 1)
    91.7
    """
    kappa = 0.7 if female else 0.9
    exponent = (-0.241 if female else -0.302) if creatinine <= kappa else -1.2
    return 142.0 * pow(creatinine / kappa, exponent) * pow(0.9938, age) * (1.012 if female else 1.0)


def creatinine_for_filtration(age: float, wanted: float, *, female: bool) -> float:
    """The creatinine that gives an eGFR of `wanted`, by halving: eGFR falls as creatinine rises.

    >>> round(filtration(70, creatinine_for_filtration(70, 28.0, female=False), female=False), 3)
    28.0
    """
    low, high = 0.1, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if filtration(age, middle, female=female) > wanted else (low, middle)
    return (low + high) / 2


def ideal_weight(height: float, *, female: bool) -> float:
    """Devine's weight in kg for a height in cm."""
    return (45.5 if female else 50.0) + 2.3 * (height / 2.54 - 60.0)


def height_for(weight: float, *, female: bool) -> float:
    """A height in whole cm, 152 at least, whose ideal weight is no less than `weight`."""
    inches = 60.0 + (weight - (45.5 if female else 50.0)) / 2.3
    return float(max(152, int(inches * 2.54) + 2))
