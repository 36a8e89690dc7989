"""Every fault and every pair of faults, in every scenario: ``make faults``.

A finding names the arguments that repeat it, as in ``ARGS='--scenario "new" --plan 3:pause'``.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from document_scenarios import DOCUMENT_SCENARIOS
from enumeration import Either, Plan, Tally, all_after, placements, run, small_limits
from faulty import KINDS
from hinted_scenarios import HINTED_SCENARIOS
from regulation_scenarios import REGULATION_SCENARIOS
from rhythm_scenarios import RHYTHM_SCENARIOS
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from scenarios import SCENARIOS
from seed_scenarios import SEED_SCENARIOS
from verdict import CAUSES, UNEXPLAINED
from watch_world import WATCH_SCENARIOS
from weather_scenarios import WEATHER_SCENARIOS

_BY_NAME: dict[str, Either] = {
    each.name: each
    for each in (
        *SCENARIOS,
        *HINTED_SCENARIOS,
        *RHYTHM_SCENARIOS,
        *REGULATION_SCENARIOS,
        *WATCH_SCENARIOS,
        *WEATHER_SCENARIOS,
        *SEED_SCENARIOS,
        *DOCUMENT_SCENARIOS,
    )
}
_WRONG = ("lost", "ghost", "archive", "hot", "state", "order")
_DOUBLED = tuple(dict.fromkeys(CAUSES.values()))


def main() -> int:
    """Enumerate, or repeat one run; 1 if anything was wrong."""
    options = _options()
    small_limits()
    if options.plan is not None:
        return _repeat(_BY_NAME[options.scenario[0]], options.plan)
    began = time.monotonic()
    names = options.scenario or list(_BY_NAME)
    tallies = _enumerate(names, options.jobs)
    if options.json:
        print(json.dumps({name: _row(tally) for name, tally in tallies.items()}, indent=1))
    else:
        # A pipe has no width; the table has.
        Console(width=None if sys.stdout.isatty() else 140).print(_table(tallies))
    findings = [finding for tally in tallies.values() for finding in tally.findings]
    for finding in findings:
        print(finding, file=sys.stderr)
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0 if all(tally.is_clean for tally in tallies.values()) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make faults", description=__doc__)
    parser.add_argument(
        "--scenario", action="append", choices=list(_BY_NAME), help="only this one; repeatable"
    )
    parser.add_argument("--plan", type=_plan, help="repeat one run: NUMBER:KIND[,NUMBER:KIND]")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--json", action="store_true", help="figures instead of the table")
    options = parser.parse_args()
    if options.plan is not None and len(options.scenario or ()) != 1:
        parser.error("--plan needs one --scenario")
    return options


def _plan(text: str) -> Plan:
    known = {kind for kinds in KINDS.values() for kind in kinds}
    plan = {}
    for part in text.split(","):
        number, _, kind = part.partition(":")
        if not number.isdigit() or kind not in known:
            raise argparse.ArgumentTypeError(
                f"{part!r} is not NUMBER:KIND with one of {', '.join(sorted(known))}"
            )
        plan[int(number)] = kind
    return plan


def _repeat(scenario: Either, plan: Plan) -> int:
    world, verdict = run(scenario, plan)
    for number, call in enumerate(world.faults.calls):
        print(f"{number:4} {call} {plan.get(number, '')}")
    print(verdict if verdict.wrong else f"nothing wrong, doubled {dict(verdict.doubled)}")
    return 1 if verdict.wrong or UNEXPLAINED in verdict.doubled else 0


def _enumerate(names: Sequence[str], jobs: int) -> dict[str, Tally]:
    """The tallies by scenario; a bar on a terminal shows how far it is."""
    tallies = {name: Tally() for name in names}
    firsts = []
    for name, tally in tallies.items():
        # The run that nothing disturbs is where the first faults are placed.
        world, verdict = run(_BY_NAME[name], {})
        tally.add(_BY_NAME[name], {}, verdict)
        firsts += [(name, first) for first in placements(world)]
    console = Console(stderr=True)
    with (
        ProcessPoolExecutor(jobs, initializer=small_limits) as pool,
        Progress(console=console, disable=not console.is_terminal) as progress,
    ):
        waiting = {pool.submit(_branch, name, first): name for name, first in firsts}
        task = progress.add_task("first faults", total=len(waiting))
        for done in as_completed(waiting):
            tallies[waiting[done]] += done.result()
            progress.advance(task)
    return tallies


def _branch(name: str, first: tuple[int, str]) -> Tally:
    """In a process of the pool; what a scenario holds cannot all be sent there."""
    return all_after(_BY_NAME[name], first)


def _row(tally: Tally) -> dict[str, Any]:
    wrong = {kind: tally.wrong[kind] for kind in _WRONG}
    doubled = {cause: tally.doubled[cause] for cause in (*_DOUBLED, UNEXPLAINED)}
    return {"placements": tally.placements, "runs": tally.runs, **wrong, "doubled": doubled}


def _table(tallies: dict[str, Tally]) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        show_footer=True,
        caption="after POST, answer lost, before SENT: doubled pushes, by what befell them",
    )
    total = Tally()
    for tally in tallies.values():
        total += tally
    heads = ["placements", "runs", *_WRONG, *_DOUBLED, UNEXPLAINED]
    table.add_column("scenario", footer="all", no_wrap=True)
    for head, figure in zip(heads, _figures(total), strict=True):
        table.add_column(head, footer=figure, justify="right")
    for name, tally in tallies.items():
        table.add_row(name, *_figures(tally), style=None if tally.is_clean else "red")
    return table


def _figures(tally: Tally) -> list[str]:
    row = _row(tally)
    doubled = row.pop("doubled")
    return [f"{figure:,}" for figure in (*row.values(), *doubled.values())]


if __name__ == "__main__":
    sys.exit(main())
