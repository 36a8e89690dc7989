"""A run: every family from tick to push, and the verdict on each.

    record ─► site moves to tick k ─► schedules' targets ─► wait for the queues ─► inspect ─► k + 1
                                                   └ after the last: all queues, then the verdict

The record is written before a tick begins, so that a killed run begins this tick again. The site
then shows the same, and earlier commits and pushes are known.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from uring_local.fcm.server import FcmStandIn
from uring_local.run.record import BUCKET_KEY, RecordFile, RunRecord
from uring_local.run.view import BAD, View, describe, timed
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.simulation import Simulation
from uring_local.sites.stage.verdict import Verdict
from uring_local.stack.application import Application
from uring_local.stack.event_log import EventLog, outcome_of

COUNTED: Final = ("checked", "changed", "pushed", "suspect", "failed")

_LOOK_SECONDS: Final = 0.02
# Reading depths takes a call for each queue: at most a fifth of the time is spent on it.
_DEPTHS_SECONDS: Final = 0.05
_DEPTHS_REST: Final = 4
_ALL_DEPTHS_SECONDS: Final = 1
_UNDONE_SECONDS: Final = 0.25
# Longer than any message is invisible on a queue: a refused push waits 15 minutes at the most.
_SETTLE_SECONDS: Final = 1_200
_STANDSTILL_SECONDS: Final = 120
# Longer than the delay of a report after its message is deleted.
_REPORT_SECONDS: Final = 3
_NOTE_SECONDS: Final = 10
# A simulated day takes no longer than a tick of the notices.
_LONGEST_TICK: Final = timedelta(minutes=10)
# Longer than a batch takes. A run that is asked to stop does not wait for pushes that FCM delayed.
_STOPPED_SECONDS: Final = 60


@dataclass(frozen=True)
class Stage:
    """The stage of one family: its site, its application, its stand-in."""

    simulation: Simulation
    application: Application
    fcm: FcmStandIn
    log: EventLog
    records: RecordFile
    record: RunRecord


@dataclass(frozen=True)
class Plan:
    """The ticks of a run.

    Args:
        first: the tick to begin with; on a resumed run the unfinished tick.
        last: the tick to end with; 0 for none.
    """

    first: int
    last: int


class FamilyRun:
    """One process of a family's run; counts are of this process, the verdict is on all of them.

    Args:
        stop: set from outside to end after the current tick.
    """

    def __init__(self, stage: Stage, plan: Plan, view: View, stop: threading.Event) -> None:
        self._simulation = stage.simulation
        self._application = stage.application
        self._fcm = stage.fcm
        self._log = stage.log
        self._records = stage.records
        self._record = stage.record
        application = stage.application
        self._published = Published(
            application.s3,
            application.bucket,
            application.dynamodb,
            application.tables,
            application.letters,
        )
        self._plan = plan
        self._next = plan.first
        self._view = view
        self._stop = stop
        self._figures = {name: name for name in COUNTED if name != "changed"}
        self._figures[self._simulation.check] = "checked"
        self._figures[self._simulation.change] = "changed"
        self._counts: Counter[str] = Counter()
        self._outcomes: Counter[str] = Counter()
        self._reported: Counter[str] = Counter()
        self._reported_calls: dict[str, Counter[str]] = {}
        self._wrong: list[str] = []
        self._depths: dict[str, int] = {}
        self._depths_due = 0.0
        self._all_depths_due = 0.0

    @property
    def goes_on(self) -> bool:
        """True if the plan has a further tick."""
        return not self._plan.last or self._next <= self._plan.last

    @property
    def next_tick(self) -> int:
        """The number of the next tick."""
        return self._next

    @property
    def period(self) -> timedelta:
        """The time between the next tick and the one before."""
        simulation, period = self._simulation, self._application.period
        before, at = (simulation.time_of(self._next - back, period) for back in (1, 0))
        return at - before if at and before else period

    @property
    def wait(self) -> timedelta:
        """The time to the next tick at the speed 1; simulated days pass faster than real ones."""
        return self.period if self._simulation.opened is None else min(self.period, _LONGEST_TICK)

    def begin(self) -> None:
        """Write the record, and the objects that the functions read."""
        # The record first: a bucket that names a run without a record is useless.
        self._records.save(self._record)
        self._put(BUCKET_KEY, json.dumps({"run_id": self._record.run_id}).encode())
        for key, body in self._simulation.objects.items():
            self._put(key, body)

    def tick(self) -> None:
        """Run the next tick."""
        simulation, application, tick = self._simulation, self._application, self._next
        at = self._scheduled(tick)
        self._save(tick=tick, last=self._plan.last, finished=False, scheduled=at.isoformat())
        due = simulation.advance(tick, at)
        for key, body in simulation.arriving(tick).items():
            self._put(key, body)
        application.tick(at, self.period)
        simulation.act(tick, application)
        checks = self._counts["checked"] + due
        if simulation.opened is None:
            self._settle(application.resources.own, _SETTLE_SECONDS, checks)
        # On a simulated clock all queues must be empty before the next tick, and no message waits.
        elif not self._settle(application.resources.live, self._patience, checks):
            self._wrong.append(f"tick {tick}: no progress for {self._patience} s")
        simulation.inspect(at, self._published)
        self._report(tick, at)
        self._next += 1

    def look(self) -> None:
        """Show and count the events since the last look."""
        self._application.poll()
        for event in self._log.take():
            name, figure = event["event"], self._figures.get(event["event"], "")
            if name == "deferred":
                # For the judge alone: a message that waits is not progress.
                self._simulation.observe(event)
                continue
            self._counts[figure] += 1
            if figure == "checked":
                self._counts["http_requests"] += event.get("http_requests", 0)
                self._outcomes[outcome_of(event)] += 1
            self._simulation.observe(event)
            if name == "record_failed" and not self._simulation.is_expected(event):
                self._wrong.append(f"{event['group']}: {event['reason']}")
            delivery = self._fcm.delivery(event["event_id"]) if name == "pushed" else None
            if delivery is not None:
                event["title"] = delivery.data.get("title", "")
                event["at"] = delivery.at.isoformat(timespec="seconds")
            line = self._simulation.describe(event)
            self._view.event(event, timed(event, describe(event) if line is None else line), figure)

    def conclude(self) -> dict[str, Any]:
        """Wait for the last pushes, judge the run, and return the summary; show its faults."""
        application = self._application
        settled = self._settle(application.resources.live, _SETTLE_SECONDS)
        self._save(finished=True)
        verdict = self._simulation.judge(self._published, self._fcm.deliveries, self._fcm.ended)
        verdict.wrong += [
            *self._wrong,
            *(f"FCM stand-in: {failure!r}" for failure in self._fcm.failures),
        ]
        if not settled:
            verdict.wrong.append("messages are still on the queues")
        depths = application.depths(application.resources.dead)
        dead = sum(depths[queue] for queue in application.resources.dead)
        dead_lettered = max(0, dead - verdict.letters)
        if dead < verdict.letters:
            verdict.lost.append(f"{verdict.letters - dead} dead letters are missing")
        summary = self._tell(self._summary(verdict, dead_lettered))
        for reason in verdict.problems:
            self._tell({"event": "wrong", "reason": reason})
        if dead_lettered:
            held = ", ".join(f"{name} {depths[name]}" for name in application.resources.dead)
            reason = f"{dead_lettered} dead letters are not the site's doing ({held})"
            self._tell({"event": "wrong", "reason": reason})
        return summary

    def _scheduled(self, tick: int) -> datetime:
        period = self._application.period
        own = self._simulation.time_of(tick, period)
        return own or self._record.scheduled_at(tick, period, datetime.now(UTC))

    @property
    def _patience(self) -> float:
        """The longest standstill, in seconds; longer after a kill, which hides messages."""
        again = self._next in self._record.repeated
        return _SETTLE_SECONDS if again else _STANDSTILL_SECONDS

    def _settle(self, queues: Sequence[str], seconds: float, checks: int = 0) -> bool:
        """Wait until the queues are empty and the checks are reported; return whether they are.

        Args:
            queues: by logical id.
            seconds: the longest time without a report.
            checks: number of reports to wait for, counted from the start of this process.
        """
        moved = noted = time.monotonic()
        last = self._counts.total()
        empty_since: float | None = None
        asked: float | None = None
        while (now := time.monotonic()) < moved + seconds:
            if self._stop.is_set():
                asked = asked or now
                if now > asked + _STOPPED_SECONDS:
                    break
            self.look()
            if last != self._counts.total():
                moved, last = now, self._counts.total()
            done = self._counts["checked"] >= checks
            # Before the reports are there, the queues are asked for the view and for what is stuck.
            if now >= self._depths_due + (0 if done else _UNDONE_SECONDS):
                left = self._left(queues)
                empty_since = None if left else empty_since or now
                # Reports may come after the message is deleted; a repeated tick may have none.
                if empty_since and (done or now - empty_since > _REPORT_SECONDS):
                    self.look()
                    return True
                if left and now - noted > _NOTE_SECONDS:
                    noted = now
                    self._view.note(f"waiting for {left} messages in flight or deferred")
            time.sleep(_LOOK_SECONDS)
        return False

    def show_depths(self) -> None:
        """Show the depths of the queues."""
        self._left(())

    def _left(self, queues: Sequence[str]) -> int:
        """Return the number of messages in these queues; show the depths of all, once a second."""
        begun = time.monotonic()
        resources, asked = self._application.resources, queues
        if begun >= self._all_depths_due or not queues:
            asked = (*resources.live, *resources.dead)
            self._all_depths_due = begun + _ALL_DEPTHS_SECONDS
        self._depths |= self._application.depths(asked)
        self._depths_due = time.monotonic() + _rest(begun)
        self._view.depths(self._simulation.family, self._depths, self._simulation.letters)
        return sum(self._depths[queue] for queue in queues)

    def _report(self, tick: int, at: datetime) -> None:
        """Show the counts since the last tick."""
        counts = self._counts - self._reported
        self._reported = self._counts.copy()
        calls = self._log.aws_calls()
        fresh = {
            function: dict(sorted((now - self._reported_calls.get(function, Counter())).items()))
            for function, now in calls.items()
        }
        self._reported_calls = calls
        self._tell(
            {
                "event": "tick",
                "tick": tick,
                "at": at.isoformat(),
                **{name: counts[name] for name in (*COUNTED, "http_requests")},
                "aws_calls": {function: names for function, names in fresh.items() if names},
            }
        )

    def _summary(self, verdict: Verdict, dead_lettered: int) -> dict[str, Any]:
        calls = sum(self._log.aws_calls().values(), Counter[str]())
        return {
            "event": "summary",
            "ticks": self._next - self._plan.first,
            "checked": self._counts["checked"],
            "changed": self._counts["changed"],
            "outcomes": dict(sorted(self._outcomes.items())),
            "pushed": verdict.pushed,
            "expected": verdict.expected,
            **verdict.figures,
            "lost": len(verdict.lost),
            "doubled": len(verdict.doubled),
            "repeated": dict(sorted(verdict.repeated.items())),
            "wrong": len(verdict.wrong),
            "dead_lettered": dead_lettered,
            "expected_dead_letters": verdict.letters,
            "fcm_faults": dict(sorted(self._fcm.faults.items())),
            "http_requests": self._counts["http_requests"],
            "aws_calls": dict(sorted(calls.items())),
        }

    def _tell(self, event: dict[str, Any]) -> dict[str, Any]:
        """Show an event of the run itself; return it with the family's name added."""
        named = {"event": event["event"], "family": self._simulation.family, **event}
        self._view.event(named, describe(named))
        return named

    def _save(self, **changes: Any) -> None:
        self._record = self._record.advanced(**changes)
        self._records.save(self._record)

    def _put(self, key: str, body: bytes) -> None:
        application = self._application
        application.s3.put_object(
            Bucket=application.bucket, Key=key, Body=body, ContentType="application/json"
        )


