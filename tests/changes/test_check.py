"""One check of one department: what it costs, writes, and never writes (N4, N15, N17)."""

import json
from typing import Any

import pytest
from fakes import ENTRY, Notice, page_of, response
from fakes.fetcher import Answer
from fakes.worlds import NoticeWorld

from uring.errors import (
    CorruptState,
    FetchFailed,
    MalformedMessage,
    NewerRelease,
    Unavailable,
    WriteConflict,
)

STATE = "state/notices/cs.json"
REFUSED = "processing/refused/notices/cs.json"


def started() -> NoticeWorld:
    """After its baseline."""
    world = NoticeWorld()
    assert world.check().outcome == "baseline"
    world.clock.advance(600)
    return world


class TestOutcomes:
    def test_the_first_check_is_a_silent_baseline(self) -> None:
        world = NoticeWorld()
        check = world.check()
        assert (check.outcome, check.fields["rows"], len(check.events)) == ("baseline", 2, 2)
        assert world.hot == ["2", "1"]
        assert world.pushes() == []

    def test_a_change_is_committed_published_and_announced(self) -> None:
        world = started()
        world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나!"))
        check = world.check()
        assert check.outcome == "changed"
        assert world.hot == ["3", "1", "2"]
        assert world.pushes() == [("1", "edited"), ("3", "new")]
        assert world.state.outbox == ()

    def test_a_pin_is_recorded_and_announced_only_to_who_asked(self) -> None:
        world = started()
        world.show(Notice("2", "둘", is_pinned=True), Notice("1", "하나"))
        assert [event.kind for event in world.check().events] == ["pinned"]
        assert world.pushes() == []
        world.show(Notice("2", "둘"), Notice("1", "하나"))
        world.check(changes={"unpinned": "push"})
        assert world.pushes() == [("2", "unpinned")]

    def test_a_notice_in_both_lists_is_one_item(self) -> None:
        world = NoticeWorld()
        world.show(Notice("1", "하나", is_pinned=True), Notice("2", "둘"), Notice("1", "하나"))
        world.check()
        assert world.hot == ["1", "2"]
        assert world.state.known["1"].is_marked

    def test_a_check_has_exactly_one_outcome_word_of_the_published_set(self) -> None:
        words = {"baseline", "changed", "unchanged", "failed", "suspect", "dropped"}
        world = NoticeWorld()
        assert {world.check().outcome, world.check().outcome} <= words


class TestUnchanged:
    def test_the_same_bytes_cost_one_read_one_request_and_no_write(self) -> None:
        world = started()
        reads, writes = world.bucket.reads, world.bucket.writes
        check = world.check()
        assert (check.outcome, check.requests) == ("unchanged", 1)
        assert world.bucket.reads - reads == 1
        assert world.bucket.writes == writes
        assert world.outlet.calls == 0

    def test_other_bytes_with_the_same_notices_write_nothing_either(self) -> None:
        world = started()
        writes = world.bucket.writes
        world.show(Notice("2", "둘"), Notice("1", "하나"), decoration="visitor 4711")
        assert world.check().outcome == "unchanged"
        assert world.bucket.writes == writes

    def test_the_validators_of_the_committed_page_are_sent_and_304_is_unchanged(self) -> None:
        world = NoticeWorld()
        world.site = response(page_of([Notice("1", "x")]), etag='"v1"', last_modified="then")
        world.check()
        world.site = response("", status=304, body=b"")
        assert world.check().outcome == "unchanged"
        assert (world.fetcher.requests[-1].etag, world.fetcher.requests[-1].last_modified) == (
            '"v1"',
            "then",
        )

    def test_another_reading_of_the_page_is_not_answered_by_old_validators(self) -> None:
        """The entry was corrected: the unchanged page must be read anew."""
        world = NoticeWorld()
        world.site = response(page_of([Notice("1", "[공지] x")]), etag='"v1"')
        world.check()
        fields = {**ENTRY["fields"], "title": {"select": "td.subject a", "strip": ["[공지]"]}}
        check = world.check(fields=fields)
        assert world.fetcher.requests[-1].etag is None
        assert check.outcome == "changed"

    def test_a_notice_that_scrolled_off_and_comes_back_is_not_new(self) -> None:
        world = started()
        world.show(Notice("2", "둘"))
        assert world.check().outcome == "unchanged"
        world.show(Notice("2", "둘"), Notice("1", "하나"))
        assert world.check().outcome == "unchanged"
        assert world.pushes() == []


