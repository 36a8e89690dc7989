"""The functions in this process, fed from their queues as by Lambda.

    queue ─ receive (batch size) ─► handler ─► delete all that it did not report as failed

One thread per event source and instance of the function. Batch sizes, queues, redrive and partial
failures follow the template; the queue itself moves a message to its dead-letter queue.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from runpy import run_path
from typing import TYPE_CHECKING, Any, Final

from uring_local.queues.received import done, event_of
from uring_local.stack.application import Application, FamilyResources
from uring_local.stack.event_log import EventLog, Reporter
from uring_local.stack.invoke import InvokingSession
from uring_local.stack.resources import create
from uring_local.template.template import QueueSource, Template, TemplateFunction

if TYPE_CHECKING:
    from uring.runtime.invocation import Function as Handler

# A loop that knows of a run's end looks at once; this is for messages that come otherwise.
_POLL_SECONDS: Final = 0.25
_RETRY_SECONDS: Final = 1
# After a kill, a message comes back this long after the handler's own limit, sooner than the queue
# would return it: only this loop receives here, and it never delivers late.
_VISIBILITY_MARGIN_SECONDS: Final = 5


class Context:
    """Lambda's context object, with the parts that the functions use."""

    def __init__(self, timeout_seconds: float) -> None:
        self._deadline = time.monotonic() + timeout_seconds

    def get_remaining_time_in_millis(self) -> int:
        """Return the milliseconds until Lambda would end the invocation."""
        return int((self._deadline - time.monotonic()) * 1000)


class InProcess(Application):
    """The application of a template, a family's functions in this process.

    Args:
        template: functions, batch sizes, time-outs, and the resources of the stack.
        session: a boto3 session for a stack with CloudFormation.
        extras: further arguments of a function's `build`: a clock, or FCM's credentials in place of
            the secret.

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
        created = create(template, session)
        super().__init__(
            template,
            resources,
            log,
            bucket=created.physical_ids["Bucket"],
            queue_urls=created.physical_ids,
            session=session,
            tables=created.physical_ids,
        )
        self._functions = template.functions
        self._environments = created.environments
        self._extras = extras
        self._session = InvokingSession(session, self._run)
        self._handlers: dict[str, Handler] = {}
        self._building = threading.Lock()
        feeding: list[tuple[TemplateFunction, Handler]] = []
        for name in resources.functions:
            for _ in range(resources.instances.get(name, 1)):
                self._handlers[name] = self._built(name)
                feeding.append((self._functions[name], self._handlers[name]))
        self._stopping = threading.Event()
        self._ended = threading.Condition()
        self._runs = 0
        self._threads = [
            threading.Thread(
                target=self._feed, args=(function, source, handler), name=function.logical_id
            )
            for function, handler in feeding
            for source in function.sources
        ]
        for thread in self._threads:
            thread.start()

    def poll(self) -> None:
        """See `Application.poll`: the handlers report to the event log directly."""

    def invoke(self, function: str, event: dict[str, Any]) -> Any:
        """See `Application.invoke`; works for any deployed function."""
        with self._building:
            if function not in self._handlers:
                self._handlers[function] = self._built(function)
        return self._run(function, event)

    def addresses(self, sources: Sequence[str]) -> list[str]:
        """See `Application.addresses`."""
        host = self.s3.meta.endpoint_url
        return [f"data: {host}/{self.bucket}/data/{source}/latest.json" for source in sources]

    def close(self) -> None:
        """See `Application.close`; the current batches are finished."""
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _built(self, function: str) -> "Handler":
        # The entry point names the module that wires the function.
        app = self._functions[function].code_dir / "app.py"
        handler: Handler = run_path(str(app))["handler"].build(
            self._environments[function],
            session=self._session,
            telemetry=Reporter(self._log, function),
            **self._extras.get(function, {}),
        )
        return handler

    def _trigger(self, function: str, event: dict[str, Any]) -> None:
        self._run(function, event)

    def _run(self, function: str, event: dict[str, Any]) -> Any:
        context = Context(self._functions[function].timeout_seconds)
        try:
            return self._handlers[function].handle(event, context)
        finally:
            self._tell()

    def _tell(self) -> None:
        """Let all loops look at their queues: a function has ended, and may have sent messages."""
        with self._ended:
            self._runs += 1
            self._ended.notify_all()

    def _wait(self, known: int) -> int:
        """Wait until more than `known` functions have ended, or for a while; return their number.

        What is sent by others, or comes back, is found after the while.
        """
        with self._ended:
            self._ended.wait_for(lambda: self._runs > known, _POLL_SECONDS)
            return self._runs

    def _feed(self, function: TemplateFunction, source: QueueSource, handler: "Handler") -> None:
        url = self._queue_urls[source.queue]
        visibility = self.resources.visibility_seconds or int(
            function.timeout_seconds + _VISIBILITY_MARGIN_SECONDS
        )
        told = 0
        while not self._stopping.is_set():
            try:
                messages = self._sqs.receive_message(
                    QueueUrl=url,
                    MaxNumberOfMessages=min(source.batch_size, 10),
                    VisibilityTimeout=visibility,
                    WaitTimeSeconds=0,
                    AttributeNames=["All"],
                    MessageAttributeNames=["All"],
                ).get("Messages", [])
                if messages:
                    self._invoke(function, handler, source, url, messages)
                    self._tell()
                else:
                    told = self._wait(told)
            except Exception as error:  # noqa: BLE001 - a broken handler too leaves the batch
                # As Lambda's poller: it polls again, and undeleted messages come back.
                self._failed(function.logical_id, f"{type(error).__name__}: {error}")
                self._stopping.wait(_RETRY_SECONDS)

    def _invoke(
        self,
        function: TemplateFunction,
        handler: "Handler",
        source: QueueSource,
        url: str,
        messages: list[dict[str, Any]],
    ) -> None:
        answer = handler.handle(event_of(messages, url), Context(function.timeout_seconds))
        settled = done(messages, answer) if source.reports_failures else messages
        if settled:
            deleted = self._sqs.delete_message_batch(
                QueueUrl=url,
                Entries=[
                    {"Id": str(position), "ReceiptHandle": message["ReceiptHandle"]}
                    for position, message in enumerate(settled)
                ],
            )
            for entry in deleted.get("Failed", []):
                self._failed(function.logical_id, f"not deleted: {entry.get('Message')}")
