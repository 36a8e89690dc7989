"""Builds the orchestrator of a family whose sources stand in a configuration file."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from uring import families
from uring.changes.hinting import CurrentHints
from uring.runtime.bootstrap.orchestrator import orchestrator
from uring.runtime.bootstrap.parts import Parts
from uring.runtime.invocation import Function
from uring.runtime.telemetry import Telemetry
from uring.sources.entry import Entry
from uring.sources.plan import EntriesPlan
from uring.sources.settings import EntriesTickSettings

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


def entries_orchestrator(
    name: str,
    model: type[Entry],
    what: str,
    environment: Mapping[str, str],
    *,
    beside: Mapping[str, str] = _NONE,
    session: Any = None,
    telemetry: Telemetry | None = None,
) -> Function:
    """Return the orchestrator for this environment.

    Args:
        name: of the family.
        model: of an entry.
        what: the file in words.
        environment: of the function.
        beside: see `EntriesPlan`.
        session: a boto3 session; None takes the environment's.
        telemetry: None takes Lambda's.

    Raises:
        Misconfigured: a variable is missing or wrong.
    """
    settings = EntriesTickSettings.read(environment)
    parts = Parts.of(session, telemetry)
    objects, registered = parts.objects(settings.data_bucket), families.family(name)
    plan = EntriesPlan(
        objects,
        parts.telemetry,
        config_key=settings.config_key,
        model=model,
        key=registered.config,
        what=what,
        taken=families.folders_beside(name),
        beside=beside,
    )
    hints = CurrentHints(objects, name) if registered.has_hints else None
    return orchestrator(name, settings, plan, parts, hints)
