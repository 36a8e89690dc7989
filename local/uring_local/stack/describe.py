"""A stack as CloudFormation describes it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from botocore.exceptions import ClientError

from uring.aws.errors import code
from uring.errors import Misconfigured


@dataclass(frozen=True, slots=True)
class StackDescription:
    """Parameters and outputs, by their names in the template, and CloudFormation's own status.

    Attributes:
        id: the ARN; another one for a stack that was deleted and made again.
        changed_at: the last update, or the creation, in UTC.
    """

    parameters: Mapping[str, str]
    outputs: Mapping[str, str]
    status: str = ""
    id: str = ""
    changed_at: datetime | None = None


def describe(client: Any, name: str) -> StackDescription:
    """Return the stack of this name, by a client of CloudFormation; its other errors pass through.

    Raises:
        Misconfigured: the stack does not exist.
    """
    with _existing(name):
        (stack,) = client.describe_stacks(StackName=name)["Stacks"]
    return StackDescription(
        {each["ParameterKey"]: each["ParameterValue"] for each in stack.get("Parameters", [])},
        {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])},
        str(stack.get("StackStatus", "")),
        str(stack.get("StackId", "")),
        stack.get("LastUpdatedTime") or stack.get("CreationTime"),
    )


class PhysicalIds(dict[str, str]):
    """A stack's resources: names, URLs and ARNs by logical id.

    Args:
        stack: the stack's name, for the message.
        ids: the resources.
    """

    def __init__(self, stack: str, ids: Mapping[str, str]) -> None:
        super().__init__(ids)
        self._stack = stack

    def __missing__(self, logical_id: str) -> str:
        """Raise Misconfigured: the stack has no such resource."""
        raise Misconfigured(f"stack {self._stack} has no {logical_id}; deploy this release")


def physical_ids(client: Any, name: str, kind: str = "") -> PhysicalIds:
    """Return a stack's resources, all or of one type; raises as `resources` does."""
    found = resources(client, name)
    whole = {key: each for ids in found.values() for key, each in ids.items()}
    return found[kind] if kind else PhysicalIds(name, whole)


def resources(client: Any, name: str) -> Mapping[str, PhysicalIds]:
    """Return a stack's resources by type; there are none of a type that it does not have.

    Raises:
        Misconfigured: the stack does not exist.
    """
    found = defaultdict[str, PhysicalIds](lambda: PhysicalIds(name, {}))
    with _existing(name):
        for page in client.get_paginator("list_stack_resources").paginate(StackName=name):
            for each in page["StackResourceSummaries"]:
                if physical := each.get("PhysicalResourceId"):
                    found[each["ResourceType"]][each["LogicalResourceId"]] = physical
    return found


@contextmanager
def _existing(name: str) -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        if code(error) == "ValidationError":
            raise Misconfigured(
                f"there is no stack {name}; deploy it first, or name another with --stack"
            ) from error
        raise
