"""The hint (design, Commit): an unchanged check costs one request, and no news is ever taken back.

Each of its rules has a test of its own here, and a guard whose removal makes that test fall.
"""

import json
from typing import Any

import pytest
from fakes import Notice
from hinted_world import BEGIN, HINTS, ONE, STATE, THREE, TICK, TWO, HintedWorld

from uring.changes.hint import Hint, hint_of
from uring.changes.state import Recognition
from uring.contracts import Job
from uring.errors import FetchFailed
from uring.notices.state import NoticeState
from uring.sources.requests import slowness

EDITED = Notice("2", "둘 (수정)")
DOWN = FetchFailed("timeout", "no answer")
HONOUR: dict[str, Any] = {"request": {"honour_robots": True}}


def begun(**entry: Any) -> HintedWorld:
    world = HintedWorld(**entry)
    world.begin()
    return world


def titles(world: HintedWorld) -> list[str]:
    return [item["title"] for item in world.document("data/cs/latest.json")["items"]]


class TestCost:
    def test_the_same_bytes_cost_one_request_and_no_call(self) -> None:
        world = begun()
        (line,) = world.tick()
        assert (line["outcome"], line["http_requests"]) == ("unchanged", 1)
        assert world.seen_by["worker"].calls == {}
        assert (world.hinted, world.telemetry.counts["ChecksUnchanged"]) == (1, 1)

    def test_so_does_an_answer_of_not_modified(self) -> None:
        world = HintedWorld()
        world.show(TWO, ONE, etag='"a"')
        world.begin()
        assert world.tick()[0]["outcome"] == "unchanged"
        assert (world.sites.asked[-1].etag, world.hinted) == ('"a"', 1)

    def test_so_do_the_same_rows_in_other_bytes(self) -> None:
        world = begun()
        for views in range(5):
            world.show(TWO, ONE, decoration=f"{views} views")
            (line,) = world.tick()
            assert (line["outcome"], line["rows"]) == ("unchanged", 2)
        assert (world.hinted, world.seen_by["worker"].calls) == (5, {})

    def test_the_lines_of_a_tick_say_how_many_jobs_are_hinted(self) -> None:
        world = HintedWorld("cs", "ee")
        world.begin()
        world.tick()
        assert world.telemetry.named("dispatched")[-1] == {
            "family": "notices",
            "jobs": 2,
            "hinted": 2,
        }

    def test_a_change_costs_what_it_costs_without_and_asks_the_site_once(self) -> None:
        world = begun()
        world.show(THREE, TWO, ONE)
        (line,) = world.tick()
        assert (line["outcome"], line["http_requests"]) == ("changed", 1)
        assert world.pushes() == [("3", "new")]
        assert world.hinted == 0


class TestTheAnswerIsOfTheState:
    """Rule 1: what was asked before the state was read counts only for the hint's own version."""

    def stalled(self, world: HintedWorld) -> None:
        """Let a check stall behind its request, while the site and the state move on."""

        def meanwhile() -> None:
            world.show(THREE, TWO, ONE)
            now = world.clock()
            # By the time at which it began, this run is older than the stalled one's tick.
            world.clock.now = now - TICK / 2
            world.checker.check(world.job("cs", entry=world.entry_of("cs")))
            world.clock.now = now

        world.sites.meanwhile.append(meanwhile)
        world.dispatch()

    def test_a_page_older_than_the_state_is_thrown_away(self) -> None:
        world = begun()
        world.show(EDITED, ONE)
        self.stalled(world)
        world.run()
        assert titles(world)[0] == "셋"
        assert "둘 (수정)" not in titles(world)
        world.tick()
        assert [change.content["title"] for change in world.messages()] == ["셋"]

    def test_trouble_older_than_the_state_is_thrown_away(self) -> None:
        world = begun()
        world.sites.shown[world.url()] = DOWN
        self.stalled(world)
        world.run()
        assert world.state.health.failures == 0

    def test_the_time_of_both_visits_is_that_of_one(self) -> None:
        """Else a slow site would outlast the function."""
        world = begun()
        world.show(EDITED, ONE)

        def meanwhile() -> None:
            world.clock.advance(29.5)
            world.checker.check(world.job("cs", entry=world.entry_of("cs")))

        world.sites.meanwhile.append(meanwhile)
        world.dispatch()
        before = len(world.sites.asked)
        world.run()
        # The stalled one, and the one beside it; none of the check that begins anew.
        assert len(world.sites.asked) - before == 2


