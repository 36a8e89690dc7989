"""A batch that is refilled: the worker takes more messages as soon as domains of it are done.

    batch of ten ─► collected, 20 at once ─► place free ─► receive more ─► collected ─► deleted
                                                └─► none left, or no time: the last ones end

Lambda hands over ten messages and waits for the slowest of them: most of what is paid would be nine
domains that wait for one. What is received here is hidden from others as a batch is, and deleted
once it is done; a worker that dies leaves it to the queue.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Final, Protocol

from uring.errors import UringError
from uring.runtime.batches import BatchRunner, stay_on_one_core
from uring.runtime.telemetry import Telemetry
from uring.seeds.pace import REFILL
from uring.seeds.ranges import is_range

_MOST_A_CALL: Final = 10

Record = Mapping[str, Any]
"""A message, as Lambda hands it over."""


class Pulls(Protocol):
    """The queue of a batch, read by the worker itself."""

    def receive(self, most: int) -> Sequence[Record]:
        """Return at most this number of messages, up to ten; none if there are none now.

        Raises:
            Retryable: no answer.
            Misconfigured: no such queue, or no permission.
        """
        ...

    def delete(self, records: Sequence[Record]) -> None:
        """Delete up to ten messages; what is refused comes again.

        Raises:
            Retryable: no answer.
            Misconfigured: no such queue, or no permission.
        """
        ...


class RefilledBatch:
    """Runs batches of a queue, and what more there is; a process has one at a time.

    Args:
        batch: runs the messages of a group.
        at_once: the number of groups under way.
        needs: see `BatchRunner.run`.
    """

    def __init__(
        self, batch: BatchRunner, queue: Pulls, telemetry: Telemetry, *, at_once: int, needs: float
    ) -> None:
        self._batch = batch
        self._queue = queue
        self._telemetry = telemetry
        self._at_once = at_once
        self._needs = needs
        self._pool = ThreadPoolExecutor(
            at_once, thread_name_prefix="group", initializer=stay_on_one_core
        )

    def run(self, event: Mapping[str, Any], time_left: Callable[[], float]) -> dict[str, Any]:
        """Return the partial batch response for a Lambda SQS event.

        Raises:
            MalformedMessage: see `BatchRunner.run`.
        """
        groups = _groups(event)
        if groups is None or any(map(_is_range, event["Records"])):
            return self._batch.run(event, time_left=time_left, needs=self._needs)
        failed: list[dict[str, str]] = []
        done: list[Record] = []
        under_way = {self._begin(group, time_left): False for group in groups}
        pulls = True
        while True:
            free = self._at_once - len(under_way)
            if pulls and free >= min(REFILL, self._at_once) and time_left() >= self._needs:
                records = self._received(min(free, _MOST_A_CALL))
                pulls = bool(records) and not any(map(_is_range, records))
                for group in _groups({"Records": records}) or []:
                    under_way[self._begin(group, time_left)] = True
            if not under_way:
                break
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                records, failures = future.result()
                if under_way.pop(future):
                    names = {each["itemIdentifier"] for each in failures}
                    done += [each for each in records if each["messageId"] not in names]
                else:
                    failed += failures
            while len(done) >= _MOST_A_CALL or (done and not under_way):
                self._delete(done[:_MOST_A_CALL])
                del done[:_MOST_A_CALL]
        return {"batchItemFailures": failed}

    def _begin(
        self, group: Sequence[Record], time_left: Callable[[], float]
    ) -> "Future[tuple[Sequence[Record], list[dict[str, str]]]]":
        def run() -> tuple[Sequence[Record], list[dict[str, str]]]:
            event = {"Records": group}
            answer = self._batch.run(event, time_left=time_left, needs=self._needs)
            return group, answer["batchItemFailures"]

        if self._at_once > 1:
            return self._pool.submit(run)
        ended: Future[tuple[Sequence[Record], list[dict[str, str]]]] = Future()
        ended.set_result(run())
        return ended

    def _received(self, most: int) -> Sequence[Record]:
        try:
            return self._queue.receive(most)
        except UringError as error:
            # The batch itself goes on.
            self._telemetry.warning("receive_failed", reason=str(error))
            return ()

    def _delete(self, records: Sequence[Record]) -> None:
        try:
            self._queue.delete(records)
        except UringError as error:
            # They come again, and their marks say that they are done.
            self._telemetry.warning("delete_failed", reason=str(error))


def _groups(event: Mapping[str, Any]) -> list[list[Record]] | None:
    """Return the messages of each group, in queue order; None if it is not a batch."""
    groups: dict[str, list[Record]] = {}
    try:
        records: Iterable[Record] = event["Records"]
        for record in records:
            groups.setdefault(record["attributes"]["MessageGroupId"], []).append(record)
    except (KeyError, TypeError):
        return None
    return [*groups.values()]


def _is_range(record: Record) -> bool:
    return is_range(str(record.get("body", "")))
