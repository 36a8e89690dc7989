"""A source's status for readers and operators, from its state and never from its site (N25)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

from uring.changes.health import ALERT_AFTER, OVERDUE, class_of
from uring.changes.registry import Registration, WatchedSource
from uring.changes.shard import Shard
from uring.changes.state import STATE_LOST, PartTrouble, SourceState
from uring.clock import parse_timestamp
from uring.watch.pace import pace

Status = Literal["ok", "failed", "suspect", "corrupt", "pending", "unchecked"]

# A success is written once in a heartbeat, and a tick may be missed now and then.
UNCHECKED_AFTER: Final = timedelta(hours=3)
# Of fifteen airports one may be silent now and then.
_PART_DOWN_AFTER: Final = timedelta(hours=1)
# Some airports have no METAR at night: a single overdue part is mailed after half a day.
_PART_OVERDUE_AFTER: Final = timedelta(hours=12)
_RESTORED_WITHIN: Final = timedelta(days=1)
_FEWEST_DATES: Final = 8
_PATIENCE: Final = 3
# A list often shows a few busy weeks, and the break between two terms lasts up to ten.
_SHORTEST: Final = timedelta(days=75)
_REMEDIES: Final = {
    "transient": "it may pass by itself; if it lasts, look at the site",
    "blocked": "it blocks our requests, or their number: ask its operator",
    "structure": "its answer does not fit its rules: look at the page",
    "corrupt": "`uring state show {id} --stack …` shows the error in its state",
    "lost": "its state is gone: `uring state repair {id} --stack …` makes it from what readers see",
    "unchecked": "look at the worker's log for it, at its alarms and its dead-letter queue",
    "stale": "check whether it has moved",
}


class Facts(BaseModel):
    """The facts of a state, remembered so that an unchanged state need not be read again.

    Attributes:
        etag: of the state object.
        seq: of the state; it shows readers a new check within the same second.
        status: of the last check; ``corrupt`` if the state is corrupt.
        trouble: the class of the reason, ``ok`` without one.
        reason: one word; empty without trouble.
        since: when status or class last changed; RFC 3339, UTC.
        failures: unsuccessful checks in a row.
        succeeded_at: the last success.
        retry_at: the earliest time of the next check; None: the next tick.
        changed_at: the last change of any record.
        dates: of the last records, ``YYYY-MM-DD``.
        parts: see `uring.changes.state.Health`.
        failing: see `uring.changes.state.Health`.
        troubles: see `uring.changes.state.Health`.
        remarks: see `uring.changes.state.SourceState.remarks`.
        restored_at: see `uring.changes.state.SourceState`.
        paused_until: see `uring.changes.state.Health`.
        shown: a digest of the published index entry.
        fed: a digest of the published feeds' input.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    etag: str
    seq: int = 0
    status: Status = "ok"
    trouble: str = "ok"
    reason: str = ""
    since: str | None = None
    failures: int = 0
    succeeded_at: str | None = None
    retry_at: str | None = None
    changed_at: str | None = None
    dates: tuple[str | None, ...] = ()
    parts: int = 0
    failing: int = 0
    troubles: dict[str, PartTrouble] = {}
    remarks: tuple[str, ...] = ()
    restored_at: str | None = None
    paused_until: str | None = None
    shown: str = ""
    fed: str = ""


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source's status now.

    ``down`` is the class of the trouble to alert operators of, or None. ``parts_down`` are the
    parts that have failed long enough for an alert. ``paused_until`` is the end of an operator's
    pause, or None: a paused source alerts nobody unless its state is corrupt or lost.
    """

    facts: Facts
    status: Status
    stale_since: str | None
    down: str | None
    parts_down: tuple[str, ...] = ()
    paused_until: str | None = None


def facts_of(state: SourceState, etag: str) -> Facts:
    """Return the facts of a state."""
    health = state.health
    return Facts(
        etag=etag,
        seq=state.seq,
        status=health.status,
        trouble=class_of(health),
        reason=health.reason,
        since=health.since,
        failures=health.failures,
        succeeded_at=health.succeeded_at,
        retry_at=health.retry_at,
        changed_at=state.last_change,
        dates=state.dates,
        parts=health.parts,
        failing=health.failing,
        troubles=health.troubles,
        remarks=state.remarks,
        restored_at=state.restored_at,
        paused_until=health.paused_until,
    )


def corrupt(etag: str) -> Facts:
    """Return the facts of a corrupt state."""
    return Facts(etag=etag, status="corrupt", trouble="corrupt", reason="corrupt_state")


def assess(
    source: WatchedSource, facts: Facts | None, now: datetime, pending_since: str | None = None
) -> SourceStatus:
    """Return the status of a source; ``pending`` or ``unchecked`` if it was never checked.

    Args:
        source: as in its configuration.
        facts: of its state; None without a state.
        now: aware UTC.
        pending_since: when the monitor first saw the source unchecked, RFC 3339; None: not yet.
    """
    if facts is None or is_pending(facts):
        known = facts or Facts(etag="")
        if pending_since is None or not _is_overdue(source, parse_timestamp(pending_since), now):
            return SourceStatus(known, "pending", None, None)
        known = known.model_copy(update={"since": pending_since})
        return SourceStatus(known, "unchecked", None, "unchecked")
    today = now.astimezone(ZoneInfo(source.zone)).date()
    until = quiet_until(facts.dates, today)
    stale_since = until.isoformat() if until is not None and until <= today else None
    word, down = facts.status, None
    paused_until = facts.paused_until if _is_ahead(facts.paused_until, now) else None
    if facts.status == "corrupt":
        down = "corrupt"
    elif facts.reason == STATE_LOST:
        # It does not pass by itself.
        down = "lost"
    elif paused_until is not None:
        return SourceStatus(facts, word, stale_since, None, (), paused_until)
    elif facts.failures >= ALERT_AFTER:
        down = facts.trouble
    elif _unchecked(source, facts, now):
        word, down = "unchecked", "unchecked"
    elif stale_since is not None:
        down = "stale"
    return SourceStatus(facts, word, stale_since, down, _parts_down(facts, now))


def _is_ahead(at: str | None, now: datetime) -> bool:
    return at is not None and now < parse_timestamp(at)


def _parts_down(facts: Facts, now: datetime) -> tuple[str, ...]:
    ages = {name: now - parse_timestamp(each.since) for name, each in facts.troubles.items()}
    down = {name for name, age in ages.items() if age >= _PART_DOWN_AFTER}
    late = {name for name in down if facts.troubles[name].reason == OVERDUE}
    # Most of them at once: it is not their night, the source stands still.
    if len(late) * 2 <= facts.parts:
        down -= {name for name in late if ages[name] < _PART_OVERDUE_AFTER}
    return tuple(name for name in ages if name in down)


def is_pending(facts: Facts) -> bool:
    """Return whether the state has no check: it is of a release without health."""
    return facts.status == "ok" and facts.succeeded_at is None


def health_document(source: WatchedSource, status: SourceStatus) -> dict[str, Any]:
    """Return ``data/{id}/health.json``, without failure details: they may name inner addresses."""
    facts = status.facts
    return {
        "id": source.id,
        "name": source.name,
        "status": status.status,
        "class": "ok" if status.status == "pending" else facts.trouble,
        "reason": facts.reason or None,
        "since": facts.since,
        "consecutive_failures": facts.failures,
        "last_success": facts.succeeded_at,
        "last_change": facts.changed_at,
        "stale_since": status.stale_since,
        "seq": facts.seq,
        **({"remarks": list(facts.remarks)} if facts.remarks else {}),
        **(_told_parts(facts) if facts.parts else {}),
        **({"paused_until": status.paused_until} if status.paused_until else {}),
    }


def _told_parts(facts: Facts) -> dict[str, Any]:
    failed = {
        name: {"reason": trouble.reason, "since": trouble.since}
        for name, trouble in facts.troubles.items()
    }
    return {"parts": facts.parts, "failing": facts.failing, "failed": failed}


def told(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a health document or index entry whose change is worth a write.

    Growing numbers are reset or capped: their growth is published with the next other change.
    """
    failures = document.get("consecutive_failures")
    capped = min(failures, ALERT_AFTER) if isinstance(failures, int) else failures
    return {**document, "seq": 0, "consecutive_failures": capped}


