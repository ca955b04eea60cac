"""The small world, stored once for all golden cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pharmakon.audit.run import Auditor
from pharmakon.model.finding import Report
from tests.audit import world


@pytest.fixture(scope="session")
def auditor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Auditor]:
    knowledge = world.store(tmp_path_factory.mktemp("world"))
    yield Auditor(knowledge)
    knowledge.close()


@pytest.fixture(scope="session")
def prescribe(auditor: Auditor) -> Callable[..., Report]:
    """`prescribe(order, order, ..., age=70)` → report."""
    return lambda *orders, **changes: world.run(auditor, orders, **changes)
