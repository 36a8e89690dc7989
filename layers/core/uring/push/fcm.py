"""FCM through firebase-admin: one POST per attempt, every answer put in one of three classes.

    sign in ─► encode ─► POST ─┬ 2xx ─► its name
                               └ any other ─► `uring.push.fcm_errors`

firebase-admin repeats a POST by itself, up to five times, and sleeps while it waits (its transport
retries connection errors, 500 and 503, and honours Retry-After in process). Each repeat may be a
second push on a device, below any ledger. So its transport is replaced by one without retries; that
reaches into private attributes, which is why firebase-admin is pinned and a test counts the POSTs.
Nor does it get to read refusals: on a body that is not Google's (a proxy's, in EUC-KR perhaps) it
raises whatever its parser raises.
"""

import threading
import time
import uuid
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

import firebase_admin
import requests
from firebase_admin import credentials, exceptions, messaging
from google.auth.exceptions import GoogleAuthError, TransportError
from google.auth.transport.requests import Request
from requests.adapters import HTTPAdapter

from uring.push.fcm_errors import MISCONFIGURED_RETRY_SECONDS, classify
from uring.push.payload import Push
from uring.push.ports import Rejected, RetryLater, SendResult, Sent

# FCM itself gives up after about ten seconds; giving up sooner makes doubles.
TIMEOUT_SECONDS = 15
# Three tries of it at the most, and a POST, fit into the ledger's lease of 45 s.
TOKEN_TIMEOUT_SECONDS = 5
# Lambda ends the function by then.
LONGEST_PUSH_SECONDS = 60
# Of use for a day: a phone that was off longer finds the notices in the app.
TIME_TO_LIVE = timedelta(hours=24)
UNAUTHORISED = ("unauthorised", "forbidden")
PRODUCTION = "https://fcm.googleapis.com"


