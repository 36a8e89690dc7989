"""What CloudFormation tells of a deployed stack, for the commands that take ``--stack``."""

from collections.abc import Mapping
from dataclasses import dataclass

import boto3
from botocore.exceptions import ClientError

from uring.aws.errors import translated
from uring.errors import Misconfigured


@dataclass(frozen=True, slots=True)
class DeployedStack:
    """Parameters and outputs, by their names in the template."""

    parameters: Mapping[str, str]
    outputs: Mapping[str, str]


def describe(name: str) -> DeployedStack:
    """Return the stack of this name in the account and region of the environment.

    Raises:
        Misconfigured: no such stack, no permission, or no credentials.
    """
    with translated(f"cloudformation:DescribeStacks {name}"):
        try:
            answer = boto3.client("cloudformation").describe_stacks(StackName=name)
        except ClientError as error:
            if "does not exist" in str(error):
                raise Misconfigured(
                    f"there is no stack {name}; deploy it first, or name another with --stack"
                ) from error
            raise
    stack = answer["Stacks"][0]
    return DeployedStack(
        {each["ParameterKey"]: each["ParameterValue"] for each in stack.get("Parameters", [])},
        {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])},
    )


def bucket_of(name: str) -> str:
    """Return the bucket of a deployed stack.

    Raises:
        Misconfigured: no such stack, no permission, or a stack of another application.
    """
    bucket = describe(name).outputs.get("BucketName")
    if bucket is None:
        raise Misconfigured(f"stack {name} has no output BucketName: it is of another application")
    return bucket
