"""Clients of a table that move one call at a time, in any order that a test wants.

No threads: a client is run again from its start with the answers that it got so far, up to its next
call. So a world is a value, and every order of calls can be tried from it.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final

from fakes.tables import MemoryTable

from uring.errors import Retryable, Unavailable
from uring.locks import Lease, Locks
from uring.locks.catalogue import KEY
from uring.locks.paths import Path, joined, parse_path
from uring.tables import Condition, Item, Part, Table, Write

START_MS: Final = 1_700_000_000_000
ROOT: Final = "page"
LEASE_MS: Final = 120_000

Program = Callable[["Stage"], None]
FAULTS: Final = ("none", "lost", "refused", "late")
"""Of a call: its answer is lost; it never arrives; it is written later, after others' calls."""


class Paused(BaseException):
    """The client has no answer yet; not an `Exception`, so that no code takes it for an error."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a client asks next; a sleep is asked of the clock."""

    kind: str
    partition: str = ""
    key: str = ""
    parts: tuple[Part, ...] = ()
    seconds: float = 0


@dataclass(frozen=True, slots=True)
class Answer:
    at_ms: int
    value: Any = None


class Stage(Table):
    """One client's table, clock and sleep, while it is run again."""

    def __init__(self, name: str, answers: Sequence[Answer]) -> None:
        self.name = name
        self.answers = answers
        self.used = 0
        self.pending: Call | None = None
        self.now = answers[0].at_ms
        self.leases: list[Lease] = []
        self.locks = Locks(
            self,
            now_ms=lambda: self.now,
            monotonic=lambda: self.now / 1000,
            sleep=self.sleep,
            jitter=self._jitter,
            name=self._owner,
        )
        self._owners = 0

    def get(self, partition: str, key: str) -> Item | None:
        return self._ask(Call("get", partition, key))

    def query(self, partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        raise NotImplementedError

    def transact(self, partition: str, parts: Sequence[Part]) -> bool:
        return bool(self._ask(Call("transact", partition, parts=tuple(parts))))

    def sleep(self, seconds: float) -> None:
        if seconds:
            self._ask(Call("sleep", seconds=seconds))

    def _jitter(self, _: float, longest: float) -> float:
        # Too short to matter: every order of calls is tried anyway.
        least = 0.05
        chosen = random.Random(f"{self.name}{self.used}").uniform(0, longest)
        return chosen if longest > least else 0

    def _owner(self) -> str:
        self._owners += 1
        return f"{self.name}{self._owners}"

    def _ask(self, call: Call) -> Any:
        if self.pending is not None:
            raise Paused
        if self.used + 1 == len(self.answers):
            self.pending = call
            raise Paused
        self.used += 1
        answer = self.answers[self.used]
        self.now = answer.at_ms
        if isinstance(answer.value, Exception):
            raise answer.value
        return answer.value


@dataclass(frozen=True)
class Client:
    """A program at its next call, or at its end.

    Attributes:
        key: tells its answers from others.
        known: all that it ever was, by key: most orders of calls lead to the same ones.
    """

    name: str
    program: Program
    skew_ms: int
    answers: tuple[Answer, ...]
    key: str
    known: dict[str, "Client"]
    stage: Stage = field(init=False)

    def __post_init__(self) -> None:
        stage = Stage(self.name, self.answers)
        with suppress(Paused, Retryable):
            self.program(stage)
        object.__setattr__(self, "stage", stage)

    @property
    def pending(self) -> Call | None:
        return self.stage.pending

    def answered(self, now_ms: int, value: Any) -> "Client":
        answer = Answer(now_ms + self.skew_ms, value)
        key = f"{self.key}{answer.at_ms}{value!r}"
        if key not in self.known:
            self.known[key] = replace(self, answers=(*self.answers, answer), key=key)
        return self.known[key]

    def live(self, now_ms: int) -> list[Lease]:
        """Return the leases that this client believes in."""
        self.stage.now = now_ms + self.skew_ms
        return [lease for lease in self.stage.leases if lease.seconds_left]

    def wakes_at(self) -> int:
        """Return when its sleep is over; 0 if it does not sleep."""
        pending = self.pending
        if pending is None or pending.kind != "sleep":
            return 0
        return self.answers[-1].at_ms - self.skew_ms + round(pending.seconds * 1000)


@dataclass(frozen=True)
class World:
    """The table, the clients, and writes under way.

    Attributes:
        grants: path and fence of each lock that was given.
        writes: path and fence of each protected write that was done.
    """

    clients: tuple[Client, ...]
    items: dict[tuple[str, str], Item] = field(default_factory=dict)
    now_ms: int = START_MS
    under_way: tuple[Call, ...] = ()
    grants: tuple[tuple[Path, int], ...] = ()
    writes: tuple[tuple[Path, int], ...] = ()

    def key(self) -> tuple[Any, ...]:
        """Return what tells this world from others."""
        answers = tuple(client.key for client in self.clients)
        calls = repr(self.under_way)
        items = repr(sorted(self.items.items()))
        return (answers, items, self.now_ms, calls, self.grants, self.writes)

    def movable(self) -> list[int]:
        """Return the clients with a call, or a sleep that is over."""
        return [
            number
            for number, client in enumerate(self.clients)
            if client.pending is not None and client.wakes_at() <= self.now_ms
        ]

    def moved(self, number: int, fault: str = "none") -> "World":
        """Return the world after this client's call."""
        client = self.clients[number]
        call = client.pending
        assert call is not None
        world, value = self, None
        if call.kind == "get":
            value = self.items.get((call.partition, call.key))
        elif call.kind == "transact" and fault == "late":
            world = replace(self, under_way=(*self.under_way, call))
        elif call.kind == "transact" and fault != "refused":
            world, value = self.written(call)
        if fault != "none":
            value = Unavailable(f"{fault}")
        clients = list(world.clients)
        clients[number] = client.answered(self.now_ms, value)
        return replace(world, clients=tuple(clients))

    def landed(self, number: int) -> "World":
        """Return the world after this write under way arrived."""
        call = self.under_way[number]
        rest = (*self.under_way[:number], *self.under_way[number + 1 :])
        return replace(self.written(call)[0], under_way=rest)

    def written(self, call: Call) -> tuple["World", bool]:
        table = MemoryTable()
        table.items = dict(self.items)
        if not table.transact(call.partition, call.parts):
            return self, False
        grants, writes = self.grants, self.writes
        for part in call.parts:
            if isinstance(part, Condition) and part.key == KEY:
                ((name, fence),) = part.only_if.items()
                writes = (*writes, (parse_path(name.removeprefix("fence:")), int(fence or 0)))
            if isinstance(part, Write) and part.key == KEY:
                grants = (*grants, *_granted(self.items.get((ROOT, KEY)) or {}, part.item or {}))
        # A protected write without a check shows its lock in its item.
        for part in call.parts:
            if isinstance(part, Write) and part.key.startswith("data:") and len(call.parts) == 1:
                fence = (part.item or {})["fence"]
                writes = (*writes, (parse_path(part.key.removeprefix("data:")), int(fence or 0)))
        return replace(self, items=table.items, grants=grants, writes=writes), True


def world(*programs: Program, skews_ms: Sequence[int] = ()) -> World:
    """Return a world before the first call."""
    skews = [*skews_ms, *[0] * len(programs)]
    return World(
        tuple(
            Client(chr(97 + number), program, skew, (Answer(START_MS + skew),), "", {})
            for number, (program, skew) in enumerate(zip(programs, skews, strict=False))
        )
    )


def _granted(before: Item, after: Item) -> list[tuple[Path, int]]:
    return [
        (parse_path(name.removeprefix("held:")), json.loads(str(value))["fence"])
        for name, value in after.items()
        if name.startswith("held:")
        and name.replace("held:", "fence:", 1) in after
        and before.get(name.replace("held:", "fence:", 1))
        != after[name.replace("held:", "fence:", 1)]
    ]


def overlap(one: Path, other: Path) -> bool:
    """Return whether one of two paths is within the other; not by the library's own word."""
    return all(left == right for left, right in zip(one, other, strict=False))


def judge(world: World) -> None:
    """Raise unless no two conflicting leases live, and no write came behind a newer lock."""
    live = [
        (client.name, lease.path, lease.fence)
        for client in world.clients
        for lease in client.live(world.now_ms)
    ]
    for number, (_, path, _) in enumerate(live):
        for _, other, _ in live[number + 1 :]:
            assert not overlap(path, other), f"two live leases: {live}"
    fences = [fence for _, fence in world.grants]
    assert len(set(fences)) == len(fences), f"one fence twice: {world.grants}"


def judge_write(before: World, after: World) -> None:
    """Raise if what was just written is behind a newer conflicting lock or write."""
    for path, fence in after.writes[len(before.writes) :]:
        for other, newer in (*before.grants, *before.writes):
            assert newer <= fence or not overlap(path, other), (
                f"written to {path} with {fence} behind {other} with {newer}"
            )


def judge_line(before: World, after: World) -> None:
    """Raise if a lock was just given past an earlier waiter of a conflicting path that lives."""
    tickets = _tickets(before)
    for path, fence in after.grants[len(before.grants) :]:
        held = json.loads(str(after.items[ROOT, KEY][f"held:{joined(path)}"]))
        mine = [number for number, ticket in tickets.items() if ticket["owner"] == held["owner"]]
        for number, ticket in tickets.items():
            is_ahead = ticket["owner"] != held["owner"] and number < min(mine, default=number + 1)
            is_alive = ticket["expires_at_ms"] > before.now_ms
            assert not (is_ahead and is_alive and overlap(path, parse_path(ticket["path"]))), (
                f"{held['owner']} has {path} with {fence} before {ticket['owner']}"
            )


def _tickets(world: World) -> dict[int, dict[str, Any]]:
    return {
        int(name.removeprefix("waiting:")): json.loads(str(value))
        for name, value in (world.items.get((ROOT, KEY)) or {}).items()
        if name.startswith("waiting:")
    }
