"""docs/tour.md is walked through: each of its commands, in its order, as a newcomer types them."""

import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import urllib3
from uring_command import ROOT, environment

PAGE = (ROOT / "docs" / "tour.md").read_text("utf-8")
BLOCKS = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)
PORT = "8964"
FOLDER = ".uring/tour"
ADDRESS = "URING=http://127.0.0.1:8000"
SECONDS = 120


def block(mark: str) -> str:
    """The one block with this word."""
    (found,) = (each for each in BLOCKS if mark in each)
    return found


CAMPUS, BOARD, ADD, RUN, PUBLISH, READ, BREAK, SICK = (
    block(mark)
    for mark in (
        "make setup",
        "http.server",
        "uring add",
        "--speed",
        "48104",
        ADDRESS,
        "password",
        "health.json",
    )
)


def command(text: str) -> str:
    """The line of a block that starts a run."""
    (line,) = (each for each in text.splitlines() if each.startswith("uring run"))
    return line


class Output:
    """What a run has written so far."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def until(self, pattern: str, run: subprocess.Popen[bytes]) -> str:
        """Wait for a pattern; return its first group, or all of it."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            text = self._path.read_text("utf-8")
            if found := re.search(pattern, text):
                return found[found.lastindex or 0]
            assert run.poll() is None, text
            time.sleep(0.1)
        raise AssertionError(f"no {pattern} in {SECONDS} s:\n{self._path.read_text('utf-8')}")


@contextmanager
def running(line: str, output: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run in a terminal of its own, until Ctrl-C."""
    with output.open("wb") as file:
        run = subprocess.Popen(  # noqa: S602 - as it is typed
            f"exec {line}", shell=True, cwd=ROOT, env=environment(), stdout=file, stderr=file
        )
    try:
        yield run
        run.send_signal(signal.SIGINT)
        assert run.wait(SECONDS) == 0, output.read_text("utf-8")
    finally:
        if run.poll() is None:
            run.kill()
            run.wait()


class Newcomer:
    """The one who follows the page, in a folder and with a port of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = str(free.getsockname()[1])
        self.address = ""

    def own(self, text: str) -> str:
        """The text with the test's folder, port and address of the client."""
        text = text.replace(FOLDER, str(self.folder)).replace(PORT, self.port)
        return text.replace(ADDRESS, f"URING={self.address}")

    def type(self, text: str, *, code: int = 0) -> str:
        """Type a block into the first terminal; return what it shows."""
        shell = subprocess.run(
            ["/bin/bash", "-eu"],
            input=self.own(text),
            cwd=ROOT,
            env=environment() | {"URING": self.address, "COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert shell.returncode == code, shell.stdout + shell.stderr
        return shell.stdout

    def document(self, path: str) -> Any:
        """What a reader gets, past every copy."""
        return urllib3.request("GET", f"{self.address}{path}", timeout=10).json()


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture
def newcomer(tmp_path: Path) -> Iterator[Newcomer]:
    """A newcomer, whose board ends with the test."""
    newcomer = Newcomer(tmp_path / "tour")
    yield newcomer
    pid = newcomer.folder / "pid"
    if pid.exists():
        newcomer.type(f"kill {pid.read_text()}")


def test_each_block_is_typed_here() -> None:
    """A block that the page gets is one that somebody walks through."""
    assert [*BLOCKS] == [CAMPUS, BOARD, ADD, RUN, PUBLISH, READ, BREAK, SICK]
    assert "```sh" not in PAGE


def test_the_university_plays_itself_and_its_pages_are_named(tmp_path: Path) -> None:
    """Both addresses answer, and one Ctrl-C ends it with a verdict.

    Of all families at once test_run_in_process is the test.
    """
    written = tmp_path / "campus"
    with running(f"{command(CAMPUS)} --family notices", written) as run:
        client = Output(written).until(r"client: (http://\S+)", run)
        status = Output(written).until(r"operator's page: (http://\S+)", run)
        for address in (client, status):
            answer = urllib3.request("GET", address, timeout=10)
            assert (answer.status, b'lang="ko"' in answer.data) == (200, True)
        Output(written).until("tick 1", run)
    assert "all well" in written.read_text("utf-8")


def test_a_board_of_ones_own_is_watched_read_and_broken(newcomer: Newcomer, tmp_path: Path) -> None:
    newcomer.type(BOARD + f"echo $! > {FOLDER}/pid\n")
    newcomer.type(ADD)
    written = tmp_path / "own"
    with running(newcomer.own(command(RUN)), written) as run:
        output = Output(written)
        newcomer.address = output.until(r"client: (http://\S+)/", run)
        output.until("tick 1 of notices", run)
        newcomer.type(PUBLISH)
        output.until("pushed.*Snow: no classes today", run)

        read = newcomer.type(READ)
        assert "Snow: no classes today" in read
        assert '"my_board"' in read
        assert re.search("(?i)^etag: ", read, re.MULTILINE)

        before = newcomer.document("/data/my_board/latest.json")
        newcomer.type(BREAK)
        until(lambda: newcomer.document("/data/my_board/health.json")["status"] == "suspect")
        health, tried = SICK.splitlines(keepends=True)
        assert '"login"' in newcomer.type(health)
        newcomer.type(tried, code=1)
        assert newcomer.document("/data/my_board/latest.json") == before
