"""Queues and dead letters, for people and for machines."""

import json
from collections.abc import Sequence
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from uring.clock import timestamp
from uring_local.queues.letters import ReceivedLetter
from uring_local.queues.pairs import Pair, Queue
from uring_local.queues.redrive import Redriven
from uring_local.words import counted, printable

# For a body in a table; JSON has all of it.
_MOST_CHARACTERS: Final = 400
_UNITS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


def show_pairs_json(pairs: Sequence[Pair]) -> None:
    """Print one list."""
    _print_json([_queue(each.queue) | {"dead_letters": _queue(each.dead)} for each in pairs])


def show_pairs(pairs: Sequence[Pair]) -> None:
    """Print a table of waiting, in-flight and dead messages, with ages where known."""
    table = Table(box=None, pad_edge=False)
    table.add_column("queue")
    for name in ("waiting", "in flight", "oldest", "dead letters", "oldest"):
        table.add_column(name, justify="right")
    for each in pairs:
        dead = each.dead
        style = "red" if dead and dead.depth else None
        table.add_row(
            each.queue.id,
            f"{each.queue.waiting:,}",
            f"{each.queue.in_flight:,}",
            age(each.queue.oldest_seconds),
            f"{dead.depth:,}" if dead else "none kept",
            age(dead.oldest_seconds if dead else None),
            style=style,
        )
    console = Console(highlight=False)
    if pairs:
        console.print(table)
    total = sum(each.dead.depth for each in pairs if each.dead)
    console.print(counted(total, "dead letter"), markup=False)


def show_letters_json(letters: Sequence[ReceivedLetter]) -> None:
    """Print one list, bodies whole."""
    _print_json([letter_document(letter) for letter in letters])


def show_letters(letters: Sequence[ReceivedLetter]) -> None:
    """Print a block for each letter."""
    console = Console(highlight=False, soft_wrap=True)
    for letter in letters:
        times = counted(letter.receives, "receive")
        console.print(
            f"[bold]{letter.id}[/]  {escape(printable(letter.group))}  "
            f"{timestamp(letter.sent_at)}  {times}"
        )
        if letter.reason:
            console.print(f"  reason: {printable(letter.reason)}", style="red", markup=False)
        body = printable(letter.body)
        cut = f"{body[:_MOST_CHARACTERS]}…" if len(body) > _MOST_CHARACTERS else body
        console.print(f"  {cut}", markup=False)


def show_hidden(seen: int, dead: Queue, limit: int) -> None:
    """Print the number of unseen letters, and why."""
    hidden = dead.depth - seen
    if hidden <= 0:
        return
    why = (
        f"--limit {limit}"
        if seen >= limit
        else "SQS delivers at most ten of a group, and none that another receiver holds"
    )
    Console(highlight=False).print(f"about {hidden:,} more not shown: {why}")


def show_redriven(result: Redriven, dead: Queue, source: Queue) -> None:
    """Print the outcome of a redrive, and the remaining letters."""
    console = Console(highlight=False, soft_wrap=True, markup=False)
    console.print(f"{counted(len(result.sent), 'dead letter')} of {dead.id} sent to {source.id}")
    for letter in result.doubled:
        console.print(
            f"{letter.id}: sent, but not deleted; delete it, or the next redrive sends it again"
        )
    for letter, reason in result.refused:
        console.print(f"{letter.id}: {source.id} refuses it: {printable(reason)}")
    if result.returned:
        noun = counted(result.returned, "letter")
        console.print(f"{noun} failed again meanwhile: the cause remains; read the reason")
    show_missing(result.missing, dead)


def show_missing(missing: Sequence[str], dead: Queue) -> None:
    """Print the ids that were not seen."""
    for id_ in missing:
        print(f"{dead.id}: letter {printable(id_)} was not seen; it is gone, or behind ten others")


def show_redriven_json(result: Redriven, dead: Queue, source: Queue) -> None:
    """Print one object."""
    _print_json(
        {
            "queue": dead.id,
            "source": source.id,
            "sent": [letter.id for letter in result.sent],
            "doubled": [letter.id for letter in result.doubled],
            "refused": {letter.id: reason for letter, reason in result.refused},
            "returned": result.returned,
            "missing": result.missing,
        }
    )


def show_plan_json(
    letters: Sequence[ReceivedLetter], missing: Sequence[str], dead: Queue, source: Queue
) -> None:
    """Print one object: the plan of a redrive."""
    _print_json(
        {
            "queue": dead.id,
            "source": source.id,
            "depth": dead.depth,
            "would_send": [letter_document(letter) for letter in letters],
            "missing": [*missing],
        }
    )


def letter_document(letter: ReceivedLetter) -> dict[str, Any]:
    """Return a letter as a JSON document."""
    return {
        "id": letter.id,
        "group": letter.group,
        "sent_at": timestamp(letter.sent_at),
        "receives": letter.receives,
        "reason": letter.reason or None,
        "body": letter.body,
    }


def age(seconds: int | None) -> str:
    """Return an age in its largest unit: ``3 d``; empty if unknown."""
    if seconds is None:
        return ""
    for size, unit in _UNITS:
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return "0 s"


def _queue(queue: Queue | None) -> dict[str, Any]:
    if queue is None:
        return {}
    return {
        "id": queue.id,
        "name": queue.name,
        "waiting": queue.waiting,
        "in_flight": queue.in_flight,
        "oldest_seconds": queue.oldest_seconds,
    }


def _print_json(document: Any) -> None:
    print(json.dumps(document, ensure_ascii=False))
