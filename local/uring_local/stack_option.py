"""The stack of a command: ``--stack``, else ``URING_STACK``, else the first of samconfig.toml.

A command that was not given its stack says on stderr which one it took. A command that writes for
good, with ``--yes``, takes ``--stack`` alone: a variable that a shell still has, or the first
stage, may be another stack than the one in mind.
"""

import os
import sys
from pathlib import Path
from typing import Annotated, Final

from cyclopts import Parameter

from uring_local.options import WrongUsage
from uring_local.samconfig import SAMCONFIG, first_stack

VARIABLE: Final = "URING_STACK"

Stack = Annotated[
    str | None,
    Parameter(
        name="--stack",
        help=f"the stack's name; by default that of {VARIABLE}, else of samconfig.toml's first "
        "stage. Required with --yes, where a command has it.",
    ),
]


def chosen_stack(given: str | None, *, is_final: bool, samconfig: Path = SAMCONFIG) -> str:
    """Return the stack of a command, and say on stderr where it is from if it was not given.

    Args:
        given: the option's value; None without it.
        is_final: whether the command writes what cannot be undone.
        samconfig: has the stages.

    Raises:
        WrongUsage: no stack is known, or the command needs it in writing.
        Misconfigured: samconfig.toml is not TOML.
    """
    if given:
        return given
    named, origin = os.environ.get(VARIABLE, ""), VARIABLE
    if not named:
        named, origin = first_stack(samconfig), samconfig.name
    if not named:
        raise WrongUsage(
            f"which stack? Give --stack, set {VARIABLE}, or write stack_name into {samconfig.name}"
        )
    if is_final:
        raise WrongUsage(f"with --yes name the stack: --stack {named} ({origin} has that one)")
    print(f"uring: stack {named}, of {origin}", file=sys.stderr)
    return named
