"""A loopback server that answers like FCM and like Google's token endpoint, as scripted."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from uring_local.loopback import Answer, Connection, Listener, whole

PROJECT = "made-up-project"
# The time of the sender's clock.
NOW = datetime(2026, 3, 2, 1, 0, 1, tzinfo=UTC)
ACCEPTED = (200, dict[str, str](), '{"name": "projects/p/messages/1"}')
Cut = Literal["", "before_body", "after_body", "in_answer", "after_answer"]


@dataclass
class FcmScript:
    """What to answer, and what was asked.

    Attributes:
        answer: (status, headers, body) for a request to FCM.
        cut: where the connection ends instead: reset before the body is read, closed after it,
            closed within the answer's body, or after the whole answer without a word.
        hang: set by a test that wants no answer at all until it is over.
        hang_token: the same for the token endpoint.
        token: what the token endpoint gives, for so many ``token_seconds``.
        requests: first lines of what FCM was asked, counted before anything else is read.
        posts: bodies that arrived whole.
    """

    base_url: str = ""
    answer: tuple[int, dict[str, str], str | bytes] = ACCEPTED
    cut: Cut = ""
    token_status: int = 200
    token: str = "fake"
    token_seconds: int = 3_600
    hang: bool = False
    hang_token: bool = False
    released: threading.Event = field(default_factory=threading.Event)
    requests: list[str] = field(default_factory=list)
    posts: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    tokens_asked: int = 0

    def heal(self) -> None:
        """Answer well from now on."""
        self.answer, self.cut, self.token_status = ACCEPTED, "", 200
        self.hang = self.hang_token = False

    def talk(self, connection: Connection) -> None:
        """Answer the requests of a connection until it is cut."""
        while True:
            request = connection.read_head()
            if request.path == "/token":
                connection.read_body()
                self.tokens_asked += 1
                if self.hang_token:
                    break
                connection.send(self._token())
                continue
            self.requests.append(f"{request.method} {request.path}")
            if request.method == "GET":
                connection.send(_answer(*ACCEPTED))
                continue
            if self.cut == "before_body":
                connection.reset()
                return
            request = connection.read_body()
            self.posts.append(json.loads(request.body))
            self.authorizations.append(request.headers["authorization"])
            if self.hang:
                break
            if self.cut != "after_body":
                sent = _answer(*self.answer)
                connection.send(sent[:-1] if self.cut == "in_answer" else sent)
            if self.cut:
                return
        self.released.wait(10)

    def _token(self) -> bytes:
        token = {
            "access_token": self.token,
            "expires_in": self.token_seconds,
            "token_type": "Bearer",
        }
        refusal = {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
        good = self.token_status == 200
        return _answer(self.token_status, {}, json.dumps(token if good else refusal))


def _answer(status: int, headers: dict[str, str], body: str | bytes) -> bytes:
    payload = body if isinstance(body, bytes) else body.encode()
    return whole(Answer(status, payload, {"Content-Type": "application/json", **headers}))


@contextmanager
def fcm_server() -> Iterator[FcmScript]:
    """Serve until the block ends."""
    script = FcmScript()
    with Listener(script.talk) as server:
        script.base_url = f"http://{server.host}"
        try:
            yield script
        finally:
            script.released.set()
    assert server.failures == []


def refusal(status: str, message: str = "made up") -> str:
    """An error body in Google's format."""
    return json.dumps({"error": {"code": 0, "message": message, "status": status}})
