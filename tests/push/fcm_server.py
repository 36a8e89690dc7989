"""A loopback server that answers like FCM and like Google's token endpoint, as scripted."""

import json
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

PROJECT = "made-up-project"
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


class _Handler(BaseHTTPRequestHandler):
    script: FcmScript
    disable_nagle_algorithm = True
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.script.requests.append(f"GET {self.path}")
        self._answer(*ACCEPTED)

    def do_POST(self) -> None:
        if self.path == "/token":
            self._token()
            return
        self.script.requests.append(f"POST {self.path}")
        if self.script.cut == "before_body":
            self._reset()
            return
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.script.posts.append(json.loads(body))
        self.script.authorizations.append(self.headers["Authorization"])
        if self.script.hang:
            self.script.released.wait(10)
            self.close_connection = True
        elif self.script.cut == "after_body":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        else:
            self._answer(*self.script.answer, missing=1 if self.script.cut == "in_answer" else 0)
            self.close_connection = bool(self.script.cut)

    def _token(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.script.tokens_asked += 1
        if self.script.hang_token:
            self.script.released.wait(10)
            self.close_connection = True
            return
        token = {
            "access_token": self.script.token,
            "expires_in": self.script.token_seconds,
            "token_type": "Bearer",
        }
        refusal = {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
        good = self.script.token_status == 200
        self._answer(self.script.token_status, {}, json.dumps(token if good else refusal))

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _answer(
        self, status: int, headers: dict[str, str], body: str | bytes, missing: int = 0
    ) -> None:
        payload = body if isinstance(body, bytes) else body.encode()
        self.send_response_only(status)
        headers = {
            "Content-Type": "application/json",
            "Date": self.date_time_string(),
            "Content-Length": str(len(payload) + missing),
            **headers,
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_: object) -> None:
        """A connection that was reset is what some tests are about."""


@contextmanager
def fcm_server() -> Iterator[FcmScript]:
    """Serve until the block ends."""
    script = FcmScript()
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"script": script}))
    script.base_url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield script
    finally:
        script.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def refusal(status: str, message: str = "made up") -> str:
    """An error body in Google's format."""
    return json.dumps({"error": {"code": 0, "message": message, "status": status}})
