"""The switch that the budget pulls: what it stops, and what it leaves."""

from fnmatch import fnmatchcase
from typing import Any, Final

import pytest
from expanded import Stack, logical_id
from grants import Use, grants

from uring_local.template.families import FAMILIES, switching_on

GIVEN: Final = {
    "BudgetDollars": "20",
    "AlarmEmail": "ops@uring.example",
    "BudgetStops": "true",
    "Operations": "true",
}
PAID: Final = {
    "bedrock:InvokeModel",
    "comprehend:DetectDominantLanguage",
    "translate:TranslateText",
}


@pytest.fixture(scope="module")
def stopping(template: dict[str, Any]) -> Stack:
    return Stack(template, **{**switching_on(FAMILIES), **GIVEN})


def stopped_roles(stack: Stack) -> set[str]:
    (action,) = stack.of_type("AWS::Budgets::BudgetsAction").values()
    return {logical_id(role) for role in action["Definition"]["IamActionDefinition"]["Roles"]}


def denied(stack: Stack, use: Use) -> bool:
    """Whether the policy denies a use; its statements name resources, or all but some."""
    queues = {
        f"${{{name}.Arn}}": queue["QueueName"]
        for name, queue in stack.of_type("AWS::SQS::Queue").items()
    }
    own = queues.get(f"${{{use.resource}.Arn}}", use.resource)
    (policy,) = stack.of_type("AWS::IAM::ManagedPolicy").values()
    for statement in policy["PolicyDocument"]["Statement"]:
        assert statement["Effect"] == "Deny"
        if use.action not in statement["Action"]:
            continue
        spared = [
            queues.get(each, each.rpartition(":")[2]) for each in statement.get("NotResource", ())
        ]
        if not any(fnmatchcase(own, each) for each in spared):
            return True
    return False


def test_no_work_is_sent_received_or_paid_for(stopping: Stack) -> None:
    functions = stopping.of_type("AWS::Lambda::Function")
    left = set()
    for name, function in functions.items():
        pulled = logical_id(function["Role"]) in stopped_roles(stopping)
        for use in grants(stopping, name):
            works = use.action in PAID | {"sqs:SendMessage", "sqs:ReceiveMessage"}
            if works and not (pulled and denied(stopping, use)):
                left.add((use.action, use.resource))
    queues = stopping.of_type("AWS::SQS::Queue")
    # What is known already is pushed, and what fails is kept.
    assert left == {("sqs:ReceiveMessage", "NotifyQueue"), ("sqs:SendMessage", "NotifyQueue")} | {
        ("sqs:SendMessage", name) for name in queues if name.endswith("DeadLetterQueue")
    }


def test_readers_the_monitor_and_the_notifier_go_on(stopping: Stack) -> None:
    roles = {
        name
        for name, role in stopping.of_type("AWS::IAM::Role").items()
        if role["AssumeRolePolicyDocument"]["Statement"][0]["Principal"]["Service"]
        == "lambda.amazonaws.com"
    }
    assert roles - stopped_roles(stopping) == {
        "MonitorRole",
        "NotifierRole",
        "SubscriptionApiRole",
        "TextExtractorRole",
    }


def test_it_touches_no_data(stopping: Stack) -> None:
    (policy,) = stopping.of_type("AWS::IAM::ManagedPolicy").values()
    actions = {
        action
        for statement in policy["PolicyDocument"]["Statement"]
        for action in statement["Action"]
    }
    assert actions == PAID | {"sqs:SendMessage", "sqs:ReceiveMessage"}


def test_the_whole_budget_pulls_it_by_itself_and_may_do_nothing_else(stopping: Stack) -> None:
    (action,) = stopping.of_type("AWS::Budgets::BudgetsAction").values()
    assert action["ActionThreshold"] == {"Type": "PERCENTAGE", "Value": 100}
    assert (action["NotificationType"], action["ApprovalModel"]) == ("ACTUAL", "AUTOMATIC")
    assert action["Subscribers"] == [{"Type": "EMAIL", "Address": "ops@uring.example"}]
    role = stopping.properties(action["ExecutionRoleArn"])
    (statement,) = role["Policies"][0]["PolicyDocument"]["Statement"]
    assert statement["Action"] == ["iam:AttachRolePolicy", "iam:DetachRolePolicy"]
    assert {logical_id(each) for each in statement["Resource"]} == stopped_roles(stopping)
    assert statement["Condition"] == {"ArnEquals": {"iam:PolicyARN": "${StopPolicy}"}}


def test_it_is_there_only_where_it_is_asked_for(template: dict[str, Any]) -> None:
    for without in ({"BudgetStops": "false"}, {"Operations": "false"}):
        stack = Stack(template, **{**GIVEN, **without})
        assert not {"StopPolicy", "StopRole", "BudgetStop"} & stack.resources.keys()
    alone = Stack(template, **GIVEN)
    assert stopped_roles(alone) == {"NoticeOrchestratorRole", "NoticeWorkerRole"}
