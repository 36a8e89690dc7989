"""The state of a source without a readable version, made from what readers see of it."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from uring.changes.retry import Backoff
from uring.changes.state import Health, SourceState
from uring.clock import system_clock, timestamp
from uring.objects import Bucket
from uring.records.archive import Archive
from uring.records.latest import Latest
from uring.records.model import RecordState
from uring.records.put_back import ShownRecords, rebuilt

FORGET: Final = (
    "delete data/{source}/latest.json to make its next check a first one, which announces nothing"
)
_MONTH: Final = re.compile(r"/([0-9]{4})([0-9]{2})\.jsonl$")


def made_of_published(bucket: Bucket, model: type[SourceState], source: str) -> SourceState | None:
    """Return the state that ``latest.json`` and the whole archive show; None if that is too little.

    Raises:
        Retryable: S3 failed.
    """
    now = system_clock()
    if not issubclass(model, RecordState):
        return None
    shown = ShownRecords.read(Latest(bucket, backoff=Backoff()).read(source))
    keys = [listed.key for listed in bucket.list(f"data/{source}/archive/")]
    months = [found for key in keys if (found := _MONTH.search(key))]
    if shown is None or not months:
        return None
    year, month = min((int(found[1]), int(found[2])) for found in months)
    since = datetime(year, month, 1, tzinfo=UTC)
    lines = Archive(bucket, backoff=Backoff()).lines(source, since, now + timedelta(days=1))
    first = model(source=source, health=Health(since=timestamp(now)))
    made = rebuilt(first, shown, list(lines))
    return None if made is None or made.problem() else made
