"""A source's status for readers and operators: from its state, never from a site (N25)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict

from uring.changes.health import ALERT_AFTER, class_of
from uring.changes.registry import Registration, Watched
from uring.changes.state import PartTrouble, SourceState
from uring.clock import parse_timestamp
from uring.watch.rhythm import quiet_until

Status = Literal["ok", "failed", "suspect", "corrupt", "pending", "unchecked"]

# A success is written once in a heartbeat; a tick that is missed now and then is no news.
_UNCHECKED_AFTER: Final = timedelta(hours=3)
# A board of fifteen airports has one that is silent now and then.
_PART_DOWN_AFTER: Final = timedelta(hours=1)
_REMEDIES: Final = {
    "transient": "it may pass by itself; if it lasts, look at the site",
    "blocked": "it does not want us, or not so often: ask its operator",
    "structure": "what it answers is not what is read there: look at it",
    "corrupt": "`uring state show {id} --stack …` says what is wrong with its state",
    "unchecked": "look at the worker's log for it, at its alarms and its dead-letter queue",
    "stale": "see whether it has moved elsewhere",
}


class Facts(BaseModel):
    """The facts of a state, remembered so that an unchanged one need not be read again.

    Attributes:
        etag: of the state object.
        seq: of the state; readers see by it that something was looked at again within a second.
        status: of the last check; ``corrupt`` where the state cannot be read.
        trouble: the class of the reason, ``ok`` when all is well.
        reason: one word.
        since: when status or class last changed; RFC 3339, UTC.
        failures: checks in a row that did not succeed.
        succeeded_at: the last success.
        retry_at: not asked again before.
        changed_at: the last change of any record.
        dates: of the last records, ``YYYY-MM-DD``.
        parts: see `uring.changes.state.Health`.
        failing: see there.
        troubles: see there.
        shown: a digest of what readers were told.
        fed: a digest of what their feeds were made of.
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
    shown: str = ""
    fed: str = ""


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source's condition now.

    ``down`` is the class of what people are to be told of, or None; ``parts_down`` are the parts
    that have failed for so long that people are to be told, while the source is well.
    """

    facts: Facts
    status: Status
    stale_since: str | None
    down: str | None
    parts_down: tuple[str, ...] = ()


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
    )


def corrupt(etag: str) -> Facts:
    """Return the facts of a state that cannot be read."""
    return Facts(etag=etag, status="corrupt", trouble="corrupt", reason="corrupt_state")


def assess(
    source: Watched, facts: Facts | None, now: datetime, pending_since: str | None = None
) -> SourceStatus:
    """Judge the facts; None is a source that was never checked.

    Args:
        source: as its configuration has it.
        facts: of its state.
        now: aware UTC.
        pending_since: when the monitor first saw that it was not checked.
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
    if facts.status == "corrupt":
        down = "corrupt"
    elif facts.failures >= ALERT_AFTER:
        down = facts.trouble
    elif _unchecked(source, facts, now):
        word, down = "unchecked", "unchecked"
    elif stale_since is not None:
        down = "stale"
    return SourceStatus(facts, word, stale_since, down, _parts_down(facts, now))


def _parts_down(facts: Facts, now: datetime) -> tuple[str, ...]:
    return tuple(
        name
        for name, trouble in facts.troubles.items()
        if now - parse_timestamp(trouble.since) >= _PART_DOWN_AFTER
    )


def is_pending(facts: Facts) -> bool:
    """Return whether a state says of no check: its release kept no health, the next one will."""
    return facts.status == "ok" and facts.succeeded_at is None


def health_document(source: Watched, status: SourceStatus) -> dict[str, Any]:
    """Return ``data/{id}/health.json``. No detail of a failure: it may name an inner address."""
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
        **(_told_parts(facts) if facts.parts else {}),
    }


def _told_parts(facts: Facts) -> dict[str, Any]:
    failed = {
        name: {"reason": trouble.reason, "since": trouble.since}
        for name, trouble in facts.troubles.items()
    }
    return {"parts": facts.parts, "failing": facts.failing, "failed": failed}


def told(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is worth a write in a document of health or in the index.

    A number that grows is not: that it grew is seen when something else is written.
    """
    failures = document.get("consecutive_failures")
    capped = min(failures, ALERT_AFTER) if isinstance(failures, int) else failures
    return {**document, "seq": 0, "consecutive_failures": capped}


def index_entry(source: Watched, status: SourceStatus, *, has_feeds: bool) -> dict[str, Any]:
    """Return a source's place in ``data/index.json``; addresses are relative to it."""
    feeds = {"atom": f"{source.id}/feed.atom", "json_feed": f"{source.id}/feed.json"}
    return {
        **health_document(source, status),
        "base_url": source.base_url,
        **({"topic": source.topic} if source.topic else {}),
        **({"topics": [*source.topics]} if source.topics else {}),
        "latest": f"{source.id}/latest.json",
        **(feeds if has_feeds else {}),
        "health": f"{source.id}/health.json",
    }


def list_entry(family: Registration) -> dict[str, Any]:
    """Return what ``data/index.json`` says of a family's list, under its key in ``families``."""
    return {"family": family.name, "view": family.view, "word": dict(family.word)}


def down_line(source: Watched, status: SourceStatus) -> str:
    """Return what people are told when a source goes down."""
    facts, down = status.facts, status.down or ""
    what = f"{facts.reason} ({down})" if facts.reason else down
    when = status.stale_since if down == "stale" else facts.since
    times = f", {facts.failures} checks in a row" if facts.failures else ""
    remedy = {**_REMEDIES, **source.remedies}.get(down, "").format(id=source.id)
    return f"DOWN {source.id} ({source.name}): {what} since {when or 'now'}{times}; {remedy}"


def part_down_line(source: Watched, status: SourceStatus, name: str) -> str:
    """Return what people are told when a part of a source that is well goes down."""
    facts = status.facts
    trouble = facts.troubles[name]
    others = facts.parts - facts.failing
    return (
        f"DOWN {source.id}/{name} ({source.name}): {trouble.reason} since {trouble.since}, "
        f"{others} of {facts.parts} answer; ask its operator why it does not"
    )


def part_up_line(source: Watched, name: str, was: str) -> str:
    """Return what people are told when a part is well again."""
    return f"UP {source.id}/{name} ({source.name}): no longer failing, was {was}"


def up_line(source: Watched, was: str) -> str:
    """Return what people are told when it is well again; ``was`` is the class told before."""
    return f"UP {source.id} ({source.name}): well again, was {was}"


def _unchecked(source: Watched, facts: Facts, now: datetime) -> bool:
    signs = (facts.succeeded_at, facts.retry_at, facts.since)
    last = max((parse_timestamp(sign) for sign in signs if sign is not None), default=now)
    return _is_overdue(source, last + source.heartbeat, now)


def _is_overdue(source: Watched, due: datetime, now: datetime) -> bool:
    patience = max(_UNCHECKED_AFTER, 3 * timedelta(minutes=source.interval_minutes))
    return now - due > patience
