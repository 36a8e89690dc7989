"""`uring queue` on the embedded stack: queues of CloudFormation, letters that SQS itself moved."""

import json
from typing import Any

import boto3
import pytest
from queue_stack import DEAD, SOURCE, STACK, Queues, template
from uring_command import uring

from uring_local.stack.stack import Endpoint


def document(stack: Endpoint, *arguments: str, exit_code: int) -> Any:
    """What a command prints with --json."""
    run = uring("queue", *arguments, "--stack", STACK, "--json", endpoint=stack)
    assert run.returncode == exit_code, run.stderr
    return json.loads(run.stdout)


def test_letters_that_were_received_too_often_go_back_in_order(
    stack: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in stack.environment.items():
        monkeypatch.setenv(name, value)
    # boto3's own session has the credentials of the test that made it.
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    client = boto3.client("cloudformation")
    client.create_stack(StackName=STACK, TemplateBody=json.dumps(template()))
    client.get_waiter("stack_create_complete").wait(StackName=STACK, WaiterConfig={"Delay": 1})
    found = client.describe_stack_resources(StackName=STACK)["StackResources"]
    queues = Queues({each["LogicalResourceId"]: each["PhysicalResourceId"] for each in found})

    for number in range(12):
        queues.reject(f"a{number:02}", group="a", queue=SOURCE)
    # Once each, then once more, which is too often.
    for _ in range(4):
        queues.sqs.receive_message(
            QueueUrl=queues.urls[SOURCE], MaxNumberOfMessages=10, VisibilityTimeout=0
        )
    assert queues.depths() == [0, 12]
    (dead,) = (
        each["dead_letters"]
        for each in document(stack, "list", exit_code=1)
        if each["id"] == SOURCE
    )
    assert (dead["id"], dead["waiting"]) == (DEAD, 12)

    seen = document(stack, "show", SOURCE, "--limit", "50", exit_code=1)
    assert [each["body"] for each in seen] == [f"a{number:02}" for number in range(10)]
    sent = document(stack, "redrive", SOURCE, "--all", "--yes", exit_code=0)
    assert len(sent["sent"]) == 12
    assert document(stack, "show", SOURCE, exit_code=0) == []
    assert [each["Body"] for each in queues.take()] == [f"a{number:02}" for number in range(12)]

    run = uring("queue", "list", "--stack", "none", endpoint=stack)
    assert "there is no stack none; deploy it first" in run.stderr
