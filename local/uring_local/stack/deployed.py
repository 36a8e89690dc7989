"""The application deployed on a stack that runs functions: reached through AWS's own APIs only.

    tick ─► Lambda Invoke of the schedule's target      reports ◄─ CloudWatch Logs

The functions' event source mappings, batches and retries are the stack's.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

import boto3

from uring_local.stack.application import (
    Depth,
    FamilyResources,
    Targets,
    depth,
    schedule_event,
)
from uring_local.stack.deploy import deploy
from uring_local.stack.event_log import EventLog
from uring_local.stack.stack import Endpoint
from uring_local.template.template import Template

# What the logger adds to the fields of an event.
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


class Deployed:
    """A template on a stack, by the real `sam build` and `sam deploy`; a family's functions of it.

    Args:
        template: the same template, read for the schedules' targets.
        parameters: what it is deployed with, but for the secret.
        resources: the functions and queues that are triggered and read.
        service_account: FCM's credentials, put into Secrets Manager.
        note: takes lines of progress.
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
        self.resources = resources
        self._log = log
        _put_secret(service_account)
        self._outputs = deploy(
            endpoint,
            parameters={**parameters, "FcmCredentialsSecret": SECRET},
            stack_name=template.stack_name,
            progress=note,
        )
        self.bucket = self._outputs["BucketName"]
        self.s3 = boto3.client("s3")
        self._sqs = boto3.client("sqs")
        self._lambda = boto3.client("lambda")
        self._logs = boto3.client("logs")
        self._targets = Targets(template, resources)
        self.period = self._targets.period
        self._log_groups = {
            name: _LogGroup(self._logs, f"/aws/lambda/{self._outputs[f'{name}Function']}")
            for name in resources.functions
        }

    def tick(self, scheduled_at: datetime) -> None:
        """See `Application.tick`."""
        payload = json.dumps(schedule_event(scheduled_at)).encode()
        for name in self._targets.due(scheduled_at):
            function = self._outputs[f"{name}Function"]
            answer = self._lambda.invoke(FunctionName=function, Payload=payload)
            if "FunctionError" in answer:
                reason = answer["Payload"].read().decode(errors="replace")[:500]
                self._log.put("record_failed", {"group": name, "reason": reason})

    def depths(self) -> Mapping[str, Depth]:
        """See `Application.depths`."""
        queues = (*self.resources.live, *self.resources.dead)
        return {name: depth(self._sqs, self._outputs[f"{name}Url"]) for name in queues}

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

    def addresses(self, sources: Sequence[str]) -> list[str]:
        """See `Application.addresses`."""
        # MiniStack's way to reach a distribution; it takes the word of a header for TLS.
        label = self._outputs["DistributionDomain"].partition(".")[0]
        port = urlsplit(self.s3.meta.endpoint_url).port
        return [
            "data: curl -H 'X-Forwarded-Proto: https' "
            f"http://{label}.cloudfront.localhost:{port}/data/{source}/latest.json"
            for source in sources
        ]

    def close(self) -> None:
        """See `Application.close`: the stack goes on by itself."""


class _LogGroup:
    """The JSON lines of a log group, each once."""

    def __init__(self, logs: Any, name: str) -> None:
        self._logs = logs
        self._name = name
        self._since = int(time.time() * 1000)
        self._seen: set[tuple[str, int, str]] = set()

    def read(self) -> list[dict[str, Any]]:
        """Return the lines since the last time."""
        lines = []
        newest = self._since
        pages = self._logs.get_paginator("filter_log_events").paginate(
            logGroupName=self._name, startTime=self._since
        )
        for event in (event for page in pages for event in page["events"]):
            newest = max(newest, event["timestamp"])
            # A line names its request, so no two are the same.
            identity = (event["logStreamName"], event["timestamp"], event["message"])
            if identity in self._seen:
                continue
            self._seen.add(identity)
            if event["message"].startswith("{"):
                line = json.loads(event["message"])
                if isinstance(line, dict):
                    lines.append(line)
        # Lines may come late; what was seen stays known, so that looking back counts none twice.
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
