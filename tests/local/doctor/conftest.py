"""A stack that is well, of which a test makes one thing ill."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from uring_local.doctor import client, readers
from uring_local.doctor.examine import examine
from uring_local.doctor.finding import Diagnosis
from uring_local.doctor.subject import Subject
from uring_local.fcm.account import PROJECT_ID, Account
from uring_local.fcm.server import FcmStandIn
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.web.place import SiteAddress

STACK = "made-up"
SITEMAP = {
    "sources": [
        {
            "id": "lantern",
            "name": "Lantern",
            "url": "https://lantern.example.ac.kr/bbs/lantern/4410/artclList.do",
            "preset": "k2web",
        }
    ]
}
PARAMETERS = {
    "ScheduleState": "ENABLED",
    "Cdn": "ENABLED",
    "AlarmEmail": "",
    "WorkerConcurrency": "5",
    "DomainConcurrency": "50",
    "FcmProjectId": PROJECT_ID,
    "FcmCredentialsSecret": "fcm/account",
    "FcmEndpoint": "",
    "WeatherKeySecret": "weather/key",
    "RegistriesKey": "",
    "Seeds": "DISABLED",
    "WatchesKey": "",
    "Documents": "DISABLED",
    "WebPush": "DISABLED",
}
POLICY = {"Content-Security-Policy": "default-src 'none'; script-src 'self'"}
PAGE = Answer(
    200,
    b'<link rel="stylesheet" href="./r/0123456789ab/style.css">',
    {**POLICY, "Cache-Control": "no-cache"},
)
ASSET = Answer(200, b"", {"Cache-Control": "public, max-age=31536000, immutable"})
# A log takes no lines that are older than two weeks.
NOW = datetime.now(UTC).replace(microsecond=0)


DENY = {"Effect": "Deny", "Action": "sqs:SendMessage", "Resource": "*"}
LAMBDA = {
    "Effect": "Allow",
    "Principal": {"Service": "lambda.amazonaws.com"},
    "Action": "sts:AssumeRole",
}
STOPPING: dict[str, Any] = {
    "NoticeOrchestratorRole": {
        "Type": "AWS::IAM::Role",
        "Properties": {
            "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [LAMBDA]}
        },
    },
    "StopPolicy": {
        "Type": "AWS::IAM::ManagedPolicy",
        "Properties": {"PolicyDocument": {"Version": "2012-10-17", "Statement": [DENY]}},
    },
}
"""The switch of a budget."""


def template(**more: Any) -> dict[str, Any]:
    """What the doctor looks at of a stack."""
    rule = {
        "Type": "AWS::Events::Rule",
        "Properties": {"ScheduleExpression": "rate(10 minutes)", "State": "ENABLED"},
    }
    fifo = {"FifoQueue": True}
    policy = {
        "deadLetterTargetArn": {"Fn::GetAtt": ["NotifyDeadLetterQueue", "Arn"]},
        "maxReceiveCount": 1,
    }
    return {
        "Parameters": {name: {"Type": "String"} for name in PARAMETERS},
        "Resources": {
            "Bucket": {
                "Type": "AWS::S3::Bucket",
                "Properties": {"VersioningConfiguration": {"Status": "Enabled"}},
            },
            "AlarmTopic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "alarms"}},
            "NotifyDeadLetterQueue": {
                "Type": "AWS::SQS::Queue",
                "Properties": {"QueueName": "dead.fifo", **fifo},
            },
            "NotifyQueue": {
                "Type": "AWS::SQS::Queue",
                "Properties": {"QueueName": "notify.fifo", "RedrivePolicy": policy, **fifo},
            },
            "NoticeOrchestratorTick": rule,
            "MonitorTick": rule,
            # Of a rhythm, which this stack does not have.
            "NoticeOrchestratorBusyTick": {
                "Type": "AWS::Events::Rule",
                "Properties": rule["Properties"] | {"State": "DISABLED"},
            },
            "NoticeOrchestratorLogGroup": {
                "Type": "AWS::Logs::LogGroup",
                "Properties": {"LogGroupName": "/aws/lambda/orchestrator"},
            },
            "MonitorLogGroup": {
                "Type": "AWS::Logs::LogGroup",
                "Properties": {"LogGroupName": "/aws/lambda/monitor"},
            },
            **more,
        },
        "Outputs": {
            "BucketName": {"Value": {"Ref": "Bucket"}},
            "AlarmTopicArn": {"Value": {"Ref": "AlarmTopic"}},
            "DistributionDomain": {"Value": "d1.cloudfront.example"},
        },
    }


class PolicedS3:
    """S3 with the bucket's policy, which moto does not know; ``refuses`` more for other tests."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.asks_for_a_condition = True
        self.is_read_only = False
        self.keeps_versions = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def put_object(self, **request: Any) -> Any:
        is_bare = not request.keys() & {"IfMatch", "IfNoneMatch"}
        if self.is_read_only or (is_bare and self.asks_for_a_condition):
            raise denied("PutObject")
        return self._client.put_object(**request)

    def delete_object(self, **request: Any) -> Any:
        if self.keeps_versions:
            raise denied("DeleteObjectVersion")
        return self._client.delete_object(**request)


