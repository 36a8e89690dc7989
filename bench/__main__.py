"""What a check costs: uRing, urlwatch and the floor on the same pages, and a run of weather.

See README.md beside this file for what is counted and what is not.
"""

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from figures import SideFigures, text
from lines import Child
from parsing import ParseFigures, measure_parsing, parsing_text
from side import check, measure_side, show, worker_at
from weather_runs import WeatherFigures, measure, weather_text

BIG_PAGE = 450_000
_AT_ONCE = 10
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


def _measure_notices(world: Child, options: argparse.Namespace) -> SideFigures:
    figures = SideFigures(options.boards, options.validators)
    for _ in range(options.rounds):
        measure_side(world, figures, options.urlwatch)
    _measure_memory(world, figures)
    return figures


def _json(
    figures: SideFigures | None, weather: WeatherFigures, parsing: Sequence[ParseFigures]
) -> str:
    notices = {} if figures is None else asdict(figures) | {"per_1000": figures.per_1000()}
    parsed = {"parsing": [asdict(it) for it in parsing]} if parsing else {}
    return json.dumps(notices | {"weather": asdict(weather)} | parsed)


def _text(
    figures: SideFigures | None, weather: WeatherFigures, parsing: Sequence[ParseFigures]
) -> str:
    notices = [] if figures is None else [text(figures), "", parsing_text(parsing), ""]
    return "\n".join([*notices, weather_text(weather)])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--boards", type=int, default=200, help="in each phase (default: 200)")
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


def _measure_memory(world: Child, figures: SideFigures) -> None:
    world.ask(reset=True)
    places = show(world, _AT_ONCE, size=BIG_PAGE)
    with worker_at(places, "http", _AT_ONCE) as worker:
        for phase in ("first", "unchanged"):
            answer = check(worker, places, "http", range(_AT_ONCE))
            figures.batch_peak[phase] = answer["peak_bytes"]


if __name__ == "__main__":
    main()
