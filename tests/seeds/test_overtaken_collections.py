"""Collections that overtake each other: forced ones, stalled workers, redriven messages."""

from datetime import timedelta
from itertools import chain

import pytest
from fakes.clock import VirtualClock
from fakes.seeds import PARTITION, SeedWorld, folder, raw_path, record, sitemap_of
from fakes.tables import MemoryTable

from uring.errors import FetchFailed, WriteConflict
from uring.seeds.counters import DomainCount
from uring.seeds.messages import DomainMessage
from uring.seeds.partition import Partition
from uring.seeds.progress import Progress
from uring.tables import Item

ROBOTS = b"User-agent: *\nAllow: /\nSitemap: https://a.com/sitemap.xml\n"
DOWN = FetchFailed("timeout", "no answer")
CLOCK = VirtualClock()


def figures(status: str = "done", records: int = 9) -> Item:
    return {
        "status": status,
        "records": records,
        "domains": 8,
        "duplicates": 1,
        "refused": 0,
    }


def files_of(table: MemoryTable) -> dict[str, int]:
    status = Progress(table).status(PARTITION)
    assert status is not None
    return dict(status.files)


def settled(world: SeedWorld) -> tuple[int, int]:
    return world.status().sent, world.status().settled


def collect(world: SeedWorld, rounds: int = 4) -> None:
    for _ in range(rounds):
        world.read_files()
        world.collect()
        world.clock.advance(minutes=16)


def test_figures_from_before_a_stall_replace_no_newer_ones() -> None:
    table = MemoryTable()
    progress = Progress(table)
    progress.start(PARTITION, None, 1, CLOCK())
    progress.file(PARTITION, "first", 1, figures(), CLOCK() + timedelta(minutes=6))
    progress.file(PARTITION, "first", 1, figures("reading", 3), CLOCK())
    progress.file_failed(PARTITION, "first", 1, "gone", CLOCK())
    assert files_of(table) == {"done": 1}


def test_figures_that_come_between_look_and_write_are_seen() -> None:
    table = MemoryTable()
    progress = Progress(table)
    progress.start(PARTITION, None, 1, CLOCK())
    progress.file(PARTITION, "first", 1, figures("reading", 1), CLOCK())
    looked, overtaken = table.get, list[str]()

    def get(partition: str, key: str) -> Item | None:
        item = looked(partition, key)
        if not overtaken:
            overtaken.append(key)
            progress.file(PARTITION, "first", 1, figures(), CLOCK() + timedelta(minutes=6))
        return item

    table.get = get  # type: ignore[method-assign]
    progress.file(PARTITION, "first", 1, figures("reading", 3), CLOCK())
    assert overtaken
    assert files_of(table) == {"done": 1}


def test_who_is_overtaken_for_ever_says_so() -> None:
    table = MemoryTable()
    table.transact = lambda *_: False  # type: ignore[method-assign]
    with pytest.raises(WriteConflict, match="came first in every try"):
        Progress(table).start(PARTITION, None, 1, CLOCK())
    with pytest.raises(WriteConflict, match="came first in every try"):
        Progress(table).file(PARTITION, "first", 1, figures(), CLOCK())


def test_a_run_without_force_does_not_undo_a_forced_one_beside_it() -> None:
    table = MemoryTable()
    progress = Progress(table)
    progress.start(PARTITION, None, 1, CLOCK())
    looked, overtaken = table.get, list[str]()

    def get(partition: str, key: str) -> Item | None:
        item = looked(partition, key)
        if not overtaken:
            overtaken.append(key)
            progress.start(PARTITION, "forced", 1, CLOCK())
        return item

    table.get = get  # type: ignore[method-assign]
    assert progress.start(PARTITION, None, 1, CLOCK()).epoch == "forced"
    assert progress.is_current(PARTITION, "forced")


