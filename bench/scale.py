"""What ten thousand departments cost the functions that see all of them in one run.

    PYTHONPATH=tests .venv/bin/python bench/scale.py [--departments 10000] [--shard 4000]

See README.md beside this file.
"""

import argparse
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any, Final
from urllib.request import Request, urlopen

from fakes import Notice
from fakes.worlds import NoticeWorld
from lines import Child
from rich.console import Console
from workers import start

from uring.changes.shard import Shard, shards_between
from uring.clock import timestamp
from uring.sources.config import SOURCE_LIMIT
from uring_local.project import ROOT
from uring_local.template.template import load

# Of a core, that Lambda gives for so many MB.
_WHOLE_CORE: Final = 1_769
# Of a call to S3 or SQS; what computes meanwhile is added, as if it waited.
_LATENCY: Final = 0.015
_TICK: Final = timedelta(minutes=10)
# A working day in Seoul at nine: boards are due every four minutes, and a tick comes every two.
_BUSY: Final = datetime(2024, 3, 7, 0, 59, tzinfo=UTC)
_BUSY_TICK: Final = timedelta(minutes=2)
# A month has 4,320 ticks and some 90 changes a department.
_CHANGED: Final = 90 / 4_320
# Of a run that found nothing to do, beside the calls that each has.
_FEW: Final = 4
_ROW: Final = "{:46}{:>7}{:>8}{:>9}{:>12}{:>9}{:>12}"
_NOW: Final = datetime(2024, 3, 7, tzinfo=UTC)
_PLACES: Final = (("NoticeOrchestrator", 4), ("Monitor", 4))


@dataclass(frozen=True, slots=True)
class Place:
    """What a function has: memory, seconds until it is ended, calls that are under way at once."""

    megabytes: int
    timeout: int
    calls_at_once: int


class Stack:
    """A bucket with a sitemap and a state a department; functions on it.

    Args:
        world: the stand-ins.
        departments: how many.
        most: entries of a shard; the shard in the middle is measured.
    """

    def __init__(self, world: Child, departments: int, most: int) -> None:
        shown: dict[str, Any] = {"boards": 0, "posts": 0, "every": 1, "views": 0}
        self.aws = world.ask(**shown, size=None, validators=False)["aws"]
        self.now = _NOW
        self._departments = departments
        self._state = _state()
        entries = [_entry(number) for number in range(departments)]
        entries.sort(key=lambda entry: f"{entry['id']}.")
        shards = shards_between([entry["id"] for entry in entries[most::most]])
        for place, shard in enumerate(shards):
            bounds = {"shards": [each.begin for each in shards[1:]]} if not place else {}
            document = {**bounds, "sources": entries[place * most : (place + 1) * most]}
            self._put(shard.key("config/sitemap.json"), document)
        self.shard = shards[len(shards) // 2] if len(shards) > 1 else None

    def check(self, share: float, seq: int) -> None:
        """Let a share of the departments have a notice with another title."""
        first, *others = self._state["hot"]
        content = {**first["content"], "title": f"장학금 신청 안내 ({seq})"}
        hot = [{**first, "content": content}, *others]
        for number in range(0, self._departments, round(1 / share)):
            source = f"dept-{number}"
            body = {**self._state, "source": source, "seq": seq, "writer": f"{seq}", "hot": hot}
            self._put(f"state/notices/{source}.json", body)

    def run(
        self,
        function: Child,
        place: Place,
        tick: timedelta = _TICK,
        shard: Shard | None = None,
    ) -> dict[str, Any]:
        """Run a function once, at the next tick; None for the schedule's own run."""
        self.now += tick
        now = timestamp(self.now)
        return function.ask(
            event={"time": now} if shard is None else shard.event(now),
            now=now,
            timeout=place.timeout,
            share=min(1.0, place.megabytes / _WHOLE_CORE),
            latency=_LATENCY / place.calls_at_once,
        )

    def _put(self, key: str, document: object) -> None:
        body = json.dumps(document, ensure_ascii=False).encode()
        with urlopen(Request(f"{self.aws}/bench/{key}", body, method="PUT")):  # noqa: S310
            pass


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="scale", description=__doc__)
    parser.add_argument("--departments", type=int, default=10_000)
    parser.add_argument("--shard", type=int, default=SOURCE_LIMIT, help="entries of a shard")
    arguments = parser.parse_args()
    template = load(ROOT / "template.yaml", {}, "bench")
    orchestrator, monitor = (
        Place(function.memory_megabytes, function.timeout_seconds, calls)
        for function, calls in ((template.functions[name], calls) for name, calls in _PLACES)
    )
    console = Console(width=110)
    console.print(_ROW.format("", "CPU s", "calls", "s there", "of s", "peak MB", "of MB"))
    with Child("serve", dict(os.environ)) as world:
        stack = Stack(world, arguments.departments, arguments.shard)
        # Each row as soon as it is there: a new stack's first hours take minutes.
        for name, place, found in chain(_ticks(stack, orchestrator), _watches(stack, monitor)):
            row = _ROW.format(
                name,
                f"{found['cpu']:.1f}",
                f"{sum(found['calls'].values()):,}",
                f"{found['seconds']:.0f}",
                f"{found['seconds'] / place.timeout:.0%} of {place.timeout}",
                f"{found['peak'] / 1e6:.0f}",
                f"{found['peak'] / 1_048_576 / place.megabytes:.0%} of {place.megabytes}",
            )
            console.print(row)


