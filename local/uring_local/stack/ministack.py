"""The embedded stack: MiniStack as a child process on loopback, while it is needed."""

import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from types import TracebackType
from typing import Final

from uring_local.nearby import is_owned
from uring_local.project import ROOT, SCRATCH, StackFailed
from uring_local.stack.stack import DEFAULT_REGION, Endpoint, at

_HOST: Final = "127.0.0.1"
_START_SECONDS: Final = 30.0
_STOP_SECONDS: Final = 10.0
_TAIL_LINES: Final = 25
# The only variables of the user's environment that the stack and its functions inherit.
_INHERITED: Final = ("PATH", "LANG", "SSL_CERT_FILE", "SSL_CERT_DIR")
_CHILD: Final = Path(__file__).with_name("ministack_child.py")


class MiniStack:
    """An empty AWS on a free loopback port; ends with the ``with`` block, or with this process.

    It keeps its log and its files in ``.uring/stack-<pid>-<port>`` and removes it at the end. After
    an error the directory stays until the next start, and the message names the log.

    Raises on entering:
        StackFailed: it is not installed, exits at once, or is not ready in time.
    """

    def __init__(self, *, region: str = DEFAULT_REGION) -> None:
        self._region = region
        self._mark = token_hex()
        self._process: subprocess.Popen[bytes] | None = None
        self.directory = SCRATCH

    @property
    def log(self) -> Path:
        """The stack's own log, the functions' output included."""
        return self.directory / "ministack.log"

    def __enter__(self) -> Endpoint:
        python = ROOT / ".venv-stack" / "bin" / "python"
        if not python.exists():
            raise StackFailed(f"{python}: no such file; run `make setup`")
        _sweep()
        port = _free_port()
        self.directory = SCRATCH / f"stack-{os.getpid()}-{port}"
        temporary = self.directory / "tmp"
        temporary.mkdir(parents=True)
        url = f"http://{_HOST}:{port}"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - a fixed program, no shell
                # -P: the child must not import this directory's modules.
                [python, "-P", _CHILD],
                cwd=self.directory,
                env=self._environment(port, temporary),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait_until_healthy(url)
        except BaseException:
            self._stop()
            raise
        return at(url, self._region)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self._stop()
        finally:
            # After Ctrl-C or a normal end nobody needs the log.
            if not isinstance(error, Exception):
                _remove(self.directory)

    def _environment(self, port: int, temporary: Path) -> dict[str, str]:
        return {
            **{name: os.environ[name] for name in _INHERITED if name in os.environ},
            "AUTH": "true",
            "BIND_HOST": _HOST,
            # A token of this process, shown by the health check.
            "MINISTACK_EDITION": self._mark,
            "GATEWAY_PORT": str(port),
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            "LAMBDA_EXECUTOR": "local",
            "MINISTACK_REGION": self._region,
            "TMPDIR": str(temporary),
            # The functions inherit these: no profile or key of the user, and Lambda's time zone.
            "HOME": str(temporary),
            "TZ": "UTC",
        }

    def _wait_until_healthy(self, url: str) -> None:
        assert self._process is not None  # noqa: S101 - just started
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise self._failed(f"ended at once (exit {self._process.returncode})")
            try:
                with urllib.request.urlopen(f"{url}/_ministack/health", timeout=2) as health:  # noqa: S310
                    # Another stack may have taken the port meanwhile: then this child exits.
                    if self._mark.encode() in health.read():
                        return
            except (urllib.error.URLError, OSError):
                pass
            time.sleep(0.05)
        raise self._failed(f"did not answer within {_START_SECONDS:.0f} s")

    def _failed(self, what: str) -> StackFailed:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return StackFailed("\n".join([f"MiniStack {what}; log: {self.log}", *lines[-_TAIL_LINES:]]))

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None  # noqa: S101 - a pipe was asked for
        process.stdin.close()
        try:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_STOP_SECONDS)
        finally:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _remove(directory: Path) -> None:
    """Remove a stack's files, 200 MB after a deployment, even if interrupted."""
    try:
        shutil.rmtree(directory, ignore_errors=True)
    except KeyboardInterrupt:
        shutil.rmtree(directory, ignore_errors=True)
        raise


def _sweep() -> None:
    """Remove the files of stacks whose processes are gone."""
    for directory in SCRATCH.glob("stack-*-*"):
        if not is_owned(directory):
            shutil.rmtree(directory, ignore_errors=True)
