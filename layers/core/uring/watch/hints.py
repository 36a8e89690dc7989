"""The hints of a family during a run of the monitor, see `uring.changes.hint`."""

from uring.changes.hint import Hint, Hints, hint_of, hints_key
from uring.changes.registry import WatchedSource
from uring.changes.shard import WHOLE, Shard
from uring.changes.state import SourceState
from uring.objects import Reads, Stored
from uring.runtime.telemetry import Telemetry


class HintBook:
    """The hints of the last run, and the hints of this run.

    A source that is no longer watched, or has no state, loses its hint. Several threads may call
    `learn`, each for another source.

    Attributes:
        key: of the object.
        stored: the object of the last run, or None.
    """

    def __init__(
        self, family: str, objects: Reads, telemetry: Telemetry, shard: Shard = WHOLE
    ) -> None:
        self.key = hints_key(family, shard)
        self.stored: Stored | None = objects.get(self.key)
        before = Hints.read(self.stored.body) if self.stored else Hints()
        if before is None:
            remedy = "it is made again; until then a check reads its state"
            telemetry.problem("memory_damaged", key=self.key, remedy=remedy)
        self._before = before.hints if before else {}
        self._after: dict[str, Hint] = {}

    def keep(self, source: str, etag: str) -> bool:
        """Keep the hint of this version of a state; return False without one."""
        hint = self._before.get(source)
        if hint is None or hint.etag != etag:
            return False
        self._after[source] = hint
        return True

    def learn(self, source: WatchedSource, state: SourceState | None, etag: str) -> None:
        """Make the hint of a state and its ETag; None stands for a corrupt state."""
        hint = hint_of(state, etag, source.heartbeat) if state else Hint(etag=etag)
        self._after[source.id] = hint

    def body(self) -> bytes:
        """Return the JSON of this run's hints; the same hints give the same bytes."""
        return Hints(hints=dict(sorted(self._after.items()))).model_dump_json().encode()
