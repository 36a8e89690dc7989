"""What the document store's sample events, and what follows from them, must do."""

import json
from collections.abc import Iterator
from typing import Any, Final

from emulator.samples import Sample, batches
from emulator.stage import Stage
from emulator.trial import Row, Trial
from uring.documents.names import Attachment, bodies
from uring_local.language.journal import ServiceCall

_NONE_FAILED: Final[dict[str, Any]] = {"batchItemFailures": []}
_TEXT: Final = "# Leave\n\nA term at most. {{issue high: two terms elsewhere}}\n"
_TITLE: Final = "two terms elsewhere"
_MISPLACED: Final = "pages/handbook/attachments/a:b.md"
_TOO_LITTLE_SECONDS: Final = 60
# At fifteen dollars a million, the parameter's default.
_CHARACTER_MICROS: Final = 15


class DocumentSteps:
    """The document store's steps: a page with one attachment, read, translated and analysed."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._jobs: list[dict[str, Any]] = []

    def upload(self, sample: Sample) -> Iterator[Row]:
        """The intake: a job for an upload, none for an object that is no attachment."""
        stage, name = self._stage, sample.function
        stage.write(sample.event["Records"][0]["s3"]["object"]["key"], _TEXT.encode())
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.answers({"jobs": 1})
        jobs = stage.take("DocumentQueue")
        groups = [job["Attributes"]["MessageGroupId"] for job in jobs]
        trial.expect(groups == ["handbook"], f"the queue has jobs for {groups}")
        self._jobs = jobs
        yield trial.row("one job on the queue, of the page")

        misplaced = json.loads(json.dumps(sample.event))
        misplaced["Records"][0]["s3"]["object"]["key"] = _MISPLACED
        trial = Trial(stage.emulator(name), name, "no attachment's name", [misplaced])
        trial.answers({"jobs": 0})
        sent = len(stage.take("DocumentQueue"))
        trial.expect(not sent, f"{sent} jobs were sent")
        yield trial.row("no job")

    def work(self, sample: Sample) -> Iterator[Row]:
        """The worker, which invokes the built text extractor: one of two attachments is there."""
        stage, name = self._stage, sample.function
        events = [{"Records": [record]} for record in sample.event["Records"]]
        trial = Trial(stage.emulator(name), name, sample.file, events)
        trial.answers(_NONE_FAILED)
        texts = {stage.text(key) for key in self._bodies()}
        trial.expect(texts == {_TEXT}, f"the texts are {texts}")
        yield trial.row("the text of the one that is there, nothing of the other")

        before = stage.versions()
        again = batches(self._jobs, stage.arn("DocumentQueue"), 1)
        trial = Trial(stage.emulator(name), name, "the upload's own job", again)
        trial.answers(_NONE_FAILED)
        written = sorted(key for key, _ in stage.versions() - before)
        trial.expect(not written, f"a text that is current led to writes of {written}")
        yield trial.row("current: nothing written")

    def call(self, sample: Sample) -> Iterator[Row]:
        """The API and the worker: each job is done once, and what came of it is read."""
        stage, name = self._stage, sample.function
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        found = trial.value or {}
        trial.expect(found.get("statusCode") == 202, f"it answers {found}")
        jobs = stage.take("DocumentQueue")
        trial.expect(len(jobs) == 1, f"{len(jobs)} jobs on the queue")
        yield trial.row("202, a job on the queue")

        yield from self._done(sample, jobs, "policies", {"policies": 1, "with_text": 1})
        for body in (
            {"operation": "policy", "source": "leave.md", "language": "ko"},
            {"operation": "issues"},
        ):
            text = json.dumps(body)
            stage.emulator(name).invoke({**sample.event, "body": text})
            wanted = {"language": "ko"} if "source" in body else {"findings": 1, "policies": 1}
            jobs = stage.take("DocumentQueue")
            yield from self._done(sample, jobs, body["operation"], wanted)

        page = "/api/v1/pages/handbook"
        events = [
            _get(sample, f"{page}/policies/leave.md", {"language": "ko"}),
            _get(sample, f"{page}/issues"),
        ]
        for event, wanted in zip(events, ("Leave⟨ko⟩", _TITLE), strict=True):
            trial = Trial(stage.emulator(name), name, f"GET {event['rawPath'][8:]}", [event])
            answer = trial.value or {}
            trial.expect(wanted in answer.get("body", ""), f"it answers {answer}")
            yield trial.row(f"{wanted!r} is in it")

    def sweep(self, sample: Sample) -> Iterator[Row]:
        """The janitor: nothing is dead; what nobody told of is sent to the worker."""
        stage, name = self._stage, sample.function
        stage.write(Attachment("statutes", "charter.md").key, _TEXT.encode())
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.answers({"pages": 2, "is_complete": True})
        groups = [job["Attributes"]["MessageGroupId"] for job in stage.take("DocumentQueue")]
        trial.expect(groups == ["statutes"], f"the queue has jobs for {groups}")
        yield trial.row("2 pages, a job for the attachment that nobody told of")

        short = stage.another(name, timeout_seconds=_TOO_LITTLE_SECONDS)
        trial = Trial(short, name, f"the same, {_TOO_LITTLE_SECONDS} s", [sample.event])
        trial.answers({"pages": 0, "is_complete": False})
        invoked, stage.invoked = stage.invoked, []
        trial.expect([who for who, _ in invoked] == [name], f"it invoked {invoked}")
        yield trial.row("itself for all pages")

        trial = Trial(stage.emulator(name), name, "the rest", [event for _, event in invoked])
        trial.answers({"pages": 2, "is_complete": True})
        yield trial.row("2 pages")

    def _done(
        self, sample: Sample, jobs: list[dict[str, Any]], operation: str, wanted: dict[str, Any]
    ) -> Iterator[Row]:
        """The worker does a job, and the API says what came of it."""
        stage, asked = self._stage, len(self._stage.language.asked)
        worker = "DocumentWorker"
        events = batches(jobs, stage.arn("DocumentQueue"), 1)
        trial = Trial(stage.emulator(worker), worker, f"a job: {operation}", events)
        trial.answers(_NONE_FAILED)
        body = json.loads(jobs[0]["Body"]) if jobs else {}
        path = f"/api/v1/pages/{body.get('page')}/jobs/{body.get('job')}"
        answer = stage.emulator(sample.function).invoke(_get(sample, path)).value
        status = json.loads((answer or {}).get("body", "{}"))
        result = status.get("result") or {}
        trial.expect(status.get("state") == "done", f"its status is {status}")
        trial.expect(wanted.items() <= result.items(), f"its result is {result}")
        paid = stage.language.asked[asked:]
        cost = sum(_CHARACTER_MICROS * each.characters for each in paid if not _is_model(each))
        if not any(map(_is_model, paid)):
            trial.expect(status.get("cost_micros") == cost, f"it cost {status}, not {cost}")
        yield trial.row(f"done, {len(paid)} requests to paid services")

    def _bodies(self) -> set[str]:
        keys = (key for key, _ in self._stage.versions())
        return {key for key in keys if key.startswith(bodies("handbook"))}


def _is_model(asked: ServiceCall) -> bool:
    return asked.service == "bedrock"


def _get(sample: Sample, path: str, query: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the sample as a request that asks for something."""
    event: dict[str, Any] = json.loads(json.dumps(sample.event))
    event["requestContext"]["http"] |= {"method": "GET", "path": path}
    given = {name: value for name, value in event.items() if name not in ("body", "pathParameters")}
    return {**given, "rawPath": path, "queryStringParameters": query or {}}
