"""DUPLICATE_THERAPY of one ingredient: two current orders of it, hidden in brands and combinations or not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from pharmakon.audit.case import Breach, Case, Outcome
from pharmakon.audit.describe import identity
from pharmakon.audit.exposure import Exposure
from pharmakon.audit.phrases import Phrases
from pharmakon.link.drugs import bare_name
from pharmakon.model.concepts import fold
from pharmakon.model.vocabulary import Tier

NAME = "duplicate"
RELATIONS = ("has_ingredient", "belongs_to")


def run(case: Case, say: Phrases) -> Iterator[Outcome]:
    systemic = sorted((e for e in case.exposures if not e.local), key=lambda e: (e.ingredient, e.lines))
    for _, group in groupby(systemic, key=lambda e: e.ingredient):
        same = list(group)
        if len({e.lines for e in same}) > 1 and all(case.covered.get(e.ingredient) != "carrier" for e in same):
            yield _duplicate(same, say)


def _duplicate(same: list[Exposure], say: Phrases) -> Breach:
    # Two strengths of one product, or a fixed and an as-needed order, are often one split dose
    names = {fold(bare_name(e.words)) for e in same}
    split = len(names) == 1 and len({(e.words, e.as_needed) for e in same}) == len(same)
    return Breach(
        type="DUPLICATE_THERAPY",
        tier=Tier.INFO if split else Tier.WARNING,
        exposures=tuple(same),
        problem="same ingredient",
        summary=say("duplicate_same", drug=same[0].name, lines=len(same), words="; ".join(e.words for e in same)),
        management=say("manage_same") if split else say("manage_duplicate"),
        statements=identity(*same),
    )
