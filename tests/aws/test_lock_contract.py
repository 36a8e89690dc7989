"""Locks keep their promises on DynamoDB as on the fake: real threads, and processes where named.

URING_CONTRACT_DYNAMODB=http://127.0.0.1:8000 pytest tests/aws/test_lock_contract.py
"""

import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import elsewhere
import pytest
from fakes.tables import MemoryTable
from test_tables import create

from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.locks import FoundValue, Lease, LeaseLost, Locks, Once, conflicts, write
from uring.tables import Part, Table, Write

ROOT = "page"
THREADS, TURNS = 8, 5
PATHS = [(), ("p",), ("p", "1"), ("p", "12")]


class OneAtATime:
    """A client whose calls do not overlap: moto's transactions of several threads break each other.

    Their order among threads is as open as before.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._turn = threading.Lock()

    def __getattr__(self, name: str) -> Any:
        def call(**arguments: Any) -> Any:
            with self._turn:
                return getattr(self._client, name)(**arguments)

        return call


@pytest.fixture(params=elsewhere.params("dynamodb", "memory", "moto"))
def table(request: pytest.FixtureRequest, name: str) -> Table:
    if request.param == "memory":
        return MemoryTable()
    if request.param == "moto":
        session = request.getfixturevalue("moto_session")
        client = OneAtATime(session.client("dynamodb"))
    else:
        client = elsewhere.client("dynamodb")
    create(client, name)
    return DynamoTable(client, name, backoff=Backoff())


def count(table: Table, locks: Locks, path: tuple[str, ...] = ("p",)) -> None:
    """Add 1 to a number by a read and a write, which without the lock would lose some."""
    with locks.hold(ROOT, path, wait_seconds=120, what="count") as lease:
        item = table.get(ROOT, "counter") or {"count": 0, "fence": 0}
        assert int(item["fence"] or 0) < lease.fence
        counted = {"count": int(item["count"] or 0) + 1, "fence": lease.fence}
        assert write(table, lease, [Write("counter", counted)])


def together(work: Callable[[int], None], workers: int = THREADS) -> None:
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work, number) for number in range(workers)]:
            done.result()


def test_threads_lose_no_count(table: Table) -> None:
    locks = Locks(table)

    def work(number: int) -> None:
        for turn in range(TURNS):
            path = ("p",) if (number + turn) % 3 else ()
            count(table, locks, path)

    together(work)
    item = table.get(ROOT, "counter")
    assert item is not None
    assert item["count"] == THREADS * TURNS
    assert [name for name in table.get(ROOT, "locks") or {} if ":" in name] == []


def test_no_two_threads_are_in_conflicting_blocks(table: Table) -> None:
    locks = Locks(table)
    inside: list[tuple[str, ...]] = []

    def work(number: int) -> None:
        for turn in range(TURNS):
            path = PATHS[(number + turn) % len(PATHS)]
            with locks.hold(ROOT, path, wait_seconds=120):
                assert not any(conflicts(path, other) for other in [*inside])
                inside.append(path)
                inside.remove(path)

    together(work)


def test_a_paused_holder_is_refused(table: Table) -> None:
    moment = [1_700_000_000_000]
    asleep, awake = (
        Locks(table, now_ms=lambda: 1_700_000_000_000),
        Locks(table, now_ms=lambda: moment[0]),
    )
    lease = asleep.attempt(ROOT, ("p", "1"))
    assert lease is not None
    moment[0] += 125_000
    newer = awake.attempt(ROOT, ())
    assert newer is not None
    assert write(table, newer, [Write("data", {"fence": newer.fence})])
    with pytest.raises(LeaseLost):
        write(table, lease, [Write("data", {"fence": lease.fence})])
    assert table.get(ROOT, "data") == {"fence": newer.fence}


class Counted:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.computed: list[int] = []

    def read(self) -> FoundValue[int] | None:
        item = self.table.get(ROOT, "value")
        return item and FoundValue(int(item["value"] or 0), is_fresh=True)

    def compute(self, lease: Lease) -> int:
        self.computed.append(lease.fence)
        return len(self.computed)

    def parts(self, value: int, lease: Lease) -> list[Part]:
        return [Write("value", {"value": value, "fence": lease.fence})]


def test_threads_share_one_computation(table: Table) -> None:
    work = Counted(table)
    once = Once(Locks(table), table)
    values: list[int] = []
    together(lambda _: values.append(once.get_or_compute(ROOT, ("v",), work, wait_seconds=120)), 16)
    assert (len(work.computed), values) == (1, [1] * 16)


PROCESS = """
import sys
sys.path[:0] = sys.argv[2:]
import elsewhere
from test_lock_contract import TURNS, count
from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.locks import Locks
table = DynamoTable(elsewhere.client("dynamodb"), sys.argv[1], backoff=Backoff())
for _ in range(TURNS):
    count(table, Locks(table))
"""


@pytest.mark.skipif(not elsewhere.params("dynamodb"), reason="URING_CONTRACT_DYNAMODB names none")
def test_processes_lose_no_count(name: str) -> None:
    client: Any = elsewhere.client("dynamodb")
    create(client, name)
    paths = [path for path in sys.path if path]
    running = [subprocess.Popen([sys.executable, "-c", PROCESS, name, *paths]) for _ in range(4)]
    assert [process.wait(300) for process in running] == [0] * 4
    item = DynamoTable(client, name, backoff=Backoff()).get(ROOT, "counter")
    assert item is not None
    assert item["count"] == 4 * TURNS
