"""The jobs of the document store: each thing once, the rest of a page left alone (D2, D4, D11)."""

import pytest
from fakes.documents import PIECE_MICROS, Office

from uring.documents.names import policy_key
from uring.documents.store.analysis import stored_analysis
from uring.documents.store.issues import IssueStore, StoredIssue
from uring.tables import Write

PAGE = "page-1"


@pytest.fixture
def office() -> Office:
    return Office()


def issues(office: Office) -> dict[str, StoredIssue]:
    return {issue.title: issue for issue in IssueStore(office.table).all(PAGE)}


def text(office: Office, source: str, language: str = "") -> str:
    entry = office.policies.store.get(PAGE, source, language)
    assert entry is not None
    return office.policies.store.text(entry)


def test_an_attachment_is_extracted_once_a_version(office: Office) -> None:
    office.upload(PAGE, "a", "one")
    office.submit(1, PAGE, "policy", source="a")
    office.submit(2, PAGE, "policy", source="a")
    assert office.reader.calls == 1
    assert text(office, "a") == "one"
    office.clock.advance(10)
    office.upload(PAGE, "a", "two")
    office.submit(3, PAGE, "policy", source="a")
    assert office.reader.calls == 2
    assert text(office, "a") == "two"


def test_an_entry_older_than_its_attachment_does_not_hold_even_for_the_same_bytes(
    office: Office,
) -> None:
    office.upload(PAGE, "a", "one")
    office.submit(1, PAGE, "policy", source="a")
    entry = office.policies.store.get(PAGE, "a")
    office.clock.advance(60)
    office.upload(PAGE, "a", "one")
    head = office.policies.head(PAGE, "a")
    assert entry is not None
    assert head is not None
    assert not entry.is_of(head)


def test_a_translation_is_paid_once_and_an_edit_pays_for_what_changed(office: Office) -> None:
    office.upload(PAGE, "a", "one\n\ntwo")
    for number in range(5):
        job = office.submit(number, PAGE, "policy", source="a", language="en")
    assert text(office, "a", "en") == "[en] one\n\n[en] two"
    assert office.translator.calls == ["en:one", "en:two"]
    status = office.jobs.read(job)
    assert status is not None
    assert status.state == "done"
    assert status.cost_micros == 0
    office.clock.advance(10)
    office.upload(PAGE, "a", "one\n\nthree")
    job = office.submit(9, PAGE, "policy", source="a", language="en")
    assert text(office, "a", "en") == "[en] one\n\n[en] three"
    assert office.translator.calls[2:] == ["en:three"]
    status = office.jobs.read(job)
    assert status is not None
    assert status.cost_micros == PIECE_MICROS


def test_a_translation_of_another_original_is_not_published(office: Office) -> None:
    office.upload(PAGE, "a", "one")
    office.submit(1, PAGE, "policy", source="a")

    def change(*_: int) -> None:
        item = {**(office.table.get(PAGE, policy_key("a")) or {}), "sha256": "0" * 64}
        office.table.transact(PAGE, [Write(policy_key("a"), item)])

    whole = office.translator.translate
    office.translator.translate = lambda text, **more: (change(), whole(text, **more))[1]  # type: ignore[method-assign]
    office.jobs.submit(office.job(2, PAGE, "policy", source="a", language="en"))
    assert len(office.work()) == 1
    assert office.policies.store.get(PAGE, "a", "en") is None


def test_an_attachment_without_text_is_told_and_not_read_again(office: Office) -> None:
    office.upload(PAGE, "a", "SCAN")
    office.submit(1, PAGE, "policy", source="a")
    job = office.submit(2, PAGE, "policy", source="a", language="en")
    status = office.jobs.read(job)
    assert status is not None
    assert status.state == "failed"
    assert status.error is not None
    assert status.error["code"] == "NoText"
    assert "a scan" in status.error["detail"]
    assert office.reader.calls == 1
    assert office.translator.calls == []


