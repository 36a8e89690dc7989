"""Wires the monitor."""

from collections.abc import Callable, Sequence
from typing import Final

from uring.aws.alerts import SnsAlerts
from uring.changes.registry import Registration, ShardedRegistration, WatchedSource
from uring.changes.shard import WHOLE, Shard
from uring.errors import ConfigInvalid, FetchFailed, Misconfigured
from uring.fetch.request import Request
from uring.functions.families import FAMILIES, family, folders_beside
from uring.functions.parts import Parts
from uring.functions.shards import sharded
from uring.functions.web import WebSettings, fetcher
from uring.runtime.invocation import Work
from uring.runtime.settings import Name, Words
from uring.watch.monitor import Monitor, WatchedFamily
from uring.watch.readers import Ask, ReaderProbe

# Four sources use up its third of a core: bench/README.md.
_AT_ONCE: Final = 4
# A reader's copy is asked for, not its content.
_PATIENCE_SECONDS: Final = 10
_MOST_BYTES: Final = 16_384


class Settings(WebSettings):
    """Settings of the monitor; each family's registration reads its own part.

    ``own_name`` is the function's name, to start itself for each further shard. ``readers_url`` is
    the address of the index for readers; empty without a distribution.
    """

    own_name: Name
    data_bucket: Name
    alarm_topic_arn: Name
    watched_families: Words
    readers_url: str = ""


def wire(settings: Settings, parts: Parts) -> Work:
    """Return the monitor's work.

    Raises:
        Misconfigured: ``watched_families`` has an unknown name.
    """
    objects = parts.bucket(settings.data_bucket)
    names = {family(name).name for name in settings.watched_families}
    watched = [registered for registered in FAMILIES if registered.name in names]
    divided = next((each for each in watched if isinstance(each, ShardedRegistration)), None)

    def shards() -> Sequence[Shard]:
        if divided is None:
            return (WHOLE,)
        try:
            return divided.shards(parts.environment, objects)
        except (ConfigInvalid, Misconfigured):
            # Its sources meet the same error, which must not stop the other families.
            return (WHOLE,)

    def sources(registered: Registration, shard: Shard) -> Callable[[], Sequence[WatchedSource]]:
        taken = folders_beside(registered.name)
        if isinstance(registered, ShardedRegistration):
            return lambda: registered.watched_in(shard, parts.environment, objects, taken)
        return lambda: registered.watched(parts.environment, objects, taken)

    def watched_family(
        registered: Registration, shard: Shard, others: Sequence[Shard]
    ) -> WatchedFamily:
        if registered is divided:
            return WatchedFamily(registered, sources(registered, shard), shard, others)
        return WatchedFamily(registered, sources(registered, WHOLE))

    url = settings.readers_url
    probe = ReaderProbe(url, _asker(settings), objects, parts.telemetry) if url else None

    def work_of(shard: Shard, others: Sequence[Shard]) -> Work:
        # The schedule's own run has all other families, and the readers.
        seen = [each for each in watched if each is divided] if shard.begin else watched
        monitor = Monitor(
            [watched_family(each, shard, others) for each in seen],
            objects,
            SnsAlerts(parts.clients.get("sns"), settings.alarm_topic_arn),
            parts.telemetry,
            clock=parts.clock,
            at_once=_AT_ONCE,
            readers=None if shard.begin else probe,
        )
        return lambda _, time_left: monitor.run(time_left)

    return sharded(work_of, shards, parts.invoker(settings.own_name), parts.telemetry)


def _asker(settings: Settings) -> Ask:
    """Return what asks for the index by HTTPS; unchanged, the answer has no body."""
    client = fetcher(settings)

    def ask(etag: str | None) -> str:
        request = Request(
            url=settings.readers_url,
            etag=etag,
            timeout_seconds=_PATIENCE_SECONDS,
            max_bytes=_MOST_BYTES,
            cut_body=True,
            most_redirects=0,
        )
        try:
            client.fetch(request)
        except FetchFailed as error:
            return error.reason
        return ""

    return ask
