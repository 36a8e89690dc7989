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
_MOST_MARKED: Final = 3
_SHARE_BY_TIME: Final = 0.25
_SHARE_MARKED: Final = 0.5
_TELL_SECONDS: Final = 15.0


@dataclass(frozen=True)
class Profile:
    """Where the kills of a family fall.

    Attributes:
        arguments: of the run.
        ticks: of the run, if it gets so far.
        marked: events that are few: left to chance hardly a kill would come after one.
        most_events: before a kill.
        most_seconds: likewise; a start takes two to three.
        run_seconds: longer than the whole takes, and a message of a killed batch stays away.
        counted: the event that tells how far it is.
    """

    arguments: tuple[str, ...]
    ticks: int
    marked: tuple[str, ...]
    most_events: int
    most_seconds: float
    run_seconds: float
    counted: str


def profile_of(family: str, kills: int, domains: int) -> Profile:
    """Return the profile of a family."""
    if family == "notices":
        marked = ("changed", "published", "pushed")
        return Profile(("--in-process",), 24, marked, 40, 6.0, 600, "checked")
    if family == "documents":
        return Profile((), 8, ("job_failed",), 80, 40.0, 3600, "job_done")
    # Spread over the whole run: a domain is two events at the most.
    events = max(40, 2 * domains // kills)
    return Profile(
        ("--domains", str(domains)),
        1,
        ("file_processing_complete",),
        events,
        20.0,
        4 * 3600,
        "domain_processing_complete",
    )


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
    def drawn(cls, chance: random.Random, profile: Profile) -> Self:
        """Return one that is killed by the clock, at an event or at one of a kind."""
        if chance.random() < _SHARE_BY_TIME:
            return cls(kill_after_seconds=chance.uniform(0.2, profile.most_seconds))
        if chance.random() < _SHARE_MARKED:
            marked = chance.choice(profile.marked), chance.randint(1, _MOST_MARKED)
            return cls(profile.most_events, marked)
        return cls(chance.randint(1, profile.most_events))

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

    def count(self, name: str) -> int:
        """Return how many events of this name it told."""
        return sum(event["event"] == name for event in self.events)

    def run(self, arguments: list[str], variables: dict[str, str], profile: Profile) -> None:
        """Start a process, and kill it at its moment."""
        with subprocess.Popen(
            [URING, *arguments],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            seconds = self.kill_after_seconds or profile.run_seconds
            timer = threading.Timer(seconds, process.kill)
            timer.start()
            ended = threading.Event()
            # Also while nothing is told: messages of a killed batch stay away for minutes.
            teller = threading.Thread(target=self._tell, args=(profile.counted, ended))
            teller.start()
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
            ended.set()
            teller.join()
        self.was_killed = self.returncode < 0
        if self.returncode > 0:
            print(complaint, file=sys.stderr)

    def _tell(self, counted: str, ended: threading.Event) -> None:
        began = time.monotonic()
        while not ended.wait(_TELL_SECONDS):
            done = self.count(counted)
            print(f"  {time.monotonic() - began:.0f} s: {done} {counted}", flush=True)


def main() -> int:
    """Kill so many times, end in peace; 1 if anything was lost, doubled, wrong or left."""
    options = _options()
    began = time.monotonic()
    chance = random.Random(options.seed)
    profile = profile_of(options.family, options.kills, options.domains)
    arguments = [
        *("run", "--family", options.family, "--json", *profile.arguments),
        *("--seed", str(options.seed), "--ticks", str(options.ticks or profile.ticks)),
    ]
    with ExitStack() as exits:
        endpoint = external(used_services(in_process=True)) or exits.enter_context(MiniStack())
        variables = {**os.environ, **endpoint.environment}
        places: Counter[str] = Counter()
        done, attempt = 0, Attempt()
        while places.total() < options.kills:
            attempt = Attempt.drawn(chance, profile)
            attempt.run(arguments, variables, profile)
            done += attempt.count(profile.counted)
            if attempt.was_killed:
                places[attempt.where] += 1
                seconds = time.monotonic() - began
                print(
                    f"kill {places.total()} after {seconds:.0f} s: {attempt.where}, "
                    f"{done} {profile.counted}",
                    flush=True,
                )
            elif attempt.returncode:
                break
        else:
            attempt = Attempt()
            attempt.run(arguments, variables, profile)
    last = attempt
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
    parser.add_argument("--family", choices=("notices", "seeds", "documents"), default="notices")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument(
        "--ticks", type=int, default=0, help="of the run; 24, of seeds 1, of documents 8"
    )
    parser.add_argument("--domains", type=int, default=5_000, help="of the seeds' web")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
