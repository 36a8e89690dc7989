"""The document store through everything that it does at AWS, over the stand-in for its services.

Two attachments are uploaded, read, translated, analysed and edited; one is removed. A job runs out
of time in its middle, an upload's event is lost, a page is left by its last attachment.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import boto3
from expanded import ROOT
from feeding import REGION, SECONDS, Dwindling, Stage, feed, put, receive, short

from uring.documents.names import Attachment
from uring.runtime.invocation import Function
from uring_local.sites.stage.clock import SimulatedClock
from uring_local.stack.application import schedule_event
from uring_local.stack.inprocess import Context

_PAGE: Final = "handbook"
_FIRST: Final = Attachment(_PAGE, "leave.md")
_SECOND: Final = Attachment(_PAGE, "visa.md")
# Its event is lost.
_UNSEEN: Final = Attachment(_PAGE, "charter.md")
_TEXT: Final = b"# Leave\n\nA term at most. {{issue high: two terms elsewhere}}\n"
_ROUND_SECONDS: Final = 100.0


def exercise_documents(
    stage: Stage, functions: Mapping[str, Function], clock: SimulatedClock
) -> None:
    """Take two attachments in, do all jobs of a page and all requests, then sweep for days."""
    # S3 dates what is uploaded by its own clock.
    clock.move(datetime.now(UTC))
    work = functions["DocumentWorker"]
    for attachment in (_FIRST, _SECOND):
        put(stage, attachment.key, _TEXT)
        functions["DocumentIntake"].handle(
            _event("ObjectCreated:Put", attachment), Context(SECONDS)
        )
    receive(stage, "DocumentQueue", work, short, most=1)
    feed(stage, "DocumentQueue", work, most=1)
    call = _Caller(functions["DocumentApi"])
    # Who lacks a permission gets no further; what is not done then is missed by the comparison.
    with suppress(_CutShortError):
        _ask_for_work(stage, call, work)
        _read_and_edit(call)
        _remove(stage, functions, clock)
        call.post("/jobs", {"operation": "clear"})
        feed(stage, "DocumentQueue", work, most=1)


class _CutShortError(Exception):
    """What was asked for was not done; the function's own lines say why."""


class _Caller:
    """Whoever calls the API, and goes no further without an answer."""

    def __init__(self, api: Function) -> None:
        self._api = api

    def get(self, path: str, *, prefix: str = f"/api/v1/pages/{_PAGE}") -> dict[str, Any]:
        """Ask for something."""
        return self._call("GET", f"{prefix}{path}", None, {})

    def post(self, path: str, body: Mapping[str, Any], etag: str = "") -> dict[str, Any]:
        """Send something."""
        headers = {"if-match": etag} if etag else {}
        return self._call("POST", f"/api/v1/pages/{_PAGE}{path}", json.dumps(body), headers)

    def _call(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str]
    ) -> dict[str, Any]:
        event = json.loads((ROOT / "events/document-api.json").read_text("utf-8"))
        event["requestContext"]["http"] |= {"method": method, "path": path}
        given = {**event, "rawPath": path, "headers": {**event["headers"], **headers}, "body": body}
        answer = self._api.handle(given, Context(SECONDS))
        if answer["statusCode"] // 100 != 2:
            raise _CutShortError(answer["body"])
        document: dict[str, Any] = json.loads(answer["body"])
        return document


def _ask_for_work(stage: Stage, call: _Caller, work: Function) -> None:
    jobs = [
        call.post("/jobs", body)
        for body in (
            {"operation": "policies"},
            {"operation": "policy", "source": _FIRST.source, "language": "en"},
            {"operation": "issues"},
        )
    ]
    # The first runs out of time in its middle, and goes on as a part of its own.
    receive(stage, "DocumentQueue", work, Dwindling, most=1)
    feed(stage, "DocumentQueue", work, most=1)
    for job in jobs:
        found = call.get(f"/jobs/{job['id']}")
        if found["state"] != "done":
            raise _CutShortError(found)


def _read_and_edit(call: _Caller) -> None:
    call.get("/policies")
    call.get(f"/policies/{_FIRST.source}")
    issue = call.get("/issues")["issues"][0]
    call.get(f"/issues/{issue['id']}")
    call.post(f"/issues/{issue['id']}/classify", {"severity": "low"}, f'"v{issue["version"]}"')


def _remove(stage: Stage, functions: Mapping[str, Function], clock: SimulatedClock) -> None:
    """Remove one attachment, then the other; the janitor comes a day after each."""
    sweep, work = functions["DocumentJanitor"], functions["DocumentWorker"]
    _delete(stage, _SECOND)
    event = _event("ObjectRemoved:Delete", _SECOND)
    functions["DocumentIntake"].handle(event, Context(SECONDS))
    feed(stage, "DocumentQueue", work, most=1)
    put(stage, _UNSEEN.key, _TEXT)
    # With less time than it keeps for a page it goes on in an invocation of its own.
    at = clock()
    clock.move(at + timedelta(days=2))
    sweep.handle(schedule_event(clock()), Context(_ROUND_SECONDS))
    sweep.handle(schedule_event(clock()), Context(SECONDS))
    feed(stage, "DocumentQueue", work, most=1)
    for attachment in (_FIRST, _UNSEEN):
        _delete(stage, attachment)
    for day in (4, 6):
        clock.move(at + timedelta(days=day))
        sweep.handle(schedule_event(clock()), Context(SECONDS))


def _event(kind: str, attachment: Attachment) -> dict[str, Any]:
    event: dict[str, Any] = json.loads((ROOT / "events/document-upload.json").read_text("utf-8"))
    (record,) = event["Records"]
    record["eventName"] = kind
    record["s3"]["object"]["key"] = attachment.key
    return event


def _delete(stage: Stage, attachment: Attachment) -> None:
    boto3.client("s3", region_name=REGION).delete_object(
        Bucket=stage.resources.physical_ids["Bucket"], Key=attachment.key
    )
