"""A run: the main job from tick to push, and the verdict on it.

    record ─► site moves to tick k ─► schedule's target ─► wait for the work queue ─► k + 1
                                          └ after the last: wait for all queues, then the verdict

The record is written before anything of a tick happens, so that a run that was killed begins that
tick again. The site shows the same then, and what was committed or pushed before is known.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from uring_local.fcm.server import FcmStandIn
from uring_local.operate.upload import KEY
from uring_local.run.event_log import Sink
from uring_local.run.record import BUCKET_KEY, RecordFile, RunRecord
from uring_local.run.verdict import Verdict, judge_archive, judge_campus, read_published
from uring_local.run.view import View
from uring_local.sites.campus import Campus
from uring_local.stack.application import Application

_LOOK_SECONDS = 0.1
# Longer than any message stays away from a queue: a refused push waits 15 minutes at the most.
_SETTLE_SECONDS = 1_200
# Longer than a batch under way takes; who asked to stop does not wait for what FCM put off.
_STOPPED_SECONDS = 60
_COUNTED = ("checked", "changed", "pushed", "suspect", "failed")


@dataclass(frozen=True)
class Plan:
    """How far and how fast.

    Args:
        first: the tick to begin with; on a resumed run the one that was under way.
        last: the tick to end with; 0 for none.
        seconds_per_tick: the least time from one tick to the next.
        interval: what a tick stands for in scheduled time.
    """

    first: int
    last: int
    seconds_per_tick: float
    interval: timedelta


class Run:
    """One process's share of a run; counts are of this process, the verdict is on all of it.

    Args:
        campus: the bundled site, or None when real sources are watched.
        stop: set from outside to end after the tick under way.
    """

    def __init__(
        self,
        application: Application,
        fcm: FcmStandIn,
        campus: Campus | None,
        sitemap: bytes,
        *,
        sources: Sequence[str],
        sink: Sink,
        view: View,
        records: RecordFile,
        record: RunRecord,
        stop: threading.Event,
    ) -> None:
        self._application = application
        self._fcm = fcm
        self._campus = campus
        self._sitemap = sitemap
        self._sources = sources
        self._sink = sink
        self._view = view
        self._records = records
        self._record = record
        self._stop = stop
        self._counts: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._reported: Counter[str] = Counter()
        self._reported_calls: dict[str, Counter[str]] = {}

    def run(self, plan: Plan) -> bool:
        """Run the plan's ticks and judge.

        Returns:
            Whether all is well: nothing lost, doubled, wrong or left in a dead-letter queue.
        """
        if self._stop.is_set():
            self._view.note("ended before the first tick")
            return True
        # The record first: a bucket that names a run whose record is nowhere is of no use.
        self._save(self._record)
        self._put(BUCKET_KEY, json.dumps({"run_id": self._record.run_id}).encode())
        self._put(KEY, self._sitemap)
        tick = plan.first
        while not self._stop.is_set() and (not plan.last or tick <= plan.last):
            began = time.monotonic()
            self._tick(tick, plan)
            tick += 1
            if not plan.last or tick <= plan.last:
                self._pause(began + plan.seconds_per_tick)
        ticks = tick - plan.first
        settled = self._settle(*self._application.family.live)
        self._save(self._record.advanced(finished=True))
        return self._conclude(ticks, settled=settled)

    def _tick(self, tick: int, plan: Plan) -> None:
        at = self._record.scheduled_at(tick, plan.interval, datetime.now(UTC))
        self._save(
            self._record.advanced(
                tick=tick, last=plan.last, finished=False, scheduled=at.isoformat()
            )
        )
        if self._campus:
            self._campus.advance(tick)
        self._application.tick(at)
        work_queue = self._application.family.work_queue
        self._settle(work_queue, checks=self._counts["checked"] + len(self._sources))
        self._report(tick)

    def _pause(self, until: float) -> None:
        """Go on looking until then, or until asked to stop."""
        while time.monotonic() < until and not self._stop.wait(_LOOK_SECONDS):
            self._look()
            self._view.depths(self._application.depths())

    def _settle(self, *queues: str, checks: int = 0) -> bool:
        """Wait until the queues are empty and that many checks reported; whether they are."""
        began = noted = time.monotonic()
        empty_since: float | None = None
        asked: float | None = None
        while time.monotonic() < began + _SETTLE_SECONDS:
            if self._stop.is_set():
                asked = asked or time.monotonic()
                if time.monotonic() > asked + _STOPPED_SECONDS:
                    break
            self._look()
            depths = self._application.depths()
            self._view.depths(depths)
            left = sum(depths[queue].total for queue in queues)
            now = time.monotonic()
            if left:
                empty_since = None
            elif empty_since is None:
                empty_since = now
            # Reports may come after the message is gone; a repeated tick has none to come.
            elif self._counts["checked"] >= checks or now - empty_since > 3:  # noqa: PLR2004
                self._look()
                return True
            if left and now - noted > 10:  # noqa: PLR2004
                noted = now
                self._view.note(f"waiting for {left} messages that are in flight or deferred")
            time.sleep(_LOOK_SECONDS)
        return False

    def _look(self) -> None:
        self._application.poll()
        for event in self._sink.take():
            if event["event"] in _COUNTED:
                self._counts[event["event"]] += 1
            if event["event"] == "checked":
                self._counts["http_requests"] += event["http_requests"]
                self._outcomes[event["outcome"]] += 1
            self._view.event(event)

    def _report(self, tick: int) -> None:
        """One event per tick, with what was counted since the last one."""
        counts = self._counts - self._reported
        self._reported = self._counts.copy()
        calls = self._sink.aws_calls()
        fresh = {
            function: dict(sorted((now - self._reported_calls.get(function, Counter())).items()))
            for function, now in calls.items()
        }
        self._reported_calls = calls
        self._view.event(
            {
                "event": "tick",
                "tick": tick,
                **{name: counts[name] for name in (*_COUNTED, "http_requests")},
                "aws_calls": {function: names for function, names in fresh.items() if names},
            }
        )

    def _conclude(self, ticks: int, *, settled: bool) -> bool:
        application = self._application
        published = read_published(application.s3, application.bucket, self._sources)
        pushed = self._fcm.deliveries, self._fcm.ended
        if self._campus:
            verdict = judge_campus(self._campus.expected(), published, *pushed)
            verdict.wrong += [f"campus site: {failure!r}" for failure in self._campus.failures]
        else:
            verdict = judge_archive(published, *pushed)
        verdict.wrong += [f"FCM stand-in: {failure!r}" for failure in self._fcm.failures]
        if not settled:
            verdict.wrong.append("messages are still on the queues")
        depths = application.depths()
        dead = sum(depths[queue].total for queue in application.family.dead)
        self._view.event(self._summary(ticks, verdict, dead))
        for line in (*verdict.lost, *verdict.doubled, *verdict.wrong):
            self._view.event({"event": "wrong", "reason": line})
        return not (verdict.lost or verdict.doubled or verdict.wrong or dead)

    def _summary(self, ticks: int, verdict: Verdict, dead_lettered: int) -> dict[str, Any]:
        calls = sum(self._sink.aws_calls().values(), Counter[str]())
        return {
            "event": "summary",
            "ticks": ticks,
            "checked": self._counts["checked"],
            "changed": self._counts["changed"],
            "outcomes": dict(sorted(self._outcomes.items())),
            "pushed": verdict.pushed,
            "expected": verdict.expected,
            "archive_lines": verdict.archive_lines,
            "lost": len(verdict.lost),
            "doubled": len(verdict.doubled),
            "repeated": dict(sorted(verdict.repeated.items())),
            "wrong": len(verdict.wrong),
            "dead_lettered": dead_lettered,
            "fcm_faults": dict(sorted(self._fcm.faults.items())),
            "http_requests": self._counts["http_requests"],
            "aws_calls": dict(sorted(calls.items())),
        }

    def _save(self, record: RunRecord) -> None:
        self._record = record
        self._records.save(record)

    def _put(self, key: str, body: bytes) -> None:
        self._application.s3.put_object(
            Bucket=self._application.bucket,
            Key=key,
            Body=body,
            ContentType="application/json",
        )
