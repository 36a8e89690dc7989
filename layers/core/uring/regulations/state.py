"""``state/regulations/{registry}.json``: a list of records, with a registry's own attributes."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import ClassVar, Final, Self

from pydantic import Field, ValidationError

from uring.changes.state import OutboxEvent
from uring.clock import Timestamp, parse_timestamp
from uring.contracts import SourceName
from uring.fetch.robots import RobotsDecision
from uring.records.model import RecordState
from uring.regulations.texts.ids import is_text, text_id
from uring.regulations.values import RegulationEntry, SyncMetadata

# Two runs this far apart prove a deletion: `dead-letters retry --now` starts one at any time.
_BETWEEN_RUNS: Final = timedelta(hours=12)


class RegistryState(RecordState):
    """The state of a registry; its records are the regulations, by title.

    Attributes:
        permission: the last decision of robots.txt.
        fingerprint: of the entry that read the state.
        epoch: of that entry.
        accepted_at: the time at which its last epoch began: regulations missing then are accepted
            as gone.
        absent: the missing titles that are not deleted yet, with the time of their first absence.
        texts: by title, the id of the regulation's text, which stays through renames and returns.
        renamed: the new title of a renamed regulation, by its old title.
        last_run: the metadata of the last run, failed ones included.
        is_projected: whether the table shows the last run.
        recheck_day: the last day, in days since 1970, whose share of files was asked for again.
        rechecks: the titles of the last run's share.
    """

    later: ClassVar[frozenset[str]] = RecordState.later | {"recheck_day", "rechecks"}

    permission: RobotsDecision | None = None
    fingerprint: str = ""
    epoch: int = 1
    accepted_at: Timestamp | None = None
    absent: dict[str, Timestamp] = Field(default_factory=dict)
    texts: dict[str, SourceName] = Field(default_factory=dict)
    renamed: dict[str, str] = Field(default_factory=dict)
    last_run: SyncMetadata | None = None
    is_projected: bool = True
    recheck_day: int = 0
    rechecks: tuple[str, ...] = ()

    @property
    def active(self) -> dict[str, RegulationEntry]:
        """The active entries by title."""
        return {item.id: RegulationEntry.model_validate(item.content) for item in self.hot}

    def absent_before(self, now: datetime) -> list[str]:
        """Return the titles that are missing for at least twelve hours."""
        return [
            title
            for title, since in self.absent.items()
            if now - parse_timestamp(since) >= _BETWEEN_RUNS
        ]

    def completed(self) -> Self:
        """See `RecordState.completed`. The archive has the changes of texts, too."""
        new = {item.id: text_id(self.source, item.id, item.first_seen) for item in self.hot}
        return self.replace(
            known={key: known for key, known in self.known.items() if not is_text(key)},
            texts={**new, **self.texts},
            # A title that is missing again has to be missing for twelve hours again.
            absent={},
        )

    @property
    def is_published(self) -> bool:
        """True when the readers' files and the table show this state; its outbox may wait."""
        return super().is_published and self.is_projected

    @property
    def is_news(self) -> bool:
        """See `SourceState.is_news`. The table alone shows a run without a change."""
        return bool(self.outbox) or self.republish

    def published(self, left: Sequence[OutboxEvent]) -> Self:
        """See `SourceState.published`."""
        return super().published(left).replace(is_projected=True)

    def problem(self) -> tuple[str, str] | None:
        """See `SourceState.problem`."""
        if nameless := next((item.id for item in self.hot if item.id not in self.texts), None):
            return "texts", f"does not have {nameless!r}"
        for item in self.hot:
            try:
                entry = RegulationEntry.model_validate(item.content)
            except ValidationError as error:
                field = error.errors(include_url=False, include_input=False)[0]["loc"][0]
                return "hot", f"{item.id!r} has no {field} that is valid"
            if entry.title != item.id:
                return "hot", f"{item.id!r} has the title of another regulation"
        return super().problem()
