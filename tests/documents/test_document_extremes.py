"""Large pages, attachments that move, clocks apart: nothing twice, nothing lost (D2, D4, D11)."""

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from fakes.documents import Office

from uring.documents.names import Attachment
from uring.documents.operations.clear import clear
from uring.documents.store.analysis import AnalysisEntry, stored_analysis
from uring.documents.store.issues import IssueReference, IssueStore, StoredIssue
from uring.documents.store.policies import PolicyEntry
from uring.documents.work.findings import Finding
from uring.errors import SuspectPage, Unavailable, WriteConflict
from uring.extract.extraction import Extraction
from uring.locks import LeaseLost, write
from uring.objects import ObjectHead
from uring.tables import Write

PAGE = "page-1"
KEY = Attachment(PAGE, "a").key


@pytest.fixture
def office() -> Office:
    return Office()


def issues(office: Office) -> dict[str, StoredIssue]:
    return {issue.title: issue for issue in IssueStore(office.table).all(PAGE)}


def entry(office: Office, source: str = "a", language: str = "") -> PolicyEntry:
    found = office.policies.store.get(PAGE, source, language)
    assert found is not None
    return found


def text(office: Office, source: str = "a", language: str = "") -> str:
    return office.policies.store.text(entry(office, source, language))


def state(office: Office, job: str) -> tuple[str, str]:
    status = office.jobs.read(job)
    assert status is not None
    return status.state, (status.error or {"code": ""})["code"]


def refresh(office: Office, source: str, cause: str) -> None:
    office.queue.send([office.job(0, PAGE, "refresh", source=source, cause=cause)])
    office.work()


def silent(_: str, /, *, needs: float = 0) -> None:
    """Take a report, and tell nobody."""
    del needs


def while_extracting(office: Office, action: Callable[[], None], times: int = 1) -> None:
    """Let something happen while the first files are being read."""
    reader, left = office.reader, [action] * times

    def extract(body: bytes, formats: Collection[str]) -> Extraction:
        if left:
            left.pop()()
        return reader(body, formats)

    office.extract = extract


