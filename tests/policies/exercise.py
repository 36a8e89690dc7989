"""Drives the functions through everything that they do at AWS, and notes each call.

The functions are those of the template, built by their entry points with its variables, over moto;
the site is the campus, the gateway the airfield, FCM its stand-in. The rare paths are among them:
no sitemap, a board never seen, a job that can never succeed, pushes refused for now and for good.
"""

import json
import os
import re
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from runpy import run_path
from typing import Any, Final
from unittest.mock import patch

import boto3
import seed_steps
from document_exercise import exercise_documents
from expanded import PSEUDO, TEMPLATE, Stack, read_template
from fakes import RecordingTelemetry
from fakes.document_api import http_event
from fakes.registry import REGISTRY, Rule, registry_page
from fakes.subscriptions import DEVICE
from feeding import REGION, SECONDS, delete_states, feed, receive, run_tick, short, upload
from grants import Use
from moto import mock_aws
from moto.core.botocore_stubber import BotocoreStubber
from seed_steps import SeedSite, exercise_seeds, upload_seeds

from uring.changes.shard import shards_between
from uring.errors import Misconfigured
from uring.runtime.invocation import Function
from uring.subscriptions.api import ROUTE
from uring.weather.files import KEPT, PREFIX
from uring_local.families import NAMES
from uring_local.fcm.account import PROJECT_ID
from uring_local.fcm.faults import parse_faults
from uring_local.fcm.server import FcmStandIn
from uring_local.language.server import LanguageStandIn
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.sites.airfield import Airfield
from uring_local.sites.campus import Campus
from uring_local.sites.stage.clock import SimulatedClock
from uring_local.stack.application import schedule_event
from uring_local.stack.inprocess import Context
from uring_local.stack.invoke import InvokingSession
from uring_local.stack.resources import Resources
from uring_local.template.families import family_of
from uring_local.template.template import ALIAS, Template, load

STACK: Final = PSEUDO["AWS::StackName"]
SECRET: Final = "fcm/account"
GATEWAY_SECRET: Final = "weather/key"
REGISTRIES: Final = "config/registries.json"
PARAMETERS: Final[Mapping[str, str]] = {
    "FcmCredentialsSecret": SECRET,
    "WeatherKeySecret": GATEWAY_SECRET,
    "RegistriesKey": REGISTRIES,
    **seed_steps.PARAMETERS,
    "Documents": "ENABLED",
    "WebPush": "ENABLED",
}
OPENED: Final = datetime(2026, 3, 2, 0, 1, tzinfo=UTC)
# What reads a configuration that is not there at first.
_PLANNERS: Final = ("NoticeOrchestrator", "RegulationOrchestrator", "SeedWatchOrchestrator")
# One is revised, one comes and is no text ever.
# On the last day the page is empty: it is refused, and kept for people.
_DAYS: Final = ((Rule("규정 1", "1"),), (Rule("규정 1", "11"), Rule("규정 7", "7")), ())
_NO_TEXT: Final = "7"


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
        for call in ("GetObject", "HeadObject"):
            session.events.register(
                f"after-call.s3.{call}", lambda parsed, **_: uses.update(self._absent(parsed))
            )
        return session

    def _needs(self, model: Any, params: dict[str, Any]) -> set[Use]:
        """The permissions of one call; AWS has none for the batches of SQS."""
        service = model.service_model.service_name
        action = f"{service}:{model.name.removesuffix('Batch')}"
        if service == "lambda":
            action += "Function"
        if action in LISTINGS:
            return {Use(LISTINGS[action], "Bucket")}
        action = action.replace("s3:HeadObject", "s3:GetObject")
        if "VersionId" in params:
            action += "Version"
        if service == "s3":
            return {Use(action, f"Bucket/{params['Key']}")}
        if service in LANGUAGE:
            return {Use(each, on) for each, on in asked_of(service, params)}
        for key in ("TopicArn", "QueueUrl", "TableName", "FunctionName"):
            if key in params:
                return {Use(action, self._named(params[key]))}
        if action == "dynamodb:TransactWriteItems":
            return {Use(each, self._named(table)) for each, table in transacted(params)}
        return {Use(action, str(params.get("SecretId", "?")))}

    def _absent(self, parsed: dict[str, Any]) -> set[Use]:
        """Only who may list the bucket is told that a key is not there; others get 403."""
        missing = parsed.get("Error", {}).get("Code") in ("NoSuchKey", "404")
        return {Use("s3:ListBucket", "Bucket")} if missing else set()

    def _named(self, physical_id: str) -> str:
        ids = self.resources.physical_ids
        plain, at, alias = physical_id.partition(f":{ALIAS}")
        return next(name for name, each in ids.items() if each == plain) + at + alias


