"""The ranges of `limits.toml`: what is refused as a slip, and how the complaint words it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import factors, seeded

UNITLESS = ("inr",)  #: laboratory values that are ratios, which may stand as bare numbers


@dataclass(frozen=True, slots=True)
class Range:
    low: float
    high: float
    open_low: bool
    unit: str = ""

    def __contains__(self, value: float) -> bool:
        return (value > self.low if self.open_low else value >= self.low) and value <= self.high

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        if self.open_low:
            return f"more than {self.low:g} and at most {self.high:.10g}{unit}"
        return f"{self.low:g} to {self.high:.10g}{unit}"


@cache
def _table() -> dict[str, dict[str, Range]]:
    data = read_table(__package__, "limits.toml")
    return {
        group: {
            name: Range(
                float(row.get("above", row.get("from", 0))), float(row["to"]), "above" in row, row.get("unit", "")
            )
            for name, row in rows.items()
        }
        for group, rows in data.items()
    }


#: Of a value that the schema grew by nothing is known but that nobody measures less than none.
_ANY = Range(0, 1e9, open_low=False)


def limit(group: str, name: str) -> Range:
    return _table()[group].get(name, _ANY) if group == "lab" else _table()[group][name]


def lab_names() -> tuple[str, ...]:
    """Laboratory values a prescription may carry; each is a factor, of the seed or accepted since."""
    grown = (f.name for f in factors().values() if f.of == "patient" and f.shape == "number" and not seeded(f.name))
    return (*_table()["lab"], *grown)
