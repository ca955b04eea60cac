"""The guard over the starter formulary."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.audit.run import Auditor
from pharmakon.link.mentions import MentionScanner
from pharmakon.model.answer import Draft, Said, Verification
from pharmakon.model.question import Question
from pharmakon.verify.guard import Guard, symbolic_guard
from pharmakon.verify.names import Namer
from pharmakon.verify.track import Context

Check = Callable[..., Verification]
NOBODY = Context(as_of=date(2026, 3, 2))


@pytest.fixture(scope="session")
def scanner(pharmakon: Pharmakon) -> MentionScanner:
    return MentionScanner(pharmakon.knowledge)


@pytest.fixture(scope="session")
def namer(pharmakon: Pharmakon, scanner: MentionScanner) -> Namer:
    return Namer(pharmakon.knowledge, scanner)


@pytest.fixture(scope="session")
def guard(pharmakon: Pharmakon, scanner: MentionScanner) -> Guard:
    return symbolic_guard(Auditor(pharmakon.knowledge), scanner)


@pytest.fixture(scope="session")
def check(guard: Guard) -> Check:
    """The verdict on a draft of these sentences as the answer to `question`."""

    def run(*sentences: str, question: str = "", lang: str = "en", context: Context = NOBODY) -> Verification:
        return guard.check(Draft(tuple(Said(s) for s in sentences)), Question(question, lang), context)

    return run
