"""The server below the stand-ins."""

import errno
import socket
import time
from typing import Any

import pytest
import urllib3

from uring_local.loopback import Answer, LoopbackServer


def test_without_file_descriptors_it_waits_until_one_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    accept = socket.socket.accept
    refused = []

    def accept_later(listener: socket.socket) -> Any:
        if len(refused) < 4:
            refused.append(time.monotonic())
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(listener)

    monkeypatch.setattr(socket.socket, "accept", accept_later)
    with LoopbackServer(lambda _: Answer(200, b"here")) as server:
        answer = urllib3.request("GET", f"http://{server.host}/", retries=False, timeout=10)
    assert answer.data == b"here"
    assert refused[-1] - refused[0] > 0.1, "it must not spin"


def test_it_stops_though_no_connection_can_be_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: socket.socket) -> Any:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(socket.socket, "accept", refuse)
    with LoopbackServer(lambda _: Answer(200)):
        pass
