"""A request's topics, a few at once.

If a topic fails, the topics done before it stay done and are not reported. The client sends the
whole request again; a repeated topic changes nothing.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from uring.push.ports import RetryLater
from uring.subscriptions.models import SubscriptionChange
from uring.subscriptions.ports import Done, TopicResult, Topics

AT_ONCE: Final = 5
# API Gateway waits for 30 s; reading the key, its token and the index comes before.
_SECONDS: Final = 12.0
_REQUEST_SECONDS: Final = 5.0

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

    def apply(self, change: SubscriptionChange) -> TopicResult:
        """Change all topics; return `Done` or the first failure.

        After a failure no further topic is begun. Out of time is `RetryLater` with ``no_answer``.

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
            return result

        with ThreadPoolExecutor(AT_ONCE) as pool:
            results = [*pool.map(run, self._jobs(change))]
        return next((result for result in results if not isinstance(result, Done)), Done())

    def _jobs(self, change: SubscriptionChange) -> Sequence[_Job]:
        """Return one job for each distinct topic, unsubscriptions first."""
        return [
            *(_Job(self._topics.unsubscribe, topic) for topic in dict.fromkeys(change.unsubscribe)),
            *(_Job(self._topics.subscribe, topic) for topic in dict.fromkeys(change.subscribe)),
        ]
