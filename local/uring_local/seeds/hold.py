"""`uring seeds pause`, `resume` and `stop`: the state of one partition, which its workers read."""

from typing import Final

from uring.seeds.holds import PAUSE_SECONDS
from uring.seeds.partition import Partition
from uring.seeds.progress import PAUSED, STOPPED, Progress, State
from uring_local.seeds.status import open_progress
from uring_local.words import counted, printable

_USAGE: Final = 2
_MINUTE: Final = 60


def pause(stack: str, name: str) -> bool:
    """Let the messages of a partition wait; return whether it is paused.

    Raises:
        Misconfigured: no such stack, or no permission.
        Unavailable: AWS did not answer; the command may be repeated.
    """
    return _hold(stack, name, "paused", "its messages wait, and use up no try")


def resume(stack: str, name: str) -> bool:
    """Let the messages of a paused partition go on; return whether it runs; errors as `pause`."""
    minutes = PAUSE_SECONDS // _MINUTE
    return _hold(stack, name, "", f"messages that wait go on within {minutes} minutes")


def stop(stack: str, name: str, *, yes: bool) -> bool:
    """Let the messages of a partition end unasked; return whether it is stopped.

    Args:
        stack: the deployed stack's name.
        name: of the partition.
        yes: do it; without it the number of its messages is printed.

    Raises:
        SystemExit: 2, without ``yes``.
        Misconfigured: no such stack, or no permission.
        Unavailable: AWS did not answer; the command may be repeated.
    """
    if not yes:
        found = _find(stack, name)
        if found is None:
            return False
        progress, partition = found
        status = progress.status(partition)
        left = status.missing if status else 0
        print(f"{counted(left, 'sent message')} of {name} would end unasked, and no file be read")
        print("repeat it with --yes")
        raise SystemExit(_USAGE)
    return _hold(stack, name, "stopped", "its messages end within minutes, unasked and counted")


def _hold(stack: str, name: str, state: State, told: str) -> bool:
    found = _find(stack, name)
    if found is None:
        return False
    progress, partition = found
    held = progress.hold(partition, state)
    if held is None or held.held != state:
        print(f"{name} is {held.held if held else 'gone'}: {_again(partition)}")
        return False
    print(f"{name} {f'is {state}' if state else 'runs'}: {told}")
    if state == STOPPED:
        print(_again(partition))
    elif state == PAUSED:
        print("`uring seeds resume` goes on; no orchestration does")
    return True


def _again(partition: Partition) -> str:
    return (
        f"`uring seeds collect --country {partition.country} --category {partition.category} "
        f"--date {partition.date}` goes on where it was"
    )


def _find(stack: str, name: str) -> tuple[Progress, Partition] | None:
    partition = Partition.named(name)
    if partition is None:
        print(f"{printable(name)} is not a partition; write it like sg/news/2026-01-28")
        return None
    progress = open_progress(stack)
    if progress.started(partition) is None:
        print(f"{name} was never collected; `uring seeds status` names the collected ones")
        return None
    return progress, partition
