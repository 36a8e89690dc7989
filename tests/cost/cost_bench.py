"""Counts an operation over fakes, as `uring cost` has it."""

from collections.abc import Callable
from typing import Any

from call_tally import Tally, forget, line_bytes
from fakes.telemetry import RecordingTelemetry

from uring_local.cost.counts import Counted


class Bench:
    """Runs an operation and keeps what it took.

    Attributes:
        found: by the operation's name.
    """

    def __init__(self) -> None:
        self.found: dict[str, Counted] = {}
        self.tally = Tally()

    def measure(self, name: str, telemetry: RecordingTelemetry, run: Callable[[], Any]) -> Counted:
        """Run an operation once, and count."""
        forget(telemetry)
        with self.tally.counting():
            run()
        assert not telemetry.problems, telemetry.problems
        calls = {unit: count for unit, count in sorted(self.tally.counts.items()) if count}
        found = self.found[name] = Counted(
            calls=calls,
            metrics=tuple(sorted(telemetry.counts)),
            line_bytes=line_bytes(telemetry),
            stored_bytes=self.tally.stored_bytes,
        )
        return found


def less(more: Counted, other: Counted) -> Counted:
    """Return what is more in one than in the other."""
    units = sorted({*more.calls, *other.calls})
    calls = {unit: more.calls.get(unit, 0) - other.calls.get(unit, 0) for unit in units}
    return Counted(
        calls={unit: count for unit, count in calls.items() if count},
        metrics=tuple(each for each in more.metrics if each not in other.metrics),
        line_bytes=more.line_bytes - other.line_bytes,
        stored_bytes=more.stored_bytes - other.stored_bytes,
    )
