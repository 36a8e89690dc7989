"""A run of the weather: tick by tick on a simulated clock, and the verdict on it.

    clock and airfield move on ─► schedule's target ─► wait for the queues ─► judge ─► next tick

The functions run in this process, because time passes in them as fast as it does here: three days
take minutes. What they meet is the embedded stack, the stand-ins for gateway and FCM.
"""

import threading
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from uring_local.fcm.server import FcmStandIn
from uring_local.run.event_log import Sink
from uring_local.run.view import View
from uring_local.sites.airfield import Airfield, Call
from uring_local.sites.airfield.judge import WeatherJudge, pushed, read_document
from uring_local.stack.inprocess import InProcess

OPENED: Final = datetime(2026, 3, 2, 0, 1, tzinfo=UTC)
"""When the first tick is: the schedule's minute."""

TICK: Final = timedelta(minutes=5)
PRODUCTS: Final = {"metar": "METAR and SPECI", "taf": "TAF", "warning": "airport warnings"}
_LOOK_SECONDS = 0.02
_SETTLE_SECONDS = 120.0
_COUNTED = ("checked", "changed", "pushed")


class SimulatedClock:
    """A clock that stands still until it is moved; safe between threads."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def __call__(self) -> datetime:
        """The time, aware UTC."""
        return self._now

    def move(self, to: datetime) -> None:
        """Set the time."""
        self._now = to


@dataclass(frozen=True)
class Around:
    """What a run needs beside the application."""

    airfield: Airfield
    fcm: FcmStandIn
    clock: SimulatedClock
    sink: Sink
    view: View
    stop: threading.Event


class WeatherRun:
    """One run on a fresh stack.

    Args:
        intervals: of each product, as its orchestrator has them.
    """

    def __init__(
        self,
        application: InProcess,
        around: Around,
        judge: WeatherJudge,
        intervals: dict[str, timedelta],
    ) -> None:
        self._application = application
        self._around = around
        self._judge = judge
        self._intervals = intervals
        self._counts: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._requests = 0

    def run(self, ticks: int | None, seconds_per_tick: float) -> bool:
        """Run that many ticks, or until asked to stop, and judge.

        Returns:
            Whether all is well.
        """
        done = 0
        while not self._around.stop.is_set() and (ticks is None or done < ticks):
            began = time.monotonic()
            self._tick(done + 1, OPENED + done * TICK)
            done += 1
            while time.monotonic() < began + seconds_per_tick and not self._around.stop.wait(0.05):
                self._look()
        return self._conclude(done)

    def _tick(self, number: int, at: datetime) -> None:
        around = self._around
        around.clock.move(at)
        around.airfield.advance(at)
        due = [name for name, interval in self._intervals.items() if _due(at, interval)]
        before = self._counts.copy()
        requests = self._requests
        self._application.tick(at)
        self._settle(self._counts["checked"] + len(due))
        self._inspect(at, due, around.airfield.take_calls())
        fresh = self._counts - before
        around.view.event(
            {
                "event": "weather_tick",
                "tick": number,
                "at": at.isoformat(),
                **{name: fresh[name] for name in _COUNTED},
                "http_requests": self._requests - requests,
            }
        )

    def _settle(self, checks: int) -> None:
        """Wait until the runs have reported and nothing is on its way."""
        ends = time.monotonic() + _SETTLE_SECONDS
        live = self._application.family.live
        while time.monotonic() < ends:
            self._look()
            if self._counts["checked"] >= checks:
                depths = self._application.depths()
                self._around.view.depths(depths)
                if not sum(depths[queue].total for queue in live):
                    self._look()
                    return
            time.sleep(_LOOK_SECONDS)
        self._judge.wrong.append(f"a tick was not done after {_SETTLE_SECONDS:.0f} s")

    def _inspect(self, at: datetime, due: list[str], calls: list[Call]) -> None:
        for product in due:
            folder = f"data/{product}/"
            keys = self._keys(folder)
            latest = self._read(f"{folder}latest.json") if f"{folder}latest.json" in keys else None
            files = [key.rpartition("/")[2] for key in keys if not key.endswith("/latest.json")]
            mine = [call for call in calls if call.product == product]
            self._judge.look(product, at, mine, latest, files)

    def _look(self) -> None:
        for event in self._around.sink.take():
            name = event["event"]
            self._counts[name] += name in _COUNTED
            if name == "checked":
                self._outcomes[event["outcome"]] += 1
                self._requests += event["http_requests"]
            if name == "record_failed":
                self._judge.wrong.append(f"{event['group']}: {event['reason']}")
            self._around.view.event(event)

    def _conclude(self, ticks: int) -> bool:
        around, judge = self._around, self._judge
        judge.judge_pushes(Counter(pushed(one.data, one.topic) for one in around.fcm.deliveries))
        judge.wrong += [f"gateway stand-in: {each!r}" for each in around.airfield.failures]
        judge.wrong += [f"FCM stand-in: {each!r}" for each in around.fcm.failures]
        depths = self._application.depths()
        dead = sum(depths[queue].total for queue in self._application.family.dead)
        around.view.event(
            {
                "event": "weather_summary",
                "ticks": ticks,
                "until": around.clock().isoformat(),
                "runs": self._counts["checked"],
                "outcomes": dict(sorted(self._outcomes.items())),
                "files": {product: len(names) for product, names in sorted(judge.files.items())},
                "changes": dict(sorted(judge.changes.items())),
                "stale_runs": judge.stale,
                "pushed": len(around.fcm.deliveries),
                "expected": judge.expected.total(),
                "kinds": dict(sorted(_kinds(judge).items())),
                "wrong": len(judge.wrong),
                "dead_lettered": dead,
                "http_requests": self._requests,
                "gateway_faults": dict(sorted(judge.refused.items())),
                "fcm_faults": dict(sorted(around.fcm.faults.items())),
            }
        )
        for line in judge.wrong:
            around.view.event({"event": "wrong", "reason": line})
        return not (judge.wrong or dead)

    def _keys(self, prefix: str) -> list[str]:
        application = self._application
        answer = application.s3.list_objects_v2(Bucket=application.bucket, Prefix=prefix)
        return [each["Key"] for each in answer.get("Contents", [])]

    def _read(self, key: str) -> Any:
        application = self._application
        answer = application.s3.get_object(Bucket=application.bucket, Key=key)
        return read_document(answer["Body"].read())


def _due(at: datetime, interval: timedelta) -> bool:
    return int(at.timestamp()) % int(interval.total_seconds()) < TICK.total_seconds()


def _kinds(judge: WeatherJudge) -> Counter[str]:
    kinds: Counter[str] = Counter()
    for (_, kind, _, _), count in judge.expected.items():
        kinds[kind] += count
    return kinds
