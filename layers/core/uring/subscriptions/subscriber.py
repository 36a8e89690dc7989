"""A device's request, and its topics, a few at once.

If a topic fails, the topics done before it stay done and are not reported. The client sends the
whole request again; a repeated topic changes nothing.
"""

import threading
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Final, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from uring.contracts import Topic
from uring.push.ports import RetryLater
from uring.subscriptions.ports import Done, TopicRefused, TopicResult, Topics

MOST_TOPICS: Final = 50
"""The most topics of a request, both lists together."""

DeviceId = Annotated[
    str,
    Field(
        pattern=r"^[cdef][A-Za-z0-9_-]{21}$",
        description="id of the Firebase installation, as `onRegistered` has it",
    ),
]
AT_ONCE: Final = 5
# API Gateway waits for 30 s; reading the key, its token and the index comes before.
_SECONDS: Final = 12.0
_REQUEST_SECONDS: Final = 5.0


class SubscriptionChange(BaseModel):
    """The topics to subscribe a device to, and the topics to unsubscribe it from."""

    # An unknown field is an error, not ignored.
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: DeviceId
    subscribe: list[Topic] = Field(
        default=[], max_length=MOST_TOPICS, description="topics of `data/index.json`"
    )
    unsubscribe: list[Topic] = Field(
        default=[],
        max_length=MOST_TOPICS,
        description="topics, including topics that left `data/index.json`",
    )

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if len(self.subscribe) + len(self.unsubscribe) > MOST_TOPICS:
            raise ValueError(f"at most {MOST_TOPICS} topics together; send the others afterwards")
        if both := {*self.subscribe} & {*self.unsubscribe}:
            raise ValueError(f"{min(both)[:100]}: is in both lists; leave it out of one")
        return self


_Send = Callable[..., TopicResult]


class _Job(NamedTuple):
    send: _Send
    topic: str


class Subscriber:
    """The subscriber of devices: it changes their topics, a few at once.

    Args:
        topics: FCM.
        monotonic: seconds of a clock that never goes back.
    """

    def __init__(self, topics: Topics, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._topics = topics
        self._monotonic = monotonic

    def apply(self, change: SubscriptionChange, published: Collection[str]) -> TopicResult:
        """Change all topics; return `Done` or the first failure.

        After a failure no further topic is begun. Out of time is `RetryLater` with ``no_answer``.
        Anybody can send any topic to unsubscribe: the unknown address of an unpublished one is
        `TopicRefused`, for it does not show that the project lacks the interface.

        Raises:
            Retryable: the credentials could not be read.
        """
        until = self._monotonic() + _SECONDS
        failed = threading.Event()

        def run(job: _Job) -> TopicResult:
            if failed.is_set():
                return Done()
            left = until - self._monotonic()
            result: TopicResult = RetryLater("out of time", cause="no_answer")
            try:
                if left > 0:
                    seconds = min(left, _REQUEST_SECONDS)
                    result = job.send(change.id, job.topic, timeout_seconds=seconds)
            except BaseException:
                failed.set()
                raise
            if not isinstance(result, Done):
                failed.set()
            if isinstance(result, RetryLater) and result.cause == "not_found":
                return result if job.topic in published else TopicRefused(job.topic, result.reason)
            return result

        with ThreadPoolExecutor(AT_ONCE) as pool:
            results = [*pool.map(run, self._jobs(change, published))]
        return next((result for result in results if not isinstance(result, Done)), Done())

    def _jobs(self, change: SubscriptionChange, published: Collection[str]) -> Sequence[_Job]:
        """Return one job for each distinct topic: unsubscriptions first, unpublished topics last.

        So the refusal of an unpublished topic hides no other failure.
        """
        jobs = [
            *(_Job(self._topics.unsubscribe, topic) for topic in dict.fromkeys(change.unsubscribe)),
            *(_Job(self._topics.subscribe, topic) for topic in dict.fromkeys(change.subscribe)),
        ]
        return sorted(jobs, key=lambda job: job.topic not in published)
