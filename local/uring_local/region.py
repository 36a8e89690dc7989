"""The stack and the region of a command on a deployed stack.

`sam deploy` takes the region from samconfig.toml and ignores the shell and the profile. A command
that used another region would find no stack, or another stack of the same name.
"""

import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter as Argument
from inspect import signature
from typing import Annotated, Any, Final, TypeVar

from cyclopts import Parameter

from uring_local.environment import patched_environment
from uring_local.nearby import nearby
from uring_local.samconfig import is_staged, region_of
from uring_local.stack_option import Stack, chosen_stack

R = TypeVar("R")

_VARIABLES: Final = ("AWS_REGION", "AWS_DEFAULT_REGION")
_ADDRESS: Final = "AWS_ENDPOINT_URL"
_REGION: Final = re.compile(r"[a-z]{2,8}(-[a-z]{2,16}){1,3}-\d{1,2}", re.ASCII)


def _judge(_: type, value: str | None) -> None:
    if value is not None and not _REGION.fullmatch(value):
        raise ValueError("write a region such as ap-northeast-2")


OtherRegion = Annotated[str | None, Parameter(validator=_judge)]
"""The region of a further stack."""

Region = Annotated[
    str | None,
    Parameter(
        name="--region",
        validator=_judge,
        help="the stack's region; samconfig.toml has it for its own stacks, the environment for "
        "others.",
    ),
]


def regional(command: Callable[..., R], *, is_named: bool = False) -> Callable[..., R]:
    """Return a command with ``--region``, and with a ``--stack`` that may be left out.

    Without the options they are those of `chosen_stack` and `region_of`. A stack of a run on this
    machine is found by its name. A command without ``--stack`` is returned as it is; a default
    of its own stays.

    Args:
        command: has a keyword ``stack``; with a keyword ``yes`` that is set it writes for good.
        is_named: whether the stack has to be given.
    """
    own = signature(command)
    if "stack" not in own.parameters:
        return command
    is_asked = own.parameters["stack"].default is Argument.empty and not is_named

    @wraps(command)
    def in_region(*arguments: Any, region: str | None = None, **options: Any) -> R:
        if is_asked:
            is_final = bool(options.get("yes"))
            options["stack"] = chosen_stack(options.get("stack"), is_final=is_final)
        with patched_environment(_variables(options.get("stack"), region)):
            return command(*arguments, **options)

    parameters = [
        each.replace(default=None, annotation=Stack) if is_asked and each.name == "stack" else each
        for each in own.parameters.values()
    ]
    parameters.append(Argument("region", Argument.KEYWORD_ONLY, default=None, annotation=Region))
    wrapper: Any = in_region
    wrapper.__signature__ = own.replace(parameters=parameters)
    wrapper.__annotations__ = {
        **command.__annotations__,
        **({"stack": Stack} if is_asked else {}),
        "region": Region,
    }
    return in_region


def _variables(stack: str | None, region: str | None) -> Mapping[str, str]:
    """Return the variables for all SDK clients of a command; empty changes nothing."""
    if stack and region is None and not os.environ.get(_ADDRESS) and not is_staged(stack):
        here = nearby(stack)
        if here is not None:
            print(f"uring: {stack} of the run on this machine, {here[_ADDRESS]}", file=sys.stderr)
            return here
    if region is None and stack:
        region = region_of(stack)
    return dict.fromkeys(_VARIABLES, region) if region else {}
