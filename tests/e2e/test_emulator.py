"""The built functions under the Lambda emulator: the whole run, and how it tells of a fault."""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from emulator import __main__ as emulate
from emulator.packages import lend_runtime
from emulator.runtime import Emulator
from emulator.samples import samples
from uring_command import ROOT, environment

from uring_local.build.build import build, host_architecture
from uring_local.project import StackFailed
from uring_local.run.launch import PARAMETERS
from uring_local.template.template import Template, TemplateFunction, load

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the emulator is a Linux program")

EVENTS = ROOT / "events"
FUNCTIONS = {
    "Monitor",
    "NoticeOrchestrator",
    "NoticeWorker",
    "RegulationOrchestrator",
    "RegulationWorker",
    "RegulationParser",
    "TextExtractor",
    "WeatherOrchestrator",
    "WeatherWorker",
    "SeedOrchestrator",
    "SeedFileWorker",
    "DomainWorker",
    "SeedWatchOrchestrator",
    "SeedWatchWorker",
    "DocumentApi",
    "DocumentWorker",
    "DocumentIntake",
    "DocumentJanitor",
    "Notifier",
    "SubscriptionApi",
}
TOY = """
import os, sys, time
print("toy starts", flush=True)

def handler(event, context):
    print("toy was asked", flush=True)
    if "sleep" in event:
        time.sleep(event["sleep"])
    if "divide" in event:
        return 1 / event["divide"]
    if "end" in event:
        os._exit(event["end"])
    if "import" in event:
        __import__(event["import"])
    parent = open(f"/proc/{os.getppid()}/cmdline").read().split("\\0")
    return {
        "event": event,
        "pid": os.getpid(),
        "emulator": parent,
        "environment": dict(os.environ),
    }
"""
OWNER = """
import sys
from pathlib import Path
sys.path[:0] = {folders!r}
from test_emulator import toy
emulator = toy(Path({place!r}))
emulator.__enter__()
print(emulator.invoke({{}}).value["pid"], flush=True)
input()
"""
# Right answers, and nothing done; the last does not even answer.
LAZY = {
    "Monitor": "def handler(event, context):\n    return {'ok': 17}\n",
    "NoticeOrchestrator": "def handler(event, context):\n    return {'jobs': 14}\n",
    "NoticeWorker": "def handler(event, context):\n    return {'batchItemFailures': []}\n",
    "RegulationOrchestrator": "def handler(event, context):\n    return {'jobs': 2}\n",
    "RegulationWorker": "def handler(event, context):\n    return {'batchItemFailures': []}\n",
    "RegulationParser": "def handler(event, context):\n    return {'batchItemFailures': []}\n",
    "TextExtractor": "def handler(event, context):\n    return {'key': 'x'}\n",
    "WeatherOrchestrator": "def handler(event, context):\n    return {'jobs': 3}\n",
    "WeatherWorker": "def handler(event, context):\n    return {'batchItemFailures': []}\n",
    "SeedOrchestrator": "def handler(event, context):\n    return {'files': 2}\n",
    "SeedFileWorker": "def handler(event, context):\n    return {'batchItemFailures': []}\n",
    "DomainWorker": "def handler(event, context):\n    return {'batchItemFailures': []}\n",
    "SeedWatchOrchestrator": "def handler(event, context):\n    return {'jobs': 1}\n",
    "SeedWatchWorker": "def handler(event, context):\n    return {'batchItemFailures': []}\n",
    "DocumentApi": "def handler(event, context):\n    return {'statusCode': 202}\n",
    "DocumentWorker": "def handler(event, context):\n    return {'batchItemFailures': []}\n",
    "DocumentIntake": "def handler(event, context):\n    return {'jobs': 1}\n",
    "DocumentJanitor": "def handler(event, context):\n    return {'is_complete': True}\n",
    "SubscriptionApi": "def handler(event, context):\n    return {'statusCode': 503}\n",
    "Notifier": "def handler(event, context):\n    print('about to fail')\n    return 1 / 0\n",
}


