"""The use cases for many callers at once: processes with an open knowledge base do the work, this one waits.

An audit is some milliseconds of Python, so threads of one process would take turns; processes do not, and one that dies
takes no caller's knowledge with it. What goes to them and comes back is plain: bytes of a request, bytes of JSON.
"""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from pharmakon.app import api
from pharmakon.app.build import Progress, silent
from pharmakon.ask.session import Session
from pharmakon.model.errors import ProcessDied

T = TypeVar("T")
#: Processes of a service: one for each of two cores.
PROCESSES = 2


@dataclass(frozen=True, slots=True)
class AuditCall:
    """One prescription, as bytes of any form that `pharmakon audit` reads, and how it is to be audited."""

    data: bytes
    lang: str = "en"
    as_of: date | None = None
    explain: bool = False
    fhir: bool = False


@dataclass(frozen=True, slots=True)
class AskCall:
    """One question, and the conversation that it goes on with."""

    question: str
    lang: str = ""
    agent: str = ""
    professional: bool = False
    session: Session | None = None


@dataclass(slots=True)
class Service(AbstractContextManager["Service"]):
    """`home` is built, where it is not there yet, before the first process starts."""

    home: Path | None
    processes: int = PROCESSES
    progress: Progress = silent
    knowledge: api.Pharmakon = field(init=False)  #: of this process, for what only looks up
    _pool: ProcessPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self.knowledge = api.Pharmakon(self.home, progress=self.progress)
        self._pool = self._started()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)
        self.knowledge.close()

    async def audit(self, call: AuditCall) -> bytes:
        """The report as JSON, in the `audit` shape or as FHIR. Raises `BadInput`, `KnowledgeError`, `ProcessDied`."""
        return await self._in_a_process(_audit, call)

    async def ask(self, call: AskCall) -> tuple[bytes, Session]:
        """The answer as JSON in the `ask` shape, and what the next turn goes on with. Raises as `audit` does."""
        return await self._in_a_process(_ask, call)

    async def _in_a_process(self, work: Callable[[Any], T], call: object) -> T:
        pool = self._pool
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, call)
        except BrokenProcessPool:
            if self._pool is pool:  # the first to notice; the others wait for nothing
                self._pool = self._started()
            raise ProcessDied("a process of the service was killed; another takes its place") from None

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(self.knowledge.home,)
        )


# ── in a process ───────────────────────────────────────────────────────────────────────────────────

_opened: api.Pharmakon | None = None  #: of a worker process, for as long as it lives


def _begin(home: Path) -> None:
    global _opened
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent hears it and ends the workers
    _opened = api.Pharmakon(home)


def _audit(call: AuditCall) -> bytes:
    assert _opened is not None
    prescription = api.read_prescription(call.data, name="request", today=date.today())
    report = _opened.audit(prescription, name="request", as_of=call.as_of, lang=call.lang, explain=call.explain)
    return _json(api.as_fhir(report, prescription) if call.fhir else api.as_dict(report))


def _ask(call: AskCall) -> tuple[bytes, Session]:
    assert _opened is not None
    found = _opened.ask(
        call.question, agent=call.agent, lang=call.lang, professional=call.professional, session=call.session
    )
    return _json(api.answer_as_dict(found.answer)), found.session


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
