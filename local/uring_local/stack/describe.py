"""What CloudFormation tells of a stack."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from uring.aws.errors import code
from uring.errors import Misconfigured


@dataclass(frozen=True, slots=True)
class StackDescription:
    """Parameters and outputs, by their names in the template."""

    parameters: Mapping[str, str]
    outputs: Mapping[str, str]


def describe(client: Any, name: str) -> StackDescription:
    """Return the stack of this name, by a client of CloudFormation, whose other errors stay.

    Raises:
        Misconfigured: there is no such stack.
    """
    try:
        (stack,) = client.describe_stacks(StackName=name)["Stacks"]
    except ClientError as error:
        if code(error) == "ValidationError":
            raise Misconfigured(
                f"there is no stack {name}; deploy it first, or name another with --stack"
            ) from error
        raise
    return StackDescription(
        {each["ParameterKey"]: each["ParameterValue"] for each in stack.get("Parameters", [])},
        {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])},
    )
