"""Watches and collected domains to jobs, each with a shard of the domains.

    config/watches.json ─► watch ─► its partition's two newest dates ─► domains ─ by hash ─► shards

A domain is watched once its collection succeeded, and until two dates in a row lack it: the newest
date may still be in progress.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from uring.changes.jobs import Planned, is_due
from uring.objects import Bucket
from uring.runtime.telemetry import Telemetry
from uring.seeds.names import InvalidDomain
from uring.seeds.normalize import extract_registrable_domain
from uring.seeds.partition import PROCESSING, SUCCESS, Partition, is_day
from uring.seeds.registration import ENTRIES, WHAT
from uring.seeds.watch.watch import MOST_DOMAINS, MOST_SHARDS, ShardEntry, Watch
from uring.sources.plan import read_entries, report_refused

_DATES: Final = 2
_DATE: Final = "date="
_DONE: Final = f"domain_metadata.json{SUCCESS}"


class WatchPlan:
    """Reads the watches, and the domains of the due ones, again at each tick.

    Args:
        objects: the bucket.
        config_key: the key of the file of watches.
        taken: folders of ``data/`` that belong to other families, with the families' names.
        tick_minutes: the schedule's period.
    """

    def __init__(
        self,
        objects: Bucket,
        telemetry: Telemetry,
        *,
        config_key: str,
        taken: Mapping[str, str],
        tick_minutes: int,
    ) -> None:
        self._objects = objects
        self._telemetry = telemetry
        self._config_key = config_key
        self._taken = taken
        self._tick_minutes = tick_minutes

    def due(self, scheduled_at: datetime) -> Sequence[Planned]:
        """Return the shards of every watch that is due at this tick.

        Raises:
            Misconfigured: the file does not exist.
            ConfigInvalid: the file as a whole is unreadable.
            Unavailable: S3 failed.
        """
        entries = read_entries(
            self._objects, self._config_key, model=Watch, key=ENTRIES, what=WHAT, taken=self._taken
        )
        report_refused(entries, self._telemetry)
        return [
            planned
            for watch in entries.sources
            if self._is_often_enough(watch)
            and is_due(watch.interval_minutes, scheduled_at, self._tick_minutes)
            for planned in self._shards(watch)
        ]

    def _is_often_enough(self, watch: Watch) -> bool:
        """Return True if the schedule ticks at least as often as the watch is checked."""
        if watch.interval_minutes >= self._tick_minutes:
            return True
        reason = f"the schedule ticks every {self._tick_minutes} minutes"
        self._refuse(watch, reason, f"raise interval_minutes to {self._tick_minutes}")
        return False

    def _shards(self, watch: Watch) -> Sequence[Planned]:
        domains = self._domains(watch)
        if domains is None:
            return ()
        shards: dict[str, list[str]] = {source: [] for source in watch.sources}
        for domain in domains:
            shards[watch.source_of(domain)].append(domain)
        largest = max(map(len, shards.values()))
        if not domains:
            self._telemetry.warning(
                "watch_empty",
                watch=watch.id,
                reason=f"{watch.country}/{watch.category} has no collected domain",
                remedy="collect the partition: uring seeds collect",
            )
            return ()
        if largest > MOST_DOMAINS:
            self._refuse_size(watch, f"a shard has {largest} of its {len(domains)} domains")
            return ()
        return [
            Planned(
                source,
                watch.interval_minutes,
                ShardEntry(watch=watch, domains=tuple(own)).model_dump(mode="json"),
            )
            for source, own in shards.items()
        ]

    def _domains(self, watch: Watch) -> Sequence[str] | None:
        """Return the domains in order; None if there are more than all shards take."""
        most = MOST_DOMAINS * watch.shards
        domains = set[str]()
        refused = set[str]()
        for name in self._collected(watch):
            (domains if _is_domain(name) else refused).add(name)
            # Listing a partition of millions would take a quarter of an hour.
            if len(domains) > most:
                self._refuse_size(watch, f"the partition has more than {most} domains")
                return None
        if refused:
            self._telemetry.warning("folders_skipped", watch=watch.id, folders=len(refused))
        return sorted(domains)

    def _collected(self, watch: Watch) -> Iterator[str]:
        """Yield the folders of the newest dates whose domain was collected."""
        above = f"{PROCESSING}country={watch.country}/category={watch.category}/"
        folders = self._objects.folders(above)
        names = (name.removeprefix(_DATE) for name in folders if name.startswith(_DATE))
        for day in sorted(filter(is_day, names))[-_DATES:]:
            prefix = f"{PROCESSING}{Partition(watch.country, watch.category, day).path}/"
            for listed in self._objects.list(prefix):
                folder, _, file = listed.key.removeprefix(prefix).partition("/")
                if file == _DONE:
                    yield folder

    def _refuse_size(self, watch: Watch, reason: str) -> None:
        self._refuse(
            watch,
            f"{reason}, at most {MOST_DOMAINS} are watched by one",
            f"raise shards in its entry, up to {MOST_SHARDS}, or watch fewer domains",
        )

    def _refuse(self, watch: Watch, reason: str, remedy: str) -> None:
        self._telemetry.problem("watch_refused", watch=watch.id, reason=reason, remedy=remedy)
        self._telemetry.count("EntriesRefused")


def _is_domain(name: str) -> bool:
    """Return True if a folder is named by a registrable domain, for it becomes an address.

    Two labels and the longest suffix are 170 characters: a thousand names fit into a job, and each
    name into the id of a push.
    """
    try:
        return extract_registrable_domain(name) == name
    except InvalidDomain:
        return False
