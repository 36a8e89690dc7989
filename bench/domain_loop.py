"""The measure of the domain worker: an asyncio loop that asks for the same files and reads them.

It stores nothing, spaces nothing, guards nothing: aiohttp, one connection a request as ours. What
it reads it reads by uRing's own readers. The question ``{"host": "127.0.0.1:PORT", "domains":
{domain: [path, …]}, "at_once": n}`` answers CPU seconds and URLs; with ``"collector": true`` it is
uRing's own collector that asks, in so many threads, and stores nothing.
"""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import aiohttp
from lines import answer_all
from measured import cpu_seconds, peak_bytes

from uring.clock import system_clock
from uring.fetch.http import Fetcher
from uring.fetch.request import user_agent
from uring.fetch.robots import read_robots
from uring.seeds.collect.collector import Collector
from uring.seeds.collect.limits import LIMITS
from uring.seeds.collect.sitemap import read_sitemap


async def _domain(session: aiohttp.ClientSession, host: str, domain: str, paths: list[str]) -> int:
    urls = 0
    for path in paths:
        async with session.get(f"http://{host}{path}", headers={"Host": domain}) as response:
            body = await response.read()
            if response.status != 200:  # noqa: PLR2004
                continue
        if path == "/robots.txt":
            read_robots(body)
        else:
            urls += _count(body)
    return urls


def _count(body: bytes) -> int:
    return read_sitemap(body, truncated=False, max_bytes=LIMITS.sitemap_bytes).url_count


async def _run(host: str, domains: dict[str, list[str]], at_once: int) -> int:
    waiting = iter(domains.items())
    # All domains are one address here; in the world each has a connection of its own.
    connector = aiohttp.TCPConnector(limit=0, force_close=True)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def work() -> int:
            return sum([await _domain(session, host, *each) for each in waiting])

        return sum(await asyncio.gather(*(work() for _ in range(at_once))))


def _collect(host: str, domains: dict[str, list[str]], at_once: int) -> int:
    """Collect the domains by the domain worker's own collector, and store nothing."""
    limits = replace(LIMITS, gap_seconds=0.0, homepage=False)
    fetcher = Fetcher(user_agent=user_agent(""), stand_in=host)
    collector = Collector(fetcher, clock=system_clock, limits=limits)

    def collect(domain: str) -> int:
        robots = collector.robots(domain, f"https://www.{domain}/")
        return collector.collect(domain, f"https://www.{domain}/", robots).sitemap.url_count or 0

    with ThreadPoolExecutor(at_once) as pool:
        return sum(pool.map(collect, domains))


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    began = cpu_seconds()
    asked = question["host"], question["domains"], question["at_once"]
    urls = _collect(*asked) if question.get("collector") else asyncio.run(_run(*asked))
    return {"seconds": cpu_seconds() - began, "urls": urls, "peak_bytes": peak_bytes()}


if __name__ == "__main__":
    answer_all(sys.stdout, _answer)
