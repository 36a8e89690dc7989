"""The stack of a command that was not given one: whose it is, and what may not be done to it."""

from pathlib import Path

import pytest

from uring_local.cli import main
from uring_local.options import WrongUsage
from uring_local.region import regional
from uring_local.samconfig import first_stack
from uring_local.stack_option import VARIABLE, chosen_stack

SAMCONFIG = """
version = 0.1
[default.global.parameters]
stack_name = "uring-dev"
region = "ap-northeast-2"
[prod.global.parameters]
stack_name = "uring-prod"
"""


@pytest.fixture
def samconfig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(VARIABLE, raising=False)
    path = tmp_path / "samconfig.toml"
    path.write_text(SAMCONFIG, encoding="utf-8")
    return path


def test_the_option_goes_before_the_variable_and_the_variable_before_samconfig(
    samconfig: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was not given is said, on stderr: stdout may be JSON."""
    assert chosen_stack(None, is_final=False, samconfig=samconfig) == "uring-dev"
    assert capsys.readouterr() == ("", "uring: stack uring-dev, of samconfig.toml\n")
    monkeypatch.setenv(VARIABLE, "uring-prod")
    assert chosen_stack(None, is_final=False, samconfig=samconfig) == "uring-prod"
    assert capsys.readouterr() == ("", "uring: stack uring-prod, of URING_STACK\n")
    assert chosen_stack("mine", is_final=True, samconfig=samconfig) == "mine"
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("variable", ["", "uring-prod"])
def test_what_is_written_for_good_needs_the_stack_in_writing(
    variable: str, samconfig: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell may still have the variable of another day."""
    monkeypatch.setenv(VARIABLE, variable)
    named = variable or "uring-dev"
    with pytest.raises(WrongUsage, match=rf"^with --yes name the stack: --stack {named} \("):
        chosen_stack(None, is_final=True, samconfig=samconfig)


def test_without_any_stack_three_ways_to_name_one_are_told(tmp_path: Path) -> None:
    """Of a stage alone that `sam` takes: another one is not meant."""
    path = tmp_path / "samconfig.toml"
    for text in (None, "", SAMCONFIG.replace("default.", "other.")):
        if text is not None:
            path.write_text(text, encoding="utf-8")
        assert first_stack(path) == ""
        with pytest.raises(WrongUsage, match=r"^which stack\? Give --stack, set URING_STACK, or"):
            chosen_stack(None, is_final=False, samconfig=path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["seeds", "stop", "sg/news/2026-03-02", "--yes"],
        ["documents", "clear", "a-page", "--yes"],
        ["queue", "redrive", "NotifyQueue", "--all", "--yes"],
        ["state", "repair", "cs", "--yes"],
        ["copy", "old"],
    ],
)
def test_no_command_destroys_what_nobody_named(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "--stack" in capsys.readouterr().err


def test_a_command_with_a_default_of_its_own_keeps_it() -> None:
    """`uring push test` without a stack takes a project."""

    def command(*, stack: str | None = None) -> str | None:
        return stack

    assert regional(command)() is None