def denied(operation: str) -> ClientError:
    """S3's refusal."""
    return ClientError({"Error": {"Code": "AccessDenied"}}, operation)


class AccountSettings:
    """Lambda, of which moto does not know the account's limits; the stack has no function."""

    limit = 1000

    def get_account_settings(self) -> Any:
        return {"AccountLimit": {"ConcurrentExecutions": self.limit}}


@dataclass
class Hospital:
    """The stack, and all that a test makes ill of it."""

    fcm: FcmStandIn
    s3: PolicedS3
    bucket: str
    account: AccountSettings = field(default_factory=AccountSettings)
    cdn: dict[str, Answer] = field(default_factory=dict)
    clients: dict[str, Any] = field(default_factory=dict)

    def client(self, service: str, **_: Any) -> Any:
        """A client, as ``boto3.Session`` makes it."""
        own = {"s3": self.s3, "lambda": self.account} | self.clients
        return own[service] if service in own else boto3.client(service)  # type: ignore[call-overload]

    def deploy(self, **parameters: str) -> None:
        """Change parameters."""
        values = PARAMETERS | {"FcmEndpoint": self.fcm.url} | parameters
        boto3.client("cloudformation").update_stack(
            StackName=STACK,
            TemplateBody=json.dumps(template()),
            Parameters=given(values),
        )

    def stop(self, times: int) -> None:
        """Give the stack the switch of a budget, and pull it."""
        formation: Any = boto3.client("cloudformation")
        formation.update_stack(
            StackName=STACK,
            TemplateBody=json.dumps(template(**STOPPING)),
            Parameters=given(PARAMETERS | {"FcmEndpoint": self.fcm.url}),
        )
        found = formation.list_stack_resources(StackName=STACK)["StackResourceSummaries"]
        names = {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in found}
        for _ in range(times):
            boto3.client("iam").attach_role_policy(
                RoleName=names["NoticeOrchestratorRole"], PolicyArn=names["StopPolicy"]
            )

    def upload(self, key: str, document: Any) -> None:
        """Put a JSON document into the bucket."""
        body = json.dumps(document).encode()
        boto3.client("s3").put_object(Bucket=self.bucket, Key=key, Body=body)

    def ran(self, function: str, *, minutes_ago: float, **fields: Any) -> None:
        """Write the last line of a run into a function's log."""
        group = f"/aws/lambda/{function}"
        logs = boto3.client("logs")
        stream = f"{function}-{minutes_ago}"
        logs.create_log_stream(logGroupName=group, logStreamName=stream)
        line = json.dumps({"message": "invoked", "level": "INFO"} | fields)
        at = int((NOW.timestamp() - 60 * minutes_ago) * 1000)
        events = [{"timestamp": at, "message": "START"}, {"timestamp": at, "message": line}]
        logs.put_log_events(logGroupName=group, logStreamName=stream, logEvents=events)  # type: ignore[arg-type]

    def forget_runs(self) -> None:
        """Empty both logs."""
        logs = boto3.client("logs")
        for function in ("orchestrator", "monitor"):
            group = f"/aws/lambda/{function}"
            for stream in logs.describe_log_streams(logGroupName=group)["logStreams"]:
                logs.delete_log_stream(logGroupName=group, logStreamName=stream["logStreamName"])

    def findings(self) -> dict[str, Diagnosis]:
        """All findings by name."""
        found = list(examine(Subject(STACK, self, clock=lambda: NOW)))
        assert len({each.name for each in found}) == len(found)
        return {each.name: each for each in found}

    def ill(self) -> dict[str, Diagnosis]:
        """The failures; each says what to do."""
        found = {name: each for name, each in self.findings().items() if each.status == "failed"}
        assert all(each.detail and each.remedy for each in found.values())
        return found


