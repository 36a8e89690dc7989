"""The description of a family for the rest of the library, without its machinery."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol, runtime_checkable

from uring.changes.shard import Shard
from uring.changes.state import SourceState
from uring.objects import Reads


@dataclass(frozen=True, slots=True)
class WatchedSource:
    """A source as the monitor needs it.

    Attributes:
        id: names it in keys and addresses.
        name: for people.
        base_url: of its site, for readers.
        topic: its FCM topic; empty if its pushes have several.
        interval_minutes: between two checks.
        zone: IANA name of the time zone of its dates.
        remedies: by the class of a trouble, the remedy shown to people if the family has a better
            one than `uring.watch.status`; ``{id}`` stands for the source.
        heartbeat: how often its last success is written while nothing changes; 0: each time.
        topics: its FCM topics, if its pushes have several.
        rhythm: returns the minutes between two checks at a time (aware); None: the interval at all
            hours.
        college: the part of the institution that it belongs to, for readers; empty for none.
    """

    id: str
    name: str
    base_url: str
    topic: str
    interval_minutes: int
    zone: str
    remedies: Mapping[str, str] = field(default_factory=dict)
    heartbeat: timedelta = timedelta()
    topics: Sequence[str] = ()
    rhythm: Callable[[datetime], int] | None = None
    college: str = ""


DeadlineReader = Callable[[Mapping[str, str | None], str, str], Mapping[str, str] | None]
"""Returns the deadline of a record: ``date``, ``confidence``, perhaps ``time`` and ``from``.

Its arguments are the record's content, its first sight (RFC 3339) and the zone of its source. None
for a record without a deadline.
"""


class Registration(Protocol):
    """A family's entry in `uring.functions.families`; importing it does not load the family.

    Attributes:
        name: of the family; its states are ``state/{name}/{source}.json``.
        index_key: the key of its list in ``data/index.json``.
        view: the client's view of its list: ``notices``, ``regulations``, ``weather``, ``watches``,
            or ``items``, which shows titles, dates and links of any record.
        word: the name of its list for readers, in Korean (``ko``) and English (``en``).
        folders: the folders of ``data/`` that belong to it under any configuration.
        has_feeds: whether its sources have Atom and JSON feeds.
        has_hints: whether its sources are recognised without their states (`uring.changes.hint`).
        config: the key of the list of entries in its configuration file; empty without a file.
    """

    name: str
    index_key: str
    view: str
    word: Mapping[str, str]
    folders: frozenset[str]
    has_feeds: bool
    has_hints: bool
    config: str

    @property
    def deadline(self) -> DeadlineReader | None:
        """Its reader of deadlines, for a calendar beside the feeds; None without deadlines."""
        ...

    def state(self) -> type[SourceState]:
        """Return the model of its states."""
        ...

    def named(self, source: str) -> Mapping[str, str]:
        """Return the fields that log lines of a source have beside ``family`` and ``source``."""
        ...

    def watched(
        self, environment: Mapping[str, str], objects: Reads, taken: Mapping[str, str]
    ) -> Sequence[WatchedSource]:
        """Return the sources to check.

        Args:
            environment: of the monitor.
            objects: the bucket.
            taken: folders of ``data/`` that belong to other families, by folder the family's name.

        Raises:
            Misconfigured: a variable or the configuration is missing or wrong.
            ConfigInvalid: the configuration as a whole is unreadable.
        """
        ...


@runtime_checkable
class ShardedRegistration(Registration, Protocol):
    """A family whose sources may be divided, see `uring.changes.shard`."""

    def shards(self, environment: Mapping[str, str], objects: Reads) -> Sequence[Shard]:
        """Return its shards, in order; one, `WHOLE`, of an undivided family.

        Raises:
            Misconfigured: a variable or the configuration is missing or wrong.
        """
        ...

    def watched_in(
        self,
        shard: Shard,
        environment: Mapping[str, str],
        objects: Reads,
        taken: Mapping[str, str],
    ) -> Sequence[WatchedSource]:
        """Return the sources of a shard; see `watched`, also for the errors."""
        ...
