"""The README's commands do what it says: each `sh` block is run, line by line."""

import json
import re
import shlex
import subprocess
import sys

import pytest
from conftest import ROOT, environment

from uring_local.entries.sitemap import read_sitemap
from uring_local.stack.stack import Endpoint

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
LINES = [line for block in BLOCKS for line in block.splitlines()]
RUNTIME = f"PythonRuntime=python{sys.version_info.major}.{sys.version_info.minor}"
# What a person fills into samconfig.toml, and what the interpreter at hand asks for.
FILLED_IN = {
    "sam build": f"--parameter-overrides {RUNTIME}",
    "sam deploy": f"--parameter-overrides {RUNTIME} Contact=https://uring.invalid/readme "
    "FcmProjectId=uring-readme Architecture=x86_64 --no-progressbar --region ap-northeast-2",
}


def shell(line: str, endpoint: Endpoint | None = None) -> subprocess.CompletedProcess[str]:
    command = shlex.split(f"{line} {FILLED_IN.get(line, '')}")
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment(endpoint) | {"SAM_CLI_TELEMETRY": "0", "SAM_CLI_POLL_DELAY": "0.2"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )


def test_make_knows_the_two_commands() -> None:
    """They cannot run inside themselves; the tests run what they call."""
    for line in [line for line in LINES if line.startswith("make ")]:
        assert shell(f"{line} --dry-run").returncode == 0


@pytest.mark.parametrize(
    "line", [line for line in LINES if line.startswith(("uring run --in", "uring run --fam"))]
)
def test_runs(line: str) -> None:
    run = shell(line)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize(
    "line", [line for line in LINES if line.startswith(("uring try", "uring config check"))]
)
def test_tools(line: str) -> None:
    run = shell(line)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_three_commands_deploy(stack: Endpoint) -> None:
    deploy = [line for line in LINES if line.startswith(("sam ", "uring config upload"))]
    assert len(deploy) == 3
    for line in deploy:
        run = shell(line, stack)
        assert run.returncode == 0, f"{line}\n{run.stdout[-3000:]}{run.stderr[-3000:]}"
    # They reach it: nothing was checked yet, and nobody has Google's credentials here.
    for line in [line for line in LINES if line.startswith("uring state")]:
        run = shell(line, stack)
        assert run.returncode == 1
        assert "has nothing of 'konkuk_cse'" in run.stderr, run.stdout + run.stderr
    (test,) = [line for line in LINES if line.startswith("uring push test")]
    run = shell(test, stack)
    assert run.returncode == 1
    assert "credentials" in run.stdout, run.stdout + run.stderr


def test_the_example_department_is_a_valid_entry() -> None:
    (entry,) = re.findall(r"```json\n(.*?)```", README, re.DOTALL)
    sitemap = read_sitemap(f'{{"sources": [{entry}]}}'.encode())
    assert not sitemap.problems
    assert [source.id for source in sitemap.sources] == [json.loads(entry)["id"]]
    assert len(entry.splitlines()) == 6


def test_the_full_run_is_among_the_commands() -> None:
    """`uring run --ticks 4 --seed 7 --json` is run by test_run_deployed."""
    assert "uring run --ticks 4 --seed 7 --json" in LINES
