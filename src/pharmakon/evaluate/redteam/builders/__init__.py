"""One file per form of rule; this list is the order of the cases."""

from __future__ import annotations

from pharmakon.evaluate.redteam.builders import allergy, dose, guarded, order, pair, several
from pharmakon.evaluate.redteam.builders.plan import Builder

BUILDERS: tuple[Builder, ...] = (
    order.indications,
    dose.build,
    order.routes,
    guarded.build,
    allergy.build,
    pair.build,
    several.duplicates,
    several.burdens,
    order.food,
)
