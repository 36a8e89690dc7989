"""Runs a deployment on a terminal, in a pipe or for a machine."""

import sys
from functools import partial
from pathlib import Path

from rich.console import Console

from uring.errors import Misconfigured
from uring_local.deploy.plan import DeployPlan
from uring_local.deploy.show import show, show_json
from uring_local.deploy.stage import read_stage
from uring_local.deploy.steps import deploy
from uring_local.environment import patched_environment
from uring_local.run.steps import steps
from uring_local.stack.stack import external, regional, used_services


def run(
    stack: str | None,
    *,
    region: str | None,
    sitemap: Path | None,
    config_file: Path,
    yes: bool,
    as_json: bool,
) -> bool:
    """Deploy a stage and show the findings; return True if none failed.

    Raises:
        Misconfigured: no such stage, or only some services have an address of their own.
    """
    stage = read_stage(stack, config_file.resolve())
    endpoint = external(used_services(in_process=False))
    where = region or stage.region
    variables = {**(endpoint.environment if endpoint else {}), **(regional(where) if where else {})}
    console = Console(highlight=False, soft_wrap=not sys.stdout.isatty(), quiet=as_json)
    with patched_environment(variables):
        plan = DeployPlan(
            stage,
            partial(ask, yes=yes),
            sitemap,
            endpoint=endpoint.url if endpoint else "",
            working=partial(steps, console),
        )
        console.print(f"{stage.stack}, [{stage.name}] of {stage.file}", markup=False)
        if as_json:
            return show_json(deploy(plan), stage.stack)
        return show(console, deploy(plan), stage.stack)


def ask(question: str, *, yes: bool) -> bool:
    """Ask a person; return True for yes.

    Raises:
        Misconfigured: there is no terminal to ask at.
    """
    if yes:
        return True
    if not sys.stdin.isatty():
        raise Misconfigured(f"{question}; answer at a terminal, or run with --yes")
    return input(f"{question} [y/N] ").strip().lower() in {"y", "yes"}
