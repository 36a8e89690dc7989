"""HTTP/1.1 on loopback for the stand-ins, the tests and the benchmark: exact bytes, cuts, drips.

`LoopbackServer` turns whole requests into answers. Its base `Listener` hands over each connection
as it is, for answers that are not HTTP. No other module uses sockets.
"""

import contextlib
import errno
import select
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from http import HTTPStatus
from typing import Final, Literal, Self
from urllib.parse import parse_qs, urlsplit

from uring.errors import UringError

LOOPBACK: Final = "127.0.0.1"
_IDLE_SECONDS: Final = 60.0
_DRIP_SECONDS: Final = 0.1
_PAUSE_SECONDS: Final = 0.05
_READ_BYTES: Final = 65_536
_END_OF_HEAD: Final = b"\r\n\r\n"
# SO_LINGER of 0 seconds: the connection ends in a TCP reset.
_AT_ONCE: Final = b"\x01\0\0\0\0\0\0\0"


@dataclass(frozen=True)
class Request:
    """A request; header names in lower case. ``form`` and ``query`` keep a name's last value."""

    method: str = ""
    target: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def path(self) -> str:
        """The path without the query, still percent-encoded."""
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        """The query's parameters, decoded; empty if there are more than 100."""
        return _last_values(urlsplit(self.target).query)

    @property
    def form(self) -> dict[str, str]:
        """The body's ``application/x-www-form-urlencoded`` fields; empty if more than 100."""
        return _last_values(self.body.decode("utf-8", "replace"))


@dataclass(frozen=True)
class Answer:
    """A response.

    Args:
        manner: ``whole`` answers, after ``seconds``. ``cut`` closes the connection after
            ``seconds`` without a byte, ``reset`` at once with a TCP reset. ``drip`` announces the
            whole body, sends a few bytes a second for ``seconds`` and closes before the end, so it
            can never be read in full. ``endless`` never ends its head.
        seconds: its duration; it ends at once when the server stops.
        stream: called with the connection once the head is sent; sends a body of unknown length.
            The connection ends with it.
    """

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: Literal["whole", "cut", "reset", "drip", "endless"] = "whole"
    seconds: float = 0.0
    stream: "Callable[[Connection], None] | None" = None


class PortTaken(UringError):
    """Raised if a port is taken; a continued run needs its ports for its links and deployment."""


class Connection:
    """A client's connection. Reading and sending raise OSError once the client has left.

    Attributes:
        number: of the connection, from 0.
        request: the last request that was read.
        sent_bytes: number of bytes sent so far.
    """

    def __init__(self, sock: socket.socket, number: int, closing: threading.Event) -> None:
        self.number = number
        self.request = Request()
        self.sent_bytes = 0
        self._socket = sock
        self._closing = closing
        self._unread = bytearray()

    def read_head(self) -> Request:
        """Read the next request without its body.

        Raises:
            ValueError: the request is not HTTP/1, or chunked, or its head is over 64 KiB.
        """
        while _END_OF_HEAD not in self._unread:
            if len(self._unread) > _READ_BYTES:
                raise ValueError("the head has no end")
            self._read_more()
        head, _, self._unread = self._unread.partition(_END_OF_HEAD)
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, version = first.split(" ")
        pairs = (line.partition(":") for line in lines)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        if version != "HTTP/1.1":
            headers["connection"] = "close"
        if "transfer-encoding" in headers:
            raise ValueError("the body has no Content-Length")
        self.request = Request(method, target, headers)
        return self.request

    def read_body(self) -> Request:
        """Read the whole body of the request, by its Content-Length; empty without one."""
        headers = self.request.headers
        if headers.get("expect", "").lower() == "100-continue":
            self.send(b"HTTP/1.1 100 Continue" + _END_OF_HEAD)
        length = int(headers.get("content-length", "0"))
        while len(self._unread) < length:
            self._read_more()
        body = bytes(self._unread[:length])
        del self._unread[:length]
        self.request = replace(self.request, body=body)
        return self.request

    def send(self, data: bytes) -> None:
        """Send all bytes."""
        self._socket.sendall(data)
        self.sent_bytes += len(data)

    def drip(self, data: bytes, seconds_between: float) -> None:
        """Send byte by byte until the data is sent or the server stops."""
        for position in range(len(data)):
            self.send(data[position : position + 1])
            if self.wait(seconds_between):
                return

    def receive(self, most: int) -> bytes:
        """Return up to `most` further bytes of an unread body; b"" once the client has closed."""
        if self._unread:
            piece = bytes(self._unread[:most])
            del self._unread[:most]
            return piece
        return self._socket.recv(most)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the server stops, or for some seconds; return whether it has stopped."""
        return self._closing.wait(seconds)

    def has_left(self) -> bool:
        """Return whether the client has closed its end, by the packets received so far."""
        looking = select.poll()
        looking.register(self._socket, select.POLLIN)
        return bool(looking.poll(0)) and not self._socket.recv(1, socket.MSG_PEEK)

    def reset(self) -> None:
        """Make the connection end in a TCP reset."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)

    def _read_more(self) -> None:
        piece = self._socket.recv(_READ_BYTES)
        if not piece:
            raise ConnectionResetError  # half a request is never acted upon
        self._unread += piece


