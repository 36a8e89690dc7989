"""What each sample event, and what follows from it, must do: answers and effects.

notice-schedule.json ─► jobs ─► the worker: first sight, unchanged, changed ─► messages ─► pushes
weather-schedule.json ─► jobs ─► the worker: first sight, unchanged, changed ─► messages ─► pushes
                          the monitor: health, feeds, index
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from emulator.document_steps import DocumentSteps
from emulator.regulation_steps import RegulationSteps
from emulator.samples import Sample, batches
from emulator.seed_steps import SeedSteps
from emulator.stage import Stage
from emulator.subscription_steps import SubscriptionSteps
from emulator.trial import Row, Trial
from emulator.weather_steps import WeatherSteps
from uring.contracts import ChangePublished
from uring_local.sites.airfield.simulation import PRODUCTS
from uring_local.sites.campus.verdict import judge_campus
from uring_local.sites.stage.published import Published
from uring_local.sites.stage.real import read_sources

_NONE_FAILED: dict[str, Any] = {"batchItemFailures": []}
_FEEDS = ("feed.json", "feed.atom", "due.ics")


class Steps:
    """Sends the samples through the pipeline, in the order of ``files``.

    Attributes:
        files: what to do with each file of events/; each step goes on from where the last ended.
        jobs: messages that the orchestrator put on the work queue.
    """

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.jobs: list[dict[str, Any]] = []
        self._changes: list[dict[str, Any]] = []
        weather = WeatherSteps(stage, self._changes)
        regulations = RegulationSteps(stage, self._changes)
        seeds = SeedSteps(stage, self._changes)
        documents = DocumentSteps(stage)
        self.files: Mapping[str, Callable[[Sample], Iterator[Row]]] = {
            "notice-schedule.json": self._schedule,
            "notice-batch.json": self._work,
            "weather-schedule.json": weather.schedule,
            "weather-batch.json": weather.work,
            "monitor-schedule.json": self._watch,
            "regulation-schedule.json": regulations.schedule,
            "regulation-batch.json": regulations.work,
            "regulation-parse-batch.json": regulations.parse,
            "text-extract.json": regulations.extract,
            "seed-schedule.json": seeds.schedule,
            "seed-api.json": seeds.call,
            "seed-batch.json": seeds.read,
            "domain-batch.json": seeds.collect,
            "seed-watch-schedule.json": seeds.plan,
            "seed-watch-batch.json": seeds.watch,
            "document-upload.json": documents.upload,
            "document-batch.json": documents.work,
            "document-api.json": documents.call,
            "document-schedule.json": documents.sweep,
            "subscription-api.json": SubscriptionSteps(stage).call,
            "notify-batch.json": self._notify,
        }

    def _schedule(self, sample: Sample) -> Iterator[Row]:
        stage = self._stage
        sources = sorted(source["id"] for source in stage.campus.sitemap()["sources"])
        trial = Trial(stage.emulator(sample.function), sample.function, sample.file, [sample.event])
        trial.answers({"jobs": len(sources)})
        self.jobs = stage.take("NoticeQueue")
        groups = sorted(job["Attributes"]["MessageGroupId"] for job in self.jobs)
        trial.expect(groups == sources, f"the work queue has jobs for {groups}, not for {sources}")
        yield trial.row(f"{len(groups)} jobs on the work queue, one for each source")

        trial = Trial(stage.emulator(sample.function), sample.function, "the same", [sample.event])
        trial.answers({"jobs": len(sources)})
        more = len(stage.take("NoticeQueue"))
        trial.expect(not more, f"the repeated tick added {more} jobs")
        yield trial.row("no job more")

    def _work(self, sample: Sample) -> Iterator[Row]:
        yield self._samples_have_no_site(sample)
        stage = self._stage
        size = stage.batch_size(sample.function, "NoticeQueue")
        events = batches(self.jobs, stage.arn("NoticeQueue"), size)

        trial = Trial(
            stage.emulator(sample.function),
            sample.function,
            f"{len(self.jobs)} campus jobs",
            events,
        )
        trial.answers(_NONE_FAILED)
        lines = self._published_as_expected(trial)
        waiting = len(stage.take("NotifyQueue"))
        trial.expect(not waiting, f"a baseline of {waiting} messages was announced")
        yield trial.row(f"first sight: {lines} archive lines, latest.json, nothing announced")

        before = stage.versions()
        trial = Trial(stage.emulator(sample.function), sample.function, "the same", events)
        trial.answers(_NONE_FAILED)
        written = sorted(key for key, _ in stage.versions() - before)
        trial.expect(not written, f"unchanged boards led to writes of {written}")
        yield trial.row("unchanged: nothing written")

        stage.campus.advance(stage.campus.tick + 1)
        trial = Trial(stage.emulator(sample.function), sample.function, "boards changed", events)
        trial.answers(_NONE_FAILED)
        self._published_as_expected(trial)
        self._changes += stage.take("NotifyQueue")
        announced = Counter(map(_push, self._changes))
        expected = self._expected_pushes()
        trial.expect(bool(expected), "the campus published nothing, so nothing was tested")
        trial.expect(
            announced == Counter(expected), f"announced {announced}, the campus has {expected}"
        )
        yield trial.row(f"changed: {len(self._changes)} messages on the notify queue")

    def _watch(self, sample: Sample) -> Iterator[Row]:
        stage = self._stage
        boards = [source["id"] for source in stage.campus.sitemap()["sources"]]
        watched = {"ok": len(boards) + len(PRODUCTS)}
        trial = Trial(stage.emulator(sample.function), sample.function, sample.file, [sample.event])
        trial.answers(watched)
        there = {key for key, _ in stage.versions()}
        wanted = {f"data/{source}/health.json" for source in (*boards, *PRODUCTS)}
        wanted |= {f"data/{board}/{name}" for board in boards for name in _FEEDS}
        missing = sorted({*wanted, "data/index.json"} - there)
        trial.expect(not missing, f"there is no {missing}")
        index = stage.read("data/index.json") or {}
        listed = {each["id"] for each in (*index.get("departments", ()), *index.get("weather", ()))}
        trial.expect(listed == {*boards, *PRODUCTS}, f"the index has {sorted(listed)}")
        yield trial.row(f"health of {len(listed)} sources, feeds of {len(boards)}, the index")

        before = stage.versions()
        trial = Trial(stage.emulator(sample.function), sample.function, "the same", [sample.event])
        trial.answers(watched)
        written = sorted(key for key, _ in stage.versions() - before)
        trial.expect(not written, f"unchanged states led to writes of {written}")
        yield trial.row("unchanged: nothing written")

    def _notify(self, sample: Sample) -> Iterator[Row]:
        stage = self._stage
        size = stage.batch_size(sample.function, "NotifyQueue")
        changes = batches(self._changes, stage.arn("NotifyQueue"), size)
        for name, events in (
            (sample.file, [sample.event]),
            (f"{len(self._changes)} changes", changes),
        ):
            bodies = [json.loads(r["body"]) for event in events for r in event["Records"]]
            wanted = Counter(body["event_id"] for body in bodies)
            before = len(stage.fcm.deliveries)
            trial = Trial(stage.emulator(sample.function), sample.function, name, events)
            trial.answers(_NONE_FAILED)
            pushed = Counter(one.event_id for one in stage.fcm.deliveries[before:])
            trial.expect(pushed == wanted, f"pushed {pushed}, the messages are {wanted}")
            yield trial.row(f"{pushed.total()} pushes, one for each message")

            before = len(stage.fcm.deliveries)
            trial = Trial(stage.emulator(sample.function), sample.function, "the same", events)
            trial.answers(_NONE_FAILED)
            more = len(stage.fcm.deliveries) - before
            trial.expect(not more, f"{more} messages were pushed again")
            yield trial.row("no push")

    def _samples_have_no_site(self, sample: Sample) -> Row:
        """Their hosts cannot exist (RFC 2606): the boards' trouble, and no failed job."""
        stage = self._stage
        trial = Trial(stage.emulator(sample.function), sample.function, sample.file, [sample.event])
        trial.answers(_NONE_FAILED)
        health = {}
        for record in sample.event["Records"]:
            source = record["attributes"]["MessageGroupId"]
            state = stage.read(f"state/notices/{source}.json")
            health[source] = state["health"]["status"] if state else "absent"
            public = [key for key, _ in stage.versions() if key.startswith(f"data/{source}/")]
            trial.expect(not public, f"{source}: published {public} without having seen its board")
        # A name server that answers for every name gets a page instead, and not one to believe.
        is_told = all(status in {"failed", "suspect"} for status in health.values())
        trial.expect(is_told, f"the stored health is {health}, not failed")
        return trial.row(f"{len(health)} boards out of reach: health stored, nothing published")

    def _published_as_expected(self, trial: Trial) -> int:
        """Compare with the site's own journal; how many archive lines there are."""
        expected = self._stage.campus.expected()
        published = Published(self._stage.s3, self._stage.bucket)
        verdict = judge_campus(expected, read_sources(published, expected), [])
        trial.faults += verdict.wrong
        return int(verdict.figures["archive_lines"])

    def _expected_pushes(self) -> list[tuple[str, str, int]]:
        return [
            (source, notice, revision)
            for source, model in self._stage.campus.expected().items()
            for notice, revision in model.pushes
        ]


def _push(message: Mapping[str, Any]) -> tuple[str, str, int]:
    change = ChangePublished.parse(message["Body"])
    return change.source, change.id, change.revision
