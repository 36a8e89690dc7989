"""How the SAM CLI is run."""

from pathlib import Path

import pytest

from uring_local.build.sam import run_sam, step
from uring_local.project import StackFailed


@pytest.fixture
def sam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the place of `sam`, to see what it is given."""
    program = tmp_path / "bin" / "sam"
    program.parent.mkdir()
    monkeypatch.setattr("sys.executable", str(program.with_name("python")))
    return program


def _script(program: Path, text: str) -> None:
    program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    program.chmod(0o755)


def test_an_error_carries_the_last_lines(sam: Path, tmp_path: Path) -> None:
    _script(
        sam, 'i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "line $i"; done; echo why >&2; exit 3'
    )
    seen: list[str] = []
    with pytest.raises(StackFailed) as raised:
        run_sam(["build"], cwd=tmp_path, progress=seen.append)
    first, *rest = str(raised.value).splitlines()
    assert first == "sam build failed (3):"
    assert rest == [f"line {number}" for number in range(37, 61)] + ["why"]
    assert seen == [f"line {number}" for number in range(1, 61)] + ["why"]


def test_a_missing_program_names_the_remedy(sam: Path, tmp_path: Path) -> None:
    assert not sam.exists()
    with pytest.raises(StackFailed, match="make setup"):
        run_sam(["deploy"], cwd=tmp_path)


def test_only_the_named_aws_variables_reach_it(
    sam: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A profile in the user's shell must not turn a local deployment into a real one."""
    monkeypatch.setenv("AWS_PROFILE", "production")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://elsewhere.invalid")
    _script(
        sam, "env | grep -E '^(AWS_|SAM_CLI_TELEMETRY)' | sort; read -r never || echo 'no input'"
    )
    seen: list[str] = []
    url = "http://127.0.0.1:1"
    run_sam(["deploy"], cwd=tmp_path, environment={"AWS_ENDPOINT_URL": url}, progress=seen.append)
    assert seen == [f"AWS_ENDPOINT_URL={url}", "SAM_CLI_TELEMETRY=0", "no input"]


def test_the_interpreter_at_hand_is_first_on_the_path(sam: Path, tmp_path: Path) -> None:
    """SAM builds with the `python3.X` that it finds there."""
    _script(sam, 'echo "$PATH"')
    seen: list[str] = []
    run_sam(["build"], cwd=tmp_path, progress=seen.append)
    assert seen[0].startswith(f"{sam.parent}:")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Building layer 'CoreLayer'", "building the layer CoreLayer"),
        ("Building codeuri: /x runtime: python3.13 functions: Notifier", "building the functions"),
        ("\tManaged S3 bucket: aws-sam-cli-managed-default", "uploading the packages"),
        ("Waiting for changeset to be created..", "planning the resources"),
        ("CREATE_IN_PROGRESS       AWS::SQS::Queue   NotifyQueue", "creating the resources"),
        ("UPDATE_COMPLETE          AWS::SQS::Queue   NotifyQueue", "creating the resources"),
        # Advice to SAM's own users reads like an instruction.
        ("[*] Deploy: sam deploy --guided --template-file app/template.yaml", None),
        ("\tAbove settings can be stored in samconfig.toml", None),
        ("Commands you can use next", None),
    ],
)
def test_a_step_is_told_in_words_of_our_own(line: str, words: str | None) -> None:
    assert step(line) == words
