"""Every domain counts once, whatever is delivered twice, and the sums need no scan (S9)."""

from dataclasses import replace

import pytest
from fakes.clock import VirtualClock
from fakes.seeds import PARTITION
from fakes.tables import MemoryTable

from uring.errors import WriteConflict
from uring.seeds.counters import SHARDS, DomainCount
from uring.seeds.names import generate_domain_hash
from uring.seeds.progress import Progress
from uring.tables import Item

CLOCK = VirtualClock()


def counted(table: MemoryTable) -> dict[str, int]:
    status = Progress(table).status(PARTITION)
    assert status is not None
    return {name: amount for name, amount in status.counts.items() if amount}


@pytest.fixture
def table() -> MemoryTable:
    table = MemoryTable()
    Progress(table).start(PARTITION, None, 3, CLOCK())
    return table


def count(table: MemoryTable, domain: str, epoch: str = "first", **counts: int) -> None:
    digest = generate_domain_hash(domain)
    Progress(table).domains(PARTITION, epoch, [DomainCount(domain, digest, counts)])


def test_a_domain_counts_once(table: MemoryTable) -> None:
    for _ in range(3):
        count(table, "a.com", collected=1, urls=150)
    count(table, "b.com", collected=1)
    assert counted(table) == {"collected": 2, "urls": 150}


def test_a_domain_that_answers_at_last_leaves_the_unreachable(table: MemoryTable) -> None:
    count(table, "a.com", unreachable=1)
    assert counted(table) == {"unreachable": 1}
    count(table, "a.com", collected=1, urls=3)
    assert counted(table) == {"collected": 1, "urls": 3}


def test_a_forced_collection_counts_from_nothing(table: MemoryTable) -> None:
    count(table, "a.com", collected=1)
    Progress(table).start(PARTITION, "again", 3, CLOCK())
    assert counted(table) == {}
    count(table, "a.com", "again", collected=1)
    assert counted(table) == {"collected": 1}


def test_a_duplicate_counts_once_a_file(table: MemoryTable) -> None:
    digest = generate_domain_hash("a.com")
    for number in (2, 3, 2):
        path = f"datasets/x/raw_000{number}.json"
        Progress(table).duplicate(PARTITION, "first", "a.com", digest, path)
    assert counted(table) == {"duplicates": 2}


def test_the_sums_are_spread_over_shards(table: MemoryTable) -> None:
    for number in range(300):
        count(table, f"{number}.com", collected=1)
    shards = [key for _, key in table.items if key.startswith("count:")]
    assert SHARDS * 0.9 < len(shards) <= SHARDS
    assert counted(table) == {"collected": 300}


def test_who_is_overtaken_counts_what_is_left() -> None:
    """Another worker counts the same domain between our look and our write."""
    table = MemoryTable()
    Progress(table).start(PARTITION, None, 1, CLOCK())
    count(table, "a.com", unreachable=1)
    looked = table.get
    overtaken: list[str] = []

    def get(partition: str, key: str) -> Item | None:
        item = looked(partition, key)
        if key.startswith("domain:") and not overtaken:
            overtaken.append(key)
            count(table, "a.com", collected=1, urls=5)
        return item

    table.get = get  # type: ignore[method-assign]
    count(table, "a.com", collected=1, urls=7)
    assert overtaken
    assert counted(table) == {"collected": 1, "urls": 7}


def test_a_domain_that_is_new_costs_one_call(table: MemoryTable) -> None:
    looks: list[str] = []

    def get(_: str, key: str) -> Item | None:
        looks.append(key)
        return None

    table.get = get  # type: ignore[method-assign]
    count(table, "a.com", collected=1)
    assert looks == []


def test_who_is_overtaken_for_ever_says_so() -> None:
    table = MemoryTable()
    table.transact = lambda *_: False  # type: ignore[method-assign]
    with pytest.raises(WriteConflict):
        count(table, "a.com", collected=1)


def test_partitions_are_listed_with_their_collections(table: MemoryTable) -> None:
    ((partition, started),) = Progress(table).partitions()
    assert (partition, started.files, started.epoch) == (PARTITION, 3, "first")
    assert not [*Progress(table).partitions("my/")]
    assert Progress(MemoryTable()).status(PARTITION) is None


def test_what_is_settled_is_what_is_known_of_the_messages_that_were_sent(
    table: MemoryTable,
) -> None:
    for domain, counts in (("a", {"collected": 1}), ("b", {"unreachable": 1, "urls": 9})):
        count(table, f"{domain}.com", **counts)
    status = Progress(table).status(PARTITION)
    assert status is not None
    assert (status.sent, status.settled) == (0, 2)


def test_a_group_that_comes_again_counts_once() -> None:
    """A worker that died before its marks collects the whole group again."""
    table = MemoryTable()
    progress = Progress(table)
    progress.start(PARTITION, None, 1, VirtualClock()())
    group = [
        DomainCount(f"a{number}.com", f"{number:064x}", {"collected": 1, "urls": number}, "file id")
        for number in range(5)
    ]
    for _ in range(2):
        assert progress.domains(PARTITION, "first", group) == ["file id"] * 5
    # One domain under two ids.
    other = [replace(group[0], by="other"), replace(group[0], by="another")]
    assert progress.domains(PARTITION, "first", other) == ["file id"] * 2
    status = progress.status(PARTITION)
    assert status is not None
    assert {name: count for name, count in status.counts.items() if count} == {
        "collected": 5,
        "urls": 10,
    }