BAD: list[tuple[Answer, str, str]] = [
    (FetchFailed("timeout", "no answer"), "failed", "timeout"),
    (FetchFailed("http_status", "HTTP 500"), "failed", "http_status"),
    (page_of([]), "suspect", "no_rows"),
    ("", "suspect", "no_rows"),
    ("<form action=login><input type=password></form>", "suspect", "login"),
    ('<table class="board"><tr class="row"><td>?</td></tr></table>', "suspect", "all_rows_bad"),
]


@pytest.mark.parametrize(("answer", "outcome", "reason"), BAD)
class TestBadPages:
    def test_it_changes_nothing_that_readers_see(
        self, answer: Answer, outcome: str, reason: str
    ) -> None:
        world = started()
        before = world.bucket.bodies()
        known, hot = world.state.known, world.state.hot
        world.site = answer
        check = world.check()
        assert (check.outcome, check.reason) == (outcome, reason)
        assert check.detail
        kept = {STATE: b"", REFUSED: b""}
        assert world.bucket.bodies() | kept == before | kept
        assert (world.state.known, world.state.hot) == (known, hot)
        assert (world.state.health.status, world.state.health.reason) == (outcome, reason)

    def test_a_site_that_stays_bad_is_counted_and_asked_less_and_less(
        self, answer: Answer, outcome: str, reason: str
    ) -> None:
        world = started()
        world.site = answer
        asked, writes = len(world.fetcher.requests), world.bucket.writes
        outcomes = []
        for _ in range(8):
            outcomes.append(world.check().outcome)
            world.clock.advance(600)
        bad, waiting = outcome, "waiting"
        assert outcomes == [bad, bad, bad, waiting, bad, waiting, waiting, waiting]
        assert len(world.fetcher.requests) - asked == 4
        # A suspect page is kept for people beside the state.
        assert world.bucket.writes - writes == (8 if outcome == "suspect" else 4)
        assert (world.state.health.reason, world.state.health.failures) == (reason, 4)

    def test_a_corrected_entry_need_not_wait(
        self, answer: Answer, outcome: str, reason: str
    ) -> None:
        del reason
        world = started()
        world.site = answer
        for _ in range(3):
            world.check()
        assert world.check().outcome == "waiting"
        assert world.check(name="다른 이름").outcome == outcome

    def test_recovery_writes_once_more_and_tells_the_same_notices(
        self, answer: Answer, outcome: str, reason: str
    ) -> None:
        del outcome, reason
        world = started()
        good = world.site
        world.site = answer
        world.check()
        world.site = good
        assert world.check().outcome == "unchanged"
        assert world.state.health.status == "ok"
        assert world.pushes() == []

    def test_bad_from_the_start_it_is_no_baseline(
        self, answer: Answer, outcome: str, reason: str
    ) -> None:
        del reason
        world = NoticeWorld()
        good = world.site
        world.site = answer
        assert world.check().outcome == outcome
        assert world.state.baseline_at is None
        world.site = good
        assert world.check().outcome == "baseline"