class Listener:
    """A listener that hands every connection to ``talk``, between ``start`` and ``stop``.

    Args:
        talk: runs in a thread of the connection's own; the connection closes when it returns. An
            exception other than OSError is kept in ``failures``.
        port: 0 picks a free one. The port is bound at once, so ``port`` and ``host`` are known
            before ``start``.
        tls: for a server that speaks TLS; None for plain HTTP.

    Attributes:
        host: ``127.0.0.1:PORT``.
        connections: number of connections so far.
        failures: the server's own errors, without the faults made on purpose; empty in a good run.

    Raises:
        PortTaken: something listens on that port.
    """

    def __init__(
        self,
        talk: Callable[[Connection], None],
        *,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.failures: list[Exception] = []
        self.connections = 0
        self._talk = talk
        self._tls = tls
        self._closing = threading.Event()
        self._open: dict[threading.Thread, socket.socket] = {}
        self._tracking = threading.Lock()
        self._thread: threading.Thread | None = None
        try:
            self._listener = socket.create_server((LOOPBACK, port), backlog=128)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise PortTaken(
                f"port {port} on {LOOPBACK}, where this run's stand-ins listened before, is taken: "
                "end the other `uring run` on this stack"
            ) from error
        self.port: int = self._listener.getsockname()[1]
        self.host = f"{LOOPBACK}:{self.port}"

    def start(self) -> Self:
        """Accept connections from now on; return the listener itself. Idempotent."""
        if self._thread is None and not self._closing.is_set():
            self._thread = threading.Thread(target=self._accept, name="loopback", daemon=True)
            self._thread.start()
        return self

    def stop(self) -> None:
        """Cut every connection, end every thread, free the port. Idempotent."""
        if self._closing.is_set():
            return
        self._closing.set()
        if self._thread is not None:
            # On every system a connection to itself wakes ``accept``.
            with contextlib.suppress(OSError), socket.socket() as waking:
                waking.connect((LOOPBACK, self.port))
            self._thread.join()
        self._listener.close()
        with self._tracking:
            left = dict(self._open)
            for sock in left.values():
                with contextlib.suppress(OSError):  # the client was quicker
                    # Not TLS's own shutdown, which takes the state from the thread that uses it.
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)
        for thread in left:
            thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _accept(self) -> None:
        while True:
            try:
                sock = self._opened(self._listener.accept()[0])
            except OSError:
                # The client was quicker, or no file descriptor is left: one may be given back.
                if self._closing.wait(_PAUSE_SECONDS):
                    return
                continue
            if self._closing.is_set():
                sock.close()
                return
            connection = Connection(sock, self.connections, self._closing)
            thread = threading.Thread(target=self._serve, args=(sock, connection), daemon=True)
            with self._tracking:
                self.connections += 1
                self._open[thread] = sock
            thread.start()

    def _opened(self, sock: socket.socket) -> socket.socket:
        sock.settimeout(_IDLE_SECONDS)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is None:
            return sock
        return self._tls.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)

    def _serve(self, sock: socket.socket, connection: Connection) -> None:
        try:
            with sock:
                if isinstance(sock, ssl.SSLSocket):
                    sock.do_handshake()
                self._talk(connection)
        except OSError:
            pass  # clients come and go
        except Exception as error:  # noqa: BLE001 - a bug that a test should see
            self.failures.append(error)
        finally:
            with self._tracking:
                del self._open[threading.current_thread()]