class FcmSender:
    """Sends data messages to topics.

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
        self._app: firebase_admin.App | None = None
        self._retired: list[tuple[float, firebase_admin.App]] = []
        self._lock = threading.Lock()
        self._token_lock = threading.Lock()
        self._no_token: tuple[firebase_admin.App, GoogleAuthError] | None = None

    def send(self, push: Push) -> SendResult:
        """See `uring.push.ports.Sender.send`."""
        try:
            app = self._connect()
        except (ValueError, GoogleAuthError) as error:
            return _no_credentials(error)
        try:
            self._sign_in(app)
        except GoogleAuthError as error:
            self._retire(app)
            return _no_credentials(error)
        return self._post(app, push)

    def close(self) -> None:
        """Give up what was built. No push may be under way."""
        with self._lock:
            apps = [*(app for _, app in self._retired), self._app]
            self._app, self._retired = None, []
        for app in apps:
            if app is not None:
                _release(app)

    def _post(self, app: firebase_admin.App, push: Push) -> SendResult:
        try:
            return _accepted(messaging.send(_message(push), dry_run=self._validate_only, app=app))
        except _Refusal as refusal:
            if refusal.meaning.cause in UNAUTHORISED:
                self._retire(app)
            return refusal.meaning
        except GoogleAuthError as error:
            # The token ran out between the two.
            self._retire(app)
            return _no_credentials(error)
        except exceptions.FirebaseError as error:
            return _no_answer(error)
        except (KeyError, TypeError, RecursionError, requests.RequestException) as error:
            return _unreadable(type(error).__name__)
        except ValueError as error:
            return Rejected(f"refused by firebase-admin before any POST: {error}", cause="invalid")

    def _retire(self, app: firebase_admin.App) -> None:
        """Read the key again for the next push: an operator may have replaced it.

        Other threads may be using the app still, for no longer than a push takes: it is released
        when another is retired after that, or by `close`.
        """
        now = time.monotonic()
        with self._lock:
            if self._app is app:
                self._app = None
                self._retired.append((now, app))
            idle = [each for since, each in self._retired if now - since > LONGEST_PUSH_SECONDS]
            self._retired = [each for each in self._retired if each[1] not in idle]
        for each in idle:
            _release(each)

    def _connect(self) -> firebase_admin.App:
        with self._lock:
            if self._app is None:
                self._app = self._build()
            return self._app

    def _sign_in(self, app: firebase_admin.App) -> None:
        """Have a token before the POST: google-auth alone may wait longer than the lease.

        One thread asks for all. Whoever waited meanwhile gets the same answer: ten waits in a
        row would outlast the claims.
        """
        credential = messaging._get_messaging_service(app)._credential  # noqa: SLF001
        with self._token_lock:
            if self._no_token is not None and self._no_token[0] is app:
                raise self._no_token[1]
            if credential.valid:
                return
            try:
                credential.refresh(partial(Request(), timeout=TOKEN_TIMEOUT_SECONDS))
            except GoogleAuthError as error:
                self._no_token = (app, error)
                raise

    def _build(self) -> firebase_admin.App:
        credential = (
            credentials.Certificate(dict(self._service_account()))
            if self._service_account
            else credentials.ApplicationDefault()
        )
        app = firebase_admin.initialize_app(
            credential,
            {"projectId": self._project_id or None, "httpTimeout": self._timeout_seconds},
            name=f"uring-{uuid.uuid4().hex}",
        )
        try:
            self._prepare(app)
        except BaseException:
            firebase_admin.delete_app(app)
            raise
        return app

    def _prepare(self, app: firebase_admin.App) -> None:
        """Point the app at the endpoint, and take its retries away."""
        service = messaging._get_messaging_service(app)  # noqa: SLF001
        service._fcm_url = f"{self._endpoint}/v1/projects/{app.project_id}/messages:send"  # noqa: SLF001
        session = service._client.session  # noqa: SLF001
        session._max_refresh_attempts = 0  # noqa: SLF001 - a 401 is not posted again either
        for prefix in [*session.adapters, self._endpoint]:
            session.mount(prefix, HTTPAdapter(max_retries=0, pool_maxsize=20))
        # Called before a redirect is followed, which would be another POST.
        session.hooks["response"] = [_refuse]
        if self._endpoint != PRODUCTION:
            # Beside the token, google-auth asks Google where it may be used, from a thread of its
            # own: a stand-in's token is nobody else's business.
            session.credentials._is_regional_access_boundary_lookup_required = lambda: False  # noqa: SLF001


def _release(app: firebase_admin.App) -> None:
    messaging._get_messaging_service(app)._client.close()  # noqa: SLF001
    firebase_admin.delete_app(app)


def _message(push: Push) -> messaging.Message:
    """A data message that wakes the app on each platform."""
    lifetime = str(int(TIME_TO_LIVE.total_seconds()))
    return messaging.Message(
        topic=push.topic,
        data=push.data,
        # Without "high" a data message waits until the phone leaves Doze.
        android=messaging.AndroidConfig(priority="high", ttl=TIME_TO_LIVE),
        # A data-only message is a background push: APNs refuses any priority but 5 (FCM's docs).
        apns=messaging.APNSConfig(
            headers={"apns-push-type": "background", "apns-priority": "5"},
            payload=messaging.APNSPayload(aps=messaging.Aps(content_available=True)),
        ),
        webpush=messaging.WebpushConfig(headers={"TTL": lifetime, "Urgency": "high"}),
    )


class _Refusal(Exception):
    """An answer other than 2xx, on its way past firebase-admin's parser."""

    def __init__(self, meaning: RetryLater | Rejected) -> None:
        super().__init__(meaning.reason)
        self.meaning = meaning


def _refuse(response: requests.Response, *_: Any, **__: Any) -> None:
    if not 200 <= response.status_code < 300:  # noqa: PLR2004
        try:
            body = response.content
        except requests.RequestException:
            body = b""
        raise _Refusal(classify(response.status_code, response.headers, body))


def _no_credentials(error: Exception) -> RetryLater:
    """The key or the token, not the message: nothing was posted."""
    passing = isinstance(error, TransportError) or getattr(error, "retryable", False)
    return RetryLater(
        f"credentials: {type(error).__name__}: {error}"[:300],
        after_seconds=0 if passing else MISCONFIGURED_RETRY_SECONDS,
        cause="token" if passing else "credentials",
    )


def _no_answer(error: exceptions.FirebaseError) -> RetryLater:
    if isinstance(error.cause, requests.exceptions.JSONDecodeError):
        return _unreadable("no JSON")
    return RetryLater(f"{error.code}: {error}"[:300], delivered="open", cause="no_answer")


def _accepted(name: Any) -> Sent | RetryLater:
    return Sent(name) if isinstance(name, str) and name else _unreadable("no name")


def _unreadable(problem: str) -> RetryLater:
    """200 without a name, or an answer that broke off: FCM may well have delivered."""
    return RetryLater(f"unreadable answer: {problem}", delivered="open", cause="unreadable")
