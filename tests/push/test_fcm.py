"""The real sender against a server on loopback: one POST an attempt, one of three classes.

google-auth posts again after 401 if it is let, requests follows redirects; each repeat may be a
second push. These tests count the POSTs and would notice a version that retries another way.
"""

import gc
import json
import socket
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import requests
from fcm_server import PROJECT, FcmScript, refusal

from uring.errors import Misconfigured
from uring.push.fcm import FcmSender
from uring.push.payload import Push
from uring.push.ports import Rejected, RetryLater, Sent

POST = f"POST /v1/projects/{PROJECT}/messages:send"
PUSH = Push("cs", {"event_id": "e" * 40, "title": "수강신청 안내", "is_pinned": "false"})


def test_an_accepted_push_is_one_post_with_the_name_that_fcm_gave(
    sender: FcmSender, fcm: FcmScript
) -> None:
    assert sender.send(PUSH) == Sent("projects/p/messages/1")
    assert len(fcm.posts) == 1
    assert fcm.requests == [POST]
    assert fcm.authorizations == ["Bearer fake"]


def test_a_token_serves_many_pushes(sender: FcmSender, fcm: FcmScript) -> None:
    for _ in range(3):
        sender.send(PUSH)
    assert (len(fcm.posts), fcm.tokens_asked) == (3, 1)


def test_a_token_that_ran_out_is_replaced_before_the_next_push(
    sender: FcmSender, fcm: FcmScript
) -> None:
    fcm.token_seconds = 0
    sender.send(PUSH)
    fcm.token = "newer"
    sender.send(PUSH)
    assert fcm.authorizations == ["Bearer fake", "Bearer newer"]
    assert fcm.requests == [POST, POST]


def test_a_stand_ins_token_is_shown_to_nobody_else(
    sender: FcmSender, fcm: FcmScript, monkeypatch: pytest.MonkeyPatch
) -> None:
    """google-auth would send it to iamcredentials.googleapis.com, from a thread of its own."""
    started: list[str] = []
    start = Thread.start

    def noted(thread: Thread) -> None:
        started.append(type(thread).__module__)
        if not started[-1].startswith("google."):
            start(thread)

    monkeypatch.setattr(Thread, "start", noted)
    sender.send(PUSH)
    assert len(fcm.posts) == 1
    assert started != [], "the server's own: the threads are seen"
    assert [module for module in started if module.startswith("google.")] == []


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
    assert answer.reason.startswith("ReadTimeout"), "given up before the server ended it"
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
    assert fcm.requests == [POST]


@pytest.mark.parametrize(
    ("code", "message", "reason"),
    [
        ("QUOTA_EXCEEDED", "Too many", "HTTP 429: RESOURCE_EXHAUSTED: QUOTA_EXCEEDED: Too many"),
        ("RESOURCE_EXHAUSTED", "", "HTTP 429: RESOURCE_EXHAUSTED"),
    ],
)
def test_the_reason_has_googles_status_and_fcms_own_code_and_words(
    sender: FcmSender, fcm: FcmScript, code: str, message: str, reason: str
) -> None:
    """Google's status names a kind of error; which of its kind it is, FCM's code says."""
    kind = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
    details = [{"@type": "made.up/Help"}, {"@type": kind, "errorCode": code}]
    error = {"status": "RESOURCE_EXHAUSTED", "message": message, "details": details}
    fcm.answer = (429, {}, json.dumps({"error": error}))
    result = sender.send(PUSH)
    assert isinstance(result, RetryLater)
    assert result.reason == reason


