"""What no sample shows: events of another kind, time that runs out, and what can be imported."""

import shutil
from collections.abc import Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from emulator.packages import site_packages
from emulator.samples import Sample, batches
from emulator.stage import Stage
from emulator.trial import Row, Trial
from uring_local.loopback import Answer, LoopbackServer

_SILENT_SECONDS = 30.0
_SHORT_SECONDS = 10
_MODULES = {".py", ".so"}


def wrong_events(stage: Stage, found: list[Sample]) -> Iterator[Row]:
    """Each function gets a sample that is for another kind of trigger: an error, not a success."""
    for function, description in stage.template.functions.items():
        wrong = next(
            each
            for each in found
            if bool(stage.template.functions[each.function].sources) != bool(description.sources)
        )
        trial = Trial(stage.emulator(function), function, wrong.file, [wrong.event])
        trial.fails("MalformedMessage: ")
        yield trial.row("refused: an event of another trigger")


def out_of_time(stage: Stage, found: list[Sample]) -> Iterator[Row]:
    """A function whose bucket does not answer is ended at its time-out, and that is an error."""
    sample = next(each for each in found if each.function == "NoticeOrchestrator")
    silent = LoopbackServer(lambda _: Answer(503, manner="cut", seconds=_SILENT_SECONDS))
    with silent:
        emulator = stage.another(
            sample.function,
            timeout_seconds=1,
            environment={"AWS_ENDPOINT_URL_S3": f"http://{silent.host}"},
        )
        trial = Trial(emulator, sample.function, "bucket silent, 1 s", [sample.event])
    trial.fails("Task timed out after 1.00 seconds")
    jobs = len(stage.take("NoticeQueue"))
    trial.expect(not jobs, f"{jobs} jobs were sent all the same")
    yield trial.row("ended and reported, nothing sent")


def short_of_time(stage: Stage, jobs: list[dict[str, Any]]) -> Iterator[Row]:
    """With less time left than a check may take, the jobs are given back untouched."""
    function = "NoticeWorker"
    emulator = stage.another(function, timeout_seconds=_SHORT_SECONDS)
    size = stage.batch_size(function, "NoticeQueue")
    event = batches(jobs, stage.arn("NoticeQueue"), size)[0] if jobs else {"Records": []}
    before = stage.campus.requests
    trial = Trial(emulator, function, f"{len(event['Records'])} jobs, {_SHORT_SECONDS} s", [event])
    ids = [record["messageId"] for record in event["Records"]]
    trial.answers({"batchItemFailures": [{"itemIdentifier": each} for each in ids]})
    fetched = stage.campus.requests - before
    trial.expect(bool(ids) and not fetched, f"{fetched} boards of {len(ids)} were fetched")
    yield trial.row("all given back, no board fetched")


def isolation(stage: Stage) -> Iterator[Row]:
    """Nothing but the artefact and the runtime's own packages can be imported."""
    function = next(iter(stage.template.functions))
    code = stage.scratch / "probe"
    code.mkdir()
    shutil.copyfile(Path(__file__).with_name("probe.py"), code / "app.py")
    emulator = stage.another(function, code=code)
    lent = modules(stage.scratch / "runtime")
    layer = modules(stage.layer)
    others = (installed() | {"uring_local"}) - lent - layer
    trial = Trial(emulator, "(probe)", "importable?", [{"names": sorted(others | layer | lent)}])
    origins = trial.value or {}
    strangers = sorted(others & origins.keys())
    trial.expect(
        not strangers, f"can import {strangers}, which are neither built nor the runtime's"
    )
    for names, place in ((layer, stage.layer), (lent - layer, stage.scratch / "runtime")):
        elsewhere = {
            name: origins.get(name)
            for name in names
            if not Path(origins.get(name, "")).is_relative_to(place)
        }
        trial.expect(not elsewhere, f"not from {place}: {elsewhere}")
    yield trial.row(f"none of {len(others)} other modules of the environment")


def modules(directory: Path) -> set[str]:
    """Names that a directory on the module path offers."""
    found = [each for each in directory.iterdir() if each.is_dir() or each.suffix in _MODULES]
    return _names(each.name for each in found)


def installed() -> set[str]:
    """Top-level modules of the environments that develop and start the application."""
    found = [*distributions(), *distributions(path=site_packages())]
    files = [file for each in found for file in each.files or [] if file.suffix in _MODULES]
    return _names(file.parts[0] for file in files)


def _names(files: Iterable[str]) -> set[str]:
    names = {file.partition(".")[0] for file in files if not file.endswith(".dist-info")}
    return {name for name in names if name.isidentifier() and name != "__pycache__"}
