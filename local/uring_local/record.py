"""Where a run stands, so that a killed one can go on where it was.

Kept in two places: ``.uring/runs/{stack}.json`` here (ports and ticks, needed before the stack
answers), and ``local/run.json`` in the bucket (the run's name). They belong together when the names
are equal; otherwise the stack's data are another run's and this record is of no use.
"""

import hashlib
import json
import os
import uuid
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from uring_local.stack import Endpoint

BUCKET_KEY = "local/run.json"


@dataclass(frozen=True)
class RunRecord:
    """A run of the campus on one stack.

    Args:
        run_id: names the run, here and in the bucket.
        seed: of the site's script.
        campus_port: where the site listens; its links carry it.
        fcm_port: where the FCM stand-in listens.
        started_at: the time that tick 1 is scheduled for, ISO 8601.
        tick: the last tick that was begun; 0 before the first.
        last: the tick to end with; 0 for none.
        finished: whether that end was reached.
        resumed: how often it was taken up again; it moves the ticks' scheduled minute, because the
            queue remembers the jobs of the tick that was cut short.
    """

    run_id: str
    seed: int
    campus_port: int
    fcm_port: int
    started_at: str
    tick: int = 0
    last: int = 0
    finished: bool = False
    resumed: int = 0

    @classmethod
    def fresh(cls, seed: int, campus_port: int, fcm_port: int, started_at: datetime) -> Self:
        """A run that has not begun."""
        return cls(uuid.uuid4().hex, seed, campus_port, fcm_port, started_at.isoformat())

    def advanced(self, **changes: Any) -> Self:
        """A copy with these fields changed."""
        return replace(self, **changes)


class RecordFile:
    """The record of the last run on a stack.

    Args:
        endpoint: the stack's addresses name the file.
        home: the folder that holds ``runs``.
    """

    def __init__(self, endpoint: Endpoint, stack_name: str, home: Path) -> None:
        addresses = sorted(
            value
            for name, value in endpoint.environment.items()
            if name.startswith("AWS_ENDPOINT_URL")
        )
        name = hashlib.sha256(" ".join([*addresses, stack_name]).encode()).hexdigest()[:16]
        self._path = home / "runs" / f"{name}.json"

    @property
    def deliveries(self) -> Path:
        """Where the FCM stand-in keeps what it delivered."""
        return self._path.with_suffix(".fcm.jsonl")

    def load(self) -> RunRecord | None:
        """The record, or None when there is none that can be read."""
        try:
            return RunRecord(**json.loads(self._path.read_text()))
        except (OSError, ValueError, TypeError):
            return None

    def forget(self) -> None:
        """Remove the record and its deliveries: they are of data that are gone."""
        for path in (self._path, self.deliveries):
            path.unlink(missing_ok=True)
        self._path.parent.mkdir(parents=True, exist_ok=True)

    def save(self, record: RunRecord) -> None:
        """Replace the record in one step."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_suffix(".new")
        draft.write_text(json.dumps(asdict(record)))
        os.replace(draft, self._path)  # noqa: PTH105 - the atomic one


def belongs(s3: Any, bucket: str, record: RunRecord) -> bool:
    """Whether the data in this bucket are of that run."""
    try:
        body = s3.get_object(Bucket=bucket, Key=BUCKET_KEY)["Body"].read()
        return bool(json.loads(body).get("run_id") == record.run_id)
    except (s3.exceptions.NoSuchKey, s3.exceptions.NoSuchBucket, ValueError):
        return False