def index_entry(
    family: Registration, source: WatchedSource, status: SourceStatus
) -> dict[str, Any]:
    """Return a source's entry in ``data/index.json``; its addresses are relative to that file."""
    feeds = {"atom": f"{source.id}/feed.atom", "json_feed": f"{source.id}/feed.json"}
    if family.deadline:
        feeds["calendar"] = f"{source.id}/due.ics"
    return {
        **health_document(source, status),
        **({"college": source.college} if source.college else {}),
        "base_url": source.base_url,
        **({"topic": source.topic} if source.topic else {}),
        **({"topics": [*source.topics]} if source.topics else {}),
        "latest": f"{source.id}/latest.json",
        **(feeds if family.has_feeds else {}),
        "health": f"{source.id}/health.json",
    }


def list_entry(family: Registration, shards: Sequence[Shard] = ()) -> dict[str, Any]:
    """Return what ``data/index.json`` says of a family's list, under its key in ``families``.

    Args:
        family: of the list.
        shards: further shards of its sources: each has an index of its own.
    """
    others = [{"from": shard.begin, "path": shard.key("index.json")} for shard in shards]
    return {
        "family": family.name,
        "view": family.view,
        "word": dict(family.word),
        **({"shards": others} if others else {}),
    }


def down_line(source: WatchedSource, status: SourceStatus) -> str:
    """Return the alert line for a source that goes down."""
    facts, down = status.facts, status.down or ""
    what = f"{facts.reason} ({down})" if facts.reason else down
    when = status.stale_since if down == "stale" else facts.since
    times = f", {facts.failures} checks in a row" if facts.failures else ""
    remedy = {**_REMEDIES, **source.remedies}.get(down, "").format(id=source.id)
    return f"DOWN {source.id} ({source.name}): {what} since {when or 'now'}{times}; {remedy}"


