"""Lines and counters of locks: what waits for what, what gave up, whose lease was lost.

Counters are LockWaits, LockWaitMilliseconds, LockTimeouts (in the API each is a 423) and
LeasesLost. They have no page: only the lines do, and a wait of less than a second has no line.
"""

from typing import Any, Final

from uring.locks import Blocker, LockTimeoutError, Path
from uring.runtime.telemetry import Telemetry

_LINE_SECONDS: Final = 1.0
_MILLISECONDS: Final = 1000


class LockTelemetry:
    """Implements `uring.locks.WatchesLocks`."""

    def __init__(self, telemetry: Telemetry) -> None:
        self._telemetry = telemetry

    def waited(self, root: str, path: Path, seconds: float, blocker: Blocker) -> None:
        """See `WatchesLocks`."""
        self._telemetry.count("LockWaits")
        self._telemetry.count("LockWaitMilliseconds", round(seconds * _MILLISECONDS))
        if seconds >= _LINE_SECONDS:
            fields = {**_place(root, path), **_blocked(seconds, blocker)}
            self._telemetry.event("lock_waited", **fields)

    def timed_out(self, error: LockTimeoutError, seconds: float) -> None:
        """See `WatchesLocks`."""
        self._telemetry.count("LockTimeouts")
        fields = {**_place(error.root, error.path), **_blocked(seconds, error.blocker)}
        self._telemetry.warning("lock_timed_out", **fields)

    def lost(self, root: str, path: Path, fence: int) -> None:
        """See `WatchesLocks`."""
        self._telemetry.count("LeasesLost")
        self._telemetry.warning("lease_lost", **_place(root, path), fence=fence)


def _place(root: str, path: Path) -> dict[str, Any]:
    return {"page": root, "lock": list(path)}


def _blocked(seconds: float, blocker: Blocker | None) -> dict[str, Any]:
    fields: dict[str, Any] = {"waited_seconds": round(seconds, 1)}
    if blocker is not None:
        age = blocker.age_ms // _MILLISECONDS
        fields |= {"holder": blocker.what, "holder_lock": list(blocker.path), "age_seconds": age}
    return fields