LISTINGS: Final = {
    "s3:ListObjectsV2": "s3:ListBucket",
    "s3:ListObjectVersions": "s3:ListBucketVersions",
}


def transacted(params: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The permissions of a transaction, each with its table: those of its parts, no other."""
    return {
        (f"dynamodb:{operation.removesuffix('Item')}Item", part["TableName"])
        for item in params["TransactItems"]
        for operation, part in item.items()
    }


def exercised_with(name: str) -> str:
    """Return the family among whose steps a resource is used."""
    if name.startswith("Text"):
        return "regulations"
    family = family_of(name)
    return "seeds" if family == "watches" else family


_OLD_LINE: Final = {"id": "1", "revision": 1, "title": "옛 공지"}
LANGUAGE: Final = ("translate", "bedrock-runtime")


def asked_of(service: str, params: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The permissions of a call to Translate or Bedrock, each with its resource.

    Bedrock asks for a model's or for a profile's, which the id does not tell; a profile asks for
    those of models in several regions.
    """
    if service == "translate":
        detects = params["SourceLanguageCode"] == "auto"
        actions = ["comprehend:DetectDominantLanguage"] if detects else []
        return {(action, "*") for action in ("translate:TranslateText", *actions)}
    model = params["modelId"]
    return {
        ("bedrock:InvokeModel", f"arn:aws:bedrock:{place}/{model}")
        for place in (
            f"{REGION}::foundation-model",
            f"{REGION}:{PSEUDO['AWS::AccountId']}:inference-profile",
            "ap-south-1::foundation-model",
        )
    }


class RegistrySite(LoopbackServer):
    """A registry of regulations, whose files are pages; it stands at a day of `_DAYS`."""

    def __init__(self) -> None:
        self.day = 0
        super().__init__(self._answer)

    def entries(self) -> dict[str, Any]:
        """What ``config/registries.json`` says."""
        entry = {
            **REGISTRY,
            "url": f"http://{self.host}/www/contents.do?key=7",
            "formats": ["html"],
            "request": {},
        }
        return {"registries": [entry]}

    def _answer(self, request: Request) -> Answer:
        if request.path == "/robots.txt":
            return Answer(404)
        number = request.query.get("fileNo")
        page = registry_page(_DAYS[self.day])
        if number is not None:
            page = f"<!doctype html><html><body><p>제1조(목적) 규정 {number}</p></body></html>"
        if number == _NO_TEXT:
            return Answer(404)
        return Answer(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})


@dataclass
class Stage:
    """What exists around the functions."""

    template: Template
    resources: Resources
    campus: Campus
    airfield: Airfield
    registry: RegistrySite
    web: SeedSite
    fcm: FcmStandIn
    language: LanguageStandIn

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
    s3.put_bucket_versioning(Bucket=ids["Bucket"], VersioningConfiguration={"Status": "Enabled"})
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
    functions = stack.of_type("AWS::Lambda::Function")
    ids |= {name: function["FunctionName"] for name, function in functions.items()}
    aliases = {
        f"{name}Alias{ALIAS}": f"{function['FunctionName']}:{ALIAS}"
        for name, function in functions.items()
    }
    addresses = ids | aliases
    environments = {
        name: {
            key: re.sub(r"\$\{(\w+)\}", lambda found: addresses[found[1]], value)
            for key, value in function["Environment"]["Variables"].items()
        }
        for name, function in functions.items()
    }
    return Resources(ids, environments)


