"""How long a batch of ten boards of one host takes, by how many requests the host has at once.

See README.md beside this file.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Final

from rich.console import Console
from rich.table import Table

from uring.fetch.http import Fetcher
from uring.fetch.request import Request
from uring_local.loopback import Answer, LoopbackServer

_BOARDS: Final = 10
_ROUNDS: Final = 3


def main() -> None:
    """Measure and print."""
    table = Table("a board answers in", "one at once", "two", "three", "ten", "s a batch")
    for seconds in (0.05, 0.3, 1.0):
        cells = [f"{_batch(seconds, abreast):.2f}" for abreast in (1, 2, 3, 10)]
        table.add_row(f"{seconds} s", *cells)
    Console().print(table)


def _batch(seconds: float, abreast: int) -> float:
    def respond(_: object) -> Answer:
        time.sleep(seconds)
        return Answer(200, b"<html></html>")

    with LoopbackServer(respond) as site, ThreadPoolExecutor(_BOARDS) as pool:
        fetcher = Fetcher(user_agent="bench/1", allowed_private_hosts=[site.host], abreast=abreast)
        walls = []
        for _ in range(_ROUNDS):
            began = time.monotonic()
            urls = (f"http://{site.host}/{number}" for number in range(_BOARDS))
            list(pool.map(lambda url: fetcher.fetch(Request(url)), urls))
            walls.append(time.monotonic() - began)
        return median(walls)


if __name__ == "__main__":
    main()
