"""What a check costs: uRing's notice worker and urlwatch on the same pages, and a run of weather.

See README.md beside this file for what is counted and what is not.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from figures import Figures, text
from lines import Child
from pages import entry, source_id
from parsing import ParseFigures, measure_parsing, parsing_text
from urlwatch_runs import Urlwatch
from weather_runs import WeatherFigures, measure, weather_text
from workers import events, start

from uring.contracts import Job

PHASES: dict[str, dict[str, int]] = {
    "first": {"posts": 0, "views": 0},
    "unchanged": {"posts": 0, "views": 0},
    "5 % changed": {"posts": 1, "views": 0},
    "views only": {"posts": 1, "views": 1},
}
EVERY = 20  # one board in so many changes: 5 %
BIG_PAGE = 450_000
_WARM_UP = 10
_URLWATCH = Path(__file__).parent.parent / ".venv-bench" / "bin" / "urlwatch"


def main() -> None:
    """Measure and print."""
    options = _options()
    parsing = [] if options.weather else measure_parsing()
    if options.parsing:
        print(json.dumps([asdict(it) for it in parsing]) if options.json else parsing_text(parsing))
        return
    with Child("serve", dict(os.environ)) as world:
        figures = None if options.weather else _measure_notices(world, options)
        weather = measure(world, options.rounds)
    if options.json:
        print(_json(figures, weather, parsing))
    else:
        print(_text(figures, weather, parsing))


def _measure_notices(world: Child, options: argparse.Namespace) -> Figures:
    figures = Figures(options.boards, options.rounds, options.validators)
    for _ in range(options.rounds):
        _measure_uring(world, figures)
        if options.urlwatch.exists():
            _measure_urlwatch(world, figures, options.urlwatch)
    _measure_memory(world, figures)
    return figures


def _json(figures: Figures | None, weather: WeatherFigures, parsing: Sequence[ParseFigures]) -> str:
    notices = {} if figures is None else asdict(figures) | {"per_1000": figures.per_1000()}
    parsed = {"parsing": [asdict(it) for it in parsing]} if parsing else {}
    return json.dumps(notices | {"weather": asdict(weather)} | parsed)


def _text(figures: Figures | None, weather: WeatherFigures, parsing: Sequence[ParseFigures]) -> str:
    notices = [] if figures is None else [text(figures), "", parsing_text(parsing), ""]
    return "\n".join([*notices, weather_text(weather)])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--boards", type=int, default=500, help="pages (default: 500)")
    parser.add_argument("--rounds", type=int, default=3, help="medians of these (default: 3)")
    parser.add_argument("--validators", action="store_true", help="the boards serve an ETag")
    parser.add_argument("--urlwatch", type=Path, default=_URLWATCH, help="the command to run")
    parser.add_argument("--weather", action="store_true", help="aviation weather alone")
    parser.add_argument("--parsing", action="store_true", help="pages read into rows alone")
    parser.add_argument("--json", action="store_true", help="every value instead of the tables")
    options = parser.parse_args()
    if options.boards < 1 or options.rounds < 1:
        parser.error("--boards and --rounds are 1 or more")
    if options.urlwatch != _URLWATCH and not options.urlwatch.exists():
        parser.error(f"--urlwatch: there is no {options.urlwatch}")
    return options


def _show(world: Child, boards: int, **state: Any) -> dict[str, Any]:
    defaults = {"posts": 0, "every": EVERY, "views": 0, "size": None, "validators": False}
    return world.ask(boards=boards, **defaults | state)


def _worker(places: dict[str, str]) -> Child:
    """The worker; it may fetch the boards."""
    return start("NoticeWorker", places["aws"], AllowedPrivateHosts=places["site"])


def _check(worker: Child, places: dict[str, str], numbers: range) -> dict[str, Any]:
    """Have these boards checked once."""
    now = datetime.now(UTC)
    jobs = [
        Job(
            family="notices",
            source=source_id(number),
            scheduled_at=now,
            interval_minutes=10,
            entry=entry(number, places["site"]),
        )
        for number in numbers
    ]
    return worker.ask(events=events(jobs))


def _measure_uring(world: Child, figures: Figures) -> None:
    boards, validators = figures.boards, figures.validators
    world.ask(reset=True)
    places = _show(world, boards + _WARM_UP, validators=validators)
    with _worker(places) as worker:
        # The first calls of a process build what the later ones share.
        warm = _check(worker, places, range(boards, boards + _WARM_UP))
        for name, seconds in (warm["started"] | {"first batch": warm["seconds"]}).items():
            figures.uring_start.setdefault(name, []).append(seconds)
        for phase, state in PHASES.items():
            _show(world, boards, validators=validators, **state)
            world.ask(calls=True)
            answer = _check(worker, places, range(boards))
            _expect(phase, boards, answer["outcomes"], ("baseline", "changed", "unchanged"))
            figures.uring.setdefault(phase, []).append(answer["seconds"])
            figures.aws_calls[phase] = world.ask(calls=True)


def _measure_urlwatch(world: Child, figures: Figures, command: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        host = _show(world, 0)["site"]
        urlwatch = Urlwatch(command, Path(folder), host, figures.boards)
        urlwatch.start_only()  # compiles its modules, if nobody did
        start = urlwatch.start_only().seconds
        figures.urlwatch_start.append(start)
        for phase, state in PHASES.items():
            _show(world, figures.boards, validators=figures.validators, **state)
            run = urlwatch.check()
            found = {**run.verdicts, "same": figures.boards - sum(run.verdicts.values())}
            _expect(phase, figures.boards, found, ("NEW", "CHANGED", "same"))
            figures.urlwatch.setdefault(phase, []).append(run.seconds - start)


def _expect(phase: str, boards: int, found: dict[str, int], words: tuple[str, str, str]) -> None:
    """A figure counts only if the program found what was there to be found."""
    changed = len(range(0, boards, EVERY)) if phase == "5 % changed" else 0
    new = boards if phase == "first" else 0
    expected = dict(zip(words, (new, changed, boards - new - changed), strict=True))
    if {word: found.get(word, 0) for word in words} != expected:
        raise SystemExit(f"{phase}: found {found}, expected {expected}")


def _measure_memory(world: Child, figures: Figures) -> None:
    world.ask(reset=True)
    places = _show(world, _WARM_UP, size=BIG_PAGE)
    with _worker(places) as worker:
        for phase in ("first", "unchanged"):
            answer = _check(worker, places, range(_WARM_UP))
            figures.batch_peak[phase] = answer["peak_bytes"]


if __name__ == "__main__":
    main()