def play(runs: Sequence[FamilyRun], view: View, stop: threading.Event, speed: float) -> bool:
    """Run all families side by side, tick by tick, and judge each.

    Args:
        runs: one of each family.
        view: shows the progress.
        stop: set from outside to end after the current tick.
        speed: times faster than the schedule; 0 for no waiting.

    Returns:
        Whether no family has a fault; True if it ends before the first tick.
    """
    if stop.is_set():
        view.note("ended before the first tick")
        return True
    for run in runs:
        run.begin()
    while not stop.is_set() and (going := [run for run in runs if run.goes_on]):
        begun = time.monotonic()
        view.stage(f"tick {max(run.next_tick for run in going)} under way")
        for run in going:
            run.tick()
        ends = begun + (_seconds(runs) / speed if speed else 0.0)
        if going := [run for run in runs if run.goes_on]:
            view.stage(f"tick {max(run.next_tick for run in going)}", ends)
        while any(run.goes_on for run in runs) and time.monotonic() < ends:
            begun = time.monotonic()
            for run in runs:
                run.look()
                run.show_depths()
            if stop.wait(_rest(begun)):
                break
    view.stage("waiting for the last pushes")
    summaries = [run.conclude() for run in runs]
    view.verdicts(summaries)
    return not any(summary[name] for summary in summaries for name in BAD)


def _seconds(runs: Sequence[FamilyRun]) -> float:
    """Return the scheduled time to the next tick."""
    return max(run.wait for run in runs).total_seconds()


def _rest(begun: float) -> float:
    """Return the seconds until the next reading of the depths; `begun` is the last one's start."""
    return max(_DEPTHS_SECONDS, _DEPTHS_REST * (time.monotonic() - begun))
