"""How fast the embedded store reads and writes: `python -m benchmarks.store [--sizes 10000 100000 1000000]`.

`audit` is all that an audit of eight drugs and four diseases asks; times are in ms. `warm` draws from 200 drugs and
diseases that were asked for before, `first` from all, so that nearly every one is new to the process. `graph` is the
projection, `cypher` the links among eight drugs by it, `check` the whole check.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.generator import changes, world
from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from pharmakon.model.concepts import ConceptId

_PAIRS = ("interacts_with", "incompatible_with", "increases_toxicity", "reduces_efficacy")
_WITH_DISEASE = ("contraindicated_in", "requires_caution_with", "treats")
_RULES = ("dose_limit", "dose_adjustment", "given_by", "has_effect", "contraindicated_in", "requires_caution_with")


def audit(knowledge: EmbeddedKnowledge, drugs: Sequence[ConceptId], diseases: Sequence[ConceptId]) -> int:
    """Every query of one audit; returns how many statements it got."""
    names = [id.partition(":")[2].replace("-", " ") for id in drugs]
    with knowledge.snapshot():
        knowledge.by_name(names)
        chains = knowledge.ancestors([*drugs, *diseases])
        above = {ancestor for drug in drugs for ancestor in chains[drug]}
        conditions = {ancestor for disease in diseases for ancestor in chains[disease]}
        links = [*knowledge.links(above, above, _PAIRS), *knowledge.links(above, conditions, _WITH_DISEASE)]
        return len(knowledge.about(above, _RULES)) + len(knowledge.statements(links))


Pool = tuple[Sequence[ConceptId], Sequence[ConceptId]]
"""Drugs and diseases to draw from."""


def measure(knowledge: EmbeddedKnowledge, pool: Pool, rounds: int, seed: int) -> list[float]:
    rng = random.Random(seed)
    times = []
    for _ in range(rounds):
        drugs, diseases = rng.sample(pool[0], 8), rng.sample(pool[1], 4)
        start = time.perf_counter()
        audit(knowledge, drugs, diseases)
        times.append((time.perf_counter() - start) * 1000)
    return times


def summary(times: Sequence[float]) -> str:
    ordered = sorted(times)
    return f"{statistics.median(ordered):8.2f} {ordered[int(len(ordered) * 0.95)]:8.2f}"


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def build(folder: Path, size: int) -> float:
    """Seconds of `apply` alone, without making the statements."""
    knowledge, spent = open_embedded(folder), 0.0
    for change in changes(size):
        spent += timed(lambda change=change: knowledge.apply(change))  # type: ignore[misc]
    knowledge.close()
    return spent


def run(size: int, folder: Path) -> None:
    spent = build(folder, size)
    about = world(size)
    opened = timed(lambda: open_embedded(folder).close())
    knowledge = open_embedded(folder)
    rng = random.Random(7)
    drugs = rng.sample(about.ingredients, min(200, len(about.ingredients)))
    usual = (drugs, rng.sample(about.diseases, min(200, len(about.diseases))))
    first = measure(knowledge, (about.ingredients, about.diseases), 200, seed=2)
    measure(knowledge, usual, 400, seed=3)
    warm = measure(knowledge, usual, 1000, seed=4)
    megabytes = sum(f.stat().st_size for f in folder.iterdir()) / 1e6
    row = f"{size:>9,} {spent:8.1f} {megabytes:8.0f} {opened * 1000:8.1f}  {summary(warm)}  {summary(first)}"
    built = timed(knowledge.project)
    chains = knowledge.ancestors(drugs[:8])
    above = {ancestor for drug in drugs[:8] for ancestor in chains[drug]}
    by_cypher = knowledge.graph()
    if by_cypher is knowledge or by_cypher.links(above, above, _PAIRS) != knowledge.links(above, above, _PAIRS):
        raise SystemExit("Cypher does not answer, or otherwise than SQL")
    cypher = [timed(lambda: by_cypher.links(above, above, _PAIRS)) * 1000 for _ in range(20)]
    print(f"{row}  {built:7.1f} {summary(cypher)}  {timed(knowledge.check):7.1f}", flush=True)
    knowledge.close()


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    sizes = parser.parse_args(arguments).sizes
    print(
        "statements  apply s       MB  open ms  warm p50      p95 first p50      p95  graph s  cypher      p95  check s"
    )
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            run(size, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
