"""Reads the objects of a source, and writes what a repair has rebuilt.

    1 copy of a broken memory      each step may be repeated by a second repair,
    2 memory                       and a check that runs meanwhile is never overwritten
    3 copy of the state
    4 state, if it is still the one that was judged: the repair

The copies are objects of their own, although the bucket is versioned: earlier versions go after 30
days, and not every bucket keeps them. They are named by what is in them, so that a repair that is
repeated makes no second one.
"""

import hashlib
from datetime import datetime

from pydantic import TypeAdapter

from uring.changes.ports import Stored
from uring.changes.register import JSON, Register, Superseded, Version
from uring.changes.retry import Backoff
from uring.clock import Clock
from uring.errors import CorruptState, PreconditionFailed, UringError
from uring.records.model import Known
from uring_local.operate.bucket import Bucket
from uring_local.operate.state_check import Objects, Report, judge

_SEEN = TypeAdapter(dict[str, Known])


class Overtaken(UringError):
    """A check wrote while the repair was under way; nothing of it was overwritten."""


def examine(bucket: Bucket, family: str, source: str, *, now: datetime) -> Report:
    """Read everything there is of a source and judge it.

    Raises:
        CorruptState: there is nothing of this source.
        Unavailable: no answer.
        Misconfigured: no such bucket, or no permission.
    """
    state_key = f"state/{family}/{source}.json"
    # The state first: what is published later is part of it then, or its write is refused.
    state = bucket.get(state_key)
    months = {key: bucket.get(key) for key in bucket.keys(f"data/{source}/archive/")}
    objects = Objects(
        source=source,
        family=family,
        state=state,
        seen=bucket.get(f"state/{family}/{source}.seen.json"),
        hot=bucket.get(f"data/{source}/latest.json"),
        months={key: stored.body for key, stored in months.items() if stored},
    )
    if state is None and not objects.months and objects.hot is None:
        raise CorruptState(
            f"the bucket has nothing of {source!r} in {family}; name a source as in the sitemap, "
            "or wait for its first check"
        )
    report = judge(objects, now)
    if state is not None and report.found.pending is None:
        return judge(objects, now, earlier=bucket.earlier(state_key))
    return report


def repair(bucket: Bucket, report: Report, *, clock: Clock, backoff: Backoff) -> list[str]:
    """Write what was rebuilt; the keys that were written, in order.

    Raises:
        Overtaken: a check wrote meanwhile; examine again.
        Retryable: no clear answer; doing it again is safe.
    """
    objects, rebuilt = report.objects, report.rebuilt
    assert rebuilt is not None, "there is nothing to write"  # noqa: S101
    register = Register(bucket, objects.family, clock=clock, backoff=backoff)
    written = []
    try:
        if report.found.seen is None and objects.seen is not None:
            written += _keep(bucket, objects.seen_key, objects.seen)
            body = _SEEN.dump_json(dict(rebuilt.seen))
            bucket.put(objects.seen_key, body, if_match=objects.seen.etag, content_type=JSON)
            written.append(objects.seen_key)
        elif rebuilt.seen != report.found.seen:
            register.remember(objects.source, rebuilt.seen)
            written.append(objects.seen_key)
        if objects.state is not None:
            written += _keep(bucket, objects.state_key, objects.state)
        etag = objects.state.etag if objects.state else None
        register.write(Version(rebuilt.state, etag), rebuilt.state)
    except (Superseded, PreconditionFailed) as error:
        raise Overtaken(
            f"{objects.source}: a check wrote meanwhile and nothing of it was overwritten; "
            "look again with `uring state show`"
        ) from error
    return [*written, objects.state_key]


def broken_key(key: str, body: bytes) -> str:
    """Where the copy of a broken object lies: beside it, named by its bytes."""
    return f"{key}.broken-{hashlib.sha256(body).hexdigest()[:12]}"


def _keep(bucket: Bucket, key: str, broken: Stored) -> list[str]:
    copy = broken_key(key, broken.body)
    if bucket.get(copy) is not None:
        return []
    try:
        bucket.put(copy, broken.body, if_match=None, content_type="application/octet-stream")
    except PreconditionFailed:
        # Another repair, or the answer to an earlier try of this call got lost.
        return []
    return [copy]
