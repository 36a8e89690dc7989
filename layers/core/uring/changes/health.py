"""A source's health: the class of its trouble, and when to ask again (N25)."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Literal

from uring.changes.history.beats import Beat, with_beat
from uring.changes.state import Health, PartTrouble
from uring.clock import parse_timestamp, timestamp
from uring.errors import SourceTrouble, SuspectPage

Class = Literal["ok", "transient", "blocked", "structure"]

DAILY: Final = timedelta(days=1)
"""The heartbeat of a source whose check costs less than a write of its state."""
OVERDUE: Final = "overdue"
"""The reason of a part that answers, but whose newer data did not come when they were due."""
ALERT_AFTER: Final = 3
"""Unsuccessful checks in a row after which a source counts as down."""

_WORDS: Final[Mapping[Class, str]] = {
    "transient": "busy_host connect dns http_status maintenance network no_data no_envelope "
    "protocol robots_unreachable timeout tls unavailable",
    "blocked": "challenge forbidden key login quota robots robots_disallowed",
    "structure": "all_rows_bad bad_address bad_encoding bad_request ids_gone ids_reused "
    "landmark_missing markup_bomb mojibake no_rows not_feed not_found not_json refused_address "
    "extractor_failed rejected same_ids same_titles script_rendered too_big too_few_rows "
    "state_lost too_many_hosts too_many_redirects unreadable_text wrong_envelope",
}
CLASSES: Final[Mapping[str, Class]] = {
    word: name for name, words in _WORDS.items() for word in words.split()
}
"""The class of each reason. An unknown reason is transient, unless its trouble is structural."""
# After the first two failures the source is asked at the next tick; then the wait doubles up to
# the longest of its class.
_PATIENCE: Final = 2
_LONGEST: Final = {
    "transient": timedelta(hours=1),
    "structure": timedelta(hours=1),
    "blocked": timedelta(hours=6),
}
_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# The longest Retry-After that is granted: a day.
_MOST_SECONDS: Final = 86_400


def class_of(health: Health) -> Class:
    """Return the class of the last check's trouble; ``ok`` without one.

    ``transient``: it may pass by itself. ``blocked``: the source refuses our requests for now.
    ``structure``: a person has to look at the page or the entry.
    """
    if health.status == "ok":
        return "ok"
    return "structure" if health.is_structural else CLASSES.get(health.reason, "transient")


def waits(health: Health, entry: str, now: datetime) -> bool:
    """Return whether the source is not asked yet.

    A corrected entry is tried at once, but not while an operator has paused the source.
    """
    return is_paused(health, now) or (
        health.retry_at is not None
        and health.entry == entry
        and now < datetime.fromisoformat(health.retry_at)
    )


def is_paused(health: Health, now: datetime) -> bool:
    """Return whether an operator has paused the source; a pause that is over does not count."""
    return health.paused_until is not None and now < parse_timestamp(health.paused_until)


def is_checked_since(health: Health, scheduled_at: datetime) -> bool:
    """Return whether the last written success is of a check after that time; False without one."""
    last = health.succeeded_at
    return last is not None and datetime.fromisoformat(last) > scheduled_at


def written_next(source: str, last: datetime, heartbeat: timedelta) -> datetime:
    """Return when a success is written again while nothing changes, aware UTC.

    Each source has its own minute of the heartbeat, so ten thousand are not written in one tick.

    Args:
        source: its name.
        last: the last written success, aware UTC.
        heartbeat: of its family; below a minute ``last`` is returned: each check writes.
    """
    minutes = int(heartbeat / timedelta(minutes=1))
    if not minutes:
        return last
    spread = int.from_bytes(hashlib.sha256(source.encode()).digest()[:8], "big")
    own = _EPOCH + timedelta(minutes=spread % minutes)
    return own + ((last - own) // heartbeat + 1) * heartbeat


def is_write_due(health: Health, source: str, now: datetime, heartbeat: timedelta) -> bool:
    """Return whether a success is written now though nothing changed.

    True if the source never succeeded or its last check failed.
    """
    if health.status != "ok" or health.succeeded_at is None:
        return True
    return now >= written_next(source, datetime.fromisoformat(health.succeeded_at), heartbeat)


def after_success(
    before: Health,
    now: datetime,
    *,
    is_due: bool,
    parts: int = 0,
    failed: Mapping[str, str] = _NONE,
    overdue: Mapping[str, str] = _NONE,
) -> Health | None:
    """Return the health after a success, or None if it is not written.

    Args:
        before: the committed health.
        now: aware UTC.
        is_due: whether it is written though nothing changed, see `is_write_due`.
        parts: see `Health`.
        failed: by part, the reason of its failure.
        overdue: by part, since when newer data are due although it answers.
    """
    reasons = {name: trouble.reason for name, trouble in before.troubles.items()}
    told = {**dict.fromkeys(overdue, OVERDUE), **failed}
    if not is_due and (before.parts, reasons) == (parts, told):
        return None
    return reset(before, now, parts=parts, failed=failed, overdue=overdue)


def reset(
    before: Health,
    now: datetime,
    *,
    parts: int = 0,
    failed: Mapping[str, str] = _NONE,
    overdue: Mapping[str, str] = _NONE,
) -> Health:
    """Return the health after a success that is written in any case."""
    stamp = timestamp(now)
    return before.model_copy(
        update={
            "status": "ok",
            "reason": "",
            "is_structural": False,
            # A state of a release without health has no ``since`` to keep.
            "since": before.since if before.status == "ok" and before.succeeded_at else stamp,
            "failures": 0,
            "succeeded_at": stamp,
            "retry_at": None,
            "entry": "",
            **_parts(before, parts, failed, overdue, stamp),
        }
    )


def remembered(health: Health, beat: Beat) -> Health:
    """Return a health with one more beat; a pause that was over by then is forgotten."""
    until = health.paused_until if is_paused(health, beat.at) else None
    update = {"beats": with_beat(health.beats, beat), "paused_until": until}
    return health.model_copy(update=update)


def _parts(
    before: Health,
    parts: int,
    failed: Mapping[str, str],
    overdue: Mapping[str, str],
    stamp: str,
) -> dict[str, Any]:
    # A release without part names kept the stored names and wrote its own number: names whose
    # count differs from that number are out of date.
    is_ours = len(before.troubles) == before.failing
    known = before.troubles if is_ours else {}
    # An overdue part answers: its failure begins with the first call that does not.
    since = {name: was.since for name, was in known.items() if was.reason != OVERDUE}
    troubles = {
        **{name: PartTrouble(reason=OVERDUE, since=due) for name, due in overdue.items()},
        **{
            name: PartTrouble(reason=reason, since=since.get(name, stamp))
            for name, reason in failed.items()
        },
    }
    return {"parts": parts, "failing": len(troubles), "troubles": troubles}


def after_failure(
    before: Health,
    trouble: SourceTrouble,
    entry: str,
    now: datetime,
    interval: timedelta,
    *,
    eases_off: bool = True,
    parts: int = 0,
    failed: Mapping[str, str] = _NONE,
    overdue: Mapping[str, str] = _NONE,
) -> Health:
    """Return the health after a failed or suspect check.

    The wait before the next check doubles, up to an hour, or six hours for a source that blocks
    us. A Retry-After is granted up to a day.

    Args:
        before: the committed health.
        trouble: the failure.
        entry: the fingerprint of the config entry; a corrected entry does not wait.
        now: aware UTC.
        interval: between the source's checks.
        eases_off: False for a source that is asked at every tick even while it fails.
        parts: see `Health`.
        failed: by part, the reason of its failure.
        overdue: see `after_success`.
    """
    status: Literal["failed", "suspect"] = (
        "suspect" if isinstance(trouble, SuspectPage) else "failed"
    )
    health = before.model_copy(
        update={
            "status": status,
            "reason": trouble.reason,
            "is_structural": trouble.is_structural,
            "since": timestamp(now),
            "failures": before.failures + 1,
            "retry_at": None,
            "entry": entry,
            **_parts(before, parts, failed, overdue, timestamp(now)),
        }
    )
    if (before.status, class_of(before)) == (status, class_of(health)):
        health = health.model_copy(update={"since": before.since})
    if not eases_off:
        return health
    longest = max(_LONGEST[class_of(health)], interval)
    doublings = min(max(health.failures - _PATIENCE, 0), 10)
    wait = min(interval * 2**doublings, longest)
    if trouble.retry_after is not None:
        wait = max(wait, timedelta(seconds=min(trouble.retry_after, _MOST_SECONDS)))
    # Ticks come on the minute, their checks a little later by varying amounts: half an interval
    # of tolerance keeps a check from missing its tick.
    retry_at = timestamp(now + wait - interval / 2) if wait > interval else None
    return health.model_copy(update={"retry_at": retry_at})