Sessions = Callable[[str], boto3.Session]


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let moto answer one thread after another: its transactions copy tables that others change."""
    answer, lock = BotocoreStubber.process_request, threading.RLock()

    def answer_alone(*request: Any) -> Any:
        with lock:
            return answer(*request)

    with patch.object(BotocoreStubber, "process_request", answer_alone):
        yield


@contextmanager
def staged() -> Iterator[Stage]:
    """Moto with the template's resources, the secret, the campus and the stand-in."""
    with (
        _one_at_a_time(),
        mock_aws(),
        Campus(7) as campus,
        Airfield(7, opened=OPENED) as airfield,
        RegistrySite() as registry,
        SeedSite() as web,
        FcmStandIn(faults=parse_faults("503:0.5"), most_faults_in_a_row=1, seed=7) as fcm,
        LanguageStandIn() as language,
        patch.dict(os.environ, language.environment),
    ):
        parameters = {
            "Contact": "https://uring.invalid/policies",
            "FcmProjectId": PROJECT_ID,
            **PARAMETERS,
            "FcmEndpoint": fcm.url,
            "AllowedPrivateHosts": f"{campus.host},{airfield.host},{registry.host}",
            "WeatherGatewayUrl": airfield.url,
            "WebStandIn": web.host,
        }
        template = load(TEMPLATE, parameters, STACK)
        resources = create(Stack(read_template(), **parameters))
        boto3.client("secretsmanager", region_name=REGION).create_secret(
            Name=SECRET, SecretString=json.dumps(fcm.service_account())
        )
        boto3.client("secretsmanager", region_name=REGION).create_secret(
            Name=GATEWAY_SECRET, SecretString=airfield.key
        )
        yield Stage(template, resources, campus, airfield, registry, web, fcm, language)


class _Functions(dict[str, Function]):
    """The functions by name, each built when it is first used: clients take their time."""

    def __init__(self, build: Callable[[str], Function]) -> None:
        super().__init__()
        self._build = build

    def __missing__(self, name: str) -> Function:
        self[name] = self._build(name)
        return self[name]


def exercise(
    stage: Stage,
    sessions: Sessions,
    families: Collection[str] = NAMES,
) -> dict[str, RecordingTelemetry]:
    """Run everything of these families once; return what each function reported."""
    telemetry = {name: RecordingTelemetry() for name in stage.template.functions}
    clock = SimulatedClock(OPENED)
    extras = {
        "WeatherWorker": {"clock": clock, "sleep": lambda _: None},
        "RegulationWorker": {"clock": clock},
        "RegulationParser": {"clock": clock},
        "SeedOrchestrator": {"clock": clock},
        "SeedFileWorker": {"clock": clock},
        "DomainWorker": {"clock": clock, "pauses": (0,)},
        "SeedWatchWorker": {"clock": clock},
        **{name: {"clock": clock} for name in telemetry if name.startswith("Document")},
    }
    ids = {name: key for key, name in stage.resources.physical_ids.items()}

    def invoke(name: str, event: dict[str, Any]) -> Any:
        return functions[ids[name.removesuffix(f":{ALIAS}")]].handle(event, Context(SECONDS))

    def build(name: str) -> Function:
        function: Function = run_path(str(stage.template.functions[name].code_dir / "app.py"))[
            "handler"
        ].build(
            stage.resources.environments[name],
            session=InvokingSession(sessions(name), invoke),
            telemetry=telemetry[name],
            **extras.get(name, {}),
        )
        return function

    functions = _Functions(build)
    _plan_without_a_list(functions, families)
    upload(stage, "config/sitemap.json", stage.campus.sitemap())
    upload(stage, REGISTRIES, stage.registry.entries())
    upload_seeds(stage)
    if "notices" in families:
        _exercise_notices(stage, functions)
    if "weather" in families:
        _exercise_weather(stage, functions, clock)
    if "regulations" in families:
        _exercise_regulations(stage, functions, clock)
    if "seeds" in families:
        exercise_seeds(stage, stage.web, functions, clock)
        feed(stage, "NotifyQueue", functions["Notifier"])
    if "documents" in families:
        exercise_documents(stage, functions, clock)
    run_tick(functions["Monitor"], 6)
    if "subscriptions" in families:
        _exercise_subscriptions(functions["SubscriptionApi"])
    _feed_what_is_malformed(stage, functions, families)
    return telemetry


def _plan_without_a_list(functions: Mapping[str, Function], families: Collection[str]) -> None:
    for planner in _PLANNERS:
        if exercised_with(planner) in families:
            with suppress(Misconfigured):
                run_tick(functions[planner], 0)


