"""S3 is away for ten minutes: no dead letter, no alarm, and no news is lost (``brown_out.py``)."""

import pytest
from brown_out import play


@pytest.mark.parametrize("minutes", [3, 10, 25])
def test_an_outage_needs_nobody_and_loses_nothing(minutes: int) -> None:
    result = play(12, lasts=60 * minutes)
    assert result.letters == 0
    assert result.alarms == []
    assert result.pushes == 12
    assert result.checks + result.in_outage + result.overdue == result.jobs
    assert bool(result.in_outage) == (minutes > 5)
