"""Every guard, and whether its test falls without it: ``make guards``."""

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

from guard import Guard
from guards import GUARDS
from removal import falls
from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table


def main() -> int:
    """Take each guard away in turn; 1 if one was not missed."""
    parser = argparse.ArgumentParser(prog="make guards", description=__doc__)
    parser.add_argument("--only", default="", help="those whose name or file has this text")
    only = parser.parse_args().only
    guards = [guard for guard in GUARDS if only in guard.name or only in guard.file]
    if not guards:
        parser.error(f"--only {only}: no guard has it in its name or file")
    progress = Console(stderr=True)
    with ThreadPoolExecutor(cpu_count()) as pool:
        fallen = list(
            track(
                pool.map(_falls, guards),
                "guards",
                total=len(guards),
                console=progress,
                disable=not progress.is_terminal,
            )
        )
    table = Table("guard taken away", "in", "test", "fell", box=box.SIMPLE_HEAD)
    for guard, fell in zip(guards, fallen, strict=True):
        test = guard.test.replace("::", "\n", 1)
        place = f"{guard.file}\n{guard.where}"
        table.add_row(
            guard.name, place, test, "yes" if fell else "NO", style=None if fell else "red"
        )
    Console(width=None if sys.stdout.isatty() else 160).print(table)
    return 0 if all(fallen) else 1


def _falls(guard: Guard) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        return falls(guard, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
