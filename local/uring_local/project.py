"""The folders of the project, and the error of the tools that build and start it."""

from pathlib import Path
from typing import Final

from uring.errors import Permanent

ROOT: Final = Path(__file__).resolve().parents[2]
"""The project's directory. The command is installed in place, so it always exists."""

SITEMAP: Final = Path("config/sitemap.json")
"""The notices' sources, in the project and in the bucket."""

REGISTRIES: Final = Path("config/registries.json")
"""The registries of regulations, in the project and in the bucket."""

WATCHES: Final = Path("config/watches.json")
"""The watches of collected domains, in the project and in the bucket."""

WEB: Final = Path("web")
"""The client's sources, in the project; its releases are below it in the bucket."""

BUILD: Final = ROOT / ".build"
"""The output of `sam build`, one directory per architecture. Safe to delete."""

SCRATCH: Final = ROOT / ".uring"
"""Logs and working files of local stacks. Safe to delete while none is running."""


class StackFailed(Permanent):
    """The local stack could not be built, started or deployed.

    The message names the step and the remedy, and ends with the last lines of the tool's output.
    """
