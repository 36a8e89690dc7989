"""A function is built while Lambda starts it, and its line says what it is and what came."""

import gc
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import botocore
import pytest
from fakes.telemetry import RecordingTelemetry

from uring.errors import Misconfigured
from uring.functions.entry_point import EntryPoint
from uring.functions.parts import Parts
from uring.runtime.invocation import VERSION, Work
from uring.runtime.settings import BaseSettings

ROOT = Path(__file__).parents[2]
ON_LAMBDA = {"AWS_LAMBDA_FUNCTION_NAME": "uring-notifier", "ENVIRONMENT": "prod"}
CONTEXT = SimpleNamespace(aws_request_id="4711", get_remaining_time_in_millis=lambda: 10_000)


class Builds:
    """A module of a function that counts how often it is wired; the first few fail."""

    Settings = BaseSettings

    def __init__(self) -> None:
        self.count = 0
        self.collected: list[bool] = []
        self.telemetry = RecordingTelemetry()
        self.failures = 0

    def wire(self, _settings: BaseSettings, parts: Parts) -> Work:
        self.count += 1
        self.collected.append(gc.isenabled())
        if self.count <= self.failures:
            raise Misconfigured("DATA_BUCKET is missing")
        parts.clients.calls.add("s3:GetObject")
        return lambda event, _: event.get("x")


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> Builds:
    """What the module named ``own`` wires."""
    own = Builds()
    monkeypatch.setitem(sys.modules, "own", own)  # type: ignore[arg-type]
    monkeypatch.setattr("uring.functions.parts.LambdaTelemetry", lambda: own.telemetry)
    return own


def test_it_is_built_at_the_start_and_once(builds: Builds) -> None:
    handler = EntryPoint("own", ON_LAMBDA)
    assert builds.count == 1
    assert [handler({"x": 1}, CONTEXT), handler({"x": 2}, CONTEXT)] == [1, 2]
    assert builds.count == 1


@pytest.mark.parametrize(
    ("variables", "metrics"),
    [({}, None), ({"METRICS": ""}, {""}), ({"METRICS": "Checks,Changes"}, {"Checks", "Changes"})],
)
def test_its_counters_are_metrics_where_the_variable_names_them(
    builds: Builds, variables: dict[str, str], metrics: set[str] | None
) -> None:
    EntryPoint("own", {**ON_LAMBDA, **variables})({"x": 1}, CONTEXT)
    assert builds.telemetry.metrics == [metrics]


def test_elsewhere_nothing_is_built_before_the_first_event(builds: Builds) -> None:
    handler = EntryPoint("own", {})
    assert builds.count == 0
    assert handler({"x": 1}, CONTEXT) == 1
    assert builds.count == 1


def test_what_went_wrong_at_the_start_is_told_by_the_first_invocation(builds: Builds) -> None:
    """An exception while Lambda starts a process says nothing that a person could use."""
    builds.failures = 2
    handler = EntryPoint("own", ON_LAMBDA)
    with pytest.raises(Misconfigured, match="DATA_BUCKET is missing"):
        handler({"x": 1}, CONTEXT)
    assert handler({"x": 1}, CONTEXT) == 1, "as soon as it can be built"
    assert builds.count == 3
    assert gc.isenabled()


def test_no_garbage_is_looked_for_while_it_is_built(builds: Builds) -> None:
    EntryPoint("own", ON_LAMBDA)
    assert builds.collected == [False]
    assert gc.isenabled()


@pytest.mark.parametrize(
    ("event", "records"),
    [
        ({"Records": [{}, {}]}, {"records": 2}),
        ({"Records": "odd"}, {}),
        ({"time": "2026-11-22T00:00:00Z"}, {}),
    ],
)
def test_an_invocation_ends_with_one_line(
    builds: Builds, event: dict[str, Any], records: dict[str, int]
) -> None:
    EntryPoint("own", ON_LAMBDA)(event, CONTEXT)
    assert builds.telemetry.requests == ["4711"]
    assert builds.telemetry.flushed == [
        {
            **records,
            "environment": "prod",
            "uring": VERSION,
            "boto3": botocore.__version__,
            "aws_calls": {"s3:GetObject": 1},
        }
    ]


def test_the_version_is_that_of_the_project() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION


@pytest.mark.parametrize(
    "path", sorted((ROOT / "functions").glob("*/app.py")), ids=lambda path: path.parent.name
)
def test_no_variable_is_a_clear_failure_of_the_first_invocation(path: Path) -> None:
    """Its name is said; the process itself starts, or Lambda would try it over and over."""
    program = f"""
import runpy
handler = runpy.run_path({str(path)!r})["handler"]
try:
    handler({{}}, None)
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={
            "PYTHONPATH": str(ROOT / "layers" / "core"),
            "AWS_LAMBDA_FUNCTION_NAME": "x",
            "AWS_REGION": "ap-northeast-2",
            "AWS_DEFAULT_REGION": "ap-northeast-2",
            "PATH": os.environ["PATH"],
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert re.match(r"Misconfigured environment: [A-Z_]+: ", done.stdout), done.stdout
