"""Drives the functions through everything that they do at AWS, and notes each call.

The functions are those of the template, built by their bootstrap with its variables, over moto;
the site is the campus, the gateway the airfield, FCM its stand-in. The rare paths are among them:
no sitemap, a board never seen, a job that can never succeed, pushes refused for now and for good.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from runpy import run_path
from typing import Any, Final

import boto3
from expanded import PSEUDO, TEMPLATE, Stack, read_template
from fakes import RecordingTelemetry
from grants import Use
from moto import mock_aws

from uring.errors import Misconfigured
from uring.runtime.invocation import Function
from uring.weather.files import KEPT, PREFIX
from uring_local.fcm.account import PROJECT_ID
from uring_local.fcm.faults import parse_faults
from uring_local.fcm.server import FcmStandIn
from uring_local.sites.airfield import Airfield
from uring_local.sites.airfield.simulation import SimulatedClock
from uring_local.sites.campus import Campus
from uring_local.stack.application import schedule_event
from uring_local.stack.inprocess import Context
from uring_local.stack.resources import Resources
from uring_local.template.template import Template, load

REGION: Final = PSEUDO["AWS::Region"]
STACK: Final = PSEUDO["AWS::StackName"]
SECRET: Final = "fcm/account"
GATEWAY_SECRET: Final = "weather/key"
OPENED: Final = datetime(2026, 3, 2, 0, 1, tzinfo=UTC)
_SECONDS: Final = 180.0


@dataclass
class Recorder:
    """Notes what each function calls; resources are named by their logical ids."""

    resources: Resources
    uses: dict[str, set[Use]] = field(default_factory=dict)

    def session(self, function: str, credentials: dict[str, str] | None = None) -> boto3.Session:
        """A session whose calls count as this function's."""
        session = boto3.Session(region_name=REGION, **(credentials or {}))
        uses = self.uses.setdefault(function, set())
        session.events.register(
            "provide-client-params.*.*",
            lambda params, model, **_: uses.update(self._needs(model, params)),
        )
        session.events.register(
            "after-call.s3.GetObject", lambda parsed, **_: uses.update(self._absent(parsed))
        )
        return session

    def _needs(self, model: Any, params: dict[str, Any]) -> set[Use]:
        """The permissions of one call; AWS has none for the batches of SQS."""
        service = model.service_model.service_name
        action = f"{service}:{model.name.removesuffix('Batch')}"
        if action == "s3:ListObjectsV2":
            return {Use("s3:ListBucket", "Bucket")}
        if service == "s3":
            return {Use(action, f"Bucket/{params['Key']}")}
        if service == "sns":
            return {Use(action, self._named(params["TopicArn"]))}
        if service == "sqs":
            return {Use(action, self._named(params["QueueUrl"]))}
        if service == "dynamodb":
            return {Use(action, self._named(params["TableName"]))}
        return {Use(action, str(params.get("SecretId", "?")))}

    def _absent(self, parsed: dict[str, Any]) -> set[Use]:
        """Only who may list the bucket is told that a key is not there; others get 403."""
        missing = parsed.get("Error", {}).get("Code") == "NoSuchKey"
        return {Use("s3:ListBucket", "Bucket")} if missing else set()

    def _named(self, physical_id: str) -> str:
        ids = self.resources.physical_ids
        return next(name for name, each in ids.items() if each == physical_id)


@dataclass
class Stage:
    """What exists around the functions."""

    template: Template
    resources: Resources
    campus: Campus
    airfield: Airfield
    fcm: FcmStandIn

    @property
    def sqs(self) -> Any:
        """The operator's client."""
        return boto3.client("sqs", region_name=REGION)


def create(stack: Stack) -> Resources:
    """Create what the functions use. This moto is without CloudFormation."""
    s3, sqs, dynamodb, sns = (
        boto3.client(name, region_name=REGION) for name in ("s3", "sqs", "dynamodb", "sns")
    )
    ids = {"Bucket": f"{STACK}-bucket"}
    s3.create_bucket(Bucket=ids["Bucket"], CreateBucketConfiguration={"LocationConstraint": REGION})
    for name, queue in stack.of_type("AWS::SQS::Queue").items():
        visibility = str(queue.get("VisibilityTimeout", 30))
        ids[name] = sqs.create_queue(
            QueueName=queue["QueueName"],
            Attributes={"FifoQueue": "true", "VisibilityTimeout": visibility},
        )["QueueUrl"]
    for name, table in stack.of_type("AWS::DynamoDB::Table").items():
        kept = {key: table[key] for key in ("AttributeDefinitions", "BillingMode", "KeySchema")}
        dynamodb.create_table(TableName=name, **kept)
        ids[name] = name
    for name, topic in stack.of_type("AWS::SNS::Topic").items():
        ids[name] = sns.create_topic(Name=topic["TopicName"])["TopicArn"]
    environments = {
        name: {
            key: re.sub(r"\$\{(\w+)\}", lambda found: ids[found[1]], value)
            for key, value in function["Environment"]["Variables"].items()
        }
        for name, function in stack.of_type("AWS::Lambda::Function").items()
    }
    return Resources(ids, environments)


Sessions = Callable[[str], boto3.Session]


