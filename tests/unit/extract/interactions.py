"""A label of simvastatin, and what the interaction specialist reads in its sections."""

from __future__ import annotations

from pharmakon.extract.claims import Claim, LabelContext, Read
from pharmakon.extract.sentences import mentioned
from pharmakon.extract.specialists.interaction.specialist import Interactions
from pharmakon.link.mentions import MentionScanner
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Section
from pharmakon.model.vocabulary import Tier
from tests.unit.link.lexicon import DISEASES, DRUGS, Words, concept

NAMES = (
    concept("ingredient:simvastatin", "simvastatin", brands=["Zocor"]),
    concept("ingredient:amlodipine", "amlodipine"),
    concept("ingredient:ketoconazole", "ketoconazole"),
    concept("ingredient:itraconazole", "itraconazole"),
    concept("ingredient:cyclosporine", "cyclosporine"),
    concept("ingredient:digoxin", "digoxin"),
    concept("ingredient:lithium", "lithium"),
    concept("class:strong-cyp3a4-inhibitor", "strong CYP3A4 inhibitor"),
    concept("class:statin", "statin"),
    concept("class:nsaid", "NSAID"),
    concept("lifestyle:grapefruit", "grapefruit juice"),
    concept("lifestyle:alcohol", "alcohol"),
    concept("ingredient:warfarin", "warfarin"),
    concept("ingredient:apixaban", "apixaban"),
    concept("ingredient:selegiline", "selegiline"),
    concept("class:maoi", "MAO inhibitor"),
    concept("class:diuretic", "diuretic"),
    concept("class:potassium-supplement", "potassium"),
    concept("ingredient:omeprazole", "omeprazole"),
    concept("class:antacid", "antacid"),
)
SCANNER = MentionScanner(Words((*DISEASES, *DRUGS, *NAMES)))
SIMVASTATIN = ConceptId("ingredient:simvastatin")
LABEL = LabelContext((SIMVASTATIN,), ancestors={SIMVASTATIN: frozenset({ConceptId("class:statin")})})


def reads(text: str, kind: str = "interactions", heading: str = "") -> list[Read]:
    return list(Interactions().read(mentioned(Section(0, kind, heading, text), SCANNER), LABEL))


def claims(text: str, kind: str = "interactions", heading: str = "") -> list[Claim]:
    return [claim for read in reads(text, kind, heading) for claim in read.claims]


def said(text: str, kind: str = "interactions", heading: str = "") -> dict[str, tuple[str, Tier]]:
    """Object → (subject, tier)."""
    return {str(c.statement.object): (c.statement.subject, c.statement.tier) for c in claims(text, kind, heading)}
