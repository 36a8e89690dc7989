"""Domains a second and a CPU second, beside an asyncio loop that does the same and stores nothing.

    PYTHONPATH=tests .venv/bin/python bench/domains.py [--domains 1000] [--rounds 3] [--json]

Both ask the same files of the same web on loopback and read them by the same readers. The domain
worker also looks for the mark and the copy of robots.txt, writes five objects and two items a
domain to a stand-in for AWS, and logs four lines. No TLS, and no home page. With ``--slow`` the web
takes this share of the times that docs/seeds.md assumes: then the time until all are collected is
compared with the time that as many places need if none is ever free. Up to 0.3 all domains answer
within the worker's limits.
"""

import argparse
import json
import os
import statistics
import time
from functools import partial
from typing import Any, Final

from domain_web import name, number_of, slow_seconds
from lines import Child
from workers import batches, start

from uring.seeds.collect.limits import LIMITS
from uring.seeds.messages import DomainMessage, PartitionInfo
from uring.seeds.pace import AT_ONCE, SOCKETS
from uring.seeds.ranges import ranges_of
from uring_local.project import ROOT

_LOOP: Final = ROOT / ".venv-bench" / "bin" / "python"
_WARM_UP: Final = 20
_BATCH: Final = 10
_SUBJECTS: Final = {
    "uring": "domain worker",
    "collector": "collector alone",
    "asyncio": "asyncio loop",
}
_INFO: Final = PartitionInfo(country="sg", category="news", date="2026-01-28")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--domains", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ranges", action="store_true", help="messages name ranges of domains")
    parser.add_argument("--slow", type=float, default=0.0, help="0.25: a quarter of a slow web's")
    parser.add_argument(
        "--evidence", default="objects", choices=["objects", "segments", "none"], help="stored"
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with Child("serve", dict(os.environ)) as world:
        rounds = [_round(world, options) for _ in range(options.rounds)]
    if options.json:
        print(json.dumps(rounds))
        return
    _show(rounds, options)


def _round(world: Child, options: argparse.Namespace) -> dict[str, Any]:
    domains, slow = options.domains, options.slow
    at_once = SOCKETS if options.ranges else AT_ONCE
    places = world.ask(web=domains + _WARM_UP)
    world.ask(reset=True)
    with start(
        "DomainWorker",
        places["aws"],
        WebStandIn=places["web"],
        DomainSpacingSeconds="0",
        DomainHomepage="false",
        Evidence=options.evidence,
    ) as worker:
        worker.ask(events=batches(_messages(range(domains, domains + _WARM_UP))))
        world.ask(web=domains, slow=slow)
        world.ask(calls=True)
        messages = _messages(range(domains), ranges=options.ranges)
        # By domains the worker takes all but the first batch from the queue itself.
        world.ask(queue=[] if options.ranges else messages[_BATCH:])
        handed = messages if options.ranges else messages[:_BATCH]
        began = time.perf_counter()
        ours = worker.ask(events=batches(handed))
        ours["wall"] = time.perf_counter() - began
    asked = world.ask(asked=True)
    calls = world.ask(calls=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "layers" / "core")}
    loop = partial(_loop, environment, places["web"], at_once=at_once)
    return {
        "uring": ours,
        "collector": loop(asked, collector=True) if not slow else None,
        "asyncio": loop(asked, collector=False),
        "requests": sum(map(len, asked.values())),
        "waited": sum(_seconds(*each, slow) for each in asked.items()) / at_once,
        "aws_calls": calls,
    }


def _seconds(domain: str, paths: list[str], slow: float) -> float:
    """Return how long a domain is waited for; a silent one no longer than the worker's limit."""
    seconds = (slow * slow_seconds(number_of(domain), path) for path in paths)
    return sum(min(each, LIMITS.robots_seconds) for each in seconds)


def _loop(
    environment: dict[str, str], web: str, asked: dict[str, Any], *, collector: bool, at_once: int
) -> dict[str, Any]:
    with Child("domain_loop", environment, python=_LOOP) as loop:
        some = dict(list(asked.items())[:_WARM_UP])
        loop.ask(host=web, domains=some, collector=collector, at_once=at_once)
        began = time.perf_counter()
        spent = loop.ask(host=web, domains=asked, collector=collector, at_once=at_once)
        spent["wall"] = time.perf_counter() - began
    return spent


def events(numbers: range, *, ranges: bool = False) -> list[str]:
    """Return the events that name these domains, each or by ranges."""
    return batches(_messages(numbers, ranges=ranges))


def _messages(numbers: range, *, ranges: bool = False) -> list[tuple[str, str, str]]:
    messages = [
        DomainMessage(
            domain_id=f"com:sg:{name(number)}",
            domain_url=f"https://www.{name(number)}/",
            registrable_domain=name(number),
            authority="com",
            partition_info=_INFO,
            source_file_path=f"datasets/{number}",
            record_index=number,
        )
        for number in numbers
    ]
    work = ranges_of(messages) if ranges else messages
    return [(each.name, each.group, each.body()) for each in work]


def _show(rounds: list[dict[str, Any]], options: argparse.Namespace) -> None:
    domains, subjects = options.domains, [name for name in _SUBJECTS if rounds[-1][name]]
    last = rounds[-1]
    print(f"{domains} domains, {last['requests']} requests, medians of {len(rounds)} rounds")
    print(f"{'':24}" + "".join(f"{_SUBJECTS[name]:>16}" for name in subjects))
    rows = {
        "CPU ms a domain": lambda each: each["seconds"] / domains * 1000,
        "domains a CPU second": lambda each: domains / each["seconds"],
        "domains a second": lambda each: domains / each["wall"],
        "peak MB": lambda each: each["peak_bytes"] / 1e6,
    }
    for label, figure in rows.items():
        print(f"{label:24}", end="")
        for subject in subjects:
            print(f"{statistics.median(figure(each[subject]) for each in rounds):>16.1f}", end="")
        print()
    for subject in subjects[:-1]:
        ratio = statistics.median(
            each["asyncio"]["seconds"] / each[subject]["seconds"] for each in rounds
        )
        print(f"{_SUBJECTS[subject]}: {ratio:.0%} of the loop's domains a CPU second")
    if options.slow:
        took, least = last["uring"]["wall"], last["waited"]
        print(f"{took:.0f} s, {took / least:.2f} of the {least:.0f} s that full places need")
    print(f"AWS calls a domain: {_calls(last['aws_calls'], domains)}")


def _calls(calls: dict[str, int], domains: int) -> str:
    return ", ".join(f"{name} {count / domains:.1f}" for name, count in calls.items())


if __name__ == "__main__":
    main()
