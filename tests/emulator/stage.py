"""What the built functions meet: the embedded stack, the stand-ins, the emulators."""

import json
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self
from urllib.parse import unquote

import boto3

from emulator.packages import lend_runtime
from emulator.runtime import Emulator
from emulator.samples import STACK_NAME, physical_name
from uring.aws.tables import DynamoTable
from uring.changes.retry import Backoff
from uring.seeds.progress import Progress
from uring_local.build.artefacts import layers
from uring_local.fcm.server import FcmStandIn
from uring_local.language.server import LanguageStandIn
from uring_local.loopback import Answer, LoopbackServer, Request
from uring_local.project import SITEMAP, StackFailed
from uring_local.run.launch import PARAMETERS
from uring_local.sites.airfield import Airfield
from uring_local.sites.airfield.simulation import KEY_SECRET as WEATHER_SECRET
from uring_local.sites.campus import Campus
from uring_local.stack.deployed import SECRET
from uring_local.stack.ministack import MiniStack
from uring_local.stack.resources import create
from uring_local.stack.stack import Endpoint
from uring_local.template.template import ALIAS, load

_SEED = 7
REGISTRIES = "config/registries.json"
WATCHES = "config/watches.json"
# Longer than from one TAF to the next: every product has changed since.
_HOURS_AGO = timedelta(hours=8)


