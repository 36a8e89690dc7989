"""A partition that is paused, resumed, stopped and sent again: nothing is lost or doubled."""

import json
from collections.abc import Callable
from functools import partial
from itertools import permutations

import pytest
from fakes.queues import lambda_event
from fakes.seeds import PARTITION, PLENTY, SeedWorld, raw_file, raw_path, record
from openapi_spec_validator import validate

from uring.errors import FetchFailed
from uring.runtime.batches import Postponed
from uring.seeds.api import SeedTriggers, openapi_document
from uring.seeds.holds import Holds
from uring.seeds.messages import OrchestrateRequest, SeedMessage
from uring.seeds.orchestrate import Run
from uring.seeds.partition import Partition
from uring.seeds.progress import PAUSED, STOPPED, Progress
from uring.tables import NOTHING, Write

OTHER = Partition("my", "edu", "2026-01-27")
DOMAINS = [f"site{number}.com" for number in range(30)]
_DOWN = FetchFailed("timeout", "no answer")


WorldOf = Callable[..., SeedWorld]


@pytest.fixture(params=[False, True], ids=["domains", "ranges"])
def world_of(request: pytest.FixtureRequest) -> WorldOf:
    """A world of either way of work."""
    return partial(_world_of, ranges=request.param)


def _world_of(
    *, stride: int = 10, domains: list[str] | None = None, ranges: bool = False
) -> SeedWorld:
    """A collection that was begun, and whose domains all answer."""
    world = SeedWorld(stride=stride, ranges=ranges)
    for domain in domains or DOMAINS:
        world.web.put(domain, b"User-agent: *\n")
    world.put(record(f"https://{domain}/") for domain in domains or DOMAINS)
    world.orchestrate(only=PARTITION)
    return world


def settle(world: SeedWorld, hours: int = 4) -> None:
    """Let both workers take what comes, for some hours."""
    for _ in range(6 * hours):
        world.read_files()
        world.collect()
        world.clock.advance(minutes=10)


def is_whole(world: SeedWorld) -> None:
    """Every domain is collected and counted once, and nothing waits."""
    status = world.status()
    assert (status.sent, status.settled, status.stopped) == (30, 30, 0)
    assert status.counts["collected"] == 30
    assert status.files == {"done": 1}
    assert all(map(world.is_marked, DOMAINS))
    queues = (world.seeds, world.domains, world.seed_letters, world.domain_letters)
    assert not any(each.messages for each in queues)
    assert asked(world) == dict.fromkeys(DOMAINS, 1)


def asked(world: SeedWorld) -> dict[str, int]:
    visits = [url.split("/")[2] for url in world.web.asked if url.endswith("/robots.txt")]
    return {domain: visits.count(domain) for domain in visits}


def test_a_paused_partition_asks_nobody_for_weeks_and_goes_on_whole(world_of: WorldOf) -> None:
    world = world_of()
    world.read_files()
    world.collect(most=1)
    world.progress.hold(PARTITION, PAUSED)
    for _ in range(24 * 25):
        world.collect()
        world.clock.advance(hours=1)
    assert len(asked(world)) == 10
    assert len(world.waiting()) == 20
    assert not world.domain_letters.messages
    world.progress.hold(PARTITION, "")
    settle(world)
    is_whole(world)


def test_a_domain_that_is_down_has_its_three_tries_behind_a_pause(world_of: WorldOf) -> None:
    world = world_of(domains=["dead.com"])
    world.web.answers.clear()
    world.web.put("dead.com", _DOWN)
    world.read_files()
    world.progress.hold(PARTITION, PAUSED)
    settle(world, hours=30)
    assert not world.domain_letters.messages
    assert not world.web.asked
    world.progress.hold(PARTITION, "")
    settle(world)
    assert len(world.domain_letters.messages) == 1
    assert asked(world)["dead.com"] >= 3


def test_a_paused_file_stops_at_its_next_checkpoint_and_goes_on_there(world_of: WorldOf) -> None:
    world = world_of()

    def pause(sent: int) -> None:
        if sent == (0 if world.ranges else 5):
            world.progress.hold(PARTITION, PAUSED)
            world.clock.advance(seconds=16)

    world.domain_sends.fails = pause
    world.read_files()
    assert len(world.sent()) == 10
    world.domain_sends.fails = lambda _: None
    settle(world, hours=24 * 12)
    assert (world.status().sent, world.seeds.depth(), len(world.waiting())) == (10, 1, 10)
    world.progress.hold(PARTITION, "")
    settle(world)
    is_whole(world)


def test_messages_of_a_stopped_partition_end_unasked_and_are_counted(world_of: WorldOf) -> None:
    world = world_of()
    world.read_files()
    world.collect(most=1)
    world.progress.hold(PARTITION, STOPPED)
    settle(world)
    status = world.status()
    assert (status.sent, status.settled, status.stopped) == (30, 10, 20)
    assert len(asked(world)) == 10
    assert sum(map(world.is_marked, DOMAINS)) == 10
    assert not world.domains.messages
    assert not world.domain_letters.messages


