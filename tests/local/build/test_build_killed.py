"""A build whose process was killed: the next one begins again, and not side by side with it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from uring_local.build import build as builder
from uring_local.build import sam
from uring_local.build.build import build, host_architecture
from uring_local.build.locked import one_at_a_time
from uring_local.project import StackFailed

OWNER = """
import os, subprocess, sys
from pathlib import Path
from uring_local.build.locked import one_at_a_time
with one_at_a_time(Path(sys.argv[1])) as held:
    # As `run_sam` starts SAM: the child ends when its standard input does.
    child = "import sys; sys.stdin.read()"
    subprocess.Popen([sys.executable, "-c", child], pass_fds=[held])
    print(flush=True)
    os.kill(os.getpid(), 9)
"""


def test_the_child_of_a_killed_process_holds_its_lock(tmp_path: Path) -> None:
    lock, waited = tmp_path / "lock", list[str]()
    with subprocess.Popen(
        [sys.executable, "-c", OWNER, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as owner:
        assert owner.stdin is not None
        owner.wait(timeout=60)

        def waiting() -> None:
            waited.append("waiting")
            owner.stdin.close()  # type: ignore[union-attr]

        with one_at_a_time(lock, waiting):
            assert waited == ["waiting"]
    with one_at_a_time(lock, waiting):
        assert waited == ["waiting"]


def test_sam_holds_the_locks_of_its_caller(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[Any] = []
    real = subprocess.Popen

    def start(_: Any, **options: Any) -> Any:
        started.append(options["pass_fds"])
        return real([sys.executable, "-c", ""], **options)

    monkeypatch.setattr(sam.subprocess, "Popen", start)
    with one_at_a_time(tmp_path / "lock") as held:
        sam.run_sam(["build"], cwd=tmp_path, held=[held])
        assert started == [[held]]


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(builder, "BUILD", tmp_path)
    monkeypatch.setattr(builder, "compile_build", lambda _: 0)
    return tmp_path / host_architecture()


def sam_build(found: list[bool], *, fails: bool = False) -> Callable[..., None]:
    """A `sam build` that notes whether it finds dependencies of an earlier one."""

    def run(_: Any, *, cwd: Path, **__: Any) -> None:
        dependencies = cwd / ".aws-sam" / "deps"
        found.append(dependencies.exists())
        dependencies.mkdir(parents=True, exist_ok=True)
        if fails:
            raise StackFailed("sam build failed")
        (cwd / "app").mkdir(exist_ok=True)
        (cwd / "app" / "template.yaml").touch()

    return run


def test_a_build_that_did_not_end_is_begun_again_from_nothing(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SAM would take the dependencies of an incomplete build for whole."""
    found: list[bool] = []
    monkeypatch.setattr(builder, "run_sam", sam_build(found, fails=True))
    with pytest.raises(StackFailed):
        build(host_architecture())
    monkeypatch.setattr(builder, "run_sam", sam_build(found))
    build(host_architecture())
    assert found == [False, False]
    # A complete one is used: as it is, or its dependencies after a change of the code.
    build(host_architecture())
    assert len(found) == 2
    (scratch / "inputs").write_text("of older code", encoding="ascii")
    build(host_architecture())
    assert found == [False, False, True]


def test_another_runtime_is_built_beside_this_one(
    scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(builder, "run_sam", sam_build([]))
    assert build(host_architecture()).parent == scratch
    other = build(host_architecture(), "python3.99")
    assert other.parent == scratch.with_name(f"{host_architecture()}-python3.99")
