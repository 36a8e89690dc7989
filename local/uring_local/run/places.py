"""Where a run is: its addresses for the view, its lists and stacks for the page's commands."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from uring_local.nearby import announce
from uring_local.run.run import Stage
from uring_local.run.view import Scene


def places(
    stages: Sequence[Stage],
    names: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    *,
    own: Path | None,
    is_embedded: bool,
) -> dict[str, Any]:
    """Write the lists of a run into its folder; return what the page says, by list of the index.

    Args:
        stages: of the run.
        names: of their stacks.
        folder: of the run, see `uring_local.nearby`.
        environment: of the stacks.
        own: the user's list, which stays where it is; None for bundled sites.
        is_embedded: whether commands find the stacks by their names alone.
    """
    if is_embedded:
        announce(folder, dict.fromkeys(names, environment))
    found = {}
    for stage, name in zip(stages, names, strict=True):
        simulation = stage.simulation
        place = {"stack": name}
        if body := simulation.list_body:
            file = own or folder / Path(simulation.list_key).name
            if own is None:
                file.write_bytes(body)
            place |= {"file": shown(file), "hosts": ",".join(simulation.hosts)}
        found[simulation.listed or simulation.family] = place
    return found


def scene(stages: Sequence[Stage], client: str) -> Scene:
    """Return the fixed part of the view.

    Args:
        stages: of the run.
        client: its address, with the slash at the end.
    """
    simulations = [stage.simulation for stage in stages]
    return Scene(
        [(each.family, *source) for each in simulations for source in each.sources],
        client,
        f"{client}status/",
        [each.family for each in simulations if each.opened is not None],
    )


def shown(file: Path) -> str:
    """Return a path as a word of a shell, as short as a second terminal here can use it."""
    whole = file.resolve()
    here = Path.cwd()
    return quote(os.fspath(whole.relative_to(here) if whole.is_relative_to(here) else whole))
