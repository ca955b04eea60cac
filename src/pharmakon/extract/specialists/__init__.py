"""Specialists: each reads one kind of knowledge from sentences of a label (PG-2)."""

from __future__ import annotations

from pharmakon.extract.claims import Specialist
from pharmakon.extract.specialists.adjustment import Adjustment
from pharmakon.extract.specialists.adverse_reaction import AdverseReaction
from pharmakon.extract.specialists.allergy import Allergy
from pharmakon.extract.specialists.contraindication import Contraindication
from pharmakon.extract.specialists.dosage import Dosage
from pharmakon.extract.specialists.indication import Indication
from pharmakon.extract.specialists.interaction.specialist import Interactions
from pharmakon.extract.specialists.role import Role

ALL: tuple[Specialist, ...] = (
    Indication(),
    Dosage(),
    Adjustment(),
    Contraindication(),
    Interactions(),
    Allergy(),
    AdverseReaction(),
    Role(),
)
"""Every specialist, in the order of a label's sections."""
