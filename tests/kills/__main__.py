"""Kills a run again and again, on a stack that stays up: what its own judge says in the end."""

import argparse
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import external, used_services

URING: Final = Path(sys.executable).with_name("uring")
# Most kills fall into a tick: a start takes two to three seconds.
_MOST_EVENTS: Final = 40
# Checks are by far the most events: left to chance few kills would come after anything else.
_MARKED: Final = ("changed", "published", "pushed")
_MOST_MARKED: Final = 3
_MOST_SECONDS: Final = 6.0
_SHARE_BY_TIME: Final = 0.25
_SHARE_MARKED: Final = 0.5
# Longer than a message of a killed batch stays away.
_RUN_SECONDS: Final = 600


@dataclass
class Attempt:
    """One process's part of the run.

    Attributes:
        kill_after_events: it is killed at this event; 0 for never.
        kill_after_marked: or at this one of a kind, whatever comes first.
        kill_after_seconds: or then; 0 for never.
        events: what it told.
        was_killed: False where it came to its end before.
        returncode: its own, if it was not killed.
    """

    kill_after_events: int = 0
    kill_after_marked: tuple[str, int] = ("", 0)
    kill_after_seconds: float = 0.0
    events: list[dict[str, Any]] = field(default_factory=list)
    was_killed: bool = False
    returncode: int | None = None

    @classmethod
    def drawn(cls, chance: random.Random) -> Self:
        """Return one that is killed by the clock, at an event or at one of a kind."""
        if chance.random() < _SHARE_BY_TIME:
            return cls(kill_after_seconds=chance.uniform(0.2, _MOST_SECONDS))
        if chance.random() < _SHARE_MARKED:
            marked = chance.choice(_MARKED), chance.randint(1, _MOST_MARKED)
            return cls(_MOST_EVENTS, marked)
        return cls(chance.randint(1, _MOST_EVENTS))

    @property
    def is_due(self) -> bool:
        """Whether its last event is the one that it is killed at."""
        kind, number = self.kill_after_marked
        marked = sum(event["event"] == kind for event in self.events)
        return len(self.events) == self.kill_after_events or marked == number > 0

    @property
    def where(self) -> str:
        """The last event before the kill."""
        return str(self.events[-1]["event"]) if self.events else "set-up"

    def run(self, arguments: list[str], variables: dict[str, str]) -> None:
        """Start a process, and kill it at its moment."""
        with subprocess.Popen(
            [URING, *arguments],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            seconds = self.kill_after_seconds or _RUN_SECONDS
            timer = threading.Timer(seconds, process.kill)
            timer.start()
            assert process.stdout is not None
            assert process.stderr is not None
            for line in process.stdout:
                # A kill may tear the last line.
                if line.endswith("\n"):
                    self.events.append(json.loads(line))
                if self.is_due:
                    process.kill()
                    break
            complaint = process.stderr.read()
            self.returncode = process.wait()
            timer.cancel()
        self.was_killed = self.returncode < 0
        if self.returncode > 0:
            print(complaint, file=sys.stderr)


def main() -> int:
    """Kill so many times, end in peace; 1 if anything was lost, doubled, wrong or left."""
    options = _options()
    began = time.monotonic()
    chance = random.Random(options.seed)
    arguments = [
        *("run", "--family", "notices", "--in-process", "--json"),
        *("--seed", str(options.seed), "--ticks", str(options.ticks)),
    ]
    with ExitStack() as exits:
        endpoint = external(used_services(in_process=True)) or exits.enter_context(MiniStack())
        variables = {**os.environ, **endpoint.environment}
        places: Counter[str] = Counter()
        ticks = 0
        while places.total() < options.kills:
            attempt = Attempt.drawn(chance)
            attempt.run(arguments, variables)
            ticks += sum(event["event"] == "tick" for event in attempt.events)
            if attempt.was_killed:
                places[attempt.where] += 1
                print(f"kill {places.total()}: {attempt.where}, tick {ticks}", flush=True)
            elif attempt.returncode:
                return 1
        last = Attempt()
        last.run(arguments, variables)
    figures = next((event for event in last.events if event["event"] == "summary"), {})
    names = ("pushed", "expected", "lost", "doubled", "repeated", "wrong", "dead_lettered")
    print("killed at:", ", ".join(f"{place} {count}" for place, count in places.most_common()))
    print(", ".join(f"{name} {figures.get(name)}" for name in names))
    for event in last.events:
        if event["event"] == "wrong":
            print(event["reason"], file=sys.stderr)
    print(f"exit {last.returncode}, {time.monotonic() - began:.0f} s")
    return 1 if last.returncode else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--ticks", type=int, default=24, help="of the run, if it gets so far")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
