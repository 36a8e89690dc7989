"""A command on a stack, typed where nothing names a region."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from cyclopts import App

from uring_local.cli import application, main

# Each command with `--stack`, with what it cannot do without.
COMMANDS: Final = (
    "check cse",
    "config upload",
    "copy old",
    "decide cse same",
    "doctor",
    "documents analyse page",
    "documents annotate page issue seen",
    "documents classify page issue low",
    "documents clear page --yes",
    "documents history page issue",
    "documents issue page issue",
    "documents issues page",
    "documents job page job",
    "documents locks page",
    "documents policies page",
    "documents policy page source",
    "documents put page README.md",
    "documents transition page issue resolved",
    "documents upload page README.md",
    "domains show campus.example sg/news/2026-01-28",
    "env",
    "list",
    "pause cse --until 2027-01-31",
    "push test --topic cse",
    "queue list",
    "queue redrive NotifyQueue --all",
    "queue show NoticeQueue",
    "refused cse",
    "regulations dead-letters list",
    "regulations dead-letters retry rules",
    "resume cse",
    "retract cse 4711",
    "seeds collect",
    "seeds migrate",
    "seeds orchestrate",
    "seeds pause sg/news/2026-01-28",
    "seeds rejected list",
    "seeds rejected retry sg/news/2026-01-28",
    "seeds report",
    "seeds resume sg/news/2026-01-28",
    "seeds status",
    "seeds stop sg/news/2026-01-28 --yes",
    "seeds work",
    "state repair cse",
    "state show cse",
    "top",
    "web upload",
)
# It takes the region of the stage that it deploys.
OTHER: Final = {"deploy"}


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell without any AWS, and a machine that has no network."""
    for name in ("ENDPOINT_URL", "PROFILE", "REGION", "DEFAULT_REGION", "ACCESS_KEY_ID"):
        monkeypatch.delenv(f"AWS_{name}", raising=False)
    for name in ("CONFIG_FILE", "SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(f"AWS_{name}", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    def asked(*_: Any) -> None:
        pytest.fail("an address was asked")

    monkeypatch.setattr("socket.socket.connect", asked)
    monkeypatch.setattr("socket.getaddrinfo", asked)


def on_a_stack(app: App, *path: str) -> Iterator[str]:
    """The commands that take a stack."""
    for name in app:
        if name.startswith("-"):
            continue
        command = app[name]
        if command.default_command is None:
            yield from on_a_stack(command, *path, name)
        elif any("--stack" in each.names for each in command.assemble_argument_collection()):
            yield " ".join([*path, name])


def test_every_command_on_a_stack_is_tried_here() -> None:
    names = {*on_a_stack(application())} - OTHER
    tried = {name for line in COMMANDS for name in names if f"{line} ".startswith(f"{name} ")}
    assert (tried, len(COMMANDS)) == (names, len(names))


@pytest.mark.parametrize("line", COMMANDS)
def test_without_a_region_a_command_asks_nobody_and_names_the_option(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*line.split(), "--stack", "nope"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith("uring: ")
    assert said.err.endswith(": no region; give --region, or set AWS_REGION\n")
