"""The janitor's round: the dead go after a day, nothing that lives, and one page keeps no other."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from fakes.documents import Office

from uring.clock import timestamp
from uring.documents.janitor.janitor import Janitor
from uring.documents.janitor.pages import PageSweeper
from uring.documents.names import GONE, JOBS, PURGED, SYSTEM, bodies
from uring.documents.store.issues import IssueStore
from uring.errors import MalformedMessage, Unavailable
from uring.locks import Locks, write
from uring.locks.catalogue import KEY as CATALOGUE
from uring.objects import Bucket
from uring.tables import Table, Write

PAGE = "page-1"


@pytest.fixture
def office() -> Office:
    return Office()


def sweep(office: Office, **more: float) -> dict[str, Any]:
    """A round, some time later."""
    office.clock.advance(**more)
    event = {"time": timestamp(office.clock())}
    return office.janitor.work(event, lambda: 900)


def left(office: Office, page: str = PAGE) -> set[str]:
    """What stays of a page but its accounts."""
    keys = {key for key, _ in office.table.query(page, "") if not key.startswith("cost:")}
    return keys | {each.key for each in office.bucket.list(f"pages/{page}/")}


def texts(office: Office) -> list[str]:
    return [each.key for each in office.bucket.list(bodies(PAGE))]


def analysed(office: Office) -> None:
    office.upload(PAGE, "a", "ISSUE(fees)")
    office.submit(1, PAGE, "issues")


def mark(office: Office) -> Mapping[str, Any]:
    item = office.table.get(SYSTEM, PURGED)
    assert item is not None
    return item


def test_a_page_that_lives_keeps_all_it_has(office: Office) -> None:
    analysed(office)
    before = left(office)
    for _ in range(3):
        sweep(office, days=1)
        office.work()
    assert left(office) == before
    assert len(office.analyst.calls) == 1
    assert office.reader.calls == 1


def test_a_text_that_no_item_names_goes_a_day_after_it_was_written(office: Office) -> None:
    office.upload(PAGE, "a", "one")
    office.submit(1, PAGE, "policy", source="a")
    (first,) = texts(office)
    office.clock.advance(hours=1)
    office.upload(PAGE, "a", "two")
    office.submit(2, PAGE, "policy", source="a")
    sweep(office, hours=22)
    assert len(texts(office)) == 2
    sweep(office, hours=2)
    (second,) = texts(office)
    assert second != first
    assert office.telemetry.counts["BodiesRemoved"] == 1


def test_a_text_written_just_before_its_entry_is_left_alone(office: Office) -> None:
    """A leader writes the text first: the janitor comes between the two."""
    office.upload(PAGE, "a", "one")
    office.bucket.write(f"{bodies(PAGE)}{'0' * 64}.owner", b"new", "text/markdown")
    sweep(office)
    assert len(texts(office)) == 1


def test_a_deleted_page_goes_a_day_after_it_was_seen_to_the_last_item(office: Office) -> None:
    analysed(office)
    office.bucket.remove("pages/page-1/attachments/a")
    sweep(office, days=30)
    assert IssueStore(office.table).get(PAGE, next(IssueStore(office.table).all(PAGE)).id)
    sweep(office, hours=23)
    assert office.table.get(PAGE, GONE) is not None
    sweep(office, hours=2)
    assert office.telemetry.counts["PagesDeleted"] == 1
    sweep(office, days=1)
    assert left(office) == set()
    assert [*office.bucket.folders("pages/")] == []


def test_an_attachment_that_comes_back_within_the_day_keeps_its_page(office: Office) -> None:
    analysed(office)
    office.bucket.remove("pages/page-1/attachments/a")
    sweep(office, days=1)
    office.upload(PAGE, "a", "ISSUE(fees)")
    sweep(office, hours=23)
    office.bucket.remove("pages/page-1/attachments/a")
    sweep(office, hours=2)
    assert [*IssueStore(office.table).all(PAGE)] != []


def test_an_attachment_that_comes_back_under_the_janitor_s_hands_keeps_its_page(
    office: Office,
) -> None:
    analysed(office)
    office.bucket.remove("pages/page-1/attachments/a")
    sweep(office, days=1)
    office.clock.advance(days=1, seconds=1)
    lease = office.locks.acquire(PAGE, (), wait_seconds=0)
    office.waiting = [lambda: office.upload(PAGE, "a", "ISSUE(fees)"), lease.release]
    office.sweeper.sweep(PAGE)
    assert office.waiting == []
    assert [*IssueStore(office.table).all(PAGE)] != []


def test_the_texts_of_a_deleted_page_outlive_its_items(office: Office) -> None:
    """A page is found by its texts: a death in the middle must leave one."""
    analysed(office)
    office.bucket.remove("pages/page-1/attachments/a")
    office.table.transact(PAGE, [Write("analysis", None), Write("policy:a", None)])
    sweep(office, days=2)
    assert texts(office) != []
    for _ in range(3):
        sweep(office, days=2)
    assert left(office) == set()


def test_a_catalogue_that_somebody_uses_stays_and_its_page_with_it(office: Office) -> None:
    office.upload(PAGE, "a", "one")
    office.submit(1, PAGE, "policy", source="a")
    office.bucket.remove("pages/page-1/attachments/a")
    office.submit(2, PAGE, "clear")
    office.clock.advance(days=2)
    lease = office.locks.acquire(PAGE, ("policies",), wait_seconds=0)
    sweep(office)
    assert left(office) > {CATALOGUE}
    assert write(office.table, lease, [Write("policy:a", {"body": "x"})])
    lease.release()


def test_a_new_catalogue_never_counts_from_below_a_removed_one(office: Office) -> None:
    """A page without attachments is swept right after somebody asked for it; clocks differ."""
    office.bucket.plant(f"{bodies(PAGE)}{'0' * 64}.x", b"")
    fast, slow = (
        Locks(office.table, now_ms=lambda skew=skew: office.now_ms() + skew)  # type: ignore[misc]
        for skew in (5_000, -5_000)
    )
    lease = fast.acquire(PAGE, (), wait_seconds=0)
    lease.release()
    office.sweeper.sweep(PAGE)
    newer = slow.acquire(PAGE, (), wait_seconds=0)
    newer.release()
    assert newer.fence > lease.fence
    office.clock.advance(hours=3)
    office.sweeper.sweep(PAGE)
    assert office.table.get(PAGE, CATALOGUE) is None


@pytest.mark.parametrize("key", ["pages/page-1/attachments/", "pages/page-1/attachments/b/a"])
def test_what_is_no_attachment_keeps_no_page_alive(office: Office, key: str) -> None:
    """A console leaves an empty object where a folder was opened."""
    analysed(office)
    office.bucket.plant(key, b"")
    office.bucket.remove("pages/page-1/attachments/a")
    for _ in range(4):
        sweep(office, days=1, hours=1)
    assert left(office) == {key}


@pytest.mark.parametrize("name", ["job", "system", "a b", "-x", "x" * 129, "학칙"])
def test_a_folder_with_a_name_that_no_page_has_is_none(office: Office, name: str) -> None:
    """Jobs have a partition of their own: whoever names a folder so must not have it cleared."""
    office.bucket.plant(f"pages/{name}/x", b"")
    sweep(office)
    office.clock.advance(hours=12)
    message = office.job(1, PAGE, "policies")
    office.jobs.submit(message)
    sweep(office, hours=13)
    assert office.jobs.is_open(message.job)
    assert mark(office)["pages"] == 0
    assert office.table.get(SYSTEM, GONE) is None
    assert office.table.get(JOBS, GONE) is None


def test_an_event_that_was_lost_is_made_up_for(office: Office) -> None:
    analysed(office)
    office.clock.advance(60)
    office.upload(PAGE, "a", "ISSUE(visa)")
    office.upload(PAGE, "b", "ISSUE(rent)")
    sweep(office, days=1)
    office.work()
    issues = {each.title: each.is_stale for each in IssueStore(office.table).all(PAGE)}
    assert issues == {"fees": True, "visa": False, "rent": False}
    assert office.telemetry.counts["AttachmentsMissed"] == 2
    office.bucket.remove("pages/page-1/attachments/b")
    sweep(office, days=1)
    office.work()
    assert {each.source for each in office.policies.store.all(PAGE)} == {"a"}


def test_an_analysis_that_failed_is_made_up_for_the_next_day() -> None:
    """The day's money was spent: one job of that name has ended, a later one has not."""
    office = Office(cap_micros=100)
    analysed(office)
    office.clock.advance(60)
    office.upload(PAGE, "a", "ISSUE(visa)")
    office.queue.send([office.job(2, PAGE, "refresh", source="a", cause="v2")])
    office.work()
    assert len(office.analyst.calls) == 1
    sweep(office, hours=23, minutes=30)
    office.work()
    issues = {each.title: each.is_stale for each in IssueStore(office.table).all(PAGE)}
    assert issues == {"fees": True, "visa": False}


