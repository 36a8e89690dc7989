"""Builds the regulation orchestrator."""

from collections.abc import Mapping
from typing import Any

from uring import families
from uring.regulations.registration import ENTRIES, NAME, WHAT
from uring.regulations.source import Registry
from uring.runtime.bootstrap.orchestrator import orchestrator
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry
from uring.sources.plan import EntriesPlan
from uring.sources.settings import EntriesTickSettings


def build(
    environment: Mapping[str, str], *, session: Any = None, telemetry: Telemetry | None = None
) -> Function:
    """Return the regulation orchestrator for this environment.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = EntriesTickSettings.read(environment)
    parts = Parts.of(session, telemetry)
    plan = EntriesPlan(
        parts.objects(settings.data_bucket),
        parts.telemetry,
        config_key=settings.config_key,
        model=Registry,
        key=ENTRIES,
        what=WHAT,
        taken=families.folders_beside(NAME),
    )
    return orchestrator(NAME, settings, plan, parts)
