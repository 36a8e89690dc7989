"""The common wiring of orchestrators: a schedule's ticks become a family's jobs.

It does not load the modules of a check.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from pydantic import Field

from uring.changes.hinting import CurrentHints
from uring.changes.jobs import Hinting, Orchestrator, Planned, Ticks
from uring.changes.shard import WHOLE, Shard
from uring.functions import families
from uring.functions.parts import Parts
from uring.runtime.invocation import Work, ticking
from uring.runtime.settings import BaseSettings, Name
from uring.sources.entry import E
from uring.sources.plan import CadenceOf, EntriesPlan, uniform

_NONE: Final[Mapping[str, str]] = MappingProxyType({})


class TickSettings(BaseSettings):
    """The common settings of all orchestrators."""

    work_queue_url: Name
    tick_minutes: int = Field(ge=1, le=1440)

    @property
    def ticks(self) -> Ticks:
        """The schedule."""
        return Ticks(self.tick_minutes)


class EntriesTickSettings(TickSettings):
    """Settings of an orchestrator that reads its sources from a file in the bucket."""

    data_bucket: Name
    config_key: Name


def orchestrator(
    name: str,
    settings: TickSettings,
    plan: Callable[[], Sequence[Planned]],
    parts: Parts,
    hints: Hinting | None = None,
) -> Work:
    """Return the work of an orchestrator: it turns a schedule's ticks into the family's jobs."""
    return ticking(
        Orchestrator(
            name,
            plan,
            parts.work_queue(settings.work_queue_url),
            parts.telemetry,
            ticks=settings.ticks,
            hints=hints,
        ).tick
    )


def entries_orchestrator(
    name: str,
    model: type[E],
    what: str,
    settings: EntriesTickSettings,
    parts: Parts,
    *,
    beside: Mapping[str, str] = _NONE,
    rhythm: CadenceOf[E] = uniform,
    shard: Shard = WHOLE,
) -> Work:
    """Return the work of an orchestrator whose sources are listed in a configuration file.

    Args:
        name: of the family.
        model: of an entry.
        what: the file in words.
        settings: of the function.
        parts: of the function.
        beside: see `EntriesPlan`.
        rhythm: see `EntriesPlan`.
        shard: of the family.
    """
    objects, registered = parts.bucket(settings.data_bucket), families.family(name)
    plan = EntriesPlan(
        objects,
        parts.telemetry,
        config_key=settings.config_key,
        model=model,
        key=registered.config,
        what=what,
        taken=families.folders_beside(name),
        beside=beside,
        rhythm=rhythm,
        shard=shard,
    )
    hints = CurrentHints(objects, name, shard) if registered.has_hints else None
    return orchestrator(name, settings, plan, parts, hints)
