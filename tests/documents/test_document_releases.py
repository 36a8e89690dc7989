"""What the release after this one stores and sends is read, kept and never refused for it (X7)."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes.documents import Office, record

from uring.clock import timestamp
from uring.documents.edits import Author, IssueEditor
from uring.documents.messages import JobMessage
from uring.documents.names import JOBS, PURGED, SYSTEM
from uring.documents.store.issues import IssueStore
from uring.documents.store.items import StoredItem
from uring.errors import MalformedMessage, NewerRelease
from uring.tables import Write

PAGE = "page-1"
LATER = "of the next release"


@pytest.fixture
def office() -> Office:
    """A page with a text, a translation, an analysis and two issues."""
    office = Office()
    office.upload(PAGE, "a", "ISSUE(fees) ISSUE(leave)")
    office.submit(1, PAGE, "issues")
    office.submit(2, PAGE, "policy", source="a", language="en")
    return office


def rewrite(office: Office, partition: str = PAGE, **attributes: Any) -> None:
    """Store every item as the next release does."""
    for key, item in [*office.table.query(partition, "")]:
        office.table.transact(partition, [Write(key, {**item, **attributes})])


def sent(message: JobMessage, **keys: Any) -> dict[str, Any]:
    """A record as the next release sends it."""
    found = record(message)
    found["body"] = json.dumps({**json.loads(found["body"]), **keys})
    return found


def later(office: Office, kind: str) -> set[str]:
    """The keys of a kind that still have the attribute of the next release."""
    return {key for key, item in office.table.query(PAGE, kind) if item.get("later") == LATER}


def test_attributes_of_the_next_release_outlive_what_this_one_writes(office: Office) -> None:
    rewrite(office, later=LATER)
    issues = {each.title: each for each in IssueStore(office.table).all(PAGE)}
    editor = IssueEditor(office.table, office.locks, clock=office.clock)
    editor.annotate(PAGE, issues["fees"].id, "mine", lambda _: True)
    office.clock.advance(10)
    office.upload(PAGE, "a", "Now ISSUE(fees)")
    office.submit(3, PAGE, "issues")
    assert len(later(office, "issue:")) == 2
    assert later(office, "locks") == {"locks"}
    assert len(later(office, "cost:")) == 1


def test_a_job_that_the_next_release_submitted_is_done_and_keeps_its_attributes(
    office: Office,
) -> None:
    message = office.job(3, PAGE, "policies")
    office.jobs.submit(message)
    rewrite(office, JOBS, later=LATER)
    answer = office.worker.run(
        {"Records": [sent(message, later={"any": ["thing"]})]}, time_left=lambda: 900
    )
    assert answer == {"batchItemFailures": []}
    status = office.jobs.read(message.job)
    assert status is not None
    assert status.state == "done"
    item = office.table.get(JOBS, message.job)
    assert item is not None
    assert item["later"] == LATER


def test_a_message_of_a_newer_version_waits_and_is_no_dead_letter(office: Office) -> None:
    message = office.job(3, PAGE, "policies")
    office.jobs.submit(message)
    newer = sent(message, version=3, operation="summarise")
    for _ in range(3):
        answer = office.worker.run({"Records": [newer]}, time_left=lambda: 900)
        assert answer == {"batchItemFailures": [{"itemIdentifier": newer["messageId"]}]}
    assert office.returned.rejected == []
    assert office.returned.deferred[-1][1] >= 900
    assert office.jobs.is_open(message.job)


def test_an_operation_that_nobody_has_is_malformed_in_this_version() -> None:
    with pytest.raises(MalformedMessage):
        JobMessage.parse(
            json.dumps(
                {
                    "version": 1,
                    "job": "00000000-0000-4000-8000-000000000001",
                    "page": PAGE,
                    "operation": "summarise",
                    "submitted_at": "2026-11-22T00:00:00Z",
                }
            )
        )


@pytest.mark.parametrize("kind", ["policy:a", "issue:", "analysis"])
def test_an_item_of_a_newer_schema_is_neither_touched_nor_paid_around(
    office: Office, kind: str
) -> None:
    for key, item in [*office.table.query(PAGE, kind)]:
        office.table.transact(PAGE, [Write(key, {**item, "schema_version": 2})])
    before = dict(office.table.query(PAGE, kind))
    office.clock.advance(10)
    office.upload(PAGE, "a", "Now ISSUE(fees) ISSUE(new)")
    office.queue.send([office.job(3, PAGE, "refresh", source="a", cause="v2")])
    office.work()
    job = office.submit(4, PAGE, "issues")
    status = office.jobs.read(job)
    assert status is not None
    assert status.state == "running"
    assert "deploy" in status.activity
    assert dict(office.table.query(PAGE, kind)) == before
    assert office.returned.rejected == []


def test_a_status_of_a_newer_schema_waits(office: Office) -> None:
    message = office.job(3, PAGE, "policies")
    office.jobs.submit(message)
    rewrite(office, JOBS, schema_version=2)
    with pytest.raises(NewerRelease):
        office.jobs.read(message.job)
    answer = office.worker.run({"Records": [record(message)]}, time_left=lambda: 900)
    assert len(answer["batchItemFailures"]) == 1
    assert office.returned.rejected == []


def test_the_janitor_leaves_a_page_of_a_newer_schema_and_goes_on_with_its_event(
    office: Office,
) -> None:
    rewrite(office, schema_version=2)
    before = dict(office.table.query(PAGE, "policy:"))
    office.clock.advance(days=3)
    at = timestamp(office.clock())
    office.janitor.work({"continue": {"at": at, "after": "", "later": {"x": 1}}}, lambda: 900)
    assert dict(office.table.query(PAGE, "policy:")) == before
    mark = office.table.get(SYSTEM, PURGED)
    assert mark is not None
    assert mark["failed"] == 1


def test_findings_with_keys_of_the_next_release_are_applied(office: Office) -> None:
    office.clock.advance(10)
    office.upload(PAGE, "a", "ISSUE(new)")
    get = office.bucket.get

    def newer(key: str) -> Any:
        stored = get(key)
        if stored is None or b'"title"' not in stored.body:
            return stored
        found = [{**each, "later": {"x": 1}} for each in json.loads(stored.body)]
        return type(stored)(json.dumps(found).encode(), stored.etag)

    office.bucket.get = newer  # type: ignore[method-assign]
    job = office.submit(3, PAGE, "issues")
    status = office.jobs.read(job)
    assert status is not None
    assert status.state == "done"
    assert "new" in {each.title for each in IssueStore(office.table).all(PAGE)}


@pytest.mark.parametrize(
    ("source", "version"), [("Charter_2.1-ko.pdf", 1), ("학칙.pdf", 2), ("a b", 2), (None, 1)]
)
def test_a_name_that_the_release_before_refuses_waits_there_for_this_one(
    source: str | None, version: int
) -> None:
    """That release reads version 1 alone; a message it cannot read would be a dead letter."""
    message = JobMessage(
        job="00000000-0000-4000-8000-000000000001",
        page=PAGE,
        operation="policies" if source is None else "refresh",
        source=source,
        submitted_at=datetime(2026, 11, 27, tzinfo=UTC),
    )
    assert json.loads(message.next_part().body())["version"] == version
    assert JobMessage.parse(message.body()) == message


def test_the_release_before_keeps_the_history_of_an_issue(office: Office) -> None:
    """It knows neither attribute: it writes them back as they are stored."""

    class Before(StoredItem):
        packed = frozenset({"references"})
        references: tuple[Any, ...] = ()

    issue = next(IssueStore(office.table).all(PAGE))
    editor = IssueEditor(office.table, office.locks, clock=office.clock)
    edited = editor.classify(PAGE, issue.id, "low", lambda _: True, Author("arn:x", "k1"))
    item = office.table.get(PAGE, edited.key)
    assert item is not None
    assert Before.read("here", item).item() == item


@pytest.mark.parametrize("values", [{"severity": "critical"}, {"state": "resolved"}, {}])
def test_what_a_person_did_in_the_release_before_is_not_overwritten(
    office: Office, values: dict[str, str]
) -> None:
    """It writes back the attributes that it does not know; only its ``writer`` is another."""
    issue = next(IssueStore(office.table).all(PAGE))
    item = office.table.get(PAGE, issue.key) or {}
    later = {"version": issue.version + 1, "updated": "2026-12-01T00:00:00Z", "writer": "before"}
    office.table.transact(PAGE, [Write(issue.key, {**item, **later, **values})])
    assert not issue.is_touched
    for _ in range(2):
        issue = next(IssueStore(office.table).all(PAGE))
        assert (issue.is_classified, issue.is_touched) == (True, True)
        # An analysis finds its places again, and writes it in this release.
        item = issue.next_version(issue, fence=9, writer="here", now=office.clock()).item()
        office.table.transact(PAGE, [Write(issue.key, item)])


def test_an_issue_that_this_release_alone_has_written_is_no_person_s(office: Office) -> None:
    office.clock.advance(10)
    office.upload(PAGE, "a", "Now ISSUE(fees) ISSUE(leave)")
    office.submit(3, PAGE, "issues")
    for issue in IssueStore(office.table).all(PAGE):
        assert issue.updated != issue.created
        assert (issue.is_classified, issue.is_touched) == (False, False)
