"""`uring seeds rejected`: what raw files lost, and another reading of them."""

import json

import pytest
from fakes.seeds import PARTITION, SeedWorld, raw_file, raw_path, record

from uring.seeds.messages import OrchestrateRequest
from uring_local.cli import main
from uring_local.seeds import rejected as rejected_module

STACK = ("--stack", "uring-dev")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> SeedWorld:
    """Three files: one with two bad records, one that was mended, one without any."""
    world = SeedWorld()
    bad = [{"raw_url": 7, "title": "[red]\x1b[2J"}, record("https://192.168.0.1/")]
    for number, extra in ((1, bad), (2, bad), (3, [])):
        listed = [record(f"https://site{number}.com/"), *extra]
        world.bucket.plant(raw_path(number), raw_file(listed))
    world.orchestrate()
    world.read_files()
    world.bucket.plant(raw_path(2), raw_file([record("https://site2.com/")]))
    world.clock.advance(hours=1)
    world.orchestrate()
    world.read_files()
    world.clock.advance(hours=1)

    def begin(stack: str, request: OrchestrateRequest) -> bool:
        assert stack == "uring-dev"
        assert request.names(PARTITION)
        assert not request.force
        return world.orchestrate(name="retried").files == 3

    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-2")
    monkeypatch.setattr(rejected_module, "open_bucket", lambda _: world.bucket)
    monkeypatch.setattr(rejected_module, "begin", begin)
    return world


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("partition", [(), (PARTITION.name,)])
def test_each_rejected_record_is_listed(
    partition: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", "rejected", "list", *partition, *STACK, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(each["file"], each["index"]) for each in found] == [(raw_path(), 1), (raw_path(), 2)]
    assert found[0]["reason"] == "raw_url: missing or not a text"
    assert json.loads(found[0]["text"])["title"] == "[red]\x1b[2J"
    assert main(["seeds", "rejected", "list", *partition, *STACK]) == 1
    said = capsys.readouterr().out
    assert "2 rejected records; a file keeps its first thousand" in said
    assert "\x1b" not in said
    assert "[red]" in said


def test_a_retry_reads_those_files_again_and_no_other(
    world: SeedWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = world.bucket.calls.opened
    opened.clear()
    assert main(["seeds", "rejected", "retry", PARTITION.name, *STACK]) == 0
    said = capsys.readouterr().out
    assert "sg/news/2026-01-28/raw_0001.json is read again" in said
    assert "each costs one look" in said
    world.read_files()
    assert opened == [raw_path()]
    assert raw_path() + ".success" in world.bucket.bodies()
    assert world.status().files == {"done": 3}


def test_minutes_after_an_orchestration_a_retry_reads_the_file_again(world: SeedWorld) -> None:
    """The queue drops equal messages for five minutes; those of two runs are not equal."""
    world.orchestrate(name="minutes-ago")
    world.read_files()
    world.clock.advance(minutes=4)
    world.bucket.calls.opened.clear()
    assert main(["seeds", "rejected", "retry", PARTITION.name, *STACK]) == 0
    world.read_files()
    assert world.bucket.calls.opened == [raw_path()]


def test_without_rejected_records_nothing_is_read_again(
    world: SeedWorld, capsys: pytest.CaptureFixture[str]
) -> None:
    world.bucket.remove(raw_path() + ".rejected")
    assert main(["seeds", "rejected", "list", *STACK]) == 0
    assert main(["seeds", "rejected", "retry", PARTITION.name, *STACK]) == 1
    assert "sg/news/2026-01-28 has no rejected records" in capsys.readouterr().out
    assert raw_path() + ".success" in world.bucket.bodies()


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("command", ["list", "retry"])
def test_a_name_that_is_no_partition_is_refused(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seeds", "rejected", command, "sg/News", *STACK]) == 1
    assert "sg/News is not a partition" in capsys.readouterr().out
