"""A worker in a process of its own: what it takes from a FIFO queue, keeps, gives back and ends."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ReadTimeoutError
from fakes.telemetry import RecordingTelemetry
from moto import mock_aws

from uring.aws.queues import SqsSourceQueue
from uring.errors import Misconfigured
from uring.runtime.batches import BatchRecord, BatchRunner, Deferred
from uring_local.queues.held import HeldRecords
from uring_local.queues.pairs import depth
from uring_local.queues.puller import Puller, hidden_seconds

WAIT = 20
PAUSE = 900


class Queue:
    """A FIFO queue whose messages come again after a second, and a puller of it."""

    def __init__(
        self,
        handle: Callable[[BatchRecord], None],
        *,
        at_once: int = 4,
        places: Callable[[str], int] = lambda _: 1,
    ) -> None:
        self.sqs: Any = boto3.client("sqs")
        attributes = {"FifoQueue": "true", "VisibilityTimeout": "1"}
        self.url = self.sqs.create_queue(QueueName="q.fifo", Attributes=attributes)["QueueUrl"]
        self.telemetry = RecordingTelemetry()
        self.reported: list[int] = []
        source = SqsSourceQueue(
            self.sqs, queue_url=self.url, dead_letter_url=self.url, telemetry=self.telemetry
        )
        self.held = HeldRecords(source, hidden_seconds=1)
        self.batch = BatchRunner(handle, self.held, self.telemetry)
        self.broken: list[Exception] = []
        self.puller = Puller(
            self.sqs,
            self.url,
            self.held,
            self.run,
            self.telemetry,
            self.reported.append,
            at_once=at_once,
            poll_seconds=1,
            quiet_seconds=0.1,
            places=places,
        )
        self.left: list[int] = []

    def run(self, event: dict[str, Any], time_left: Callable[[], float]) -> Any:
        """The work, as a domain worker's; raises what is broken, once."""
        raises(self.broken)
        return self.batch.run(event, time_left=time_left, needs=55)

    def send(self, *bodies: str) -> None:
        """Send messages; the group is the first letter."""
        for body in bodies:
            self.sqs.send_message(
                QueueUrl=self.url,
                MessageBody=body,
                MessageGroupId=body[0],
                MessageDeduplicationId=body,
            )

    def receive(self) -> list[str]:
        """Another worker's receive: the bodies that it gets."""
        answer = self.sqs.receive_message(
            QueueUrl=self.url, MaxNumberOfMessages=10, VisibilityTimeout=60
        )
        return [message["Body"] for message in answer.get("Messages", [])]

    def start(self) -> threading.Thread:
        """Run the puller in a thread, as the command runs it in its main one."""
        thread = threading.Thread(target=lambda: self.left.append(self.puller.run()))
        thread.start()
        return thread

    def drain(self) -> int:
        """Run the puller until the queue is empty; the records that it gave back."""
        return self.puller.run(until_empty=True)


@pytest.fixture(autouse=True)
def _aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("", "_SQS"):
        monkeypatch.delenv(f"AWS_ENDPOINT_URL{name}", raising=False)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    with mock_aws():
        yield


def test_each_message_is_handled_once_a_group_in_order_and_groups_side_by_side() -> None:
    seen: list[str] = []
    met = threading.Barrier(3)

    def handle(record: BatchRecord) -> None:
        if record.body.endswith("0"):
            # Three groups have to be here together; a fourth would break the count below.
            met.wait(WAIT)
        seen.append(record.body)

    queue = Queue(handle, at_once=3)
    queue.send(*(f"{group}{number}" for number in range(4) for group in "abc"))
    assert queue.drain() == 0
    assert Counter(seen).most_common(1)[0][1] == 1
    for group in "abc":
        assert [body for body in seen if body[0] == group] == [f"{group}{n}" for n in range(4)]
    assert depth(queue.sqs, queue.url) == 0
    assert sum(queue.reported) == 12


def test_a_deferred_message_stays_hidden_and_what_failed_comes_again() -> None:
    tries: Counter[str] = Counter()

    def handle(record: BatchRecord) -> None:
        tries[record.body] += 1
        if record.body == "later":
            raise Deferred("not yet", seconds=PAUSE)
        if record.body == "twice" and record.receive_count == 1:
            raise Deferred("at once", seconds=0)

    queue = Queue(handle)
    queue.send("later", "twice", "fine")
    thread = queue.start()
    wait_for(lambda: tries["twice"] == 2)
    queue.puller.stop(WAIT)
    thread.join(WAIT)
    assert tries == {"later": 1, "twice": 2, "fine": 1}
    assert depth(queue.sqs, queue.url) == 1
    assert queue.receive() == []


