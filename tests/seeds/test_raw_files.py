"""A raw file becomes messages: once each, in bounded memory, from wherever it stopped (S3, S7)."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import chain

import pytest
from fakes.seeds import PARTITION, PLENTY, SeedWorld, raw_file, raw_path, record

from uring.errors import Unavailable
from uring.seeds.files.checkpoint import Checkpoint
from uring.seeds.files.seen import SeenDomains


def test_the_domains_of_a_file_are_remembered_up_to_a_bound() -> None:
    seen = SeenDomains(most_slots=1 << 13)
    hashes = [f"{number * 2654435761 % (1 << 64):016x}" for number in range(1, 6_001)]
    assert all(seen.add(each) for each in hashes)
    assert not any(seen.add(each) for each in hashes)
    assert len(seen) == 6_000
    later = [f"{number * 40503 + 7:016x}" for number in range(1, 3_000)]
    assert all(seen.add(each) for each in later)
    assert len(seen) == (1 << 13) * 3 // 4


def test_domains_that_begin_alike_are_not_one() -> None:
    seen = SeenDomains()
    assert seen.add("0" * 15 + "1" + "a" * 48)
    assert seen.add("1" + "0" * 63)
    assert seen.add("0" * 15 + "2")
    assert not seen.add("0" * 15 + "2")


def urls(start: int, stop: int) -> list[object]:
    return [record(f"https://site{number}.com/") for number in range(start, stop)]


def test_scenario_2_a_file_becomes_one_message_a_domain() -> None:
    world = SeedWorld()
    path = world.put(
        [
            record("https://www.mom.gov.sg/newsroom", domain_id="gov:sg:mom.gov.sg"),
            record("https://www.moh.gov.sg/news"),
            record("https://moh.gov.sg/about"),
        ]
    )
    world.orchestrate()
    assert world.read_files() == 1
    first, second = world.sent()
    assert first.domain_id == "gov:sg:mom.gov.sg"
    assert first.domain_url == "https://www.mom.gov.sg/newsroom"
    assert (first.source_file_path, first.record_index) == (path, 0)
    assert first.partition_info.partition == PARTITION
    assert (second.domain_id, second.authority) == ("gov:sg:moh.gov.sg", "gov")
    assert world.bucket.body(path + ".success") == b""
    assert world.status().records == {"records": 3, "domains": 2, "duplicates": 1, "refused": 0}


def strides_of(world: SeedWorld) -> list[int | None]:
    """The sent records, each stride in the order of the list: it is sent by the domains' hashes."""
    sent, stride = [message.record_index or 0 for message in world.sent()], world.stride
    return [
        index
        for start in range(0, len(sent), stride)
        for index in sorted(sent[start : start + stride])
    ]


def test_the_domains_of_one_hoster_are_sent_far_apart() -> None:
    """Twenty hosters, whose domains stand together in the list; a batch has ten messages."""
    world = SeedWorld(stride=2_000)
    names = [f"shop{number}-{hoster}.com" for hoster in range(20) for number in range(100)]
    world.put(record(f"https://{name}/") for name in names)
    world.orchestrate()
    world.read_files()
    sent = [message.registrable_domain for message in world.sent()]
    assert sorted(sent) == sorted(names)
    batches = [sent[start : start + 10] for start in range(0, len(sent), 10)]
    assert max(max(Counter(each.split("-")[1] for each in one).values()) for one in batches) <= 5


def test_a_file_that_was_read_costs_one_head() -> None:
    world = SeedWorld()
    path = world.put(urls(0, 3))
    world.orchestrate()
    world.read_files()
    calls, reads, sent = world.bucket.calls, world.bucket.reads, len(world.domains.accepted)
    calls.heads.clear()
    calls.opened.clear()
    calls.written.clear()
    world.clock.advance(hours=1)
    world.orchestrate()
    world.read_files()
    assert (calls.heads, calls.opened, calls.written) == ([path + ".success"], [], [])
    assert world.bucket.reads == reads
    assert len(world.domains.accepted) == sent


def test_force_reads_a_file_again_and_its_repeat_does_not() -> None:
    """The mark says which collection it is of, so that a message that comes twice reads once."""
    world = SeedWorld()
    world.put(urls(0, 3))
    world.orchestrate()
    world.read_files()
    world.clock.advance(hours=1)
    world.orchestrate(force=True, name="again")
    world.read_files()
    assert [message.epoch for message in world.sent()] == ["first"] * 3 + ["again"] * 3
    assert all(message.force for message in world.sent()[3:])
    world.clock.advance(hours=1)
    world.orchestrate(force=True, name="again")
    world.read_files()
    assert len(world.sent()) == 6


