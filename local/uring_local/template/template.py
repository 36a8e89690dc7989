"""Reads template.yaml: the one place where queues, tables and functions are described.

    template.yaml ─► intrinsics ─► Application ─► resources.create ─► names and environments

The bucket, the queues, the tables and the functions with their triggers are read. What only a
cloud can be (roles, alarms, the distribution, log groups) is left alone.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from uring_local.template.intrinsics import Deferred, Physical, Scope, TemplateInvalid, Text, parse
from uring_local.template.parameters import values_of
from uring_local.template.template_model import (
    Application,
    Bucket,
    Function,
    Queue,
    QueueSource,
    Schedule,
    Table,
)

__all__ = [
    "Application",
    "Bucket",
    "Function",
    "Queue",
    "QueueSource",
    "Schedule",
    "Table",
    "TemplateInvalid",
    "load",
]

_QUEUE_ATTRIBUTES = {
    "ContentBasedDeduplication",
    "DeduplicationScope",
    "DelaySeconds",
    "FifoQueue",
    "FifoThroughputLimit",
    "MaximumMessageSize",
    "MessageRetentionPeriod",
    "ReceiveMessageWaitTimeSeconds",
    "SqsManagedSseEnabled",
    "VisibilityTimeout",
}
_TABLE_DEFINITION = {
    "AttributeDefinitions",
    "BillingMode",
    "GlobalSecondaryIndexes",
    "KeySchema",
    "LocalSecondaryIndexes",
}
# Backup and encryption at rest do not change what a program sees of a table.
_TABLE_CLOUD_ONLY = {"PointInTimeRecoverySpecification", "SSESpecification", "Tags"}


def load(
    path: Path,
    parameters: Mapping[str, str],
    stack_name: str,
    region: str = "us-east-1",
    account: str = "000000000000",
) -> Application:
    """Read a template as it would be deployed with these parameters.

    Args:
        path: the template; code directories are relative to its folder.
        parameters: values for some of its parameters; the others keep their defaults.
        stack_name: begins the name of every resource.
        region: value of ``AWS::Region``.
        account: value of ``AWS::AccountId``.

    Raises:
        TemplateInvalid: the file, a parameter, or something in it that cannot be honoured.
    """
    try:
        document = parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TemplateInvalid(f"{path} cannot be read: {error.strerror}") from error
    names = values_of(document.get("Parameters", {}), parameters) | {
        "AWS::AccountId": account,
        "AWS::Partition": "aws",
        "AWS::Region": region,
        "AWS::StackName": stack_name,
    }
    return _application(document, names, path.parent)


@dataclass(frozen=True)
class _Node:
    """The properties of one resource or event; each is resolved when it is asked for."""

    logical_id: str
    path: str
    properties: Mapping[str, Any]
    scope: Scope
    queues: AbstractSet[str]

    def get(self, key: str, default: Any = None) -> Any:
        return self.scope.resolve(self.properties.get(key, default), f"{self.path}.{key}")

    def text(self, key: str, default: str | None = None) -> str:
        """A value that is known before deployment."""
        value = self.get(key, default)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, (str, int)):
            return str(value)
        raise TemplateInvalid(f"{self.path}.{key}: must be text that is known before deployment")

    def number(self, key: str, default: int | None = None) -> int:
        text = self.text(key, None if default is None else str(default))
        if not text.isdecimal():
            raise TemplateInvalid(f"{self.path}.{key}: must be a whole number")
        return int(text)

    def below(self, key: str) -> "_Node":
        """The mapping under ``key`` as a node of its own; empty if there is none."""
        value = self.properties.get(key, {})
        if not isinstance(value, dict):
            raise TemplateInvalid(f"{self.path}.{key}: must be a mapping")
        return self.part(key, value)

    def part(self, key: str, properties: Mapping[str, Any]) -> "_Node":
        return replace(self, path=f"{self.path}.{key}", properties=properties)

    def only(self, known: AbstractSet[str]) -> None:
        """Refuse what would silently be left out."""
        unknown = sorted(set(self.properties) - known)
        if unknown:
            raise TemplateInvalid(
                f"{self.path}.{unknown[0]}: is not provided without CloudFormation"
            )


def _application(document: Mapping[str, Any], names: Mapping[str, str], root: Path) -> Application:
    conditions = document.get("Conditions", {})
    parameters_only = Scope(names, conditions, frozenset())
    resources = {
        logical_id: resource
        for logical_id, resource in document.get("Resources", {}).items()
        if "Condition" not in resource
        or parameters_only.holds(resource["Condition"], f"Resources.{logical_id}.Condition")
    }
    scope = Scope(names, conditions, resources.keys())
    shared = document.get("Globals", {}).get("Function", {})
    queues = {key for key, value in resources.items() if value.get("Type") == "AWS::SQS::Queue"}

    def nodes(kind: str) -> list[_Node]:
        return [
            _Node(key, f"Resources.{key}.Properties", resource.get("Properties", {}), scope, queues)
            for key, resource in resources.items()
            if resource.get("Type") == kind
        ]

    buckets = nodes("AWS::S3::Bucket")
    if len(buckets) != 1:
        raise TemplateInvalid(f"Resources: exactly one bucket is expected, not {len(buckets)}")
    stack_name = names["AWS::StackName"]
    made_up = f"{stack_name}-{buckets[0].logical_id}-{names['AWS::AccountId']}".lower()
    return Application(
        stack_name=stack_name,
        region=names["AWS::Region"],
        bucket=Bucket(buckets[0].logical_id, buckets[0].text("BucketName", made_up)),
        queues={node.logical_id: _queue(node) for node in nodes("AWS::SQS::Queue")},
        tables={
            node.logical_id: _table(node, stack_name) for node in nodes("AWS::DynamoDB::Table")
        },
        topics={node.logical_id: node.text("TopicName") for node in nodes("AWS::SNS::Topic")},
        functions={
            node.logical_id: _function(
                replace(node, properties=_merged(shared, node.properties)), root
            )
            for node in nodes("AWS::Serverless::Function")
        },
    )


def _queue(node: _Node) -> Queue:
    node.only(_QUEUE_ATTRIBUTES | {"QueueName", "RedrivePolicy", "Tags"})
    redrive = node.below("RedrivePolicy")
    return Queue(
        logical_id=node.logical_id,
        name=node.text("QueueName"),
        attributes={key: node.text(key) for key in node.properties if key in _QUEUE_ATTRIBUTES},
        dead_letter=_queue_id(redrive, "deadLetterTargetArn") if redrive.properties else None,
        max_receive_count=redrive.number("maxReceiveCount") if redrive.properties else None,
    )


def _queue_id(node: _Node, key: str) -> str:
    """The logical id behind ``!GetAtt QUEUE.Arn``."""
    value = node.get(key)
    if isinstance(value, Physical) and value.attribute == "Arn" and value.logical_id in node.queues:
        return value.logical_id
    raise TemplateInvalid(f"{node.path}.{key}: must be !GetAtt QUEUE.Arn of a queue in this file")


def _table(node: _Node, stack_name: str) -> Table:
    node.only(_TABLE_DEFINITION | _TABLE_CLOUD_ONLY | {"TableName", "TimeToLiveSpecification"})
    name = node.text("TableName", f"{stack_name}-{node.logical_id}")
    definition = {key: node.get(key) for key in node.properties if key in _TABLE_DEFINITION}
    ttl = node.get("TimeToLiveSpecification", {})
    return Table(
        logical_id=node.logical_id,
        name=name,
        definition={"TableName": name, **definition},
        ttl_attribute=ttl.get("AttributeName") if ttl.get("Enabled") else None,
    )


def _function(node: _Node, root: Path) -> Function:
    variables = node.below("Environment").below("Variables")
    events = node.below("Events")
    sources: list[QueueSource] = []
    schedules: list[Schedule] = []
    for name, event in events.properties.items():
        trigger = events.part(name, event.get("Properties", {}))
        match event.get("Type"):
            case "SQS":
                sources.append(_queue_source(trigger))
            case "Schedule":
                trigger.only({"Schedule", "State", "RetryPolicy", "Name", "Description"})
                is_enabled = trigger.text("State", "ENABLED") == "ENABLED"
                schedules.append(Schedule(trigger.text("Schedule"), is_enabled))
            case other:
                raise TemplateInvalid(
                    f"{trigger.path}: nothing delivers {other} events without CloudFormation"
                )
    return Function(
        logical_id=node.logical_id,
        handler=node.text("Handler"),
        code_dir=root / node.text("CodeUri"),
        timeout_seconds=node.number("Timeout", 3),
        memory_megabytes=node.number("MemorySize", 128),
        environment={key: _text(variables, key) for key in variables.properties},
        sources=tuple(sources),
        schedules=tuple(schedules),
    )


def _queue_source(node: _Node) -> QueueSource:
    node.only({"Queue", "BatchSize", "FunctionResponseTypes", "ScalingConfig"})
    scaling = node.below("ScalingConfig")
    return QueueSource(
        queue=_queue_id(node, "Queue"),
        batch_size=node.number("BatchSize", 10),
        reports_failures="ReportBatchItemFailures" in node.get("FunctionResponseTypes", []),
        maximum_concurrency=scaling.number("MaximumConcurrency") if scaling.properties else None,
    )


def _text(node: _Node, key: str) -> Text:
    value = node.get(key)
    return value if isinstance(value, (Physical, Deferred)) else node.text(key)


def _merged(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """SAM's Globals: mappings are merged, lists joined, anything else is replaced."""
    result = {**shared, **own}
    for key in shared.keys() & own.keys():
        if isinstance(shared[key], dict) and isinstance(own[key], dict):
            result[key] = _merged(shared[key], own[key])
        elif isinstance(shared[key], list) and isinstance(own[key], list):
            result[key] = [*shared[key], *own[key]]
    return result
