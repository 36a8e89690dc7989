"""The screen of `uring deploy`, its questions and its exit codes."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from uring.errors import Misconfigured
from uring_local.cli import main
from uring_local.deploy.run import ask
from uring_local.deploy.show import show
from uring_local.doctor.finding import Diagnosis, done_before, failed, note, ok

FINDINGS = [
    ok("credentials", "account 123456789012, arn:aws:sts::123456789012:assumed-role/deployer/ada"),
    note("CloudFront", "the account has no distribution yet. " * 3, "open a case first"),
    done_before("deploy", "uring-dev has this build and these parameters"),
    failed("doctor", "alarm mail: ops@uring.example: not confirmed", "open the link in the mail"),
]


def shown(findings: list[Diagnosis], **console: object) -> tuple[bool, str]:
    file = StringIO()
    made = show(Console(file=file, highlight=False, **console), findings, "uring-dev")  # type: ignore[arg-type]
    return made, file.getvalue()


def test_a_terminal_of_80_columns_gets_columns() -> None:
    is_well, said = shown(FINDINGS, width=80, force_terminal=True, no_color=True)
    lines = said.splitlines()
    assert not is_well
    assert max(map(len, lines)) <= 80 + len("\x1b[1m\x1b[0m") * 2
    assert [line.split()[0] for line in lines if line[:1].strip()] == [
        *("credentials", "CloudFront", "deploy", "doctor"),
        "run",
    ]


def test_a_pipe_gets_a_line_for_each_finding_and_no_colour() -> None:
    is_well, said = shown(FINDINGS[:3], soft_wrap=True)
    assert is_well
    assert said.splitlines() == [
        f"{'credentials':15} {'ok':11} {FINDINGS[0].detail}",
        f"{'CloudFront':15} {'note':11} {FINDINGS[1].detail}",
        f"{'':28}open a case first",
        f"{'deploy':15} {'done before':11} {FINDINGS[2].detail}",
        "uring-dev is deployed",
    ]


def test_a_question_is_refused_where_nobody_can_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("y\n"))
    with pytest.raises(Misconfigured, match=r"Delete\?; answer at a terminal, or run with --yes"):
        ask("Delete?", yes=False)
    assert ask("Delete?", yes=True)


@pytest.mark.parametrize(
    ("answer", "meant"), [("y", True), ("Yes ", True), ("", False), ("n", False), ("yo", False)]
)
def test_only_yes_is_yes(answer: str, meant: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _: answer)
    assert ask("Delete?", yes=False) is meant


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without an account: nothing listens at its address."""
    for name in ("AWS_PROFILE", "AWS_REGION", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")


@pytest.mark.usefixtures("elsewhere")
def test_a_failed_step_is_exit_1_and_says_so_to_machines(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["deploy", "--config-file", str(file), "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert (document["stack"], document["is_well"]) == ("uring-here", False)
    assert [(each["name"], each["status"]) for each in document["steps"]] == [
        ("samconfig.toml", "ok"),
        ("credentials", "failed"),
    ]


@pytest.mark.usefixtures("elsewhere")
def test_wrong_usage_is_exit_2_and_an_unknown_stack_names_the_known_ones(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["deploy", "--now"])
    assert main(["deploy", "--config-file", str(file), "--stack", "uring-nowhere"]) == 1
    assert "it has uring-here, uring-there" in capsys.readouterr().err


def test_no_call_goes_to_aws_where_some_services_have_another_address(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    assert main(["deploy", "--config-file", str(file)]) == 1
    assert "services without an address would use AWS itself" in capsys.readouterr().err
