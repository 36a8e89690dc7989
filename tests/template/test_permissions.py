"""Least privilege: a role per function, each action on its own resource (X5)."""

from collections.abc import Iterator
from typing import Any

from expanded import Stack

from uring_local.intrinsics import Deferred, Physical

ACCOUNT = "arn:aws:secretsmanager:eu-west-1:123456789012"


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _name(resource: Any) -> str:
    """``Bucket/data/*`` for an ARN that begins with a resource of the template."""
    parts = resource.parts if isinstance(resource, Deferred) else (resource,)
    return "".join(part.logical_id if isinstance(part, Physical) else part for part in parts)


def _statements(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for policy in role["Policies"]:
        yield from policy["PolicyDocument"]["Statement"]


def _grants(role: dict[str, Any]) -> set[tuple[str, str]]:
    return {
        (action, _name(resource))
        for statement in _statements(role)
        for action in _as_list(statement["Action"])
        for resource in _as_list(statement["Resource"])
    }


def _of(stack: Stack, function: str) -> set[tuple[str, str]]:
    role = stack.of_type("AWS::Lambda::Function")[function]["Role"]
    return _grants(stack.properties(role))


def test_every_function_has_a_role_of_its_own(full_stack: Stack) -> None:
    functions = full_stack.of_type("AWS::Lambda::Function")
    roles = [function["Role"].logical_id for function in functions.values()]
    assert len(set(roles)) == len(roles)
    assert set(roles) == full_stack.of_type("AWS::IAM::Role").keys()


def test_roles_have_inline_statements_only(full_stack: Stack) -> None:
    """Managed policies grant on `*`, which is why SAM is not asked to make the roles."""
    for role in full_stack.of_type("AWS::IAM::Role").values():
        assert role.keys() == {"AssumeRolePolicyDocument", "Policies"}
        (trust,) = role["AssumeRolePolicyDocument"]["Statement"]
        assert trust["Principal"] == {"Service": "lambda.amazonaws.com"}
        assert trust["Action"] == "sts:AssumeRole"


def test_no_action_and_no_resource_is_a_wildcard(full_stack: Stack) -> None:
    for role in full_stack.of_type("AWS::IAM::Role").values():
        for statement in _statements(role):
            assert statement.keys() == {"Effect", "Action", "Resource"}
            assert statement["Effect"] == "Allow"
        for action, resource in _grants(role):
            assert "*" not in action
            assert "*" not in resource.removesuffix("/*"), f"{action} on {resource}"


def test_the_orchestrator_reads_the_sitemap_and_sends_jobs(full_stack: Stack) -> None:
    assert _of(full_stack, "Orchestrator") == {
        ("logs:CreateLogStream", "OrchestratorLogGroup"),
        ("logs:PutLogEvents", "OrchestratorLogGroup"),
        ("s3:ListBucket", "Bucket"),
        ("s3:GetObject", "Bucket/config/*"),
        ("sqs:SendMessage", "WorkQueue"),
    }


def test_the_worker_keeps_state_and_publishes_data(full_stack: Stack) -> None:
    assert _of(full_stack, "NoticeWorker") == {
        ("logs:CreateLogStream", "NoticeWorkerLogGroup"),
        ("logs:PutLogEvents", "NoticeWorkerLogGroup"),
        ("sqs:ReceiveMessage", "WorkQueue"),
        ("sqs:DeleteMessage", "WorkQueue"),
        ("sqs:GetQueueAttributes", "WorkQueue"),
        ("s3:ListBucket", "Bucket"),
        ("s3:GetObject", "Bucket/state/notices/*"),
        ("s3:PutObject", "Bucket/state/notices/*"),
        ("s3:GetObject", "Bucket/data/*"),
        ("s3:PutObject", "Bucket/data/*"),
        ("sqs:SendMessage", "NotifyQueue"),
        ("sqs:SendMessage", "WorkDeadLetterQueue"),
    }


NOTIFIER = {
    ("logs:CreateLogStream", "NotifierLogGroup"),
    ("logs:PutLogEvents", "NotifierLogGroup"),
    ("sqs:ReceiveMessage", "NotifyQueue"),
    ("sqs:DeleteMessage", "NotifyQueue"),
    ("sqs:GetQueueAttributes", "NotifyQueue"),
    ("sqs:ChangeMessageVisibility", "NotifyQueue"),
    ("sqs:SendMessage", "NotifyDeadLetterQueue"),
    ("dynamodb:UpdateItem", "LedgerTable"),
}


def test_the_notifier_claims_and_sends(stack: Stack) -> None:
    """Without a secret there is no permission to read one."""
    assert _of(stack, "Notifier") == NOTIFIER


def test_the_notifier_reads_the_one_secret_that_it_is_given(full_stack: Stack) -> None:
    extra = _of(full_stack, "Notifier") - NOTIFIER
    assert extra == {("secretsmanager:GetSecretValue", f"{ACCOUNT}:secret:fcm/account-??????")}


def test_only_the_rule_may_invoke_the_orchestrator(stack: Stack) -> None:
    (permission,) = stack.of_type("AWS::Lambda::Permission").values()
    assert permission["Principal"] == "events.amazonaws.com"
    assert stack.properties(permission["SourceArn"])["Targets"][0]["Arn"] == Physical(
        "Orchestrator", "Arn"
    )
