"""The real firebase-admin against a server on loopback: one POST an attempt, one of three classes.

Left to itself, firebase-admin posts up to five times and sleeps in between; each repeat may be a
second push. These tests count the POSTs and would notice a version that retries another way.
"""

import gc
import json
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import firebase_admin
import pytest
import requests
from fcm_server import PROJECT, FcmScript, refusal

from uring.errors import Misconfigured
from uring.push.fcm import LONGEST_PUSH_SECONDS, FcmSender
from uring.push.payload import Push
from uring.push.ports import Rejected, RetryLater, Sent

BOUNDARY_THREAD = (
    "google.auth._regional_access_boundary_utils._RegionalAccessBoundaryRefreshThread.start"
)
PUSH = Push("cs", {"event_id": "e" * 40, "title": "수강신청 안내", "is_pinned": "false"})


def test_an_accepted_push_is_one_post_with_the_name_that_fcm_gave(
    sender: FcmSender, fcm: FcmScript
) -> None:
    assert sender.send(PUSH) == Sent("projects/p/messages/1")
    assert len(fcm.posts) == 1
    assert fcm.requests == [f"POST /v1/projects/{PROJECT}/messages:send"]
    assert fcm.authorizations == ["Bearer fake"]


def test_a_token_serves_many_pushes(sender: FcmSender, fcm: FcmScript) -> None:
    for _ in range(3):
        sender.send(PUSH)
    assert (len(fcm.posts), fcm.tokens_asked) == (3, 1)


