"""Whether readers reach the index: asked where they ask, at the distribution.

    state ─► ask ─► lines to mail ─► state

A distribution that is disabled, or a policy that is wrong, answers 403 to every reader, and no
function of the stack notices. Alerts are sent before they are remembered: a crash in between
repeats them, and loses none.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.changes.health import ALERT_AFTER
from uring.clock import timestamp
from uring.objects import Objects, Stored
from uring.runtime.telemetry import Telemetry
from uring.watch.publish import Publisher

KEY: Final = "state/monitor/readers.json"

Ask = Callable[[str | None], str]
"""Asks for the index as a reader does, by its ETag or None; returns why it failed, else empty."""


class Reached(BaseModel):
    """``state/monitor/readers.json``: the failures in a row.

    Attributes:
        failures: up to `ALERT_AFTER`, where one mail was sent.
        since: the first of them, RFC 3339, UTC; None without one.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    failures: int = 0
    since: str | None = None


class ReaderProbe:
    """Asks for the index once in each run of the monitor.

    Args:
        url: of the index for readers.
        ask: see `Ask`.
        objects: the bucket.
    """

    def __init__(self, url: str, ask: Ask, objects: Objects, telemetry: Telemetry) -> None:
        self._url = url
        self._ask = ask
        self._objects = objects
        self._telemetry = telemetry
        self._publisher = Publisher(objects, telemetry)
        self._stored: Stored | None = None
        self._after = Reached()

    def lines(self, etag: str | None, now: datetime) -> list[str]:
        """Ask; return the alert lines, which `remember` has to follow.

        Args:
            etag: of the index in the bucket, which a reader's copy has too; None without an index,
                and then nobody is asked.
            now: aware UTC.
        """
        self._stored = self._objects.get(KEY)
        before = self._after = _read(self._stored)
        if etag is None:
            return []
        reason = self._ask(etag)
        if not reason:
            self._after = Reached()
            was_down = before.failures >= ALERT_AFTER
            return [f"UP readers ({self._url}): it answers again"] if was_down else []
        failures = min(before.failures + 1, ALERT_AFTER)
        self._after = Reached(failures=failures, since=before.since or timestamp(now))
        self._telemetry.count("ReadersRefused")
        self._telemetry.problem(
            "readers_refused",
            url=self._url,
            reason=reason,
            remedy="`uring doctor` examines the distribution, the bucket's policy and the name",
        )
        if before.failures >= ALERT_AFTER or failures < ALERT_AFTER:
            return []
        line = (
            f"DOWN readers ({self._url}): {reason} since {self._after.since}, {failures} times in "
            "a row; nobody can read the data: `uring doctor` examines the distribution"
        )
        return [line]

    def remember(self) -> None:
        """Store what was found, if it is another than before."""
        if self._after != _read(self._stored):
            self._publisher.put(KEY, self._stored, self._after.model_dump_json().encode())


def _read(stored: Stored | None) -> Reached:
    try:
        return Reached.model_validate_json(stored.body) if stored else Reached()
    except ValidationError:
        return Reached()
