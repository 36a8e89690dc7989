"""The locks of a page: who holds and who waits, and the lock that an operator breaks."""

import json
from typing import Any, Final

import boto3
from pydantic import TypeAdapter, ValidationError

from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.documents.names import Page
from uring.errors import ConfigInvalid
from uring.locks import HeldLock, Locks, Waiting
from uring.tables import Table
from uring_local.documents import view
from uring_local.operate.bucket import resources_with
from uring_local.words import printable

_PAGE: Final = TypeAdapter(Page)


def show_locks(page: str, stack: str, fence: int | None, *, as_json: bool) -> bool:
    """Print the locks of a page and the waiters in their order; break one before, by its fence.

    Args:
        page: the page's id.
        stack: the deployed stack's name.
        fence: of the lock to break; None for none.
        as_json: print one JSON object.

    Returns:
        False if no lock has the fence: nothing was changed.

    Raises:
        ConfigInvalid: a malformed name of a page.
        Misconfigured: no such stack, or no permission.
        CorruptState: the page's locks are damaged; the message has the remedy.
        Unavailable: no answer; the lock may be broken.
    """
    locks = Locks(open_table(stack, page))
    broken = None if fence is None else locks.break_lock(page, fence)
    held, waiting = locks.show(page)
    if as_json:
        document: dict[str, Any] = {
            "page": page,
            "locks": [_held(lock) for lock in held],
            "waiting": [_waiting(ticket) for ticket in waiting],
        }
        if fence is not None:
            document["broken"] = None if broken is None else _held(broken)
        print(json.dumps(document, ensure_ascii=False))
        return fence is None or broken is not None
    if broken is not None:
        lock = f"{_lock(broken.path)}, {broken.what or 'no description'}, fence {fence}"
        print(printable(f"broken: {lock}; the next write of its holder will be refused"))
    elif fence is not None:
        print(f"no lock has the fence {fence}; nothing was changed")
    view.show_locks([_held(lock) for lock in held], [_waiting(ticket) for ticket in waiting])
    return fence is None or broken is not None


def open_table(stack: str, page: str) -> Table:
    """Return the table of a stack's documents.

    Raises:
        ConfigInvalid: a malformed name of a page.
        Misconfigured: no such stack, or one without documents.
    """
    try:
        _PAGE.validate_python(page)
    except ValidationError:
        raise ConfigInvalid(
            f"{printable(page)}: not a name of a page: use at most 128 letters, digits, . _ - and "
            "begin with a letter or digit"
        ) from None
    name = resources_with(stack, "documents")["DocumentTable"]
    return DynamoTable(boto3.client("dynamodb"), name, backoff=Backoff())


def _held(lock: HeldLock) -> dict[str, Any]:
    return {
        "lock": _lock(lock.path),
        "what": lock.what,
        "fence": lock.fence,
        "owner": lock.owner,
        "age_seconds": lock.age_seconds,
        "seconds_left": lock.seconds_left,
    }


def _waiting(ticket: Waiting) -> dict[str, Any]:
    return {
        "lock": _lock(ticket.path),
        "owner": ticket.owner,
        "age_seconds": ticket.age_seconds,
        "seconds_left": ticket.seconds_left,
    }


def _lock(path: tuple[str, ...]) -> str:
    return "/".join(path) or "the page"
