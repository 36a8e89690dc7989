"""What all of these tests share."""

import pytest
from scenarios import LIMITS


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few notices, lines and domains reach every limit, as ``make faults`` does."""
    for module, name, limit in LIMITS:
        monkeypatch.setattr(module, name, limit)