def test_a_cap_costs_the_job_and_nothing_that_is_stored() -> None:
    office = Office(cap_micros=PIECE_MICROS)
    office.upload(PAGE, "a", "one\n\ntwo")
    job = office.submit(1, PAGE, "policy", source="a", language="en")
    status = office.jobs.read(job)
    assert status is not None
    assert status.error is not None
    assert status.error["code"] == "CapReached"
    assert office.translator.calls == ["en:one"]
    office.clock.advance(days=1)
    office.submit(2, PAGE, "policy", source="a", language="en")
    assert office.translator.calls == ["en:one", "en:two"]
    assert text(office, "a", "en") == "[en] one\n\n[en] two"


def test_a_changed_policy_makes_its_issues_stale_and_is_analysed_again_once(
    office: Office,
) -> None:
    office.upload(PAGE, "a", "ISSUE(fees) and ISSUE(leave)")
    office.upload(PAGE, "b", "ISSUE(visa)")
    office.submit(1, PAGE, "issues")
    assert set(issues(office)) == {"fees", "leave", "visa"}
    assert len(office.analyst.calls) == 1
    office.clock.advance(10)
    office.upload(PAGE, "a", "Now ISSUE(fees) alone")
    office.queue.send([office.job(2, PAGE, "refresh", source="a", cause="v2")])
    office.queue.send([office.job(2, PAGE, "refresh", source="a", cause="v2 again")])
    office.work()
    found = issues(office)
    assert not found["fees"].is_stale
    assert found["fees"].references[0].start == 4
    assert found["leave"].is_stale
    assert not found["visa"].is_stale
    assert found["visa"].version == found["visa"].fence
    assert len(office.analyst.calls) == 2


def test_a_text_that_comes_back_is_applied_and_not_paid_again(office: Office) -> None:
    for number, words in enumerate(("ISSUE(one)", "ISSUE(two)", "ISSUE(one)")):
        office.clock.advance(10)
        office.upload(PAGE, "a", words)
        office.submit(number, PAGE, "issues")
    found = issues(office)
    assert not found["one"].is_stale
    assert found["two"].is_stale
    assert len(office.analyst.calls) == 2


def test_the_only_text_comes_back_and_its_issues_hold_again(office: Office) -> None:
    office.upload(PAGE, "a", "ISSUE(one)")
    office.submit(1, PAGE, "issues")
    office.bucket.remove("pages/page-1/attachments/a")
    office.queue.send([office.job(2, PAGE, "refresh", source="a", cause="gone")])
    office.work()
    assert issues(office)["one"].is_stale
    office.clock.advance(10)
    office.upload(PAGE, "a", "ISSUE(one)")
    office.queue.send([office.job(2, PAGE, "refresh", source="a", cause="back")])
    office.work()
    assert not issues(office)["one"].is_stale
    assert len(office.analyst.calls) == 1


def test_texts_that_went_and_came_back_are_analysed_the_same_day(office: Office) -> None:
    """The first re-analysis came too late, found the old texts again, and is done."""
    office.upload(PAGE, "a", "ISSUE(one)")
    office.submit(1, PAGE, "issues")
    for cause, words in (("new", "ISSUE(two)"), ("old", "ISSUE(one)"), ("new again", "ISSUE(two)")):
        office.clock.advance(10)
        office.upload(PAGE, "a", words)
        office.operations.run(
            office.job(2, PAGE, "refresh", source="a", cause=cause), lambda *_, **__: None
        )
        if cause == "old":
            office.work()
            assert not issues(office)["one"].is_stale
    office.work()
    found = issues(office)
    assert found["one"].is_stale
    assert not found["two"].is_stale