@pytest.fixture(scope="module")
def built() -> Path:
    return build(host_architecture())


@pytest.fixture(scope="module")
def template() -> Template:
    return load(ROOT / "template.yaml", PARAMETERS, "uring-dev")


def toy(place: Path, *, timeout_seconds: int = 3) -> Emulator:
    """An emulator of a function that does what its event asks for."""
    for name in ("code", "layer", "runtime"):
        (place / name).mkdir()
    (place / "code/app.py").write_text(TOY, encoding="utf-8")
    lend_runtime(place / "runtime")
    function = TemplateFunction(
        logical_id="Toy",
        handler="app.handler",
        code_dir=place / "code",
        timeout_seconds=timeout_seconds,
        memory_megabytes=256,
        environment={},
        sources=(),
        schedules=(),
    )
    return Emulator(
        function, place / "layer", place / "runtime", {"COLOUR": "blue"}, place / "toy.log"
    )


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Emulator]:
    with toy(tmp_path) as emulator:
        yield emulator


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "emulator", *arguments],
        cwd=ROOT,
        env=environment() | {"PYTHONPATH": "tests"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def rows_of(found: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(found.stdout)["rows"]
    return rows


def test_every_function_answers_and_does_what_each_sample_asks(built: Path) -> None:
    """Nothing is lent to this run: it looks for the build itself, as `make check` does."""
    assert built.is_dir()
    found = run("--json")
    assert found.returncode == 0, found.stdout[-5000:] + found.stderr
    assert json.loads(found.stdout)["ok"]
    rows = rows_of(found)
    assert not [row for row in rows if row["faults"]]
    assert {row["function"] for row in rows} == {*FUNCTIONS, "(probe)"}
    assert {path.name for path in EVENTS.glob("*.json")} <= {row["event"] for row in rows}
    for function in FUNCTIONS:
        # The parser was the first to ask for the text extractor.
        starts = {True, False} - ({True} if function == "TextExtractor" else set())
        assert {row["is_cold"] for row in rows if row["function"] == function} == starts
        refused = [r for r in rows if r["function"] == function and "Malformed" in r["answer"]]
        # The sample of the text extractor has no file here.
        assert len(refused) == (2 if function == "TextExtractor" else 1)
    assert [row["answer"] for row in rows if "silent" in row["event"]] == [
        "Task timed out after 1.00 seconds"
    ]


def test_right_answers_without_the_effect_are_faults_and_so_is_a_failing_handler(
    built: Path, tmp_path: Path
) -> None:
    shutil.copy(built / "template.yaml", tmp_path)
    (tmp_path / "CoreLayer").symlink_to(built / "CoreLayer")
    for function, code in LAZY.items():
        (tmp_path / function).mkdir()
        (tmp_path / function / "app.py").write_text(code, encoding="utf-8")
    found = run("--json", "--built", str(tmp_path))
    assert found.returncode == 1, found.stderr
    assert not json.loads(found.stdout)["ok"]
    rows = {(row["function"], row["event"]): row for row in rows_of(found)}
    for function, event, fault in [
        (
            "NoticeOrchestrator",
            "notice-schedule.json",
            "the work queue has jobs for [], not for ['nurisol_",
        ),
        (
            "NoticeOrchestrator",
            "document-batch.json",
            'answered {"jobs": 14}, not MalformedMessage',
        ),
        ("NoticeOrchestrator", "bucket silent, 1 s", 'answered {"jobs": 14}, not Task timed out'),
        (
            "Monitor",
            "monitor-schedule.json",
            "there is no ['data/index.json', 'data/metar/h",
        ),
        ("NoticeWorker", "notice-batch.json", "the stored health is {'university_cs': 'absent'"),
        (
            "NoticeWorker",
            "document-api.json",
            'answered {"batchItemFailures": []}, not Malformed',
        ),
        ("WeatherOrchestrator", "weather-schedule.json", "the queue has jobs for []"),
        ("WeatherWorker", "weather-batch.json", "metar: latest.json has not all airports"),
        ("SeedOrchestrator", "seed-schedule.json", "0 raw files on the seed queue"),
        ("SeedOrchestrator", "seed-api.json", "it answers {'files': 2}"),
        ("SeedFileWorker", "seed-batch.json", "the domain queue has []"),
        ("DomainWorker", "domain-batch.json", "example.com has []"),
        ("SeedWatchOrchestrator", "seed-watch-schedule.json", "the jobs have []"),
        ("SeedWatchWorker", "day 1", "readers see 0 files"),
        ("DocumentIntake", "document-upload.json", "the queue has jobs for []"),
        ("DocumentWorker", "document-batch.json", "the texts are set()"),
        ("DocumentApi", "document-api.json", "0 jobs on the queue"),
        ("DocumentJanitor", "document-schedule.json", 'answered {"is_complete": true}, not {"'),
        ("SubscriptionApi", "subscription-api.json", "it answers {'statusCode': 503}"),
        ("Notifier", "notify-batch.json", 'ZeroDivisionError: division by zero, not {"batch'),
    ]:
        assert fault in "\n".join(rows[function, event]["faults"])
    assert "about to fail" in rows["Notifier", "notify-batch.json"]["printed"]


def test_the_table_shows_the_faults_and_the_log_of_the_function(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    good = emulate.Row("Worker", "a.json", '{"jobs": 1}', 0.5, is_cold=True, effect="1 job",
                       faults=(), printed=())  # fmt: skip
    bad = emulate.Row("Worker", "b.json", "ValueError: no", 0.01, is_cold=False, effect="2 jobs",
                      faults=("answered ValueError: no",), printed=("last words",))  # fmt: skip
    monkeypatch.setattr(emulate, "emulate", lambda *_: iter([good, bad]))
    assert emulate.main(["--built", "anywhere"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["function", "event", "answer", "seconds", "effect"]
    assert lines[2].split() == ["Worker", "a.json", '{"jobs":', "1}", "0.50", "cold", "1", "job"]
    assert lines[3].split()[-3:] == ["0.01", "warm", "FAULT"]
    assert lines[4:6] == ["  answered ValueError: no", "  | last words"]
    assert lines[6].startswith("2 rows, 1 with faults")


def test_a_missing_build_names_the_remedy(tmp_path: Path) -> None:
    found = run("--built", str(tmp_path))
    assert found.returncode == 2
    assert "run `make build`" in found.stderr


def test_elsewhere_than_on_linux_it_says_that_nothing_was_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emulate.sys, "platform", "darwin")
    assert emulate.main([]) == 2
    assert "NOT run" in capsys.readouterr().err


def test_a_sample_without_a_step_is_refused(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(EVENTS, tmp_path, dirs_exist_ok=True)
    shutil.copy(EVENTS / "notice-schedule.json", tmp_path / "another.json")
    assert emulate.main(["--built", str(built), "--events", str(tmp_path)]) == 2
    assert "another.json: a sample of" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"Records": []}, "odd.json: no trigger in the template sends such an event"),
        ({"detail-type": "Other", "source": "aws.s3"}, "odd.json: no trigger"),
        (None, "has no sample event for DocumentApi, DocumentIntake, DocumentJanitor, Document"),
    ],
)
def test_samples_and_triggers_belong_together(
    template: Template, tmp_path: Path, event: Mapping[str, Any] | None, told: str
) -> None:
    if event is not None:
        (tmp_path / "odd.json").write_text(json.dumps(event), encoding="utf-8")
    with pytest.raises(StackFailed, match=told):
        samples(tmp_path, template)


def test_the_first_invocation_is_cold_and_the_runtime_stays(running: Emulator) -> None:
    first, second = running.invoke({"a": 1}), running.invoke({"a": 2})
    assert (first.is_cold, second.is_cold) == (True, False)
    assert (first.error, first.value["event"], second.value["event"]) == ("", {"a": 1}, {"a": 2})
    assert first.value["pid"] == second.value["pid"]


def test_the_function_sees_its_own_variables_and_none_of_this_process(running: Emulator) -> None:
    seen = running.invoke({}).value["environment"]
    assert seen["COLOUR"] == "blue"
    assert seen["AWS_LAMBDA_FUNCTION_NAME"] == "Toy"
    assert "PYTEST_CURRENT_TEST" in os.environ
    own = {"PYTEST_CURRENT_TEST", "HOME", "VIRTUAL_ENV", "PYTHONPATH", "AWS_ENDPOINT_URL"}
    assert not own & seen.keys()


@pytest.mark.parametrize("module", ["pydantic", "uring", "uring_local", "rich", "yaml", "pip"])
def test_only_what_was_built_can_be_imported(running: Emulator, module: str) -> None:
    """This environment and that of the stack have them, and the toy's empty layer has not."""
    assert running.invoke({"import": module}).error == (
        f"ModuleNotFoundError: No module named '{module}'"
    )


def test_it_listens_on_loopback_only(running: Emulator) -> None:
    """Whoever listens on every interface answers at 127.0.0.2 too."""
    arguments = running.invoke({}).value["emulator"]
    addresses = [each.split(":") for each in arguments if each.startswith("127.0.0.1:")]
    assert len(addresses) == 2
    for host, port in addresses:
        for address, answers in ((host, True), ("127.0.0.2", False)):
            with socket.socket() as probe:
                assert (probe.connect_ex((address, int(port))) == 0) is answers


def test_boto3_is_the_runtime_s(running: Emulator) -> None:
    assert running.invoke({"import": "boto3"}).error == ""


@pytest.mark.parametrize(
    ("event", "error"),
    [
        ({"divide": 0}, "ZeroDivisionError: division by zero"),
        ({"end": 3}, "Runtime.ExitError: RequestId: "),
        ({"sleep": 9}, "Task timed out after 1.00 seconds"),
    ],
)
def test_an_error_an_end_and_a_time_out_are_reported_and_the_next_event_is_served(
    tmp_path: Path, event: Mapping[str, Any], error: str
) -> None:
    with toy(tmp_path, timeout_seconds=1) as emulator:
        answer = emulator.invoke(event)
        assert answer.error.startswith(error)
        assert answer.value is None
        assert emulator.invoke({}).error == ""
        assert emulator.printed()[:2] == ["toy starts", "toy was asked"]


def test_a_module_that_cannot_be_imported_is_an_error(tmp_path: Path) -> None:
    with toy(tmp_path) as emulator:
        (tmp_path / "code/app.py").write_text("import pydantic", encoding="utf-8")
        assert emulator.invoke({}).error == (
            "Runtime.ImportModuleError: Unable to import module 'app': No module named 'pydantic'"
        )


def test_invocations_at_once_take_turns(running: Emulator) -> None:
    """Two at once would end the emulator."""
    with ThreadPoolExecutor(4) as pool:
        answers = [*pool.map(running.invoke, [{"sleep": 0.05, "n": n} for n in range(8)])]
    assert [answer.value["event"]["n"] for answer in answers] == [*range(8)]


def test_an_emulator_that_is_gone_is_told_with_its_log(tmp_path: Path) -> None:
    emulator = toy(tmp_path)
    with emulator:
        assert emulator.invoke({}).error == ""
    with pytest.raises(StackFailed, match=r"Toy: the Lambda emulator does not answer(.|\n)*toy st"):
        emulator.invoke({})


def test_the_artefact_stays_as_it_was_built(tmp_path: Path) -> None:
    """A .pyc would be shipped, and would make every deployment look new."""
    with toy(tmp_path) as emulator:
        assert emulator.invoke({}).error == ""
    assert [path.name for path in (tmp_path / "code").rglob("*")] == ["app.py"]


def test_it_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    folders = [str(folder) for folder in [*Path(__file__).parents][:2]]
    script = OWNER.format(folders=folders, place=str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        runtime = int(owner.stdout.readline())
        ended = os.pidfd_open(runtime)
        owner.send_signal(signal.SIGKILL)
    try:
        assert select.select([ended], [], [], 60)[0], "the runtime outlived its owner"
    finally:
        os.close(ended)
