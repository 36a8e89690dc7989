"""``state/regulations/{registry}.json``: a list of records, and what only a registry has."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Self

from pydantic import Field, ValidationError

from uring.changes.state import OutboxEvent
from uring.clock import Timestamp, parse_timestamp
from uring.contracts import SourceName
from uring.fetch.robots import RobotsDecision
from uring.records.model import RecordState
from uring.regulations.values import PolicyEntry, SyncMetadata

# Of the two that prove a deletion: `dead-letters retry --now` starts one at any time.
_BETWEEN_RUNS: Final = timedelta(hours=12)


class RegistryState(RecordState):
    """The state of a registry; its records are the regulations, by title.

    Attributes:
        permission: robots.txt's last word.
        fingerprint: of the entry that the state was read by.
        epoch: of that entry.
        accepted_at: when its last epoch began: what was missing then is accepted as gone.
        absent: titles that were missing in the last complete run, with the time of the first.
        texts: by title, what names the regulation's text through renames and returns.
        renamed: by a title that is gone, the title that its regulation has since.
        last_run: of the last run, whatever its end.
        is_projected: whether the table has the last run.
    """

    permission: RobotsDecision | None = None
    fingerprint: str = ""
    epoch: int = 1
    accepted_at: Timestamp | None = None
    absent: dict[str, Timestamp] = Field(default_factory=dict)
    texts: dict[str, SourceName] = Field(default_factory=dict)
    renamed: dict[str, str] = Field(default_factory=dict)
    last_run: SyncMetadata | None = None
    is_projected: bool = True

    @property
    def active(self) -> dict[str, PolicyEntry]:
        """The active entries by title."""
        return {item.id: PolicyEntry.model_validate(item.content) for item in self.hot}

    def absent_before(self, now: datetime) -> list[str]:
        """Return the titles that were missing on an earlier day."""
        return [
            title
            for title, since in self.absent.items()
            if now - parse_timestamp(since) >= _BETWEEN_RUNS
        ]

    @property
    def is_published(self) -> bool:
        """True when readers and the table have this state, its outbox aside."""
        return super().is_published and self.is_projected

    def published(self, left: Sequence[OutboxEvent]) -> Self:
        """See `SourceState.published`."""
        return super().published(left).replace(is_projected=True)

    def problem(self) -> tuple[str, str] | None:
        """See `SourceState.problem`."""
        if nameless := next((item.id for item in self.hot if item.id not in self.texts), None):
            return "texts", f"does not have {nameless!r}"
        for item in self.hot:
            try:
                entry = PolicyEntry.model_validate(item.content)
            except ValidationError as error:
                field = error.errors(include_url=False, include_input=False)[0]["loc"][0]
                return "hot", f"{item.id!r} has no {field} that is one"
            if entry.title != item.id:
                return "hot", f"{item.id!r} has the title of another"
        return super().problem()