class TestMade:
    """Rule 2: a state that has something to do has no hint."""

    def state(self, world: HintedWorld, **changes: Any) -> NoticeState:
        return world.state.replace(**changes)

    def test_one_that_is_calm_has(self) -> None:
        hint = hint_of(begun().state, '"e"', TICK * 144)
        assert (hint.etag, hint.entry) == ('"e"', begun().state.fingerprint.partition(":")[0])
        assert hint.known is not None

    @pytest.mark.parametrize(
        "changes",
        [
            {"republish": True},
            {"baseline_at": None},
            {"fingerprint": ""},
            {"fingerprint": "0123456789abcdef:"},
        ],
        ids=str,
    )
    def test_one_that_is_not_has_none(self, changes: dict[str, Any]) -> None:
        state = begun().state.replace(**changes)
        assert hint_of(state, '"e"', TICK * 144).known is None

    def test_one_with_an_outbox_has_none(self) -> None:
        """Else what was committed and not announced would wait as long as the page stands."""
        world = begun()
        world.outlet.refuses = lambda _: True
        world.show(THREE, TWO, ONE)
        world.tick()
        world.outlet.refuses = lambda _: False
        world.work.messages.clear()
        assert world.state.outbox
        world.tick()
        assert world.pushes() == [("3", "new")]
        assert not world.state.outbox

    def test_one_that_is_paused_has_none_and_its_site_is_not_asked(self) -> None:
        world = begun()
        health = world.state.health.model_copy(update={"paused_until": "2026-03-05T00:00:00Z"})
        world.bucket.plant(STATE, world.state.replace(health=health).to_json())
        # From the second tick on, the monitor has seen the paused state.
        assert [line["outcome"] for _ in range(3) for line in world.tick()] == ["waiting"] * 3
        assert (world.sites.asked, world.hinted) == ([], 0)

    @pytest.mark.parametrize("key", ["status", "retry_at"])
    def test_one_in_trouble_has_none(self, key: str) -> None:
        state = begun().state
        worse = {"status": "failed", "retry_at": "2026-03-02T01:30:00Z"}
        health = state.health.model_copy(update={key: worse[key]})
        assert hint_of(state.replace(health=health), '"e"', TICK * 144).known is None

    def test_a_source_that_failed_is_seen_to_be_well_again(self) -> None:
        world = begun()
        good = world.sites.shown[world.url()]
        world.sites.shown[world.url()] = DOWN
        world.tick()
        world.sites.shown[world.url()] = good
        world.tick()
        assert (world.state.health.status, world.hinted) == ("ok", 0)

    def test_one_that_robots_txt_forbids_has_none(self) -> None:
        world = HintedWorld(**HONOUR)
        world.begin()
        world.sites.robots = "User-agent: *\nDisallow: /"
        permission = world.state.permission
        assert permission is not None
        forbidden = permission.model_copy(update={"allowed": False})
        state = world.state.replace(permission=forbidden)
        assert hint_of(state, '"e"', TICK * 144).known is None


