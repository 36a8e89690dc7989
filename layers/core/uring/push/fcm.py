"""FCM over HTTP v1: one POST per attempt, every response put in one of three classes.

    POST ─┬ 2xx with FCM's name for the message ─► Sent
          └ else ─► RetryLater, Rejected: `fcm_errors`

`fcm_client` has the credentials and the connection.
"""

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from uring.clock import Clock, system_clock
from uring.push.fcm_client import FcmClient
from uring.push.fcm_errors import LONGEST_REASON, classify
from uring.push.payload import Push, is_alert, request_body
from uring.push.ports import RetryLater, SendResult, Sent

# FCM itself gives up after about ten seconds; a shorter limit here causes repeated pushes.
TIMEOUT_SECONDS: Final = 15
_SUCCESS: Final = range(200, 300)


class FcmSender:
    """A sender of data messages to topics.

    Args:
        project_id: see `FcmClient`.
        service_account: see `FcmClient`.
        endpoint: see `FcmClient`.
        alert_topics: iPhones get their pushes as alerts, see `uring.push.payload.is_alert`.
        validate_only: FCM checks the key and the message, and delivers nothing.
    """

    def __init__(
        self,
        project_id: str,
        service_account: Callable[[], Mapping[str, Any]] | None,
        *,
        endpoint: str = "",
        timeout_seconds: float = TIMEOUT_SECONDS,
        alert_topics: Collection[str] = (),
        validate_only: bool = False,
        clock: Clock = system_clock,
    ) -> None:
        self._client = FcmClient(project_id, service_account, endpoint=endpoint)
        self._timeout_seconds = timeout_seconds
        self._alert_topics = alert_topics
        self._validate_only = validate_only
        self._clock = clock

    def send(self, push: Push) -> SendResult:
        """See `uring.push.ports.Sender.send`."""
        body = request_body(
            push,
            self._clock(),
            as_alert=is_alert(push.topic, self._alert_topics),
            validate_only=self._validate_only,
        )
        response = self._client.request(
            "POST", "messages:send", body, timeout_seconds=self._timeout_seconds
        )
        if isinstance(response, RetryLater):
            return response
        if response.status in _SUCCESS:
            return _sent(response.body)
        result = classify(response.status, response.headers, response.body)
        if isinstance(result, RetryLater) and result.cause in ("unauthorised", "forbidden"):
            self._client.forget(response.account)
        return result

    def close(self) -> None:
        """Close the connections. No push may be under way."""
        self._client.close()


def _sent(body: bytes) -> SendResult:
    """Return `Sent` with FCM's name for the message; without a name, `RetryLater`.

    FCM may have delivered the message all the same.
    """
    try:
        name = json.loads(body)["name"]
    except (ValueError, KeyError, TypeError, RecursionError):
        name = None
    if isinstance(name, str) and name:
        return Sent(name)
    reason = f"success, but without FCM's name for the message: {body[:LONGEST_REASON]!r}"
    return RetryLater(reason[:LONGEST_REASON], delivered="open", cause="unreadable")
