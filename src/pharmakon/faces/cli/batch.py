"""Many prescriptions: one output line per prescription, in the order of the input, in one process or several."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pharmakon.app import api
from pharmakon.faces.cli.output import as_line, print_line, warn
from pharmakon.model.errors import BadInput, KnowledgeError
from pharmakon.model.vocabulary import Tier

_CHUNK = 16  #: prescriptions handed to a process at once
_AHEAD = 4  #: chunks per process that may be under way


@dataclass(frozen=True, slots=True)
class Plan:
    """What every prescription of the batch has in common."""

    home: Path | None
    name: str
    as_of: date | None
    lang: str
    explain: bool
    fhir: bool
    fail_on: Tier | None
    jobs: int


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    failed: bool
    alarming: bool


def run(plan: Plan, results: Iterable[api.Result], progress: Callable[[str], None]) -> int:
    """Print all lines; the exit code. Raises `BadInput` when not one prescription could be read."""
    count = failed = 0
    alarming = False
    lines = _here(plan, results, progress) if plan.jobs == 1 else _spread(plan, results, progress)
    for line in lines:
        print_line(line.text)
        count, failed, alarming = count + 1, failed + line.failed, alarming or line.alarming
    if failed == count:
        what = f"none of its {count} prescriptions could be read" if count else "there is nothing in it"
        raise BadInput(what, where=plan.name, expected="at least one prescription that can be read")
    if failed:
        warn(f"{plan.name}: {failed} of {count} prescriptions could not be read; their lines say why")
    return int(alarming)


def line_of(pharmakon: api.Pharmakon, result: api.Result, plan: Plan) -> Line:
    """The report with the number of its line (and the key of its group), or the error in its place."""
    audited = pharmakon.audit_result(result, name=plan.name, as_of=plan.as_of, lang=plan.lang, explain=plan.explain)
    place: dict[str, Any] = {"line": audited.number, **({"group": audited.key} if audited.key else {})}
    if isinstance(audited.report, BadInput):
        return Line(as_line({**place, **api.error_as_dict(audited.report)}), failed=True, alarming=False)
    if plan.fhir:
        shaped = api.as_fhir(audited.report, None if isinstance(result.value, BadInput) else result.value)
    else:
        shaped = {**place, **api.as_dict(audited.report)}
    alarming = plan.fail_on is not None and any(f.tier >= plan.fail_on for f in audited.report.findings)
    return Line(as_line(shaped), failed=False, alarming=alarming)


def _here(plan: Plan, results: Iterable[api.Result], progress: Callable[[str], None]) -> Iterator[Line]:
    with api.Pharmakon(plan.home, progress=progress) as pharmakon:
        for result in results:
            yield line_of(pharmakon, result, plan)


def _spread(plan: Plan, results: Iterable[api.Result], progress: Callable[[str], None]) -> Iterator[Line]:
    api.Pharmakon(plan.home, progress=progress).close()  # built once, before several processes want it
    upcoming = iter(results)
    with ProcessPoolExecutor(
        plan.jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(plan,)
    ) as pool:  # fmt: skip
        under_way: deque[Future[list[Line]]] = deque()
        try:
            while True:
                while len(under_way) < plan.jobs * _AHEAD and (chunk := list(islice(upcoming, _CHUNK))):
                    under_way.append(pool.submit(_work, chunk))
                if not under_way:
                    return
                yield from under_way.popleft().result()
        except BrokenProcessPool:
            raise KnowledgeError("a process of the batch ended before its work was done; try --jobs 1") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_opened: tuple[api.Pharmakon, Plan] | None = None  #: of a worker process, for as long as it lives


def _begin(plan: Plan) -> None:
    global _opened
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and ends the workers
    _opened = api.Pharmakon(plan.home), replace(plan, jobs=1)


def _work(chunk: list[api.Result]) -> list[Line]:
    assert _opened is not None
    pharmakon, plan = _opened
    return [line_of(pharmakon, result, plan) for result in chunk]