def test_bad_records_cost_themselves_alone() -> None:
    world = SeedWorld()
    world.put(
        [
            record("https://good.com/"),
            {"normalized_domain": "nourl.com"},
            "text",
            None,
            record("https://192.168.0.1/"),
            record("https://gov.sg/"),
            record("https://good\x00.com/"),
            record("https://fine.sg/"),
        ]
    )
    world.orchestrate()
    world.read_files()
    assert {message.registrable_domain for message in world.sent()} == {"good.com", "fine.sg"}
    assert world.status().records["refused"] == 6
    warned = world.telemetry.named("domain_extraction_failed")
    assert [line["record_index"] for line in warned] == [1, 2, 3, 4, 5, 6]
    assert world.telemetry.counts["RecordsRefused"] == 6


def test_a_file_that_breaks_off_is_partial() -> None:
    world = SeedWorld()
    world.bucket.plant(raw_path(), raw_file(urls(0, 5))[:-60])
    world.orchestrate()
    world.read_files()
    assert len(world.sent()) == 4
    assert world.status().files == {"partial": 1}
    assert raw_path() + ".success" not in world.bucket.bodies()
    assert world.telemetry.counts["FilesPartial"] == 1
    (done,) = world.telemetry.named("file_processing_complete")
    assert done["problem"] == "after record 4: the file ends within its list"


def test_a_file_that_broke_off_is_read_again_by_the_next_orchestration() -> None:
    world = SeedWorld()
    whole = raw_file(urls(0, 5))
    world.bucket.plant(raw_path(), whole[:-60])
    for body in (whole[:-60], whole):
        world.bucket.plant(raw_path(), body)
        world.orchestrate()
        world.read_files()
        world.clock.advance(hours=1)
    assert {message.record_index for message in world.sent()} == {*range(5)}
    assert world.status().files == {"done": 1}
    assert raw_path() + ".success" in world.bucket.bodies()


def test_a_file_that_still_breaks_off_sends_nothing_twice() -> None:
    world = SeedWorld()
    world.bucket.plant(raw_path(), raw_file(urls(0, 5))[:-60])
    for _ in range(3):
        world.orchestrate()
        world.read_files()
        world.clock.advance(hours=1)
    assert len(world.sent()) == 4
    assert world.status().files == {"partial": 1}
    assert world.status().records["domains"] == 4
    assert world.telemetry.counts["FilesPartial"] == 3


def test_what_an_earlier_release_lost_behind_a_bad_record_is_sent_now() -> None:
    """Its reading ended there, with a mark and a checkpoint that say so."""
    world = SeedWorld()
    world.bucket.plant(
        raw_path(), raw_file([*urls(0, 3), "BAD", *urls(3, 6)]).replace(b'"BAD"', b"?")
    )
    world.orchestrate()
    stored = world.bucket.get(raw_path())
    assert stored is not None
    etag = stored.etag
    old = Checkpoint(
        file_path=raw_path(),
        epoch="first",
        etag=etag,
        index=3,
        domains=3,
        is_done=True,
        problem="lexical error",
    )
    world.bucket.plant(
        f"state/seed_files/{PARTITION.name}/raw_0001.json",
        old.model_dump_json(by_alias=True).encode(),
    )
    world.bucket.write(
        raw_path() + ".success",
        b"",
        "text/plain",
        {"epoch": "first", "etag": etag, "status": "partial"},
    )
    world.read_files()
    assert [message.record_index for message in world.sent()] == [4, 5, 6]
    assert world.status().records == {"records": 7, "domains": 6, "duplicates": 0, "refused": 1}
    assert world.bucket.metadata[raw_path() + ".success"]["status"] == "done"


