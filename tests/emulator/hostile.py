"""One hostile page in a batch of ten: the built function checks the nine others, in time."""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from fakes import ENTRY, Notice, page_of

from emulator.samples import batches
from emulator.stage import Stage
from emulator.trial import Row, Trial
from uring.contracts import Job
from uring_local.loopback import Answer, LoopbackServer, Request

_GOOD: Final = 9
# What took minutes of CPU by its tags, its attributes, its depth and its comments.
_PAGES: Final[Mapping[str, bytes]] = {
    "tags without an end": b"<html" * 60_000,
    "a row without an end": b"<table>" + b"<tr><td><a href=?no=1" * 14_000,
    "attributes": b"<a " + b"a=b " * 75_000 + b">",
    "depth": b"<table><tr><td>" * 20_000,
}
_HEADERS: Final = {"Content-Type": "text/html; charset=utf-8"}


def hostile(stage: Stage) -> Iterator[Row]:
    """A batch of one hostile and nine good boards, for each kind of hostile page."""
    function = "NoticeWorker"
    good = page_of([Notice(str(number), f"글 {number}") for number in range(1, 21)]).encode()
    for number, (name, page) in enumerate(_PAGES.items()):

        def answer(request: Request, page: bytes = page) -> Answer:
            if request.path == "/robots.txt":
                return Answer(404)
            return Answer(200, page if request.path == "/hostile" else good, _HEADERS)

        with LoopbackServer(answer) as server:
            emulator = stage.another(function, environment={"ALLOWED_PRIVATE_HOSTS": server.host})
            ids = [f"good{number}_{at}" for at in range(_GOOD)]
            messages = [_message(source, f"http://{server.host}/{source}") for source in ids]
            bad = f"bad{number}"
            messages.insert(4, _message(bad, f"http://{server.host}/hostile"))
            (event,) = batches(messages, stage.arn("NoticeQueue"), len(messages))
            trial = Trial(emulator, function, f"nine boards, {name}", [event])
        trial.answers({"batchItemFailures": []})
        for source in ids:
            latest = stage.read(f"data/{source}/latest.json") or {}
            shown = len(latest.get("items", ()))
            trial.expect(shown == 20, f"{source} shows {shown} notices of 20")
        health = (stage.read(f"state/notices/{bad}.json") or {}).get("health", {})
        trial.expect(health.get("status") == "suspect", f"the hostile one is {health}")
        yield trial.row(f"nine checked, the hostile one is suspect: {health.get('reason')}")


def _message(source: str, url: str) -> dict[str, Any]:
    job = Job(
        family="notices",
        source=source,
        scheduled_at=datetime.now(UTC),
        interval_minutes=10,
        entry={**ENTRY, "id": source, "name": source, "url": url},
    )
    return {
        "MessageId": hashlib.sha256(source.encode()).hexdigest()[:36],
        "ReceiptHandle": f"receipt-{source}",
        "Body": job.body(),
        "Attributes": {
            "ApproximateReceiveCount": "1",
            "SentTimestamp": str(int(datetime.now(UTC).timestamp() * 1000)),
            "MessageGroupId": job.group,
            "MessageDeduplicationId": job.job_id,
            "SequenceNumber": "1",
            "SenderId": "AIDAFAKE",
            "ApproximateFirstReceiveTimestamp": "1",
        },
    }