def test_a_forced_collection_takes_over_a_file_that_is_handed_over() -> None:
    """What is handed over comes behind the forced message; they must not take turns."""
    world = SeedWorld(stride=2)
    world.put([record(f"https://site{number}.com/") for number in range(7)])
    world.orchestrate()
    clock = chain.from_iterable([100.0, 1.0] for _ in range(30))
    assert world.read_files(time_left=lambda: next(clock), most=1) == 1
    world.orchestrate(force=True, name="forced")
    assert world.read_files(time_left=lambda: next(clock), most=20) < 10
    assert not world.seeds.messages
    assert len(world.telemetry.named("file_superseded")) == 1
    forced = [m.record_index for m in world.sent() if m.epoch == "forced"]
    assert sorted(index or 0 for index in forced) == [*range(7)]
    assert world.status().files == {"done": 1}


def test_a_stalled_reader_of_the_older_file_leaves_the_newer_ones_checkpoint() -> None:
    world = SeedWorld(stride=1)
    world.put([record("https://old.com/"), record("https://older.com/")])
    world.orchestrate()
    read, stalled = world.bucket.get, list[str]()

    def get(key: str) -> object:
        if key.startswith("state/") and not stalled:
            stalled.append(key)
            world.put([record("https://new.com/"), record("https://more.com/")])
            world.clock.advance(minutes=6)
            world.read_files()
        return read(key)

    world.bucket.get = get  # type: ignore[method-assign,assignment]
    world.read_files()
    assert stalled
    (line,) = world.telemetry.named("record_failed")
    assert line["error"] == "RawFileChanged"
    assert world.status().files == {"done": 1}
    assert world.status().records["domains"] == 2
    assert [message.registrable_domain for message in world.sent()] == ["new.com", "more.com"]


def test_two_ids_of_one_domain_settle_both_messages() -> None:
    world = SeedWorld()
    world.web.put("a.com", ROBOTS, sitemap_of(1))
    world.put([record("https://a.com/"), record("https://a.com/", source_type="org")])
    world.orchestrate()
    collect(world)
    assert settled(world) == (2, 2)
    assert world.status().counts["collected"] == 1
    assert world.web.asked.count("https://a.com/robots.txt") == 1


def test_every_message_about_a_domain_that_stays_down_is_settled_once() -> None:
    world = SeedWorld()
    world.web.put("a.com", DOWN)
    for number in (1, 2, 3):
        world.put([record("https://a.com/")], number)
    world.orchestrate()
    collect(world, 8)
    assert len(world.domain_letters.messages) == 3
    assert settled(world) == (3, 3)
    assert world.status().counts["unreachable"] == 1
    world.web.put("a.com", ROBOTS, sitemap_of(1))
    world.clock.advance(hours=2)
    # The second letter comes first.
    for letter in world.domain_letters.messages[::-1]:
        world.domains.send(letter.group, f"again-{letter.message_id}", letter.body)
    collect(world)
    assert settled(world) == (3, 3)
    assert world.status().counts["collected"] == 1
    assert not world.status().counts["unreachable"]
    mark = world.bucket.metadata[f"{folder('a.com')}/domain_metadata.json.success"]
    assert (mark["file"], mark["domain_id"]) == (raw_path(1), "com:sg:a.com")


def test_a_mark_of_an_earlier_release_tells_its_file_alone() -> None:
    world = SeedWorld()
    world.web.put("a.com", ROBOTS, sitemap_of(1))
    key = f"{folder('a.com')}/domain_metadata.json.success"
    world.bucket.write(key, b"", "text/plain", {"epoch": "first", "file": raw_path(1)})
    world.put([record("https://a.com/")], 1)
    world.put([record("https://a.com/")], 2)
    world.orchestrate()
    collect(world)
    assert world.status().counts == {"duplicates": 1}


