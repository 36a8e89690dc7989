"""Domains that are spread over partition keys: eight keys share the writes, none counts twice."""

from collections import Counter
from collections.abc import Sequence

from fakes.clock import VirtualClock
from fakes.seeds import PARTITION, SeedWorld, record
from fakes.tables import MemoryTable

from uring.seeds.counters import SPREAD, DomainCount
from uring.seeds.messages import DomainMessage, PartitionInfo, SeedMessage
from uring.seeds.names import generate_domain_hash
from uring.seeds.progress import FIRST, Progress
from uring.tables import Add, Part

CLOCK = VirtualClock()
EPOCH = FIRST + SPREAD


class WrittenTable(MemoryTable):
    """A table that knows how many items were written at each partition key."""

    def __init__(self) -> None:
        super().__init__()
        self.written: Counter[str] = Counter()

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        self.written[partition] += len(parts)
        return super().transact(partition, parts)


def count(table: MemoryTable, domain: str, epoch: str, id_: str = "", **counts: int) -> None:
    digest = generate_domain_hash(id_ or f"com:sg:{domain}")
    Progress(table).domains(PARTITION, epoch, [DomainCount(domain, digest, counts, id_)])


def counted(table: MemoryTable) -> dict[str, int]:
    status = Progress(table).status(PARTITION)
    assert status is not None
    return {name: amount for name, amount in status.counts.items() if amount}


def started(table: MemoryTable, epoch: str | None = None, *, spreads: bool = True) -> str:
    return Progress(table, spreads=spreads).start(PARTITION, epoch, 1, CLOCK()).epoch


def test_one_key_takes_all_writes_and_spread_ones_an_eighth() -> None:
    """A key takes a thousand write units a second: 250 domains, or eight times as many."""
    for epoch, most in ((FIRST, 1.0), (EPOCH, 0.15)):
        table = WrittenTable()
        for number in range(2_000):
            count(table, f"site{number}.com", epoch, collected=1)
        assert max(table.written.values()) / table.written.total() <= most
        assert len(table.written) == (1 if epoch == FIRST else 8)
        assert table.written.total() == 4_000


def test_the_sums_are_those_of_all_keys() -> None:
    table = MemoryTable()
    assert started(table) == EPOCH
    for number in range(100):
        for _ in range(2):
            count(table, f"site{number}.com", EPOCH, collected=1, urls=3)
    assert counted(table) == {"collected": 100, "urls": 300}


def test_a_group_is_counted_by_its_keys_and_once() -> None:
    """A transaction has one partition key: a group is as many as it has keys."""
    table = WrittenTable()
    started(table)
    group = [
        DomainCount(f"site{number}.com", generate_domain_hash(str(number)), {"collected": 1})
        for number in range(25)
    ]
    count(table, "site3.com", EPOCH, unreachable=1)
    for _ in range(2):
        assert Progress(table).domains(PARTITION, EPOCH, group) == [""] * 25
    assert counted(table) == {"collected": 25}
    assert len([key for key in table.written if "#" in key]) > 4


def test_two_ids_of_one_domain_count_it_once() -> None:
    """The id is in the hash of a message; the domain's item has one place all the same."""
    table = MemoryTable()
    started(table)
    for number in range(20):
        for authority in ("gov", "org", "com"):
            count(table, f"x{number}.sg", EPOCH, f"{authority}:sg:x{number}.sg", collected=1)
    assert counted(table) == {"collected": 20}


def test_a_collection_keeps_the_keys_that_it_began_with() -> None:
    """An older one goes on at its key, a new or forced one is spread; and back."""
    table = MemoryTable()
    assert started(table, spreads=False) == FIRST
    count(table, "a.com", FIRST, collected=1)
    assert started(table) == FIRST
    count(table, "a.com", FIRST, collected=1)
    count(table, "b.com", FIRST, collected=1)
    assert counted(table) == {"collected": 2}

    forced = started(table, "again")
    assert forced == f"again{SPREAD}"
    assert started(table, "again") == forced
    count(table, "a.com", forced, collected=1)
    assert counted(table) == {"collected": 1}
    assert started(table, spreads=False) == forced
    assert started(table, "once-more", spreads=False) == "once-more"


def test_what_the_release_before_counts_at_one_key_is_in_the_sums() -> None:
    """It takes the epoch of a message as any name."""
    table = MemoryTable()
    started(table)
    count(table, "a.com", EPOCH, collected=1)
    table.transact(PARTITION.name, [Add(f"count:{EPOCH}:07", {"collected": 4})])
    assert counted(table) == {"collected": 5}


def test_a_spread_collection_is_collected_once_and_goes_on_without_force() -> None:
    world = SeedWorld()
    world.progress = Progress(world.table, spreads=True)
    world.put(record(f"https://site{number}.com/") for number in range(12))
    for number in range(12):
        world.web.put(f"site{number}.com", b"User-agent: *\n")
    world.orchestrate()
    (message,) = (SeedMessage.parse(each.body) for _, each in world.seeds.accepted)
    assert (message.epoch, message.force) == (EPOCH, False)
    world.read_files()
    world.collect()
    assert world.status().counts["collected"] == 12
    asked = len(world.web.asked)
    world.orchestrate(name="20260303T010000Z-00000000")
    world.read_files()
    world.collect()
    assert len(world.web.asked) == asked
    assert world.status().settled == world.status().sent == 12


def test_an_epoch_of_either_kind_is_one_of_a_message() -> None:
    longest = f"20260302T010000Z-00000000{SPREAD}"
    info = PartitionInfo.of(PARTITION)
    message = DomainMessage(
        domain_id="com:sg:a.com",
        domain_url="https://a.com/",
        registrable_domain="a.com",
        authority="com",
        partition_info=info,
        epoch=longest,
    )
    assert DomainMessage.parse(message.body()).epoch == longest