def ring(alarm: str) -> None:
    """Raise an alarm."""
    boto3.client("cloudwatch").set_alarm_state(
        AlarmName=alarm, StateValue="ALARM", StateReason="a test"
    )


def given(values: Mapping[str, str]) -> Any:
    """Parameters as CloudFormation gets them."""
    return [{"ParameterKey": key, "ParameterValue": value} for key, value in values.items()]


@pytest.fixture(scope="session")
def account() -> Account:
    return Account()


@pytest.fixture
def hospital(account: Account, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hospital]:
    for name in ("AWS_ENDPOINT_URL", "AWS_PROFILE", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    with mock_aws(), FcmStandIn(account=account) as fcm:
        secrets: Any = boto3.client("secretsmanager")
        # Another test's moto, where this process has one for the whole run, would keep them.
        try:
            yield from well(fcm, secrets, monkeypatch)
        finally:
            for name in ("fcm/account", "weather/key"):
                secrets.delete_secret(SecretId=name, ForceDeleteWithoutRecovery=True)


def well(fcm: FcmStandIn, secrets: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hospital]:
    """A hospital without a patient."""
    key = json.dumps(fcm.service_account())
    secrets.create_secret(Name="fcm/account", SecretString=key)
    secrets.create_secret(Name="weather/key", SecretString="made-up")
    formation: Any = boto3.client("cloudformation")
    values = PARAMETERS | {"FcmEndpoint": fcm.url}
    formation.create_stack(
        StackName=STACK, TemplateBody=json.dumps(template()), Parameters=given(values)
    )
    (stack,) = formation.describe_stacks(StackName=STACK)["Stacks"]
    outputs = {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}
    boto3.client("sns").subscribe(
        TopicArn=outputs["AlarmTopicArn"], Protocol="email", Endpoint="ops@uring.example"
    )
    found = Hospital(fcm, PolicedS3(boto3.client("s3")), outputs["BucketName"])
    found.upload("config/sitemap.json", SITEMAP)
    found.upload("data/index.json", {})
    for name, told in (("made-up-NotifyDeadLetterAlarm", outputs["AlarmTopicArn"]), ("other", "x")):
        boto3.client("cloudwatch").put_metric_alarm(
            AlarmName=name,
            AlarmActions=[told],
            ComparisonOperator="GreaterThanThreshold",
            EvaluationPeriods=1,
            MetricName="N",
            Namespace="AWS/SQS",
            Period=60,
            Statistic="Maximum",
            Threshold=0,
        )
    # Somebody else's rings always.
    ring("other")
    found.ran("orchestrator", minutes_ago=2, boto3="1.40.2")
    found.ran("monitor", minutes_ago=3)
    with LoopbackServer(cdn(found)) as server:
        place = SiteAddress(f"http://{server.host}", {})
        for module in (readers, client):
            monkeypatch.setattr(module, "place_of", lambda *_: place)
        yield found


def cdn(hospital: Hospital) -> Any:
    """A distribution as the template describes it, but for what a test answers otherwise."""

    def respond(request: Request) -> Answer:
        has_it = request.headers.get("if-none-match") == '"1"'
        is_preflight = request.method == "OPTIONS"
        kind = "preflight" if is_preflight else "again" if has_it else request.path
        usual = {
            "preflight": Answer(200, b"", {"Access-Control-Allow-Headers": "If-None-Match"}),
            "again": Answer(304, b"", {"ETag": '"1"'}),
            "/data/index.json": Answer(200, b"{}", {"ETag": '"1"'}),
            "/": PAGE,
            "/r/0123456789ab/style.css": ASSET,
        }
        return hospital.cdn.get(kind) or usual.get(kind) or Answer(403, b"", {})

    return respond
