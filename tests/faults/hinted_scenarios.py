"""Jobs that carry hints: the site is asked before the state is read, and both move on meanwhile."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from scenarios import SCENARIOS, board
from world import Scenario

from uring.errors import FetchFailed

_REPEATED: Final = frozenset(
    {
        "new",
        "pinned",
        "scrolled off and back",
        "edited before the retry",
        "site down",
        "entry edited",
        "two releases",
        "down for 5:01",
    }
)
_MINUTE: Final = timedelta(minutes=1)
# One edit after another, so that each stall meets a page that has moved on.
_EDITS: Final = tuple(board(f"2{'!' * number}", "1") for number in range(22))

MOVES_ON: Final = Scenario(
    "hinted: a page moves on every minute",
    _EDITS,
    step=_MINUTE,
    baseline=board("1"),
    hinted=True,
    views=True,
)

# A run that began before a tick and asked after it: by its time alone it is older than the tick's.
SLOW: Final = replace(MOVES_ON, name="hinted: others began long before", slow=timedelta(minutes=15))

HINTED_SCENARIOS: Final = (
    *(
        replace(scenario, name=f"hinted: {scenario.name}", hinted=True, views=views)
        for number, scenario in enumerate(each for each in SCENARIOS if each.name in _REPEATED)
        for views in [number % 2 == 0]
    ),
    MOVES_ON,
    SLOW,
    replace(MOVES_ON, name="hinted: jobs come late", late=timedelta(minutes=8)),
    replace(MOVES_ON, name="hinted: ticks are lost", lost=frozenset({1, 3})),
    replace(MOVES_ON, name="hinted: the monitor's memory is old", watched=3),
    Scenario(
        "hinted: a page flips there and back",
        (*(board("2", "1"), board("2!", "1")) * 8, board("2", "1"), board("3", "2", "1")),
        step=2 * _MINUTE,
        baseline=board("2", "1"),
        hinted=True,
        views=True,
    ),
    Scenario(
        "hinted: an older state is put back",
        (
            board("2", "1"),
            FetchFailed("timeout", "no answer"),
            board("2", "1"),
            board("3", "2", "1"),
        ),
        baseline=board("2", "1"),
        hinted=True,
        views=True,
        restored=3,
    ),
)