def test_accounts_failures_and_jobs_go_when_they_have_expired(office: Office) -> None:
    analysed(office)
    until_ms = office.now_ms() + 5_000
    office.table.transact(PAGE, [Write("failed:policies/a", {"until_ms": until_ms})])
    sweep(office, minutes=59)
    assert office.table.get(PAGE, "failed:policies/a") is not None
    sweep(office, minutes=2)
    assert office.table.get(PAGE, "failed:policies/a") is None
    assert [*office.table.query(JOBS, "")] != []
    sweep(office, days=1)
    assert [*office.table.query(JOBS, "")] == []
    assert [*office.table.query(PAGE, "cost:")] != []
    sweep(office, days=9)
    assert [*office.table.query(PAGE, "cost:")] == []


@pytest.mark.parametrize(
    ("key", "item"),
    [
        ("policy:a", {"body": 3}),
        ("policy:a", {"source": "a/b", "etag": 7}),
        ("policy:a", {}),
        ("policy:z", {"body": 3}),
        ("policy:z", {}),
        ("analysis", {"texts": "[]"}),
    ],
)
def test_a_malformed_entry_is_made_again_and_costs_the_page_nothing(
    office: Office, key: str, item: Mapping[str, Any]
) -> None:
    analysed(office)
    whole = dict(office.table.query(PAGE, ""))
    office.table.transact(PAGE, [Write(key, item)])
    sweep(office, days=1)
    office.work()
    assert "PagesFailed" not in office.telemetry.counts
    now = dict(office.table.query(PAGE, ""))
    assert "policy:z" not in now
    assert {name for name in now if not name.startswith("cost:")} == {
        name for name in whole if not name.startswith("cost:")
    }
    assert now["analysis"]["inputs"] == now["analysis"]["applied"] == whole["analysis"]["inputs"]
    assert now["policy:a"]["sha256"] == whole["policy:a"]["sha256"]