class TestFirstDelivery:
    """Rule 3: of a job that comes again, or late, the hint is of long ago."""

    def test_a_second_delivery_reads_the_state(self) -> None:
        world = begun()
        world.dispatch()
        (message,) = world.work.messages
        message.receive_count = 1
        world.run()
        assert (world.hinted, world.seen_by["worker"].calls["get"]) == (0, 1)

    def test_so_does_a_renewed_copy(self) -> None:
        world = begun()
        world.dispatch()
        world.work.messages[0].attributes["renewals"] = "1"
        world.run()
        assert world.hinted == 0

    @pytest.mark.parametrize(("minutes", "hinted"), [(9, 1), (11, 0)])
    def test_ten_minutes_behind_its_tick_it_does(self, minutes: int, hinted: int) -> None:
        world = HintedWorld(interval_minutes=30)
        world.clock.now = BEGIN - TICK
        world.begin()
        while not world.waiting():
            world.dispatch()
        world.clock.advance(minutes=minutes)
        world.run()
        assert world.hinted == hinted

    @pytest.mark.parametrize(
        "hint",
        [
            "x",
            [],
            7,
            {},
            {"etag": 7},
            {"etag": '"1"', "known": {}},
            {"etag": '"1"', "until": "soon", "known": {}},
            {"etag": '"1"', "until": "2999-01-01T00:00:00Z", "known": {"fingerprint": []}},
        ],
        ids=str,
    )
    def test_a_hint_that_cannot_be_read_refuses_no_job(self, hint: Any) -> None:
        world = begun()
        world.dispatch()
        (message,) = world.work.messages
        document = json.loads(message.body)
        if isinstance(hint, dict) and "known" in hint:
            hint = {**document["hint"], **hint}
        message.body = json.dumps({**document, "hint": hint})
        assert [line["outcome"] for line in world.run()] == ["unchanged"]
        assert (world.hinted, world.dead.messages) == (0, [])

    def test_an_older_release_reads_a_hinted_job(self) -> None:
        """Rule 10: it ignores the key, and sends none that is empty."""
        world = begun()
        world.dispatch()
        (message,) = world.work.messages
        job = Job.parse(message.body)
        assert job.hint is not None
        assert "hint" not in json.loads(job.model_copy(update={"hint": None}).body())
        assert message.dedup_id == job.job_id == "cs.20260302T0110"


class TestUntil:
    """Rule 4: once a day the state is read, and the site asked as if nothing was known."""

    def day(self, world: HintedWorld, ticks: int = 145) -> list[int]:
        """Return the ticks whose check was not hinted."""
        slow = []
        for number in range(ticks):
            before = world.hinted
            world.tick()
            if world.hinted == before:
                slow.append(number)
        return slow

    def test_a_site_that_says_not_modified_for_ever_is_asked_without_validators_daily(self) -> None:
        world = HintedWorld()
        world.show(TWO, ONE, etag='"a"')
        world.begin()
        self.day(world)
        unconditional = [request for request in world.sites.asked if request.etag is None]
        assert len(unconditional) == 1
        world.show(THREE, TWO, ONE, etag='"a"')
        self.day(world)
        assert world.pushes() == [("3", "new")]

    def test_robots_txt_is_asked_in_the_same_write(self) -> None:
        world = HintedWorld(**HONOUR)
        world.begin()
        assert len(self.day(world)) == 1
        robots = [request for request in world.sites.asked if request.url.endswith("/robots.txt")]
        assert (len(robots), world.seen_by["worker"].calls) == (1, {"get": 1, "put": 1})
        state = world.state
        assert state.permission is not None
        assert state.permission.asked_at == state.health.succeeded_at

    def test_a_hint_ends_with_the_permission_of_robots_txt(self) -> None:
        world = HintedWorld(**HONOUR)
        world.begin()
        state = world.state
        assert state.permission is not None
        early = state.permission.model_copy(update={"asked_at": "2026-03-01T01:30:00Z"})
        hint = hint_of(state.replace(permission=early), '"e"', TICK * 144)
        assert hint.until == "2026-03-02T01:30:00Z"

    def test_a_site_that_forbids_it_is_asked_no_more_within_a_day(self) -> None:
        world = HintedWorld(**HONOUR)
        world.begin()
        world.sites.robots = "User-agent: *\nDisallow: /"
        self.day(world)
        assert world.state.health.reason == "robots"


