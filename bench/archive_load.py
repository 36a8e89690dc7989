"""Appends to an archive in a process of its own: their CPU and its peak memory are what counts.

The argument is the URL of the stand-in for S3. Question: ``{"source": …, "times": n, "how": …}``
appends so many events, one after the other, and answers the CPU seconds of each, the calls of one,
and the peak memory before and after. ``how`` is ``ours``, or ``one object`` for what appending to a
single object takes: all of it read, searched, and written again.
"""

import re
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import boto3
from lines import answer_all
from measured import cpu_seconds, peak_bytes

from uring.aws.clients import Clients
from uring.aws.objects import S3Bucket
from uring.changes.retry import Backoff
from uring.changes.state import event_id
from uring.clock import timestamp
from uring.notices.item import fields
from uring.records.archive import Archive, line
from uring.records.model import Event

BEGAN: Final = datetime(2024, 3, 1, tzinfo=UTC)
_IDS: Final = re.compile(rb'^\{"event_id":"([^"]*)"', re.MULTILINE)


def event(number: int) -> Event:
    """Return the event of a second of March; its line has 463 bytes, as a Korean board's has."""
    at = timestamp(BEGAN + timedelta(seconds=number))
    return Event(
        event_id=event_id("bench", str(number), 1, "hash"),
        kind="new",
        detected_at=at,
        push=True,
        id=str(100_000 + number),
        revision=1,
        hash="0" * 40,
        first_seen=at,
        content={
            "title": "2024학년도 1학기 장학금 신청 안내",
            "date": "2024-03-04",
            "category": "장학",
            "link": "https://board.example.ac.kr/bbs/example/120/artclView.do?articleNo=100000",
        },
    )


class Appends:
    """Appends to the archives of a bucket."""

    def __init__(self, url: str) -> None:
        session = boto3.Session("bench", "bench", region_name="ap-northeast-2")
        self._clients = Clients(_At(session, url))
        self._objects = S3Bucket(self._clients.get("s3"), "bench")
        self._archive = Archive(self._objects, backoff=Backoff())
        self._number = 2_000_000

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one question."""
        append = self._ours if question["how"] == "ours" else self._one_object
        before = peak_bytes()
        self._clients.calls.take()
        seconds = [self._timed(append, question["source"]) for _ in range(question["times"])]
        return {
            "seconds": seconds,
            "calls": self._clients.calls.take(),
            "peak": peak_bytes(),
            "peak_before": before,
        }

    def _timed(self, append: Callable[[str, Event], None], source: str) -> float:
        self._number += 1
        next_ = event(self._number)
        began = cpu_seconds()
        append(source, next_)
        return cpu_seconds() - began

    def _ours(self, source: str, next_: Event) -> None:
        self._archive.add(source, [next_], fields)

    def _one_object(self, source: str, next_: Event) -> None:
        key = f"data/{source}/archive/{next_.month}.jsonl"
        stored = self._objects.get(key)
        body, etag = (stored.body, stored.etag) if stored else (b"", None)
        if next_.event_id.encode() not in set(_IDS.findall(body)):
            body += line(next_, fields)
            self._objects.put(key, body, if_match=etag, content_type="application/x-ndjson")


class _At:
    """A session whose clients call one URL."""

    def __init__(self, session: Any, url: str) -> None:
        self._session = session
        self._url = url

    def client(self, service: str, **more: Any) -> Any:
        return self._session.client(service, endpoint_url=self._url, **more)


if __name__ == "__main__":
    answer_all(sys.stdout, Appends(sys.argv[1]).answer)