def _ticks(stack: Stack, place: Place) -> Iterator[tuple[str, Place, dict[str, Any]]]:
    with start("NoticeOrchestrator", stack.aws, "scale_load") as function:
        if stack.shard:
            yield "orchestrator: starts the other shards", place, stack.run(function, place)
        for name in ("orchestrator: first tick of a process", "orchestrator: second"):
            yield name, place, stack.run(function, place, shard=stack.shard)
    stack.now = _BUSY
    with start(
        "NoticeOrchestrator", stack.aws, "scale_load", {"BUSY_HOURS": "23,0-10"}, Rhythm="sooner"
    ) as function:
        for name in (
            "orchestrator, sooner: first tick of a process",
            "orchestrator, sooner: second",
        ):
            yield name, place, stack.run(function, place, _BUSY_TICK, stack.shard)


def _watches(stack: Stack, place: Place) -> Iterator[tuple[str, Place, dict[str, Any]]]:
    stack.check(1.0, seq=1)
    with start("Monitor", stack.aws, "scale_load") as function:

        def run() -> dict[str, Any]:
            return stack.run(function, place, shard=stack.shard)

        runs = 1
        yield "monitor: first run of a new stack", place, run()
        while (found := run())["calls"]["GetObject"] > 2 + _FEW:
            runs += 1
        yield f"monitor: nothing changed ({runs} runs later)", place, found
        stack.check(_CHANGED, seq=2)
        yield f"monitor: {_CHANGED:.1%} changed", place, run()
        stack.check(_CHANGED * 3, seq=3)
        yield f"monitor: {_CHANGED * 3:.1%} changed", place, run()


def _entry(number: int) -> dict[str, Any]:
    host = f"https://dept{number}.example.ac.kr"
    return {
        "id": f"dept-{number}",
        "name": f"어느 대학교 학과 {number}",
        "url": f"{host}/bbs/dept{number}/120/artclList.do",
        "preset": "k2web",
    }


def _state() -> dict[str, Any]:
    """Return the state of a board of half a year: thirty items, and 130 known."""
    world = NoticeWorld()
    world.show(
        *(Notice(str(number), f"2024학년도 장학금 신청 안내 {number}") for number in range(30))
    )
    world.check()
    state: dict[str, Any] = json.loads(world.bucket.body("state/notices/cs.json"))
    one = next(iter(state["known"].values()))
    state["known"] |= {str(number): one for number in range(1_000, 1_100)}
    return state


if __name__ == "__main__":
    main()
