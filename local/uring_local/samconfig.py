"""samconfig.toml, as `sam` reads it: the stages, with the stack and the region of each."""

import tomllib
from pathlib import Path
from typing import Any, Final

from uring.errors import Misconfigured
from uring_local.project import ROOT

SAMCONFIG: Final = ROOT / "samconfig.toml"
"""The stages, with the stack and the region of each."""

_FIRST: Final = "default"
"""The stage that `sam` takes without ``--config-env``."""


def region_of(stack: str, path: Path = SAMCONFIG) -> str | None:
    """Return a stack's region; None without the file, the stack or a region.

    Raises:
        Misconfigured: the file is not TOML.
    """
    for stage in _stages(path).values():
        values = _values(stage)
        if values.get("stack_name") == stack:
            return values.get("region")
    return None


def is_staged(stack: str, path: Path = SAMCONFIG) -> bool:
    """Return whether a stage has this stack.

    Raises:
        Misconfigured: the file is not TOML.
    """
    return any(_values(stage).get("stack_name") == stack for stage in _stages(path).values())


def first_stack(path: Path = SAMCONFIG) -> str:
    """Return the stack of the first stage; empty without the file, the stage or its stack.

    Raises:
        Misconfigured: the file is not TOML.
    """
    return str(_values(_stages(path).get(_FIRST)).get("stack_name", ""))


def _stages(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{path.name}: {error}; correct the file") from error


def _values(stage: Any) -> dict[str, Any]:
    """Return a stage's values for `sam deploy`: its own hide the shared ones."""
    if not isinstance(stage, dict):
        return {}
    found: dict[str, Any] = {}
    for command in ("global", "deploy"):
        found |= stage.get(command, {}).get("parameters", {})
    return found
