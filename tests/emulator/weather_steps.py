"""What the weather's sample events, and what follows from them, must do."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from emulator.samples import Sample, batches
from emulator.stage import Stage
from emulator.trial import Row, Trial
from uring_local.sites.airfield.comparable import faults_of_report
from uring_local.sites.airfield.simulation import PRODUCTS

_NONE_FAILED: dict[str, Any] = {"batchItemFailures": []}


class WeatherSteps:
    """The weather's steps.

    Args:
        changes: takes the messages that the worker put on the notify queue.
    """

    def __init__(self, stage: Stage, changes: list[dict[str, Any]]) -> None:
        self._stage = stage
        self._changes = changes
        self._jobs: list[dict[str, Any]] = []

    def schedule(self, sample: Sample) -> Iterator[Row]:
        """The orchestrator: a job for each product, and none more when the tick comes again."""
        stage = self._stage
        trial = Trial(stage.emulator(sample.function), sample.function, sample.file, [sample.event])
        trial.answers({"jobs": len(PRODUCTS)})
        self._jobs = stage.take("WeatherQueue")
        groups = sorted(job["Attributes"]["MessageGroupId"] for job in self._jobs)
        trial.expect(groups == sorted(PRODUCTS), f"the queue has jobs for {groups}")
        yield trial.row(f"{len(groups)} jobs on the weather queue, one for each product")

        trial = Trial(stage.emulator(sample.function), sample.function, "the same", [sample.event])
        trial.answers({"jobs": len(PRODUCTS)})
        more = len(stage.take("WeatherQueue"))
        trial.expect(not more, f"the repeated tick added {more} jobs")
        yield trial.row("no job more")

    def work(self, sample: Sample) -> Iterator[Row]:
        """The worker: what it publishes is what the stand-in told."""
        stage = self._stage
        trial = Trial(stage.emulator(sample.function), sample.function, sample.file, [sample.event])
        trial.answers(_NONE_FAILED)
        groups = [one["attributes"]["MessageGroupId"] for one in sample.event["Records"]]
        self._published(trial, groups)
        waiting = len(stage.take("NotifyQueue"))
        trial.expect(not waiting, f"first sight was announced: {waiting} messages")
        yield trial.row(f"first sight of {' and '.join(groups)}: files, nothing announced")

        events = batches(self._jobs, stage.arn("WeatherQueue"), 10)
        before = stage.versions()
        trial = Trial(stage.emulator(sample.function), sample.function, "3 jobs", events)
        trial.answers(_NONE_FAILED)
        self._published(trial, PRODUCTS)
        written = {key for key, _ in stage.versions() - before}
        again = {key for key in written if any(f"/{group}" in key for group in groups)}
        # Its state has when it was last asked.
        states = {f"state/weather/{group}.json" for group in groups}
        trial.expect(again == states, f"unchanged weather led to writes of {sorted(again)}")
        yield trial.row(f"unchanged: no file of {' and '.join(groups)}, their health alone")

        stage.airfield.advance(datetime.now(UTC))
        trial = Trial(stage.emulator(sample.function), sample.function, "hours later", events)
        trial.answers(_NONE_FAILED)
        self._published(trial, PRODUCTS)
        announced = stage.take("NotifyQueue")
        self._changes += announced
        yield trial.row(f"changed: {len(announced)} messages on the notify queue")

    def _published(self, trial: Trial, products: Any) -> None:
        for product in products:
            latest = self._stage.read(f"data/{product}/latest.json")
            truth = self._stage.airfield.truth(product)
            if latest is None or [*latest["airports"]] != [*truth]:
                trial.expect(False, f"{product}: latest.json has not all airports")
                continue
            for icao, report in latest["airports"].items():
                right = truth[icao]
                if isinstance(right, tuple):
                    # What has ended has left the list.
                    right = tuple(each for each in right if each.end > datetime.now(UTC))
                faults = [*faults_of_report(right, report)]
                trial.expect(faults == [], f"{product} {icao}: {faults}")
