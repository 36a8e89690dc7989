"""`uring documents locks`: the locks of a page; see `commands`."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from cyclopts import Parameter, Token

from uring_local.options import Json

_MOST_DIGITS: Final = 16


def _fence(_: Any, tokens: Sequence[Token]) -> int:
    text = tokens[0].value
    # A number that is rounded would be another lock's.
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise ValueError("copy the fence from the list of locks")
    return int(text)


Fence = Annotated[
    int | None,
    Parameter(name="--break", converter=_fence, n_tokens=1, accepts_keys=False, metavar="FENCE"),
]


def locks(page: str, /, *, stack: str, broken: Fence = None, as_json: Json = False) -> bool:
    """Show the locks of a page, and who waits for them; --break removes one.

    A lock of a dead holder ends by itself, two minutes after its last renewal. The holder of a
    broken lock is not stopped: its next write is refused. Exit code 1 if no lock has the fence.

    Args:
        page: its id.
        stack: the deployed stack's name.
        broken: break the lock with this fence, and no other.
        as_json: print one JSON object.
    """
    from uring_local.documents import locks as module

    return module.show_locks(page, stack, broken, as_json=as_json)