def test_one_bad_page_keeps_no_other_and_loses_nothing(office: Office) -> None:
    analysed(office)
    office.table.transact(PAGE, [Write("policy:z", {"schema_version": 9})])
    office.upload("page-2", "a", "x")
    before = left(office)
    sweep(office, days=3)
    assert left(office) == before
    assert [each.group for each in office.queue.sent.values() if "refresh" in each.body()] == [
        "page-2"
    ]
    assert office.telemetry.counts["PagesFailed"] == 1
    assert (mark(office)["pages"], mark(office)["failed"]) == (2, 1)


def test_an_entry_whose_source_nobody_can_have_is_no_end_of_the_round(office: Office) -> None:
    analysed(office)
    entry = office.policies.store.get(PAGE, "a")
    assert entry is not None
    odd = entry.model_copy(update={"source": "a/b c"})
    office.table.transact(PAGE, [Write("policy:a/b c", odd.item())])
    office.upload("page-2", "a", "x")
    assert sweep(office, days=1)["is_complete"]
    assert "PagesFailed" not in office.telemetry.counts
    assert office.table.get(PAGE, "policy:a/b c") == odd.item()


def test_a_bug_in_a_sweep_is_no_end_of_the_round(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    for page in (PAGE, "page-2"):
        office.upload(page, "a", "x")
    listed = office.bucket.list

    def broken(prefix: str, after: str = "") -> Iterator[Any]:
        if prefix.startswith(f"pages/{PAGE}/"):
            raise RuntimeError(prefix)
        return listed(prefix, after)

    monkeypatch.setattr(office.bucket, "list", broken)
    assert sweep(office, days=1)["is_complete"]
    assert office.telemetry.counts["PagesFailed"] == 1
    ((_, fields),) = office.telemetry.problems
    assert fields["trace"]


def test_a_page_whose_bucket_does_not_answer_waits_for_the_next_day(office: Office) -> None:
    class Down:
        def __init__(self, inner: Bucket) -> None:
            self._inner = inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self._inner, name)

        def list(self, prefix: str) -> Iterator[Any]:
            if prefix.startswith("pages/page-1/"):
                raise Unavailable(prefix)
            return self._inner.list(prefix)

    office.upload(PAGE, "a", "x")
    office.upload("page-2", "a", "x")
    table: Table = office.table
    down: Any = Down(office.bucket)
    sweeper = PageSweeper(table, down, office.locks, office.queue, clock=office.clock)
    janitor = Janitor(
        table, down, sweeper, office.continued.append, office.telemetry, clock=office.clock
    )
    janitor.work({"time": timestamp(office.clock())}, lambda: 900)
    assert (mark(office)["pages"], mark(office)["failed"]) == (2, 1)


def test_where_the_time_is_over_another_invocation_goes_on_and_the_mark_comes_last(
    office: Office,
) -> None:
    names = [f"page-{number}" for number in range(5)]
    for name in names:
        office.upload(name, "a", "x")
    event: dict[str, Any] = {"time": timestamp(office.clock())}
    seen = []
    for _ in range(10):
        times = iter([900, 900, 0])
        answer = office.janitor.work(event, lambda times=times: next(times))  # type: ignore[misc]
        seen.append(answer["pages"])
        if answer["is_complete"]:
            break
        assert office.table.get(SYSTEM, PURGED) is None
        event = dict(office.continued[-1])
    assert seen == [2, 4, 5]
    assert mark(office)["pages"] == 5
    assert [each.group for each in office.queue.sent.values()] == names


def test_an_invocation_that_is_repeated_does_nothing_twice(office: Office) -> None:
    analysed(office)
    event = {"continue": {"at": timestamp(office.clock()), "after": "page-0", "later": 1}}
    for _ in range(2):
        office.janitor.work(event, lambda: 900)
    assert mark(office)["pages"] == 1


@pytest.mark.parametrize(
    "bad", [None, [], {}, {"at": "today"}, {"at": "2026-11-22T00:00:00"}, {"at": 1, "after": 2}]
)
def test_an_event_that_is_none_of_ours_is_refused(office: Office, bad: Any) -> None:
    with pytest.raises(MalformedMessage):
        office.janitor.work({"continue": bad}, lambda: 900)
    assert office.table.get(SYSTEM, PURGED) is None
