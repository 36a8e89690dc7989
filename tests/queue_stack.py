"""Queues of a stack, and letters in them, as the application leaves them there."""

import json
from collections import Counter
from typing import Any

import boto3

STACK = "uring-dev"
SOURCE, DEAD = "NotifyQueue", "NotifyDeadLetterQueue"


def template() -> dict[str, Any]:
    """Two queues with dead-letter queues, one without, and what is no queue."""
    resources: dict[str, Any] = {"Bucket": {"Type": "AWS::S3::Bucket"}}
    for name, target in {SOURCE: DEAD, "SeedQueue": "SeedDeadLetterQueue", "Other": None}.items():
        policy = {
            "RedrivePolicy": {
                "deadLetterTargetArn": {"Fn::GetAtt": [target, "Arn"]},
                "maxReceiveCount": 1,
            }
        }
        resources[name] = fifo(f"{STACK}-{name}.fifo", policy if target else {})
        if target:
            resources[target] = fifo(f"{STACK}-{target}.fifo", {})
    return {"Resources": resources}


def fifo(name: str, properties: dict[str, Any]) -> dict[str, Any]:
    """A FIFO queue of a template."""
    return {
        "Type": "AWS::SQS::Queue",
        "Properties": {"QueueName": name, "FifoQueue": True, **properties},
    }


def create() -> dict[str, str]:
    """Create the queues without CloudFormation; their addresses by logical id."""
    client: Any = boto3.client("sqs")
    arns: dict[str, str] = {}
    urls: dict[str, str] = {}
    resources = template()["Resources"]
    # Dead-letter queues first: the others name them.
    for name in sorted(set(resources) - {"Bucket"}, key=lambda each: "DeadLetter" not in each):
        properties = resources[name]["Properties"]
        attributes = {"FifoQueue": "true"}
        if policy := properties.get("RedrivePolicy"):
            target = policy["deadLetterTargetArn"]["Fn::GetAtt"][0]
            attributes["RedrivePolicy"] = json.dumps(policy | {"deadLetterTargetArn": arns[target]})
        made = client.create_queue(QueueName=properties["QueueName"], Attributes=attributes)
        urls[name] = made["QueueUrl"]
        answer = client.get_queue_attributes(QueueUrl=urls[name], AttributeNames=["QueueArn"])
        arns[name] = answer["Attributes"]["QueueArn"]
    return urls


class Queues:
    """The queues of the stack, by logical id."""

    def __init__(self, urls: dict[str, str]) -> None:
        self.sqs: Any = boto3.client("sqs")
        self.urls = urls
        self._sent: Counter[str] = Counter()

    def reject(self, body: str, group: str = "a", reason: str = "", queue: str = DEAD) -> str:
        """Send a letter as a worker does, with its reason if it has one; its id."""
        self._sent[body] += 1
        given = {"reason": {"DataType": "String", "StringValue": reason}} if reason else {}
        sent = self.sqs.send_message(
            QueueUrl=self.urls[queue],
            MessageBody=body,
            MessageGroupId=group,
            MessageDeduplicationId=f"{body}-{self._sent[body]}",
            MessageAttributes=given,
        )
        return str(sent["MessageId"])

    def depths(self, *names: str) -> list[int]:
        """How many messages are to be received."""
        return [self._depth(self.urls[name], "") for name in names or (SOURCE, DEAD)]

    def in_flight(self, name: str) -> int:
        """How many messages somebody has received."""
        return self._depth(self.urls[name], "NotVisible")

    def take(self, name: str = SOURCE) -> list[dict[str, Any]]:
        """Receive and delete all messages."""
        taken: list[dict[str, Any]] = []
        while True:
            answer = self.sqs.receive_message(
                QueueUrl=self.urls[name],
                MaxNumberOfMessages=10,
                AttributeNames=["All"],
                MessageAttributeNames=["All"],
            )
            messages = answer.get("Messages", [])
            if not messages:
                return taken
            for message in messages:
                taken.append(message)
                handle = message["ReceiptHandle"]
                self.sqs.delete_message(QueueUrl=self.urls[name], ReceiptHandle=handle)

    def _depth(self, url: str, kind: str) -> int:
        name = f"ApproximateNumberOfMessages{kind}"
        answer = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=[name])
        return int(answer["Attributes"][name])