class TestAttachments:
    """One that moves while it is read."""

    def test_two_uploads_in_one_second_are_told_apart_by_their_tags(self, office: Office) -> None:
        office.upload(PAGE, "a", "one")
        office.submit(1, PAGE, "policy", source="a")
        office.upload(PAGE, "a", "two")
        office.submit(2, PAGE, "policy", source="a")
        assert text(office) == "two"

    def test_one_that_is_replaced_while_it_is_read_is_read_again_by_its_event(
        self, office: Office
    ) -> None:
        office.upload(PAGE, "a", "one")
        while_extracting(office, lambda: office.upload(PAGE, "a", "two"))
        office.submit(1, PAGE, "policy", source="a")
        head = office.policies.head(PAGE, "a")
        assert head is not None
        assert text(office) == "one"
        assert not entry(office).is_of(head)
        refresh(office, "a", "v2")
        assert text(office) == "two"

    def test_bytes_of_another_version_than_was_looked_at_are_not_taken(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        office.upload(PAGE, "a", "one")
        get = office.bucket.get
        moved = [lambda: office.upload(PAGE, "a", "two")]

        def moving(key: str) -> Any:
            if key == KEY and moved:
                moved.pop()()
            return get(key)

        monkeypatch.setattr(office.bucket, "get", moving)
        office.submit(1, PAGE, "policy", source="a")
        head = office.policies.head(PAGE, "a")
        assert head is not None
        assert (text(office), entry(office).is_of(head)) == ("two", True)

    def test_one_that_changes_at_every_look_is_tried_later(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        office.upload(PAGE, "a", "0")
        get = office.bucket.get

        def moving(key: str) -> Any:
            if key == KEY:
                office.upload(PAGE, "a", "again")
            return get(key)

        monkeypatch.setattr(office.bucket, "get", moving)
        job = office.submit(1, PAGE, "policy", source="a")
        assert state(office, job)[0] == "running"
        assert office.policies.store.get(PAGE, "a") is None

    def test_one_that_goes_while_its_page_is_read_costs_the_job_nothing(
        self, office: Office
    ) -> None:
        for source in ("a", "b"):
            office.upload(PAGE, source, "ISSUE(x)")
        while_extracting(office, lambda: office.bucket.remove(Attachment(PAGE, "b").key))
        job = office.submit(1, PAGE, "issues")
        assert state(office, job) == ("done", "")
        assert [*office.policies.store.originals(PAGE)] == ["a"]

    def test_a_clock_behind_that_of_the_bucket_does_not_read_for_ever(self) -> None:
        office = Office()
        office.upload(PAGE, "a", "one")
        office.clock.advance(seconds=-5)
        for number in range(3):
            office.submit(number, PAGE, "policy", source="a")
        assert office.reader.calls == 1

    def test_a_clock_ahead_of_the_bucket_s_takes_no_other_bytes_for_its_own(self) -> None:
        office = Office()
        office.upload(PAGE, "a", "one")
        office.clock.advance(seconds=5)
        office.submit(1, PAGE, "policy", source="a")
        office.clock.advance(seconds=-4)
        office.upload(PAGE, "a", "two")
        office.submit(2, PAGE, "policy", source="a")
        assert text(office) == "two"

    def test_an_entry_of_the_same_second_holds_and_one_of_the_second_before_does_not(self) -> None:
        at = datetime(2026, 11, 22, 10, tzinfo=UTC)
        made = PolicyEntry(
            page=PAGE,
            source="a",
            etag='"1"',
            modified="2026-11-22T10:00:00Z",
            created="2026-11-22T10:00:00Z",
            outcome="text",
            body="b",
            sha256="0",
            characters=1,
        )
        assert made.is_of(ObjectHead('"1"', 1, modified=at))
        assert made.is_of(ObjectHead('"1"', 1, modified=None))
        assert made.is_of(ObjectHead('"1"', 1, modified=at + timedelta(milliseconds=999)))
        assert not made.is_of(ObjectHead('"1"', 1, modified=at + timedelta(seconds=1)))
        assert not made.is_of(ObjectHead('"2"', 1, modified=at))

    def test_one_that_comes_back_while_its_lock_is_waited_for_keeps_its_entry(
        self, office: Office
    ) -> None:
        office.upload(PAGE, "a", "one")
        office.submit(1, PAGE, "policy", source="a")
        office.bucket.remove(KEY)
        lease = office.locks.acquire(PAGE, ("policies",), wait_seconds=0)
        office.waiting = [lambda: office.upload(PAGE, "a", "one"), lease.release]
        office.policies.forget(PAGE, "a")
        assert office.waiting == []
        assert text(office) == "one"


class TestReaders:
    """A file that its reader does not survive."""

    def extracted(
        self, office: Office, outcomes: list[Extraction | Exception]
    ) -> tuple[PolicyEntry, int]:
        """Return the entry, and how often the file was read."""
        calls = 0

        def extract(_: bytes, __: Collection[str]) -> Extraction:
            nonlocal calls
            outcome = outcomes[min(calls, len(outcomes) - 1)]
            calls += 1
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        office.extract = extract
        office.upload(PAGE, "a", "x")
        office.upload(PAGE, "b", "ISSUE(x)")
        office.submit(1, PAGE, "policy", source="a")
        office.submit(2, PAGE, "policy", source="a")
        return entry(office), calls

    KILLED = Extraction(outcome="killed", reason="too much", format="pdf", source_sha256="")
    TEXT = Extraction(outcome="text", format="text", text="x", source_sha256="")

    @pytest.mark.parametrize("fault", [KILLED, SuspectPage("extractor_failed", "it broke")])
    def test_it_gets_a_second_try_and_keeps_no_other_from_being_analysed(
        self, office: Office, fault: Extraction | Exception
    ) -> None:
        made, calls = self.extracted(office, [fault])
        assert (made.outcome, calls) == ("killed", 2)
        assert made.reason
        office.extract = office.reader
        job = office.submit(3, PAGE, "issues")
        assert state(office, job) == ("done", "")
        assert set(issues(office)) == {"x"}

    def test_a_second_try_that_succeeds_is_the_outcome(self, office: Office) -> None:
        made, calls = self.extracted(office, [self.KILLED, self.TEXT])
        assert (made.outcome, calls) == ("text", 2)

    def test_a_reader_that_does_not_answer_is_no_outcome(self, office: Office) -> None:
        def extract(_: bytes, __: Collection[str]) -> Extraction:
            raise Unavailable("no answer")

        office.extract = extract
        office.upload(PAGE, "a", "x")
        job = office.submit(1, PAGE, "policy", source="a")
        assert state(office, job)[0] == "running"
        assert office.policies.store.get(PAGE, "a") is None

    def test_a_file_larger_than_is_read_is_not_even_fetched(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        office.upload(PAGE, "a", "x")
        head = office.policies.head(PAGE, "a")
        assert head is not None
        large = ObjectHead(head.etag, 100 << 20, modified=head.modified)
        monkeypatch.setattr(office.bucket, "head", lambda _: large)
        reads = office.bucket.reads
        office.submit(1, PAGE, "policy", source="a")
        assert entry(office).outcome == "too_big"
        assert office.bucket.reads == reads


class TestLargePages:
    """Pages with more than anybody has."""

    def test_500_attachments_are_read_and_501_are_refused(self, office: Office) -> None:
        for number in range(500):
            office.upload(PAGE, f"s{number:03}", f"text {number}")
        office.bucket.plant(f"pages/{PAGE}/attachments/", b"")
        job = office.submit(1, PAGE, "policies")
        status = office.jobs.read(job)
        assert status is not None
        assert status.result == {"policies": 500, "with_text": 500}
        office.upload(PAGE, "s500", "one more")
        assert state(office, office.submit(2, PAGE, "policies")) == ("failed", "PageTooLarge")
        assert state(office, office.submit(3, PAGE, "policy", source="s500")) == ("done", "")

    def test_texts_that_are_too_long_together_are_not_even_fetched(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        office.upload(PAGE, "a", "ISSUE(x)")
        office.submit(1, PAGE, "policy", source="a")
        long = entry(office).model_copy(update={"characters": 10_000_001})
        office.table.transact(PAGE, [Write(long.key, long.item())])
        monkeypatch.setattr(office.policies.store, "text", lambda _: pytest.fail("fetched"))
        assert state(office, office.submit(2, PAGE, "issues")) == ("failed", "PageTooLarge")
        assert office.analyst.calls == []

    def test_issues_with_long_notes_fit_into_transactions(self, office: Office) -> None:
        """99 of them are 6 MB: more than DynamoDB takes at once."""
        office.upload(PAGE, "a", "".join(f"ISSUE({number:03})" for number in range(150)))
        office.submit(1, PAGE, "issues")
        for issue in issues(office).values():
            long = issue.model_copy(update={"notes": "글" * 20_000})
            office.table.transact(PAGE, [Write(issue.key, long.item())])
        office.clock.advance(10)
        office.upload(PAGE, "a", "nothing any more")
        refresh(office, "a", "v2")
        assert len(issues(office)) == 150
        assert all(each.is_stale for each in issues(office).values())
        assert all(len(each.notes) == 20_000 for each in issues(office).values())

    def test_clear_removes_more_items_than_fit_into_a_transaction(self, office: Office) -> None:
        office.upload(PAGE, "a", "".join(f"ISSUE({number:03})" for number in range(250)))
        office.submit(1, PAGE, "issues")
        job = office.submit(2, PAGE, "clear")
        status = office.jobs.read(job)
        assert status is not None
        assert status.result == {"removed": 252}
        assert issues(office) == {}


class TestStale:
    """Marks and applies that were overtaken."""

    def two_texts(self, office: Office) -> tuple[AnalysisEntry, dict[str, str]]:
        """Analyse a text, then another; return the first analysis and what its texts were."""
        office.upload(PAGE, "a", "ISSUE(one)")
        office.submit(1, PAGE, "issues")
        first = stored_analysis(office.table, PAGE)
        assert first is not None
        office.clock.advance(10)
        office.upload(PAGE, "a", "ISSUE(two)")
        office.submit(2, PAGE, "issues")
        return first, dict(first.texts)

    def test_a_refresh_that_stalled_marks_nothing_that_was_analysed_meanwhile(
        self, office: Office
    ) -> None:
        self.two_texts(office)
        now = {name: each.sha256 for name, each in office.policies.store.originals(PAGE).items()}
        # It saw the text of long ago before the lock, the one of now under it.
        seen = iter([{"a": "0"}, now])
        assert office.issues.mark_stale(PAGE, lambda: next(seen)) == 0
        assert not issues(office)["two"].is_stale

    def test_an_analysis_that_was_overtaken_is_not_applied(self, office: Office) -> None:
        first, _ = self.two_texts(office)
        before = issues(office)
        assert office.issues.apply(first) == 0
        assert issues(office) == before

    def test_one_that_is_overtaken_between_two_transactions_writes_nothing_more(
        self, office: Office
    ) -> None:
        office.upload(PAGE, "a", "".join(f"ISSUE({number:03})" for number in range(150)))
        office.submit(1, PAGE, "policy", source="a")
        spend = office.budget.spend(PAGE, lambda _: None)
        entries = [*office.policies.store.originals(PAGE).values()]
        analysis = office.analyses.of(PAGE, entries, spend, silent)
        transact = office.table.transact

        def slow(partition: str, parts: Any) -> bool:
            is_written = transact(partition, parts)
            if len(parts) > 50:
                office.table.transact = transact  # type: ignore[method-assign]
                office.clock.advance(300)
                office.submit(2, PAGE, "clear")
            return is_written

        office.table.transact = slow  # type: ignore[method-assign]
        with pytest.raises(LeaseLost):
            office.issues.apply(analysis)
        assert issues(office) == {}

    def test_an_analysis_that_is_published_while_another_is_applied_is_applied_next(
        self, office: Office
    ) -> None:
        self.two_texts(office)
        second = stored_analysis(office.table, PAGE)
        assert second is not None
        due = second.model_copy(update={"applied": ""})
        other = second.model_copy(update={"applied": "", "inputs": "f" * 64})
        office.table.transact(PAGE, [Write("analysis", due.item())])
        for issue in issues(office).values():
            office.table.transact(PAGE, [Write(issue.key, None)])
        transact = office.table.transact

        def publishing(partition: str, parts: Any) -> bool:
            is_written = transact(partition, parts)
            if any(part.key.startswith("issue:") for part in parts):
                transact(PAGE, [Write("analysis", other.item())])
            return is_written

        office.table.transact = publishing  # type: ignore[method-assign]
        with pytest.raises(WriteConflict):
            office.issues.apply(due)
        assert stored_analysis(office.table, PAGE) == other

    def test_a_text_that_changes_during_the_first_analysis_is_analysed_too(
        self, office: Office
    ) -> None:
        """Its refresh finds no analysis that would be out of date."""
        office.upload(PAGE, "a", "ISSUE(one)")
        analyse = office.analyst.analyse

        def meanwhile(*args: Any, **more: Any) -> Any:
            office.analyst.analyse = analyse  # type: ignore[method-assign]
            office.upload(PAGE, "a", "ISSUE(two)")
            assert office.operations.run(office.job(9, PAGE, "refresh", source="a"), silent) == {}
            return analyse(*args, **more)

        office.analyst.analyse = meanwhile  # type: ignore[method-assign]
        assert state(office, office.submit(1, PAGE, "issues")) == ("done", "")
        assert {each.title: each.is_stale for each in issues(office).values()} == {
            "one": True,
            "two": False,
        }

    def test_an_edit_without_the_lock_is_not_overwritten(
        self, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.two_texts(office)
        issue = issues(office)["two"]
        mine = issue.model_copy(update={"version": 9, "notes": "mine"})
        query = office.table.query
        versions = count(9)

        def overtaken(partition: str, prefix: str, after: str = "") -> Any:
            found = [*query(partition, prefix, after)]
            edited = mine.model_copy(update={"version": next(versions)})
            office.table.transact(PAGE, [Write(issue.key, edited.item())])
            return iter(found)

        monkeypatch.setattr(office.table, "query", overtaken)
        with pytest.raises(WriteConflict):
            office.issues.mark_stale(PAGE, lambda: {"a": "0"})
        monkeypatch.undo()
        found = issues(office)["two"]
        assert (found.notes, found.is_stale) == ("mine", False)

    def test_two_findings_with_the_same_quotes_are_two_issues(self, office: Office) -> None:
        office.upload(PAGE, "a", "ISSUE(x)")
        place = IssueReference(source="a", start=0, end=8, quote="ISSUE(x)")
        twice = [
            Finding(title=title, description="", severity="low", references=(place,))
            for title in ("x", "y")
        ]
        office.analyst.kept["[('a', 'ISSUE(x)')]"] = twice
        assert state(office, office.submit(1, PAGE, "issues")) == ("done", "")
        assert set(issues(office)) == {"x", "y"}


class TestPublishing:
    """Texts and entries under a lease that is over."""

    def test_a_leader_that_stalled_publishes_nothing_over_its_successor(
        self, office: Office
    ) -> None:
        office.upload(PAGE, "a", "one")

        def others() -> None:
            office.clock.advance(300)
            office.upload(PAGE, "a", "two")
            office.submit(2, PAGE, "policy", source="a")

        while_extracting(office, others)
        job = office.submit(1, PAGE, "policy", source="a")
        assert text(office) == "two"
        assert state(office, job)[0] == "running"

    def test_a_clear_that_stalled_removes_nothing_of_what_came_since(self, office: Office) -> None:
        office.upload(PAGE, "a", "".join(f"ISSUE({number:03})" for number in range(250)))
        office.submit(1, PAGE, "issues")
        transact = office.table.transact

        def slow(partition: str, parts: Any) -> bool:
            is_written = transact(partition, parts)
            if len(parts) > 50:
                office.table.transact = transact  # type: ignore[method-assign]
                office.clock.advance(300)
                office.submit(4, PAGE, "clear")
                office.submit(5, PAGE, "issues")
            return is_written

        office.table.transact = slow  # type: ignore[method-assign]
        with pytest.raises(LeaseLost):
            clear(office.table, office.locks, PAGE)
        assert len(issues(office)) == 250

    def test_no_two_leases_write_one_key(self, office: Office) -> None:
        office.upload(PAGE, "a", "one")
        office.submit(1, PAGE, "policy", source="a")
        first = entry(office).body
        office.submit(2, PAGE, "clear")
        office.submit(3, PAGE, "policy", source="a")
        assert entry(office).body != first
        assert entry(office).body.rpartition(".")[0] == first.rpartition(".")[0]

    def test_a_translation_of_a_text_that_is_gone_is_not_published(self, office: Office) -> None:
        """Not even under a lease: somebody cleared the page by hand."""
        office.upload(PAGE, "a", "one")
        office.submit(1, PAGE, "policy", source="a")
        original = entry(office)
        other = original.model_copy(update={"sha256": "0" * 64})
        translate = office.translator.translate

        def changing(*args: Any, **more: Any) -> Any:
            office.table.transact(PAGE, [Write(other.key, other.item())])
            return translate(*args, **more)

        office.translator.translate = changing  # type: ignore[method-assign]
        job = office.submit(2, PAGE, "policy", source="a", language="en")
        assert state(office, job)[0] == "running"
        assert office.policies.store.get(PAGE, "a", "en") is None

    def test_fences_at_an_item_never_fall(self, office: Office) -> None:
        office.upload(PAGE, "a", "ISSUE(one)")
        office.submit(1, PAGE, "issues")
        leader = office.locks.acquire(PAGE, ("analysis",), wait_seconds=0)
        entry_ = stored_analysis(office.table, PAGE)
        assert entry_ is not None
        newer = entry_.model_copy(update={"applied": "", "fence": entry_.fence})
        office.table.transact(PAGE, [Write("analysis", newer.item())])
        office.issues.apply(newer)
        applied = stored_analysis(office.table, PAGE)
        assert applied is not None
        assert (applied.applied, applied.fence) == (newer.inputs, newer.fence)
        assert applied.fence < leader.fence
        assert write(office.table, leader, [Write("analysis", None)])

    def test_a_text_is_there_before_the_entry_that_names_it(self, office: Office) -> None:
        office.upload(PAGE, "a", "one\n\nISSUE(x)")
        transact = office.table.transact

        def looking(partition: str, parts: Any) -> bool:
            for part in parts:
                body = getattr(part, "item", None) and part.item.get("body")
                assert not body or office.bucket.get(body) is not None
            return transact(partition, parts)

        office.table.transact = looking  # type: ignore[method-assign]
        office.submit(1, PAGE, "issues")
        office.submit(2, PAGE, "policy", source="a", language="en")
        assert text(office, "a", "en").startswith("[en] one")
