"""A run of `uring deploy`: its stage, its answers, and the stack as it is and as it will be."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import boto3

from uring.clock import system_clock
from uring.errors import Misconfigured
from uring_local.build.build import build
from uring_local.build.sam import Progress, silent
from uring_local.deploy.stage import SamStage
from uring_local.doctor.finding import Diagnosis
from uring_local.doctor.subject import Subject
from uring_local.stack.describe import StackDescription


@contextmanager
def _unseen(_first: str) -> Iterator[Progress]:
    yield silent


@dataclass(frozen=True)
class PlannedSubject(Subject):
    """A stack as its stage will make it, for the doctor's checks before there is one.

    Args:
        stage: with the parameters.
    """

    stage: SamStage | None = None

    @cached_property
    def description(self) -> StackDescription:
        """The parameters of the stage; no outputs and no status."""
        return StackDescription(self.stage.values if self.stage else {}, {})


@dataclass(frozen=True)
class DeployPlan:
    """What a run needs.

    Args:
        stage: to deploy.
        ask: asks a person, and returns True for yes; raises Misconfigured where nobody can answer.
        sitemap: the list of boards to upload; None for the project's, where the stack has none.
        endpoint: the address of a stack in place of AWS; empty for AWS.
        working: shows the steps of a long action.
        session: makes clients, as ``boto3.Session`` does.
        clock: returns the current time.
        pause: waits for seconds.
        built: returns the build for an architecture and a runtime.
        template: returns the template that is deployed of a build.
    """

    stage: SamStage
    ask: Callable[[str], bool]
    sitemap: Path | None = None
    endpoint: str = ""
    working: Callable[[str], AbstractContextManager[Progress]] = _unseen
    session: Any = field(default_factory=boto3.Session)
    clock: Callable[[], datetime] = system_clock
    pause: Callable[[float], None] = time.sleep
    built: Callable[..., Path] = build
    template: Callable[[Path], Path] = lambda built: built / "template.yaml"

    @property
    def stack(self) -> str:
        """The stack's name."""
        return self.stage.stack

    @property
    def subject(self) -> Subject:
        """The stack as it is now."""
        return Subject(self.stack, self.session, self.clock)

    @property
    def planned(self) -> PlannedSubject:
        """The stack as it will be."""
        return PlannedSubject(self.stack, self.session, self.clock, self.stage)

    def description(self) -> StackDescription | None:
        """Return the present stack; None before its first deployment.

        Raises:
            Misconfigured: access is denied, or no credentials.
            Unavailable: CloudFormation did not answer.
        """
        try:
            return self.subject.description
        except Misconfigured as error:
            if str(error).startswith("there is no stack"):
                return None
            raise

    @property
    def poll_seconds(self) -> float:
        """The seconds between two looks at a stack."""
        return 0.2 if self.endpoint else 5


Step = Callable[[DeployPlan], Iterator[Diagnosis]]
"""Yields the findings of a step; it stops at its first failure."""