class TestCredentials:
    def test_the_project_is_the_keys_where_none_is_given(
        self, fcm: FcmScript, account: dict[str, Any]
    ) -> None:
        sender = FcmSender("", lambda: account, endpoint=fcm.base_url)
        assert isinstance(sender.send(PUSH), Sent)
        sender.close()
        assert fcm.requests == [POST]

    def test_a_key_without_a_project_posts_nothing_where_none_is_given(
        self, fcm: FcmScript, account: dict[str, Any]
    ) -> None:
        del account["project_id"]
        sender = FcmSender("", lambda: account, endpoint=fcm.base_url)
        result = sender.send(PUSH)
        assert isinstance(result, RetryLater)
        assert (result.after_seconds, result.delivered, result.cause) == (900, "no", "credentials")
        assert (fcm.requests, fcm.tokens_asked) == ([], 0)

    def test_default_credentials_push_to_their_own_project(
        self,
        fcm: FcmScript,
        account: dict[str, Any],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        key = tmp_path / "key.json"
        key.write_text(json.dumps(account))
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(key))
        sender = FcmSender("", None, endpoint=fcm.base_url)
        assert isinstance(sender.send(PUSH), Sent)
        sender.close()
        assert (fcm.requests, fcm.authorizations) == ([POST], ["Bearer fake"])

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
        monkeypatch.setattr("uring.push.fcm_client.TOKEN_TIMEOUT_SECONDS", 0.2)
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
        monkeypatch.setattr("uring.push.fcm_client.TOKEN_TIMEOUT_SECONDS", 0.5)
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
    def test_the_secret_is_not_read_before_the_first_push(self) -> None:
        def read() -> Mapping[str, Any]:
            pytest.fail("the secret was read before it was needed")

        FcmSender(PROJECT, read)

    def test_many_pushes_take_one_connection_and_close_ends_it(
        self, fcm: FcmScript, account: dict[str, Any]
    ) -> None:
        sender = FcmSender(PROJECT, lambda: account, endpoint=fcm.base_url)
        for _ in range(3):
            assert isinstance(sender.send(PUSH), Sent)
        assert connections(fcm) == 1
        sender.close()
        sender.close()
        assert connections(fcm) == 0

    def test_an_outage_of_the_key_keeps_no_more_than_one_connection(
        self, fcm: FcmScript, account: dict[str, Any]
    ) -> None:
        """Each refusal reads the key again."""
        fcm.answer = (403, {}, refusal("PERMISSION_DENIED"))
        sender = FcmSender(PROJECT, lambda: account, endpoint=fcm.base_url)
        for _ in range(10):
            assert isinstance(sender.send(PUSH), RetryLater)
        assert fcm.tokens_asked == 10
        assert connections(fcm) <= 1
        sender.close()

    def test_a_sender_that_is_gone_leaves_nothing_to_the_next(
        self, fcm: FcmScript, account: dict[str, Any]
    ) -> None:
        """One may get the memory address of another."""
        for number in range(1, 6):
            sender = FcmSender(PROJECT, lambda: account, endpoint=fcm.base_url)
            assert isinstance(sender.send(PUSH), Sent)
            assert fcm.tokens_asked == number
            del sender
            assert connections(fcm) == 0


def connections(fcm: FcmScript) -> int:
    """Sockets that this process has open to the server."""
    gc.collect()
    port = int(fcm.base_url.rpartition(":")[2])
    sockets = (each for each in gc.get_objects() if isinstance(each, socket.socket))
    return sum(_peer_port(each) == port for each in sockets)


def _peer_port(each: socket.socket) -> int | None:
    try:
        return int(each.getpeername()[1])
    except (OSError, IndexError):
        return None


def test_without_an_endpoint_it_is_googles(
    account: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    urls: list[str] = []

    def send(_: object, request: Any, **__: object) -> Any:
        urls.append(request.url)
        raise requests.ConnectionError

    monkeypatch.setattr("requests.adapters.HTTPAdapter.send", send)
    monkeypatch.setattr("google.oauth2.service_account.Credentials.refresh", _fake_refresh)
    sender = FcmSender(PROJECT, lambda: account)
    assert isinstance(sender.send(PUSH), RetryLater)
    sender.close()
    assert urls == [f"https://fcm.googleapis.com/v1/projects/{PROJECT}/messages:send"]


def _fake_refresh(credentials: Any, _: Callable[..., object]) -> None:
    credentials.token = json.dumps("fake")
