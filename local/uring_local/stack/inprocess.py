"""The functions in this process, fed from their queues as Lambda feeds them.

    queue ─ receive (batch size) ─► handler ─► delete what it did not report as failed

One thread per event source. Batch sizes, queues, redrive and whether a batch may fail in part are
the template's; the queue itself moves a message to its dead-letter queue.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from runpy import run_path
from typing import TYPE_CHECKING, Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from uring_local.stack.application import (
    Depth,
    FamilyResources,
    Targets,
    depth,
    schedule_event,
)
from uring_local.stack.event_log import EventLog, Reporter
from uring_local.stack.resources import create
from uring_local.template.template import Function, QueueSource, Template

if TYPE_CHECKING:
    from uring.runtime.invocation import Function as Handler

_POLL_SECONDS: Final = 1
# After a kill, a message comes back this long after the handler's own limit, not after six of them:
# nothing but this loop receives here, and it never throttles.
_VISIBILITY_MARGIN_SECONDS: Final = 5


class Context:
    """Lambda's context object, as far as the functions use it."""

    def __init__(self, timeout_seconds: float) -> None:
        self._deadline = time.monotonic() + timeout_seconds

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds until Lambda would end the invocation."""
        return int((self._deadline - time.monotonic()) * 1000)


class InProcess:
    """The application of a template, a family's functions in this process.

    Args:
        template: functions, batch sizes, time-outs, and all that the stack is made of.
        session: a boto3 session for a stack with CloudFormation.
        extras: what a function's `build` gets beside these: a clock, or FCM's credentials in place
            of the secret.

    Attributes:
        environments: of each function, by logical id.

    Raises:
        StackFailed: the stack cannot be created.
    """

    def __init__(
        self,
        template: Template,
        session: Any,
        log: EventLog,
        resources: FamilyResources,
        extras: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self.resources = resources
        self._log = log
        self._targets = Targets(template, resources)
        self.period = self._targets.period
        self._functions = {name: template.functions[name] for name in resources.functions}
        created = create(template, session)
        self.bucket = created.physical_ids["Bucket"]
        self.s3 = session.client("s3")
        self._sqs = session.client("sqs")
        self._urls = created.physical_ids
        self._handlers: dict[str, Handler] = {}
        for name, function in self._functions.items():
            # The entry point says which bootstrap is the function's.
            build = run_path(str(function.code_dir / "app.py"))["build"]
            self._handlers[name] = build(
                created.environments[name],
                session=session,
                telemetry=Reporter(log, name),
                **extras.get(name, {}),
            )
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._feed, args=(function, source), name=function.logical_id)
            for function in self._functions.values()
            for source in function.sources
        ]
        for thread in self._threads:
            thread.start()

    def tick(self, scheduled_at: datetime) -> None:
        """See `Application.tick`."""
        event = schedule_event(scheduled_at)
        for name in self._targets.due(scheduled_at):
            self._handlers[name].handle(event, Context(self._functions[name].timeout_seconds))

    def depths(self) -> Mapping[str, Depth]:
        """See `Application.depths`."""
        queues = (*self.resources.live, *self.resources.dead)
        return {name: depth(self._sqs, self._urls[name]) for name in queues}

    def poll(self) -> None:
        """The handlers report to the event log directly."""

    def addresses(self, sources: Sequence[str]) -> list[str]:
        """See `Application.addresses`."""
        host = self.s3.meta.endpoint_url
        return [f"data: {host}/{self.bucket}/data/{source}/latest.json" for source in sources]

    def close(self) -> None:
        """See `Application.close`; the batches under way are finished."""
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _feed(self, function: Function, source: QueueSource) -> None:
        url = self._urls[source.queue]
        visibility = int(function.timeout_seconds + _VISIBILITY_MARGIN_SECONDS)
        while not self._stopping.is_set():
            try:
                messages = self._sqs.receive_message(
                    QueueUrl=url,
                    MaxNumberOfMessages=min(source.batch_size, 10),
                    VisibilityTimeout=visibility,
                    WaitTimeSeconds=_POLL_SECONDS,
                    AttributeNames=["All"],
                    MessageAttributeNames=["All"],
                ).get("Messages", [])
                if messages:
                    self._invoke(function, source, url, messages)
            except (BotoCoreError, ClientError) as error:
                # As Lambda's poller: the queue is asked again, what was not deleted comes back.
                self._failed(function, error)
                self._stopping.wait(_POLL_SECONDS)

    def _invoke(
        self, function: Function, source: QueueSource, url: str, messages: list[dict[str, Any]]
    ) -> None:
        event = {"Records": [_record(message, url) for message in messages]}
        try:
            answer = self._handlers[function.logical_id].handle(
                event, Context(function.timeout_seconds)
            )
        except Exception as error:  # noqa: BLE001 - Lambda too keeps the batch on the queue
            self._failed(function, error)
            return
        reported = answer["batchItemFailures"] if source.reports_failures else []
        failed = {item["itemIdentifier"] for item in reported}
        done = [message for message in messages if message["MessageId"] not in failed]
        if done:
            deleted = self._sqs.delete_message_batch(
                QueueUrl=url,
                Entries=[
                    {"Id": str(position), "ReceiptHandle": message["ReceiptHandle"]}
                    for position, message in enumerate(done)
                ],
            )
            for entry in deleted.get("Failed", []):
                self._failed(function, RuntimeError(f"not deleted: {entry.get('Message')}"))

    def _failed(self, function: Function, error: Exception) -> None:
        reason = f"{type(error).__name__}: {error}"
        self._log.put("record_failed", {"group": function.logical_id, "reason": reason})


def _record(message: Mapping[str, Any], url: str) -> dict[str, Any]:
    """Return a message as Lambda hands it to a function."""
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": message.get("MessageAttributes", {}),
        "eventSource": "aws:sqs",
        "eventSourceARN": url,
    }