def in_partitions(world: SeedWorld, *, force: bool, epoch: str) -> None:
    """Send the messages of three partitions about one domain."""
    for category in ("news", "policy", "trade"):
        info = {"country": "sg", "category": category, "date": "2026-01-28"}
        message = DomainMessage.model_validate(
            {
                "domain_id": "com:sg:a.com",
                "domain_url": "https://a.com/",
                "registrable_domain": "a.com",
                "authority": "com",
                "partition_info": info,
                "source_file_path": raw_path(1, Partition(**info)),
                "force": force,
                "epoch": epoch,
            }
        )
        world.domains.send(message.group, message.name, message.body())


def test_the_partitions_that_wait_together_share_one_collection() -> None:
    """Each alone may take 45 s: those behind would be received too often and never tried."""
    world = SeedWorld()
    world.web.put("a.com", ROBOTS, sitemap_of(5))
    in_partitions(world, force=False, epoch="first")
    assert world.collect() == 1
    assert world.web.asked == ["https://a.com/robots.txt", "https://a.com/sitemap.xml"]
    marks = [key for key in world.bucket.bodies() if key.endswith(".success")]
    assert len(marks) == 3
    world.clock.advance(hours=1)
    in_partitions(world, force=True, epoch="forced")
    assert world.collect() == 1
    assert world.web.asked == ["https://a.com/robots.txt", "https://a.com/sitemap.xml"] * 2


def test_a_forced_collection_takes_no_copy_of_an_earlier_one() -> None:
    world = SeedWorld()
    world.web.put("a.com", ROBOTS, sitemap_of(5))
    for epoch in ("older", "newer"):
        in_partitions(world, force=True, epoch=epoch)
        world.collect()
    assert world.web.asked.count("https://a.com/robots.txt") == 2


def test_the_messages_that_wait_together_ask_a_dead_domain_once_a_try() -> None:
    """The first try may take an hour's copy; each later one asks, for all of them."""
    world = SeedWorld()
    world.web.put("a.com", DOWN)
    for number in (1, 2, 3):
        world.put([record("https://a.com/")], number)
    world.orchestrate()
    collect(world)
    assert len(world.domain_letters.messages) == 3
    assert world.web.asked.count("https://a.com/robots.txt") == 3


def test_an_outage_costs_no_earlier_result() -> None:
    """A forced collection of a domain that is down by now: the mark still vouches for metadata."""
    world = SeedWorld()
    world.web.put("a.com", ROBOTS, sitemap_of(5))
    world.put([record("https://a.com/")])
    world.orchestrate()
    collect(world)
    before = world.metadata("a.com")
    world.web.put("a.com", DOWN)
    world.orchestrate(force=True, name="forced")
    collect(world)
    assert world.metadata("a.com") == before
    assert world.is_marked("a.com")
    assert world.status().counts["unreachable"] == 1
    (letter,) = world.domain_letters.messages
    assert "unreachable_network" in letter.attributes["reason"]


def test_a_message_of_an_older_collection_adds_nothing_to_a_newer_one() -> None:
    world = SeedWorld()
    world.web.put("a.com", DOWN)
    world.put([record("https://a.com/")])
    world.orchestrate(force=True, name="older")
    collect(world)
    (letter,) = world.domain_letters.messages
    world.web.put("a.com", ROBOTS, sitemap_of(5))
    world.orchestrate(force=True, name="newer")
    collect(world)
    before, asked = world.metadata("a.com"), len(world.web.asked)
    assert before["epoch"] == "newer"
    world.domains.send(letter.group, "again", letter.body)
    collect(world)
    assert world.metadata("a.com") == before
    assert len(world.web.asked) == asked
    assert settled(world) == (1, 1)


def test_an_older_message_does_not_take_the_newer_ones_count() -> None:
    table = MemoryTable()
    progress = Progress(table)
    progress.start(PARTITION, "newer", 1, CLOCK())
    for epoch in ("newer", "older", "newer"):
        progress.domains(
            PARTITION, epoch, [DomainCount("a.com", "0" * 64, {"collected": 1}, epoch)]
        )
    status = progress.status(PARTITION)
    assert status is not None
    assert status.counts == {"collected": 1}