@pytest.mark.parametrize(
    ("meta", "said"),
    [
        ({"record_count": 3, "country": "SG", "category": "news"}, {}),
        ({"record_count": 5_000}, {"record_count": "5000, not 3"}),
        (
            {"country": "KR", "category": ["a"]},
            {"country": "KR, not sg", "category": "['a'], not news"},
        ),
        ({"country": None, "record_count": "3"}, {"country": "None, not sg"}),
    ],
)
def test_what_a_file_says_of_itself_is_compared(meta: dict[str, object], said: object) -> None:
    """A warning and a metric; the file is read all the same."""
    world = SeedWorld()
    world.bucket.plant(raw_path(), raw_file(urls(0, 3), **meta))
    world.orchestrate()
    world.read_files()
    found = [
        {name: value for name, value in line.items() if name in meta}
        for line in world.telemetry.named("file_mismatched")
    ]
    assert found == ([said] if said else [])
    assert world.telemetry.counts["FilesMismatched"] == bool(said)
    assert world.status().files == {"done": 1}


@pytest.mark.parametrize("body", [None, b"[]"])
def test_a_file_that_can_never_be_read_is_a_dead_letter_at_once(body: bytes | None) -> None:
    world = SeedWorld()
    world.put(urls(0, 3))
    world.orchestrate()
    world.bucket.remove(raw_path())
    if body is not None:
        world.bucket.plant(raw_path(), body)
    assert world.read_files() == 1
    (letter,) = world.seed_letters.messages
    assert json.loads(letter.body)["file_path"] == raw_path()
    assert letter.attributes["reason"]
    assert not world.seeds.messages
    assert world.status().files == {"failed": 1}


def test_what_is_left_of_a_file_is_handed_over() -> None:
    """A look at the clock behind each checkpoint: here there is never time for a second."""
    world = SeedWorld(stride=10)
    world.put(urls(0, 35))
    world.orchestrate()
    clock = iter(chain.from_iterable([100.0, 1.0] for _ in range(9)))
    assert world.read_files(time_left=lambda: next(clock)) == 4
    assert strides_of(world) == [*range(35)]
    assert world.status().records["domains"] == 35
    assert world.status().files == {"done": 1}
    assert len(world.telemetry.named("file_handed_over")) == 3
    assert not world.seeds.messages


def test_a_file_too_large_for_an_invocation_to_come_back_to_is_a_dead_letter() -> None:
    """It would be handed over for ever."""
    world = SeedWorld(stride=10, look=5)
    world.put(urls(0, 35))
    world.orchestrate()
    before = iter([100.0, *[50.0] * 4, 1.0])
    world.read_files(time_left=lambda: next(before), most=1)
    behind = iter([100.0, 1.0])
    world.read_files(time_left=lambda: next(behind))
    (letter,) = world.seed_letters.messages
    assert "split the file" in letter.attributes["reason"]
    assert world.status().files == {"failed": 1}


def test_a_death_sends_at_the_most_a_stride_again() -> None:
    world = SeedWorld(stride=10)
    world.put(urls(0, 35))
    world.orchestrate()

    def die(sent: int) -> None:
        if sent == 27:
            raise Unavailable("no answer")

    world.domain_sends.fails = die
    world.read_files()
    assert len(world.sent()) == 27
    world.domain_sends.fails = lambda _: None
    world.clock.advance(minutes=20)
    world.read_files()
    sent = [message.record_index for message in world.sent()]
    assert sent[20:27] == sent[27:34]
    del world.domains.accepted[20:27]
    assert strides_of(world) == [*range(35)]
    assert world.status().records["domains"] == 35


def test_the_queue_recognises_what_is_sent_again_within_five_minutes() -> None:
    world = SeedWorld(stride=10)
    world.put(urls(0, 15))
    world.orchestrate()

    def die(sent: int) -> None:
        if sent == 7:
            raise Unavailable("no answer")

    world.domain_sends.fails = die
    world.read_files()
    world.domain_sends.fails = lambda _: None
    world.clock.advance(minutes=2)
    world.read_files()
    assert strides_of(world) == [*range(15)]


def test_a_file_that_changed_is_read_from_its_beginning() -> None:
    world = SeedWorld(stride=10)
    world.put(urls(0, 30))
    world.orchestrate()

    def change(sent: int) -> None:
        if sent == 15:
            world.put(urls(100, 120))

    world.domain_sends.fails = change
    world.read_files()
    world.domain_sends.fails = lambda _: None
    assert world.status().files == {"reading": 1}
    world.clock.advance(minutes=20)
    world.read_files()
    assert {m.registrable_domain for m in world.sent()[30:]} == {
        f"site{number}.com" for number in range(100, 120)
    }
    assert world.status().records["domains"] == 20
    assert world.status().files == {"done": 1}


