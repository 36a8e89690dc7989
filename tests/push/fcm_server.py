"""A loopback server that answers like FCM and like Google's token endpoint, as scripted."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class FcmScript:
    """What to answer, and what was asked.

    Attributes:
        answer: (status, headers, body) for a POST to FCM; None drops the connection unanswered.
        hang: set by a test that wants no answer at all until it is over.
        hang_token: the same for the token endpoint.
    """

    base_url: str = ""
    answer: tuple[int, dict[str, str], str] | None = (200, {}, '{"name": "projects/p/messages/1"}')
    token_status: int = 200
    hang: bool = False
    hang_token: bool = False
    released: threading.Event = field(default_factory=threading.Event)
    posts: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    tokens_asked: int = 0


def _handler(script: FcmScript) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/token":
                script.tokens_asked += 1
                if script.hang_token:
                    script.released.wait(10)
                    self.close_connection = True
                    return
                token = {"access_token": "fake", "expires_in": 3600, "token_type": "Bearer"}
                refusal = {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
                good = script.token_status == 200
                self._answer(script.token_status, {}, json.dumps(token if good else refusal))
                return
            script.posts.append(json.loads(body))
            script.paths.append(self.path)
            script.authorizations.append(self.headers["Authorization"])
            if script.hang:
                script.released.wait(10)
                self.close_connection = True
            elif script.answer is None:
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
            else:
                self._answer(*script.answer)

        def _answer(self, status: int, headers: dict[str, str], body: str) -> None:
            payload = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler


@contextmanager
def fcm_server() -> Iterator[FcmScript]:
    """Serve until the block ends."""
    script = FcmScript()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    server.daemon_threads = True
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