class TestDrain:
    def pending(self) -> NoticeWorld:
        """A change is committed, and the queue does not take it."""
        world = started()
        world.outlet.refuses = lambda _: True
        world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
        with pytest.raises(Unavailable, match="refused 1 of 1 changes of cs"):
            world.check()
        assert [event.id for event in world.state.outbox] == ["3"]
        world.outlet.refuses = lambda _: False
        return world

    def test_what_is_pending_is_published_even_when_the_site_is_down(self) -> None:
        world = self.pending()
        world.site = FetchFailed("timeout", "no answer")
        check = world.check()
        assert check.outcome == "failed"
        assert [event.id for event in check.recovered] == ["3"]
        assert world.pushes() == [("3", "new")]
        assert world.state.outbox == ()

    def test_what_is_pending_is_published_before_the_site_is_asked(self) -> None:
        world = self.pending()
        announced: list[int] = []
        page = world.site

        def ask() -> Answer:
            announced.append(len(world.pushes()))
            return page

        world.fetcher.answer = ask
        world.check()
        assert announced == [1]

    def test_a_queue_that_refuses_leaves_the_site_in_peace(self) -> None:
        world = self.pending()
        world.outlet.refuses = lambda _: True
        asked = len(world.fetcher.requests)
        with pytest.raises(Unavailable):
            world.check()
        assert len(world.fetcher.requests) == asked

    def test_what_was_refused_and_what_is_behind_it_stays_pending(self) -> None:
        world = started()
        world.outlet.refuses = lambda change: change.id == "4"
        world.show(Notice("5", "다"), Notice("4", "라"), Notice("3", "셋"))
        with pytest.raises(Unavailable, match="refused 2 of 3"):
            world.check()
        assert [event.id for event in world.state.outbox] == ["4", "5"]
        assert sorted(world.announced) == ["1", "2", "3"]
        world.outlet.refuses = lambda _: False
        world.check()
        assert sorted(world.announced) == ["1", "2", "3", "4", "5"]
        assert world.pushes() == [("3", "new"), ("4", "new"), ("5", "new")]


