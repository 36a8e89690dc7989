"""A family as the rest of the house knows it, without its machinery."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from uring.changes.ports import Reads
from uring.changes.state import SourceState


@dataclass(frozen=True, slots=True)
class Watched:
    """A source as the monitor needs it.

    Attributes:
        id: names it in keys and addresses.
        name: for people.
        base_url: of its site, for readers.
        topic: of FCM; empty where its pushes have several.
        interval_minutes: between two checks.
        zone: IANA name of the zone in which its dates are meant.
        remedies: what people are told to do, by the class of a trouble, where the family knows more
            than `uring.watch.status`; ``{id}`` stands for the source.
        heartbeat: how often its last success is written while nothing changes; none: each time.
        topics: of FCM, where its pushes have several.
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


class Registration(Protocol):
    """A family's entry in `uring.functions.families`; importing it loads nothing of the family.

    Attributes:
        name: of the family; its states are ``state/{name}/{source}.json``.
        index_key: of its list in ``data/index.json``.
        folders: of ``data/``, those that belong to it whatever its configuration says.
        has_feeds: whether its sources have Atom and JSON feeds.
        has_hints: whether its sources are recognised without their states (`uring.changes.hint`).
        config: the key of the list of its entries in their file; empty where it has no such file.
    """

    name: str
    index_key: str
    folders: frozenset[str]
    has_feeds: bool
    has_hints: bool
    config: str

    def state(self) -> type[SourceState]:
        """Return the model of its states."""
        ...

    def named(self, source: str) -> Mapping[str, str]:
        """Return what log lines say of a source beside ``family`` and ``source``."""
        ...

    def watched(
        self, environment: Mapping[str, str], objects: Reads, taken: Mapping[str, str]
    ) -> Sequence[Watched]:
        """Return the sources that are to be checked.

        Args:
            environment: of the monitor.
            objects: the bucket.
            taken: folders of ``data/`` that other families have, with their names.

        Raises:
            Misconfigured: a variable or the configuration is missing or wrong.
            ConfigInvalid: the configuration as a whole is unreadable.
        """
        ...
