"""Checks of boards in the situations of a deployment: uRing, urlwatch and the floor, side by side.

Every board has a host of its own, by a name that is looked up in each round of checks, over HTTP
and over TLS. uRing's states are a year old, and its jobs carry the hints of monitor and
orchestrator, as after any tick. See README.md beside this file.
"""

import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from figures import SideFigures
from lines import Child
from own_names import board_host
from pages import entry, source_id
from urlwatch_runs import Urlwatch
from workers import events, start

from uring.contracts import Job

SCHEMES: Final = ("http", "https")
CHANGED_EVERY: Final = 20
"""One board in this number changes: 5 %."""

_PHASES: Final[Mapping[str, Mapping[str, int]]] = {
    "first": {"posts": 0, "views": 0},
    "unchanged": {"posts": 0, "views": 0},
    "5 % changed": {"posts": 1, "views": 0},
    "other bytes, same rows": {"posts": 1, "views": 1},
}
_OLDER_POSTS: Final = 275  # beside the 25 of the page
_WARM_UP: Final = 10
_HERE: Final = Path(__file__).parent
_BENCH_PYTHON: Final = _HERE.parent / ".venv-bench" / "bin" / "python"


def measure_side(world: Child, figures: SideFigures, urlwatch: Path) -> None:
    """Measure one round; ends the program where one of them found something else than there was."""
    for scheme in SCHEMES:
        _measure_uring(world, figures, scheme)
        if _BENCH_PYTHON.exists():
            _measure_floor(world, figures, scheme)
        if urlwatch.exists():
            _measure_urlwatch(world, figures, scheme, urlwatch)


def show(world: Child, boards: int, **state: Any) -> dict[str, Any]:
    """Have the boards show their pages; return where they are."""
    shown = {"posts": 0, "every": CHANGED_EVERY, "views": 0, "size": None, "validators": False}
    return world.ask(boards=boards, **shown | state)


def worker_at(places: Mapping[str, Any], scheme: str, boards: int) -> Child:
    """Start the worker; it may fetch so many boards."""
    hosts = ",".join(f"{board_host(number)}:{places[scheme]}" for number in range(boards))
    variables = {"BENCH_NAMES": str(places["names"]), "SSL_CERT_FILE": places["trusted"]}
    return start("NoticeWorker", places["aws"], variables=variables, AllowedPrivateHosts=hosts)


def check(
    worker: Child,
    places: Mapping[str, Any],
    scheme: str,
    numbers: range,
    hints: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Have these boards checked once, with the names' addresses forgotten before."""
    now = datetime.now(UTC)
    jobs = [
        Job(
            family="notices",
            source=source_id(number),
            scheduled_at=now,
            interval_minutes=10,
            entry=entry(number, f"{board_host(number)}:{places[scheme]}", scheme),
            hint=(hints or {}).get(source_id(number)),
        )
        for number in numbers
    ]
    if not worker.ask(forget=True)["forgotten"]:
        raise SystemExit("no addresses were forgotten: names would be looked up once for all")
    return worker.ask(events=events(jobs))


def _measure_uring(world: Child, figures: SideFigures, scheme: str) -> None:
    boards, validators = figures.boards, figures.validators
    world.ask(reset=True)
    places = show(world, boards + _WARM_UP, validators=validators)
    with worker_at(places, scheme, boards + _WARM_UP) as worker:
        # The first calls of a process build what the later ones share.
        warm = check(worker, places, scheme, range(boards, boards + _WARM_UP))
        for name, seconds in (warm["started"] | {"first batch": warm["seconds"]}).items():
            figures.started.setdefault(name, []).append(seconds)
        for phase, state in _PHASES.items():
            show(world, boards, validators=validators, **state)
            hints = None if phase == "first" else world.ask(hints=boards)
            world.ask(calls=True)
            world.ask(lookups=True)
            answer = check(worker, places, scheme, range(boards), hints)
            if world.ask(lookups=True)["lookups"] < boards:
                raise SystemExit(f"{phase}: fewer names were looked up than there are boards")
            _expect(phase, boards, answer["outcomes"], ("baseline", "changed", "unchanged"))
            figures.add("uRing", f"{scheme} {phase}", answer["seconds"])
            figures.calls[f"{scheme} {phase}"] = world.ask(calls=True)
            if phase == "first":
                world.ask(mature=boards, posts=_OLDER_POSTS)


def _measure_floor(world: Child, figures: SideFigures, scheme: str) -> None:
    boards = figures.boards
    world.ask(reset=True)
    places = show(world, boards, validators=figures.validators)
    urls = dict(zip(map(source_id, range(boards)), _urls(places, scheme, boards), strict=True))
    with Child("floor", {}, places["trusted"], python=_BENCH_PYTHON) as floor:
        for phase, state in _PHASES.items():
            show(world, boards, validators=figures.validators, **state)
            answer = floor.ask(urls=urls, aws=places["aws"])
            _expect(phase, boards, answer["outcomes"], ("baseline", "changed", "unchanged"))
            figures.add("floor", f"{scheme} {phase}", answer["seconds"])


def _measure_urlwatch(world: Child, figures: SideFigures, scheme: str, command: Path) -> None:
    boards = figures.boards
    with tempfile.TemporaryDirectory() as folder:
        places = show(world, 0)
        urls = _urls(places, scheme, boards)
        trusted = Path(places["trusted"])
        urlwatch = Urlwatch(command, Path(folder), urls, places["names"], trusted)
        urlwatch.start_only()  # compiles its modules, if nobody did
        started = urlwatch.start_only().seconds
        figures.urlwatch_started.append(started)
        for phase, state in _PHASES.items():
            show(world, boards, validators=figures.validators, **state)
            run = urlwatch.check()
            found = {**run.verdicts, "same": boards - sum(run.verdicts.values())}
            _expect(phase, boards, found, ("NEW", "CHANGED", "same"))
            figures.add("urlwatch", f"{scheme} {phase}", run.seconds - started)


def _urls(places: Mapping[str, Any], scheme: str, boards: int) -> Sequence[str]:
    port = places[scheme]
    return [f"{scheme}://{board_host(n)}:{port}/boards/{n}" for n in range(boards)]


def _expect(phase: str, boards: int, found: dict[str, int], words: tuple[str, str, str]) -> None:
    """A figure counts only if the program found what was there to be found."""
    changed = len(range(0, boards, CHANGED_EVERY)) if phase == "5 % changed" else 0
    new = boards if phase == "first" else 0
    expected = dict(zip(words, (new, changed, boards - new - changed), strict=True))
    if {word: found.get(word, 0) for word in words} != expected:
        raise SystemExit(f"{phase}: found {found}, expected {expected}")