def restored_line(
    source: WatchedSource, facts: Facts, before: Facts | None, now: datetime
) -> str | None:
    """Return the alert line for a state that a check restored since the last run; None without."""
    at = facts.restored_at
    if at is None or (before is not None and before.restored_at == at):
        return None
    # A monitor whose memory is gone, too, repeats no old line.
    if now - parse_timestamp(at) > _RESTORED_WITHIN:
        return None
    return (
        f"RESTORED {source.id} ({source.name}): its state was deleted, and restored at {at}; "
        "nothing is lost; find out who deletes below state/"
    )


def part_down_line(source: WatchedSource, status: SourceStatus, name: str) -> str:
    """Return the alert line for a part that goes down while its source is up."""
    facts = status.facts
    trouble = facts.troubles[name]
    line = f"DOWN {source.id}/{name} ({source.name}): {trouble.reason} since {trouble.since}, "
    if trouble.reason == OVERDUE:
        on_time = f"{facts.parts - facts.failing} of {facts.parts} are on time"
        return f"{line}{on_time}; it answers with an old report: ask its operator why"
    silent = sum(each.reason != OVERDUE for each in facts.troubles.values())
    others = f"{facts.parts - silent} of {facts.parts} answer"
    return f"{line}{others}; ask its operator why it does not answer"


def part_up_line(source: WatchedSource, name: str, was: str) -> str:
    """Return the alert line for a part that is up again; ``was`` is its reported reason."""
    return f"UP {source.id}/{name} ({source.name}): up again, was {was}"


def up_line(source: WatchedSource, was: str) -> str:
    """Return the alert line for a source that is up again; ``was`` is its reported class."""
    return f"UP {source.id} ({source.name}): up again, was {was}"


def _unchecked(source: WatchedSource, facts: Facts, now: datetime) -> bool:
    signs = (facts.succeeded_at, facts.retry_at, facts.since, facts.paused_until)
    last = max((parse_timestamp(sign) for sign in signs if sign is not None), default=now)
    return _is_overdue(source, last + source.heartbeat, now)


def waits_for_first_check(
    source: WatchedSource, status: SourceStatus, resumed_at: str | None, now: datetime
) -> bool:
    """Return whether an unchecked source is given one interval, since the monitor was away, too."""
    if status.down != "unchecked" or resumed_at is None:
        return False
    longest = timedelta(minutes=pace(source, now)["interval_minutes"])
    return now - parse_timestamp(resumed_at) <= longest


def _is_overdue(source: WatchedSource, due: datetime, now: datetime) -> bool:
    patience = max(UNCHECKED_AFTER, 3 * timedelta(minutes=source.interval_minutes))
    return now - due > patience


def quiet_until(dates: Iterable[str | None], today: date) -> date | None:
    """Return the day from which a board counts as stale.

    Boards die without an error: a department moves its notices elsewhere, and the old address still
    answers. The dates of its notices show how long a board's usual silences are. On that day its
    silence is longer than a break between terms (75 days), and than three times the longest one so
    far.

    Args:
        dates: ``YYYY-MM-DD`` of the last notices; later days and invalid dates are ignored.
        today: the current day in the board's zone.

    Returns:
        None for fewer than eight different days, which show no rhythm.
    """
    known = sorted(day for day in {*_days(dates)} if day <= today)
    if len(known) < _FEWEST_DATES:
        return None
    longest = max(later - earlier for earlier, later in pairwise(known))
    return known[-1] + max(longest * _PATIENCE, _SHORTEST)


def _days(dates: Iterable[str | None]) -> Iterator[date]:
    for text in dates:
        try:
            yield date.fromisoformat(text or "")
        except ValueError:
            continue
