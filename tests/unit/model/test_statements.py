"""How statements are written down."""

from __future__ import annotations

import pytest

from pharmakon.extract.curated.expressions import read_limit
from pharmakon.model.statements import Limit


@pytest.mark.parametrize("value", [0.00001, 0.000025, 0.5, 40.0, 999_999.0, 1e18, 1e31])
def test_a_limit_is_written_without_an_exponent_and_reads_as_what_it_was(value: float) -> None:
    limit = Limit(value, "mg", "day")
    assert "e" not in str(limit).partition(" ")[0]
    assert read_limit(str(limit)) == limit
