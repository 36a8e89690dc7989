"""The `uring` command as a user runs it, and what it prints."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from uring_local.stack.stack import Endpoint

ROOT = Path(__file__).resolve().parents[2]
BINARIES = Path(sys.executable).parent


def environment(endpoint: Endpoint | None = None) -> dict[str, str]:
    """This process's environment without any AWS of its own, the project's commands first."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    path = os.pathsep.join([str(BINARIES), inherited.get("PATH", os.defpath)])
    return {**inherited, "PATH": path, **(endpoint.environment if endpoint else {})}


def uring(
    *arguments: str, endpoint: Endpoint | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run `uring` to its end."""
    return subprocess.run(
        [str(BINARIES / "uring"), *arguments],
        cwd=ROOT,
        env=environment(endpoint),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def events(output: str) -> list[dict[str, Any]]:
    """The events of a run with ``--json``."""
    return [json.loads(line) for line in output.splitlines()]


def summaries(output: str) -> dict[str, Mapping[str, Any]]:
    """The summaries of a run with ``--json``, by family."""
    return {event["family"]: event for event in events(output) if event["event"] == "summary"}


def summary(output: str) -> Mapping[str, Any]:
    """The one summary of a run of one family."""
    (found,) = summaries(output).values()
    return found


def assert_all_is_well(found: Mapping[str, Any]) -> None:
    """Everything that the journal has was pushed, and nothing else."""
    wrong = {name: found[name] for name in ("lost", "doubled", "wrong", "dead_lettered")}
    assert wrong == {"lost": 0, "doubled": 0, "wrong": 0, "dead_lettered": 0}
    assert found["pushed"] == found["expected"] > 0


def kill(stack: Endpoint, kill_at: str, *command: str) -> None:
    """Run a command on a stack; end it by SIGKILL at an event, such as ``tick 2``, its end."""
    with subprocess.Popen(
        [str(BINARIES / "uring"), *command],
        cwd=ROOT,
        env=environment(stack),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as victim:
        assert victim.stdout is not None
        for line in victim.stdout:
            (event,) = events(line)
            name = event["event"]
            if kill_at == (f"tick {event['tick']}" if name == "tick" else name):
                os.kill(victim.pid, signal.SIGKILL)
                break
    assert victim.returncode == -signal.SIGKILL
