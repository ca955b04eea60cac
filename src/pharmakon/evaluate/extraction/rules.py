"""Rules read out of labels, against those that a reader wrote down by hand.

A statement is taken apart into claims: one for each clause of its guard and each sentence that supports it. A claim is
right where it overlaps a rule of the gold, asks the same of the patient and has the same limit. Precision is of claims,
recall of rules, and labels outside the gold count nowhere.

Drug pairs are not counted here. A caution in a disease is none of the five types, so it can be right (the label says to
avoid the drug, which a caution says too) but not wrong.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pharmakon.evaluate.extraction.baselines import claims as baseline
from pharmakon.evaluate.extraction.baselines.asking import OURS, Baselines, figures_row
from pharmakon.evaluate.extraction.places import locator
from pharmakon.evaluate.extraction.rules_claims import claims_of
from pharmakon.evaluate.extraction.rules_gold import Rule
from pharmakon.evaluate.extraction.rules_score import Claim, score
from pharmakon.evaluate.surveys.survey import Survey
from pharmakon.link.mentions import MentionScanner
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import Lexicon

Reading = Callable[[Path], Iterable[tuple[Document, Sequence[Statement]]]]
"""A file → the documents in it, each with the statements that were read out of it."""
#: The actions of a contraindication: all that an open triple can say of a rule.
PROHIBITIONS = ("contraindicated", "avoid")


def survey(gold: Sequence[Rule], folder: Path, reading: Reading, lexicon: Lexicon, baselines: Baselines) -> Survey:
    """Every label of the gold, `folder/<file>.txt`, through `reading`; `lexicon` knows the names of diseases."""
    files = sorted({rule.file for rule in gold})
    claims: dict[str, list[Claim]] = {}
    seconds = 0.0
    for file in files:
        path = folder / f"{file}.txt"
        try:
            text = path.read_text("utf-8")
        except OSError as error:
            raise BadInput(
                f"{path.name} can't be read: {error.strerror}", where=str(folder), expected="labels"
            ) from None
        start = time.perf_counter()
        found = [(document, list(statements)) for document, statements in reading(path)]
        seconds += time.perf_counter() - start
        claims[file] = sorted(
            {c for d, s in found for c in claimed(text, d, s)}, key=lambda c: (c.start, c.end, str(c))
        )
    own = score(gold, claims, seconds)
    return replace(own, tables={**own.tables, **_baselines(gold, claims, folder, lexicon, baselines)})


def _baselines(
    gold: Sequence[Rule], ours: Mapping[str, Sequence[Claim]], folder: Path, lexicon: Lexicon,
    baselines: Baselines,
) -> dict[str, Any]:  # fmt: skip
    """Both baselines and our extractor on the same labels: over all rules, and over the prohibitions."""
    if baselines.model is None:
        return baselines.not_run()
    chosen = baselines.share([*ours])
    outcomes = baseline.run(chosen, folder, MentionScanner(lexicon), baselines.model, baselines)
    systems = {OURS: ours} | {system: o.claims for system, o in outcomes.items()}
    return {
        "baselines": {system: _row(gold, chosen, claims) for system, claims in systems.items()},
        "baselines_prohibitions": {
            system: _row(
                [rule if rule.action in PROHIBITIONS else replace(rule, certain=False) for rule in gold],
                chosen,
                {file: [c for c in listed if c.action in PROHIBITIONS] for file, listed in claims.items()},
            )
            for system, claims in systems.items()
        },
        "baseline_answers": {system: o.account.table() for system, o in outcomes.items()},
    }


def _row(gold: Sequence[Rule], files: Sequence[str], claims: Mapping[str, Sequence[Claim]]) -> dict[str, Any]:
    found = score([rule for rule in gold if rule.file in files], claims).metrics
    held, every = ((found[f"precision{which}"], found[f"recall{which}"]) for which in ("", "_all"))
    return figures_row(len(files), held, every)


def claimed(text: str, document: Document, statements: Iterable[Statement]) -> Iterator[Claim]:
    """What `statements` claim of the places of `text`, the file that `document` was read from."""
    locate = locator(text, document)
    for statement in statements:
        yield from claims_of(statement, [locate(e) or (e.start, 0) for e in statement.evidence])
