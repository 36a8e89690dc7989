"""`uring seeds pause`, `resume` and `stop`: what they do, and what they say."""

import pytest
from fakes.seeds import PARTITION, SeedWorld, record

from uring_local.cli import main
from uring_local.seeds import hold as hold_module

NAME = PARTITION.name
STACK = ("--stack", "uring-dev")
AGAIN = "`uring seeds collect --country sg --category news --date 2026-01-28`"


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> SeedWorld:
    """A collection whose three domains wait on their queue."""
    world = SeedWorld()
    world.put(record(f"https://site{number}.com/") for number in range(3))
    world.orchestrate()
    world.read_files()
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-2")
    monkeypatch.setattr(hold_module, "open_progress", lambda _: world.progress)
    return world


def test_a_partition_is_paused_and_resumed_as_often_as_one_likes(
    world: SeedWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert main(["seeds", "pause", NAME, *STACK]) == 0
        assert world.status().started.held == "paused"
        said = capsys.readouterr().out
        assert said.startswith(f"{NAME} is paused: its messages wait, and use up no try\n")
    for _ in range(2):
        assert main(["seeds", "resume", NAME, *STACK]) == 0
        assert world.status().started.held == ""
        assert "messages that wait go on within 30 minutes" in capsys.readouterr().out


def test_a_stop_says_first_what_it_would_end(
    world: SeedWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["seeds", "stop", NAME, *STACK])
    assert ended.value.code == 2
    assert capsys.readouterr().out.splitlines() == [
        f"3 sent messages of {NAME} would end unasked, and no file be read",
        "repeat it with --yes",
    ]
    assert world.status().started.held == ""
    assert main(["seeds", "stop", NAME, *STACK, "--yes"]) == 0
    assert world.status().started.held == "stopped"
    assert f"{AGAIN} goes on where it was" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["pause", "resume"])
def test_a_stopped_partition_is_neither_paused_nor_resumed(
    command: str, world: SeedWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", "stop", NAME, *STACK, "--yes"]) == 0
    capsys.readouterr()
    assert main(["seeds", command, NAME, *STACK]) == 1
    assert capsys.readouterr().out == f"{NAME} is stopped: {AGAIN} goes on where it was\n"
    assert world.status().started.held == "stopped"


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("command", ["pause", "resume", "stop"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sg/News", "sg/News is not a partition; write it like sg/news/2026-01-28"),
        ("sg/\x1b[2J", r"sg/\x1b[2J is not a partition"),
        ("my/edu/2026-01-27", "my/edu/2026-01-27 was never collected"),
    ],
)
def test_a_partition_that_is_none_or_was_never_collected_is_told(
    command: str, name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", command, name, *STACK]) == 1
    assert said in capsys.readouterr().out
