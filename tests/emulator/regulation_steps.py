"""What the regulations' sample events, and what follows from them, must do."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from fakes.registry import REGISTRY, Rule, registry_page

from emulator.samples import Sample, batches
from emulator.stage import REGISTRIES, Stage
from emulator.trial import Row, Trial
from uring_local.loopback import Answer, Request
from uring_local.sites.files.hwpx import hwpx
from uring_local.sites.files.paper import Paper
from uring_local.sites.files.pdf import pdf

_NONE_FAILED: dict[str, Any] = {"batchItemFailures": []}
_FIRST: Final = "제1조(목적) 이 학칙은 교육을 정함을 목적으로 한다."
_SECOND: Final = _FIRST.replace("교육", "연구와 교육")
_FILES: Final[Mapping[str, bytes]] = {
    "11": pdf(Paper("학칙", (_FIRST,))),
    "12": hwpx(Paper("직제 규정", ("제1조(목적) 이 규정은 직제를 정한다.",))),
    # Its form draws itself without end.
    "13": pdf(Paper("끝없는 규정", ("제1조(목적) 끝이 없다.",)), endless=True),
    "14": pdf(Paper("학칙", (_SECOND,))),
}
_HOSTILE: Final = Rule("끝없는 규정", "13")
_RULES: Final = (Rule("학칙", "11"), Rule("직제 규정", "12"), _HOSTILE)
_REVISED: Final = (Rule("학칙", "14"), *_RULES[1:])


class RegulationSteps:
    """The regulations' steps; a registry of three files, one of them hostile.

    Args:
        changes: takes the messages that worker and parser put on the notify queue.
    """

    def __init__(self, stage: Stage, changes: list[dict[str, Any]]) -> None:
        self._stage = stage
        self._changes = changes
        self._rules = _RULES
        self._jobs: list[dict[str, Any]] = []
        self._parse_jobs: list[dict[str, Any]] = []
        stage.registry = self._answer

    def schedule(self, sample: Sample) -> Iterator[Row]:
        """The orchestrator: a job for the registry."""
        stage = self._stage
        entry = {**REGISTRY, "url": f"http://{stage.registry_host}/www/contents.do?key=7"}
        stage.write(REGISTRIES, json.dumps({"registries": [entry]}).encode())
        trial = Trial(stage.emulator(sample.function), sample.function, sample.file, [sample.event])
        trial.answers({"jobs": 1})
        self._jobs = stage.take("RegulationQueue")
        trial.expect(len(self._jobs) == 1, f"the queue has {len(self._jobs)} jobs")
        yield trial.row("one job on the regulation queue")

    def work(self, sample: Sample) -> Iterator[Row]:
        """The worker: the table, readers, and a parse job for each file."""
        stage, name = self._stage, sample.function
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.answers(_NONE_FAILED)
        trial.expect(not stage.take("RegulationParseQueue"), "files of no site are to be parsed")
        yield trial.row("registries out of reach: nothing published")

        events = batches(self._jobs, stage.arn("RegulationQueue"), 10)
        trial = Trial(stage.emulator(name), name, "a registry", events)
        trial.answers(_NONE_FAILED)
        latest = stage.read("data/rules/latest.json") or {}
        shown = {item["title"]: item["fileNo"] for item in latest.get("items", ())}
        trial.expect(shown == {r.title: r.file_no for r in _RULES}, f"readers see {shown}")
        self._parse_jobs = stage.take("RegulationParseQueue")
        trial.expect(len(self._parse_jobs) == len(_RULES), f"{len(self._parse_jobs)} parse jobs")
        trial.expect(not stage.take("NotifyQueue"), "the first sight was announced")
        yield trial.row(f"{len(shown)} regulations, a parse job each, nothing announced")

    def parse(self, sample: Sample) -> Iterator[Row]:
        """The parser, which invokes the built text extractor."""
        stage, name = self._stage, sample.function
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.answers(_NONE_FAILED)
        yield trial.row("jobs without a queue entry: nothing read")

        events = batches(self._parse_jobs, stage.arn("RegulationParseQueue"), 1)
        trial = Trial(stage.emulator(name), name, "pdf, hwpx, hostile pdf", events)
        for number, said in (("11", _FIRST), ("12", "직제를 정한다")):
            text = stage.text(f"data/rules/texts/{number}.md")
            trial.expect(said in text, f"the text of {number} is {text[:300]!r}")
        yield trial.row("two texts; the hostile file costs no other")
        if not self._jobs:
            # The orchestrator's own row tells of it.
            return

        self._rules = _REVISED
        again = json.loads(self._jobs[0]["Body"])
        again["scheduled_at"] = again["scheduled_at"].replace("2099-01-01", "2099-01-02")
        job = {**self._jobs[0], "Body": json.dumps(again)}
        worker = stage.emulator("RegulationWorker")
        worker.invoke(batches([job], stage.arn("RegulationQueue"), 1)[0])
        jobs = [each for each in stage.take("RegulationParseQueue") if '"14"' in each["Body"]]
        events = batches(jobs, stage.arn("RegulationParseQueue"), 1)
        trial = Trial(stage.emulator(name), name, "a revision", events)
        trial.answers(_NONE_FAILED)
        announced = stage.take("NotifyQueue")
        kinds = [json.loads(each["Body"])["kind"] for each in announced]
        trial.expect(kinds == ["edited", "text_changed"], f"announced {kinds}")
        keys = {key for key, _ in stage.versions()}
        trial.expect(any("/differences/11-14." in key for key in keys), "there is no difference")
        self._changes += announced
        yield trial.row("another fileNo: its text, the difference, two messages")

    def extract(self, sample: Sample) -> Iterator[Row]:
        """The text extractor alone: the sample has no file, a PDF is read."""
        stage, name = self._stage, sample.function
        trial = Trial(stage.emulator(name), name, sample.file, [sample.event])
        trial.fails("MalformedMessage: ExtractRequest: key: processing/extract/")
        yield trial.row("refused: no such file")

        key = f"processing/extract/{hashlib.sha256(_FILES['14']).hexdigest()}"
        stage.write(key, _FILES["14"])
        event = {"key": key, "formats": ["pdf"]}
        trial = Trial(stage.emulator(name), name, "a pdf", [event])
        result = stage.read(str((trial.value or {}).get("key"))) or {}
        trial.expect(_SECOND in result.get("text", ""), f"it reads {result}")
        yield trial.row(f"{result.get('pages')} page, its text")

    def _answer(self, request: Request) -> Answer:
        if request.path == "/robots.txt":
            return Answer(404)
        file = _FILES.get(request.query.get("fileNo", ""))
        if file is None:
            page = registry_page(self._rules).encode()
            return Answer(200, page, {"Content-Type": "text/html; charset=utf-8"})
        return Answer(200, file, {"Content-Type": "application/octet-stream"})
