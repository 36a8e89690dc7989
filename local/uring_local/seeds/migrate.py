"""`uring seeds migrate`: the datasets of a bucket copied to the current layout (S11).

Without --yes nothing is written. Originals stay; an interrupted run is simply repeated.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import boto3
from botocore.config import Config
from rich.console import Console
from rich.filesize import decimal
from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table

from uring.seeds.partition import DATASETS
from uring_local.operate.bucket import open_bucket
from uring_local.seeds.copies import CopyingBucket, Outcome, settle
from uring_local.seeds.moves import MigrationPlan, Move, old_prefix, plan
from uring_local.words import counted, printable

_AT_ONCE: Final = 8
_MOST_LINES: Final = 20
_COLUMNS: Final[tuple[Outcome, ...]] = ("to_copy", "copied", "there", "conflict", "failed")


@dataclass(frozen=True, slots=True)
class MoveResult:
    """A move, its outcome and the reason."""

    move: Move
    outcome: Outcome
    why: str


def migrate(
    bucket: str | None, stack: str | None, country: str | None, *, write: bool, as_json: bool
) -> bool:
    """Copy the raw files of the old layout; return False if a move failed or has a conflict.

    Args:
        bucket: its name; None for the stack's bucket.
        stack: the deployed stack; None if the bucket is given.
        country: only files of this country; None for all.
        write: copy; False only shows the moves.
        as_json: one JSON object instead of a table.

    Raises:
        Misconfigured: no such stack, bucket or permission.
        Unavailable: the bucket cannot be listed.
    """
    country = country.lower() if country else None
    name = bucket or open_bucket(stack or "").name
    objects = CopyingBucket(_s3(), name)
    targets = f"{DATASETS}country={country}/" if country else DATASETS
    planned = plan(objects.objects(old_prefix(country)), objects.objects(targets))
    moved = _moved(planned.moves, lambda move: settle(objects, move, write=write))
    if as_json:
        _print_json(name, planned, moved)
    else:
        _print_text(name, planned, moved, written=write)
    return not any(each.outcome in ("conflict", "failed") for each in moved)


def _s3() -> Any:
    return boto3.client("s3", config=Config(max_pool_connections=2 * _AT_ONCE))


def _moved(moves: Sequence[Move], act: Callable[[Move], tuple[Outcome, str]]) -> list[MoveResult]:
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with ThreadPoolExecutor(_AT_ONCE) as pool, bar:
        # After an error or an interrupt, the moves that have not begun are cancelled.
        results = bar.track(pool.map(act, moves), len(moves), description="files")
        return [MoveResult(move, *result) for move, result in zip(moves, results, strict=True)]


def _print_json(name: str, planned: MigrationPlan, moved: Sequence[MoveResult]) -> None:
    document = {
        "bucket": name,
        "files": [
            {
                "source": each.move.source.key,
                "target": each.move.raw.path,
                "bytes": each.move.source.size,
                "outcome": each.outcome,
                "why": each.why or None,
            }
            for each in moved
        ],
        "passed_over": planned.passed_over,
    }
    print(json.dumps(document, ensure_ascii=False))


def _print_text(
    name: str, planned: MigrationPlan, moved: Sequence[MoveResult], *, written: bool
) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if moved:
        console.print(_table(moved))
    problems = [f"{each.outcome}: {each.move.source.key}: {each.why}" for each in moved if each.why]
    passed = [f"skipped: {key}: not a raw file" for key in planned.passed_over]
    for lines in (problems, passed):
        for line in lines[:_MOST_LINES]:
            console.print(printable(line), markup=False)
        if len(lines) > _MOST_LINES:
            console.print(f"and {len(lines) - _MOST_LINES:,} more; --json has all")
    console.print(_conclusion(name, moved, written=written), markup=False)


def _table(moved: Sequence[MoveResult]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("partition")
    used = [name for name in _COLUMNS if any(each.outcome == name for each in moved)]
    for heading in (*(name.replace("_", " ") for name in used), "size"):
        table.add_column(heading, justify="right")
    counts: dict[str, Counter[str]] = {}
    for each in moved:
        row = counts.setdefault(each.move.raw.partition.name, Counter())
        row.update({each.outcome: 1, "bytes": each.move.source.size})
    for partition, row in counts.items():
        figures = (f"{row[name]:,}" if row[name] else "" for name in used)
        table.add_row(partition, *figures, decimal(row["bytes"]))
    return table


def _conclusion(name: str, moved: Sequence[MoveResult], *, written: bool) -> str:
    count = Counter(each.outcome for each in moved)
    if not moved:
        return f"{name}: no raw files of the old layout"
    size = sum(each.move.source.size for each in moved if each.outcome in ("to_copy", "copied"))
    there = f", {count['there']:,} copied before" if count["there"] else ""
    if written:
        copied = counted(count["copied"], "file")
        return f"{copied} copied and verified ({decimal(size)}){there}; the originals are kept"
    due = counted(count["to_copy"], "file")
    return (
        f"would copy {due} ({decimal(size)}){there}{'; --yes copies' if count['to_copy'] else ''}"
    )
