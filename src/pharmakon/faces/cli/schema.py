"""`pharmakon schema …`: proposals as a person reads them, and the decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pharmakon.app import api, refinement
from pharmakon.faces.cli.curation import actor
from pharmakon.faces.cli.ingest import shown
from pharmakon.faces.cli.output import print_json, print_line, progress, warn
from pharmakon.faces.text import clean
from pharmakon.model.errors import BadInput
from pharmakon.model.refinement import Accepted, Entry, Proposal, body_of, kind_of_entry
from pharmakon.model.vocabulary import Factor, seed_size

_SHOWN = 10  #: proposals at the end of a run; `schema review` has them all


def propose(
    paths: Sequence[Path], per_area: int, seed: int, stable: int, least: int, with_model: bool, home: Path | None,
    as_json: bool, verbose: bool,
) -> int:  # fmt: skip
    for path in paths:
        if not path.exists():
            raise BadInput("there is no such file or folder", where=str(path), expected="a label or a folder of labels")
    model = api.language_model() if with_model else None
    sampling = refinement.Sampling(tuple(paths), per_area, seed)
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        with shown(verbose) as show:
            proposed = refinement.propose(
                pharmakon.knowledge, sampling, actor=actor(), n_stable=stable, least=least, model=model, progress=show
            )
        found = {(p.draft.kind, p.draft.pattern): p for p in pharmakon.knowledge.proposals()}
    kept = [found[d.kind, d.pattern] for d in proposed.refined.drafts]
    for unreadable in proposed.unreadable:
        warn(str(unreadable))
    if as_json:
        print_json(_run(proposed, kept))
    else:
        for line in _told(proposed, kept):
            print_line(line)
    return 0


def _run(proposed: refinement.Proposed, kept: Sequence[Proposal]) -> dict[str, Any]:
    refined = proposed.refined
    return {
        "labels": {"held": dict(proposed.held), "drawn": dict(proposed.drawn), "read": refined.read},
        "sentences_without_a_fact": refined.sentences,
        "stable": refined.stable,
        "labels_without_a_new_proposal": refined.quiet,
        "proposals": [
            _proposal(p, str(refined.overlaps[p.draft.pattern]) if p.draft.pattern in refined.overlaps else "")
            for p in kept
        ],
        "drafts_refused": dict(refined.refused.most_common()),
    }


def _told(proposed: refinement.Proposed, kept: Sequence[Proposal]) -> Iterator[str]:
    refined = proposed.refined
    areas = ", ".join(f"{area} {n}" for area, n in proposed.drawn.items())
    yield f"{sum(proposed.drawn.values())} labels drawn of {sum(proposed.held.values())}: {areas}"
    yield f"{refined.read} read, {refined.sentences} sentences that no fact accounts for, {len(kept)} proposals"
    quiet = f"the last {refined.quiet} showed nothing new"
    yield f"the schema is stable after {refined.read} labels: {quiet}" if refined.stable else f"not stable yet: {quiet}"
    yield from (_line(p, refined.overlaps.get(p.draft.pattern)) for p in kept[:_SHOWN])
    if len(kept) > _SHOWN:
        yield f"{len(kept) - _SHOWN} more: `pharmakon schema review` lists all"
    yield from (clean(f"draft refused {n} times: {line}") for line, n in refined.refused.most_common(_SHOWN))


def review(number: int | None, everything: bool, home: Path | None, as_json: bool, verbose: bool) -> int:
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        overlaps = {w.proposal.no: w.overlap for w in refinement.waiting(pharmakon.knowledge)}
        found = [
            p for p in pharmakon.knowledge.proposals() if p.no == number or (number is None and (everything or p.waits))
        ]
    if number is not None and not found:
        raise BadInput(f"there is no proposal {number}", expected="a number from `pharmakon schema review`")
    if as_json:
        print_json([_proposal(p, str(overlaps.get(p.no) or "")) for p in found])
        return 0
    for proposal in found:
        print_line(_line(proposal, overlaps.get(proposal.no)))
        if number is not None:
            for line in _in_full(proposal):
                print_line(clean(line))
    if not found:
        print_line("no proposal waits")
    return 0


def accept(number: int, why: str, anyway: bool, home: Path | None, as_json: bool, verbose: bool) -> int:
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        decided = refinement.accept(pharmakon.knowledge, number, actor=actor(), why=why, anyway=anyway)
    if as_json:
        print_json({**_accepted(decided.accepted), "graph": decided.graph})
    else:
        print_line(f"{_step(decided.accepted)}; {clean(decided.graph)}")
    return 0


def revise(
    number: int, key: str, kind: str, plain: Mapping[str, str], lists: Mapping[str, str], home: Path | None,
    as_json: bool, verbose: bool,
) -> int:  # fmt: skip
    fields: dict[str, Any] = {name: value for name, value in plain.items() if value}
    fields |= {name: [v.strip() for v in value.split(",")] for name, value in lists.items() if value}
    if not (fields or key or kind):
        raise BadInput("nothing is revised", expected="--key, --unit, --label, --kind or another field")
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        waits = refinement.revise(pharmakon.knowledge, number, key=key, kind=kind, fields=fields, actor=actor())
    if as_json:
        print_json(_proposal(waits.proposal, str(waits.overlap or "")))
    else:
        print_line(_line(waits.proposal, waits.overlap))
    return 0


def reject(number: int, why: str, home: Path | None, verbose: bool) -> int:
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        refinement.reject(pharmakon.knowledge, number, actor=actor(), why=why)
    print_line(f"proposal {number} is rejected, and the same gap is not proposed again")
    return 0


def history(home: Path | None, as_json: bool, verbose: bool) -> int:
    with api.Pharmakon(home, progress=progress(verbose)) as pharmakon:
        steps = pharmakon.knowledge.accepted()
    relations, factors = seed_size()
    version = steps[-1].version if steps else 0
    if as_json:
        seed = {"relations": relations, "factors": factors}
        print_json({"schema_version": version, "seed": seed, "steps": [_accepted(step) for step in steps]})
        return 0
    print_line(f"schema version {version}")
    print_line(f"0\tthe seed of this release: {relations} relations, {factors} factors")
    for step in steps:
        print_line(_step(step))
    return 0


# ── one proposal, one step ─────────────────────────────────────────────────────────────────────────


def _line(p: Proposal, overlap: object | None) -> str:
    """Tab-separated, so that other programs can cut it."""
    decision = "" if p.status == "open" else f"{p.status}: {p.reason}" if p.reason else p.status
    cells = (str(p.no), f"{p.draft.documents} labels", _entry(p.draft.entry), decision)
    warning = f"fragments: {overlap}" if overlap else ""
    return "\t".join(clean(cell) for cell in (*cells, warning) if cell)


def _entry(entry: Entry) -> str:
    if isinstance(entry, Factor):
        measure = entry.unit or "/".join(entry.levels) or "/".join(sorted(entry.kinds))
        return f"factor {entry.name} [{entry.shape}{f', {measure}' if measure else ''}] of the {entry.of}"
    ends = f"{'/'.join(sorted(entry.domain))} → {'/'.join(sorted(entry.range))}"
    return f"relation {entry.name} [{ends}] in {'G' if entry.in_graph else 'R'}"


def _in_full(p: Proposal) -> Iterator[str]:
    yield f"{p.draft.why} (found by {p.draft.proposer} as “{p.draft.pattern}”)"
    for q in p.draft.quotations:
        yield f"  {q.document} {q.version}, section {q.ord}, {q.start}-{q.end}: {' '.join(q.quote.split())}"
    if not p.draft.quotations:
        yield "  what was quoted has been deleted"


def _step(step: Accepted) -> str:
    decision = f"proposal {step.proposal}, by {step.decided_by} in change {step.change_no}, {step.at}"
    return "\t".join(clean(cell) for cell in (str(step.version), _entry(step.entry), decision))


def _proposal(p: Proposal, overlap: str) -> dict[str, Any]:
    return {
        "number": p.no,
        "kind": p.draft.kind,
        "key": p.draft.entry.name,
        "body": body_of(p.draft.entry),
        "pattern": p.draft.pattern,
        "why": p.draft.why,
        "proposer": p.draft.proposer,
        "labels": p.draft.documents,
        "status": p.status,
        "decided_in": p.decided_in,
        "decided_by": p.decided_by,
        "reason": p.reason,
        "fragments": overlap,
        "quotations": [
            {"document": q.document, "version": q.version, "section": q.ord, "start": q.start, "end": q.end,
             "quote": q.quote}
            for q in p.draft.quotations
        ],
    }  # fmt: skip


def _accepted(step: Accepted) -> dict[str, Any]:
    return {
        "version": step.version,
        "kind": kind_of_entry(step.entry),
        "key": step.entry.name,
        "body": body_of(step.entry),
        "proposal": step.proposal,
        "decided_by": step.decided_by,
        "change": step.change_no,
        "at": step.at,
    }
