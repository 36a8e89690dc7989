"""A command of a second terminal finds the stacks of a run by their names."""

import os
from pathlib import Path

import boto3
import pytest

from uring.errors import Misconfigured
from uring_local import region
from uring_local.nearby import announce, folder_of_run, nearby
from uring_local.stack.stack import at

# Above every process id of Linux and macOS.
NOBODY = 2**30


def folder(scratch: Path, pid: int, url: str) -> Path:
    made = scratch / f"run-{pid}"
    made.mkdir()
    announce(made, {"uring-weather": at(url).environment})
    return made


def test_a_run_s_stack_is_found_as_long_as_it_goes_on(tmp_path: Path) -> None:
    with folder_of_run(tmp_path) as own:
        assert nearby("uring-weather", tmp_path) is None
        announce(own, {"uring-weather": at("http://127.0.0.1:9").environment})
        found = nearby("uring-weather", tmp_path)
        assert found
        assert found["AWS_ENDPOINT_URL"] == "http://127.0.0.1:9"
        assert nearby("uring-dev", tmp_path) is None
    assert [*tmp_path.iterdir()] == []


def test_a_killed_run_has_no_stack_and_its_folder_goes_with_the_next(tmp_path: Path) -> None:
    left = folder(tmp_path, NOBODY, "http://127.0.0.1:9")
    assert nearby("uring-weather", tmp_path) is None
    with folder_of_run(tmp_path):
        assert not left.exists()


def test_of_two_runs_neither_is_guessed(tmp_path: Path) -> None:
    for pid, port in ((os.getpid(), 8), (os.getppid(), 9)):
        folder(tmp_path, pid, f"http://127.0.0.1:{port}")
    with pytest.raises(Misconfigured, match=r"two runs .* set AWS_ENDPOINT_URL to http://127"):
        nearby("uring-weather", tmp_path)


@pytest.mark.parametrize("text", [None, "", "[]", "{"])
def test_a_run_that_begins_or_ends_has_none_yet(text: str | None, tmp_path: Path) -> None:
    with folder_of_run(tmp_path) as own:
        if text is not None:
            (own / "stacks.json").write_text(text)
        assert nearby("uring-weather", tmp_path) is None


def asked(*, stack: str) -> str:
    assert stack
    return str(boto3.client("sqs", region_name="eu-west-1").meta.endpoint_url)


def test_a_command_goes_there_by_the_name_alone_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Never for a stack of samconfig.toml, nor where the user names an address or a region."""
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    here = at("http://127.0.0.1:9").environment
    monkeypatch.setattr(region, "nearby", lambda _: here)
    command = region.regional(asked)
    assert command(stack="uring-weather") == "http://127.0.0.1:9"
    assert capsys.readouterr().err == (
        "uring: uring-weather of the run on this machine, http://127.0.0.1:9\n"
    )
    assert "amazonaws" in command(stack="uring-dev")
    assert "amazonaws" in command(stack="uring-weather", region="eu-west-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:8")
    assert command(stack="uring-weather") == "http://127.0.0.1:8"
