"""Brings a stack to a status that can be deployed: waits, deletes after a question, or refuses."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from uring.aws.errors import translated
from uring_local.deploy.plan import DeployPlan
from uring_local.deploy.stage import template
from uring_local.doctor.finding import Diagnosis, failed, note, ok
from uring_local.stack.describe import StackDescription
from uring_local.stack.states import Move, state_of
from uring_local.template.retained import retained

_NAME: Final = "stack"
_LONGEST: Final = timedelta(hours=1)
_NAMES_FREE: Final = timedelta(seconds=70)
"""SQS refuses the name of a queue within a minute of its deletion; and some seconds for clocks."""


def make_ready(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Yield what was done with the stack; a failure if it cannot be deployed."""
    found = plan.description()
    if found is not None and _move(found) == "wait":
        before = found.status
        found = waited(plan, found)
        if found is not None and _move(found) == "wait":
            yield failed(_NAME, f"{plan.stack} is still {found.status}", "run again when it ended")
            return
        yield ok(_NAME, f"was {before}: waited until {found.status if found else 'it was gone'}")
    if found is None:
        yield from _names(plan)
        yield ok(_NAME, f"there is no stack {plan.stack} yet")
    elif _move(found) == "deploy":
        yield ok(_NAME, f"{plan.stack} is {found.status}")
    elif _move(found) == "delete":
        yield from _deleted(plan, found)
    else:
        remedy = state_of(found.status).remedy.format(stack=plan.stack)
        yield failed(_NAME, f"{plan.stack} is {found.status}", remedy)


def _move(found: StackDescription) -> Move:
    return state_of(found.status).move


def waited(plan: DeployPlan, found: StackDescription) -> StackDescription | None:
    """Return the stack once nothing is under way, or after an hour; None if it is gone."""
    end, now = plan.clock() + _LONGEST, found
    if _move(now) != "wait":
        return now
    with plan.working(f"waiting: {plan.stack} is {found.status}") as tell:
        while _move(now) == "wait" and plan.clock() < end:
            plan.pause(plan.poll_seconds)
            again = plan.description()
            if again is None:
                return None
            now = again
            tell(f"waiting: {plan.stack} is {now.status}")
    return now


def _deleted(plan: DeployPlan, found: StackDescription) -> Iterator[Diagnosis]:
    """Delete a stack after a question, and wait until its names are free."""
    left = _left(plan, found)
    worked = "" if found.status == "DELETE_FAILED" else ": its first deployment failed"
    keeps = f" It leaves {', '.join(left)}." if left else ""
    if not plan.ask(f"{plan.stack} is {found.status}{worked}. Delete the stack?{keeps}"):
        yield failed(_NAME, f"{plan.stack} is {found.status}", "answer yes, or run with --yes")
        return
    client = plan.subject.client("cloudformation")
    with translated(f"cloudformation:DeleteStack {plan.stack}"):
        client.delete_stack(StackName=found.id or plan.stack)
    ended = waited(plan, StackDescription({}, {}, "DELETE_IN_PROGRESS"))
    if ended is not None:
        remedy = state_of(ended.status).remedy.format(stack=plan.stack)
        yield failed(_NAME, f"{plan.stack} is {ended.status}", remedy or "run again")
        return
    yield ok(_NAME, f"{plan.stack} was {found.status}: deleted")
    if left:
        yield note(
            _NAME,
            f"left behind, and not in the new stack: {', '.join(left)}",
            "delete what is empty by hand; CloudFormation's import takes over what has data "
            "(docs/operations.md#keep-it), before this command is run",
        )
    yield from _names(plan)


def _left(plan: DeployPlan, found: StackDescription) -> list[str]:
    """Return the bucket and tables that the stack's deletion leaves, as ``Bucket=name``.

    A first deployment that is rolled back deletes them, if they are empty.
    """
    kept = retained(template())
    with translated(f"cloudformation:ListStackResources {plan.stack}"):
        pages = (
            plan.subject.client("cloudformation")
            .get_paginator("list_stack_resources")
            .paginate(StackName=found.id or plan.stack)
        )
        return [
            f"{each['LogicalResourceId']}={each['PhysicalResourceId']}"
            for page in pages
            for each in page["StackResourceSummaries"]
            if each["LogicalResourceId"] in kept
            and each.get("PhysicalResourceId")
            and each["ResourceStatus"] != "DELETE_COMPLETE"
        ]


def _names(plan: DeployPlan) -> Iterator[Diagnosis]:
    """Wait until the names of a deleted stack's queues are free; only AWS refuses them."""
    if plan.endpoint:
        return
    deleted = _deleted_at(plan.subject.client("cloudformation"), plan.stack)
    if deleted is None:
        return
    left = (deleted + _NAMES_FREE - plan.clock()).total_seconds()
    if left <= 0:
        return
    with plan.working(f"waiting {left:.0f} s: SQS frees the names of deleted queues"):
        plan.pause(left)
    yield ok(_NAME, f"waited {left:.0f} s until SQS had freed the names of deleted queues")


def _deleted_at(client: Any, stack: str) -> datetime | None:
    """Return when a stack of this name was last deleted, by CloudFormation's list of 90 days."""
    with translated("cloudformation:ListStacks"):
        pages = client.get_paginator("list_stacks").paginate(StackStatusFilter=["DELETE_COMPLETE"])
        times: list[datetime] = [
            each["DeletionTime"]
            for page in pages
            for each in page["StackSummaries"]
            if each["StackName"] == stack and "DeletionTime" in each
        ]
    return max(times, default=None)