@pytest.mark.parametrize("minutes", [0, 1, 4, 6, 60])
def test_a_stopped_partition_is_sent_again_at_whatever_moment(
    world_of: WorldOf, minutes: int
) -> None:
    """The queue drops equal messages for five minutes; those of a new lap are not equal."""
    world = world_of()
    world.read_files()
    world.collect(most=1)
    world.progress.hold(PARTITION, STOPPED)
    world.collect()
    world.clock.advance(minutes=minutes)
    world.orchestrate(only=PARTITION, name="again")
    settle(world)
    is_whole(world)


@pytest.mark.parametrize("force", [False, True])
def test_a_remembered_stop_does_not_end_what_was_sent_since(
    world_of: WorldOf, *, force: bool
) -> None:
    """The same processes, seconds later: they remember a state for a quarter of a minute."""
    world = world_of()
    file_worker, domain_worker = world.file_worker, world.domain_worker

    def work() -> None:
        while batch := world.seeds.receive(1):
            file_worker.run(lambda_event(batch), time_left=lambda: PLENTY)
            world.seeds.delete(batch[0].receipt_handle)
        while batch := world.domains.receive():
            domain_worker.run(lambda_event(batch), time_left=lambda: PLENTY)
            for message in batch:
                world.domains.delete(message.receipt_handle)

    world.read_files()
    world.progress.hold(PARTITION, STOPPED)
    world.seeds.send("late", "late", world.seeds.accepted[0][1].body)
    work()
    world.clock.advance(seconds=5)
    world.orchestrate(only=PARTITION, name="again", force=force)
    work()
    is_whole(world)


def test_a_stopped_file_that_was_half_read_is_read_again(world_of: WorldOf) -> None:
    world = world_of()

    def stop(sent: int) -> None:
        if sent == (0 if world.ranges else 5):
            world.progress.hold(PARTITION, STOPPED)
            world.clock.advance(seconds=16)

    world.domain_sends.fails = stop
    settle(world)
    world.domain_sends.fails = lambda _: None
    assert (world.status().sent, world.status().stopped) == (10, 10)
    assert not world.seeds.messages
    world.orchestrate(only=PARTITION, name="again")
    settle(world)
    is_whole(world)


def test_a_domain_that_was_counted_and_not_marked_is_asked_again_and_counted_once(
    world_of: WorldOf,
) -> None:
    """The worker died between its count and its mark, or stalled; the partition was stopped."""
    world = world_of()
    world.read_files()
    world.collect()
    folder = f"processing/{PARTITION.path}/{DOMAINS[3]}/domain_metadata.json.success"
    world.bucket.remove(folder)
    (message,) = [each for each in world.sent() if each.registrable_domain == DOMAINS[3]]
    world.clock.advance(minutes=10)
    world.progress.hold(PARTITION, STOPPED)
    world.domains.send(message.group, "redelivered", message.body())
    world.collect()
    assert (world.status().settled, world.status().stopped) == (30, 0)
    assert not world.is_marked(DOMAINS[3])
    world.orchestrate(only=PARTITION, name="again")
    settle(world)
    assert (world.status().settled, world.status().stopped) == (30, 0)
    assert world.is_marked(DOMAINS[3])


def test_a_message_of_a_stopped_partition_whose_domain_is_marked_changes_nothing(
    world_of: WorldOf,
) -> None:
    world = world_of()
    world.read_files()
    world.collect()
    before = world.status()
    world.progress.hold(PARTITION, STOPPED)
    world.clock.advance(minutes=10)
    for message in world.sent():
        world.domains.send(message.group, f"again-{message.name}", message.body())
    world.collect()
    assert world.status().counts == before.counts


def test_only_a_request_that_names_it_goes_on_with_a_stopped_partition(world_of: WorldOf) -> None:
    world = world_of()
    world.bucket.plant(raw_path(1, OTHER), raw_file([record("https://other.com/")]))
    world.progress.hold(PARTITION, STOPPED)
    for filter_ in ({}, {"country": "sg"}, {"country": "sg", "category": "news"}):
        request = OrchestrateRequest.model_validate(filter_)
        done = world.orchestrator.run(Run("wide", request), lambda: True)
        assert done.held == {PARTITION.name: STOPPED}
        assert PARTITION.name not in done.partitions
    assert world.status().started.held == STOPPED
    done = world.orchestrate(only=PARTITION)
    assert (done.partitions, done.held) == ((PARTITION.name,), {})
    assert world.status().started.held == ""


def test_a_paused_partition_is_passed_over_by_every_orchestration(world_of: WorldOf) -> None:
    world = world_of()
    world.progress.hold(PARTITION, PAUSED)
    for force in (False, True):
        done = world.orchestrate(only=PARTITION, force=force, name=f"r{force}")
        assert (done.files, done.held) == (0, {PARTITION.name: PAUSED})
    assert world.status().started.held == PAUSED
    assert len(world.seeds.accepted) == 1


