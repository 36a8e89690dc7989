"""The application deployed on a stack that runs functions: used through AWS's own APIs only.

    tick ─► Lambda Invoke of the schedule's target      reports ◄─ CloudWatch Logs

The functions' event source mappings, batches and retries are the stack's.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

import boto3

from uring_local.project import StackFailed
from uring_local.stack.application import Application, FamilyResources
from uring_local.stack.deploy import deploy
from uring_local.stack.describe import physical_ids
from uring_local.stack.event_log import EventLog
from uring_local.stack.stack import Endpoint
from uring_local.template.template import ALIAS, Template

# The logger adds these to the fields of an event.
LOGGING: Final = {
    "level",
    "location",
    "timestamp",
    "service",
    "exception",
    "exception_name",
    "stack_trace",
}
SECRET: Final = "uring-local-fcm"  # noqa: S105 - a name


class Deployed(Application):
    """The template on a stack, by the real `sam build` and `sam deploy`, for one family.

    Args:
        template: the same template, for the schedules' targets.
        parameters: the deployment's parameters, without the secret.
        resources: the functions and queues to trigger and read.
        service_account: FCM's credentials, stored in Secrets Manager.
        note: called with lines of progress.
    """

    def __init__(
        self,
        template: Template,
        endpoint: Endpoint,
        parameters: Mapping[str, str],
        log: EventLog,
        resources: FamilyResources,
        service_account: Mapping[str, Any],
        note: Callable[[str], None],
    ) -> None:
        _put_secret(service_account)
        outputs = deploy(
            endpoint,
            parameters={**parameters, "FcmCredentialsSecret": SECRET},
            stack_name=template.stack_name,
            progress=note,
        )
        ids = physical_ids(boto3.client("cloudformation"), template.stack_name)
        queues = (*resources.live, *resources.dead)
        super().__init__(
            template,
            resources,
            log,
            bucket=outputs["BucketName"],
            queue_urls={name: ids[name] for name in queues},
            session=boto3,
            distribution=outputs.get("DistributionDomain", ""),
        )
        self._ids = ids
        self._lambda = boto3.client("lambda")
        logs = boto3.client("logs")
        self._log_groups = {
            name: _LogGroup(logs, ids[f"{name}LogGroup"]) for name in resources.functions
        }

    def poll(self) -> None:
        """See `Application.poll`: reads the functions' logs."""
        for function, group in self._log_groups.items():
            for line in group.read():
                name = str(line.pop("message", ""))
                if name == "invoked":
                    self._log.add_calls(function, line.get("aws_calls", {}))
                else:
                    fields = {key: line[key] for key in line.keys() - LOGGING}
                    self._log.put(name, fields)

    def invoke(self, function: str, event: dict[str, Any]) -> Any:
        """See `Application.invoke`.

        Raises:
            StackFailed: the function failed.
        """
        answer = self._lambda.invoke(
            FunctionName=self._ids[function],
            Qualifier=ALIAS,
            Payload=json.dumps(event).encode(),
        )
        said = answer["Payload"].read()
        if "FunctionError" in answer:
            raise StackFailed(f"{function}: {said[:500].decode(errors='replace')}")
        return json.loads(said)

    def addresses(self, sources: Sequence[str]) -> list[str]:
        """See `Application.addresses`."""
        url = self.s3.meta.endpoint_url
        return [reading(url, self.distribution, source) for source in sources]

    def close(self) -> None:
        """See `Application.close`: the stack goes on by itself."""

    def _trigger(self, function: str, event: dict[str, Any]) -> None:
        try:
            self.invoke(function, event)
        except StackFailed as error:
            self._failed(function, str(error))


def reading(url: str, domain: str, source: str) -> str:
    """Return the command that reads a source's data like its readers.

    Args:
        url: the stack's address.
        domain: the distribution's domain.
        source: the source's id.
    """
    # MiniStack's address of a distribution; it accepts a header as proof of TLS.
    address, label = urlsplit(url), domain.partition(".")[0]
    port = f":{address.port}" if address.port else ""
    return (
        "data: curl -H 'X-Forwarded-Proto: https' "
        f"{address.scheme}://{label}.cloudfront.localhost{port}/data/{source}/latest.json"
    )


class _LogGroup:
    """The JSON lines of a log group, each once."""

    def __init__(self, logs: Any, name: str) -> None:
        self._logs = logs
        self._name = name
        self._since = int(time.time() * 1000)
        self._seen: set[tuple[str, int, str]] = set()

    def read(self) -> list[dict[str, Any]]:
        """Return the new lines since the last call."""
        lines = []
        newest = self._since
        pages = self._logs.get_paginator("filter_log_events").paginate(
            logGroupName=self._name, startTime=self._since
        )
        for event in (event for page in pages for event in page["events"]):
            newest = max(newest, event["timestamp"])
            # Each line names its request, so every line is unique.
            identity = (event["logStreamName"], event["timestamp"], event["message"])
            if identity in self._seen:
                continue
            self._seen.add(identity)
            if event["message"].startswith("{"):
                line = json.loads(event["message"])
                if isinstance(line, dict):
                    lines.append(line)
        # Lines may come late: recent ones stay in the set, so that a second look counts none twice.
        self._since = max(self._since, newest - 30_000)
        self._seen = {identity for identity in self._seen if identity[1] >= self._since}
        return lines


def _put_secret(service_account: Mapping[str, Any]) -> None:
    client = boto3.client("secretsmanager")
    text = json.dumps(service_account)
    try:
        client.create_secret(Name=SECRET, SecretString=text)
    except client.exceptions.ResourceExistsException:
        client.put_secret_value(SecretId=SECRET, SecretString=text)
