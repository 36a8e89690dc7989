"""Every I/O of the notifier broken in every way: each change is pushed, and once (N15).

Doubles have causes that are known and no other: FCM has no idempotency key, so whatever separates
the POST from the ledger's SENT can make one. The device drops it by its event id.
"""

import random
from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

import pytest
from fakes import (
    Died,
    MemoryLedger,
    MemoryQueue,
    MemoryReturns,
    RecordingTelemetry,
    StaleHandle,
    VirtualClock,
    lambda_event,
)
from fakes.sender import Answer
from faulty import KINDS, Faults, FaultyLedger, FaultyReturns, FaultySender

from uring.contracts import ChangePublished
from uring.push.notifier import Notifier
from uring.push.payload import Push
from uring.push.ports import Accepted, Later, Never

VISIBILITY_SECONDS = 360
ROUNDS = 12

# What FCM says to the first POST of an event; then it accepts. It never takes REFUSED.
SCRIPT: dict[str, Answer] = {
    "cs-2": Later("HTTP 429", after_seconds=60),
    "ee-1": Later("HTTP 503", delivered="open"),
}
REFUSED = "cs-3"
NAMES = ("cs-1", "cs-2", "cs-3", "cs-4", "ee-1", "ee-2")
PUSHED = tuple(name for name in NAMES if name != REFUSED)

# Between the POST and SENT: the process dies or stalls, or one of the two answers is lost. A
# process that stalls before its POST for longer than lease and visibility posts beside its
# successor: no ledger can hold that back, Lambda's time-out (60 s) does.
DOCUMENTED = {
    "die_after sender.send",
    "lost_answer sender.send",
    "no_answer sender.send",
    "pause sender.send",
    "pause ledger.sent",
    "die_before ledger.sent",
    "refused ledger.sent",
    "contended ledger.sent",
}


def change(name: str) -> ChangePublished:
    return ChangePublished(
        event_id=name.encode().hex().rjust(40, "0"),
        source=name[:2],
        topic=name[:2],
        kind="new",
        id=name,
        revision=1,
        is_pinned=False,
        detected_at="2026-03-02T01:00:00Z",
        content={"title": name, "date": None, "category": None, "link": "https://x/"},
    )


class Fcm:
    """Implements `uring.push.ports.Sender` by `SCRIPT`."""

    def __init__(self) -> None:
        self.accepted: list[str] = []
        self._script = dict(SCRIPT)

    def send(self, push: Push) -> Answer:
        name = push.data["id"]
        if name == REFUSED:
            return Never("HTTP 400")
        if name in self._script:
            return self._script.pop(name)
        self.accepted.append(name)
        return Accepted(name)


class Phones:
    """The notify queue, the ledger and FCM; notifiers that die are followed by fresh ones."""

    def __init__(self, plan: Mapping[int, str]) -> None:
        self.clock = VirtualClock()
        self.dead = MemoryQueue(self.clock)
        self.queue = MemoryQueue(self.clock, max_receive_count=50, dead_letters=self.dead)
        self.ledger = MemoryLedger()
        self.fcm = Fcm()
        self.faults = Faults(plan, self._others_run)
        for name in NAMES:
            self.queue.send(change(name).source, change(name).event_id, change(name).body())

    def run(self) -> None:
        for _ in range(ROUNDS):
            self._poll(self.faults)
            self.clock.advance(VISIBILITY_SECONDS + 1)

    def _others_run(self) -> None:
        """A notifier stalls until its lease and its messages' visibility are long over."""
        healthy = Faults({}, lambda: None)
        for _ in range(3):
            self.clock.advance(VISIBILITY_SECONDS + 1)
            self._poll(healthy)

    def _poll(self, faults: Faults) -> None:
        while batch := self.queue.receive():
            notifier = Notifier(
                FaultyLedger(self.ledger, faults),
                FaultySender(self.fcm, faults),
                FaultyReturns(MemoryReturns(self.queue, self.dead), faults),
                RecordingTelemetry(),
                clock=self.clock,
                sent_kept_for=timedelta(days=15),
            )
            # One group at a time keeps the count of calls the same in every run.
            groups = {message.group for message in batch}
            for group in sorted(groups):
                part = [message for message in batch if message.group == group]
                try:
                    answer = notifier.run(lambda_event(part), time_left=lambda: 57)
                except Died:
                    continue
                failed = {failure["itemIdentifier"] for failure in answer["batchItemFailures"]}
                for message in part:
                    if message.message_id not in failed:
                        try:
                            self.queue.delete(message.receipt_handle)
                        except StaleHandle:
                            continue

    def check(self) -> list[str]:
        """Everything but doubles; those are returned."""
        assert self.queue.messages == []
        counts = Counter(self.fcm.accepted)
        assert set(counts) == set(PUSHED), "a push was lost"
        for source in ("cs", "ee"):
            first = [name for name in dict.fromkeys(self.fcm.accepted) if name[:2] == source]
            assert first == [name for name in PUSHED if name[:2] == source], "overtaken"
        states = {item.event_id: item.state for item in self.ledger.items.values()}
        expected = {change(name).event_id: "SENT" for name in PUSHED}
        assert states == expected | {change(REFUSED).event_id: "DEAD"}
        assert {letter.body for letter in self.dead.messages} == {change(REFUSED).body()}
        return [name for name, posts in counts.items() if posts > 1]


def calls() -> list[str]:
    world = Phones({})
    world.run()
    assert world.check() == []
    return world.faults.names


def test_an_undisturbed_run_pushes_each_change_once() -> None:
    assert set(calls()) == {
        "ledger.claim",
        "ledger.sent",
        "ledger.retry",
        "ledger.dead",
        "sender.send",
        "returns.defer",
        "returns.reject",
    }


@pytest.mark.parametrize("kind", KINDS)
def test_any_single_fault_loses_nothing_and_doubles_only_what_is_documented(kind: str) -> None:
    causes = set()
    for at in range(len(calls())):
        world = Phones({at: kind})
        world.run()
        (broken,) = world.faults.broken
        try:
            if world.check():
                causes.add(broken)
        except AssertionError as error:
            error.add_note(f"after I/O {at}: {broken}")
            raise
    assert causes == {cause for cause in DOCUMENTED if cause.startswith(f"{kind} ")}


def test_pairs_of_faults_lose_nothing_and_double_only_what_is_documented() -> None:
    """A seeded sample of all pairs."""
    chance = random.Random(1)
    total = len(calls())
    for _ in range(150):
        first = chance.randrange(total)
        second = first + chance.randint(1, 12)
        world = Phones({first: chance.choice(KINDS), second: chance.choice(KINDS)})
        world.run()
        try:
            doubled = world.check()
            assert not doubled or DOCUMENTED & set(world.faults.broken)
        except AssertionError as error:
            error.add_note(f"after {world.faults.broken}")
            raise
