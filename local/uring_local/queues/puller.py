"""A worker of an SQS FIFO queue in a process of its own, beside its Lambda function.

    receive ─► held ─► a place for each message group: the batch code ─► delete what did not fail
                 └─ what is at work stays hidden                      └► the rest as it was deferred

Lambda's event source works in batches, which end with their slowest record. Here a group that is
done makes room for the next one. A FIFO queue gives no further message of a group that is at work.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Any, Final

from uring.aws.errors import translated
from uring.aws.queues import BATCH
from uring.errors import Misconfigured, UringError
from uring.runtime.batches import BatchRecord, stay_on_one_core
from uring.runtime.invocation import Work
from uring.runtime.telemetry import Telemetry
from uring_local.queues.held import HeldRecords
from uring_local.queues.pairs import attributes_of
from uring_local.queues.received import done, event_of

POLL_SECONDS: Final = 5
"""The longest wait of a receive: a stop is heard after it, and SDKs wait ten seconds for a call."""

QUIET_SECONDS: Final = 60
"""How long a queue has to look empty: SQS counts up to a minute late."""

_LOOK_SECONDS: Final = 0.1
# A few free places wait this long for others, so that a call fetches ten messages.
_FILL_SECONDS: Final = 0.5
_AGAIN_SECONDS: Final = 5
_REPORT_SECONDS: Final = 60
# For the last call, if SQS does not answer: then messages come again after their time-out.
_GIVE_BACK_SECONDS: Final = 2
# A process has no limit to its time, until it is stopped.
_PLENTY_SECONDS: Final = 3600.0


def hidden_seconds(client: Any, url: str) -> int:
    """Return a queue's visibility time-out.

    Raises:
        Misconfigured: no such queue, no permission, or it has no message groups.
        Unavailable: SQS did not answer.
    """
    attributes = attributes_of(client, url)
    if attributes.get("FifoQueue") != "true":
        raise Misconfigured(f"{url}: not a FIFO queue; name the stack's DomainQueue")
    return int(attributes["VisibilityTimeout"])


class Puller:
    """Runs a worker's batch code over a queue until it is stopped.

    Args:
        client: of SQS.
        url: of the queue.
        held: the records at work; the batch code must defer by it.
        work: the batch code; safe to call from several threads.
        report: writes a line with the counters; called each minute and at the end, with the number
            of records since the last time.
        at_once: the number of message groups worked on at once.
        poll_seconds: the longest wait of a receive.
        quiet_seconds: how long the queue has to be empty for ``until_empty``.
        places: returns the places that the group of a message with this body takes.
    """

    def __init__(
        self,
        client: Any,
        url: str,
        held: HeldRecords,
        work: Work,
        telemetry: Telemetry,
        report: Callable[[int], None],
        *,
        at_once: int,
        poll_seconds: int = POLL_SECONDS,
        quiet_seconds: float = QUIET_SECONDS,
        places: Callable[[str], int] = lambda _: 1,
    ) -> None:
        self._client = client
        self._url = url
        self._held = held
        self._work = work
        self._telemetry = telemetry
        self._report = report
        self._at_once = at_once
        self._poll_seconds = poll_seconds
        self._quiet_seconds = quiet_seconds
        self._places_of = places
        self._pool = ThreadPoolExecutor(
            at_once, thread_name_prefix="place", initializer=stay_on_one_core
        )
        self._places = threading.Condition()
        self._free = at_once
        self._received = 0
        self._ends_at: float | None = None

    @property
    def is_idle(self) -> bool:
        """False while a thread is at work."""
        return self._free == self._at_once

    def stop(self, within_seconds: float) -> None:
        """Receive nothing more, and end after this time at the latest; at once when called again.

        What is not done then is given back, which takes two seconds at most. Sets one attribute, so
        that it may be called from a signal handler.
        """
        ends_at = time.monotonic() + within_seconds
        self._ends_at = ends_at if self._ends_at is None else time.monotonic()

    def run(self, *, until_empty: bool = False) -> int:
        """Work until stopped, or until the queue has been empty for a minute.

        Returns:
            The number of records that were not done, and given back.
        """
        receiver = _started(lambda: self._receive(until_empty=until_empty))
        ended = threading.Event()
        _started(lambda: self._extend(ended))
        reported_at = time.monotonic()
        # This thread hears signals, so it calls nobody.
        while (receiver.is_alive() or not self.is_idle) and self._time_left() > 0:
            time.sleep(_LOOK_SECONDS)
            if time.monotonic() - reported_at >= _REPORT_SECONDS:
                reported_at = time.monotonic()
                self._tell()
        ended.set()
        left = len(self._held)
        _started(self._held.give_back).join(_GIVE_BACK_SECONDS)
        self._pool.shutdown(wait=False)
        self._tell()
        return left

    def _extend(self, ended: threading.Event) -> None:
        while not ended.wait(_LOOK_SECONDS):
            try:
                self._held.extend()
            except Exception as error:  # noqa: BLE001 - this thread alone keeps records hidden
                self._telemetry.warning("extend_failed", reason=repr(error))

    def _time_left(self) -> float:
        ends_at = self._ends_at
        return _PLENTY_SECONDS if ends_at is None else ends_at - time.monotonic()

    def _tell(self) -> None:
        with self._places:
            received, self._received = self._received, 0
        self._report(received)

    def _receive(self, *, until_empty: bool) -> None:
        empty_since: float | None = None
        while self._ends_at is None:
            try:
                most = self._room()
                messages = self._messages(most) if most else []
                if messages:
                    self._begin(messages)
                if not until_empty or messages or self._held or self._depth():
                    empty_since = None
                elif empty_since is None:
                    empty_since = time.monotonic()
                elif time.monotonic() - empty_since >= self._quiet_seconds:
                    return
            except Exception as error:  # noqa: BLE001 - this thread is all that receives
                # As Lambda's event source: a queue that does not answer is asked again.
                self._telemetry.warning("receive_failed", reason=str(error))
                self._wait(_AGAIN_SECONDS)

    def _room(self) -> int:
        """Return the number of free places, ten at most; 0 if none became free in a while."""
        full = min(BATCH, self._at_once)
        with self._places:
            self._places.wait_for(lambda: self._free >= full, timeout=_FILL_SECONDS)
            # The last messages may have taken more places than there were.
            return max(0, min(self._free, BATCH))

    def _messages(self, most: int) -> list[dict[str, Any]]:
        with translated(f"sqs:ReceiveMessage {self._url}"):
            found: list[dict[str, Any]] = self._client.receive_message(
                QueueUrl=self._url,
                MaxNumberOfMessages=most,
                WaitTimeSeconds=self._poll_seconds,
                AttributeNames=["All"],
                MessageAttributeNames=["All"],
            ).get("Messages", [])
        return found

    def _depth(self) -> int:
        attributes = attributes_of(self._client, self._url)
        return sum(
            int(number)
            for name, number in attributes.items()
            if name.startswith("ApproximateNumberOfMessages")
        )

    def _begin(self, messages: Sequence[dict[str, Any]]) -> None:
        records = _records(messages, self._url)
        if self._ends_at is not None:
            # They came with the last receive.
            self._held.defer(records, 0)
            return
        self._held.hold(records)
        groups = [[*group] for _, group in groupby(sorted(messages, key=_group), key=_group)]
        places = [max(self._places_of(each["Body"]) for each in group) for group in groups]
        with self._places:
            self._free -= sum(places)
            self._received += len(messages)
        for group, taken in zip(groups, places, strict=True):
            self._pool.submit(self._settle, group, taken)

    def _settle(self, messages: Sequence[dict[str, Any]], places: int) -> None:
        """Work on a message group, and delete what did not fail."""
        settled: Sequence[dict[str, Any]] = ()
        try:
            settled = done(messages, self._work(event_of(messages, self._url), self._time_left))
        except Exception as error:  # noqa: BLE001 - a bug leaves its batch to the queue
            self._telemetry.problem("batch_failed", reason=repr(error), trace=True)
        self._held.let_go(_records(messages, self._url))
        try:
            self._delete(settled)
        except UringError as error:
            self._telemetry.problem("delete_failed", reason=str(error))
        finally:
            with self._places:
                self._free += places
                self._places.notify_all()

    def _delete(self, messages: Sequence[Mapping[str, Any]]) -> None:
        if not messages:
            return
        with translated(f"sqs:DeleteMessage {self._url}"):
            answer = self._client.delete_message_batch(
                QueueUrl=self._url,
                Entries=[
                    {"Id": str(position), "ReceiptHandle": message["ReceiptHandle"]}
                    for position, message in enumerate(messages)
                ],
            )
        for entry in answer.get("Failed", []):
            # It comes again, and its mark or checkpoint says that it is done.
            self._telemetry.problem("delete_failed", reason=entry.get("Message", ""))

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self._ends_at is None and time.monotonic() < until:
            time.sleep(_LOOK_SECONDS)


def _started(run: Callable[[], object]) -> threading.Thread:
    """Return a thread that runs a function, and does not keep the process alive."""
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def _group(message: Mapping[str, Any]) -> str:
    return str(message["Attributes"]["MessageGroupId"])


def _records(messages: Sequence[Mapping[str, Any]], url: str) -> list[BatchRecord]:
    return [BatchRecord.from_event(record) for record in event_of(messages, url)["Records"]]
