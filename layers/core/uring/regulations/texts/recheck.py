"""Files that are asked for again: a share every night, and the proof of a replaced one (R15). Pure.

share ─► recheck:{title} ─► same bytes, or the same words ─► gone
│ ▲
│ └ a failure, or other words for the first time: again the next night
└ the same other words in a second night ─► text_changed, silently_replaced
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from zlib import crc32

from uring.clock import parse_timestamp, timestamp
from uring.contracts import DAY_SECONDS
from uring.regulations.texts.state import TextVersion
from uring.regulations.values import RecheckEntry

SILENTLY_REPLACED: Final = "silently_replaced"
"""The cause of a changed text whose file was replaced under its own number."""
MOST_NIGHTS: Final = 3
"""The nights in a row in which one file is asked for."""

_MOST_SHARES: Final = 2
# `dead-letters retry --now` starts a run at any time.
_ANOTHER_NIGHT: Final = timedelta(hours=12)


def share(
    texts: Mapping[str, str], last: int, now: datetime, days: int
) -> tuple[int, tuple[str, ...]]:
    """Return the day to remember, and the titles of the files that are due.

    A text's id decides its night, so that new regulations move no other. A missed night is made up
    for, one more in each following night.

    Args:
        texts: the ids of the active regulations' texts, by title.
        last: the day of the last share, in days since 1970; 0 before the first. After today, as a
            clock that was wrong leaves it, the nights begin again.
        now: aware.
        days: the nights in which each file is due once; 0: never.
    """
    today = int(now.timestamp()) // DAY_SECONDS
    # A clock that was ahead once must not stop the nights until its day comes.
    if not days or not last or last > today:
        return today, ()
    first = max(last, today - days) + 1
    until = min(today, first + _MOST_SHARES - 1)
    due = {day % days for day in range(first, until + 1)}
    titles = (title for title, text in texts.items() if crc32(text.encode()) % days in due)
    return max(last, until), tuple(titles)


def failed(asked: RecheckEntry, message: str, now: datetime) -> RecheckEntry | None:
    """Return the entry after a night without a result; None after the last of them.

    Another try in the same night is not counted.
    """
    if asked.tried_at is not None and not _is_another_night(asked.tried_at, now):
        return asked.model_copy(update={"error_message": message[:1_000]})
    tried = asked.model_copy(
        update={
            "retry_count": asked.retry_count + 1,
            "error_message": message[:1_000],
            "tried_at": timestamp(now),
        }
    )
    return tried if tried.retry_count < MOST_NIGHTS else None


def is_proven(asked: RecheckEntry, digest: str, now: datetime) -> bool:
    """Return whether an earlier night read the same words."""
    if asked.text_sha256 != digest or asked.read_at is None:
        return False
    return _is_another_night(asked.read_at, now)


def doubted(asked: RecheckEntry, digest: str, now: datetime) -> RecheckEntry | None:
    """Return the entry with words that await their proof; None after the last night.

    A repeated reading of one night changes nothing.
    """
    if asked.text_sha256 == digest and asked.read_at is not None:
        return asked
    tried = failed(asked, "other words; the next night has to read the same", now)
    update = {"text_sha256": digest, "read_at": timestamp(now)}
    return None if tried is None else tried.model_copy(update=update)


def refusal(before: TextVersion, after: TextVersion, lengths: tuple[int, int]) -> str:
    """Return why words never replace the known ones without another number; empty if they may.

    An error page has no articles. A text that had none must keep half of its letters.

    Args:
        before: the known version.
        after: the version that was read now.
        lengths: of both texts, in characters.
    """
    if before.articles and not after.articles:
        return "not_the_text: it lost all articles; it may be an error page"
    if not before.articles and lengths[1] * 2 < lengths[0]:
        return "not_the_text: it lost more than half of its letters; it may be an error page"
    return ""


def _is_another_night(then: str, now: datetime) -> bool:
    return now - parse_timestamp(then) >= _ANOTHER_NIGHT