@contextmanager
def staged() -> Iterator[Stage]:
    """Moto with the template's resources, the secret, the campus and the stand-in."""
    with (
        mock_aws(),
        Campus(7) as campus,
        Airfield(7, opened=OPENED) as airfield,
        FcmStandIn(faults=parse_faults("503:0.5"), most_faults_in_a_row=1, seed=7) as fcm,
    ):
        parameters = {
            "Contact": "https://uring.invalid/policies",
            "FcmProjectId": PROJECT_ID,
            "FcmCredentialsSecret": SECRET,
            "FcmEndpoint": fcm.url,
            "AllowedPrivateHosts": f"{campus.host},{airfield.host}",
            "WeatherKeySecret": GATEWAY_SECRET,
            "WeatherGatewayUrl": airfield.url,
        }
        template = load(TEMPLATE, parameters, STACK)
        resources = create(Stack(read_template(), **parameters))
        boto3.client("secretsmanager", region_name=REGION).create_secret(
            Name=SECRET, SecretString=json.dumps(fcm.service_account())
        )
        boto3.client("secretsmanager", region_name=REGION).create_secret(
            Name=GATEWAY_SECRET, SecretString=airfield.key
        )
        yield Stage(template, resources, campus, airfield, fcm)


def exercise(
    stage: Stage, sessions: Sessions, families: Collection[str] = ("notices", "weather")
) -> dict[str, RecordingTelemetry]:
    """Run everything of these families once; return what each function reported."""
    telemetry = {name: RecordingTelemetry() for name in stage.template.functions}
    clock = SimulatedClock(OPENED)
    extras = {"WeatherWorker": {"clock": clock, "sleep": lambda _: None}}
    functions = {
        name: run_path(str(function.code_dir / "app.py"))["build"](
            stage.resources.environments[name],
            session=sessions(name),
            telemetry=telemetry[name],
            **extras.get(name, {}),
        )
        for name, function in stage.template.functions.items()
    }
    if "notices" in families:
        _exercise_notices(stage, functions)
    if "weather" in families:
        _exercise_weather(stage, functions, clock)
    _tick(functions["Monitor"], 6)
    for queue, function in (
        ("NoticeQueue", "NoticeWorker"),
        ("WeatherQueue", "WeatherWorker"),
        ("NotifyQueue", "Notifier"),
    ):
        stage.sqs.send_message(
            QueueUrl=stage.resources.physical_ids[queue],
            MessageBody="{",
            MessageGroupId="nobody",
            MessageDeduplicationId="malformed",
        )
        _feed(stage, queue, functions[function])
    return telemetry


def _exercise_notices(stage: Stage, functions: Mapping[str, Function]) -> None:
    with suppress(Misconfigured):
        _tick(functions["NoticeOrchestrator"], 0)
    _upload(stage)
    for tick in range(1, 6):
        stage.campus.advance(tick)
        # Three ticks in a row, and people are told.
        if tick in (2, 3, 4):
            stage.campus.misbehave("nurisol_cse", "500")
        _tick(functions["Monitor"], tick)
        _tick(functions["NoticeOrchestrator"], tick)
        if tick == 1:
            # Too little time for a check: the jobs are given back.
            _receive(stage, "NoticeQueue", functions["NoticeWorker"], seconds=10.0)
        _feed(stage, "NoticeQueue", functions["NoticeWorker"])
        _feed(stage, "NotifyQueue", functions["Notifier"])


def _exercise_weather(
    stage: Stage, functions: Mapping[str, Function], clock: SimulatedClock
) -> None:
    _upload(stage)
    _upload_old_weather(stage)
    for hour in (0, 6, 12):
        at = OPENED + timedelta(hours=hour)
        clock.move(at)
        stage.airfield.advance(at)
        functions["WeatherOrchestrator"].handle(schedule_event(at), Context(_SECONDS))
        if hour == 0:
            _receive(stage, "WeatherQueue", functions["WeatherWorker"], seconds=10.0)
        _feed(stage, "WeatherQueue", functions["WeatherWorker"])
        _feed(stage, "NotifyQueue", functions["Notifier"])


def _tick(function: Function, number: int) -> None:
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    event = schedule_event(now + number * timedelta(minutes=10))
    function.handle(event, Context(_SECONDS))


def _upload(stage: Stage) -> None:
    boto3.client("s3", region_name=REGION).put_object(
        Bucket=stage.resources.physical_ids["Bucket"],
        Key="config/sitemap.json",
        Body=json.dumps(stage.campus.sitemap()).encode(),
    )


def _upload_old_weather(stage: Stage) -> None:
    """As many files as are kept: the next of each product rotates one away."""
    s3 = boto3.client("s3", region_name=REGION)
    for product, prefix in PREFIX.items():
        for number in range(KEPT):
            key = f"data/{product}/{prefix}_2026030{number % 2}T00000{number}Z.json"
            s3.put_object(Bucket=stage.resources.physical_ids["Bucket"], Key=key, Body=b"{}")


def _feed(stage: Stage, queue: str, function: Function) -> None:
    while _receive(stage, queue, function, seconds=_SECONDS):
        pass


def _receive(stage: Stage, queue: str, function: Function, *, seconds: float) -> bool:
    """As the event source mapping does, with its own permissions, which are not the code's."""
    url = stage.resources.physical_ids[queue]
    messages = stage.sqs.receive_message(
        QueueUrl=url, MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"]
    ).get("Messages", [])
    records = [
        {
            "messageId": message["MessageId"],
            "receiptHandle": message["ReceiptHandle"],
            "body": message["Body"],
            "attributes": message["Attributes"],
        }
        for message in messages
    ]
    if records:
        answer = function.handle({"Records": records}, Context(seconds))
        failed = {item["itemIdentifier"] for item in answer["batchItemFailures"]}
        for message in messages:
            if message["MessageId"] not in failed:
                stage.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return bool(records)
