"""The domain worker's peak memory where all sitemaps are large, by ranges and by domains.

    PYTHONPATH=tests .venv/bin/python bench/large_bodies.py [--domains 40] [--megabytes 10] [--wide]

The web is on loopback, without TLS. What is measured is the process' resident memory at its peak;
Lambda ends a function that takes more than its own.
"""

import argparse
import os
import time
from typing import Any, Final

from domains import events
from lines import Child
from workers import start

_MEGABYTE: Final = 1_000_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--domains", type=int, default=40)
    parser.add_argument("--megabytes", type=float, default=10)
    parser.add_argument("--wide", action="store_true", help="in UTF-16, with wide characters")
    options = parser.parse_args()
    size = int(options.megabytes * _MEGABYTE)
    with Child("serve", dict(os.environ)) as world:
        for ranges in (True, False):
            answer = _measure(world, options.domains, size, wide=options.wide, ranges=ranges)
            way = "by ranges" if ranges else "by domains"
            print(
                f"{way}: {answer['peak_bytes'] / _MEGABYTE:.0f} MB at the peak, "
                f"{answer['wall']:.0f} s, {answer['seconds']:.1f} s of CPU, "
                f"{sum(answer['outcomes'].values())} of {options.domains} collected, "
                f"{answer['requests'] / options.domains:.1f} requests a domain"
            )


def _measure(world: Child, domains: int, size: int, *, wide: bool, ranges: bool) -> dict[str, Any]:
    places = world.ask(web=domains, sitemap_bytes=size, wide=wide)
    world.ask(reset=True)
    settings = {"WebStandIn": places["web"], "DomainSpacingSeconds": "0", "DomainHomepage": "false"}
    with start("DomainWorker", places["aws"], **settings) as worker:
        began = time.perf_counter()
        answer = worker.ask(events=events(range(domains), ranges=ranges))
        answer["wall"] = time.perf_counter() - began
    answer["requests"] = sum(map(len, world.ask(asked=True).values()))
    return answer


if __name__ == "__main__":
    main()
