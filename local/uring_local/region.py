"""The region of a deployed stack: an option's, else samconfig.toml's, else the environment's.

`sam deploy` takes it from samconfig.toml and ignores the shell and the profile. A command that used
another region would find no stack, or another stack of the same name.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter as Argument
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from cyclopts import Parameter

from uring.errors import Misconfigured
from uring_local.environment import patched_environment
from uring_local.project import ROOT

SAMCONFIG: Final = ROOT / "samconfig.toml"
"""The stages, with the stack and the region of each."""

R = TypeVar("R")

_VARIABLES: Final = ("AWS_REGION", "AWS_DEFAULT_REGION")
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


def regional(command: Callable[..., R]) -> Callable[..., R]:
    """Return a command with the option ``--region``; one without ``--stack`` is returned as it is.

    Without the option the region is that of `region_of`.
    """
    own = signature(command)
    if "stack" not in own.parameters:
        return command

    @wraps(command)
    def in_region(*arguments: Any, region: str | None = None, **options: Any) -> R:
        stack = options.get("stack")
        if region is None and stack:
            region = region_of(stack)
        with _environment(region):
            return command(*arguments, **options)

    option = Argument("region", Argument.KEYWORD_ONLY, default=None, annotation=Region)
    wrapper: Any = in_region
    wrapper.__signature__ = own.replace(parameters=[*own.parameters.values(), option])
    wrapper.__annotations__ = {**command.__annotations__, "region": Region}
    return in_region


def region_of(stack: str, path: Path = SAMCONFIG) -> str | None:
    """Return a stack's region in samconfig.toml; None without the file, the stack or a region.

    Raises:
        Misconfigured: the file is not TOML.
    """
    try:
        stages = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{path.name}: {error}; correct the file") from error
    for stage in stages.values():
        values = _values(stage, "global") | _values(stage, "deploy")
        if values.get("stack_name") == stack:
            return values.get("region")
    return None


def _values(stage: Any, command: str) -> dict[str, Any]:
    of_command = stage.get(command, {}) if isinstance(stage, dict) else {}
    found: dict[str, Any] = of_command.get("parameters", {})
    return found


@contextmanager
def _environment(region: str | None) -> Iterator[None]:
    """Set the region for all SDK clients that are made in a block; None changes nothing."""
    if region is None:
        yield
        return
    with patched_environment(dict.fromkeys(_VARIABLES, region)):
        yield
