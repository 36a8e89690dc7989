"""Issues over HTTP: lists, ETags, edits that never overwrite each other."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fakes.document_api import PAGE, ApiWorld, issue_path

from uring.documents.names import ISSUES_LOCK, derived_id
from uring.documents.store.issues import IssueStore
from uring.errors import Unavailable
from uring.tables import Item

PATH = f"/api/v1/pages/{PAGE}/issues"


@pytest.fixture
def world() -> ApiWorld:
    return ApiWorld()


def test_issues_are_listed_all_or_some(world: ApiWorld) -> None:
    world.find("one", severity="low")
    world.find("two", state="resolved", is_stale=True, not_found_twice=True)
    world.find("three", page="other")

    def titles(query: str) -> set[str]:
        return {each["title"].split()[0] for each in world.get(PATH + query).json["issues"]}

    assert titles("") == {"one", "two"}
    assert titles("?state=open") == {"one"}
    assert titles("?state=open&state=resolved") == {"one", "two"}
    assert titles("?severity=high,critical") == {"two"}
    assert titles("?stale=true") == {"two"}
    assert titles("?stale=false&state=resolved") == set()
    assert titles("?not_found_twice=true") == {"two"}
    assert "two" not in titles("?not_found_twice=false")
    assert world.get(f"{PATH}?state=closed").status == 422


def test_a_list_is_read_in_parts(world: ApiWorld) -> None:
    ids = sorted(world.find(str(number)).id for number in range(5))
    first = world.get(f"{PATH}?limit=3").json
    rest = world.get(f"{PATH}?limit=3&after={first['next']}").json
    assert [each["id"] for each in first["issues"] + rest["issues"]] == ids
    assert rest["next"] is None


def test_a_part_reads_what_is_behind_the_part_before(
    world: ApiWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a list that is read in parts to its end would cost the square of its length."""
    read: list[str] = []
    query = world.table.query

    def counting(partition: str, prefix: str, after: str = "") -> Iterator[tuple[str, Item]]:
        for key, item in query(partition, prefix, after):
            read.append(key)
            yield key, item

    for number in range(9):
        world.find(str(number))
    monkeypatch.setattr(world.table, "query", counting)
    after = ""
    for _ in range(3):
        after = world.get(f"{PATH}?limit=3&after={after}").json["next"]
    # Each part looks whether there is another.
    assert (after, len(read)) == (None, 9 + 2)


def test_a_part_of_large_issues_is_shorter(world: ApiWorld) -> None:
    for number in range(60):
        world.find(str(number), notes="\x01" * 20_000)
    first = world.get(f"{PATH}?limit=60").json
    assert 1 <= len(first["issues"]) < 10
    assert first["next"]


def test_an_issue_has_its_version_as_etag(world: ApiWorld) -> None:
    issue = world.find(version=7)
    reply = world.get(issue_path(issue))
    assert (reply.headers["ETag"], reply.json["etag"]) == ('"v7"', '"v7"')
    assert reply.json["transitions"] == ["resolved", "archived"]
    assert world.get(issue_path(issue), if_none_match='"v7"').status == 304
    assert world.get(issue_path(issue), if_none_match='"v6"').status == 200
    gone = world.get(f"{PATH}/{derived_id('x')}")
    assert (gone.status, gone.json["title"]) == (404, "Not Found")


@pytest.mark.parametrize(
    ("edit", "body", "field", "value"),
    [
        ("classify", {"severity": "critical"}, "severity", "critical"),
        ("annotate", {"notes": "**seen** — 확인"}, "notes", "**seen** — 확인"),
        ("transition", {"state": "archived"}, "state", "archived"),
    ],
)
@pytest.mark.parametrize("condition", ['"v1"', '"v0", "v1"', "*"])
def test_an_edit_of_the_version_that_it_names_is_done(
    world: ApiWorld, edit: str, body: dict[str, str], field: str, value: str, condition: str
) -> None:
    issue = world.find()
    world.clock.advance(hours=1)
    reply = world.post(issue_path(issue, edit), body, if_match=condition)
    assert (reply.status, reply.headers["ETag"]) == (200, '"v2"')
    assert reply.json[field] == value
    stored = IssueStore(world.table).get(PAGE, issue.id)
    assert stored is not None
    assert (stored.version, getattr(stored, field)) == (2, value)
    assert stored.updated > stored.created
    assert stored.fence > issue.fence
    assert world.get(issue_path(issue)).json == reply.json


@pytest.mark.parametrize(
    ("condition", "status"),
    [(None, 428), (" ", 400), ('"v0"', 412), ('W/"v1"', 412), ("v1", 400), ('"v1" "v2"', 400)],
)
def test_an_edit_of_another_version_or_of_none_changes_nothing(
    world: ApiWorld, condition: str | None, status: int
) -> None:
    issue = world.find()
    before = dict(world.table.items)
    headers = {} if condition is None else {"if_match": condition}
    reply = world.post(issue_path(issue, "classify"), {"severity": "low"}, **headers)
    assert (reply.status, reply.json["status"]) == (status, status)
    assert world.table.items == before
    if status == 412:
        assert (reply.json["etag"], reply.headers["ETag"]) == ('"v1"', '"v1"')


def test_two_editors_never_overwrite_each_other(world: ApiWorld) -> None:
    issue = world.find()
    first = world.post(issue_path(issue, "annotate"), {"notes": "mine"}, if_match='"v1"')
    second = world.post(issue_path(issue, "annotate"), {"notes": "yours"}, if_match='"v1"')
    assert (first.status, second.status) == (200, 412)
    assert world.get(issue_path(issue)).json["notes"] == "mine"


