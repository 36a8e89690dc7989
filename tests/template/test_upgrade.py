"""A deployed stack is upgraded in place: nothing that holds something is replaced or deleted.

Secrets are not the template's: an operator makes them, and no deployment touches them.
"""

import json
from copy import deepcopy
from typing import Any

import pytest
from expanded import ROOT
from stateful import losses, stateful

RELEASE_BEFORE = ROOT / "tests" / "fixtures" / "stack" / "release_before.json"


@pytest.fixture(scope="module")
def before() -> dict[str, Any]:
    """The resources of the release before this one."""
    found: dict[str, Any] = json.loads(RELEASE_BEFORE.read_text(encoding="utf-8"))
    return found


def test_an_upgrade_takes_nothing_from_an_operator(
    template: dict[str, Any], before: dict[str, Any]
) -> None:
    assert len(before) > 50
    lost = losses(before, stateful(template))
    assert not lost, "\n".join(lost)


@pytest.mark.parametrize(
    ("name", "key", "value", "replaced", "lost"),
    [
        (
            "NoticeQueue",
            "QueueName",
            {"Fn::Sub": "${AWS::StackName}-pages.fifo"},
            "QueueName uring-test-pages.fifo instead of uring-test-notices.fifo",
            "the messages in it",
        ),
        (
            "SeedTable",
            "TableName",
            {"Fn::Sub": "${AWS::StackName}-seeds"},
            "TableName uring-test-seeds instead of None",
            "its items",
        ),
        (
            "Bucket",
            "BucketName",
            {"Fn::Sub": "${AWS::StackName}-data"},
            "BucketName uring-test-data instead of None",
            "its objects: lists, states, published data, documents",
        ),
    ],
)
def test_a_property_that_replaces_a_resource_is_named_with_the_loss(
    template: dict[str, Any],
    before: dict[str, Any],
    name: str,
    key: str,
    value: Any,
    replaced: str,
    lost: str,
) -> None:
    changed = deepcopy(template)
    changed["Resources"][name]["Properties"][key] = value
    (told,) = losses(before, stateful(changed))
    kind = template["Resources"][name]["Type"]
    assert told == f"{name} ({kind}) is replaced by {replaced}; lost: {lost}"


def test_another_logical_id_is_a_deletion(template: dict[str, Any], before: dict[str, Any]) -> None:
    now = stateful(template)
    now["DomainTable"] = now.pop("SeedTable")
    assert losses(before, now) == ["SeedTable (AWS::DynamoDB::Table) is deleted; lost: its items"]


def test_a_family_that_has_less_is_a_deletion(
    template: dict[str, Any], before: dict[str, Any]
) -> None:
    changed = deepcopy(template)
    changed["Resources"]["WeatherDeadLetterQueue"]["Condition"] = "HasRegistries"
    changed["Resources"]["DocumentTable"]["Condition"] = "HasDocuments"
    table, queue = losses(before, stateful(changed))
    assert table.startswith("DocumentTable (AWS::DynamoDB::Table) is deleted from a stack with ")
    assert queue.startswith(
        "WeatherDeadLetterQueue (AWS::SQS::Queue) is deleted from a stack with weather alone; "
    )


def test_data_that_a_stack_no_longer_keeps_is_a_loss(
    template: dict[str, Any], before: dict[str, Any]
) -> None:
    changed = deepcopy(template)
    del changed["Resources"]["Bucket"]["DeletionPolicy"]
    (told,) = losses(before, stateful(changed))
    assert told.startswith(
        "Bucket (AWS::S3::Bucket) has DeletionPolicy None instead of RetainExceptOnCreate"
    )
