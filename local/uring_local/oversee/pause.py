"""`uring pause` and `uring resume`: the end of a pause stands in the health of the source's state.

    1 state (If-Match)   the only write: workers read it before they ask, the monitor shows it

If a check commits meanwhile, the command looks again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from uring.changes.health import is_paused
from uring.changes.register import StateRegister, Superseded
from uring.changes.registry import Registration
from uring.changes.retry import Backoff
from uring.clock import Clock, parse_timestamp, system_clock, timestamp
from uring.errors import Misconfigured, WriteConflict
from uring_local.operate.bucket import VersionedBucket, open_bucket
from uring_local.operate.past_state import family_of

_ZONE: Final = ZoneInfo("Asia/Seoul")
# A longer pause is a source that is not wanted: take its entry out.
_LONGEST: Final = timedelta(days=366)


def pause(
    source: str, until: str, *, stack: str, family: str | None, clock: Clock = system_clock
) -> dict[str, Any]:
    """Store the end of a pause; return what follows, for `show`.

    Raises:
        Misconfigured: no such source, or no day within the year to come.
        WriteConflict: checks committed first in every attempt.
    """
    end = until_of(until, clock())
    _PausedState.of(source, stack=stack, family=family).store(timestamp(end), clock)
    then = "it is asked again then, within its interval; `uring resume` ends the pause"
    return {"source": source, "paused_until": timestamp(end), "then": then}


def resume(
    source: str, *, stack: str, family: str | None, clock: Clock = system_clock
) -> dict[str, Any]:
    """End the pause of a state now; errors as of `pause`."""
    was = _PausedState.of(source, stack=stack, family=family).store(timestamp(clock()), clock)
    then = "it is asked at its next tick" if was else "it was not paused"
    return {"source": source, "paused_until": None, "was": was, "then": then}


def until_of(text: str, now: datetime) -> datetime:
    """Return the end of a pause, aware UTC; a day is its beginning in Korea.

    Raises:
        Misconfigured: it is neither, is over, or is more than a year ahead.
    """
    try:
        if len(text) == len("2026-12-01"):
            end = datetime.combine(date.fromisoformat(text), time(), _ZONE)
        else:
            end = datetime.fromisoformat(text)
    except ValueError:
        raise Misconfigured(f"--until {text!r} is not a day such as 2026-12-01") from None
    if end.tzinfo is None:
        raise Misconfigured(f"--until {text!r} has no zone; add one, such as +09:00")
    # Neither the first nor the last day of all can be converted to another zone.
    if not now < end <= now + _LONGEST:
        raise Misconfigured(f"--until {text!r} is not within the year to come; name a day of it")
    return end.astimezone(UTC).replace(microsecond=0)


@dataclass(frozen=True, slots=True)
class _PausedState:
    """The state of a source that has one."""

    source: str
    stack: str
    bucket: VersionedBucket
    registered: Registration

    @classmethod
    def of(cls, source: str, *, stack: str, family: str | None) -> "_PausedState":
        bucket = open_bucket(stack)
        return cls(source, stack, bucket, family_of(bucket, source, family))

    def store(self, until: str, clock: Clock) -> str | None:
        """Write the end of a pause; return the end of the pause that it was in, None without one.

        An end that has come stays until the next check's write: the monitor counts from it how
        long the source is unchecked. Without a pause it is not written.
        """
        backoff = Backoff()
        register: StateRegister[Any] = StateRegister(
            self.bucket,
            self.registered.name,
            self.registered.state(),
            clock=clock,
            backoff=backoff,
        )
        for _ in backoff.attempts():
            version = register.read(self.source)
            if version is None:
                repair = f"uring state repair {self.source} --stack {self.stack}"
                raise Misconfigured(f"the state of {self.source} is gone: `{repair}`")
            health, now = version.state.health, clock()
            was: str | None = health.paused_until if is_paused(health, now) else None
            if was == until or (was is None and parse_timestamp(until) <= now):
                return was
            paused = health.model_copy(update={"paused_until": until})
            try:
                register.write(version, version.state.replace(health=paused))
            except Superseded:
                continue
            return was
        raise WriteConflict(f"{self.source}: checks committed first in every attempt; try again")


def show(said: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what `pause` or `resume` has returned."""
    if as_json:
        print(json.dumps(said, ensure_ascii=False, indent=1))
        return
    for name, value in said.items():
        print(f"{name.replace('_', ' '):12} {'none' if value is None else value}")
