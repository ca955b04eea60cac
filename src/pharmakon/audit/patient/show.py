"""Values for people."""

from __future__ import annotations

from collections.abc import Mapping

from pharmakon.model.profile import Interval, Known

#: Sources whose values are computed: three digits are all they are worth.
_COMPUTED = ("Cockcroft-Gault", "CKD-EPI", "weight and height", "the eGFR", "the creatinine clearance")
STANDS_IN = "stands in for it"


def shown(known: Known) -> str:
    """`30.8 mL/min`, `15 to below 30 mL/min/1.73m2`, `A or B`, `no`.

    >>> shown(Known(Interval(15, 30, open_high=True), "mL/min"))
    '15 to below 30 mL/min'
    """
    unit = "" if known.unit in ("", "1", "year") else f" {known.unit}"
    if isinstance(known.value, Interval):
        digits = ".3g" if known.source.startswith(_COMPUTED) else ".5g"
        low, high = f"{known.value.low:{digits}}", f"{known.value.high:{digits}}"
        if known.value.low == known.value.high:
            return f"{low}{unit}"
        if known.value.high == float("inf"):
            return f"at least {low}{unit}"
        return f"{low} to {'below ' if known.value.open_high else ''}{high}{unit}"
    words = {"true": "yes", "false": "no"}
    return " or ".join(sorted(words.get(v, v) for v in known.value))


def straddles(known: Mapping[str, Known], limit: float, factor: str) -> str | None:
    """Says so where the two renal formulas fall on different sides of `limit` (mL/min), else None."""
    crcl, egfr = known.get("crcl"), known.get("egfr")
    if factor not in ("crcl", "egfr") or not crcl or not egfr or STANDS_IN in crcl.source + egfr.source:
        return None
    if not (isinstance(crcl.value, Interval) and isinstance(egfr.value, Interval)):
        return None
    if (crcl.value.high < limit) == (egfr.value.high < limit):
        return None
    other = egfr if factor == "crcl" else crcl
    name = "eGFR (CKD-EPI)" if factor == "crcl" else "creatinine clearance (Cockcroft-Gault)"
    return f"the {name} of {shown(other)} lies on the other side of the cut-off of {limit:g}"