class TestRefusals:
    def test_a_job_older_than_its_interval_is_dropped_untouched(self) -> None:
        world = NoticeWorld()
        check = world.check(age=601)
        assert (check.outcome, check.reason) == ("dropped", "overdue")
        assert (world.bucket.reads, world.fetcher.requests) == (0, [])
        assert world.check(age=600).outcome == "baseline"
        assert NoticeWorld().check(age=1799, interval_minutes=30).outcome == "baseline"

    @pytest.mark.parametrize(
        ("entry", "place"),
        [
            ({"surprise": 1, "url": "ftp://x/"}, "entry.url"),
            ({"url": "ftp://x/"}, "entry.url"),
            ({"rows": "]["}, "entry.rows.select"),
            ({"id": "../../etc"}, "entry.id"),
        ],
    )
    def test_a_job_with_a_broken_entry_is_refused_with_the_place(
        self, entry: dict[str, Any], place: str
    ) -> None:
        world = NoticeWorld()
        with pytest.raises(MalformedMessage, match=rf"^Job: {place}.*sitemap"):
            world.check(**entry)
        assert (world.bucket.reads, world.fetcher.requests) == (0, [])

    @pytest.mark.parametrize("entry", [{"surprise": 1}, {"request": {"surprise": 1}}])
    def test_an_entry_with_a_newer_releases_keys_waits_for_it(self, entry: dict[str, Any]) -> None:
        world = NoticeWorld()
        with pytest.raises(
            NewerRelease, match=r"^Job: entry\..*surprise.*deploy the newer release again"
        ):
            world.check(**entry)
        assert (world.bucket.reads, world.fetcher.requests) == (0, [])

    def test_success_that_cannot_be_written_is_left_to_the_next_check(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Asked again, a source would pay for what is wrong with S3."""
        world = NoticeWorld()
        world.check()
        world.clock.advance(hours=2)

        def refused(*_: Any, **__: Any) -> str:
            raise Unavailable("no answer")

        monkeypatch.setattr(world.bucket, "put", refused)
        assert world.check().outcome == "unchanged"
        world.site = FetchFailed("timeout", "x")
        with pytest.raises(WriteConflict):
            world.check()

    @pytest.mark.parametrize("body", [b"", b"{", b'{"schema": 1}'])
    def test_a_corrupt_state_is_left_as_it_is_and_the_site_in_peace(self, body: bytes) -> None:
        world = started()
        world.bucket.plant(STATE, body)
        with pytest.raises(CorruptState, match=STATE):
            world.check()
        assert world.bucket.body(STATE) == body
        assert len(world.fetcher.requests) == 1

    def test_an_entry_of_another_source_is_refused(self) -> None:
        world = NoticeWorld()
        with pytest.raises(MalformedMessage, match=r"^Job: entry\.id: is 'cs', the job's source"):
            world.checker.check(world.job("ee", entry=ENTRY))

    def test_other_runs_that_always_win_end_in_a_retryable_error(self) -> None:
        world = started()
        numbers = iter(range(100, 200))

        def overtaken() -> Answer:
            world.fetcher.answer = lambda: page_of([Notice(str(next(numbers)), "x")])
            world.check()
            world.fetcher.answer = overtaken
            return page_of([Notice(str(next(numbers)), "y")])

        world.fetcher.answer = overtaken
        with pytest.raises(WriteConflict, match="in every attempt"):
            world.check()


class TestReleases:
    """States of the next release, while this one runs beside it or again."""

    def later(self, world: NoticeWorld) -> dict[str, Any]:
        """Give the state keys that this release does not know."""
        document: dict[str, Any] = world.document(STATE)
        for part in (document, document["health"], *document["hot"], *document["outbox"]):
            part["later"] = {"of": part.get("id", "all")}
        world.bucket.plant(STATE, json.dumps(document).encode())
        return document

    def test_its_keys_survive_a_day_and_a_change(self) -> None:
        world = started()
        before = self.later(world)
        world.clock.advance(days=1)
        assert world.check().outcome == "unchanged"
        written = world.document(STATE)
        assert written["health"].pop("succeeded_at") > before["health"].pop("succeeded_at")
        for key in ("seq", "writer", "slowness"):
            assert written.pop(key) != before.pop(key)
        assert len(written["health"].pop("beats")) > len(before["health"].pop("beats"))
        assert written == before
        world.show(Notice("3", "셋"), Notice("2", "둘"), Notice("1", "하나"))
        assert world.check().outcome == "changed"
        after = world.document(STATE)
        assert (after["later"], after["health"]["later"]) == (before["later"], {"of": "all"})
        assert [item.get("later") for item in after["hot"]] == [None, {"of": "2"}, {"of": "1"}]

    def test_what_it_left_in_the_outbox_is_published(self) -> None:
        world = started()
        world.outlet.refuses = lambda _: True
        world.show(Notice("4", "넷"), Notice("3", "셋"), Notice("2", "둘"))
        with pytest.raises(Unavailable):
            world.check()
        self.later(world)
        world.outlet.refuses = lambda change: change.id == "4"
        with pytest.raises(Unavailable):
            world.check()
        (event,) = world.document(STATE)["outbox"]
        assert (event["id"], event["later"]) == ("4", {"of": "4"})
        world.outlet.refuses = lambda _: False
        world.check()
        assert world.pushes() == [("3", "new"), ("4", "new")]

    def test_a_newer_schema_is_left_as_it_is_and_the_site_in_peace(self) -> None:
        world = started()
        body = json.dumps(world.document(STATE) | {"schema": 2, "hot": {}}).encode()
        world.bucket.plant(STATE, body)
        with pytest.raises(NewerRelease, match=STATE):
            world.check()
        assert world.bucket.body(STATE) == body
        assert len(world.fetcher.requests) == 1


def test_a_hostile_title_reaches_the_queue_and_blocks_nothing() -> None:
    """Markup, line separators, noncharacters, half-characters: it is text, and short enough."""
    world = started()
    title = "<b>&amp;</b>\u2028\uffff\ufffe\u202e" + "공지" * 5000
    world.show(Notice("3", title), Notice("2", "둘"))
    assert world.check().outcome == "changed"
    (message,) = world.notify.messages
    assert not {"\ufffe", "\uffff"} & set(message.body)
    assert len(message.body.encode()) < 20_000


def test_five_thousand_rows_are_a_page_like_any_other() -> None:
    world = NoticeWorld()
    notices = [Notice(str(number), f"글 {number}") for number in range(5000)]
    world.show(*notices)
    assert world.check().outcome == "baseline"
    assert len(world.hot) == 30
