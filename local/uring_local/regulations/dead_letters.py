"""`uring regulations dead-letters`: files that could not be read, and another try (R5)."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import boto3
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from uring.aws.errors import translated
from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.clock import system_clock, timestamp
from uring.regulations.registration import ENTRIES, WHAT
from uring.regulations.source import Registry
from uring.regulations.table import RegistryTable
from uring.regulations.values import QueueEntry
from uring.sources.plan import read_entries
from uring_local.operate.bucket import deployed_with, open_bucket, resources_with
from uring_local.template.template import ALIAS
from uring_local.words import counted, printable


def list_letters(stack: str, registry: str | None, *, as_json: bool) -> bool:
    """Print the dead letters of a registry, None for all; return True if there are none."""
    letters = _letters(stack, registry)
    if as_json:
        print(
            json.dumps(
                [{"registry": owner, **letter.item()} for owner, letter in letters],
                ensure_ascii=False,
            )
        )
        return not letters
    table = Table(box=None, pad_edge=False)
    for name in ("registry", "title", "fileNo", "tries", "since", "reason"):
        table.add_column(name, overflow="fold")
    for owner, letter in letters:
        table.add_row(
            owner,
            escape(printable(letter.title)),
            letter.file_no,
            str(letter.retry_count),
            letter.created_at,
            escape(printable(letter.error_message or "")),
        )
    console = Console(highlight=False)
    if letters:
        console.print(table)
    console.print(counted(len(letters), "dead letter"), markup=False)
    return not letters


def retry_letters(
    stack: str,
    registry: str,
    title: str | None,
    *,
    run_now: bool,
    clock: Callable[[], datetime] = system_clock,
) -> bool:
    """Queue dead letters of a registry again; return whether all of them are queued.

    Returns False if the registry has no such dead letter, or a newer entry waits in its place.

    Args:
        stack: the deployed stack's name.
        registry: its id.
        title: of the regulation; None for all dead letters of the registry.
        run_now: start a run, which reads the queued files; else the next day's run does.
        clock: returns the time that names the run.
    """
    table = _table(stack)
    letters = [letter for letter in table.dead_letters(registry) if title in (None, letter.title)]
    if not letters:
        print(f"{registry} has no dead letter{f' {title!r}' if title else ''}")
        return False
    queued = [letter.title for letter in letters if table.retry(registry, letter)]
    print(f"{registry}: {counted(len(queued), 'file')} queued again")
    for letter in letters:
        if letter.title not in queued:
            print(f"  {letter.title}: a newer revision already waits")
    if run_now:
        _run(stack, clock())
        print("a run of all registries is under way and reads the queued files")
    else:
        print("the next run reads the queued files; --now starts one")
    return len(queued) == len(letters)


def _letters(stack: str, registry: str | None) -> list[tuple[str, QueueEntry]]:
    table = _table(stack)
    owners = [registry] if registry else _registries(stack)
    return [(owner, letter) for owner in owners for letter in table.dead_letters(owner)]


def _registries(stack: str) -> list[str]:
    key = deployed_with(stack, "regulations").parameters["RegistriesKey"]
    entries = read_entries(
        open_bucket(stack), key, model=Registry, key=ENTRIES, what=WHAT, taken={}
    )
    return [source.id for source in entries.sources]


def _table(stack: str) -> RegistryTable:
    name = resources_with(stack, "regulations")["RegistryTable"]
    client: Any = boto3.client("dynamodb")
    return RegistryTable(DynamoTable(client, name, backoff=Backoff()))


def _run(stack: str, now: datetime) -> None:
    function = resources_with(stack, "regulations")["RegulationOrchestrator"]
    with translated(f"lambda:Invoke {function}"):
        boto3.client("lambda").invoke(
            FunctionName=function,
            Qualifier=ALIAS,
            InvocationType="Event",
            Payload=json.dumps({"time": timestamp(now)}).encode(),
        )
