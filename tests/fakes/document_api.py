"""A seeded store behind the real API, on fakes: what a caller of HTTP sees."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit
from uuid import UUID

from fakes.clock import VirtualClock
from fakes.objects import MemoryBucket
from fakes.ports import MemorySends
from fakes.queues import MemoryQueue
from fakes.tables import MemoryTable
from fakes.telemetry import RecordingTelemetry
from uring.clock import timestamp
from uring.documents.api.app import document_api
from uring.documents.jobs import Jobs
from uring.documents.lock_telemetry import LockTelemetry
from uring.documents.names import Attachment, body_key, derived_id
from uring.documents.store.issues import StoredIssue
from uring.documents.store.policies import PolicyEntry
from uring.locks import Locks
from uring.tables import Write

PAGE = "handbook"
TEXT = "# Leave\n\nEveryone has 25 days — 휴가 25일.\n"


@dataclass(frozen=True)
class Reply:
    """An answer as a caller has it."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> dict[str, Any]:
        """The body."""
        assert len(self.text.encode()) < 1_000_000
        found: dict[str, Any] = json.loads(self.text)
        return found


@dataclass
class ApiWorld:
    """The API over a table, a bucket and a queue in memory."""

    clock: VirtualClock = field(default_factory=VirtualClock)
    table: MemoryTable = field(default_factory=MemoryTable)
    telemetry: RecordingTelemetry = field(default_factory=RecordingTelemetry)
    caller: str = "arn:aws:iam::123456789012:user/editor"

    def __post_init__(self) -> None:
        self.bucket = MemoryBucket(self.clock)
        self.queue = MemoryQueue(self.clock)
        self.locks = Locks(
            self.table,
            now_ms=self.now_ms,
            monotonic=lambda: self.now_ms() / 1000,
            sleep=self.sleep,
            jitter=lambda _, most: most,
            watch=LockTelemetry(self.telemetry),
        )
        self.jobs = Jobs(self.table, MemorySends(self.queue), clock=self.clock)
        self.ids = 0
        self.api = document_api(
            self.table,
            self.bucket,
            self.locks,
            self.jobs,
            self.telemetry,
            clock=self.clock,
            new_id=self.new_id,
            sleep=lambda seconds: self.sleep(seconds),  # noqa: PLW0108 - tests replace `sleep`
            monotonic=lambda: self.clock().timestamp(),
        )

    def now_ms(self) -> int:
        """The time in milliseconds."""
        return int(self.clock().timestamp() * 1000)

    def sleep(self, seconds: float) -> None:
        """Wait in virtual time."""
        self.clock.advance(seconds=seconds)

    def new_id(self) -> str:
        """An id that no job has."""
        self.ids += 1
        return str(UUID(int=self.ids))

    def upload(self, source: str, body: bytes = b"%PDF", page: str = PAGE) -> None:
        """Put an attachment there."""
        self.bucket.write(Attachment(page, source).key, body, "application/pdf")

    def extract(
        self, source: str, text: str = TEXT, language: str = "", **more: Any
    ) -> PolicyEntry:
        """Have the text of an attachment, or a translation of it."""
        head = self.bucket.head(Attachment(PAGE, source).key)
        assert head is not None
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        original = hashlib.sha256(TEXT.encode()).hexdigest() if language else ""
        values = {
            "page": PAGE,
            "source": source,
            "language": language,
            "etag": head.etag,
            "modified": timestamp(self.clock()),
            "created": timestamp(self.clock() + timedelta(seconds=1)),
            "outcome": "text",
            "format": "pdf",
            "body": body_key(PAGE, sha256, "owner"),
            "sha256": sha256,
            "characters": len(text),
            "original_sha256": original,
            **more,
        }
        entry = PolicyEntry.model_validate(values)
        self.bucket.write(entry.body, text.encode(), "text/plain")
        assert self.table.transact(PAGE, [Write(entry.key, entry.item())])
        return entry

    def find(self, name: str = "leave", page: str = PAGE, **more: Any) -> StoredIssue:
        """Have an issue."""
        values = {
            "id": derived_id(page, name),
            "page": page,
            "title": f"{name} is unclear",
            "description": "Two rules differ.",
            "severity": "high",
            "references": [{"source": "leave.pdf", "start": 2, "end": 7, "quote": "Leave"}],
            "created": timestamp(self.clock()),
            "updated": timestamp(self.clock()),
            **more,
        }
        issue = StoredIssue.model_validate(values)
        assert self.table.transact(page, [Write(issue.key, issue.item())])
        return issue

    def get(self, path: str, **headers: str) -> Reply:
        """Ask for something."""
        return self.ask("GET", path, None, headers)

    def post(self, path: str, body: Any, **headers: str) -> Reply:
        """Send something."""
        return self.ask("POST", path, json.dumps(body), headers)

    def ask(
        self, method: str, path: str, body: str | None, headers: dict[str, str] | None = None
    ) -> Reply:
        """Send a request as API Gateway hands it over."""
        given = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        event = http_event(method, path, body, given)
        event["requestContext"]["authorizer"] = {"iam": {"userArn": self.caller}}
        response = self.api.work(event, lambda: 25.0)
        json.dumps(response, ensure_ascii=False).encode()
        return Reply(response["statusCode"], response["headers"], response["body"] or "")


def http_event(
    method: str, target: str, body: str | None, headers: dict[str, str]
) -> dict[str, Any]:
    """Return the event of a request (payload 2.0)."""
    parts = urlsplit(target)
    query = {name: ",".join(values) for name, values in parse_qs(parts.query, True).items()}
    typed = {} if body is None else {"content-type": "application/json"}
    return {
        "version": "2.0",
        "routeKey": "ANY /{proxy+}",
        "rawPath": parts.path,
        "rawQueryString": parts.query,
        "queryStringParameters": query,
        "headers": {**typed, **headers},
        "requestContext": {"http": {"method": method, "path": parts.path}, "stage": "$default"},
        "body": body,
        "isBase64Encoded": False,
    }


def issue_path(issue: StoredIssue, edit: str = "") -> str:
    """The address of an issue, or of an edit of it."""
    path = f"/api/v1/pages/{quote(issue.page)}/issues/{issue.id}"
    return f"{path}/{edit}" if edit else path
