"""Creates an application's bucket, queues, tables and topics, without CloudFormation.

Only what a program can see of them: encryption, versioning, life cycles, policies, alarms and the
distribution are CloudFormation's part. What exists is used again, with its messages and objects.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from uring.aws.errors import translated
from uring.errors import Misconfigured
from uring_local.template.intrinsics import Physical, fill
from uring_local.template.template_model import Application, Bucket, Queue, Table


class Session(Protocol):
    """Makes clients, as ``boto3.Session`` does: region, credentials and endpoints are its own."""

    def client(self, service_name: str) -> Any:
        """A client of this service."""
        ...


@dataclass(frozen=True)
class Resources:
    """What exists after `create`; mappings are keyed by the template's logical ids.

    Args:
        environments: of each function, as its code reads them.
    """

    bucket_name: str
    queue_urls: Mapping[str, str]
    table_names: Mapping[str, str]
    topic_arns: Mapping[str, str]
    environments: Mapping[str, Mapping[str, str]]


def create(application: Application, session: Session) -> Resources:
    """Create what does not exist yet; a second call changes nothing.

    Raises:
        Misconfigured: a name is taken by something that cannot serve, or access is denied.
        Unavailable: the stack does not answer.
        TemplateInvalid: a function's environment needs what is not created here.
    """
    physical: dict[Physical, str] = {}
    _create_bucket(application.bucket, application.region, session.client("s3"), physical)
    sqs = session.client("sqs")
    for queue in _dead_letters_first(application.queues):
        _create_queue(queue, sqs, physical)
    dynamodb = session.client("dynamodb")
    for table in application.tables.values():
        _create_table(table, dynamodb, physical)
    sns = session.client("sns")
    for logical_id, name in application.topics.items():
        with translated(f"sns:CreateTopic {name}"):
            physical[Physical(logical_id, "Ref")] = sns.create_topic(Name=name)["TopicArn"]
    return Resources(
        bucket_name=application.bucket.name,
        queue_urls={key: physical[Physical(key, "Ref")] for key in application.queues},
        table_names={key: table.name for key, table in application.tables.items()},
        topic_arns={key: physical[Physical(key, "Ref")] for key in application.topics},
        environments={
            key: {
                name: fill(text, physical, f"Resources.{key}: variable {name}")
                for name, text in function.environment.items()
            }
            for key, function in application.functions.items()
        },
    )


def _create_bucket(bucket: Bucket, region: str, s3: Any, physical: dict[Physical, str]) -> None:
    # us-east-1 is the region that S3 does not take by its name.
    place = {} if region == "us-east-1" else {"LocationConstraint": region}
    options = {"CreateBucketConfiguration": place} if place else {}
    with translated(f"s3:CreateBucket {bucket.name}"):
        try:
            s3.create_bucket(Bucket=bucket.name, **options)
        except s3.exceptions.BucketAlreadyOwnedByYou:
            pass
        except s3.exceptions.BucketAlreadyExists as error:
            raise Misconfigured(
                f"{bucket.name}: another account owns a bucket of this name; "
                "choose another stack name"
            ) from error
    physical[Physical(bucket.logical_id, "Ref")] = bucket.name
    physical[Physical(bucket.logical_id, "Arn")] = f"arn:aws:s3:::{bucket.name}"


def _dead_letters_first(queues: Mapping[str, Queue]) -> list[Queue]:
    """A queue's redrive policy needs the ARN of its dead-letter queue, so that comes first."""
    return sorted(queues.values(), key=lambda queue: queue.dead_letter is not None)


def _create_queue(queue: Queue, sqs: Any, physical: dict[Physical, str]) -> None:
    attributes = dict(queue.attributes)
    if queue.dead_letter is not None:
        attributes["RedrivePolicy"] = json.dumps(
            {
                "deadLetterTargetArn": physical[Physical(queue.dead_letter, "Arn")],
                "maxReceiveCount": queue.max_receive_count,
            }
        )
    with translated(f"sqs:CreateQueue {queue.name}"):
        try:
            url = sqs.get_queue_url(QueueName=queue.name)["QueueUrl"]
        except sqs.exceptions.QueueDoesNotExist:
            url = sqs.create_queue(QueueName=queue.name, Attributes=attributes)["QueueUrl"]
        else:
            # An existing queue takes over what the template says now; its kind it cannot change.
            attributes.pop("FifoQueue", None)
            sqs.set_queue_attributes(QueueUrl=url, Attributes=attributes)
        arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
    physical[Physical(queue.logical_id, "Ref")] = url
    physical[Physical(queue.logical_id, "QueueUrl")] = url
    physical[Physical(queue.logical_id, "QueueName")] = queue.name
    physical[Physical(queue.logical_id, "Arn")] = arn["Attributes"]["QueueArn"]


def _create_table(table: Table, dynamodb: Any, physical: dict[Physical, str]) -> None:
    with translated(f"dynamodb:CreateTable {table.name}"):
        with suppress(dynamodb.exceptions.ResourceInUseException):
            dynamodb.create_table(**table.definition)
        dynamodb.get_waiter("table_exists").wait(
            TableName=table.name, WaiterConfig={"Delay": 1, "MaxAttempts": 60}
        )
        found = dynamodb.describe_table(TableName=table.name)["Table"]
    if found["KeySchema"] != table.definition["KeySchema"]:
        raise Misconfigured(
            f"{table.name}: a table of this name exists with another key; "
            "delete it, or choose another stack name"
        )
    with translated(f"dynamodb:UpdateTimeToLive {table.name}"):
        _set_time_to_live(table, dynamodb)
    physical[Physical(table.logical_id, "Ref")] = table.name
    physical[Physical(table.logical_id, "Arn")] = found["TableArn"]


def _set_time_to_live(table: Table, dynamodb: Any) -> None:
    if table.ttl_attribute is None:
        return
    current = dynamodb.describe_time_to_live(TableName=table.name)["TimeToLiveDescription"]
    # DynamoDB refuses to enable what is enabled.
    if current.get("TimeToLiveStatus") in {"ENABLED", "ENABLING"}:
        return
    dynamodb.update_time_to_live(
        TableName=table.name,
        TimeToLiveSpecification={"Enabled": True, "AttributeName": table.ttl_attribute},
    )
