"""What all of these tests share."""

import pytest
from scenarios import MONTH_BYTES

from uring.records import months


@pytest.fixture(autouse=True)
def _small_months(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few lines fill a month's address."""
    monkeypatch.setattr(months, "MONTH_BYTES", MONTH_BYTES)
