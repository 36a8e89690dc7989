"""Requests as botocore's clients send them: signed, in bounded attempts, over a pool of their own.

Whoever watches or answers the calls of a boto3 client by its events sees these too:
`provide-client-params`, `before-send` and `after-call` are emitted as botocore does.
"""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSPreparedRequest, HeadersDict
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionError,  # noqa: A004 - botocore's, as it names it
    HTTPClientError,
)
from botocore.handlers import add_recursion_detection_header

from uring.aws.direct.answers import Answer, refusal
from uring.aws.direct.place import Place
from uring.aws.direct.pool import Pool

Read = Callable[[Answer], dict[str, Any]]
"""Reads a success; raises HTTPClientError for an answer that must not be believed."""

# As botocore's standard mode has them.
_MOST_WAIT_SECONDS: Final = 20.0
_TRANSIENT: Final = frozenset({500, 502, 503, 504})
_BUSY: Final = frozenset(
    {
        "BandwidthLimitExceeded",
        "PriorRequestNotComplete",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "RequestThrottledException",
        "RequestTimeout",
        "RequestTimeoutException",
        "SlowDown",
        "ThrottledException",
        "Throttling",
        "ThrottlingException",
        "TooManyRequestsException",
        "TransactionInProgressException",
    }
)


@dataclass(frozen=True, slots=True)
class Request:
    """A request before it is signed.

    Attributes:
        operation: ``GetObject``.
        params: of the call, for those who watch.
        target: path on the server, encoded, with a leading slash.
        headers: without those of the signature.
    """

    operation: str
    params: Mapping[str, Any]
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes = b""


class _Signing:
    """A request as botocore's signers take it; they add to the headers."""

    def __init__(self, method: str, url: str, headers: dict[str, str], body: bytes) -> None:
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.params: Mapping[str, str] = {}
        self.context: dict[str, Any] = {}


class Wire:
    """Sends the requests of one client; safe to share between threads.

    Args:
        client: boto3's, whose time-outs, attempts and events these are.
        count: is told each call by its name, ``s3:GetObject``, however often it is tried.
    """

    def __init__(self, client: Any, count: Callable[[str], None]) -> None:
        meta, config = client.meta, client.meta.config
        self._client = client
        self._count = count
        self._service = meta.service_model.service_name
        self._service_id = meta.service_model.service_id.hyphenize()
        self._events = meta.events
        self._agent = config.user_agent or "uRing"
        self._attempts = (config.retries or {}).get("total_max_attempts") or 3
        self._pool = Pool(config)

    def send(self, place: Place, request: Request, read: Read) -> dict[str, Any]:
        """Return what a success is read as.

        Args:
            place: where it goes.
            request: as it is before it is signed.
            read: see there; what it raises is asked again.

        Raises:
            ClientError: the service refuses.
            BotoCoreError: there is no answer, or none that can be read; a write may have been done.
        """
        model = self._client.meta.service_model.operation_model(request.operation)
        self._emit(
            "provide-client-params", model.name, params=request.params, model=model, context={}
        )
        self._count(f"{self._service}:{model.name}")
        try:
            parsed = self._sent(place, request, read)
        except ClientError as error:
            self._after(model, error.response)
            raise
        self._after(model, parsed)
        return parsed

    def _sent(self, place: Place, request: Request, read: Read) -> dict[str, Any]:
        attempt = 0
        while True:
            attempt += 1
            try:
                return read(self._attempt(place, request))
            except (ClientError, HTTPClientError, ConnectionError) as error:
                if attempt >= self._attempts or not _may_pass(error):
                    raise
            time.sleep(random.random() * min(2 ** (attempt - 1), _MOST_WAIT_SECONDS))

    def _attempt(self, place: Place, request: Request) -> Answer:
        url = place.origin + request.target
        headers = self._signed(place, url, request)
        seen: Any = HeadersDict(headers)
        sent = AWSPreparedRequest(request.method, url, seen, request.body, stream_output=False)
        given = next(filter(None, self._emit("before-send", request.operation, request=sent)), None)
        if given is None:
            answer = self._pool.exchange(
                request.method, place.origin, request.target, headers, request.body
            )
        else:
            answer = Answer(given.status_code, given.headers, given.content)
        if not answer.is_success:
            raise refusal(answer, request.operation)
        return answer

    def _signed(self, place: Place, url: str, request: Request) -> dict[str, str]:
        headers = {**request.headers, "User-Agent": self._agent}
        add_recursion_detection_header({"headers": headers})
        sign = S3SigV4Auth if place.name == "s3" else SigV4Auth
        signer = sign(place.credentials(), place.name, place.region)
        signing: Any = _Signing(request.method, url, headers, request.body)
        signer.add_auth(signing)
        return headers

    def _after(self, model: Any, parsed: Any) -> None:
        self._emit(
            "after-call", model.name, http_response=None, parsed=parsed, model=model, context={}
        )

    def _emit(self, event: str, operation: str, **given: Any) -> list[Any]:
        name = f"{event}.{self._service_id}.{operation}"
        return [answer for _, answer in self._events.emit(name, **given)]


def _may_pass(error: BotoCoreError | ClientError) -> bool:
    """Return whether another attempt may do better, as botocore judges it."""
    if not isinstance(error, ClientError):
        return True
    said = error.response
    return (
        said["ResponseMetadata"]["HTTPStatusCode"] in _TRANSIENT or said["Error"]["Code"] in _BUSY
    )
