"""Commands look for a stack where `sam deploy` puts it."""

from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from cyclopts import App
from expanded import ROOT
from moto import mock_aws

from uring.errors import Misconfigured
from uring_local.cli import application, main
from uring_local.region import regional
from uring_local.samconfig import region_of

STAGES = """
version = 0.1
[default.global.parameters]
stack_name = "old-one"
region = "eu-west-1"
[default.deploy.parameters]
stack_name = "one"
[prod.global.parameters]
stack_name = "two"
region = "ap-northeast-2"
[other.deploy.parameters]
stack_name = "three"
"""


@pytest.fixture(autouse=True)
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("AWS_ENDPOINT_URL", "AWS_PROFILE", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with mock_aws():
        yield


def asked(*, stack: str) -> str:
    """Where a command's clients are."""
    assert stack
    return str(boto3.client("sqs").meta.region_name)


def test_each_stage_has_its_region(tmp_path: Path) -> None:
    path = tmp_path / "samconfig.toml"
    path.write_text(STAGES, encoding="utf-8")
    assert [region_of(name, path) for name in ("one", "two", "three", "four")] == [
        "eu-west-1",
        "ap-northeast-2",
        None,
        None,
    ]
    # A command's own name hides the shared one, as SAM has it.
    assert region_of("old-one", path) is None
    assert region_of("one", tmp_path / "none.toml") is None
    path.write_text("[default", encoding="utf-8")
    with pytest.raises(Misconfigured, match=r"^samconfig\.toml: .*; correct the file$"):
        region_of("one", path)


def test_the_project_s_own_stages_have_one() -> None:
    for stage in ("dev", "staging", "prod"):
        assert region_of(f"uring-{stage}") == "ap-northeast-2", ROOT


def test_an_option_goes_before_samconfig_and_samconfig_before_the_environment() -> None:
    command = regional(asked)
    assert command(stack="uring-dev") == "ap-northeast-2"
    assert command(stack="uring-dev", region="eu-west-1") == "eu-west-1"
    assert command(stack="somebody-else-s") == "us-east-1"
    # It was for the one command.
    assert asked(stack="uring-dev") == "us-east-1"


def test_what_is_no_region_asks_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    for region in ("", "Seoul", "https://elsewhere.example/", "ap-northeast-2.elsewhere.example"):
        with pytest.raises(SystemExit, match="2"):
            main(["queue", "list", "--stack", "uring-dev", "--region", region])
        assert "write a region such as ap-northeast-2" in capsys.readouterr().err


def options(app: App) -> Iterator[tuple[str, set[str]]]:
    """The options of each command below an application."""
    for name in app:
        if name.startswith("-"):
            continue
        command = app[name]
        if command.default_command is None:
            yield from options(command)
        else:
            found = command.assemble_argument_collection()
            yield name, {each for argument in found for each in argument.names}


def test_every_command_on_a_stack_takes_a_region() -> None:
    on_a_stack = [(name, found) for name, found in options(application()) if "--stack" in found]
    assert len(on_a_stack) >= 20
    assert [name for name, found in on_a_stack if "--region" not in found] == []
