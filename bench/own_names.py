"""Names that a server on loopback knows: each board has its own, and nobody else is asked for one.

`NameServer` answers; `use` puts a lookup in place of the process's own, which asks it by UDP as the
system's resolver asks its own server. Only the standard library: urlwatch's process loads it, too.
"""

import ipaddress
import socket
import struct
import threading
from typing import Any, Final, Self

DOMAIN: Final = "boards.test"
_LOOPBACK: Final = "127.0.0.1"
_MOST_BYTES: Final = 512
_HEAD: Final = struct.Struct(">HHHHHH")
_QUESTION: Final = b"\0\0\x01\0\x01"
_SECONDS: Final = 5.0
_RECURSE, _ANSWERED = 0x0100, 0x8180


def board_host(number: int) -> str:
    """Return the name of a board's own host."""
    return f"board-{number:04}.{DOMAIN}"


class NameServer:
    """Answers every question for an IPv4 address with loopback's, between ``with`` and its end."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind((_LOOPBACK, 0))
        self.port: int = self._socket.getsockname()[1]
        self._asked = 0

    def taken(self) -> int:
        """Return how often it was asked since the last time."""
        asked, self._asked = self._asked, 0
        return asked

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, name="names", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _serve(self) -> None:
        address = ipaddress.ip_address(_LOOPBACK).packed
        while True:
            try:
                asked, client = self._socket.recvfrom(_MOST_BYTES)
            except OSError:
                return
            self._asked += 1
            number = _HEAD.unpack_from(asked)[0]
            # The name of the answer is the question's, by reference.
            answer = struct.pack(">HHHIH", 0xC00C, 1, 1, 60, len(address)) + address
            head = _HEAD.pack(number, _ANSWERED, 1, 1, 0, 0)
            self._socket.sendto(head + asked[_HEAD.size :] + answer, client)


def use(port: int) -> None:
    """Have this process ask the name server on this port; any other name is an error."""
    system = socket.getaddrinfo

    def getaddrinfo(host: Any, service: Any, *args: Any, **kwargs: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if name == _LOOPBACK:
            return system(host, service, *args, **kwargs)
        if not name.endswith(f".{DOMAIN}"):
            raise socket.gaierror(socket.EAI_NONAME, f"{name} is not a name of the benchmark")
        return system(_asked(name, port), service, *args, **kwargs)

    socket.getaddrinfo = getaddrinfo  # type: ignore[assignment]


def _asked(name: str, port: int) -> str:
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(_SECONDS)
        asking.connect((_LOOPBACK, port))
        asking.send(_HEAD.pack(1, _RECURSE, 1, 0, 0, 0) + labels + _QUESTION)
        return str(ipaddress.ip_address(asking.recv(_MOST_BYTES)[-4:]))
