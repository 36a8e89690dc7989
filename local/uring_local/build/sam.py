"""Runs the SAM CLI of this environment: line by line, without telemetry or questions."""

import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from uring_local.project import StackFailed

Progress = Callable[[str], None]
"""Called with each line of output as it appears."""

# SAM's lines that begin a step, and the step; SAM's advice in between is for its own users.
_STEPS: Final = (
    (r"Building layer '(\w+)'", r"building the layer \1"),
    (r"Building codeuri: .* functions: (.+)", "building the functions"),
    (r"Compiling", "compiling"),
    (r"\s*Creating the required resources", "making a bucket for the packages"),
    (r"\s*Managed S3 bucket", "uploading the packages"),
    (r"Waiting for changeset", "planning the resources"),
    (r"CREATE_\w+|UPDATE_\w+", "creating the resources"),
)

TAIL_LINES: Final = 25


def silent(_line: str) -> None:
    """Do nothing: a `Progress` for callers that ignore the output."""


def step(line: str) -> str | None:
    """Return the step that a line of SAM begins, in uRing's words; None for other lines."""
    for pattern, words in _STEPS:
        if found := re.match(pattern, line):
            return found.expand(words)
    return None


def run_sam(
    arguments: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
    progress: Progress = silent,
    held: Sequence[int] = (),
) -> None:
    """Run `sam` with this interpreter first on PATH, so that it builds for exactly this Python.

    Args:
        arguments: the words after `sam`.
        cwd: SAM keeps the dependencies it has resolved in `.aws-sam` below this directory.
        environment: more variables. The process's own AWS variables are withheld: no call may reach
            an account that nobody named.
        progress: called with every line.
        held: descriptors of locks that SAM holds until it ends, even if this process is killed.

    Raises:
        StackFailed: it cannot be started, or failed; the message has its last lines.
    """
    binaries = Path(sys.executable).parent
    command = [str(binaries / "sam"), *arguments]
    variables = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
        "SAM_CLI_TELEMETRY": "0",
        # Seconds between two looks at a deployment; the default of 5 is far longer than a local one
        # takes.
        "SAM_CLI_POLL_DELAY": "0.2",
        **(environment or {}),
        "PATH": os.pathsep.join([str(binaries), os.environ.get("PATH", os.defpath)]),
    }
    name = f"sam {arguments[0]}"
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    try:
        process = subprocess.Popen(  # noqa: S603 - a fixed program, no shell
            command,
            cwd=cwd,
            env=variables,
            pass_fds=held,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise StackFailed(
            f"{name}: cannot start {command[0]}: {error}; run `make setup`"
        ) from error
    with process:
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        try:
            for line in process.stdout:
                text = line.rstrip()
                if text:
                    tail.append(text)
                    progress(text)
        except BaseException:
            process.terminate()
            raise
    if process.returncode:
        raise StackFailed("\n".join([f"{name} failed ({process.returncode}):", *tail]))
