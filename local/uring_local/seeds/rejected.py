"""`uring seeds rejected`: the records that raw files lost, why, and another reading."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from uring.aws.objects import S3Bucket
from uring.seeds.files.checkpoint import checkpoint_key
from uring.seeds.files.rejected import RejectedRecord, rejected_of
from uring.seeds.messages import OrchestrateRequest
from uring.seeds.partition import DATASETS, REJECTED, SUCCESS, Partition, RawFile
from uring_local.operate.bucket import open_bucket
from uring_local.seeds.orchestrate import begin
from uring_local.words import counted, printable

_TEXT: Final = 60


def list_rejected(stack: str, partition: str, *, as_json: bool) -> bool:
    """Print the rejected records of a partition, empty for all; return True if there are none.

    Raises:
        Misconfigured: no such stack, or no permission.
    """
    of = _partition(partition) if partition else None
    if partition and of is None:
        return False
    bucket = open_bucket(stack)
    found = [(raw, record) for raw, records in _files(bucket, of) for record in records]
    if as_json:
        listed = [{"file": raw.path, **asdict(record)} for raw, record in found]
        print(json.dumps(listed, ensure_ascii=False))
        return not found
    table = Table(box=None, pad_edge=False)
    for name in ("file", "record", "reason", "text"):
        table.add_column(name, overflow="fold")
    for raw, record in found:
        cells = (_name(raw), str(record.index), record.reason, record.text[:_TEXT])
        table.add_row(*(escape(printable(cell)) for cell in cells))
    console = Console(highlight=False)
    if found:
        console.print(table)
    console.print(
        f"{counted(len(found), 'rejected record')}; a file keeps its first thousand", markup=False
    )
    return not found


def retry_rejected(stack: str, partition: str) -> bool:
    """Let the files of a partition with rejected records be read again; return whether they are.

    Returns False without such a file, or if the request is refused.

    Raises:
        Misconfigured: no such stack, or no permission.
        Unavailable: AWS did not answer; the command may be repeated.
    """
    of = _partition(partition)
    if of is None:
        return False
    bucket = open_bucket(stack)
    files = [raw for raw, records in _files(bucket, of) if records]
    if not files:
        print(f"{partition} has no rejected records")
        return False
    for raw in files:
        bucket.remove(checkpoint_key(raw))
        bucket.remove(raw.path + SUCCESS)
        print(f"{_name(raw)} is read again")
    print("their collected domains are not asked again: each costs one look")
    request = OrchestrateRequest(country=of.country, category=of.category, date=of.date)
    return begin(stack, request)


def _partition(name: str) -> Partition | None:
    found = Partition.named(name)
    if found is None:
        print(f"{printable(name)} is not a partition; write it like sg/news/2026-01-28")
    return found


def _files(
    bucket: S3Bucket, of: Partition | None
) -> Iterator[tuple[RawFile, list[RejectedRecord]]]:
    """Yield the raw files with such an object, and its records."""
    for listed in bucket.list(f"{DATASETS}{of.path}/" if of else DATASETS):
        raw = RawFile.at(listed.key.removesuffix(REJECTED))
        if raw is None or not listed.key.endswith(REJECTED):
            continue
        stored = bucket.get(listed.key)
        yield raw, [*rejected_of(stored.body if stored else b"")]


def _name(raw: RawFile) -> str:
    return f"{raw.partition.name}/{raw.path.rpartition('/')[2]}"
