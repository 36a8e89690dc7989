"""`uring queue` on a stack: finds the queue, acts, and shows the outcome."""

from collections.abc import Sequence
from typing import Any, Final

import boto3
from rich.console import Console

from uring.errors import UringError
from uring_local.queues import show
from uring_local.queues.letters import BATCH, LetterBox, ReceivedLetter
from uring_local.queues.pairs import Queue, pair, pairs
from uring_local.queues.redrive import Redrive
from uring_local.words import counted

# The most letters that a search for ids reads.
_SEARCHED: Final = 10_000


def list_queues(stack: str, *, as_json: bool) -> bool:
    """Print a stack's queues; return True if none has a dead letter."""
    found = pairs(boto3, stack)
    (show.show_pairs_json if as_json else show.show_pairs)(found)
    return not any(each.dead.depth for each in found if each.dead)


def show_letters(name: str, stack: str, limit: int, *, as_json: bool) -> bool:
    """Print dead letters and leave them in the queue; return True if there are none."""
    _, dead, box = _open(name, stack)
    letters = box.peek(limit)
    if as_json:
        show.show_letters_json(letters)
    else:
        show.show_letters(letters)
        show.show_hidden(len(letters), dead, limit)
        if not letters and not dead.depth:
            print(f"{dead.id}: no dead letters")
    return not letters and not dead.depth


def plan_redrive(name: str, stack: str, ids: Sequence[str], *, as_json: bool) -> bool:
    """Print the plan of a redrive of these ids, or of all; return False if an id is missing."""
    source, dead, box = _open(name, stack)
    letters = _found(box, ids)
    missing = sorted({*ids} - {letter.id for letter in letters})
    if as_json:
        show.show_plan_json(letters, missing, dead, source)
        return not missing
    show.show_letters(letters)
    count = len(letters) if ids else dead.depth
    if not ids:
        show.show_hidden(len(letters), dead, BATCH)
    show.show_missing(missing, dead)
    print(
        f"would send {counted(count, 'dead letter')} of {dead.id} to {source.id}"
        f"{'; --yes sends' if count else ''}"
    )
    return not missing


def redrive(name: str, stack: str, ids: Sequence[str], *, as_json: bool) -> bool:
    """Send the letters of these ids, or all, to their source; return False if any failed."""
    source, dead, box = _open(name, stack)
    console = Console(highlight=False, stderr=True)
    with console.status("sending") as status:
        run = Redrive(_sqs(), box, source, lambda count: status.update(f"{count:,} sent"))
        try:
            run.run({*ids} if ids else None)
        except UringError:
            # Some may have been sent all the same.
            print(f"{counted(len(run.result.sent), 'dead letter')} sent before this:")
            raise
    result = run.result
    (show.show_redriven_json if as_json else show.show_redriven)(result, dead, source)
    return result.is_complete


def _found(box: LetterBox, ids: Sequence[str]) -> list[ReceivedLetter]:
    if not ids:
        return box.peek(BATCH)
    return [letter for letter in box.peek(_SEARCHED) if letter.id in ids]


def _open(name: str, stack: str) -> tuple[Queue, Queue, LetterBox]:
    source, dead = pair(pairs(boto3, stack), name)
    return source, dead, LetterBox(_sqs(), dead)


def _sqs() -> Any:
    return boto3.client("sqs")
