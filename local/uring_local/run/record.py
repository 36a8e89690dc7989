"""The record of a run, so that a killed one can go on where it was.

Kept in two places: ``.uring/runs/{stack}.json`` here (ports and ticks, needed before the stack
answers), and ``local/run.json`` in the bucket (the run's name). They belong together when the names
are equal; otherwise the stack's data are another run's and this record is of no use.
"""

import hashlib
import json
import os
import uuid
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self

from uring_local.stack.stack import Endpoint

BUCKET_KEY: Final = "local/run.json"
# A board that shows days to come looks wrong, and one that shows none of late looks dead.
_LEAD: Final = timedelta(days=14)


@dataclass(frozen=True)
class RunRecord:
    """A family's run on one stack.

    Args:
        run_id: names the run, here and in the bucket.
        seed: of the site's script.
        site_port: where the site listens; its links carry it.
        fcm_port: where the FCM stand-in listens.
        tick: the last tick that was begun; 0 before the first.
        last: the tick to end with; 0 for none.
        finished: whether that end was reached.
        opened: the day of tick 1 on the site, ISO 8601.
        scheduled: the minute that the last tick was scheduled for, ISO 8601; empty before it.
        repeated: the ticks that were begun again after a kill.
        domains: how many the site has, where it has any.
        front_port: where the client is served, of the first family of a run.
    """

    run_id: str
    seed: int
    site_port: int
    fcm_port: int
    opened: str
    tick: int = 0
    last: int = 0
    finished: bool = False
    scheduled: str = ""
    repeated: tuple[int, ...] = ()
    domains: int = 0
    front_port: int = 0

    @classmethod
    def fresh(cls, seed: int, site_port: int, fcm_port: int, opened: str, domains: int = 0) -> Self:
        """Return a run that has not begun."""
        return cls(uuid.uuid4().hex, seed, site_port, fcm_port, opened, domains=domains)

    @staticmethod
    def opening_day() -> str:
        """Return the day of a fresh run: the days on its boards come faster than real ones."""
        return (datetime.now(UTC).date() - _LEAD).isoformat()

    def scheduled_at(self, tick: int, interval: timedelta, now: datetime) -> datetime:
        """Return the minute of a tick: an interval after the last one, and not in the past.

        A tick that was cut short comes again a minute later, because the queue remembers its jobs.
        """
        earliest = now.replace(second=0, microsecond=0)
        if not self.scheduled:
            return earliest
        after = timedelta(minutes=1) if tick == self.tick else interval
        return max(earliest, datetime.fromisoformat(self.scheduled) + after)

    def resumed(self) -> Self:
        """Return the record of a process that goes on with this run, its last tick again if cut."""
        if self.finished or not self.tick or self.tick in self.repeated:
            return self
        return self.advanced(repeated=(*self.repeated, self.tick))

    def advanced(self, **changes: Any) -> Self:
        """Return a copy with these fields changed."""
        return replace(self, **changes)


class RecordFile:
    """The record of the last run on a stack.

    Args:
        endpoint: the stack's addresses name the file.
        kind: of the run; those whose data are apart have a file each.
        home: the folder that holds ``runs``.
    """

    def __init__(self, endpoint: Endpoint, stack_name: str, kind: str, home: Path) -> None:
        addresses = sorted(
            value
            for name, value in endpoint.environment.items()
            if name.startswith("AWS_ENDPOINT_URL")
        )
        name = hashlib.sha256(" ".join([*addresses, stack_name, kind]).encode()).hexdigest()[:16]
        self._path = home / "runs" / f"{name}.json"

    @property
    def deliveries(self) -> Path:
        """The file in which the FCM stand-in keeps what it delivered."""
        return self._path.with_suffix(".fcm.jsonl")

    @property
    def requests(self) -> Path:
        """The file in which a site keeps what it was asked, if it has to."""
        return self._path.with_suffix(".requests.jsonl")

    def load(self) -> RunRecord | None:
        """Return the record, or None when there is none that can be read."""
        try:
            fields = json.loads(self._path.read_text())
            return RunRecord(**{**fields, "repeated": tuple(fields.get("repeated", ()))})
        except (OSError, ValueError, TypeError, AttributeError):
            return None

    def forget(self) -> None:
        """Remove the record and its journals: they are of data that are gone."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Those of a site's own beside them.
        for path in self._path.parent.glob(f"{self._path.stem}.*"):
            path.unlink(missing_ok=True)

    def save(self, record: RunRecord) -> None:
        """Replace the record in one step."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(".new")
        draft.write_text(json.dumps(asdict(record)))
        os.replace(draft, self._path)  # noqa: PTH105 - the atomic one


def run_of(s3: Any, bucket: str) -> str | None:
    """Return the name of the run that the data in this bucket are of; None without one."""
    try:
        body = s3.get_object(Bucket=bucket, Key=BUCKET_KEY)["Body"].read()
        return str(json.loads(body)["run_id"])
    except (s3.exceptions.NoSuchKey, s3.exceptions.NoSuchBucket):
        return None
    except (ValueError, KeyError, TypeError):
        return "another"
