"""The HTTP client of a Firebase project: signed in when it is first needed, one request a call.

    read the key ─► fetch a token ─► request ─► response, whatever its status

firebase-admin reads the credentials and no more: its transport repeats a request by itself, up to
five times, and sleeps in between, as long as a Retry-After says. Each repeat of a push may be a
second push on a device, below any ledger; a caller of an HTTP API is gone by then.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import requests
from firebase_admin import credentials
from google.auth.exceptions import GoogleAuthError, TransportError
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2.credentials import Credentials as AccessToken
from requests.adapters import HTTPAdapter

from uring.push.fcm_errors import LONGEST_REASON, MISCONFIGURED_RETRY_SECONDS
from uring.push.ports import RetryLater

# Three tries of it at the most, and a POST, fit into the ledger's lease of 45 s.
TOKEN_TIMEOUT_SECONDS: Final = 5
PRODUCTION: Final = "https://fcm.googleapis.com"


class Account(NamedTuple):
    """The credentials as they were read once, and the address of their project."""

    credential: Any
    url: str


@dataclass(frozen=True, slots=True)
class Response:
    """FCM's response.

    Attributes:
        headers: looked up whatever the case of their names.
        body: as far as it arrived.
        account: with which it was asked for.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    account: Account


class FcmClient:
    """Sends requests to FCM in the name of a project; safe to share between threads.

    Args:
        project_id: the Firebase project; empty for the one that the credentials name.
        service_account: the key's JSON as a mapping, read with the first request; None for the
            application default credentials (workload identity federation).
        endpoint: another server that speaks FCM HTTP v1, for tests; empty for FCM.
    """

    def __init__(
        self,
        project_id: str,
        service_account: Callable[[], Mapping[str, Any]] | None,
        *,
        endpoint: str = "",
    ) -> None:
        self._project_id = project_id
        self._service_account = service_account
        self._endpoint = (endpoint or PRODUCTION).rstrip("/")
        self._session = AuthorizedSession(AccessToken(None), max_refresh_attempts=0)
        self._session.mount(self._endpoint, HTTPAdapter(max_retries=0))
        self._account: Account | None = None
        self._failure: Exception | None = None
        self._lock = threading.Lock()

    def request(
        self, method: str, path: str, body: Any = None, *, timeout_seconds: float
    ) -> Response | RetryLater:
        """Send one request, never more.

        Args:
            method: of HTTP.
            path: below the project, encoded, with a query where it has one: ``messages:send``.
            body: of JSON; None for none.
            timeout_seconds: to connect, and between two packets.

        Returns:
            The response; `RetryLater` without one: ``credentials`` or ``token`` where nothing was
            sent, ``no_answer`` where it may have taken effect.

        Raises:
            Retryable: the credentials could not be read; nothing was sent.
        """
        try:
            account = self._sign_in()
        except (ValueError, GoogleAuthError) as error:
            return _no_token(error)
        try:
            response = self._session.request(
                method,
                f"{account.url}/{path}",
                json=body,
                timeout=timeout_seconds,
                # To follow a redirect is another request.
                allow_redirects=False,
                # The body is read below: a refusal is known by its status, even if that breaks off.
                stream=True,
            )
        except requests.RequestException as error:
            reason = f"{type(error).__name__}: {error}"[:LONGEST_REASON]
            return RetryLater(reason, delivered="open", cause="no_answer")
        with response:
            try:
                content = response.content
            except requests.RequestException:
                content = b""
        return Response(response.status_code, response.headers, content, account)

    def forget(self, account: Account) -> None:
        """Have the next request read the key again: an operator may have replaced it."""
        with self._lock:
            if self._account is account:
                self._account = None

    def close(self) -> None:
        """Close the connections. No request may be under way."""
        self._session.close()

    def _sign_in(self) -> Account:
        """Have a token before the request: google-auth alone may wait longer than the lease.

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

    def _read_key(self) -> Account:
        key = (
            credentials.Certificate(dict(self._service_account()))
            if self._service_account
            else credentials.ApplicationDefault()
        )
        project = self._project_id or key.project_id
        if not project:
            raise ValueError("the credentials name no Firebase project, and none is configured")
        return Account(key.get_credential(), f"{self._endpoint}/v1/projects/{project}")

    def _fetch_token(self, credential: Any) -> None:
        if not credential.valid:
            credential.refresh(partial(Request(), timeout=TOKEN_TIMEOUT_SECONDS))
        if self._session.credentials.token != credential.token:
            # The token alone: with a service account's credentials the session asks Google where
            # they may be used, from a thread. A stand-in's token is nobody else's business.
            self._session.credentials = AccessToken(
                credential.token, quota_project_id=credential.quota_project_id
            )


def _no_token(error: Exception) -> RetryLater:
    """Classify a failure of the key or the token, not of the request: nothing was sent."""
    passing = isinstance(error, TransportError) or getattr(error, "retryable", False)
    return RetryLater(
        f"credentials: {type(error).__name__}: {error}"[:LONGEST_REASON],
        after_seconds=0 if passing else MISCONFIGURED_RETRY_SECONDS,
        cause="token" if passing else "credentials",
    )
