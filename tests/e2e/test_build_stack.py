"""The embedded stack and the application on it: the real `sam build` and `sam deploy`."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import boto3
import pytest
from uring_command import uring

from uring_local.build.build import build, host_architecture
from uring_local.project import ROOT, StackFailed
from uring_local.stack import ministack
from uring_local.stack.deploy import deploy
from uring_local.stack.describe import physical_ids
from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import Endpoint
from uring_local.template.families import FAMILIES, switching_on
from uring_local.template.template import ALIAS

HOSTS = "127.0.0.1:8080,127.0.0.1:8081"
PARAMETERS = {
    "Contact": "https://uring.invalid/test",
    "FcmProjectId": "uring-test",
    "Operations": "false",
    "ScheduleState": "DISABLED",
    "AllowedPrivateHosts": HOSTS,
    "FcmCredentialsSecret": "uring/fcm",
    # A port where nothing listens: the whole web is down.
    "WebStandIn": "127.0.0.1:9",
    **switching_on(FAMILIES),
}
OWNER = """
from uring_local.stack.ministack import MiniStack
stack = MiniStack()
print(stack.__enter__().url, flush=True)
input()
"""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with MiniStack() as started:
        yield started


@pytest.fixture(scope="module")
def outputs(endpoint: Endpoint) -> Mapping[str, str]:
    return deploy(endpoint, parameters=PARAMETERS, stack_name="uring-test")


@pytest.fixture(scope="module")
def ids(endpoint: Endpoint, outputs: Mapping[str, str]) -> Mapping[str, str]:
    """The physical ids of the stack's resources by logical id."""
    assert outputs
    return physical_ids(client(endpoint, "cloudformation"), "uring-test")


def client(endpoint: Endpoint, service: str) -> Any:
    return boto3.client(
        service,
        endpoint_url=endpoint.url,
        region_name=endpoint.region,
        aws_access_key_id="test",
        aws_secret_access_key="test",
    )


def test_the_outputs_are_those_of_the_template(outputs: Mapping[str, str]) -> None:
    text = (ROOT / "template.yaml").read_text(encoding="utf-8")
    names = re.findall(r"^  (\w+):$", text[text.index("\nOutputs:") :], re.MULTILINE)
    assert set(outputs) == set(names)
    assert all(outputs.values())


@pytest.mark.parametrize("function", ["NoticeWorker", "Notifier"])
def test_the_deployed_functions_run(
    endpoint: Endpoint, ids: Mapping[str, str], function: str
) -> None:
    answer = client(endpoint, "lambda").invoke(
        FunctionName=ids[function],
        Qualifier=ALIAS,
        Payload=json.dumps({"Records": []}),
    )
    assert json.loads(answer["Payload"].read()) == {"batchItemFailures": []}


def test_parameters_arrive_as_given_commas_and_all(
    endpoint: Endpoint, ids: Mapping[str, str]
) -> None:
    configuration = client(endpoint, "lambda").get_function_configuration(
        FunctionName=ids["NoticeWorker"]
    )
    assert configuration["Environment"]["Variables"]["ALLOWED_PRIVATE_HOSTS"] == HOSTS
    assert configuration["Architectures"] == [host_architecture()]


def test_deploying_again_keeps_the_stack_and_its_data(
    endpoint: Endpoint, outputs: Mapping[str, str], ids: Mapping[str, str]
) -> None:
    s3 = client(endpoint, "s3")
    s3.put_object(Bucket=outputs["BucketName"], Key="state/kept", Body=b"as it was")
    given = PARAMETERS | {"LogLevel": "DEBUG"}
    assert deploy(endpoint, parameters=given, stack_name="uring-test") == outputs
    kept = s3.get_object(Bucket=outputs["BucketName"], Key="state/kept")
    assert kept["Body"].read() == b"as it was"
    # SAM publishes nothing for a parameter; what is called has it all the same.
    configuration = client(endpoint, "lambda").get_function_configuration(
        FunctionName=ids["NoticeWorker"], Qualifier=ALIAS
    )
    assert configuration["Environment"]["Variables"]["LOG_LEVEL"] == "DEBUG"


