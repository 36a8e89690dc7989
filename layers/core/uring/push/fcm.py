"""FCM over HTTP v1: one POST per attempt, every response put in one of three classes.

    read the key ─► fetch a token ─► POST ─┬ 2xx with FCM's name for it ─► Sent
                                           └ else ─► RetryLater, Rejected: `fcm_errors`

firebase-admin reads the credentials and no more: its transport repeats a POST by itself, up to five
times, and sleeps in between. Each repeat may be a second push on a device, below any ledger.
"""

import json
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import requests
from firebase_admin import credentials
from google.auth.exceptions import GoogleAuthError, TransportError
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2.credentials import Credentials as AccessToken
from requests.adapters import HTTPAdapter

from uring.push.fcm_errors import LONGEST_REASON, MISCONFIGURED_RETRY_SECONDS, classify
from uring.push.payload import Push, request_body
from uring.push.ports import RetryLater, SendResult, Sent

# FCM itself gives up after about ten seconds; giving up sooner makes doubles.
TIMEOUT_SECONDS: Final = 15
# Three tries of it at the most, and a POST, fit into the ledger's lease of 45 s.
TOKEN_TIMEOUT_SECONDS: Final = 5
PRODUCTION: Final = "https://fcm.googleapis.com"
_SUCCESS: Final = range(200, 300)


class FcmSender:
    """A sender of data messages to topics.

    Args:
        project_id: the Firebase project; empty for the one that the credentials name.
        service_account: the key's JSON as a mapping, read when the first push is sent; None for
            the application default credentials (workload identity federation).
        endpoint: another server that speaks FCM HTTP v1, for tests; empty for FCM.
        validate_only: FCM checks everything, the key and the message, and delivers nothing.
    """

    def __init__(
        self,
        project_id: str,
        service_account: Callable[[], Mapping[str, Any]] | None,
        *,
        endpoint: str = "",
        timeout_seconds: float = TIMEOUT_SECONDS,
        validate_only: bool = False,
    ) -> None:
        self._project_id = project_id
        self._service_account = service_account
        self._endpoint = (endpoint or PRODUCTION).rstrip("/")
        self._timeout_seconds = timeout_seconds
        self._validate_only = validate_only
        self._session = AuthorizedSession(AccessToken(None), max_refresh_attempts=0)
        self._session.mount(self._endpoint, HTTPAdapter(max_retries=0))
        self._account: _Account | None = None
        self._failure: Exception | None = None
        self._lock = threading.Lock()

    def send(self, push: Push) -> SendResult:
        """See `uring.push.ports.Sender.send`."""
        try:
            account = self._sign_in()
        except (ValueError, GoogleAuthError) as error:
            return _no_token(error)
        result = self._post(account.url, push)
        if isinstance(result, RetryLater) and result.cause in ("unauthorised", "forbidden"):
            # The next push reads the key again: an operator may have replaced it.
            with self._lock:
                if self._account is account:
                    self._account = None
        return result

    def close(self) -> None:
        """Close the connections. No push may be under way."""
        self._session.close()

    def _sign_in(self) -> "_Account":
        """Have a token before the POST: google-auth alone may wait longer than the lease.

        One thread asks for all. Those that waited meanwhile get the same failure: ten waits in a
        row would outlast the claims.
        """
        failure = self._failure
        with self._lock:
            if self._failure and self._failure is not failure:
                raise self._failure
            try:
                self._account = self._account or self._read_key()
                self._fetch_token(self._account.credential)
            except (ValueError, GoogleAuthError) as error:
                self._account, self._failure = None, error
                raise
            return self._account

    def _read_key(self) -> "_Account":
        key = (
            credentials.Certificate(dict(self._service_account()))
            if self._service_account
            else credentials.ApplicationDefault()
        )
        project = self._project_id or key.project_id
        if not project:
            raise ValueError("the credentials name no Firebase project, and none is configured")
        url = f"{self._endpoint}/v1/projects/{project}/messages:send"
        return _Account(key.get_credential(), url)

    def _fetch_token(self, credential: Any) -> None:
        if not credential.valid:
            credential.refresh(partial(Request(), timeout=TOKEN_TIMEOUT_SECONDS))
        if self._session.credentials.token != credential.token:
            # The token alone: with a service account's credentials the session asks Google where
            # they may be used, from a thread. A stand-in's token is nobody else's business.
            self._session.credentials = AccessToken(
                credential.token, quota_project_id=credential.quota_project_id
            )

    def _post(self, url: str, push: Push) -> SendResult:
        try:
            response = self._session.post(
                url,
                json=request_body(push, validate_only=self._validate_only),
                timeout=self._timeout_seconds,
                # To follow a redirect is another POST.
                allow_redirects=False,
                # The body is read below: a refusal is known by its status, even if that breaks off.
                stream=True,
            )
        except requests.RequestException as error:
            reason = f"{type(error).__name__}: {error}"[:LONGEST_REASON]
            return RetryLater(reason, delivered="open", cause="no_answer")
        with response:
            try:
                body = response.content
            except requests.RequestException:
                body = b""
        if response.status_code in _SUCCESS:
            return _sent(body)
        return classify(response.status_code, response.headers, body)


class _Account(NamedTuple):
    """The credentials as they were read once, and the address of their project."""

    credential: Any
    url: str


def _sent(body: bytes) -> SendResult:
    """Read FCM's name for the message. Without one, FCM may well have delivered it."""
    try:
        name = json.loads(body)["name"]
    except (ValueError, KeyError, TypeError, RecursionError):
        name = None
    if isinstance(name, str) and name:
        return Sent(name)
    reason = f"a success without FCM's name for the message: {body[:LONGEST_REASON]!r}"
    return RetryLater(reason[:LONGEST_REASON], delivered="open", cause="unreadable")


def _no_token(error: Exception) -> RetryLater:
    """Classify a failure of the key or the token, not of the message: nothing was posted."""
    passing = isinstance(error, TransportError) or getattr(error, "retryable", False)
    return RetryLater(
        f"credentials: {type(error).__name__}: {error}"[:LONGEST_REASON],
        after_seconds=0 if passing else MISCONFIGURED_RETRY_SECONDS,
        cause="token" if passing else "credentials",
    )
