"""The stack of a template without its functions, created by CloudFormation.

    bucket, queues, tables, topics; every value an output ─► CloudFormation ─► the variables

Only a deployment has roles, alarms, the distribution and the like.
"""

import json
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

from botocore.exceptions import ClientError, WaiterError
from botocore.parsers import ResponseParserError

from uring.aws.errors import code
from uring_local.project import StackFailed
from uring_local.stack.describe import describe
from uring_local.stack.stack import address_variable
from uring_local.template.template import Template

# Everything that the functions call: for each type its service, and the look-up of one resource.
_KINDS: Final = {
    "AWS::S3::Bucket": ("s3", "head_bucket", "Bucket"),
    "AWS::SQS::Queue": ("sqs", "get_queue_attributes", "QueueUrl"),
    "AWS::DynamoDB::Table": ("dynamodb", "describe_table", "TableName"),
    "AWS::SNS::Topic": ("sns", "get_topic_attributes", "TopicArn"),
}
_WAIT: Final = {"Delay": 0.2, "MaxAttempts": 300}
_REMEDY: Final = (
    "AWS_ENDPOINT_URL must name a stack that has CloudFormation, S3, SQS, DynamoDB and SNS, as "
    "MiniStack, LocalStack and moto's server have, or nothing: then MiniStack is started"
)


class Session(Protocol):
    """Makes clients like ``boto3.Session``: with its own region, credentials and endpoints."""

    def client(self, service_name: str) -> Any:
        """Return a client of this service."""
        ...


@dataclass(frozen=True)
class Resources:
    """The resources after `create`; both mappings are keyed by the template's logical ids.

    Args:
        physical_ids: a queue's URL, a bucket's or a table's name, a topic's ARN.
        environments: the environment variables of each deployed function.
    """

    physical_ids: Mapping[str, str]
    environments: Mapping[str, Mapping[str, str]]


def create(template: Template, session: Session) -> Resources:
    """Create the resources of a template, or update them; their contents stay.

    Raises:
        StackFailed: CloudFormation refuses or is missing, or it creates them on another stack than
            a service's address names.
    """
    client = session.client("cloudformation")
    name = template.stack_name
    variables = _variables(template)
    request = {
        "StackName": name,
        "TemplateBody": json.dumps(_body(template, variables)),
        "Parameters": [
            {"ParameterKey": key, "ParameterValue": value}
            for key, value in template.parameters.items()
        ],
    }
    with cloudformation(name):
        _put(client, request)
        resources = client.describe_stack_resources(StackName=name)["StackResources"]
        values = describe(client, name).outputs
    for resource in resources:
        _see(session, resource)
    outputs = _outputs(variables)
    environments = {
        function: {
            name: value if isinstance(value, str) else values[outputs[_key(value)]]
            for name, value in own.items()
        }
        for function, own in variables.items()
    }
    return Resources(
        {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in resources}, environments
    )


def _see(session: Session, resource: Mapping[str, Any]) -> None:
    """Look a resource up at its own service: separate addresses may name different stacks."""
    service, operation, key = _KINDS[resource["ResourceType"]]
    client = session.client(service)
    try:
        getattr(client, operation)(**{key: resource["PhysicalResourceId"]})
    except ClientError as error:
        raise StackFailed(
            f"{resource['LogicalResourceId']}: created, but missing at {client.meta.endpoint_url} "
            f"({code(error)}): {address_variable(service)} must name the stack whose "
            f"CloudFormation is used, and no other"
        ) from error


@contextmanager
def cloudformation(stack_name: str) -> Iterator[None]:
    """Raise StackFailed for CloudFormation's errors, and for the response of a stack without it."""
    try:
        yield
    except (ClientError, ResponseParserError) as error:
        if isinstance(error, ClientError) and code(error) == "ValidationError":
            raise StackFailed(f"{stack_name}: {error}") from error
        raise StackFailed(f"{_REMEDY}; this one answers: {error}") from error


def _variables(template: Template) -> dict[str, dict[str, Any]]:
    """Return the variables of every deployed function, with the template's values.

    The name of a function, and of its alias, is its logical id: only this process uses it. A
    variable that may be left out of a deployment is left out: the stack's own address is one.
    """
    functions = template.deployed()
    names = {
        _key({"Ref": reference}): name
        for name in functions
        for reference in (name, f"{name}.Alias")
    }
    chosen = template.conditions.chosen
    return {
        function.logical_id: {
            name: names.get(_key(chosen(value)), chosen(value))
            for name, value in function.environment.items()
            if "AWS::NoValue" not in _key(chosen(value))
        }
        for function in functions.values()
    }


def _outputs(variables: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the output of each value that CloudFormation resolves: it allows two hundred."""
    values = dict.fromkeys(
        _key(value)
        for own in variables.values()
        for value in own.values()
        if not isinstance(value, str)
    )
    return {value: f"Value{number}" for number, value in enumerate(values)}


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _body(
    template: Template, variables: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    document = template.document
    resources = {
        key: resource
        for key, resource in document["Resources"].items()
        if resource["Type"] in _KINDS
    }
    _refuse_uses_of(document["Resources"].keys() - resources.keys(), variables)
    own = {
        key: output
        for key, output in document["Outputs"].items()
        if output["Value"].get("Ref") in resources
    }
    return {
        "Parameters": document["Parameters"],
        "Conditions": document["Conditions"],
        "Resources": resources,
        "Outputs": own
        | {name: {"Value": json.loads(value)} for value, name in _outputs(variables).items()},
    }


def _refuse_uses_of(left_out: AbstractSet[str], variables: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise StackFailed for a variable that needs a resource which is not created.

    Not every CloudFormation refuses an output of a missing resource.
    """
    for function, own in variables.items():
        for name, value in own.items():
            used = left_out & {*re.findall(r"\w+", json.dumps(value))}
            if used and isinstance(value, dict):
                raise StackFailed(
                    f"{function}: {name} is made of {', '.join(used)}, "
                    "which only a deployed stack has"
                )


def _put(client: Any, request: Mapping[str, Any]) -> None:
    """Create the stack or update it, and wait until that is done."""
    done = "stack_create_complete"
    try:
        client.create_stack(**request)
    except client.exceptions.AlreadyExistsException:
        done = "stack_update_complete"
        try:
            client.update_stack(**request)
        except ClientError as error:
            # CloudFormation says this if nothing has changed.
            if "No updates are to be performed" in str(error):
                return
            raise
    name = request["StackName"]
    try:
        client.get_waiter(done).wait(StackName=name, WaiterConfig=_WAIT)
    except WaiterError as error:
        events = client.describe_stack_events(StackName=name)["StackEvents"]
        reasons = [
            f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason')}"
            for event in events
            if event["ResourceStatus"].endswith("_FAILED")
        ]
        raise StackFailed("\n".join([f"{name}: {error}", *reasons])) from error
