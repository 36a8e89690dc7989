"""The record of a run, by which a killed run can continue.

It is kept in two places: ``.uring/runs/{stack}.json`` here (ports and ticks, needed before the
stack answers), and ``local/run.json`` in the bucket (the run's name). They belong together if the
names are equal. Otherwise the stack's data are another run's and this record is useless.
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
# A board with days in the future looks wrong, and a board without recent days looks dead.
_LEAD: Final = timedelta(days=14)


@dataclass(frozen=True)
class RunRecord:
    """A family's run on one stack.

    Args:
        run_id: the name of the run, here and in the bucket.
        seed: of the site's script.
        site_port: of the site; its links contain it.
        fcm_port: of the FCM stand-in.
        tick: the last tick that was begun; 0 before the first.
        last: the tick to end with; 0 for none.
        finished: whether the run has ended as planned.
        opened: the day of tick 1 on the site, ISO 8601.
        scheduled: the scheduled minute of the last tick, ISO 8601; empty before the first.
        repeated: the ticks that were begun again after a kill.
        domains: number of domains of the site, if it has any.
        front_port: of the client's server; only in the record of a run's first family.
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
        """Return the record of a new run, before its first tick."""
        return cls(uuid.uuid4().hex, seed, site_port, fcm_port, opened, domains=domains)

    @staticmethod
    def opening_day() -> str:
        """Return the opening day of a new run, 14 days ago: days on its boards pass faster."""
        return (datetime.now(UTC).date() - _LEAD).isoformat()

    def scheduled_at(self, tick: int, interval: timedelta, now: datetime) -> datetime:
        """Return the scheduled minute of a tick: an interval after the last, and not in the past.

        A tick that was cut short is repeated a minute later, because the queue remembers its jobs.
        """
        earliest = now.replace(second=0, microsecond=0)
        if not self.scheduled:
            return earliest
        after = timedelta(minutes=1) if tick == self.tick else interval
        return max(earliest, datetime.fromisoformat(self.scheduled) + after)

    @property
    def last_finished(self) -> int:
        """The last tick that was not cut short; 0 without one."""
        return self.tick if self.finished else max(0, self.tick - 1)

    def resumed(self) -> Self:
        """Return the record for the next process; an unfinished last tick is noted as repeated."""
        if self.finished or not self.tick or self.tick in self.repeated:
            return self
        return self.advanced(repeated=(*self.repeated, self.tick))

    def advanced(self, **changes: Any) -> Self:
        """Return a copy with the given fields changed."""
        return replace(self, **changes)


class RecordFile:
    """The record of the last run on a stack.

    Args:
        endpoint: its addresses are part of the file's name.
        kind: of the run; kinds with separate data have a file each.
        home: the folder of ``runs``.
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
        """The file of the FCM stand-in's deliveries."""
        return self._path.with_suffix(".fcm.jsonl")

    @property
    def requests(self) -> Path:
        """The file of a site's requests, for sites with a journal."""
        return self._path.with_suffix(".requests.jsonl")

    def load(self) -> RunRecord | None:
        """Return the record; None if it is missing or malformed."""
        try:
            fields = json.loads(self._path.read_text())
            return RunRecord(**{**fields, "repeated": tuple(fields.get("repeated", ()))})
        except (OSError, ValueError, TypeError, AttributeError):
            return None

    def forget(self) -> None:
        """Delete the record and its journals, whose data are gone. Missing files are no error."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # A site may have further journals with the same stem.
        for path in self._path.parent.glob(f"{self._path.stem}.*"):
            path.unlink(missing_ok=True)

    def save(self, record: RunRecord) -> None:
        """Replace the record atomically."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(".new")
        draft.write_text(json.dumps(asdict(record)))
        os.replace(draft, self._path)  # noqa: PTH105 - the atomic one


def run_of(s3: Any, bucket: str) -> str | None:
    """Return the name of the run whose data are in a bucket; None for an empty or missing one.

    A malformed name counts as another run's.
    """
    try:
        body = s3.get_object(Bucket=bucket, Key=BUCKET_KEY)["Body"].read()
        return str(json.loads(body)["run_id"])
    except (s3.exceptions.NoSuchKey, s3.exceptions.NoSuchBucket):
        return None
    except (ValueError, KeyError, TypeError):
        return "another"
