"""Subscriptions at FCM: one request a topic, in the form of firebase-admin 7.7.0.

| response                       | result                                                       |
|--------------------------------|--------------------------------------------------------------|
| 2xx                            | Done                                                         |
| 409 to POST: ALREADY_EXISTS, or without Google's error | Done                                 |
| another 409, such as ABORTED   | RetryLater: two requests collided                            |
| 404 with Google's error        | UnknownDevice                                                |
| another 404                    | RetryLater, in 15 min: the interface or project is unknown   |
| 403 SENDER_ID_MISMATCH, 4xx whose details name the id | Refused                               |
| another 4xx                    | TopicRefused: the id is valid for other topics               |
| any other response             | as for a push: `uring.push.fcm_errors`                       |

Source: FCM v1 REST reference, projects.registrations.topicSubscriptions.
"""

import json
import re
from dataclasses import replace
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from uring.push.fcm_client import FcmClient, FcmResponse
from uring.push.fcm_errors import classify, error_codes
from uring.push.ports import RetryLater
from uring.segments import is_segment
from uring.subscriptions.ports import Done, IdRefused, TopicRefused, TopicResult, UnknownDevice

_GONE: Final = frozenset({"NOT_FOUND", "UNREGISTERED"})
_FOREIGN: Final = "SENDER_ID_MISMATCH"
_REFUSED_KEY: Final = ("unauthorised", "forbidden")
_THERE_ALREADY: Final = "ALREADY_EXISTS"
# Fields of the request that hold the device's id: google.rpc.BadRequest writes `a.b_c` or `a.bC`.
_ID_FIELD: Final = re.compile(r"(?:.*\.)?(?:parent|token|registration(?:_?id)?)", re.IGNORECASE)


class FcmTopics:
    """The topics at FCM; it implements `uring.subscriptions.ports.Topics`."""

    def __init__(self, client: FcmClient) -> None:
        self._client = client

    def subscribe(self, device: str, topic: str, *, timeout_seconds: float) -> TopicResult:
        """See `Topics.subscribe`."""
        path = f"{_of(device)}?topic_name={quote(topic, safe='')}"
        response = self._client.request("POST", path, {}, timeout_seconds=timeout_seconds)
        if isinstance(response, FcmResponse) and response.status == HTTPStatus.CONFLICT:
            codes = error_codes(response.body)
            if not codes or _THERE_ALREADY in codes:
                return Done()
        return self._result(response, topic)

    def unsubscribe(self, device: str, topic: str, *, timeout_seconds: float) -> TopicResult:
        """See `Topics.unsubscribe`."""
        if not is_segment(topic):
            return TopicRefused(topic, "it would change the address")
        path = f"{_of(device)}/{quote(topic, safe='')}?allow_missing=true"
        response = self._client.request("DELETE", path, timeout_seconds=timeout_seconds)
        return self._result(response, topic)

    def _result(self, response: FcmResponse | RetryLater, topic: str) -> TopicResult:
        if isinstance(response, RetryLater):
            return _unanswered(response)
        if HTTPStatus.OK <= response.status < HTTPStatus.MULTIPLE_CHOICES:
            return Done()
        return self._failure(response, topic)

    def _failure(self, response: FcmResponse, topic: str) -> TopicResult:
        status, codes = response.status, error_codes(response.body)
        if status == HTTPStatus.NOT_FOUND and _GONE & {*codes}:
            return UnknownDevice()
        if status == HTTPStatus.FORBIDDEN and _FOREIGN in codes:
            return IdRefused("foreign")
        # FCM's own message may name the device.
        reason = f"HTTP {status}: {', '.join(codes) or 'without an error code'}"
        if status == HTTPStatus.CONFLICT:
            return RetryLater(reason, cause="unavailable")
        result = classify(status, response.headers, response.body)
        if isinstance(result, RetryLater):
            if result.cause in _REFUSED_KEY:
                self._client.forget(response.account)
            return replace(result, reason=reason)
        return IdRefused("invalid") if _blames_id(response.body) else TopicRefused(topic, reason)


def _of(device: str) -> str:
    return f"registrations/{quote(device, safe='')}/topicSubscriptions"


def _blames_id(body: bytes) -> bool:
    """Return whether Google's error names the device's id as a violated field.

    False for a body without Google's error.
    """
    try:
        details = json.loads(body)["error"]["details"]
        violations = [each for detail in details for each in detail.get("fieldViolations", ())]
        fields = [str(violation["field"]) for violation in violations]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return False
    return any(_ID_FIELD.fullmatch(field) for field in fields)


def _unanswered(result: RetryLater) -> RetryLater:
    if result.cause != "no_answer":
        return result
    # The reason contains the address, which names the device.
    return replace(result, reason=result.reason.partition(":")[0])
