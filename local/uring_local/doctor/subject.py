"""The examined stack, and the clients for its services."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import boto3
from botocore.config import Config

from uring.aws.errors import translated
from uring.clock import system_clock
from uring.errors import Misconfigured
from uring_local.cost.deployment import Deployment
from uring_local.project import ROOT
from uring_local.stack.describe import StackDescription, describe, resources
from uring_local.template.template import load, parse

# A person waits: a slow service becomes a finding of its own.
_CONFIG: Final = Config(
    connect_timeout=5, read_timeout=20, retries={"mode": "standard", "total_max_attempts": 2}
)


@dataclass(frozen=True)
class Subject:
    """A deployed stack.

    Args:
        stack: its name.
        session: makes clients, as ``boto3.Session`` does.
        clock: returns the current time.
    """

    stack: str
    session: Any = field(default_factory=boto3.Session)
    clock: Callable[[], datetime] = system_clock
    _clients: dict[str, Any] = field(default_factory=dict, init=False, compare=False)

    def client(self, service: str) -> Any:
        """Return a client of a service.

        Raises:
            Misconfigured: no region is set.
        """
        if service not in self._clients:
            with translated(service):
                self._clients[service] = self.session.client(service, config=_CONFIG)
        return self._clients[service]

    @cached_property
    def description(self) -> StackDescription:
        """The stack's status, parameters and outputs; raises as `physical` does."""
        with translated(f"cloudformation:DescribeStacks {self.stack}"):
            return describe(self.client("cloudformation"), self.stack)

    def parameter(self, name: str) -> str:
        """Return a parameter's value; empty if the deployed release has no such parameter."""
        return self.description.parameters.get(name, "")

    def output(self, name: str) -> str:
        """Return an output's value.

        Raises:
            Misconfigured: the stack has no such output.
        """
        try:
            return self.description.outputs[name]
        except KeyError:
            raise Misconfigured(
                f"stack {self.stack} has no output {name}: it belongs to another application or "
                "release; deploy this release"
            ) from None

    def physical(self, kind: str) -> Mapping[str, str]:
        """Return the resources of a type: names or ARNs by logical id.

        Raises:
            Misconfigured: no such stack, or access is denied.
            Unavailable: CloudFormation did not answer.
        """
        return self._resources[kind]

    @cached_property
    def _resources(self) -> Mapping[str, Mapping[str, str]]:
        with translated(f"cloudformation:ListStackResources {self.stack}"):
            return resources(self.client("cloudformation"), self.stack)

    @cached_property
    def deployment(self) -> Deployment:
        """This release's template with the stack's parameters; what it lacks has its default."""
        known = parse(ROOT / "template.yaml")["Parameters"]
        given = {name: each for name, each in self.description.parameters.items() if name in known}
        return Deployment(load(ROOT / "template.yaml", given, self.stack))

    @property
    def is_scheduled(self) -> bool:
        """True unless all schedules are switched off."""
        return self.parameter("ScheduleState") != "DISABLED"
