"""What happens around the functions: short feeds, each for one way in which boards change."""

from datetime import UTC, datetime, timedelta
from typing import Final

from fakes import ENTRY, Notice
from world import Board, Scenario

from uring.errors import FetchFailed, SuspectPage
from uring.push.ports import Rejected, RetryLater
from uring.records import apply, months
from uring.seeds.domains import feeder

# Small enough that these few notices and domains reach them.
HOT_ITEMS: Final = 4
KNOWN_BEYOND_PAGE: Final = 1
# Two lines, of which one stays.
MONTH_BYTES: Final = 800
SETTLED_AT_ONCE: Final = 3
LIMITS: Final = (
    (apply, "HOT_ITEMS", HOT_ITEMS),
    (apply, "KNOWN_BEYOND_PAGE", KNOWN_BEYOND_PAGE),
    (months, "MONTH_BYTES", MONTH_BYTES),
    (feeder, "MOST_AT_ONCE", SETTLED_AT_ONCE),
)


def board(*notices: str) -> Board:
    """A page from one word a notice: its number, ``!`` for another title, ``^`` for a pin."""
    return tuple(
        Notice(
            id=word.rstrip("!^"),
            title=f"공지 {word.rstrip('!^')}{' (수정)' * word.count('!')}",
            is_pinned="^" in word,
        )
        for word in notices
    )


SCENARIOS: Final = (
    Scenario("first sight", (board("2", "1"), board("3", "2", "1")), baseline=None),
    Scenario(
        "new", (board("4", "3", "2", "1"), board("5", "4", "3", "2")), baseline=board("2", "1")
    ),
    Scenario("edited", (board("2", "1!"), board("2", "1")), baseline=board("2", "1")),
    Scenario("pinned", (board("1^", "2"), board("3", "2", "1")), baseline=board("2", "1")),
    Scenario(
        "scrolled off and back",
        (board("7", "6", "5"), board("7", "2!", "3")),
        baseline=board("5", "4", "3", "2", "1"),
    ),
    Scenario(
        "state removed",
        (board("7", "6", "5"), board("8", "7", "2!", "3")),
        baseline=board("5", "4", "3", "2", "1"),
        removed=2,
    ),
    Scenario(
        "month's end",
        (board("3", "2", "1"), board("4!", "3", "2", "1")),
        baseline=board("2", "1"),
        begins=datetime(2026, 3, 31, 23, 45, tzinfo=UTC),
    ),
    # The page changes while a job waits for its next delivery, 6 minutes.
    Scenario(
        "edited before the retry",
        (board("2!", "1"), board("2", "1"), board("2!!", "1"), board("3", "2!", "1")),
        step=timedelta(minutes=5),
        baseline=board("2", "1"),
    ),
    Scenario(
        "site down",
        (
            board("3", "2", "1"),
            FetchFailed("timeout", "no answer"),
            SuspectPage("no_rows", "a login page"),
            board("4", "3", "2"),
        ),
        baseline=board("2", "1"),
    ),
    Scenario(
        "FCM refuses",
        (board("4", "3", "2", "1"),),
        baseline=board("1"),
        fcm={"2": [RetryLater("HTTP 429", after_seconds=60)], "3": [Rejected("HTTP 400")]},
    ),
    Scenario(
        "FCM answers 503 after taking it",
        (board("2", "1"),),
        baseline=board("1"),
        fcm={"2": [RetryLater("HTTP 503", delivered="open")]},
    ),
    Scenario(
        "dead letters sent again",
        (board("3", "2", "1"),),
        baseline=board("1"),
        fcm={"2": [RetryLater("HTTP 503")] * 4, "3": [Rejected("HTTP 400")]},
        notify_receives=3,
        redriven=True,
    ),
    Scenario(
        "a flood",
        (board("6", "5", "4", "3", "2", "1"), board("7", "6", "5", "4", "3", "2")),
        baseline=board("2", "1"),
        entry={**ENTRY, "changes": {"digest_over": 2}},
    ),
    # Read anew in silence, nothing to tell at first; then the site goes on.
    Scenario(
        "entry edited",
        (board("2", "1"), board("3", "2!", "1")),
        baseline=board("2", "1"),
        entry={**ENTRY, "name": "다른 이름", "pinned": ["tr.pinned"]},
    ),
    Scenario(
        "taken back",
        (board("3", "2", "1"), board("3", "2", "1"), board("4", "3", "2!", "1")),
        baseline=board("2", "1"),
        retracted=(2, "3"),
    ),
    # The notice changes while its push is taken back.
    Scenario(
        "taken back and edited",
        (board("3", "2", "1"), board("3!", "2", "1"), board("3!!", "2", "1")),
        baseline=board("2", "1"),
        retracted=(2, "3"),
        releases=True,
    ),
    # This release and the next take turns, batch by batch.
    Scenario(
        "two releases",
        (board("3", "2", "1"), board("4", "3", "2!"), board("5", "4^", "3", "2!")),
        baseline=board("2", "1"),
        releases=True,
    ),
    Scenario(
        "two releases, site down",
        (
            board("3", "2", "1"),
            FetchFailed("timeout", "no answer"),
            board("4", "3!", "2"),
        ),
        baseline=None,
        releases=True,
    ),
    # Around the deduplication window of the queue, and the 30 minutes of a claim.
    *(
        Scenario(f"down for {name}", (board("3", "2", "1!"),), baseline=board("2", "1"), down=down)
        for name, down in {
            "4:59": timedelta(minutes=4, seconds=59),
            "5:01": timedelta(minutes=5, seconds=1),
            "29:59": timedelta(minutes=29, seconds=59),
            "30:01": timedelta(minutes=30, seconds=1),
            "4 days": timedelta(days=4),
        }.items()
    ),
)
