"""A healthy page that a busy machine did not read in time: its notice is not expected."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from uring.errors import FetchFailed
from uring_local.sites.campus.simulation import CampusSimulation
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import World

MATH, TICK, NOTICE = "nurisol_math", 22, ("1013", 1)
LATE = FetchFailed("timeout", "the answer was not complete in time")


class Nothing(Published):
    """A bucket of a run in which nothing was stored."""

    def __init__(self) -> None:
        super().__init__(None, "")

    def latest(self, source: str) -> Any:  # noqa: ARG002
        return None

    def archive(self, source: str) -> list[Any]:  # noqa: ARG002
        return []


def failed(reason: str = "timeout", source: str = MATH) -> dict[str, Any]:
    return {"event": "failed", "source": source, "reason": reason}


def walked(*events: dict[str, Any], ticks: int = TICK + 1) -> CampusSimulation:
    """A campus at a tick, which heard of these events at tick 22."""
    with CampusSimulation(World(7, date(2026, 3, 2))) as simulation:
        for tick in range(1, ticks + 1):
            simulation.advance(tick, datetime.now(UTC))
            if tick == TICK:
                for event in events:
                    simulation.observe(event)
    return simulation


def pushes(simulation: CampusSimulation) -> list[tuple[str, int]]:
    site: Any = simulation.site
    return [*site.expected()[MATH].pushes]


@pytest.mark.parametrize(
    ("event", "is_expected"),
    [
        # The page of the one tick that shows it was not read in time.
        (failed(), False),
        (
            {**failed("robots_unreachable"), "detail": f"http://x/robots.txt: {LATE}; nothing"},
            False,
        ),
        # Any other failure of a healthy page is the application's.
        (failed("http_status"), True),
        ({**failed("robots_unreachable"), "detail": "http://x/robots.txt: HTTP 503"}, True),
        (failed(source="nurisol_law"), True),
        ({"event": "checked", "source": MATH, "reason": ""}, True),
    ],
)
def test_what_only_an_overlooked_page_shows_is_not_expected(
    event: dict[str, Any],
    is_expected: bool,  # noqa: FBT001
) -> None:
    assert (NOTICE in pushes(walked(event))) == is_expected


def test_the_verdict_counts_them_and_many_are_a_fault() -> None:
    """Else an application that reads nothing would be well."""
    few = walked(failed()).judge(Nothing(), [], [])
    assert few.figures["not_read_in_time"] == 1
    assert not any("in time" in fault for fault in few.wrong)
    boards = [MATH, "nurisol_cse", "nurisol_ee", "nurisol_biz"]
    many = walked(*(failed(source=board) for board in boards)).judge(Nothing(), [], [])
    assert any("of 0 checks did not read a healthy page in time" in each for each in many.wrong)
