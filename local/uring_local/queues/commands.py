"""`uring queue`: for the person whom a dead-letter alarm called.

boto3 and rich are imported where they are needed: the other commands, and `--help`, work without
them.
"""

from collections.abc import Sequence
from typing import Annotated, Final

from cyclopts import ArgumentCollection, Group, Parameter
from cyclopts.validators import Number

from uring_local.options import Json


def _either(choices: ArgumentCollection) -> None:
    if len([choice for choice in choices if choice.has_tokens]) != 1:
        raise ValueError("write either --id, for one letter or several, or --all")


_WHICH: Final = Group("Which letters", validator=_either)


def list_queues(*, stack: str, as_json: Json = False) -> bool:
    """List a stack's queues: the waiting messages of each, and its dead letters.

    Exit code 1 if there are dead letters.

    Args:
        stack: the deployed stack's name.
        as_json: print one JSON list.
    """
    from uring_local.queues import operate

    return operate.list_queues(stack, as_json=as_json)


def show_letters(
    queue: str,
    /,
    *,
    stack: str,
    limit: Annotated[int, Parameter(validator=Number(gte=1))] = 10,
    as_json: Json = False,
) -> bool:
    """Show the dead letters of a queue, and leave them there.

    Exit code 1 if there are any. A look counts as a receive.

    Args:
        queue: the queue or its dead-letter queue, such as NotifyQueue.
        stack: the deployed stack's name.
        limit: show at most this number.
        as_json: print one JSON list, bodies whole.
    """
    from uring_local.queues import operate

    return operate.show_letters(queue, stack, limit, as_json=as_json)


def redrive_letters(
    queue: str,
    /,
    *,
    stack: str,
    ids: Annotated[Sequence[str], Parameter(name="--id", group=_WHICH)] = (),
    every: Annotated[bool, Parameter(name="--all", group=_WHICH)] = False,  # noqa: ARG001
    yes: bool = False,
    as_json: Json = False,
) -> bool:
    """Send dead letters back to their source queue, in the order of their groups.

    Without --yes nothing is sent. Exit code 1 if a letter was not found, was refused, could not be
    deleted or died again.

    Args:
        queue: the queue or its dead-letter queue, such as NotifyQueue.
        stack: the deployed stack's name.
        ids: send the letters with these ids, as `uring queue show` prints them.
        every: send all.
        yes: send them.
        as_json: print one JSON object.
    """
    from uring_local.queues import operate

    act = operate.redrive if yes else operate.plan_redrive
    return act(queue, stack, ids, as_json=as_json)
