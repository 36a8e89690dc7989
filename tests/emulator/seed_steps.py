"""What the seed engine's sample events, and what follows from them, must do."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

from emulator.samples import Sample, batches
from emulator.stage import WATCHES, Stage
from emulator.trial import Row, Trial
from uring.clock import parse_timestamp, timestamp
from uring.contracts import Job
from uring.seeds.messages import DomainMessage
from uring.seeds.partition import Partition, build_domain_result_path, build_raw_dataset_path
from uring_local.loopback import Answer, Request

_NONE_FAILED: Final[dict[str, Any]] = {"batchItemFailures": []}
# Of the API's sample and the batches, and those that the schedule's sample finds.
_PARTITION: Final = Partition("sg", "news", "2026-01-28")
_DAYS: Final = ("2098-12-31", "2099-01-01")
_FILES: Final = (
    ("https://www.example.com/", "https://news.example.org/index.html", "example.com", "no host"),
    ("https://example.com/other",),
)
_DOMAINS: Final = ("example.com", "example.org")
_RESULT: Final = {
    "robots.txt",
    "sitemap.xml",
    "homepage.html",
    "domain_metadata.json",
    "domain_metadata.json.success",
}
_SILENT: Final = "silent.com"
_TOO_LITTLE_SECONDS: Final = 60


class SeedSteps:
    """The seed engine's steps; a small web, whose robots.txt files change.

    Args:
        changes: takes the messages that the watch puts on the notify queue.
    """

    def __init__(self, stage: Stage, changes: list[dict[str, Any]]) -> None:
        self._stage = stage
        self._changes = changes
        self._files: list[dict[str, Any]] = []
        self._messages: list[dict[str, Any]] = []
        self._jobs: list[dict[str, Any]] = []
        self._rule = "/private"
        stage.web = self._answer

    def schedule(self, sample: Sample) -> Iterator[Row]:
        """The orchestrator by its schedule: a message for each raw file of the last days."""
        stage, name = self._stage, sample.function
        for day in _DAYS:
            self._put(Partition("sg", "news", day), 1, _FILES[0])
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.answers({"files": 2, "is_complete": True})
        sent = len(stage.take("SeedQueue"))
        trial.expect(sent == 2, f"{sent} raw files on the seed queue")
        yield trial.row("2 raw files on the seed queue")

        short = stage.another(name, timeout_seconds=_TOO_LITTLE_SECONDS)
        trial = Trial(short, name, f"the same, {_TOO_LITTLE_SECONDS} s", [sample.event])
        trial.answers({"files": 1, "is_complete": False})
        invoked, stage.invoked = stage.invoked, []
        trial.expect([who for who, _ in invoked] == [name], f"it invoked {invoked}")
        yield trial.row("one partition, and itself for the rest")

        trial = Trial(stage.emulator(name), name, "the rest", [event for _, event in invoked])
        trial.answers({"files": 1, "is_complete": True})
        more = len(stage.take("SeedQueue"))
        trial.expect(not more, f"{more} raw files were sent again")
        yield trial.row("no raw file more")

    def call(self, sample: Sample) -> Iterator[Row]:
        """The orchestrator by its API: the same answer in HTTP, and problems as such."""
        stage, name = self._stage, sample.function
        for number, urls in enumerate(_FILES, start=1):
            self._put(_PARTITION, number, urls)
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        answer = trial.value or {}
        body = json.loads(answer.get("body", "{}"))
        trial.expect(answer.get("statusCode") == 200, f"it answers {answer}")
        found = (body.get("files"), body.get("partitions"), body.get("is_complete"))
        trial.expect(found == (2, [_PARTITION.name], True), f"its body is {body}")
        self._files = stage.take("SeedQueue")
        sent = len(self._files)
        trial.expect(sent == 2, f"{sent} raw files on the seed queue")
        yield trial.row(f"200, {sent} raw files on the seed queue")

        wrong = {**sample.event, "body": '{"date": "2026-02-30"}'}
        trial = Trial(stage.emulator(name), name, "a day that is none", [wrong])
        answer = trial.value or {}
        problem = json.loads(answer.get("body", "{}"))
        is_problem = answer.get("statusCode") == 422 and problem.get("errors", {}).keys() == {
            "body.date"
        }
        trial.expect(is_problem, f"it answers {answer}")
        yield trial.row("422, the field and the remedy")

    def read(self, sample: Sample) -> Iterator[Row]:
        """The file worker: a message for each domain, once a file; none the second time."""
        stage, name = self._stage, sample.function
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.answers(_NONE_FAILED)
        self._messages = stage.take("DomainQueue")
        domains = [DomainMessage.parse(m["Body"]).registrable_domain for m in self._messages]
        trial.expect(
            sorted(domains) == ["example.com", *_DOMAINS], f"the domain queue has {domains}"
        )
        marks = {key for key, _ in stage.versions() if key.endswith(".json.success")}
        trial.expect(len(marks) == len(_FILES), f"the marks are {sorted(marks)}")
        yield trial.row(f"{len(domains)} domains on the queue, {len(marks)} files marked")

        # The sample's ETags are of other files; those of the queue are of these.
        before, events = stage.versions(), batches(self._files, stage.arn("SeedQueue"), 1)
        trial = Trial(stage.emulator(name), name, "the API's messages", events)
        trial.answers(_NONE_FAILED)
        written = sorted(key for key, _ in stage.versions() - before)
        trial.expect(not written, f"files that are done led to writes of {written}")
        trial.expect(not stage.take("DomainQueue"), "their domains were sent again")
        yield trial.row("done: nothing written, nothing sent")

        absent = json.loads(json.dumps(sample.event).replace("raw_0001", "raw_0009"))
        trial = Trial(stage.emulator(name), name, "a file that is not there", [absent])
        trial.answers(_NONE_FAILED)
        letters = stage.take("SeedDeadLetterQueue")
        reasons = [letter["MessageAttributes"]["reason"]["StringValue"] for letter in letters]
        trial.expect(len(reasons) == 1 and "does not exist" in reasons[0], f"reasons: {reasons}")
        yield trial.row("a dead letter with its reason")

    def collect(self, sample: Sample) -> Iterator[Row]:
        """The domain worker: results, counted once; a domain that does not answer."""
        stage, name = self._stage, sample.function
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.answers(_NONE_FAILED)
        for domain in _DOMAINS:
            there = self._result(domain)
            trial.expect(there == _RESULT, f"{domain} has {sorted(there)}")
            metadata = stage.read(f"{self._folder(domain)}/domain_metadata.json") or {}
            count = metadata.get("sitemap", {}).get("url_count")
            trial.expect(count == 1, f"{domain}: its sitemap has {count} URLs")
        trial.expect(self._counts()["collected"] == 2, f"counted {self._counts()}")
        yield trial.row("2 results: robots.txt, sitemap, home page, metadata, mark")

        events = batches(self._messages, stage.arn("DomainQueue"), 10)
        before = {key for key, _ in stage.versions()}
        trial = Trial(stage.emulator(name), name, "those of both files", events)
        trial.answers(_NONE_FAILED)
        trial.expect({key for key, _ in stage.versions()} == before, "objects were written")
        counts = self._counts()
        found = (counts["collected"], counts["duplicates"])
        trial.expect(found == (2, 1), f"counted {counts}")
        yield trial.row("collected already: one duplicate, counted once")

        yield from self._silent(name, sample)

    def _silent(self, name: str, sample: Sample) -> Iterator[Row]:
        stage = self._stage
        record = json.loads(json.dumps(sample.event["Records"][0]).replace("example.com", _SILENT))
        for receives, failed in ((1, [{"itemIdentifier": record["messageId"]}]), (3, [])):
            record["attributes"]["ApproximateReceiveCount"] = str(receives)
            event = f"no answer, receive {receives}"
            trial = Trial(stage.emulator(name), name, event, [{"Records": [record]}])
            trial.answers({"batchItemFailures": failed})
            letters = stage.take("DomainDeadLetterQueue")
            trial.expect(len(letters) == int(not failed), f"{len(letters)} dead letters")
            wanted = set() if failed else {"domain_metadata.json"}
            there = self._result(_SILENT)
            trial.expect(there == wanted, f"{_SILENT} has {sorted(there)}")
            yield trial.row("metadata, no mark, a dead letter" if not failed else "later again")

    def plan(self, sample: Sample) -> Iterator[Row]:
        """The watch's orchestrator: a job for the one shard of the collected domains."""
        stage, name = self._stage, sample.function
        watch = {"id": "sg-papers", "name": "News", "country": "sg", "category": "news"}
        stage.write(WATCHES, json.dumps({"watches": [watch]}).encode())
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.answers({"jobs": 1})
        self._jobs = stage.take("SeedWatchQueue")
        domains = [json.loads(job["Body"])["entry"]["domains"] for job in self._jobs]
        trial.expect(domains == [[*_DOMAINS]], f"the jobs have {domains}")
        yield trial.row("one job: the two domains that were collected")

    def watch(self, sample: Sample) -> Iterator[Row]:
        """The watch's worker: what is there, in silence; then what changed."""
        stage, name = self._stage, sample.function
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.answers(_NONE_FAILED)
        trial.expect(not stage.take("NotifyQueue"), "the first sight was announced")
        yield trial.row("first sight of two shards, nothing announced")

        for day, changed in enumerate((0, 0, len(_DOMAINS))):
            self._rule = f"/{min(day, 1)}"
            self._age_looks()
            jobs = [_later(job, day) for job in self._jobs]
            events = batches(jobs, stage.arn("SeedWatchQueue"), 1)
            trial = Trial(stage.emulator(name), name, f"day {day + 1}", events)
            # The job that sees a difference waits in its queue for the second look.
            waits = [each["messageId"] for event in events for each in event["Records"]]
            waits = waits if day == 1 else []
            trial.answers({"batchItemFailures": [{"itemIdentifier": each} for each in waits]})
            announced = stage.take("NotifyQueue")
            names = sorted(json.loads(message["Body"])["kind"] for message in announced)
            trial.expect(names == ["robots_changed"] * changed, f"it announced {names}")
            latest = stage.read("data/sg-papers.1of1/latest.json") or {}
            shown = len(latest.get("items", ()))
            trial.expect(shown == 2 * len(_DOMAINS), f"readers see {shown} files")
            self._changes += announced
            yield trial.row(f"{shown} files, {changed} changes announced")

    def _age_looks(self) -> None:
        """Let the first looks be a day old: the emulator's clock is the machine's."""
        key = "state/seeds/sg-papers.1of1.json"
        state = self._stage.read(key)
        if state is None:
            return
        for look in state["unsettled"].values():
            for name in look.keys() & {"since"}:
                look[name] = timestamp(parse_timestamp(look[name]) - timedelta(days=1))
        self._stage.write(key, json.dumps(state).encode())

    def _put(self, partition: Partition, number: int, urls: tuple[str, ...]) -> None:
        path = build_raw_dataset_path(partition.country, partition.category, partition.date, number)
        records = [{"raw_url": url} for url in urls]
        body = {"meta": {"dataset_id": f"sg-news-{number}"}, "records": records}
        self._stage.write(path, json.dumps(body).encode())

    def _folder(self, domain: str) -> str:
        return build_domain_result_path(_PARTITION, domain)

    def _result(self, domain: str) -> set[str]:
        folder = f"{self._folder(domain)}/"
        keys = {key for key, _ in self._stage.versions()}
        return {key.removeprefix(folder) for key in keys if key.startswith(folder)}

    def _counts(self) -> dict[str, int]:
        status = self._stage.progress.status(_PARTITION)
        counts = dict(status.counts) if status else {}
        return {"collected": 0, "duplicates": 0, **counts}

    def _answer(self, request: Request) -> Answer:
        host = request.headers.get("host", "").removeprefix("www.")
        if host == _SILENT:
            return Answer(0, manner="cut")
        if request.path == "/robots.txt":
            text = f"User-agent: *\nDisallow: {self._rule}\nSitemap: https://{host}/sitemap.xml\n"
            return Answer(200, text.encode(), {"Content-Type": "text/plain"})
        if request.path == "/sitemap.xml":
            text = f"<urlset><url><loc>https://{host}/1</loc></url></urlset>"
            return Answer(200, text.encode(), {"Content-Type": "application/xml"})
        if request.path == "/":
            page = b"<!doctype html><html><body>news</body></html>"
            return Answer(200, page, {"Content-Type": "text/html"})
        return Answer(404)


def _later(message: dict[str, Any], days: int) -> dict[str, Any]:
    job = Job.parse(message["Body"])
    moved = job.model_copy(update={"scheduled_at": job.scheduled_at + timedelta(days=days)})
    return {**message, "Body": moved.body()}