def test_people_s_work_outlives_an_analysis(office: Office) -> None:
    office.upload(PAGE, "a", "ISSUE(fees)")
    office.submit(1, PAGE, "issues")
    issue = issues(office)["fees"]
    edited = issue.model_copy(
        update={
            "notes": "asked",
            "severity": "low",
            "is_classified": True,
            "state": "resolved",
            "version": 2,
        }
    )
    office.table.transact(PAGE, [Write(issue.key, {**edited.item(), "of_a_newer_release": "x"})])
    office.clock.advance(10)
    office.upload(PAGE, "a", "Again: ISSUE(fees)")
    office.submit(2, PAGE, "issues")
    now = issues(office)["fees"]
    assert (now.notes, now.severity, now.state) == ("asked", "low", "resolved")
    assert now.version == 3
    item = office.table.get(PAGE, issue.key)
    assert item is not None
    assert item["of_a_newer_release"] == "x"


def test_an_attachment_that_is_gone_leaves_no_entry_and_stale_issues(office: Office) -> None:
    office.upload(PAGE, "a", "ISSUE(fees)")
    office.upload(PAGE, "a1", "ISSUE(visa)")
    office.submit(1, PAGE, "issues")
    office.submit(2, PAGE, "policy", source="a", language="en")
    office.submit(3, PAGE, "policy", source="a1", language="en")
    office.bucket.remove("pages/page-1/attachments/a")
    office.queue.send([office.job(4, PAGE, "refresh", source="a", cause="gone")])
    office.work()
    assert [(e.source, e.language) for e in office.policies.store.all(PAGE)] == [
        ("a1", ""),
        ("a1", "en"),
    ]
    found = issues(office)
    assert found["fees"].is_stale
    assert not found["visa"].is_stale


def test_clear_leaves_the_attachments_the_account_and_other_pages(office: Office) -> None:
    office.upload(PAGE, "a", "ISSUE(fees)")
    office.upload("page-12", "a", "x")
    office.submit(1, PAGE, "issues")
    office.submit(2, "page-12", "policy", source="a")
    office.submit(3, PAGE, "clear")
    left = {key.partition(":")[0] for key, _ in office.table.query(PAGE, "")}
    assert left == {"locks", "cost"}
    assert office.policies.store.get("page-12", "a") is not None
    assert office.bucket.head("pages/page-1/attachments/a") is not None


def test_a_job_that_runs_out_of_time_goes_on_in_another_invocation(office: Office) -> None:
    office.upload(PAGE, "a", "one\n\ntwo\n\nthree")
    office.submit(1, PAGE, "policy", source="a")
    message = office.job(2, PAGE, "policy", source="a", language="en")
    office.jobs.submit(message)
    left = iter([900, 900, 900, 0])
    event_left = lambda: next(left, 900)  # noqa: E731
    from fakes.documents import record  # noqa: PLC0415

    answer = office.worker.run(
        {"Records": [record(each) for each in office.queue.take()]}, time_left=event_left
    )
    assert answer == {"batchItemFailures": []}
    assert 0 < len(office.translator.calls) < 3
    office.work()
    assert office.translator.calls == ["en:one", "en:two", "en:three"]
    status = office.jobs.read(message.job)
    assert status is not None
    assert status.state == "done"


def test_an_analysis_names_its_texts(office: Office) -> None:
    office.upload(PAGE, "a", "ISSUE(fees)")
    office.submit(1, PAGE, "issues")
    analysis = stored_analysis(office.table, PAGE)
    assert analysis is not None
    assert analysis.applied == analysis.inputs
    assert list(analysis.texts) == ["a"]


def test_an_issue_that_is_found_again_after_a_clear_has_no_earlier_version(office: Office) -> None:
    office.upload(PAGE, "a", "ISSUE(fees)")
    office.submit(1, PAGE, "issues")
    before = issues(office)["fees"]
    office.submit(2, PAGE, "clear")
    office.submit(3, PAGE, "issues")
    after = issues(office)["fees"]
    assert after.id == before.id
    assert after.version > before.version
