"""A budget of domains for one run: never exceeded, and the next run goes on behind it."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from fakes.seeds import SeedWorld, record
from pydantic import ValidationError

from uring.errors import Unavailable
from uring.seeds.messages import OrchestrateRequest


def world_of(*sizes: int, stride: int = 10, daily: int = 1_000_000) -> SeedWorld:
    world = SeedWorld(stride=stride, daily=daily)
    for number, size in enumerate(sizes, 1):
        world.put((record(f"https://d{number}-{each}.com/") for each in range(size)), number)
    return world


def test_a_run_sends_its_budget_and_the_next_one_goes_on_there() -> None:
    world = world_of(35)
    world.orchestrate(name="one", most=25)
    world.read_files()
    # 25 is three strides of eight, and one domain.
    assert (len(world.sent()), world.status().files, world.status().ceilings) == (
        24,
        {"held": 1},
        {"run": 1},
    )
    assert "FilesHeld" not in world.telemetry.counts
    (held,) = world.telemetry.named("file_held")
    assert "with another budget or none" in held["reason"]
    # At once, though the queue drops equal messages for five minutes.
    world.orchestrate(name="two", most=5)
    world.read_files()
    assert len(world.sent()) == 29
    world.orchestrate(name="three")
    world.read_files()
    assert sorted(message.record_index or 0 for message in world.sent()) == [*range(35)]
    assert world.status().files == {"done": 1}


@pytest.mark.parametrize("most", [1, 7, 10, 20, 21, 30])
def test_files_of_a_run_share_its_budget(most: int) -> None:
    world = world_of(12, 14, 3)
    world.orchestrate(most=most)
    world.read_files()
    assert 0 < len(world.sent()) <= most
    assert world.status().sent == len(world.sent())


def test_an_unlimited_run_has_no_budget() -> None:
    world = world_of(12)
    world.orchestrate()
    world.read_files()
    assert len(world.sent()) == 12
    assert world.table.get("runs", "20260302T010000Z-00000000") is None


def test_a_run_s_budget_and_a_day_s_ceiling_are_taken_together_or_not_at_all() -> None:
    world = world_of(40, daily=15)
    world.orchestrate(name="one", most=30)
    world.read_files()
    assert (len(world.sent()), world.status().ceilings) == (10, {"day": 1})
    taken = world.table.get("runs", "one") or {}
    assert taken["domains"] == 10
    assert world.telemetry.counts["FilesHeld"] == 1


def test_workers_that_take_at_once_never_pass_a_budget_together() -> None:
    world = world_of()
    day = world.clock().date()

    def take(_: int) -> str | None:
        return world.progress.take(day, 10, 0, run="r", most_of_run=95)

    with ThreadPoolExecutor(8) as pool:
        taken = [*pool.map(take, range(40))]
    assert (taken.count(None), taken.count("run")) == (9, 31)


def test_a_stride_that_is_sent_again_counts_again() -> None:
    """A death between its messages and its checkpoint: the budget is never exceeded."""
    world = world_of(30)
    world.orchestrate(name="one", most=20)

    def die(sent: int) -> None:
        if sent == 7:
            raise Unavailable("no answer")

    world.domain_sends.fails = die
    world.read_files()
    world.domain_sends.fails = lambda _: None
    world.clock.advance(minutes=20)
    world.read_files()
    assert len({message.record_index for message in world.sent()}) == 10
    assert world.status().ceilings == {"run": 1}


@pytest.mark.parametrize("most", [0, -1, 1.5, "7", True, 10**12])
def test_a_budget_is_a_number_of_domains(most: object) -> None:
    with pytest.raises(ValidationError):
        OrchestrateRequest.model_validate({"most": most})
