"""The functions under a stack that enforces their roles (moto).

moto compares resources for S3 alone and knows the batches of SQS under names of their own, which
AWS does not have: for the other services the roles' actions are enforced, on any resource.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from exercise import GATEWAY_SECRET, REGION, SECRET, Stage, exercise, staged
from expanded import Stack, read_template
from grants import PLATFORM, Use, grants
from moto.core.authorization import enable_iam_authentication

from uring.errors import Misconfigured

TRUST = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}],
    }
)
# By the code, with what each function cannot do without it.
USED = [
    ("NoticeOrchestrator", "s3:GetObject"),
    ("NoticeOrchestrator", "sqs:SendMessage"),
    ("NoticeWorker", "s3:GetObject"),
    ("NoticeWorker", "s3:PutObject"),
    ("NoticeWorker", "sqs:ChangeMessageVisibility"),
    ("NoticeWorker", "sqs:SendMessage"),
    ("WeatherOrchestrator", "sqs:SendMessage"),
    ("WeatherWorker", "s3:DeleteObject"),
    ("WeatherWorker", "s3:GetObject"),
    ("WeatherWorker", "s3:PutObject"),
    ("WeatherWorker", "secretsmanager:GetSecretValue"),
    ("WeatherWorker", "sqs:ChangeMessageVisibility"),
    ("WeatherWorker", "sqs:SendMessage"),
    ("Notifier", "dynamodb:UpdateItem"),
    ("Notifier", "secretsmanager:GetSecretValue"),
    ("Notifier", "sqs:ChangeMessageVisibility"),
    ("Notifier", "sqs:SendMessage"),
]


@pytest.fixture
def stage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with staged() as stage:
        key = _operator()
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", key["AccessKeyId"])
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key["SecretAccessKey"])
        monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
        yield stage


@pytest.fixture(scope="module")
def stack() -> Stack:
    return Stack(read_template(), FcmCredentialsSecret=SECRET, WeatherKeySecret=GATEWAY_SECRET)


def test_with_their_roles_the_functions_do_all_their_work(stage: Stage, stack: Stack) -> None:
    with enable_iam_authentication():
        telemetry = exercise(stage, lambda name: _session(stage, name, grants(stack, name)))
    problems = [each for one in telemetry.values() for each in one.problems]
    assert {fields.get("error") for _, fields in problems} <= {"MalformedMessage", None}
    assert stage.fcm.deliveries


@pytest.mark.parametrize(("function", "action"), USED)
def test_without_an_action_its_function_fails(
    stage: Stage, stack: Stack, function: str, action: str
) -> None:
    def session(name: str) -> boto3.Session:
        allowed = grants(stack, name)
        if name == function:
            allowed = {use for use in allowed if use.action != action}
        return _session(stage, name, allowed)

    with enable_iam_authentication():
        try:
            telemetry = exercise(
                stage, session, ["weather" if function.startswith("Weather") else "notices"]
            )
        except Misconfigured as error:
            refusals = [str(error)]
        else:
            lines = [*telemetry[function].problems, *telemetry[function].events]
            refusals = [f"{fields.get('reason')} {fields.get('detail')}" for _, fields in lines]
    assert any("lacks it" in reason for reason in refusals)


def test_the_list_of_actions_is_that_of_the_template(stack: Stack) -> None:
    allowed = {
        (function, use.action)
        for function in {name for name, _ in USED}
        for use in grants(stack, function)
        if use.action not in PLATFORM
    }
    # moto tells everybody that a key is absent.
    assert allowed - {(name, "s3:ListBucket") for name, _ in allowed} == set(USED)


def _operator() -> dict[str, str]:
    iam = boto3.client("iam", region_name=REGION)
    iam.create_user(UserName="operator")
    everything = {"Effect": "Allow", "Action": "*", "Resource": "*"}
    iam.put_user_policy(
        UserName="operator",
        PolicyName="all",
        PolicyDocument=json.dumps({"Version": "2012-10-17", "Statement": [everything]}),
    )
    key: dict[str, str] = iam.create_access_key(UserName="operator")["AccessKey"]
    return key


def _session(stage: Stage, name: str, allowed: set[Use]) -> boto3.Session:
    """As the function, with a role that allows this."""
    iam = boto3.client("iam", region_name=REGION)
    role = iam.create_role(RoleName=name, AssumeRolePolicyDocument=TRUST)["Role"]
    iam.put_role_policy(
        RoleName=name,
        PolicyName="own",
        PolicyDocument=json.dumps(
            {"Version": "2012-10-17", "Statement": [_statement(stage, use) for use in allowed]}
        ),
    )
    assumed = boto3.client("sts", region_name=REGION).assume_role(
        RoleArn=role["Arn"], RoleSessionName="tests"
    )["Credentials"]
    return boto3.Session(
        assumed["AccessKeyId"],
        assumed["SecretAccessKey"],
        assumed["SessionToken"],
        region_name=REGION,
    )


def _statement(stage: Stage, use: Use) -> dict[str, Any]:
    service = use.action.partition(":")[0]
    resource = "*"
    if service == "s3":
        bucket = stage.resources.physical_ids["Bucket"]
        resource = f"arn:aws:s3:::{bucket}{use.resource.removeprefix('Bucket')}"
    batches = [f"{use.action}Batch"] if service == "sqs" else []
    return {"Effect": "Allow", "Action": [use.action, *batches], "Resource": resource}