class TestEntry:
    """Rule 5: an edited entry, or a newer reader, knows nothing of the page."""

    def test_an_edited_entry_reads_the_state(self) -> None:
        world = begun()
        world.keys["name"] = "다른 이름"
        world.tick()
        assert "다른 이름" in world.bucket.body("data/cs/latest.json").decode()
        assert world.hinted == 0

    def test_an_entry_that_honours_robots_txt_has_asked_it(self) -> None:
        """Whatever the hint says: the site is not asked before its robots.txt."""
        world = begun()
        world.dispatch()
        (job,) = world.waiting()
        assert job.hint is not None
        known = {**job.hint["known"], "is_allowed": False}
        honouring = {**world.entry_of("cs"), **HONOUR}
        entry = world.checker.family.entry(job.model_copy(update={"entry": honouring}))
        hint = {**job.hint, "entry": entry, "known": known}
        world.checker.check(job.model_copy(update={"entry": honouring, "hint": hint}))
        assert world.sites.asked[0].url.endswith("/robots.txt")


class TestTrouble:
    """Rule 6: trouble of a hinted request is trouble like any other."""

    @pytest.mark.parametrize("trouble", [DOWN, FetchFailed("forbidden", "HTTP 403")], ids=str)
    def test_it_is_in_the_state_at_once(self, trouble: FetchFailed) -> None:
        world = begun()
        world.sites.shown[world.url()] = trouble
        (line,) = world.tick()
        assert (line["outcome"], line["http_requests"]) == ("failed", 1)
        assert (world.state.health.failures, world.state.health.reason) == (1, trouble.reason)

    def test_so_is_a_page_that_is_not_believed(self) -> None:
        world = begun()
        world.show()
        assert world.tick()[0]["outcome"] == "suspect"
        assert world.state.health.reason == "no_rows"
        assert len(world.sites.asked) == 1


def test_a_family_may_have_no_hints() -> None:
    """The default of a state says nothing, and a hint of nothing holds nothing."""
    state = begun().state
    assert super(NoticeState, state).recognition() is None
    hint = Hint(etag='"e"', entry="x", until="2999-01-01T00:00:00Z")
    assert not hint.holds("x", BEGIN, BEGIN)
    assert isinstance(state.recognition(), Recognition)


def test_the_stored_hints_are_small_and_of_the_states_as_they_are() -> None:
    world = HintedWorld("cs", "ee")
    world.begin()
    hints = world.stored_hints().hints
    assert hints.keys() == {"cs", "ee"}
    stored = world.bucket.get(STATE)
    assert stored is not None
    assert hints["cs"].etag == stored.etag
    assert len(world.bucket.body(HINTS)) < 2 * 400


class TestSlowness:
    """What a slow site takes is written with the daily success, and a job's hint has it."""

    def slow(self, world: HintedWorld, seconds: float) -> None:
        world.sites.meanwhile.append(lambda: world.clock.advance(seconds))

    def test_a_hint_says_how_slow_its_site_was_at_the_daily_check(self) -> None:
        world = begun()
        assert world.stored_hints().hints["cs"].slowness is None
        world.clock.advance(86_400)
        world.dispatch()
        self.slow(world, 0.8)
        world.run()
        world.watch()
        assert world.stored_hints().hints["cs"].slowness == 3
        world.dispatch()
        (job,) = world.waiting()
        assert job.hint is not None
        assert job.hint["slowness"] == 3

    def test_a_slow_answer_alone_writes_nothing(self) -> None:
        world = begun()
        world.dispatch()
        self.slow(world, 8)
        world.run()
        assert world.seen_by["worker"].calls == {}

    @pytest.mark.parametrize(
        ("seconds", "doublings"),
        [
            (0, 0),
            (0.125, 0),
            (0.126, 1),
            (0.25, 1),
            (0.3, 2),
            (1, 3),
            (1.5, 4),
            (4, 5),
            (4.1, None),
        ],
    )
    def test_slowness_counts_doublings_of_an_eighth_of_a_second(
        self, seconds: float, doublings: int | None
    ) -> None:
        assert slowness(seconds) == doublings