def test_a_collection_is_begun_by_the_commands(
    endpoint: Endpoint, outputs: Mapping[str, str]
) -> None:
    """A file of the old layout, copied, asked for by a signed request, and read."""
    record = {"raw_url": "https://www.uring-test.com.sg/", "source_type": "com"}
    client(endpoint, "s3").put_object(
        Bucket=outputs["BucketName"],
        Key="research/datasets/country=sg/category=news/2026-01-28_0001.json",
        Body=json.dumps({"records": [record, record]}),
    )

    def seeds(*arguments: str) -> dict[str, Any]:
        run = uring("seeds", *arguments, "--stack", "uring-test", "--json", endpoint=endpoint)
        assert run.returncode == 0, run.stdout + run.stderr
        found: dict[str, Any] = json.loads(run.stdout)
        return found

    (copied,) = seeds("migrate", "--yes")["files"]
    assert copied["outcome"] == "copied"
    begun = seeds("orchestrate", "--date", "2026-01-28")
    assert (begun["status"], begun["files"]) == (200, 1)
    for _ in range(30):
        (partition,) = seeds("status", "sg/news")["partitions"]
        if "done" in partition["files"]:
            break
    assert partition["files"] == {"listed": 1, "done": 1}
    assert partition["domains"]["sent"] == 1


def test_a_refused_parameter_is_named(endpoint: Endpoint) -> None:
    with pytest.raises(StackFailed, match="Parameter 'Contact' must be"):
        deploy(endpoint, parameters=PARAMETERS | {"Contact": "nobody"}, stack_name="uring-other")


def test_a_deployment_that_cannot_push_is_refused_with_the_remedy(endpoint: Endpoint) -> None:
    parameters = PARAMETERS | {"FcmCredentialsSecret": ""}
    with pytest.raises(StackFailed, match="FcmCredentialsSecret must name the secret"):
        deploy(endpoint, parameters=parameters, stack_name="uring-other")


def test_the_doctor_sees_what_a_new_stack_lacks(
    endpoint: Endpoint, outputs: Mapping[str, str]
) -> None:
    """Each thing asked of the services themselves; a local stack has no bucket policies."""
    assert outputs
    run = uring("doctor", "--stack", "uring-test", "--json", endpoint=endpoint)
    assert run.returncode == 1, run.stderr
    findings = {each["name"]: each for each in json.loads(run.stdout)["findings"]}
    assert {name: each["status"] for name, each in findings.items()} == {
        "stack": "ok",
        "sitemap": "failed",
        "registries": "failed",
        "watches": "failed",
        "FCM secret": "failed",
        "weather secret": "failed",
        "FCM": "off",
        "alarm mail": "failed",
        "alarms": "ok",
        "CDN private": "ok",
        "CDN missing": "ok",
        "CDN reads": "off",
        "client": "failed",
        "writes": "failed",
        "workers": "off",
        "concurrency": "ok",
        "releases": "ok",
        "schedules": "off",
        "triggers": "ok",
        "ticks": "off",
        "dead letters": "ok",
    }
    assert all(each["remedy"] for each in findings.values() if each["status"] == "failed")


def test_the_variables_of_a_deployed_stack_name_what_is_there(
    endpoint: Endpoint, ids: Mapping[str, str]
) -> None:
    run = uring("env", "-", "--stack", "uring-test", endpoint=endpoint)
    assert run.returncode == 0, run.stderr
    variables = json.loads(run.stdout)
    assert variables["NoticeWorker"]["DATA_BUCKET"] == ids["Bucket"]
    assert variables["NoticeWorker"]["WORK_QUEUE_URL"] == ids["NoticeQueue"]
    assert {each["AWS_ENDPOINT_URL"] for each in variables.values()} == {endpoint.url}


