"""A small HTTP/1.1 server on loopback for the stand-ins: exact answers, and failures on purpose.

The stand-ins decide (``Request`` → ``Answer``); this module alone knows about sockets. Every
connection has its own thread; ``stop`` cuts open connections and joins all of them.
"""

import errno
import socket
import socketserver
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self
from urllib.parse import parse_qs, urlsplit

from uring.errors import UringError

LOOPBACK = "127.0.0.1"
_IDLE_SECONDS = 60.0
_DRIP_SECONDS = 0.1


@dataclass(frozen=True)
class Request:
    """One request, body read in full. ``form`` and ``query`` keep the last value of a name."""

    method: str
    target: str
    headers: Message
    body: bytes

    @property
    def path(self) -> str:
        """The path alone, still percent-encoded."""
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        """The query's parameters, decoded."""
        return _last_values(urlsplit(self.target).query)

    @property
    def form(self) -> dict[str, str]:
        """The body read as ``application/x-www-form-urlencoded``."""
        return _last_values(self.body.decode("utf-8", "replace"))


@dataclass(frozen=True)
class Answer:
    """What goes back.

    Args:
        manner: ``whole`` answers, after ``seconds``. ``cut`` closes the connection after
            ``seconds`` without a byte. ``drip`` announces the whole body, sends a few bytes a
            second for ``seconds`` and closes before the end, so it can never be read in full.
        seconds: how long it takes; ends at once when the server stops.
    """

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: Literal["whole", "cut", "drip"] = "whole"
    seconds: float = 0.0


class PortTaken(UringError):
    """A run that is taken up again needs its ports: its links and its deployment carry them."""


class LoopbackServer:
    """Serves ``respond`` on 127.0.0.1 between ``start`` and ``stop``, or in a ``with`` block.

    Args:
        respond: called from many threads at once; an exception in it is a 500 and is kept in
            ``failures``.
        port: 0 picks a free one. The port is bound at once, so ``port`` and ``host`` are known
            before ``start``.
        max_body: a longer request body is refused with 413, in bytes.

    Raises:
        PortTaken: something listens on that port.
    """

    def __init__(
        self, respond: Callable[[Request], Answer], *, port: int = 0, max_body: int = 65_536
    ) -> None:
        self.respond = respond
        self.max_body = max_body
        self.closing = threading.Event()
        self.failures: list[Exception] = []
        self.requests = 0
        self._counting = threading.Lock()
        self._thread: threading.Thread | None = None
        try:
            self._server = _Server(self, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise PortTaken(
                f"port {port} on {LOOPBACK}, where this run's stand-ins listened before, is taken: "
                "end the other `uring run` on this stack"
            ) from error

    @property
    def port(self) -> int:
        """The bound port."""
        return int(self._server.server_address[1])

    @property
    def host(self) -> str:
        """``127.0.0.1:PORT``."""
        return f"{LOOPBACK}:{self.port}"

    def start(self) -> Self:
        """Begin to answer. Returns itself."""
        if self._thread is None and not self.closing.is_set():
            self._thread = threading.Thread(
                target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="loopback"
            )
            self._thread.start()
        return self

    def stop(self) -> None:
        """Cut every connection, end every thread, free the port. Idempotent."""
        if self.closing.is_set():
            return
        self.closing.set()
        if self._thread is not None:
            self._server.shutdown()
            self._thread.join()
        self._server.cut_connections()
        self._server.server_close()

    def count(self) -> None:
        """Count one request."""
        with self._counting:
            self.requests += 1

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # server_close joins only threads that are no daemons
    request_queue_size = 128
    allow_reuse_port = False  # newer Pythons share a port between two servers

    def __init__(self, owner: LoopbackServer, port: int) -> None:
        self.owner = owner
        self._open: set[socket.socket] = set()
        self._tracking = threading.Lock()
        super().__init__((LOOPBACK, port), _Handler)

    def server_bind(self) -> None:
        # HTTPServer asks DNS for its own name here, which may take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._tracking:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._tracking:
            self._open.discard(request)
        super().shutdown_request(request)

    def cut_connections(self) -> None:
        with self._tracking:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # the client was quicker

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        """Clients come and go; anything else is a bug that a test should see."""
        error = sys.exc_info()[1]
        if isinstance(error, Exception) and not isinstance(error, OSError):
            self.owner.failures.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "loopback"
    sys_version = ""
    timeout = _IDLE_SECONDS
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        owner = self.server.owner
        owner.count()
        body = self._read_body()
        if isinstance(body, Answer):
            self.close_connection = True
            self._send(body)
            return
        request = Request(self.command, self.path, self.headers, body)
        try:
            answer = owner.respond(request)
        except Exception as error:  # noqa: BLE001 - a stand-in's bug must reach the test
            owner.failures.append(error)
            answer = Answer(500, f"{type(error).__name__}: {error}".encode())
        self._send(answer)

    do_HEAD = do_GET  # noqa: N815 - the base calls it by this name
    do_POST = do_GET  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Say nothing."""

    def _read_body(self) -> bytes | Answer:
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return Answer(411, b"send a Content-Length")
        announced = self.headers.get("Content-Length", "0").strip()
        if not (announced.isascii() and announced.isdigit()):
            return Answer(400, b"Content-Length must be a number")
        if len(announced) > 15 or int(announced) > self.server.owner.max_body:  # noqa: PLR2004
            return Answer(413, f"at most {self.server.owner.max_body} bytes".encode())
        body = self.rfile.read(int(announced))
        if len(body) < int(announced):
            raise ConnectionResetError  # half a body is never acted upon
        return body

    def _send(self, answer: Answer) -> None:
        closing = self.server.owner.closing
        if answer.manner == "cut" or (answer.manner == "whole" and answer.seconds):
            closing.wait(answer.seconds)
        if answer.manner == "cut" or closing.is_set():
            self.close_connection = True
            return
        head = self._head(answer)
        if answer.manner == "drip":
            self._drip(head, answer)
        else:
            # One write: head and body apart would meet Nagle and delayed ACKs.
            bodiless = self.command == "HEAD" or answer.status == HTTPStatus.NOT_MODIFIED
            self.wfile.write(head if bodiless else head + answer.body)

    def _head(self, answer: Answer) -> bytes:
        phrase = HTTPStatus(answer.status).phrase
        lines = [f"HTTP/1.1 {answer.status} {phrase}", f"Date: {self.date_time_string()}"]
        lines += [f"{name}: {value}" for name, value in answer.headers.items()]
        if answer.status != HTTPStatus.NOT_MODIFIED:
            lines.append(f"Content-Length: {len(answer.body)}")
        if self.close_connection:
            lines.append("Connection: close")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def _drip(self, head: bytes, answer: Answer) -> None:
        self.close_connection = True
        self.wfile.write(head)
        for number in range(int(answer.seconds / _DRIP_SECONDS)):
            if self.server.owner.closing.wait(_DRIP_SECONDS):
                return
            # never the last byte: the announced length must stay unreached
            self.wfile.write(answer.body[:-1][number : number + 1])


def _last_values(encoded: str) -> dict[str, str]:
    try:
        parsed = parse_qs(encoded, keep_blank_values=True, max_num_fields=100)
    except ValueError:
        return {}
    return {name: values[-1] for name, values in parsed.items()}
