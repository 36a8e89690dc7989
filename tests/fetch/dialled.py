"""What this process connects to and looks up, as the interpreter itself reports it.

Python announces every ``connect`` and ``getaddrinfo`` before it is made (PEP 578), whoever makes
it. So a test needs no stand-in for the fetcher's sockets to say where it went; and what is not
loopback is refused here, so that no test ever leaves the machine.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Dialled:
    """Addresses as ``host:port`` in the order of the attempts, and names that were looked up."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.names: list[str] = []


_watching: list[Dialled] = []
_hooked: list[bool] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watching:
        return
    if event == "socket.getaddrinfo":
        _watching[-1].names.append(str(arguments[0]))
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        host, port = arguments[1][:2]
        _watching[-1].addresses.append(f"{host}:{port}")
        if not str(host).startswith("127."):
            raise ConnectionRefusedError(f"{host} is not of this machine")


@contextmanager
def dialling() -> Iterator[Dialled]:
    """Watch until the block ends. The hook stays for the life of the process, idle."""
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked.append(True)
    watched = Dialled()
    _watching.append(watched)
    try:
        yield watched
    finally:
        _watching.remove(watched)
