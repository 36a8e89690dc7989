"""A loopback server that does exactly what a test tells it to, byte by byte.

Each connection is one exchange: the request is read, then the next script has the socket. The
last script serves all further connections. Scripts run in threads of their own; an exchange ends
when its script returns, the client leaves or the server is closed.
"""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Received:
    """One request as it came: the first line's parts, lower-cased header names, the body."""

    method: str
    resource: str
    headers: dict[str, str]
    body: bytes


class Exchange:
    """What a script works on."""

    def __init__(self, sock: socket.socket, received: Received, closing: threading.Event) -> None:
        self._sock = sock
        self._closing = closing
        self.received = received
        self.sent_bytes = 0

    def send(self, data: bytes) -> None:
        """Send everything; an OSError (the client has left) ends the script."""
        self._sock.sendall(data)
        self.sent_bytes += len(data)

    def drip(self, data: bytes, seconds_between: float) -> None:
        """Send byte by byte until the data, the client's patience or the test is over."""
        for position in range(len(data)):
            self.send(data[position : position + 1])
            if self._closing.wait(seconds_between):
                return

    def sip(self, size: int, seconds_between: float) -> None:
        """Receive a little at a time until the client's patience or the test is over."""
        while self._sock.recv(size) and not self._closing.wait(seconds_between):
            pass

    def stall(self) -> None:
        """Do nothing until the test is over."""
        self._closing.wait(30)

    def reset(self) -> None:
        """Make the closing of the connection a TCP reset."""
        linger_zero = b"\x01\0\0\0\0\0\0\0"
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_zero)


Script = Callable[[Exchange], None]
Reads = Literal["all", "head", "nothing"]


class ScriptedServer:
    """Listens on a free loopback port until closed.

    Args:
        scripts: one for each connection; the last one serves the rest.
        tls: speak TLS.
        reads: how much of a request is read before its script starts.
    """

    def __init__(self, scripts: list[Script], tls: ssl.SSLContext | None, *, reads: Reads) -> None:
        self._reads = reads
        self._scripts = scripts
        self._tls = tls
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self.authority = f"127.0.0.1:{self.port}"
        self.received: list[Received] = []
        self.exchanges: list[Exchange] = []
        self.connections = 0
        self._start(self._accept)

    def url(self, resource: str = "/") -> str:
        """Give the http URL of a resource."""
        return f"http://{self.authority}{resource}"

    def close(self) -> None:
        """End every script and thread."""
        self._closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in list(self._threads):
            thread.join(5)
            assert not thread.is_alive()

    def _start(self, target: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            script = self._scripts[min(self.connections, len(self._scripts) - 1)]
            self.connections += 1
            self._start(self._serve, sock, script)

    def _serve(self, sock: socket.socket, script: Script) -> None:
        # A client that leaves is what most of these tests are about.
        with contextlib.suppress(OSError), contextlib.ExitStack() as open_sockets:
            sock = open_sockets.enter_context(sock)
            sock.settimeout(5)
            if self._tls is not None:
                sock = open_sockets.enter_context(self._tls.wrap_socket(sock, server_side=True))
            received = _read_request(sock, self._reads)
            if received is None:
                return
            exchange = Exchange(sock, received, self._closing)
            self.received.append(received)
            self.exchanges.append(exchange)
            script(exchange)


def _read_request(sock: socket.socket, reads: Reads) -> Received | None:
    if reads == "nothing":
        return Received("", "", {}, b"")
    data = b""
    while b"\r\n\r\n" not in data:
        piece = sock.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    while reads == "all" and len(body) < int(headers.get("content-length", "0")):
        body += sock.recv(65536)
    method, resource, _ = first.split(" ")
    return Received(method, resource, headers, body)


def answer(
    body: bytes = b"", *headers: str, status: str = "200 OK", length: int | None = None
) -> bytes:
    """Write an answer with a Content-Length, right unless another is given."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join([*lines, *headers, "", ""]).encode("latin-1") + body


def saying(data: bytes) -> Script:
    """Make the script that sends these bytes and closes the connection."""
    return lambda exchange: exchange.send(data)


def redirecting(location: str, status: str = "302 Found", body: bytes = b"") -> Script:
    """Make the script that redirects."""
    return saying(answer(body, f"Location: {location}", status=status))