class LoopbackServer(Listener):
    """A server that answers with ``respond``; see `Listener`. The stand-ins inherit from it.

    Args:
        respond: called from many threads at once; an exception in it gives a 500 and is kept in
            ``failures``.
        port: see `Listener`.
        max_body: in bytes; a longer request body is refused with 413.
        tls: see `Listener`.

    Attributes:
        requests: number of requests so far, refused ones included.

    Raises:
        PortTaken: something listens on that port.
    """

    def __init__(
        self,
        respond: Callable[[Request], Answer],
        *,
        port: int = 0,
        max_body: int = 65_536,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        super().__init__(self._converse, port=port, tls=tls)
        self.requests = 0
        self.respond = respond
        self._max_body = max_body
        self._counting = threading.Lock()

    def _converse(self, connection: Connection) -> None:
        stays = True
        while stays:
            try:
                headers = connection.read_head().headers
                length = int(headers.get("content-length", "0"))
            except ValueError:
                connection.send(whole(Answer(400), stays=False))
                return
            with self._counting:
                self.requests += 1
            if length > self._max_body:
                connection.send(whole(Answer(413), stays=False))
                return
            answer = self._answer(connection.read_body())
            is_whole = answer.manner == "whole" and answer.stream is None
            stays = headers.get("connection", "").lower() != "close" and is_whole
            _send(connection, answer, stays=stays)
            if answer.stream:
                answer.stream(connection)

    def _answer(self, request: Request) -> Answer:
        try:
            return self.respond(request)
        except Exception as error:  # noqa: BLE001 - a stand-in's bug must reach the test
            self.failures.append(error)
            return Answer(500, f"{type(error).__name__}: {error}".encode())


def whole(answer: Answer, *, stays: bool = True) -> bytes:
    """Return the bytes of an answer; its own headers replace the default ones."""
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    headers = {"Date": formatdate(usegmt=True)}
    if answer.status != HTTPStatus.NOT_MODIFIED and answer.stream is None:
        headers["Content-Length"] = str(len(answer.body))
    headers.update(answer.headers)
    if not stays:
        headers["Connection"] = "close"
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1") + _END_OF_HEAD + answer.body


def _send(connection: Connection, answer: Answer, *, stays: bool) -> None:
    if answer.manner == "reset":
        connection.reset()
        return
    if answer.manner == "endless":
        connection.send(whole(answer).removesuffix(_END_OF_HEAD))
        while not connection.wait(_PAUSE_SECONDS):
            connection.send(b"\r\nX-More: and so on")
        return
    # One write: separate writes of head and body would meet Nagle and delayed ACKs.
    data = whole(answer, stays=stays)
    head = data[: len(data) - len(answer.body)]
    if answer.manner == "drip":
        connection.send(head)
        # Never the last byte: the announced length must stay unreached.
        connection.drip(answer.body[:-1][: int(answer.seconds / _DRIP_SECONDS)], _DRIP_SECONDS)
        return
    if connection.wait(answer.seconds) or answer.manner == "cut":
        return
    bodiless = connection.request.method == "HEAD" or answer.status == HTTPStatus.NOT_MODIFIED
    connection.send(head if bodiless else data)


def _last_values(encoded: str) -> dict[str, str]:
    try:
        parsed = parse_qs(encoded, keep_blank_values=True, max_num_fields=100)
    except ValueError:
        return {}
    return {name: values[-1] for name, values in parsed.items()}