def test_a_message_at_work_is_hidden_for_as_long_as_it_takes() -> None:
    """Its time-out passes twice; another worker gets neither it nor its group's next message."""
    extended, go_on = threading.Semaphore(0), threading.Event()
    queue = Queue(lambda _: finish(go_on))
    calls(queue, "ChangeMessageVisibilityBatch", extended.release)
    queue.send("a1", "a2")
    thread = queue.start()
    for _ in range(6):
        assert extended.acquire(timeout=WAIT)
        assert queue.receive() == []
    go_on.set()
    queue.puller.stop(WAIT)
    thread.join(WAIT)
    assert queue.left == [0]


def test_an_error_of_one_extension_is_told_and_the_next_one_is_made() -> None:
    extended, go_on = threading.Semaphore(0), threading.Event()
    queue = Queue(lambda _: finish(go_on))
    broken: list[Exception] = [RuntimeError("broken")]

    def extend() -> None:
        extended.release()
        raises(broken)

    calls(queue, "ChangeMessageVisibilityBatch", extend)
    queue.send("a1")
    thread = queue.start()
    found = [extended.acquire(timeout=WAIT / 4) for _ in range(3)]
    go_on.set()
    queue.puller.stop(WAIT)
    thread.join(WAIT)
    assert (found, queue.left) == ([True] * 3, [0])
    assert "broken" in queue.telemetry.named("extend_failed")[0]["reason"]


def test_a_message_with_several_places_leaves_others_to_other_workers() -> None:
    begun, go_on = threading.Semaphore(0), threading.Event()

    def handle(_: BatchRecord) -> None:
        begun.release()
        finish(go_on)

    queue = Queue(handle, at_once=20, places=lambda body: 2 if body < "x" else 1)
    queue.send(*"abcdefghijklmnopqrstuvwxyz")
    thread = queue.start()
    first = [begun.acquire(timeout=WAIT) for _ in range(10)]
    is_another_begun = begun.acquire(timeout=2)
    go_on.set()
    wait_for(lambda: depth(queue.sqs, queue.url) == 0)
    queue.puller.stop(WAIT)
    thread.join(WAIT)
    assert (all(first), is_another_begun) == (True, False)
    assert (queue.left, queue.puller.is_idle) == ([0], True)


def test_an_extension_never_shortens_a_deferral() -> None:
    """The record is deferred while its extension is under way."""
    queue = Queue(lambda _: None)
    queue.send("a1")
    (message,) = queue.sqs.receive_message(
        QueueUrl=queue.url, AttributeNames=["All"], MessageAttributeNames=["All"]
    )["Messages"]
    record = BatchRecord("1", message["ReceiptHandle"], "a", "a1", 1)
    now = [0.0]
    queue.held = HeldRecords(
        SqsSourceQueue(
            queue.sqs, queue_url=queue.url, dead_letter_url="", telemetry=queue.telemetry
        ),
        hidden_seconds=1,
        monotonic=lambda: now[0],
    )
    queue.held.hold([record])
    now[0] = 0.9
    deferring = threading.Thread(target=queue.held.defer, args=([record], PAUSE))
    pauses: list[int] = []

    def note(params: dict[str, Any], **_: Any) -> None:
        if not pauses:
            deferring.start()
        pauses.append(params["Entries"][0]["VisibilityTimeout"])

    queue.sqs.meta.events.register("provide-client-params.sqs.ChangeMessageVisibilityBatch", note)
    queue.held.extend()
    deferring.join(WAIT)
    assert pauses == [1, PAUSE]
    queue.held.extend()
    assert pauses == [1, PAUSE]