def test_a_stand_ins_token_is_shown_to_nobody_else(
    sender: FcmSender, fcm: FcmScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    """google-auth would send it to iamcredentials.googleapis.com, in the background."""
    started: list[object] = []
    monkeypatch.setattr(BOUNDARY_THREAD, started.append)
    sender.send(PUSH)
    assert len(fcm.posts) == 1
    assert started == []


@pytest.mark.parametrize(
    ("status", "headers", "word", "expected"),
    [
        (429, {"Retry-After": "60"}, "RESOURCE_EXHAUSTED", (60, "no")),
        (429, {}, "RESOURCE_EXHAUSTED", (60, "no")),
        (503, {}, "UNAVAILABLE", (0, "open")),
        (503, {"Retry-After": "120"}, "UNAVAILABLE", (120, "open")),
        (503, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, "UNAVAILABLE", (0, "open")),
        (503, {"Retry-After": "-1"}, "UNAVAILABLE", (0, "open")),
        (503, {"Retry-After": "9" * 30}, "UNAVAILABLE", (86_400, "open")),
        (500, {}, "INTERNAL", (0, "open")),
        (502, {}, "", (0, "open")),
        (504, {}, "DEADLINE_EXCEEDED", (0, "open")),
        (401, {}, "UNAUTHENTICATED", (900, "no")),
        (403, {}, "PERMISSION_DENIED", (900, "no")),
        (404, {}, "NOT_FOUND", (900, "no")),
    ],
)
def test_refused_for_now(
    sender: FcmSender,
    fcm: FcmScript,
    status: int,
    headers: dict[str, str],
    word: str,
    expected: tuple[int, str],
) -> None:
    fcm.answer = (status, headers, refusal(word) if word else "<html>Bad Gateway</html>")
    answer = sender.send(PUSH)
    assert isinstance(answer, RetryLater)
    assert (answer.after_seconds, answer.delivered) == expected
    assert f"HTTP {status}" in answer.reason
    assert len(fcm.posts) == 1


@pytest.mark.parametrize(("status", "word"), [(400, "INVALID_ARGUMENT"), (413, ""), (418, "")])
def test_refused_for_good(sender: FcmSender, fcm: FcmScript, status: int, word: str) -> None:
    fcm.answer = (status, {}, refusal(word, "Topic is wrong"))
    answer = sender.send(PUSH)
    assert isinstance(answer, Rejected)
    assert f"HTTP {status}" in answer.reason
    assert "Topic is wrong" in answer.reason
    assert len(fcm.posts) == 1


@pytest.mark.parametrize("status", [400, 503])
@pytest.mark.parametrize(
    "body",
    [
        "점검 중입니다".encode("cp949"),
        '{"error": "overloaded"}',
        '{"error": null}',
        '{"error": []}',
        '{"error": {"status": ["x"], "details": "x"}}',
        '{"error": {"status": "INTERNAL", "details": [1, null]}}',
        '{"error": {"status": "X", "message": "\\ud800"}}',
        "[" * 100_000,
        b"",
    ],
    ids=lambda body: str(body[:30]),
)
def test_a_refusal_is_judged_by_its_status_whatever_its_body_is(
    sender: FcmSender, fcm: FcmScript, status: int, body: str | bytes
) -> None:
    """Something between us and FCM answers in its own words; firebase-admin trips over them."""
    fcm.answer = (status, {}, body)
    answer = sender.send(PUSH)
    assert isinstance(answer, Rejected if status == 400 else RetryLater)
    assert answer.reason.startswith(f"HTTP {status}")
    assert len(fcm.posts) == 1


def test_no_answer_in_time_may_have_been_delivered(sender: FcmSender, fcm: FcmScript) -> None:
    fcm.hang = True
    answer = sender.send(PUSH)
    assert isinstance(answer, RetryLater)
    assert answer.delivered == "open"
    assert len(fcm.posts) == 1


def test_a_connection_dropped_after_the_body_may_have_been_delivered(
    sender: FcmSender, fcm: FcmScript
) -> None:
    fcm.cut = "after_body"
    answer = sender.send(PUSH)
    assert isinstance(answer, RetryLater)
    assert answer.delivered == "open"
    assert len(fcm.posts) == 1


@pytest.mark.parametrize(
    "body",
    [
        "{}",
        "",
        "<html>",
        "[]",
        "null",
        '"x"',
        '{"name": null}',
        '{"name": ""}',
        '{"name": {}}',
        b"\xff\xfe\x00",
        "[" * 100_000,
    ],
    ids=lambda body: str(body[:20]),
)
def test_an_unreadable_acceptance_may_have_been_delivered(
    sender: FcmSender, fcm: FcmScript, body: str | bytes
) -> None:
    fcm.answer = (200, {}, body)
    answer = sender.send(PUSH)
    assert isinstance(answer, RetryLater)
    assert answer.delivered == "open"
    assert len(fcm.posts) == 1


def test_a_connection_that_is_refused_is_tried_once(account: dict[str, Any]) -> None:
    """Port 9 (discard) of loopback has no listener; the token comes from the server."""
    sender = FcmSender(PROJECT, lambda: account, endpoint="http://127.0.0.1:9", timeout_seconds=0.5)
    answer = sender.send(PUSH)
    sender.close()
    assert isinstance(answer, RetryLater)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(sender: FcmSender, fcm: FcmScript, status: int) -> None:
    """307 would be a second POST, 302 a GET whose answer passes for FCM's."""
    fcm.answer = (status, {"Location": "/elsewhere"}, "")
    answer = sender.send(PUSH)
    assert isinstance(answer, RetryLater)
    assert (answer.after_seconds, answer.delivered, answer.cause) == (900, "no", "redirected")
    assert fcm.requests == [f"POST /v1/projects/{PROJECT}/messages:send"]


class TestCredentials:
    def test_a_refused_token_posts_nothing_and_is_tried_again_much_later(
        self, sender: FcmSender, fcm: FcmScript
    ) -> None:
        fcm.token_status = 400
        answer = sender.send(PUSH)
        assert isinstance(answer, RetryLater)
        assert (answer.after_seconds, answer.delivered) == (900, "no")
        assert "credentials" in answer.reason
        assert fcm.posts == []

    def test_a_token_endpoint_that_is_down_is_asked_again_soon(
        self, sender: FcmSender, fcm: FcmScript, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """google-auth itself asks three times; its waits, some 3 s, fit into the claim's lease."""
        waits: list[float] = []
        monkeypatch.setattr(time, "sleep", waits.append)
        fcm.token_status = 503
        answer = sender.send(PUSH)
        assert isinstance(answer, RetryLater)
        assert (answer.after_seconds, answer.delivered) == (0, "no")
        assert fcm.posts == []
        assert sum(waits) < 5

    def test_an_unreachable_token_endpoint_is_asked_again_soon(
        self, fcm: FcmScript, account: dict[str, Any]
    ) -> None:
        unreachable = account | {"token_uri": "http://127.0.0.1:9/token"}
        sender = FcmSender(PROJECT, lambda: unreachable, endpoint=fcm.base_url)
        answer = sender.send(PUSH)
        sender.close()
        assert isinstance(answer, RetryLater)
        assert (answer.after_seconds, answer.delivered) == (0, "no")
        assert fcm.posts == []

    def test_a_silent_token_endpoint_does_not_outlast_the_lease(
        self, sender: FcmSender, fcm: FcmScript, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("uring.push.fcm.TOKEN_TIMEOUT_SECONDS", 0.2)
        fcm.hang_token = True
        started = time.monotonic()
        answer = sender.send(PUSH)
        # Three tries at the most, with about three seconds of google-auth's own between them.
        assert time.monotonic() - started < 8
        assert isinstance(answer, RetryLater)
        assert answer.delivered == "no"
        assert fcm.posts == []

    def test_pushes_side_by_side_share_one_wait_for_a_token(
        self, sender: FcmSender, fcm: FcmScript, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Ten groups of a batch one after the other would wait longer than their claims last."""
        monkeypatch.setattr("uring.push.fcm.TOKEN_TIMEOUT_SECONDS", 0.5)
        fcm.hang_token = True
        with ThreadPoolExecutor(10) as pool:
            answers = list(pool.map(sender.send, [PUSH] * 10))
        assert {type(answer) for answer in answers} == {RetryLater}
        assert fcm.tokens_asked < 5, "a push that comes later may ask anew"
        assert fcm.posts == []

    def test_a_broken_key_posts_nothing_and_is_not_shown(self, fcm: FcmScript) -> None:
        broken = {"type": "service_account", "private_key": "s3cret", "client_email": "x"}
        sender = FcmSender(PROJECT, lambda: broken, endpoint=fcm.base_url)
        first, second = sender.send(PUSH), sender.send(PUSH)
        for answer in (first, second):
            assert isinstance(answer, RetryLater)
            assert answer.after_seconds == 900
            assert "s3cret" not in answer.reason
        assert first == second
        assert fcm.posts == []

    def test_no_default_credentials_posts_nothing_and_says_so_each_time(
        self, fcm: FcmScript, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nonexistent/key.json")
        sender = FcmSender(PROJECT, None, endpoint=fcm.base_url)
        first, second = sender.send(PUSH), sender.send(PUSH)
        assert isinstance(first, RetryLater)
        assert first == second
        assert first.after_seconds == 900
        assert "DefaultCredentialsError" in first.reason

    def test_a_mended_key_is_read_again(self, fcm: FcmScript, account: dict[str, Any]) -> None:
        """An operator replaces the secret; a warm process must not go on with the old one."""
        keys: list[Mapping[str, Any]] = [{"type": "service_account"}, account]
        sender = FcmSender(PROJECT, lambda: keys.pop(0), endpoint=fcm.base_url)
        assert isinstance(sender.send(PUSH), RetryLater)
        assert isinstance(sender.send(PUSH), Sent)
        sender.close()

    @pytest.mark.parametrize("trouble", ["token refused", "HTTP 401"])
    def test_a_rotated_key_is_read_again(
        self, fcm: FcmScript, account: dict[str, Any], trouble: str
    ) -> None:
        reads: list[int] = []

        def read() -> Mapping[str, Any]:
            reads.append(1)
            return account

        sender = FcmSender(PROJECT, read, endpoint=fcm.base_url)
        good = fcm.answer
        if trouble == "token refused":
            fcm.token_status = 400
        else:
            fcm.answer = (401, {}, refusal("UNAUTHENTICATED"))
        assert isinstance(sender.send(PUSH), RetryLater)
        fcm.token_status, fcm.answer = 200, good
        assert isinstance(sender.send(PUSH), Sent)
        assert len(reads) == 2
        sender.close()

    def test_an_unreadable_secret_is_the_deployments_trouble(self, fcm: FcmScript) -> None:
        def read() -> Mapping[str, Any]:
            raise Misconfigured("secret fcm: not a JSON object")

        with pytest.raises(Misconfigured):
            FcmSender(PROJECT, read, endpoint=fcm.base_url).send(PUSH)
        assert fcm.posts == []


class TestLifetime:
    def test_nothing_is_built_before_the_first_push(self) -> None:
        before = dict(firebase_admin._apps)  # noqa: SLF001 - there is no public list

        def read() -> Mapping[str, Any]:
            pytest.fail("the secret was read before it was needed")

        FcmSender(PROJECT, read)
        assert firebase_admin._apps == before  # noqa: SLF001

    def test_the_app_is_released(self, fcm: FcmScript, account: dict[str, Any]) -> None:
        before = dict(firebase_admin._apps)  # noqa: SLF001
        sender = FcmSender(PROJECT, lambda: account, endpoint=fcm.base_url)
        sender.send(PUSH)
        assert firebase_admin._apps != before  # noqa: SLF001
        sender.close()
        sender.close()
        assert firebase_admin._apps == before  # noqa: SLF001

    def test_an_outage_keeps_no_app_for_longer_than_a_push(
        self, fcm: FcmScript, account: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each refusal of the key builds another; each takes some 2.5 MB."""
        now = 0.0
        monkeypatch.setattr("uring.push.fcm.time.monotonic", lambda: now)
        before = len(firebase_admin._apps)  # noqa: SLF001
        fcm.answer = (403, {}, refusal("PERMISSION_DENIED"))
        sender = FcmSender(PROJECT, lambda: account, endpoint=fcm.base_url)
        for _ in range(10):
            assert isinstance(sender.send(PUSH), RetryLater)
            now += LONGEST_PUSH_SECONDS + 1
        assert len(firebase_admin._apps) - before <= 2  # noqa: SLF001
        sender.close()

    def test_senders_never_share_an_app(self, fcm: FcmScript, account: dict[str, Any]) -> None:
        """A sender may get the memory address of one that is gone."""
        for _ in range(5):
            sender = FcmSender(PROJECT, lambda: account, endpoint=fcm.base_url)
            assert isinstance(sender.send(PUSH), Sent)
            del sender
            gc.collect()
        for app in list(firebase_admin._apps.values()):  # noqa: SLF001
            firebase_admin.delete_app(app)


def test_without_an_endpoint_it_is_googles(
    account: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    urls: list[str] = []

    def send(_: object, request: Any, **__: object) -> Any:
        urls.append(request.url)
        raise requests.ConnectionError

    monkeypatch.setattr("requests.adapters.HTTPAdapter.send", send)
    monkeypatch.setattr("google.oauth2.service_account.Credentials.refresh", _fake_refresh)
    monkeypatch.setattr(BOUNDARY_THREAD, lambda _: None)
    sender = FcmSender(PROJECT, lambda: account)
    assert isinstance(sender.send(PUSH), RetryLater)
    sender.close()
    assert urls == [f"https://fcm.googleapis.com/v1/projects/{PROJECT}/messages:send"]


def _fake_refresh(credentials: Any, _: Callable[..., object]) -> None:
    credentials.token = json.dumps("fake")
