"""A range of a raw file's domains: collected as one message a domain would be, and none lost."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes.seeds import PARTITION, SeedWorld, domains_of, raw_path, record, sitemap_of

from uring.errors import FetchFailed, MalformedMessage, NewerRelease, Unavailable
from uring.seeds.messages import DomainMessage
from uring.seeds.pace import MOST_DOMAINS
from uring.seeds.progress import PAUSED, STOPPED
from uring.seeds.ranges import RangeMessage, parse_work, ranges_of

NOW = datetime(2026, 3, 2, tzinfo=UTC)
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
        assert [each.first for each in ranges] == [each.domains[0].record_index for each in ranges]
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
        assert (rest.group, rest.part, rest.first) == (message.group, 1, message.first)
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
    assert (sorted(each.domain_id for each in work.domains), work.tries) == (
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


def test_the_next_try_waits_no_longer_than_the_queue_hides_a_message() -> None:
    """Whatever time a message names."""
    (body,) = bodies(world_of(1))
    world = SeedWorld()
    world.domains.send("g", "n", json.dumps({**json.loads(body), "due_at": "2999-01-01T00:00:00Z"}))
    world.collect()
    (message,) = world.domains.messages
    assert message.visible_at is not None
    assert (message.visible_at - world.clock()).total_seconds() == 42_900


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
        world.web.put(name(number), ROBOTS, sitemap_of(1) + b" " * 900_000)
    transactions = len(world.table.history)
    world.collect()
    assert [len(parts) for _, parts in world.table.history[transactions:]] == [4, 4]


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


def test_a_pause_in_the_middle_of_a_range_puts_the_rest_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = world_of(40)
    fetch = world.web.fetch

    def pause(request: Any) -> Any:
        if len(world.web.asked) == 30:
            world.progress.hold(PARTITION, PAUSED)
            world.clock.advance(seconds=16)
        return fetch(request)

    monkeypatch.setattr(world.web, "fetch", pause)
    world.collect()
    collected = counts(world)["collected"]
    asked = len(world.web.asked)
    assert 0 < collected < 40
    # For days: no try is used up, and nobody is asked.
    for _ in range(24 * 12):
        world.collect()
        world.clock.advance(hours=1)
    assert (len(world.web.asked), len(world.domains.messages)) == (asked, 1)
    world.progress.hold(PARTITION, "")
    settle(world)
    assert counts(world)["collected"] == 40
    assert all(visits(world, name(number)) == 1 for number in range(40))
    assert not world.domains.messages


def test_a_paused_range_asks_for_no_mark() -> None:
    world = world_of(40)
    world.progress.hold(PARTITION, PAUSED)
    heads = len(world.bucket.calls.heads)
    world.collect()
    assert len(world.bucket.calls.heads) == heads


def test_a_stop_in_the_middle_of_a_range_ends_the_rest_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = world_of(40)
    fetch = world.web.fetch

    def stop(request: Any) -> Any:
        if len(world.web.asked) == 30:
            world.progress.hold(PARTITION, STOPPED)
            world.clock.advance(seconds=16)
        return fetch(request)

    monkeypatch.setattr(world.web, "fetch", stop)
    settle(world)
    found = counts(world)
    assert found["collected"] + found["stopped"] == 40
    assert 0 < found["stopped"] < 40
    assert sum(world.is_marked(name(number)) for number in range(40)) == found["collected"]
    assert not world.domains.messages


def test_domains_without_a_turn_wait_a_minute_together_and_hold_no_other() -> None:
    world = world_of(5)
    for number in (1, 3):
        world.web.put(name(number), FetchFailed("busy_host", "no turn"))
    for _ in range(20):
        world.collect()
        world.clock.advance(seconds=61)
    assert counts(world) == {**counts(world), "collected": 3}
    (message,) = world.domains.messages
    work = parse_work(message.body)
    assert isinstance(work, RangeMessage)
    assert (len(work.domains), work.tries) == (2, 0)
    assert visits(world, name(1)) > 8
    assert not world.domain_letters.messages
    for number in (1, 3):
        world.web.put(name(number), ROBOTS, sitemap_of(1))
    settle(world)
    assert counts(world)["collected"] == 5


def test_the_next_try_is_when_the_site_wants_it() -> None:
    world = world_of(4)
    for number, seconds in ((1, 7_200.0), (2, 7_000.0), (3, None)):
        failed = FetchFailed("http_status", "", status=503, retry_after=seconds)
        world.web.put(name(number), failed)
    world.collect()
    # Two ask for about the same.
    assert sorted(len(domains_of(each)) for each in bodies(world)) == [1, 2]
    for number in (1, 2, 3):
        world.web.put(name(number), ROBOTS, sitemap_of(1))
    world.clock.advance(seconds=901)
    world.collect()
    assert counts(world)["collected"] == 2
    world.clock.advance(seconds=7_200 - 903)
    world.collect()
    assert counts(world)["collected"] == 2
    world.clock.advance(seconds=4)
    world.collect()
    assert counts(world)["collected"] == 4
    assert [visits(world, name(number)) for number in range(4)] == [1, 2, 2, 2]


def test_a_lap_is_in_every_message_of_a_range() -> None:
    message = parse_work(bodies(world_of(3))[0])
    assert isinstance(message, RangeMessage)
    later = message.model_copy(update={"lap": 2})
    assert {each.lap for each in later.messages()} == {2}
    # What was dropped minutes ago is sent again.
    assert later.name != message.name
    assert later.next_try([later.domains[0].domain_id], NOW).lap == 2