def test_an_edit_that_comes_first_while_this_one_waits_is_not_overwritten(world: ApiWorld) -> None:
    """The version is compared again under the lock."""
    issue = world.find()
    acquire = world.locks.acquire

    def late(*args: Any, **more: Any) -> Any:
        world.locks.acquire = acquire  # type: ignore[method-assign]
        assert world.post(issue_path(issue, "annotate"), {"notes": "a"}, if_match="*").status == 200
        return acquire(*args, **more)

    world.locks.acquire = late  # type: ignore[method-assign]
    reply = world.post(issue_path(issue, "annotate"), {"notes": "b"}, if_match='"v1"')
    assert reply.status == 412
    assert world.get(issue_path(issue)).json["notes"] == "a"


def test_an_edit_that_changes_nothing_is_no_version(world: ApiWorld) -> None:
    issue = world.find(is_classified=True)
    reply = world.post(issue_path(issue, "classify"), {"severity": "high"}, if_match="*")
    assert (reply.status, reply.headers["ETag"]) == (200, '"v1"')


def test_a_severity_that_a_person_confirms_is_the_person_s(world: ApiWorld) -> None:
    issue = world.find()
    reply = world.post(issue_path(issue, "classify"), {"severity": "high"}, if_match='"v1"')
    assert (reply.status, reply.headers["ETag"]) == (200, '"v2"')
    stored = IssueStore(world.table).get(PAGE, issue.id)
    assert stored is not None
    assert stored.is_classified


@pytest.mark.parametrize(
    ("state", "to", "allowed"),
    [
        ("archived", "resolved", ["open"]),
    ],
)
def test_an_illegal_transition_names_the_legal_ones(
    world: ApiWorld, state: str, to: str, allowed: list[str]
) -> None:
    issue = world.find(state=state)
    reply = world.post(issue_path(issue, "transition"), {"state": to}, if_match='"v1"')
    assert (reply.status, reply.json["allowed"]) == (409, allowed)
    assert f"cannot become {to}" in reply.json["detail"]
    assert world.get(issue_path(issue)).json["version"] == 1


def test_an_issue_that_others_work_on_is_locked(world: ApiWorld) -> None:
    issue = world.find()
    lease = world.locks.acquire(PAGE, ISSUES_LOCK, wait_seconds=0, what="apply")
    world.clock.advance(seconds=20)
    reply = world.post(issue_path(issue, "classify"), {"severity": "low"}, if_match="*")
    assert (reply.status, reply.headers["Retry-After"]) == (423, "10")
    assert reply.json["holder"] == "apply"
    assert world.telemetry.counts["LockTimeouts"] == 1
    assert 20 <= reply.json["age_seconds"] <= 30
    lease.release()
    reply = world.post(issue_path(issue, "classify"), {"severity": "low"}, if_match="*")
    assert reply.status == 200


def test_an_edit_whose_answer_was_lost_is_known_again(world: ApiWorld) -> None:
    """DynamoDB says no to the second try of what was written."""
    issue = world.find()
    transact = world.table.transact

    def twice(partition: str, parts: Any) -> bool:
        done = transact(partition, parts)
        return transact(partition, parts) if parts[0].key == issue.key else done

    world.table.transact = twice  # type: ignore[method-assign]
    reply = world.post(issue_path(issue, "classify"), {"severity": "low"}, if_match='"v1"')
    assert (reply.status, reply.json["severity"], reply.headers["ETag"]) == (200, "low", '"v2"')


def test_an_edit_by_whoever_has_no_lock_is_not_overwritten(world: ApiWorld) -> None:
    issue = world.find()
    transact = world.table.transact

    def late(partition: str, parts: Any) -> bool:
        if parts[0].key == issue.key and parts[0].item["severity"] == "low":
            world.find(version=2, notes="by hand")
        return transact(partition, parts)

    world.table.transact = late  # type: ignore[method-assign]
    reply = world.post(issue_path(issue, "classify"), {"severity": "low"}, if_match='"v1"')
    assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
    assert world.get(issue_path(issue)).json["notes"] == "by hand"


def test_a_service_that_does_not_answer_is_named_to_nobody(world: ApiWorld) -> None:
    def fail(*_: object) -> None:
        raise Unavailable("dynamodb:TransactWriteItems uring-prod-documents: 503")

    issue = world.find()
    world.table.transact = fail  # type: ignore[method-assign, assignment]
    reply = world.post(issue_path(issue, "classify"), {"severity": "low"}, if_match="*")
    assert reply.status == 503
    assert "uring-prod" not in reply.text


@pytest.mark.parametrize(
    ("edit", "body", "status"),
    [
        ("classify", '{"severity": "grave"}', 422),
        ("classify", "{}", 422),
        ("classify", '{"severity": "low", "state": "open"}', 422),
        ("annotate", json.dumps({"notes": "x" * 20_001}), 422),
        ("annotate", '{"notes": "\\ud800"}', 422),
        ("annotate", '{"notes": null}', 422),
        ("annotate", json.dumps({"notes": "x" * 300_000}), 413),
        ("transition", '{"state": "closed"}', 422),
        ("transition", "{", 400),
    ],
)
def test_a_body_that_is_not_as_declared_changes_nothing(
    world: ApiWorld, edit: str, body: str, status: int
) -> None:
    issue = world.find()
    before = dict(world.table.items)
    reply = world.ask("POST", issue_path(issue, edit), body, {"if-match": "*"})
    assert (reply.status, reply.json["status"]) == (status, status)
    assert world.table.items == before


def test_an_edit_of_what_is_not_there_makes_no_locks(world: ApiWorld) -> None:
    path = f"/api/v1/pages/nobody/issues/{derived_id('x')}/classify"
    assert world.post(path, {"severity": "low"}, if_match="*").status == 404
    assert not world.table.items
