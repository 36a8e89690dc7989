"""HTTP/1.1 on loopback for well-behaved clients, one event loop for everything: cheap to run."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

LOOPBACK = "127.0.0.1"
_BARE = (204, 304)
_REASONS = {200: "OK", 204: "No Content", 304: "Not Modified", 400: "Bad Request", 404: "Not Found"}


@dataclass(frozen=True, slots=True)
class Request:
    """One request with its body; header names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back; the length is added."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)


Respond = Callable[[Request], Answer]


async def serve(respond: Respond) -> tuple[asyncio.Server, str]:
    """Answer on a free port until the server is closed; ``host:port``."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await _exchange(respond, reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client is done with this connection
        finally:
            writer.close()

    server = await asyncio.start_server(connected, LOOPBACK, 0)
    return server, f"{LOOPBACK}:{server.sockets[0].getsockname()[1]}"


async def _exchange(
    respond: Respond, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    """One request and its answer; whether the connection stays open."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    if headers.get("expect") == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    answer = respond(Request(method, path, headers, body))
    stays = headers.get("connection", "").lower() != "close"
    head = [f"HTTP/1.1 {answer.status} {_REASONS.get(answer.status, 'Refused')}"]
    head += [f"{name}: {value}" for name, value in answer.headers.items()]
    head += [f"Content-Length: {len(answer.body)}"] * (answer.status not in _BARE)
    head += ["Connection: close"] * (not stays)
    writer.write("\r\n".join([*head, "", ""]).encode("latin-1") + answer.body)
    await writer.drain()
    return stays
