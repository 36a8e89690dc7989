"""One deployment of all families on a stack that enforces policies, and the sites around it."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Final

import boto3
import pytest
from fakes.registry import REGISTRY, Rule, registry_page

from uring_local.fcm.server import FcmStandIn
from uring_local.language.server import LanguageStandIn
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.run.launch import PARAMETERS, environment
from uring_local.sites.airfield import Airfield
from uring_local.sites.airfield.model import AIRPORTS
from uring_local.sites.airfield.scripts.metars import metars
from uring_local.sites.airfield.simulation import KEY_SECRET
from uring_local.stack.application import schedule_event
from uring_local.stack.deploy import deploy
from uring_local.stack.deployed import SECRET
from uring_local.stack.describe import physical_ids
from uring_local.stack.ministack import MiniStack
from uring_local.stack.stack import Endpoint
from uring_local.template.template import ALIAS

STACK: Final = "uring-enforced"
REGISTRIES: Final = "config/registries.json"
WATCHES: Final = "config/watches.json"
_PATIENCE_SECONDS: Final = 240


class RegistrySite(LoopbackServer):
    """A registry of regulations whose files are pages; it has the ``rules`` of the moment."""

    def __init__(self) -> None:
        self.rules = [Rule("학칙", "1")]
        super().__init__(self._answer)

    def entries(self) -> dict[str, Any]:
        """The list of registries with this one in it."""
        own = {"url": f"http://{self.host}/www/contents.do?key=7", "formats": ["html"]}
        return {"registries": [{**REGISTRY, **own, "request": {}}]}

    def _answer(self, request: Request) -> Answer:
        if request.path == "/robots.txt":
            return Answer(404)
        page = registry_page(self.rules)
        if number := request.query.get("fileNo"):
            page = f"<!doctype html><html><body><p>제1조(목적) 규정 {number}</p></body></html>"
        return Answer(200, page.encode(), {"Content-Type": "text/html; charset=utf-8"})


class WholeWeb(LoopbackServer):
    """Every host of the web; its robots.txt disallows what ``disallowed`` says."""

    def __init__(self) -> None:
        self.disallowed = "/a"
        super().__init__(self._answer)

    def _answer(self, request: Request) -> Answer:
        if request.path == "/robots.txt":
            text = f"User-agent: *\nDisallow: {self.disallowed}\n"
            return Answer(200, text.encode(), {"Content-Type": "text/plain"})
        return Answer(404)


@dataclass(frozen=True)
class EnforcedStage:
    """The deployed stack, for whom nothing is refused, and what is around it.

    Attributes:
        ids: physical ids by logical ids.
        special_at: the world's time at which an airport has a SPECI that it had not at first.
    """

    endpoint: Endpoint
    outputs: Mapping[str, str]
    ids: Mapping[str, str]
    fcm: FcmStandIn
    language: LanguageStandIn
    airfield: Airfield
    special_at: datetime
    registry: RegistrySite
    web: WholeWeb

    @property
    def bucket(self) -> str:
        """Its name."""
        return self.outputs["BucketName"]

    def put(self, key: str, body: bytes) -> None:
        """Put an object into the bucket."""
        boto3.client("s3").put_object(Bucket=self.bucket, Key=key, Body=body)

    def replace(self, key: str, body: bytes) -> None:
        """Put an object in place of the one that is there: the bucket refuses it without that."""
        s3 = boto3.client("s3")
        etag = s3.head_object(Bucket=self.bucket, Key=key)["ETag"]
        s3.put_object(Bucket=self.bucket, Key=key, Body=body, IfMatch=etag)

    def get(self, key: str) -> Any:
        """The JSON of an object; None if there is none."""
        s3 = boto3.client("s3")
        try:
            return json.loads(s3.get_object(Bucket=self.bucket, Key=key)["Body"].read())
        except s3.exceptions.NoSuchKey:
            return None

    def remove(self, prefix: str) -> None:
        """Delete the objects below a prefix; their versions stay."""
        for key in self.keys(prefix):
            boto3.client("s3").delete_object(Bucket=self.bucket, Key=key)

    def keys(self, prefix: str) -> list[str]:
        """The keys below a prefix."""
        found = boto3.client("s3").list_objects_v2(Bucket=self.bucket, Prefix=prefix)
        return [each["Key"] for each in found.get("Contents", [])]

    def tick(self, function: str, at: datetime) -> Any:
        """What a function answers to its schedule; an error has ``errorMessage``."""
        answer = boto3.client("lambda").invoke(
            FunctionName=self.ids[function],
            Qualifier=ALIAS,
            Payload=json.dumps(schedule_event(at)).encode(),
        )
        return json.loads(answer["Payload"].read())

    def topics(self) -> set[str]:
        """Of all that was pushed."""
        return {each.topic for each in self.fcm.deliveries}

    @contextmanager
    def without(self, function: str, action: str) -> Iterator[None]:
        """Take an action out of the policies of a function's role."""
        iam, role = boto3.client("iam"), self.ids[f"{function}Role"]
        (name,) = iam.list_role_policies(RoleName=role)["PolicyNames"]
        policy: Any = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
        less = json.loads(json.dumps(policy))
        for statement in less["Statement"]:
            actions = statement["Action"]
            given = [actions] if isinstance(actions, str) else actions
            statement["Action"] = [each for each in given if each != action] or ["sts:Nothing"]
        assert less != policy, f"{function} has no {action}"

        def put(document: Any) -> None:
            text = json.dumps(document)
            iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=text)

        put(less)
        try:
            yield
        finally:
            put(policy)


