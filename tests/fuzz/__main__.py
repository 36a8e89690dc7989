"""Damaged input for the readers of pages, states and messages: ``make fuzz``.

Each target runs in a process of its own, so that one that hangs or dies is a finding like others.
The input of a finding is written to ``.fuzz/``; ``--replay`` reads it again.
"""

import argparse
import json
import multiprocessing as mp
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final

from fuzzing import Finding, Tally, input_of, work
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from targets import targets

_FINDINGS: Final = Path(__file__).parents[2] / ".fuzz"
# A single input may take as long on a busy machine before its process counts as hanging.
_HANGS_SECONDS: Final = 60.0
_SPAWN: Final = mp.get_context("spawn")


@dataclass(slots=True)
class _Run:
    """A target's process; ``number`` is the input that it is at."""

    process: BaseProcess
    number: Any
    answer: Connection
    seen: tuple[int, float] = (-2, 0.0)

    def hangs(self) -> bool:
        """Whether it has been at the same input for too long."""
        now = time.monotonic()
        if self.seen[0] != self.number.value:
            self.seen = (self.number.value, now)
        return now - self.seen[1] > _HANGS_SECONDS


def main() -> int:
    """Hunt, or read one input again; 1 with findings."""
    options = _options()
    if options.replay:
        return _replay(options.target[0], options.replay)
    names = options.target or list(targets())
    tallies = _hunt(names, options.seed, options.seconds)
    for name, tally in tallies.items():
        _save(name, options.seed, tally.findings)
    if options.json:
        rows = {name: tally.row() for name, tally in tallies.items()}
        print(json.dumps({"seed": options.seed, "targets": rows}, indent=1))
    else:
        # A pipe has no width; the table has.
        Console(width=None if sys.stdout.isatty() else 140).print(_table(tallies))
    return 1 if any(tally.findings for tally in tallies.values()) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument(
        "--target", action="append", choices=[*targets()], help="only this one; repeatable"
    )
    parser.add_argument("--seconds", type=float, default=300, help="for each (default: 300)")
    parser.add_argument(
        "--seed", default=str(time.time_ns()), help="the same seed, the same inputs"
    )
    parser.add_argument("--replay", type=Path, metavar="FILE", help="one input of .fuzz/ again")
    parser.add_argument("--json", action="store_true", help="figures instead of the table")
    options = parser.parse_args()
    if options.replay and len(options.target or ()) != 1:
        parser.error("--replay needs one --target")
    return options


def _replay(name: str, file: Path) -> int:
    print(targets()[name].try_(file.read_bytes()))
    return 0


def _hunt(names: Sequence[str], seed: str, seconds: float) -> dict[str, Tally]:
    """The targets side by side; a bar on a terminal shows how far they are."""
    runs = {name: _start(name, seed, seconds) for name in names}
    tallies: dict[str, Tally] = {}
    console = Console(stderr=True)
    began = time.monotonic()
    with Progress(console=console, disable=not console.is_terminal) as progress:
        tasks = {name: progress.add_task(name, total=seconds) for name in names}
        while len(tallies) < len(runs):
            time.sleep(0.2)
            for name, run in runs.items():
                if name in tallies:
                    continue
                progress.update(
                    tasks[name],
                    completed=min(seconds, time.monotonic() - began),
                    description=f"{name} {run.number.value:,}",
                )
                if (tally := _answer(run)) is not None:
                    tallies[name] = tally
    return {name: tallies[name] for name in names}


def _start(name: str, seed: str, seconds: float) -> _Run:
    number = _SPAWN.Value("q", -1)
    ours, theirs = _SPAWN.Pipe(duplex=False)
    process = _SPAWN.Process(target=work, args=(name, seed, seconds, number, theirs))
    process.start()
    theirs.close()
    return _Run(process, number, ours)


def _answer(run: _Run) -> Tally | None:
    """The tally of a process that is done, dead or stuck."""
    if run.answer.poll():
        try:
            tally: Tally = run.answer.recv()
        except EOFError:
            run.process.join()
            return _lost(run, "died", f"exit code {run.process.exitcode}")
        run.process.join()
        return tally
    if run.hangs():
        run.process.kill()
        run.process.join()
        return _lost(run, "hangs", f"no answer within {_HANGS_SECONDS:.0f} s")
    return None


def _lost(run: _Run, kind: str, detail: str) -> Tally:
    number = max(run.number.value, 0)
    return Tally(inputs=number + 1, findings=[Finding(number, kind, detail)])


def _save(name: str, seed: str, findings: Sequence[Finding]) -> None:
    for finding in findings:
        _FINDINGS.mkdir(exist_ok=True)
        file = _FINDINGS / f"{name}-{seed}-{finding.number}"
        file.write_bytes(input_of(targets()[name], seed, finding.number))
        file.with_suffix(".txt").write_text(f"{finding.kind}\n{finding.detail}", encoding="utf-8")
        shown = os.path.relpath(file)
        print(f"{name}: {finding.kind}: --target {name} --replay {shown}", file=sys.stderr)


def _table(tallies: Mapping[str, Tally]) -> Table:
    table = Table("target", box=box.SIMPLE_HEAD)
    for head in ("inputs", "inputs/s", "accepted", "slowest", "findings"):
        table.add_column(head, justify="right")
    table.add_column("refused", overflow="fold")
    for name, tally in tallies.items():
        row = tally.row()
        table.add_row(
            name,
            f"{row['inputs']:,}",
            f"{row['inputs_per_second']:,}",
            f"{row['accepted']:,}",
            f"{row['slowest_ms']:,} ms",
            str(row["findings"]),
            ", ".join(f"{kind} {count:,}" for kind, count in row["refused"].items()),
            style="red" if tally.findings else None,
        )
    return table


if __name__ == "__main__":
    sys.exit(main())