def _feed_what_is_malformed(
    stage: Stage, functions: Mapping[str, Function], families: Collection[str]
) -> None:
    fed = {
        source.queue: name
        for name, function in stage.template.functions.items()
        for source in function.sources
        if name == "Notifier" or exercised_with(name) in families
    }
    for queue, function in fed.items():
        stage.sqs.send_message(
            QueueUrl=stage.resources.physical_ids[queue],
            MessageBody="{",
            MessageGroupId="nobody",
            MessageDeduplicationId="malformed",
        )
        feed(stage, queue, functions[function])


def _exercise_notices(stage: Stage, functions: Mapping[str, Function]) -> None:
    for tick in range(1, 6):
        stage.campus.advance(tick)
        # Three ticks in a row, and people are told.
        if tick == 5:
            delete_states(stage, "notices")
        if tick == 3:
            _divide(stage)
        if tick in (2, 3, 4):
            stage.campus.misbehave("nurisol_cse", "500")
        run_tick(functions["Monitor"], tick)
        run_tick(functions["NoticeOrchestrator"], tick)
        if tick == 1:
            # Too little time for a check: the jobs are given back.
            receive(stage, "NoticeQueue", functions["NoticeWorker"], short)
        feed(stage, "NoticeQueue", functions["NoticeWorker"])
        feed(stage, "NotifyQueue", functions["Notifier"])


def _divide(stage: Stage) -> None:
    """Upload the sitemap as two shards."""
    entries = sorted(stage.campus.sitemap()["sources"], key=lambda entry: f"{entry['id']}.")
    (first, further) = shards_between([entries[len(entries) // 2]["id"]])
    for shard, bounds in ((further, {}), (first, {"shards": [further.begin]})):
        own = [entry for entry in entries if shard.has(entry["id"])]
        upload(stage, shard.key("config/sitemap.json"), {**bounds, "sources": own})
        for entry in own:
            # A closed month, for the search index.
            upload(stage, f"data/{entry['id']}/archive/202001.jsonl", _OLD_LINE)


def _exercise_weather(
    stage: Stage, functions: Mapping[str, Function], clock: SimulatedClock
) -> None:
    _upload_old_weather(stage)
    for hour in (0, 6, 12):
        at = OPENED + timedelta(hours=hour)
        clock.move(at)
        if hour:
            delete_states(stage, "weather")
        stage.airfield.advance(at)
        functions["WeatherOrchestrator"].handle(schedule_event(at), Context(SECONDS))
        if hour == 0:
            receive(stage, "WeatherQueue", functions["WeatherWorker"], short)
        feed(stage, "WeatherQueue", functions["WeatherWorker"])
        feed(stage, "NotifyQueue", functions["Notifier"])


def _exercise_regulations(
    stage: Stage, functions: Mapping[str, Function], clock: SimulatedClock
) -> None:
    for day in range(len(_DAYS)):
        at = OPENED + timedelta(days=1 + day)
        clock.move(at)
        stage.registry.day = day
        if day:
            delete_states(stage, "regulations")
            delete_states(stage, "regulation_texts")
        functions["RegulationOrchestrator"].handle(schedule_event(at), Context(SECONDS))
        for queue, name in (
            ("RegulationQueue", "RegulationWorker"),
            ("RegulationParseQueue", "RegulationParser"),
        ):
            if day == 0:
                receive(stage, queue, functions[name], short)
            feed(stage, queue, functions[name])
        feed(stage, "NotifyQueue", functions["Notifier"])


def _exercise_subscriptions(function: Function) -> None:
    body = json.dumps({"id": DEVICE, "subscribe": ["nurisol_cse"]})
    function.handle(http_event("POST", ROUTE, body, {}), Context(SECONDS))


def _upload_old_weather(stage: Stage) -> None:
    """As many files as are kept: the next of each product rotates one away."""
    s3 = boto3.client("s3", region_name=REGION)
    for product, prefix in PREFIX.items():
        for number in range(KEPT):
            key = f"data/{product}/{prefix}_2026030{number % 2}T00000{number}Z.json"
            s3.put_object(Bucket=stage.resources.physical_ids["Bucket"], Key=key, Body=b"{}")