def test_a_stop_finishes_what_is_at_work_and_takes_nothing_more() -> None:
    begun, go_on = threading.Event(), threading.Event()
    seen: list[str] = []

    def handle(record: BatchRecord) -> None:
        begun.set()
        finish(go_on)
        seen.append(record.body)

    queue = Queue(handle, at_once=1)
    queue.send("a1", "a2", "b1")
    thread = queue.start()
    assert begun.wait(WAIT)
    queue.puller.stop(WAIT)
    go_on.set()
    thread.join(WAIT)
    # The first of a group was begun; the second has less time left than a record may need.
    assert queue.left == [0]
    assert len(seen) == 1
    assert sorted([*seen, *queue.receive()]) == ["a1", "a2", "b1"]


def test_what_is_not_done_in_time_is_given_back_at_once() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def handle(_: BatchRecord) -> None:
        begun.set()
        finish(go_on)

    queue = Queue(handle)
    queue.send("a1")
    thread = queue.start()
    assert begun.wait(WAIT)
    queue.puller.stop(WAIT)
    queue.puller.stop(WAIT)
    thread.join(WAIT)
    assert queue.left == [1]
    assert queue.receive() == ["a1"]
    go_on.set()


def test_a_stop_is_heard_while_the_queue_does_not_answer() -> None:
    """The extension of a message hangs, and so does its return."""
    begun, asked, go_on = (threading.Event() for _ in range(3))

    def handle(_: BatchRecord) -> None:
        begun.set()
        finish(go_on)

    def hang() -> None:
        asked.set()
        finish(go_on)

    queue = Queue(handle)
    calls(queue, "ChangeMessageVisibilityBatch", hang)
    queue.send("a1")
    thread = queue.start()
    assert begun.wait(WAIT)
    assert asked.wait(WAIT)
    queue.puller.stop(WAIT)
    queue.puller.stop(WAIT)
    thread.join(WAIT / 2)
    assert not thread.is_alive()
    assert (queue.left, queue.puller.is_idle) == ([1], False)
    go_on.set()


def test_what_the_last_receive_brings_after_a_stop_goes_back_unread() -> None:
    queue = Queue(lambda _: pytest.fail("it was stopped"))
    queue.send("a1")
    calls(queue, "ReceiveMessage", lambda: queue.puller.stop(WAIT))
    assert queue.puller.run() == 0
    assert queue.receive() == ["a1"]


def test_a_broken_worker_leaves_its_batch_to_the_queue() -> None:
    queue = Queue(lambda _: None)
    queue.broken.append(RuntimeError("broken"))
    queue.send("a1")
    assert queue.drain() == 0
    (told,) = queue.telemetry.named("batch_failed")
    assert "broken" in told["reason"]
    assert sum(queue.reported) == 2


def test_a_queue_that_does_not_answer_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uring_local.queues.puller._AGAIN_SECONDS", 0)
    seen: list[str] = []
    queue = Queue(lambda record: seen.append(record.body))
    broken = [ReadTimeoutError(endpoint_url="http://127.0.0.1")]
    calls(queue, "ReceiveMessage", lambda: raises(broken))
    queue.send("a1")
    assert queue.drain() == 0
    assert seen == ["a1"]
    assert "Read timeout" in queue.telemetry.named("receive_failed")[0]["reason"]


def test_a_delete_that_fails_is_told_and_the_message_comes_again() -> None:
    seen: list[int] = []
    queue = Queue(lambda record: seen.append(record.receive_count))
    broken = [ReadTimeoutError(endpoint_url="http://127.0.0.1")]
    calls(queue, "DeleteMessageBatch", lambda: raises(broken))
    queue.send("a1")
    assert queue.drain() == 0
    assert seen == [1, 2]
    assert queue.telemetry.named("delete_failed")


def test_a_queue_without_order_is_refused() -> None:
    sqs: Any = boto3.client("sqs")
    url = sqs.create_queue(QueueName="plain")["QueueUrl"]
    with pytest.raises(Misconfigured, match="not a FIFO queue; name the stack's DomainQueue"):
        hidden_seconds(sqs, url)


def calls(queue: Queue, operation: str, told: Callable[[], None]) -> None:
    """Call a function before each call of an operation."""
    queue.sqs.meta.events.register(f"before-call.sqs.{operation}", lambda **_: told())


def raises(errors: list[Exception]) -> None:
    if errors:
        raise errors.pop()


def finish(go_on: threading.Event) -> None:
    assert go_on.wait(WAIT)


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait for a condition that other threads make true."""
    changed = threading.Condition()
    with changed:
        while not condition():
            changed.wait(0.02)