def test_a_listing_tells_of_a_file_that_became_another_one() -> None:
    world = SeedWorld()
    world.put(urls(0, 3))
    world.orchestrate()
    world.read_files()
    world.put(urls(0, 4))
    world.clock.advance(hours=1)
    world.orchestrate()
    world.read_files()
    assert world.status().records["domains"] == 4


def test_two_readers_of_one_file_do_not_both_go_on() -> None:
    """A pause longer than the visibility time-out: the second reader moves the checkpoint."""
    world = SeedWorld(stride=10)
    world.put(urls(0, 30))
    world.orchestrate()

    def another(sent: int) -> None:
        if sent == 15:
            world.domain_sends.fails = lambda _: None
            world.clock.advance(minutes=6)
            assert world.read_files() == 1

    world.domain_sends.fails = another
    world.read_files()
    (failed,) = world.telemetry.named("record_failed")
    assert "another worker reads this file" in failed["reason"]
    assert world.status().records["domains"] == 30
    assert {m.record_index for m in world.sent()} == {*range(30)}


def test_what_was_sent_of_a_file_that_fails_later_still_counts() -> None:
    """Else a collection is over while its domains wait."""
    world = SeedWorld(stride=10)
    world.put(urls(0, 40))
    world.orchestrate()
    world.read_files(time_left=lambda: 15.0 if world.domain_sends.sent else PLENTY, most=1)
    world.bucket.remove(raw_path())
    world.read_files()
    assert world.status().files == {"failed": 1}
    assert world.status().sent == len(world.sent()) == 10


def test_a_file_beyond_the_days_ceiling_is_held_and_goes_on_where_it_stopped() -> None:
    world = SeedWorld(stride=10, daily=25)
    path = world.put(urls(0, 35))
    world.orchestrate()
    world.read_files()
    assert strides_of(world) == [*range(20)]
    assert path + ".success" not in world.bucket.bodies()
    assert world.status().files == {"held": 1}
    assert world.status().sent == 20
    assert world.telemetry.counts["FilesHeld"] == 1
    (held,) = world.telemetry.named("file_held")
    assert "SeedDailyDomains" in held["reason"]
    assert not world.seeds.messages
    assert not world.seed_letters.messages
    # The same day has no room, the next one has.
    for hours in (1, 24):
        world.clock.advance(hours=hours)
        world.orchestrate()
        world.read_files()
    assert strides_of(world) == [*range(35)]
    assert world.status().files == {"done": 1}
    assert path + ".success" in world.bucket.bodies()


def test_files_of_a_day_share_its_ceiling_and_a_small_one_takes_what_is_left() -> None:
    world = SeedWorld(stride=10, daily=25)
    for number, stop in ((1, 12), (2, 14), (3, 3)):
        world.put(urls(100 * number, 100 * number + stop), number)
    world.orchestrate()
    world.read_files()
    assert world.status().files == {"done": 2, "held": 1}
    sent = {message.registrable_domain for message in world.sent()}
    assert sent == {
        f"site{number}.com" for number in (*range(100, 112), *range(200, 210), *range(300, 303))
    }


def test_a_stride_that_is_sent_again_counts_again() -> None:
    """A death between its messages and its checkpoint."""
    world = SeedWorld(stride=10, daily=20)
    world.put(urls(0, 30))
    world.orchestrate()

    def die(sent: int) -> None:
        if sent == 7:
            raise Unavailable("no answer")

    world.domain_sends.fails = die
    world.read_files()
    world.domain_sends.fails = lambda _: None
    world.clock.advance(minutes=20)
    world.read_files()
    sent = [message.record_index for message in world.sent()]
    assert (sent[:7], sorted(sent[7:])) == (sent[7:14], [*range(10)])
    assert world.status().files == {"held": 1}


def test_workers_that_take_at_once_never_pass_the_ceiling_together() -> None:
    world = SeedWorld()
    day = world.clock().date()
    with ThreadPoolExecutor(8) as pool:
        taken = [*pool.map(lambda _: world.progress.take(day, 10, 95), range(40))]
    assert (taken.count(None), taken.count("day")) == (9, 31)
    assert world.progress.take(day, 5, 95) is None
    assert world.progress.take(day, 1, 95) == "day"
    assert world.progress.take(day + timedelta(1), 96, 95) == "day"