def test_what_is_built_already_is_not_built_again(outputs: Mapping[str, str]) -> None:
    assert outputs
    lines: list[str] = []
    build(host_architecture(), progress=lines.append)
    assert lines == []


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_it_listens_on_loopback_only(endpoint: Endpoint) -> None:
    port = int(endpoint.url.rpartition(":")[2])
    addresses = {address for address, listening in _listening(_children()) if listening == port}
    assert addresses == {"127.0.0.1"}
    assert {address for address, _ in _listening(_children())} == {"127.0.0.1"}


def test_it_ends_with_a_process_that_is_killed() -> None:
    """SIGKILL leaves no time to clean up; the stack must not stay behind all the same."""
    with subprocess.Popen(
        [sys.executable, "-c", OWNER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdout is not None
        port = int(owner.stdout.readline().rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            owner.send_signal(signal.SIGKILL)
            # The stack would wait longer than that for a request.
            with suppress(ConnectionResetError):
                assert connection.recv(1) == b""


def test_it_leaves_nothing_and_sweeps_up_after_the_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ministack, "SCRATCH", tmp_path)
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    left_behind = tmp_path / f"stack-{gone.pid}-1"
    left_behind.mkdir()
    with MiniStack() as started:
        assert not left_behind.exists()
        port = int(started.url.rpartition(":")[2])
        assert [each.name for each in tmp_path.iterdir()] == [f"stack-{os.getpid()}-{port}"]
    assert list(tmp_path.iterdir()) == []
    assert not _answers(port)


def test_who_is_impatient_leaves_nothing_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C within the run, and once more while what it leaves is being removed."""
    remove, calls = shutil.rmtree, []

    def interrupted(path: Path, **options: Any) -> None:
        calls.append(path)
        if len(calls) == 1:
            raise KeyboardInterrupt
        remove(path, **options)

    monkeypatch.setattr(ministack, "SCRATCH", tmp_path)
    monkeypatch.setattr(shutil, "rmtree", interrupted)
    stack = MiniStack()
    stack.__enter__()
    with pytest.raises(KeyboardInterrupt):
        stack.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert len(calls) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_stack_that_cannot_start_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('no such luck')", encoding="utf-8")
    monkeypatch.setattr(ministack, "SCRATCH", tmp_path)
    monkeypatch.setattr(ministack, "_CHILD", broken)
    with pytest.raises(StackFailed, match=r"ended at once \(exit 1\)(.|\n)*no such luck"):
        MiniStack().__enter__()


def test_another_stack_that_has_taken_the_port_is_not_taken_for_its_own(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = int(endpoint.url.rpartition(":")[2])
    monkeypatch.setattr(ministack, "SCRATCH", tmp_path)
    monkeypatch.setattr(ministack, "_free_port", lambda: taken)
    with pytest.raises(StackFailed, match=rf"ended at once(.|\n)*{taken} is already in use"):
        MiniStack().__enter__()


def test_a_missing_environment_names_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ministack, "ROOT", tmp_path)
    with pytest.raises(StackFailed, match="make setup"):
        MiniStack().__enter__()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _children() -> set[int]:
    """This process's descendants."""
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        for task in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            children = {int(pid) for pid in task.read_text().split()} - found
            found |= children
            waiting.extend(children)
    return found


def _listening(processes: set[int]) -> list[tuple[str, int]]:
    """IP address and port of each TCP socket on which one of the processes listens."""
    sockets = set()
    for process in processes:
        for descriptor in Path(f"/proc/{process}/fd").iterdir():
            try:
                sockets.add(str(descriptor.readlink()))
            except FileNotFoundError:
                continue
    found = []
    for family, table in ((socket.AF_INET, "tcp"), (socket.AF_INET6, "tcp6")):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                address, port = fields[1].split(":")
                words = [
                    bytes.fromhex(address[at : at + 8])[::-1] for at in range(0, len(address), 8)
                ]
                found.append((socket.inet_ntop(family, b"".join(words)), int(port, 16)))
    return found
