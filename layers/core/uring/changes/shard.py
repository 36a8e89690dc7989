"""Shards: parts of a family's sources that are dispatched and watched on their own. Pure.

    config/sitemap.json  ``{"shards": ["g", "m"], …}``
      ├─ Shard("", "g")   config/sitemap.json    data/index.json    state/monitor/notices.json
      ├─ Shard("g", "m")  config/sitemap.g.json  data/index.g.json  state/monitor/notices.g.json
      └─ Shard("m", "")   config/sitemap.m.json  data/index.m.json  state/monitor/notices.m.json

A source is in exactly one shard at every time, because one object has all bounds. Its id decides,
in the order of its state's key: by ``{id}.``, so that one listing between two keys has a shard's
states and no others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from uring.errors import MalformedMessage


@dataclass(frozen=True, slots=True)
class Shard:
    """The sources from one bound to another.

    Attributes:
        begin: the first id, which may be of no source; empty: from the first one on. It names the
            shard.
        end: the first id of the next shard; empty: to the last one.
    """

    begin: str = ""
    end: str = ""

    def has(self, source: str) -> bool:
        """Return whether a source is in this shard."""
        at = f"{source}."
        return (not self.begin or at >= f"{self.begin}.") and (not self.end or at < f"{self.end}.")

    @property
    def words(self) -> str:
        """The bounds for people."""
        begin = f"from {self.begin}" if self.begin else ""
        return " ".join(filter(None, (begin, f"before {self.end}" if self.end else "")))

    def key(self, whole: str) -> str:
        """Return the key of its own object: ``data/index.g.json`` of ``data/index.json``."""
        if not self.begin:
            return whole
        stem, _, suffix = whole.rpartition(".")
        return f"{stem}.{self.begin}.{suffix}"

    def event(self, time: str) -> dict[str, Any]:
        """Return the event that starts a function for this shard; ``time`` is the schedule's."""
        return {"time": time, "shard": {"begin": self.begin, "end": self.end}}


WHOLE: Final = Shard()
"""All sources, of a family without shards."""


def shards_between(bounds: Sequence[str]) -> tuple[Shard, ...]:
    """Return the shards of these bounds, in order; the first one begins with the first source."""
    return tuple(Shard(begin, end) for begin, end in pairwise(("", *bounds, "")))


def is_ascending(bounds: Sequence[str]) -> bool:
    """Return whether the bounds are in order, each once."""
    return all(f"{one}." < f"{next_one}." for one, next_one in pairwise(bounds))


def shard_of(event: Mapping[str, Any]) -> Shard | None:
    """Return the shard of an event; None for a schedule's own event, which names none.

    Raises:
        MalformedMessage: its ``shard`` is malformed.
    """
    if (said := event.get("shard")) is None:
        return None
    fields = said if isinstance(said, Mapping) else {}
    begin, end = fields.get("begin"), fields.get("end")
    if not (isinstance(begin, str) and begin and isinstance(end, str)):
        raise MalformedMessage(
            f'event: shard: {ascii(said)[:80]} is not {{"begin": "g", "end": "m"}}; leave it out: '
            "the function sends its event on for each shard"
        )
    return Shard(begin, end)
