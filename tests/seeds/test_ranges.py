"""A range of a raw file's domains: collected as one message a domain would be, and none lost."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fakes.seeds import PARTITION, SeedWorld, raw_path, record, sitemap_of

from uring.errors import FetchFailed, MalformedMessage, NewerRelease, Unavailable
from uring.seeds.messages import DomainMessage
from uring.seeds.ranges import MOST_DOMAINS, RangeMessage, parse_work, ranges_of

ROBOTS = b"User-agent: *\nAllow: /\n"
DOWN = FetchFailed("timeout", "the answer was not complete in time")


def name(number: int) -> str:
    return f"site{number}.com"


def world_of(domains: int, **more: Any) -> SeedWorld:
    """A world with a raw file of so many domains, sent as ranges."""
    world = SeedWorld(ranges=True, **more)
    for number in range(domains):
        world.web.put(name(number), ROBOTS, sitemap_of(number + 1))
    world.put(record(f"https://www.{name(number)}/x") for number in range(domains))
    world.orchestrate()
    world.read_files()
    return world


def settle(world: SeedWorld) -> None:
    """Let every try of every message come."""
    for _ in range(5):
        world.collect()
        world.clock.advance(minutes=16)


def counts(world: SeedWorld) -> dict[str, int]:
    return {each: amount for each, amount in world.status().counts.items() if amount}


def bodies(world: SeedWorld) -> list[str]:
    return [message.body for message in world.domains.messages]


def results(world: SeedWorld) -> dict[str, Any]:
    """The stored results, without the times of the clock."""
    found = world.bucket.bodies()
    return {key: body for key, body in found.items() if "country=" in key and "datasets" not in key}


def visits(world: SeedWorld, domain: str) -> int:
    return world.web.asked.count(f"https://{domain}/robots.txt")


class TestMessage:
    def test_a_range_has_two_hundred_domains(self) -> None:
        world = world_of(450)
        ranges = [RangeMessage.parse(body) for body in bodies(world)]
        assert [len(each.domains) for each in ranges] == [MOST_DOMAINS, MOST_DOMAINS, 50]
        assert [each.first for each in ranges] == [0, 200, 400]
        assert len({each.group for each in ranges}) == 3
        assert (world.status().sent, len(world.sent())) == (450, 450)

    def test_it_names_what_one_message_a_domain_would_name(self) -> None:
        world, other = world_of(3), SeedWorld()
        other.put(record(f"https://www.{name(number)}/x") for number in range(3))
        other.orchestrate()
        other.read_files()
        assert world.sent() == other.sent()

    def test_long_addresses_make_shorter_ranges(self) -> None:
        world = SeedWorld(ranges=True)
        world.put(record(f"https://{name(number)}/{'x' * 4_000}") for number in range(20))
        world.orchestrate()
        world.read_files()
        assert max(map(len, bodies(world))) < 30_000
        assert len(world.sent()) == 20

    def test_a_release_without_ranges_lets_it_wait(self) -> None:
        (body,) = bodies(world_of(1))
        with pytest.raises(NewerRelease):
            DomainMessage.parse(body)

    def test_one_of_a_newer_release_waits(self) -> None:
        (body,) = bodies(world_of(1))
        with pytest.raises(NewerRelease):
            parse_work(json.dumps({**json.loads(body), "version": 3, "domains": "many"}))

    def test_a_rest_keeps_the_group_and_the_keys_of_another_release(self) -> None:
        (body,) = bodies(world_of(3))
        message = RangeMessage.parse(json.dumps({**json.loads(body), "later": [1]}))
        rest = message.rest(["com:sg:site1.com", "com:sg:site2.com"])
        assert (rest.group, rest.part, rest.first) == (message.group, 1, 0)
        assert json.loads(rest.body())["later"] == [1]
        assert len({rest.name, message.name, rest.rest(["com:sg:site2.com"]).name}) == 3

    @pytest.mark.parametrize(
        "change",
        [
            {"domains": []},
            {"domains": [{"domain_id": "com:sg:nodot", "domain_url": "x"}]},
            {"domains": [{"domain_id": "com:sg:a.com"}]},
            {"first": -1},
            {"partition_info": {}},
            {"source_file_path": ""},
        ],
    )
    def test_a_malformed_one_is_refused(self, change: dict[str, Any]) -> None:
        (body,) = bodies(world_of(1))
        with pytest.raises(MalformedMessage):
            parse_work(json.dumps({**json.loads(body), **change}))

    @pytest.mark.parametrize("body", ['"range"', '["range"]', '{"kind": "range"', "[" * 99_999])
    def test_what_is_no_range_is_read_as_a_domain(self, body: str) -> None:
        with pytest.raises(MalformedMessage, match="DomainMessage"):
            parse_work(body)

    def test_no_domain_makes_no_range(self) -> None:
        assert ranges_of([]) == []


@pytest.mark.parametrize("sockets", [1, 8])
def test_a_range_leaves_what_one_message_a_domain_leaves(sockets: int) -> None:
    world, other = world_of(12, sockets=sockets), SeedWorld()
    other.web = world.web
    other.put(record(f"https://www.{name(number)}/x") for number in range(12))
    other.orchestrate()
    other.read_files()
    world.collect()
    other.collect()
    assert results(world) == results(other)
    assert counts(world) == counts(other)
    assert not world.domains.messages
    assert all(visits(world, name(number)) == 2 for number in range(12))


def test_a_domain_of_two_ranges_is_a_duplicate() -> None:
    world = world_of(3)
    world.put([record("https://site1.com/"), record("https://site9.com/")], 2)
    world.orchestrate()
    world.read_files()
    world.collect()
    settle(world)
    assert (counts(world)["collected"], counts(world)["duplicates"]) == (4, 1)
    assert world.status().settled == world.status().sent == 5
    assert visits(world, "site1.com") == 1


def test_a_domain_under_two_ids_of_one_range_is_asked_once() -> None:
    world = SeedWorld(ranges=True)
    world.web.put("a.com", ROBOTS, sitemap_of(1))
    world.put([record("https://a.com/"), record("https://a.com/", source_type="org")])
    world.orchestrate()
    world.read_files()
    world.collect(most=1)
    # Its group is the domain's.
    assert [message.group for message in world.domains.messages] == ["a.com"]
    settle(world)
    assert (counts(world)["collected"], counts(world)["duplicates"]) == (1, 1)
    assert visits(world, "a.com") == 1


def test_silent_domains_wait_together_and_have_three_tries() -> None:
    world = world_of(5)
    for number in (1, 3):
        world.web.put(name(number), DOWN)
    world.collect(most=1)
    (message,) = world.domains.messages
    work = parse_work(message.body)
    assert isinstance(work, RangeMessage)
    assert ([each.domain_id for each in work.domains], work.tries) == (
        ["com:sg:site1.com", "com:sg:site3.com"],
        1,
    )
    for tries in (1, 2, 3, 3):
        world.collect()
        assert (visits(world, "site3.com"), visits(world, "site1.com")) == (tries, tries)
        world.clock.advance(minutes=14)
        world.collect()
        assert visits(world, "site3.com") == tries
        world.clock.advance(minutes=2)
    assert not world.domains.messages
    assert (counts(world)["collected"], counts(world)["unreachable"]) == (3, 2)
    assert world.metadata("site1.com")["robots"]["outcome"] == "unreachable_network"
    assert not world.is_marked("site1.com")
    letters = world.domain_letters.messages
    assert all("3 tries" in letter.attributes["reason"] for letter in letters)
    # Each is redriven by itself.
    redriven = [DomainMessage.parse(letter.body).registrable_domain for letter in letters]
    assert sorted(redriven) == ["site1.com", "site3.com"]
    assert "RecordsFailed" not in world.telemetry.counts


def test_the_next_try_waits_no_longer_than_its_pause() -> None:
    """Whatever time a message names."""
    (body,) = bodies(world_of(1))
    world = SeedWorld()
    world.domains.send("g", "n", json.dumps({**json.loads(body), "due_at": "2999-01-01T00:00:00Z"}))
    world.collect()
    (message,) = world.domains.messages
    assert message.visible_at is not None
    assert (message.visible_at - world.clock()).total_seconds() == 900


def test_a_silent_domain_that_answers_later_is_collected() -> None:
    world = world_of(2)
    world.web.put("site1.com", DOWN)
    world.collect()
    world.web.put("site1.com", ROBOTS, sitemap_of(2))
    settle(world)
    assert counts(world)["collected"] == 2
    assert not world.domain_letters.messages


def test_a_bug_costs_its_own_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    world = world_of(4)
    fetch = world.web.fetch

    def fail(request: Any) -> Any:
        if "site2" in request.url:
            raise RuntimeError("a bug")
        return fetch(request)

    monkeypatch.setattr(world.web, "fetch", fail)
    settle(world)
    assert counts(world)["collected"] == 3
    (letter,) = world.domain_letters.messages
    assert "RuntimeError: a bug" in letter.attributes["reason"]


def running_out(of: int) -> Callable[[], float]:
    """Time for the batch and for so many domains of a range."""
    answers = iter([1_000.0] * (of + 1))
    return lambda: next(answers, 1.0)


def test_what_there_is_no_time_for_goes_on_as_a_range() -> None:
    world = world_of(10)
    world.collect(time_left=running_out(4), most=1)
    (message,) = world.domains.messages
    rest = parse_work(message.body)
    assert isinstance(rest, RangeMessage)
    assert (len(rest.domains), rest.part) == (6, 1)
    settle(world)
    assert counts(world)["collected"] == 10
    assert all(visits(world, name(number)) == 1 for number in range(10))


def test_an_outage_of_ours_makes_the_range_again_and_asks_only_what_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = world_of(60)
    write = world.bucket.write

    def fail(key: str, *arguments: Any) -> None:
        if key.endswith("site2.com/domain_metadata.json"):
            raise Unavailable("no answer")
        write(key, *arguments)

    with monkeypatch.context() as broken:
        broken.setattr(world.bucket, "write", fail)
        world.collect(most=1)
    assert len(world.domains.messages) == 1
    settle(world)
    assert counts(world)["collected"] == 60
    assert not world.domain_letters.messages
    # Those of one group; copies of their robots.txt are there.
    assert sum(url.endswith("/sitemap.xml") for url in world.web.asked) == 60 + 25
    assert sum(url.endswith("/robots.txt") for url in world.web.asked) == 60


def test_a_group_is_counted_in_one_transaction() -> None:
    world = world_of(60)
    transactions = len(world.table.history)
    world.collect()
    parts = [len(parts) for _, parts in world.table.history[transactions:]]
    assert parts == [26, 26, 11]
    assert counts(world)["urls"] == sum(range(1, 61))


def test_large_bodies_do_not_wait_for_a_full_group() -> None:
    """A worker has the memory of its groups."""
    world = world_of(6)
    for number in range(6):
        world.web.put(name(number), ROBOTS, sitemap_of(1) + b" " * 1_500_000)
    transactions = len(world.table.history)
    world.collect()
    assert [len(parts) for _, parts in world.table.history[transactions:]] == [3, 3, 3]


def test_a_range_that_kills_its_workers_is_divided() -> None:
    """The queue's own limit would put all of it on the dead-letter queue, without a reason."""
    world = world_of(3)
    for _ in range(3):
        assert world.domains.receive(10)
        world.clock.advance(minutes=16)
    world.collect(most=1)
    assert len(world.domains.messages) == 3
    settle(world)
    assert counts(world)["collected"] == 3


def test_a_forced_range_collects_again_once() -> None:
    world = world_of(2)
    world.collect()
    world.clock.advance(hours=1)
    world.orchestrate(force=True)
    world.read_files()
    settle(world)
    assert all(visits(world, name(number)) == 2 for number in range(2))
    assert world.metadata(name(0))["epoch"] != "first"
    assert world.progress.status(PARTITION) is not None
    assert counts(world)["collected"] == 2


def test_a_file_that_changed_meanwhile_costs_no_domain_that_was_sent() -> None:
    """As with one message a domain; the file's new domains come with its next reading."""
    world = world_of(2)
    world.put([record("https://other.com/")])
    world.collect()
    assert counts(world)["collected"] == 2
    assert world.metadata(name(0))["source"]["raw_file_path"] == raw_path()
