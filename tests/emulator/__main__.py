"""Runs every built function under AWS's Lambda emulator, with each file of events/.

As a program (`python -m emulator`) it takes what `sam build` made for this machine and
runs it natively, without Docker: the artefact alone, with what Lambda's runtime brings, against
the embedded stack, the campus site and the stand-in for FCM. A table shows how each function
answered and what it did; anything else than what is expected of it ends with exit code 1.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from emulator.hostile import hostile
from emulator.limits import isolation, out_of_time, short_of_time, wrong_events
from emulator.packages import emulator_program
from emulator.samples import samples
from emulator.stage import Stage
from emulator.steps import Steps
from emulator.trial import Row
from uring.errors import UringError
from uring_local.build.build import build, host_architecture, python_runtime
from uring_local.project import ROOT, StackFailed

_WIDTHS = (19, 21, 27, 12)


def emulate(built: Path, events: Path) -> Iterator[Row]:
    """The rows of the table, each as soon as it is known.

    Args:
        built: a directory made by `uring_local.build.build.build` for this machine.
        events: the directory of the sample events.

    Raises:
        StackFailed: no build, no emulator, no stack, or a sample that nothing is known of.
    """
    with Stage(built) as stage:
        found = {each.file: each for each in samples(events, stage.template)}
        steps = Steps(stage)
        if found.keys() != steps.files.keys():
            names = ", ".join(sorted(found.keys() ^ steps.files.keys()))
            raise StackFailed(
                f"{names}: a sample of {events.name}/ and a step of emulator/steps.py that "
                "say what it must do belong together; one of them is missing"
            )
        yield from isolation(stage)
        for name, step in steps.files.items():
            yield from step(found[name])
        yield from wrong_events(stage, [*found.values()])
        yield from out_of_time(stage, [*found.values()])
        yield from short_of_time(stage, steps.jobs)
        yield from hostile(stage)


def main(arguments: list[str] | None = None) -> int:
    """Run it.

    Returns:
        0, or 1 if a function did not do what is expected; 2 if it could not be tried.
    """
    parser = argparse.ArgumentParser(prog="python -m emulator", description=__doc__)
    parser.add_argument("--built", type=Path, metavar="DIR", help="a build (default: made if old)")
    parser.add_argument("--events", type=Path, default=ROOT / "events", metavar="DIR")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    options = parser.parse_args(arguments)
    if sys.platform != "linux":
        print(
            f"the Lambda emulator runs on Linux only, this is {sys.platform}: "
            "the built functions were NOT run",
            file=sys.stderr,
        )
        return 2
    began = time.monotonic()
    rows = []
    try:
        built = options.built or build(host_architecture(), progress=_tell_of_the_build)
        if not options.json:
            print(f"{host_architecture()}, {python_runtime()}: {emulator_program().name}")
        for row in emulate(built, options.events):
            rows.append(row)
            if not options.json:
                _show(row, heading=len(rows) == 1)
    except UringError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    seconds = time.monotonic() - began
    wrong = sum(bool(row.faults) for row in rows)
    if options.json:
        print(json.dumps(_document(rows, seconds), ensure_ascii=False, indent=1))
    else:
        print(f"{len(rows)} rows, {wrong} with faults, {seconds:.1f} s")
    return 1 if wrong else 0


def _tell_of_the_build(line: str) -> None:
    if line.startswith("Building "):
        print(line, file=sys.stderr, flush=True)


def _document(rows: list[Row], seconds: float) -> dict[str, Any]:
    return {
        "ok": not any(row.faults for row in rows),
        "architecture": host_architecture(),
        "runtime": python_runtime(),
        "seconds": round(seconds, 1),
        "rows": [asdict(row) | {"seconds": round(row.seconds, 3)} for row in rows],
    }


def _show(row: Row, *, heading: bool) -> None:
    console = Console(highlight=False)
    if heading:
        _print(console, ["function", "event", "answer", "seconds", "effect"], "dim")
    seconds = f"{row.seconds:.2f} {'cold' if row.is_cold else 'warm'}"
    effect = "FAULT" if row.faults else row.effect
    cells = [row.function, row.event, row.answer, seconds, effect]
    _print(console, cells, "red" if row.faults else "")
    for fault in row.faults:
        _print(console, [f"  {fault}"], "red")
    for line in row.printed:
        _print(console, [f"  | {line}"], "dim")


def _print(console: Console, cells: list[str], style: str) -> None:
    *first, last = cells
    cut = [
        (cell if len(cell) <= width else cell[: width - 1] + "…").ljust(width)
        for cell, width in zip(first, _WIDTHS, strict=False)
    ]
    console.print(Text("  ".join([*cut, last]), style=style), soft_wrap=True)


if __name__ == "__main__":
    raise SystemExit(main())
