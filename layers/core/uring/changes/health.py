"""A source's health: what class a trouble is of, and when to ask again (N25)."""

from datetime import datetime, timedelta
from typing import Final, Literal

from uring.clock import timestamp
from uring.errors import SourceTrouble, SuspectPage
from uring.records.model import Health

Class = Literal["ok", "transient", "blocked", "structure"]

ALERT_AFTER: Final = 3
"""Unsuccessful checks in a row after which people are told."""

_BLOCKED: Final = frozenset({"forbidden", "challenge", "login", "robots"})
_STRUCTURE_NAMES: Final = (
    "all_rows_bad bad_address bad_request ids_gone ids_reused landmark_missing markup_bomb "
    "mojibake no_rows not_feed not_found not_json refused_address rejected same_titles "
    "script_rendered too_big too_few_rows too_many_redirects unreadable_text wrong_envelope"
)
_STRUCTURE: Final = frozenset(_STRUCTURE_NAMES.split())
# The first two failures are asked again at the next tick, then it doubles up to this.
_PATIENCE: Final = 2
_LONGEST: Final = {
    "transient": timedelta(hours=1),
    "structure": timedelta(hours=1),
    "blocked": timedelta(hours=6),
}
# A day, of what a site asks for.
_MOST_SECONDS: Final = 86_400
_FRESH: Final = timedelta(hours=1)


def class_of(health: Health) -> Class:
    """``transient``: it may pass by itself. ``blocked``: the site does not want us, for now.

    ``structure``: the page or the entry has to be looked at.
    """
    if health.status == "ok":
        return "ok"
    if health.reason in _BLOCKED:
        return "blocked"
    return "structure" if health.reason in _STRUCTURE else "transient"


def well(before: Health, now: datetime) -> Health | None:
    """The health after a success, or None while that is not worth a write.

    Last success is written at most hourly: an unchanged check costs no PUT.
    """
    if before.status == "ok" and before.succeeded_at is not None:
        last = datetime.fromisoformat(before.succeeded_at)
        if now - last < _FRESH:
            return None
        return before.model_copy(update={"succeeded_at": timestamp(now)})
    return recovered(before, now)


def recovered(before: Health, now: datetime) -> Health:
    """The health after a success that is written anyway."""
    stamp = timestamp(now)
    since = before.since if before.status == "ok" else stamp
    return Health(since=since, succeeded_at=stamp)


def ill(
    before: Health, trouble: SourceTrouble, entry: str, now: datetime, interval: timedelta
) -> Health:
    """The health after a failed or suspect check.

    The site is left alone for longer and longer, up to an hour, or six where it blocks us; what it
    asks for in Retry-After is granted up to a day.

    Args:
        before: the committed health.
        trouble: what happened.
        entry: the fingerprint of the config entry; a corrected entry need not wait.
        now: aware UTC.
        interval: between the source's checks.
    """
    status: Literal["failed", "suspect"] = (
        "suspect" if isinstance(trouble, SuspectPage) else "failed"
    )
    health = Health(
        status=status,
        reason=trouble.reason,
        since=timestamp(now),
        failures=before.failures + 1,
        succeeded_at=before.succeeded_at,
        entry=entry,
    )
    same = (before.status, class_of(before)) == (status, class_of(health))
    longest = max(_LONGEST[class_of(health)], interval)
    doublings = min(max(health.failures - _PATIENCE, 0), 10)
    wait = min(interval * 2**doublings, longest)
    if trouble.retry_after is not None:
        wait = max(wait, timedelta(seconds=min(trouble.retry_after, _MOST_SECONDS)))
    return health.model_copy(
        update={
            "since": before.since if same else health.since,
            # A tick comes on the minute, its check a little later each time or a little earlier.
            "retry_at": timestamp(now + wait - interval / 2) if wait > interval else None,
        }
    )
