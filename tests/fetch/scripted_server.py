"""A loopback server that does exactly what a test tells it to, byte by byte.

Each connection is one exchange: the request is read, then the next script has the connection. The
last script serves all further connections.
"""

import ssl
from collections.abc import Callable
from typing import Literal

from uring_local.loopback import Connection, Listener, Request

Script = Callable[[Connection], None]
Reads = Literal["all", "head", "nothing"]


class ScriptedServer(Listener):
    """Listens on a free loopback port until it is stopped.

    Args:
        scripts: one for each connection; the last one serves the rest.
        tls: speak TLS.
        reads: how much of a request is read before its script starts.
        port: 0 for a free one.
    """

    def __init__(
        self, scripts: list[Script], tls: ssl.SSLContext | None, *, reads: Reads, port: int = 0
    ) -> None:
        super().__init__(self._play, port=port, tls=tls)
        self._scripts = scripts
        self._reads = reads
        self.exchanges: list[Connection] = []
        self.start()

    @property
    def received(self) -> list[Request]:
        """Every request so far."""
        return [connection.request for connection in self.exchanges]

    def url(self, resource: str = "/") -> str:
        """Give the http URL of a resource."""
        return f"http://{self.host}{resource}"

    def _play(self, connection: Connection) -> None:
        if self._reads != "nothing":
            connection.read_head()
        if self._reads == "all":
            connection.read_body()
        self.exchanges.append(connection)
        self._scripts[min(connection.number, len(self._scripts) - 1)](connection)


def answer(
    body: bytes = b"", *headers: str, status: str = "200 OK", length: int | None = None
) -> bytes:
    """Write an answer with a Content-Length, right unless another is given."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body) if length is None else length}"]
    return "\r\n".join([*lines, *headers, "", ""]).encode("latin-1") + body


def saying(data: bytes) -> Script:
    """Make the script that sends these bytes and closes the connection."""
    return lambda connection: connection.send(data)


def redirecting(location: str, status: str = "302 Found", body: bytes = b"") -> Script:
    """Make the script that redirects."""
    return saying(answer(body, f"Location: {location}", status=status))
