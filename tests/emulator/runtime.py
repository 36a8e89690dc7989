"""A built function under AWS's Lambda Runtime Interface Emulator, natively and without Docker.

    invoke ─ HTTP ─► emulator ─ runtime API ─► awslambdaric ─► app.handler of the built tree

The emulator enforces the time-out, restarts a runtime that ends, and knows no IAM, no memory limit
and no read-only disk. It comes with the SAM CLI.
"""

import json
import re
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from emulator.packages import PYTHON, emulator_program
from uring_local.project import StackFailed
from uring_local.template.template import TemplateFunction

_HOST = "127.0.0.1"
_START_SECONDS = 10.0
_STOP_SECONDS = 10.0
# Beyond the function's own time-out, within which the emulator answers.
_ANSWER_SECONDS = 20.0
_HERE = Path(__file__).parent
# Without the environment, the working directory and site-packages; writes no .pyc into the build.
_BARE_PYTHON = (str(PYTHON), "-I", "-S", "-B")
_NOISE = re.compile(r"^\S+ \S+ \d{4} [\d:,]+ \[\w+\] \(rapid\)|^(START|END|REPORT) RequestId")
_TAIL_LINES = 25


@dataclass(frozen=True)
class Answer:
    """How an invocation ended.

    Args:
        value: what the handler returned; None after an error.
        error: its type and message, or that it ran out of time; empty after a success.
        seconds: as the caller waited.
        is_cold: whether a runtime had to be started for it.
    """

    value: Any
    error: str
    seconds: float
    is_cold: bool


class Emulator:
    """One function under an emulator of its own, in a ``with`` block.

    Args:
        function: its directory is the built one.
        layer: directory of the layer's modules.
        runtime: directory made by `lend_runtime`.
        environment: all variables beside those that Lambda sets.
        log: file for what the emulator and the function print.
        timeout_seconds: in place of the function's own.

    Raises on entering:
        StackFailed: the emulator is missing, ends at once, or does not answer in time.
    """

    def __init__(
        self,
        function: TemplateFunction,
        layer: Path,
        runtime: Path,
        environment: Mapping[str, str],
        log: Path,
        *,
        timeout_seconds: int | None = None,
    ) -> None:
        self._function = function
        self._paths = (function.code_dir, layer, runtime)
        self._timeout = timeout_seconds or function.timeout_seconds
        self._environment = environment
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0
        self._is_cold = True
        # Two invocations at once crash the emulator.
        self._one_at_a_time = threading.Lock()

    def __enter__(self) -> Self:
        self._port, api_port = _free_ports()
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    *[*_BARE_PYTHON, str(_HERE / "child.py"), str(emulator_program())],
                    # Its defaults listen on every interface.
                    *["--runtime-interface-emulator-address", f"{_HOST}:{self._port}"],
                    *["--runtime-api-address", f"{_HOST}:{api_port}"],
                    *[*_BARE_PYTHON, str(_HERE / "boot.py")],
                    *[*map(str, self._paths), self._function.handler],
                ],
                cwd=self._function.code_dir,
                env=self._variables(),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait_until_it_listens()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def invoke(self, event: Any) -> Answer:
        """Send an event and wait for the answer; never two at once.

        Raises:
            StackFailed: the emulator itself is gone.
        """
        with self._one_at_a_time:
            began = time.monotonic()
            is_cold, self._is_cold = self._is_cold, False
            body = self._post(json.dumps(event).encode())
            seconds = time.monotonic() - began
        value, error = _read(body)
        return Answer(value, error, seconds, is_cold)

    def printed(self) -> list[str]:
        """The last lines that the function printed, without the emulator's own."""
        text = self._log.read_text(encoding="utf-8", errors="replace")
        return [line for line in text.splitlines() if line and not _NOISE.match(line)][
            -_TAIL_LINES:
        ]

    def _post(self, body: bytes) -> bytes:
        request = urllib.request.Request(
            f"http://{_HOST}:{self._port}/2015-03-31/functions/function/invocations", body
        )
        # No proxy of the user's is in the way to this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=self._timeout + _ANSWER_SECONDS) as response:
                content: bytes = response.read()
        except urllib.error.HTTPError as error:
            # 502: the runtime ended; the body says how.
            content = error.read()
        except OSError as error:
            raise self._failed(f"does not answer: {error}") from error
        return content

    def _variables(self) -> dict[str, str]:
        return {
            "PATH": "/usr/bin:/bin",
            "LANG": "en_US.UTF-8",
            "TZ": ":UTC",
            "LAMBDA_TASK_ROOT": str(self._function.code_dir),
            "AWS_LAMBDA_FUNCTION_NAME": self._function.logical_id,
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(self._function.memory_megabytes),
            "AWS_LAMBDA_FUNCTION_TIMEOUT": str(self._timeout),
            **self._environment,
        }

    def _wait_until_it_listens(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise self._failed(f"ended at once (exit {self._process.returncode})")
            with socket.socket() as probe:
                if probe.connect_ex((_HOST, self._port)) == 0:
                    return
            time.sleep(0.01)
        raise self._failed(f"did not listen within {_START_SECONDS:.0f} s")

    def _failed(self, what: str) -> StackFailed:
        tail = self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-_TAIL_LINES:]
        name = self._function.logical_id
        return StackFailed("\n".join([f"{name}: the Lambda emulator {what}; its log:", *tail]))


def _read(body: bytes) -> tuple[Any, str]:
    """The handler's value, or what the emulator says of its error; it answers 200 to both."""
    try:
        value = json.loads(body)
    except ValueError:
        # "Task timed out after 3.00 seconds"
        return None, body.decode(errors="replace") or "no answer"
    if isinstance(value, dict) and "errorType" in value:
        return None, f"{value['errorType']}: {value.get('errorMessage', '')}"
    return value, ""


def _free_ports() -> tuple[int, int]:
    with socket.socket() as first, socket.socket() as second:
        for probe in (first, second):
            probe.bind((_HOST, 0))
        return int(first.getsockname()[1]), int(second.getsockname()[1])