def hour(number: int) -> datetime:
    """A full hour to come: all is due at it, and no job of it is overdue."""
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    return now + timedelta(hours=number)


def user(name: str, *statements: Mapping[str, Any]) -> boto3.Session:
    """Make a user who may do this; return the session of one."""
    iam = boto3.client("iam")
    iam.create_user(UserName=name)
    policy = {"Version": "2012-10-17", "Statement": [*statements]}
    if statements:
        iam.put_user_policy(UserName=name, PolicyName="own", PolicyDocument=json.dumps(policy))
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return boto3.Session(key["AccessKeyId"], key["SecretAccessKey"])


def until(holds: Callable[[], object]) -> None:
    """Wait for the stack's functions, which work by themselves."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > deadline:
            pytest.fail("it never came to be")
        time.sleep(0.2)


@contextmanager
def enforced() -> Iterator[EnforcedStage]:
    """Deploy all families on a stack of their own; its variables are the process's meanwhile."""
    with ExitStack() as exits:
        endpoint = exits.enter_context(MiniStack())
        exits.enter_context(environment(endpoint.environment))
        # A SPECI is not the newest report at every minute of an hour.
        special_at = hour(0) - timedelta(minutes=2)
        fcm, language = exits.enter_context(FcmStandIn()), exits.enter_context(LanguageStandIn())
        opened = special_at - timedelta(hours=8)
        airfield = exits.enter_context(Airfield(_seed_with_special(special_at), opened=opened))
        registry, web = exits.enter_context(RegistrySite()), exits.enter_context(WholeWeb())
        secrets = boto3.client("secretsmanager")
        secrets.create_secret(Name=KEY_SECRET, SecretString=airfield.key)
        secrets.create_secret(Name=SECRET, SecretString=json.dumps(fcm.service_account()))
        outputs = deploy(
            endpoint,
            parameters={
                **PARAMETERS,
                "AllowedPrivateHosts": f"{airfield.host},{registry.host}",
                "BedrockEndpoint": language.url,
                "Documents": "ENABLED",
                "DomainSpacingSeconds": "0",
                "FcmCredentialsSecret": SECRET,
                "FcmEndpoint": fcm.url,
                "RegistriesKey": REGISTRIES,
                "Seeds": "ENABLED",
                "TranslateEndpoint": language.url,
                "WatchesKey": WATCHES,
                "WeatherGatewayUrl": airfield.url,
                "WeatherKeySecret": KEY_SECRET,
                "WebStandIn": web.host,
            },
            stack_name=STACK,
        )
        ids = physical_ids(boto3.client("cloudformation"), STACK)
        yield EnforcedStage(
            endpoint, outputs, ids, fcm, language, airfield, special_at, registry, web
        )


def _seed_with_special(at: datetime) -> int:
    """Return a seed with a SPECI in force: of one seed, some hours have nothing to push."""
    return next(
        seed
        for seed in count(7)
        if any(metars(seed, icao, at)[-1].kind == "SPECI" for icao in AIRPORTS)
    )