class Stage:
    """An empty stack with the application's bucket, queues and table, in a ``with`` block.

    The campus stands at its first tick and is in the sitemap; it changes by script and never
    misbehaves by itself. The airfield's weather is of some hours ago and never fails.

    Args:
        built: what `sam build` made for this machine; names, variables, handlers and time-outs
            are those of its ``template.yaml``.

    Raises on entering:
        StackFailed: there is no such build, the stack cannot be started, or its template cannot
            be honoured.
    """

    def __init__(self, built: Path) -> None:
        self._built = built.resolve()
        self._exits = ExitStack()
        self._emulators: dict[str, Emulator] = {}
        self.registry: Callable[[Request], Answer] = lambda _: Answer(404)
        self.web: Callable[[Request], Answer] = lambda _: Answer(404)
        self.invoked: list[tuple[str, Any]] = []

    def __enter__(self) -> Self:
        if not (self._built / "template.yaml").is_file():
            raise StackFailed(f"{self._built}: there is no build; run `make build`")
        with ExitStack() as exits:
            self.scratch = Path(exits.enter_context(TemporaryDirectory(prefix="uring-emulate-")))
            self._endpoint = exits.enter_context(MiniStack())
            self.campus = exits.enter_context(Campus(_SEED, misbehave=False))
            opened = datetime.now(UTC) - _HOURS_AGO
            self.airfield = exits.enter_context(Airfield(_SEED, opened=opened))
            self.fcm = exits.enter_context(FcmStandIn())
            self.language = exits.enter_context(LanguageStandIn())
            registry = exits.enter_context(LoopbackServer(self._site))
            self.registry_host = registry.host
            web = exits.enter_context(LoopbackServer(self._page))
            self._lambda = exits.enter_context(LoopbackServer(self._invoke))
            session = _Session(self._endpoint)
            self.s3, self.sqs = session.client("s3"), session.client("sqs")
            hosts = (self.campus.host, self.airfield.host, self.registry_host)
            self.template = load(
                self._built / "template.yaml",
                {
                    **PARAMETERS,
                    "AllowedPrivateHosts": ",".join(hosts),
                    "RegistriesKey": REGISTRIES,
                    "Seeds": "ENABLED",
                    "WatchesKey": WATCHES,
                    "Documents": "ENABLED",
                    "WebPush": "ENABLED",
                    "SeedDays": "7",
                    "DomainSpacingSeconds": "0",
                    "WebStandIn": web.host,
                    "WeatherGatewayUrl": self.airfield.url,
                    "WeatherKeySecret": WEATHER_SECRET,
                    "FcmEndpoint": self.fcm.url,
                    "TranslateEndpoint": self.language.url,
                    "BedrockEndpoint": self.language.url,
                    "FcmCredentialsSecret": SECRET,
                },
                STACK_NAME,
            )
            self._resources = create(self.template, session)
            secrets = session.client("secretsmanager")
            account = json.dumps(self.fcm.service_account())
            secrets.create_secret(Name=SECRET, SecretString=account)
            secrets.create_secret(Name=WEATHER_SECRET, SecretString=self.airfield.key)
            self.campus.advance(1)
            sitemap = json.dumps(self.campus.sitemap(), ensure_ascii=False).encode()
            self.s3.put_object(Bucket=self.bucket, Key=SITEMAP.as_posix(), Body=sitemap)
            self.write(REGISTRIES, b'{"registries": []}')
            self.write(WATCHES, b'{"watches": []}')
            table = DynamoTable(
                session.client("dynamodb"),
                self._resources.physical_ids["SeedTable"],
                backoff=Backoff(time.sleep),
            )
            self.progress = Progress(table)
            (self.scratch / "runtime").mkdir()
            lend_runtime(self.scratch / "runtime")
            self._exits = exits.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._exits.close()

    @property
    def bucket(self) -> str:
        """The bucket's name."""
        return self._resources.physical_ids["Bucket"]

    @property
    def layer(self) -> Path:
        """Directory of the layer's modules."""
        (layer,) = layers(self._built)
        return layer / "python"

    def emulator(self, function: str) -> Emulator:
        """The function under its emulator, started on first use."""
        if function not in self._emulators:
            self._emulators[function] = self.another(function)
        return self._emulators[function]

    def another(
        self,
        function: str,
        *,
        timeout_seconds: int | None = None,
        environment: Mapping[str, str] | None = None,
        code: Path | None = None,
    ) -> Emulator:
        """One more emulator of a function, with another time-out, more variables, other code."""
        described = self.template.functions[function]
        number = len([*self.scratch.glob("*.log")])
        return self._exits.enter_context(
            Emulator(
                replace(described, code_dir=code) if code else described,
                self.layer,
                self.scratch / "runtime",
                {
                    **self._endpoint.environment,
                    **self._resources.environments[function],
                    "AWS_ENDPOINT_URL_LAMBDA": f"http://{self._lambda.host}",
                    **(environment or {}),
                },
                self.scratch / f"{function}-{number}.log",
                timeout_seconds=timeout_seconds,
            )
        )

    def take(self, queue: str) -> list[dict[str, Any]]:
        """Receive all that waits on a queue and delete it, each group in its order."""
        url = self._resources.physical_ids[queue]
        taken: list[dict[str, Any]] = []
        while messages := self.sqs.receive_message(
            QueueUrl=url,
            MaxNumberOfMessages=10,
            MessageSystemAttributeNames=["All"],
            MessageAttributeNames=["All"],
        ).get("Messages"):
            taken += messages
            for message in messages:
                self.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return taken

    def arn(self, queue: str) -> str:
        """A queue's ARN."""
        url = self._resources.physical_ids[queue]
        answer = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
        return str(answer["Attributes"]["QueueArn"])

    def batch_size(self, function: str, queue: str) -> int:
        """How many messages of a queue the function gets at once."""
        sources = self.template.functions[function].sources
        return next(source.batch_size for source in sources if source.queue == queue)

    def versions(self) -> set[tuple[str, str]]:
        """Keys of the bucket and the ids of all their versions: every write makes a new one."""
        pages = self.s3.get_paginator("list_object_versions").paginate(Bucket=self.bucket)
        return {
            (each["Key"], each["VersionId"]) for page in pages for each in page.get("Versions", [])
        }

    def write(self, key: str, body: bytes) -> None:
        """Put an object."""
        self.s3.put_object(Bucket=self.bucket, Key=key, Body=body)

    def text(self, key: str) -> str:
        """An object's text; empty if there is no such object."""
        try:
            return str(self.s3.get_object(Bucket=self.bucket, Key=key)["Body"].read().decode())
        except self.s3.exceptions.NoSuchKey:
            return ""

    def _site(self, request: Request) -> Answer:
        """The registry's site, as the steps have it now."""
        return self.registry(request)

    def _page(self, request: Request) -> Answer:
        """The web, as the steps have it now."""
        return self.web(request)

    def _invoke(self, request: Request) -> Answer:
        """Lambda's Invoke: the function under its emulator."""
        # One that invokes itself knows its name and calls its alias, the others get the id.
        given = unquote(request.path.split("/")[3]).removesuffix(f":{ALIAS}")
        names = {physical_name(self.template, each): each for each in self.template.functions}
        name, event = names.get(given, given), json.loads(request.body)
        if request.headers.get("x-amz-invocation-type") == "Event":
            # Not waited for: the steps send it on.
            self.invoked.append((name, event))
            return Answer(202)
        answer = self.emulator(name).invoke(event)
        if answer.error:
            headers = {"X-Amz-Function-Error": "Unhandled"}
            return Answer(200, json.dumps({"errorMessage": answer.error}).encode(), headers)
        return Answer(200, json.dumps(answer.value).encode())

    def read(self, key: str) -> Any:
        """An object's JSON; None if there is no such object."""
        try:
            return json.loads(self.s3.get_object(Bucket=self.bucket, Key=key)["Body"].read())
        except self.s3.exceptions.NoSuchKey:
            return None


class _Session:
    """boto3's clients for the embedded stack, whatever the user's own environment names."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def client(self, service_name: str) -> Any:
        """See `resources.Session`."""
        variables = self._endpoint.environment
        make: Any = boto3.client  # typed for service names known beforehand only
        return make(
            service_name,
            endpoint_url=self._endpoint.url,
            region_name=self._endpoint.region,
            aws_access_key_id=variables["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=variables["AWS_SECRET_ACCESS_KEY"],
        )
