"""`python -m authoring lint` · `page` · `crosscheck DATA` · `agree DATA`: the Makefile has a target for each.

For a second reader: `beside DATA CONCEPT` · `sample DATA SEED SIZE`.
Embeds the passages of the formulary, to be shipped: `vectors`.
Trains the model of the interaction specialist (needs scikit-learn): `interactions DATA`.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from authoring.agreement import COMPARED, compare, explained
from authoring.beside import beside, sample
from authoring.crosscheck import crosscheck
from authoring.labels import read_labels
from authoring.page import coverage_page
from authoring.vectors import all_vectors
from pharmakon.app.api import Pharmakon
from pharmakon.app.build import open_knowledge
from pharmakon.app.embedding import SHIPPED, pack
from pharmakon.app.formulary import monographs, starter
from pharmakon.app.settings import settings
from pharmakon.extract.curated import house
from pharmakon.model.concepts import concept_id
from pharmakon.model.errors import BadInput

ROOT = Path(__file__).resolve().parent.parent
USAGE = """\
usage: python -m authoring lint | page | crosscheck DATA | agree DATA | beside DATA CONCEPT | sample DATA SEED SIZE
       | interactions DATA | vectors"""


def main(args: list[str]) -> int:
    """The exit code: 2 where the call or its data can't be used, 1 where a check found something."""
    try:
        return _run(args)
    except BadInput as complaint:
        print(complaint, file=sys.stderr)
        return 2


def _run(args: list[str]) -> int:
    match args:
        case ["crosscheck", data]:
            return _crosscheck(Path(data))
        case ["agree", data]:
            return _agree(Path(data))
        case ["lint"]:
            return _lint()
        case ["page"]:
            (ROOT / "docs" / "formulary.md").write_text(coverage_page(list(monographs()), starter()), "utf-8")
            return 0
        case ["beside", data, subject]:
            print(*beside(starter(), read_labels(Path(data)), concept_id(subject)), sep="\n")
            return 0
        case ["sample", data, seed, size] if seed.isdigit() and size.isdigit():
            print(*sample(starter(), read_labels(Path(data)), seed=int(seed), size=int(size)), sep="\n")
            return 0
        case ["vectors"]:
            return _vectors()
        case ["interactions", data]:
            return _interactions(Path(data))
    print(USAGE, file=sys.stderr)
    return 2


def _interactions(data: Path) -> int:
    from authoring import interactions  # scikit-learn is needed for nothing else
    from pharmakon.evaluate.extraction.ddi_labels import Corpus

    with tempfile.TemporaryDirectory() as home:
        knowledge = open_knowledge(settings(home))
        split = interactions.read_split(ROOT / "evals" / "extract-ddi")
        corpus = Corpus(data / "fda-cv-ddi-labels", split["labels"], knowledge)
        listed = interactions.examples(split, corpus)
        model = interactions.train(listed, print)
        folder = ROOT / "src" / "pharmakon" / "extract" / "specialists" / "interaction"
        interactions.write(model, folder / "weights.json")
        interactions.judged(listed, corpus, model, print)
        knowledge.close()
    return 0


def _crosscheck(data: Path) -> int:
    if not (data / "openfda-labels").is_dir():
        print(f"{data}: no folder openfda-labels; the labels are needed to look statements up", file=sys.stderr)
        return 2
    result = crosscheck(starter(), read_labels(data))
    for one in result.looked:
        if one.missing:
            where = "stands in another section" if one.elsewhere else "not found"
            claim = f"{one.statement.subject} {one.statement.relation} {one.statement.object or ''}"
            print(f"{claim}: {one.missing[0]!r} {where}; cites {one.cited}")
            print(f"    {one.statement.evidence[0].quote[:160]}")
    counts = Counter(bool(one.missing) for one in result.looked)
    print(f"\nlooked up {len(result.looked)}: found {counts[False]} ({result.share:.1%}), not found {counts[True]}")
    print("not looked up: " + ", ".join(f"{n} {why}" for why, n in result.counts.items()))
    return 0


def _agree(data: Path) -> int:
    """Exit code 1 while a contradiction is not explained, or an explanation is of none."""
    why = explained(ROOT / "authoring" / "explained.toml")
    with tempfile.TemporaryDirectory() as home, Pharmakon(home) as pharmakon:
        folders = [data / name for name in ("openfda-labels", "spl-labels", "fda-label-sections")]
        result = compare(starter(), pharmakon.extracted([f for f in folders if f.is_dir()]))
    open_ = [c for c in result.contradictions if c.key not in why]
    for one in open_:
        print(f"{one.key}\n    ours:   {one.ours.evidence[0].quote[:200]}")
        e = one.theirs.evidence[0]
        print(f"    theirs: {e.quote[:300]} ({e.title}, {e.section})")
    fates = ("agreement", "only the label", "only the formulary", "contradiction")
    print(f"\n{result.subjects} drugs; statements:\n  {'':<24}" + "".join(f"{f:>20}" for f in fates))
    for relation in COMPARED:
        print(f"  {relation:<24}" + "".join(f"{result.counts.get((relation, f), 0):>20}" for f in fates))
    print(f"\ncontradictions: {len(result.contradictions)}, not explained: {len(open_)}")
    stale = sorted(set(why) - {c.key for c in result.contradictions})
    for key in stale:
        print(f"explained and not there any more: {key}")
    return 1 if open_ or stale else 0


def _lint() -> int:
    everything = list(monographs())
    change = starter()
    complaints = [*house.entry_complaints(everything), *house.depth_complaints(everything, change.statements)]
    for complaint in complaints:
        print(complaint)
    for a, b in house.contradictions(change.statements):
        print(f"{a.subject} with {a.object} is {a.tier}, and {b.subject} with {b.object} is {b.tier}")
    for rule, milder in house.not_excepted(change.statements):
        print(f"{rule.subject} with {rule.object} is {rule.tier}; {milder.object}, not excepted, is {milder.tier}")
    return 1 if complaints else 0


def _vectors() -> int:
    """`formulary/vectors.npz`: a vector for every passage of the starter formulary; what is shipped already is kept."""
    with tempfile.TemporaryDirectory() as room:
        with Pharmakon(room) as pharmakon:
            made, total = pharmakon.embed(lambda done, total: print(f"\r{done} of {total}", end="", flush=True))
        packed = pack(*all_vectors(Path(room)))
    (ROOT / "src" / "pharmakon" / "formulary" / SHIPPED).write_bytes(packed)
    print(f"\n{made} made, {total} shipped, {len(packed) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
