"""Domains a second and a CPU second, beside an asyncio loop that does the same and stores nothing.

    PYTHONPATH=tests .venv/bin/python bench/domains.py [--domains 1000] [--rounds 3] [--json]

Both ask the same files of the same web on loopback and read them by the same readers. The domain
worker also looks for the mark and the copy of robots.txt, writes five objects and two items a
domain to a stand-in for AWS, and logs four lines. No TLS, and no home page.
"""

import argparse
import json
import os
import statistics
import time
from typing import Any, Final

from domain_web import name
from lines import Child
from workers import batches, start

from uring.seeds.messages import DomainMessage, PartitionInfo
from uring.seeds.ranges import ranges_of
from uring_local.project import ROOT

_LOOP: Final = ROOT / ".venv-bench" / "bin" / "python"
_WARM_UP: Final = 20
_INFO: Final = PartitionInfo(country="sg", category="news", date="2026-01-28")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--domains", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ranges", action="store_true", help="messages name ranges of domains")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with Child("serve", dict(os.environ)) as world:
        rounds = [
            _round(world, options.domains, ranges=options.ranges) for _ in range(options.rounds)
        ]
    if options.json:
        print(json.dumps(rounds))
        return
    _show(rounds, options.domains)


def _round(world: Child, domains: int, *, ranges: bool) -> dict[str, Any]:
    places = world.ask(web=domains + _WARM_UP)
    world.ask(reset=True)
    with start(
        "DomainWorker",
        places["aws"],
        WebStandIn=places["web"],
        DomainSpacingSeconds="0",
        DomainHomepage="false",
    ) as worker:
        worker.ask(events=events(range(domains, domains + _WARM_UP)))
        world.ask(asked=True)
        world.ask(calls=True)
        began = time.perf_counter()
        ours = worker.ask(events=events(range(domains), ranges=ranges))
        ours["wall"] = time.perf_counter() - began
    asked = world.ask(asked=True)
    calls = world.ask(calls=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "layers" / "core")}
    theirs = _loop(environment, places["web"], asked, collector=False)
    bare = _loop(environment, places["web"], asked, collector=True)
    requests = sum(map(len, asked.values()))
    return {
        "uring": ours,
        "collector": bare,
        "asyncio": theirs,
        "requests": requests,
        "aws_calls": calls,
    }


def _loop(
    environment: dict[str, str], web: str, asked: dict[str, Any], *, collector: bool
) -> dict[str, Any]:
    with Child("domain_loop", environment, python=_LOOP) as loop:
        some = dict(list(asked.items())[:_WARM_UP])
        loop.ask(host=web, domains=some, collector=collector)
        began = time.perf_counter()
        spent = loop.ask(host=web, domains=asked, collector=collector)
        spent["wall"] = time.perf_counter() - began
    return spent


def events(numbers: range, *, ranges: bool = False) -> list[str]:
    """Return the events that name these domains, each or by ranges."""
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
    return batches([(each.name, each.group, each.body()) for each in work])


def _show(rounds: list[dict[str, Any]], domains: int) -> None:
    last = rounds[-1]
    print(f"{domains} domains, {last['requests']} requests, medians of {len(rounds)} rounds")
    print(f"{'':24}{'domain worker':>16}{'collector alone':>16}{'asyncio loop':>16}")
    rows = {
        "CPU ms a domain": lambda each: each["seconds"] / domains * 1000,
        "domains a CPU second": lambda each: domains / each["seconds"],
        "domains a second": lambda each: domains / each["wall"],
        "peak MB": lambda each: each["peak_bytes"] / 1e6,
    }
    for label, figure in rows.items():
        print(f"{label:24}", end="")
        for subject in ("uring", "collector", "asyncio"):
            print(f"{statistics.median(figure(each[subject]) for each in rounds):>16.1f}", end="")
        print()
    for subject, label in (("uring", "domain worker"), ("collector", "collector alone")):
        ratio = statistics.median(
            each["asyncio"]["seconds"] / each[subject]["seconds"] for each in rounds
        )
        print(f"{label}: {ratio:.0%} of the loop's domains a CPU second")
    print(f"AWS calls a domain: {_calls(last['aws_calls'], domains)}")


def _calls(calls: dict[str, int], domains: int) -> str:
    return ", ".join(f"{name} {count / domains:.1f}" for name, count in calls.items())


if __name__ == "__main__":
    main()