def test_the_api_names_what_it_passed_over(world_of: WorldOf) -> None:
    world = world_of()
    world.progress.hold(PARTITION, PAUSED)
    triggers = SeedTriggers(world.orchestrator, world.reporter, print, world.telemetry, days=0)
    event = {
        "version": "2.0",
        "routeKey": "POST /api/v1/seeds/orchestrate",
        "rawPath": "/api/v1/seeds/orchestrate",
        "rawQueryString": "",
        "headers": {"content-type": "application/json"},
        "requestContext": {
            "http": {"method": "POST", "path": "/api/v1/seeds/orchestrate"},
            "requestId": "a",
            "stage": "$default",
            "timeEpoch": 1_769_594_400_000,
        },
        "body": "{}",
        "isBase64Encoded": False,
    }
    said = json.loads(triggers.work(event, lambda: 800.0)["body"])
    assert said["held"] == {PARTITION.name: PAUSED}
    assert (said["files"], said["partitions"]) == (0, [])
    validate(openapi_document())


@pytest.mark.parametrize("order", [*permutations(("pause", "resume", "stop", "orchestrate"))])
def test_every_order_of_commands_ends_whole_behind_a_last_orchestration(
    world_of: WorldOf, order: tuple[str, ...]
) -> None:
    world = world_of()
    world.read_files()
    for number, command in enumerate(order):
        world.collect(most=1)
        world.clock.advance(seconds=16)
        if command == "orchestrate":
            world.orchestrate(only=PARTITION, name=f"run-{number}")
        else:
            state = {"pause": PAUSED, "resume": "", "stop": STOPPED}[command]
            world.progress.hold(PARTITION, state)  # type: ignore[arg-type]
        world.read_files()
    world.progress.hold(PARTITION, "")
    world.orchestrate(only=PARTITION, name="last")
    settle(world)
    is_whole(world)


def test_a_stopped_partition_stays_stopped_until_it_is_sent_again(world_of: WorldOf) -> None:
    world = world_of()
    world.progress.hold(PARTITION, STOPPED)
    for state in (PAUSED, ""):
        started = world.progress.hold(PARTITION, state)  # type: ignore[arg-type]
        assert started is not None
        assert started.held == STOPPED
    assert world.progress.hold(OTHER, PAUSED) is None


def test_what_another_release_keeps_of_a_partition_stays(world_of: WorldOf) -> None:
    """And a state that this one does not know lets its messages wait."""
    world = world_of()
    stored = world.table.get("partitions", PARTITION.name)
    item = {**(stored or NOTHING), "later": "kept", "held": "draining"}
    world.table.transact("partitions", [Write(PARTITION.name, item)])
    with pytest.raises(Postponed, match="draining"):
        Holds(world.progress, clock=world.clock).is_stopped(PARTITION, "first", 0)
    world.progress.hold(PARTITION, "")
    world.orchestrate(only=PARTITION, name="later")
    assert (world.table.get("partitions", PARTITION.name) or {})["later"] == "kept"


def test_an_item_of_the_release_before_is_a_partition_that_runs(world_of: WorldOf) -> None:
    world = world_of()
    item = {"epoch": "first", "started_at": "2026-03-02T01:00:00Z", "files": 1}
    world.table.transact("partitions", [Write(PARTITION.name, item)])
    started = Progress(world.table).started(PARTITION)
    assert started is not None
    assert (started.lap, started.missing, started.held) == (0, 0, "")
    message = SeedMessage.parse(world.seeds.accepted[0][1].body)
    old = json.loads(message.body())
    for name in ("lap", "run", "most"):
        del old[name]
    assert SeedMessage.parse(json.dumps(old)).lap == 0


def test_a_lap_that_the_release_before_forgot_is_read_to_its_end(world_of: WorldOf) -> None:
    """It stores a collection without its lap; the checkpoint of a half-read file has it."""
    world = world_of()
    world.progress.hold(PARTITION, STOPPED)
    settle(world)
    world.orchestrate(only=PARTITION, name="again")

    def roll_back(sent: int) -> None:
        if sent == (0 if world.ranges else 5):
            item = {"epoch": "first", "started_at": "2026-03-02T01:00:00Z", "files": 1}
            world.table.transact("partitions", [Write(PARTITION.name, item)])
            world.progress.hold(PARTITION, PAUSED)
            world.clock.advance(seconds=16)

    world.domain_sends.fails = roll_back
    world.read_files()
    world.domain_sends.fails = lambda _: None
    world.seeds.messages.clear()
    world.progress.hold(PARTITION, "")
    assert len(world.sent()) == 10
    world.orchestrate(only=PARTITION, name="forward")
    settle(world)
    is_whole(world)


def test_a_state_is_read_once_in_a_quarter_of_a_minute(world_of: WorldOf) -> None:
    world = world_of()
    reads: list[str] = []
    get = world.table.get

    def counted(partition: str, key: str) -> object:
        reads.append(key)
        return get(partition, key)

    world.table.get = counted  # type: ignore[method-assign, assignment]
    holds = Holds(world.progress, clock=world.clock)
    assert not any(holds.is_stopped(PARTITION, "first", 0) for _ in range(100))
    assert len(reads) == 1
    world.progress.hold(PARTITION, STOPPED)
    world.clock.advance(seconds=16)
    assert holds.is_stopped(PARTITION, "first", 0)
    assert holds.is_held(PARTITION)
