"""A thousand ticks over the campus site, and what was pushed without reason or not at all."""

import argparse
import json
import sys
import time
from dataclasses import asdict

from breakage import Story, redesign, reparse
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table
from weather import Line, Replay


def main() -> int:
    """Replay; 1 if anything was false, missed or different in the end."""
    options = _options()
    began = time.monotonic()
    replay = Replay(options.seed, new_year=not options.march)
    console = Console(stderr=True)
    ticks = range(1, options.ticks + 1)
    for number in track(
        ticks, "replay", console=console, transient=True, disable=not console.is_terminal
    ):
        replay.tick(number)
    replay.campus.stop()
    differences = replay.differences()
    stories = {"redesign": redesign(options.seed), "re-parse": reparse(options.seed)}
    if options.json:
        print(json.dumps(_document(replay, differences, stories), ensure_ascii=False, indent=1))
    else:
        Console(width=None if sys.stdout.isatty() else 120).print(_table(replay))
        happened = ", ".join(f"{kind} {count:,}" for kind, count in sorted(replay.journal.items()))
        print(f"on the boards: {happened}")
        for name, story in stories.items():
            _tell(name, story)
    lines = replay.lines.values()
    for problem in [text for line in lines for text in (*line.false, *line.missed)] + differences:
        print(problem, file=sys.stderr)
    for story in stories.values():
        differences += [*story.false, *story.missed, *story.differences]
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    wrong = differences or any(line.false or line.missed for line in lines)
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make replay", description=__doc__)
    parser.add_argument("--ticks", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--march", action="store_true", help="days of six ticks in March in place of New Year's"
    )
    parser.add_argument("--json", action="store_true", help="figures instead of the table")
    return parser.parse_args()


def _figures(line: Line) -> tuple[int, int, int, int]:
    return line.checks, line.expected, len(line.false), len(line.missed)


def _table(replay: Replay) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("weather")
    for name in ("checks", "pushes due", "false", "missed"):
        table.add_column(name, justify="right")
    table.add_column("outcomes")
    total = Line()
    for weather, line in sorted(replay.lines.items()):
        _add(table, weather, line)
        total.checks += line.checks
        total.expected += line.expected
        total.false += line.false
        total.missed += line.missed
        total.outcomes += line.outcomes
    table.add_section()
    _add(table, "all", total)
    return table


def _add(table: Table, name: str, line: Line) -> None:
    outcomes = ", ".join(f"{word} {count:,}" for word, count in line.outcomes.most_common())
    table.add_row(name, *(f"{figure:,}" for figure in _figures(line)), outcomes)


def _tell(name: str, story: Story) -> None:
    """A line for the pushes, and the alerts as people get them, cut short."""
    print(
        f"\n{name} of all boards at once: {len(story.false)} false pushes, "
        f"{len(story.missed)} missed, {len(story.mails)} alerts"
    )
    for mail in story.mails:
        first, *lines = mail.splitlines()
        print(f"  {first}")
        print(f"    {lines[0]}")
        print(f"    … {len(lines) - 1} more")


def _document(
    replay: Replay, differences: list[str], stories: dict[str, Story]
) -> dict[str, object]:
    names = ("checks", "expected", "false", "missed")
    return {
        "weather": {
            weather: {
                **dict(zip(names, _figures(line), strict=True)),
                "outcomes": dict(line.outcomes),
            }
            for weather, line in sorted(replay.lines.items())
        },
        "journal": dict(replay.journal),
        "differences": differences,
        "stories": {name: asdict(story) for name, story in stories.items()},
    }


if __name__ == "__main__":
    sys.exit(main())
