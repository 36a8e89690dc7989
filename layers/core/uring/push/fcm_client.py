"""The HTTP client of a Firebase project: it signs in at its first use and sends one request a call.

    read the key ─► fetch a token ─► request ─► response of any status

firebase-admin reads only the credentials. Its transport repeats a request by itself, up to five
times, and sleeps in between for a Retry-After. Each repeat of a push may be a second push on a
device, which no ledger sees; a caller of an HTTP API has given up by then.
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

# At most three tries of it, and a POST, fit into the ledger's lease of 45 s.
TOKEN_TIMEOUT_SECONDS: Final = 5
PRODUCTION: Final = "https://fcm.googleapis.com"


class FcmAccount(NamedTuple):
    """The credentials of one reading of the key, and the address of their project."""

    credential: Any
    url: str


@dataclass(frozen=True, slots=True)
class FcmResponse:
    """FCM's response.

    Attributes:
        headers: looked up by name in any case.
        body: empty if the connection broke within it.
        account: the sender of the request.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    account: FcmAccount


class FcmClient:
    """A client that sends requests to FCM for a project; safe to share between threads.

    Args:
        project_id: the Firebase project; empty for the credentials' own project.
        service_account: returns the key's JSON as a mapping, called at the first request; None for
            the application default credentials (workload identity federation).
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
        self._account: FcmAccount | None = None
        self._failure: Exception | None = None
        self._lock = threading.Lock()

    def request(
        self, method: str, path: str, body: Any = None, *, timeout_seconds: float
    ) -> FcmResponse | RetryLater:
        """Send one request, never more.

        Args:
            method: of HTTP.
            path: below the project, encoded, with its query if any: ``messages:send``.
            body: JSON values; None sends no body.
            timeout_seconds: to connect, and between two packets.

        Returns:
            The response, or `RetryLater` without one. Its cause is ``credentials`` or ``token``
            where nothing was sent, ``no_answer`` where the request may have taken effect.

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
                # Following a redirect would be a second request.
                allow_redirects=False,
                # The body is read below: a refusal is known by its status, even if the body breaks
                # off.
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
        return FcmResponse(response.status_code, response.headers, content, account)

    def forget(self, account: FcmAccount) -> None:
        """Drop the account, so that the next request reads the key again.

        An operator may have replaced the key. Another account than the current one is ignored.
        """
        with self._lock:
            if self._account is account:
                self._account = None

    def close(self) -> None:
        """Close the connections. No request may be under way."""
        self._session.close()

    def _sign_in(self) -> FcmAccount:
        """Return the account with a valid token.

        The token is fetched before the request: google-auth alone may wait longer than the lease.
        One thread fetches it for all. Threads that waited for it get the same failure: ten waits
        in a row would outlast the claims.

        Raises:
            ValueError, GoogleAuthError: the key or the token could not be had.
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

    def _read_key(self) -> FcmAccount:
        key = (
            credentials.Certificate(dict(self._service_account()))
            if self._service_account
            else credentials.ApplicationDefault()
        )
        project = self._project_id or key.project_id
        if not project:
            raise ValueError("the credentials name no Firebase project, and none is configured")
        return FcmAccount(key.get_credential(), f"{self._endpoint}/v1/projects/{project}")

    def _fetch_token(self, credential: Any) -> None:
        if not credential.valid:
            credential.refresh(partial(Request(), timeout=TOKEN_TIMEOUT_SECONDS))
        if self._session.credentials.token != credential.token:
            # The token alone: with a service account's credentials the session asks Google, from a
            # thread, where they may be used. A test server's token must not reach Google.
            self._session.credentials = AccessToken(
                credential.token, quota_project_id=credential.quota_project_id
            )


def _no_token(error: Exception) -> RetryLater:
    """Classify a failure of the key or the token; nothing was sent.

    A passing failure sets no least wait, any other failure one of 15 minutes.
    """
    passing = isinstance(error, TransportError) or getattr(error, "retryable", False)
    return RetryLater(
        f"credentials: {type(error).__name__}: {error}"[:LONGEST_REASON],
        after_seconds=0 if passing else MISCONFIGURED_RETRY_SECONDS,
        cause="token" if passing else "credentials",
    )
