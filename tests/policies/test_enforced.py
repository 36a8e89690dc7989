"""The functions under a stack that enforces their roles (moto).

moto compares resources for S3 alone and knows the batches of SQS under names of their own, which
AWS does not have: for the other services the roles' actions are enforced, on any resource. A
transaction of DynamoDB has an action of its own there, where AWS asks for those of its parts: they
are enforced here, as are the invocation of a function and the calls of Translate and Bedrock, which
moto never sees.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from exercise import (
    DEVICE,
    LANGUAGE,
    PARAMETERS,
    REGION,
    Stage,
    asked_of,
    exercise,
    exercised_with,
    staged,
    transacted,
)
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
    ("NoticeOrchestrator", "lambda:InvokeFunction"),
    ("NoticeOrchestrator", "s3:GetObject"),
    ("NoticeOrchestrator", "sqs:SendMessage"),
    ("NoticeWorker", "s3:GetObject"),
    ("NoticeWorker", "s3:GetObjectVersion"),
    ("NoticeWorker", "s3:ListBucketVersions"),
    ("NoticeWorker", "s3:PutObject"),
    ("NoticeWorker", "sqs:ChangeMessageVisibility"),
    ("NoticeWorker", "sqs:SendMessage"),
    ("WeatherOrchestrator", "sqs:SendMessage"),
    ("WeatherWorker", "s3:DeleteObject"),
    ("WeatherWorker", "s3:GetObject"),
    ("WeatherWorker", "s3:GetObjectVersion"),
    ("WeatherWorker", "s3:ListBucketVersions"),
    ("WeatherWorker", "s3:PutObject"),
    ("WeatherWorker", "secretsmanager:GetSecretValue"),
    ("WeatherWorker", "sqs:ChangeMessageVisibility"),
    ("WeatherWorker", "sqs:SendMessage"),
    ("RegulationOrchestrator", "s3:GetObject"),
    ("RegulationOrchestrator", "sqs:SendMessage"),
    ("RegulationWorker", "dynamodb:ConditionCheckItem"),
    ("RegulationWorker", "dynamodb:DeleteItem"),
    ("RegulationWorker", "dynamodb:GetItem"),
    ("RegulationWorker", "dynamodb:PutItem"),
    ("RegulationWorker", "dynamodb:Query"),
    ("RegulationWorker", "s3:GetObject"),
    ("RegulationWorker", "s3:GetObjectVersion"),
    ("RegulationWorker", "s3:ListBucketVersions"),
    ("RegulationWorker", "s3:PutObject"),
    ("RegulationWorker", "sqs:ChangeMessageVisibility"),
    ("RegulationWorker", "sqs:SendMessage"),
    ("RegulationParser", "dynamodb:DeleteItem"),
    ("RegulationParser", "dynamodb:GetItem"),
    ("RegulationParser", "dynamodb:PutItem"),
    ("RegulationParser", "lambda:InvokeFunction"),
    ("RegulationParser", "s3:GetObject"),
    ("RegulationParser", "s3:GetObjectVersion"),
    ("RegulationParser", "s3:ListBucketVersions"),
    ("RegulationParser", "s3:PutObject"),
    ("RegulationParser", "sqs:ChangeMessageVisibility"),
    ("RegulationParser", "sqs:SendMessage"),
    ("TextExtractor", "s3:GetObject"),
    ("TextExtractor", "s3:PutObject"),
    ("SeedOrchestrator", "dynamodb:GetItem"),
    ("SeedOrchestrator", "dynamodb:PutItem"),
    ("SeedOrchestrator", "dynamodb:Query"),
    ("SeedOrchestrator", "lambda:InvokeFunction"),
    ("SeedOrchestrator", "s3:GetObject"),
    ("SeedOrchestrator", "s3:PutObject"),
    ("SeedOrchestrator", "sqs:SendMessage"),
    ("SeedFileWorker", "dynamodb:GetItem"),
    ("SeedFileWorker", "dynamodb:PutItem"),
    ("SeedFileWorker", "dynamodb:UpdateItem"),
    ("SeedFileWorker", "s3:GetObject"),
    ("SeedFileWorker", "s3:PutObject"),
    ("SeedFileWorker", "sqs:ChangeMessageVisibility"),
    ("SeedFileWorker", "sqs:SendMessage"),
    ("DomainWorker", "dynamodb:GetItem"),
    ("DomainWorker", "dynamodb:PutItem"),
    ("DomainWorker", "dynamodb:UpdateItem"),
    ("DomainWorker", "s3:GetObject"),
    ("DomainWorker", "s3:PutObject"),
    ("DomainWorker", "sqs:ChangeMessageVisibility"),
    ("DomainWorker", "sqs:SendMessage"),
    ("SeedWatchOrchestrator", "s3:GetObject"),
    ("SeedWatchOrchestrator", "sqs:SendMessage"),
    ("SeedWatchWorker", "s3:GetObject"),
    ("SeedWatchWorker", "s3:GetObjectVersion"),
    ("SeedWatchWorker", "s3:ListBucketVersions"),
    ("SeedWatchWorker", "s3:PutObject"),
    ("SeedWatchWorker", "sqs:ChangeMessageVisibility"),
    ("SeedWatchWorker", "sqs:SendMessage"),
    ("DocumentApi", "dynamodb:ConditionCheckItem"),
    ("DocumentApi", "dynamodb:GetItem"),
    ("DocumentApi", "dynamodb:PutItem"),
    ("DocumentApi", "dynamodb:Query"),
    ("DocumentApi", "s3:GetObject"),
    ("DocumentApi", "sqs:SendMessage"),
    ("DocumentWorker", "bedrock:InvokeModel"),
    ("DocumentWorker", "comprehend:DetectDominantLanguage"),
    ("DocumentWorker", "dynamodb:ConditionCheckItem"),
    ("DocumentWorker", "dynamodb:DeleteItem"),
    ("DocumentWorker", "dynamodb:GetItem"),
    ("DocumentWorker", "dynamodb:PutItem"),
    ("DocumentWorker", "dynamodb:Query"),
    ("DocumentWorker", "dynamodb:UpdateItem"),
    ("DocumentWorker", "lambda:InvokeFunction"),
    ("DocumentWorker", "s3:GetObject"),
    ("DocumentWorker", "s3:PutObject"),
    ("DocumentWorker", "sqs:ChangeMessageVisibility"),
    ("DocumentWorker", "sqs:SendMessage"),
    ("DocumentWorker", "translate:TranslateText"),
    ("DocumentIntake", "sqs:SendMessage"),
    ("DocumentJanitor", "dynamodb:ConditionCheckItem"),
    ("DocumentJanitor", "dynamodb:DeleteItem"),
    ("DocumentJanitor", "dynamodb:GetItem"),
    ("DocumentJanitor", "dynamodb:PutItem"),
    ("DocumentJanitor", "dynamodb:Query"),
    ("DocumentJanitor", "lambda:InvokeFunction"),
    ("DocumentJanitor", "s3:DeleteObject"),
    ("DocumentJanitor", "sqs:SendMessage"),
    ("Notifier", "dynamodb:UpdateItem"),
    ("Notifier", "secretsmanager:GetSecretValue"),
    ("Notifier", "sqs:ChangeMessageVisibility"),
    ("Notifier", "sqs:SendMessage"),
    ("SubscriptionApi", "s3:GetObject"),
    ("SubscriptionApi", "secretsmanager:GetSecretValue"),
]
# The whole work of a family each, some seconds: the suite takes every ninth, `make policies` all.
EACH = USED if os.environ.get("EVERY_CASE") else USED[::9]


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
    return Stack(read_template(), **PARAMETERS)


def test_with_their_roles_the_functions_do_all_their_work(stage: Stage, stack: Stack) -> None:
    with enable_iam_authentication():
        telemetry = exercise(stage, lambda name: _session(stage, name, grants(stack, name)))
    problems = [each for one in telemetry.values() for each in one.problems]
    unexpected = [
        fields for _, fields in problems if fields.get("error") not in ("MalformedMessage", None)
    ]
    assert unexpected == []
    assert stage.fcm.deliveries
    assert stage.fcm.topics_of(DEVICE)


@pytest.mark.parametrize(("function", "action"), EACH)
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
            telemetry = exercise(stage, session, [exercised_with(function)])
        except Misconfigured as error:
            refusals = [str(error)]
        else:
            # What invoked the text extractor tells of its failure.
            seen = [telemetry[function], telemetry["RegulationParser"]]
            lines = [line for each in seen for line in (*each.problems, *each.events)]
            refusals = [f"{fields.get('reason')} {fields.get('detail')}" for _, fields in lines]
    assert any("lacks this permission" in reason for reason in refusals)


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
    session = boto3.Session(
        assumed["AccessKeyId"],
        assumed["SecretAccessKey"],
        assumed["SessionToken"],
        region_name=REGION,
    )
    actions = {use.action for use in allowed}

    def enforce(params: dict[str, Any], model: Any, **_: Any) -> None:
        due = {"lambda:InvokeFunction"}
        if model.name == "TransactWriteItems":
            due = {action for action, _ in transacted(params)}
        if model.service_model.service_name in LANGUAGE:
            due = {action for action, _ in asked_of(model.service_model.service_name, params)}
        if not due <= actions:
            error = {"Code": "AccessDeniedException", "Message": f"not authorized: {due}"}
            raise ClientError({"Error": error}, model.name)

    for call in (
        "dynamodb.TransactWriteItems",
        "lambda.Invoke",
        "translate.*",
        "bedrock-runtime.*",
    ):
        session.events.register(f"provide-client-params.{call}", enforce)
    return session


def _statement(stage: Stage, use: Use) -> dict[str, Any]:
    service = use.action.partition(":")[0]
    resource = "*"
    if service == "s3":
        bucket = stage.resources.physical_ids["Bucket"]
        resource = f"arn:aws:s3:::{bucket}{use.resource.removeprefix('Bucket')}"
    batches = [f"{use.action}Batch"] if service == "sqs" else []
    if use.action == "dynamodb:PutItem":
        batches = ["dynamodb:TransactWriteItems"]
    return {"Effect": "Allow", "Action": [use.action, *batches], "Resource": resource}
